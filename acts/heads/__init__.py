"""Act two: grouped-query attention. Query heads that share a KV head, and the cache that saves."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..act import Act
from ..own_model import OWN_MODEL, own_with_queries
from ..result import Result
from ..scenario import Whole
from .choice import heads_divisors, heads_latent, heads_own
from .costs import heads_quotient, heads_token_bytes
from .figure import bytes_bars, heads_picture
from .frame import heads_frame
from .table import heads_figure_table

if TYPE_CHECKING:
    from bokeh.models import Plot


#: Fewest and most query heads that can be asked for; each is drawn.
QUERY_BOUNDS = (1, 256)
#: Those that the slider stops at; every one between can be typed.
QUERY_STOPS = [1, 2, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 256]


class KvHeads(Whole):
    """A number of KV heads that divides the query heads of the act's model, or 0 for the model's own.

    A choice outlives a change of model: where it no longer divides, the frame shows the model's own.
    """

    def __set__(self, obj: Any, val: Any) -> None:
        if isinstance(obj, Heads) and obj.scenario is not None and val != obj.kv_heads:
            self._validate(val)
            _check_division(obj, val)
        super().__set__(obj, val)


def _check_division(act: Heads, kv_heads: int) -> None:
    model = act.scenario.catalog.models[act.scenario.model]
    if kv_heads == 0:
        return
    if heads_latent(model.shape):
        raise ValueError(f"kv_heads cannot be {kv_heads!r}; {model.name} caches a latent: give 0")
    queries = model.shape.num_attention_heads
    allowed = heads_divisors(queries)
    if kv_heads not in allowed:
        counts = ", ".join(map(str, allowed))
        raise ValueError(
            f"kv_heads cannot be {kv_heads!r}; give 0 for the model's own, or a number that divides "
            f"the {queries} query heads of {model.name}: {counts}"
        )


class Heads(Act):
    """What the cache costs when query heads share KV heads, from none shared (MHA) to one for all (MQA)."""

    id = "heads"
    title = "Fewer KV heads: grouped-query attention"
    short = "Heads"
    draw_frame = staticmethod(heads_frame)
    draw_table = staticmethod(heads_figure_table)

    query_stops = QUERY_STOPS
    kv_heads = KvHeads(default=0, bounds=(0, 1024), doc="KV heads per layer; 0 for the model's own.")

    cache_reduction = Result("cache-reduction", "Cache of all query heads over the cache chosen, a ratio.")
    head_ratio = Result("head-ratio", "Query heads that share one KV head (or one latent), a ratio.")
    bytes_per_token = Result("bytes-per-token", "What a token adds while windows have room, bytes.")
    bytes_per_sequence = Result(
        "bytes-per-sequence", "Cache of one sequence at the scenario's context, bytes."
    )

    @property
    def query_heads(self) -> int:
        """Query heads of the scenario's model, a count."""
        return self.scenario.catalog.models[self.scenario.model].shape.num_attention_heads

    def set_query_heads(self, queries: int) -> None:
        """Gives the scenario a model of one's own: the present one with ``queries`` query heads.

        What is cached stays, so far as its KV heads divide them. Raises ValueError for a number out of bounds.
        """
        low, high = QUERY_BOUNDS
        if isinstance(queries, bool) or not isinstance(queries, int) or not low <= queries <= high:
            raise ValueError(f"query heads cannot be {queries!r}; give a whole number from {low} to {high}")
        model = self.scenario.catalog.models[self.scenario.model]
        text = own_with_queries(model.name, asdict(model.shape), model.max_context, queries)
        self.scenario.param.update(shape=text)
        self.scenario.model = OWN_MODEL
        self.kv_heads = 0

    def figures(self) -> dict[str, Plot]:
        """``joins``, the heads, and ``bars``, the bytes."""
        frame = self.frame()
        return {"joins": heads_picture(frame), "bars": bytes_bars(frame)}

    def models(self) -> list[dict[str, Any]]:
        """The catalog by what sharing saves; bytes a token with a 16-bit cache."""
        cache = self.scenario.catalog.caches["bf16"]
        rows = []
        for model in self.scenario.catalog.models.values():
            shape = model.shape
            token = heads_token_bytes(shape, 0, cache, cache)
            rows.append(
                {
                    "name": model.name,
                    "attention": model.attention,
                    "queries": shape.num_attention_heads,
                    "kv": "latent" if heads_latent(shape) else str(heads_own(shape)),
                    "token": token,
                    "reduction": heads_quotient(heads_token_bytes(shape, -1, cache, cache), token),
                }
            )
        return sorted(rows, key=lambda row: (row["reduction"], -row["token"]))
