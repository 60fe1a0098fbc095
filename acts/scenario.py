"""The scenario all acts share: one model on one deployment with its users."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import param

from .bounds import AMOUNTS, BOUNDS, DEFAULTS
from .catalog import CACHE_NAMES, CACHE_TYPES, GPUS, MODELS, WEIGHT_NAMES, WEIGHT_TYPES, Catalog, Model
from .config import read_config_fields, shape_of
from .own_model import OWN_MODEL, own_fault, own_read, own_text, own_title, own_with_parameters
from .text import number_refusal

if TYPE_CHECKING:
    import os


class Choice(param.Selector):
    """A Selector over ids that takes their other ``names`` too (``fp16`` for ``bf16``) and says what it takes.

    Capital letters and spaces around a name do not count.
    """

    __slots__ = ("names",)

    def __init__(self, *, names: dict[str, str] | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.names = names or {str(id): id for id in self.objects}

    def __set__(self, obj: Any, val: Any) -> None:
        super().__set__(obj, self.names.get(val.strip().lower(), val) if isinstance(val, str) else val)

    def _validate(self, val: Any) -> None:
        if val not in self.objects:
            raise ValueError(
                f"{self.name} cannot be {val!r}; choose one of: {', '.join(map(str, self.objects))}"
            )


class ModelChoice(Choice):
    """A Choice of model that takes ``custom`` as well, once its scenario has a shape for it."""

    def __set__(self, obj: Any, val: Any) -> None:
        if val == OWN_MODEL and isinstance(obj, Scenario) and not obj.shape:
            raise ValueError("model cannot be 'custom' before there is a shape; see Scenario.with_config")
        super().__set__(obj, val)

    def _validate(self, val: Any) -> None:
        if val != OWN_MODEL:
            super()._validate(val)


class ShapeText(param.String):
    """The text of a model's shape, as :mod:`acts.own_model` writes it; empty for none."""

    def _validate(self, val: Any) -> None:
        error = own_read(val)["error"] if isinstance(val, str) else "It must be text."
        if val != "" and error:
            raise ValueError(f"{self.name} cannot be used: {error}")


class Whole(param.Integer):
    """An Integer whose refusal names the value and what is allowed."""

    def _validate(self, val: Any) -> None:
        low, high = self.bounds
        if isinstance(val, bool) or not isinstance(val, int) or not low <= val <= high:
            raise ValueError(number_refusal(self.name, repr(val), True, low, high))


class Amount(param.Number):
    """A Number whose refusal names the value and what is allowed."""

    def _validate(self, val: Any) -> None:
        low, high = self.bounds
        if isinstance(val, bool) or not isinstance(val, int | float) or not low <= val <= high:
            raise ValueError(number_refusal(self.name, repr(val), False, low, high))


def _number(name: str, doc: str) -> Whole | Amount:
    """The number ``name`` of a scenario, as :mod:`acts.bounds` has it."""
    kind = Amount if name in AMOUNTS else Whole
    return kind(default=DEFAULTS[name], bounds=BOUNDS[name], doc=doc)


class Scenario(param.Parameterized):
    """Model, cards, value types and users: the state every act reads and the URL holds.

    An impossible value raises ValueError naming the parameter, the value and what is allowed.
    """

    model = ModelChoice(
        default=DEFAULTS["model"],
        objects=list(MODELS),
        doc="Model id, see catalog.MODELS; or custom, see shape.",
    )
    gpu = Choice(default=DEFAULTS["gpu"], objects=list(GPUS), doc="Card id, see catalog.GPUS.")
    gpus = _number("gpus", "Cards that share out each layer's weights and KV heads (tensor parallelism).")
    pipeline = _number(
        "pipeline", "Stages of layers, each on gpus cards (pipeline parallelism); the largest stage decides."
    )
    context_parallel = _number(
        "context_parallel",
        "Ranks among gpus that share out a sequence's tokens (decode-context parallelism).",
    )
    data_parallel = _number(
        "data_parallel", "Replicas of all this, each with users of its own (data parallelism)."
    )
    weights = Choice(
        default=DEFAULTS["weights"],
        objects=list(WEIGHT_TYPES),
        names=WEIGHT_NAMES,
        doc="Type of the weights.",
    )
    weights_gib = _number(
        "weights_gib",
        "Weights in GiB as a server or a file listing says them; 0 to compute them from their type.",
    )
    cache = Choice(
        default=DEFAULTS["cache"],
        objects=list(CACHE_TYPES),
        names=CACHE_NAMES,
        doc="Type of the cached keys and values.",
    )
    cache_v = Choice(
        default=DEFAULTS["cache_v"],
        objects=["", *CACHE_TYPES],
        names={"": "", **CACHE_NAMES},
        doc="Type of the cached values where it is not the keys'; empty for the same.",
    )
    context = _number("context", "Tokens each user's sequence holds.")
    users = _number("users", "Sequences held at once.")
    reserve = _number("reserve", "Memory set aside for activations, GiB per card.")
    utilisation = _number(
        "utilisation",
        "Share of a card's memory that the engine may use, in percent (gpu_memory_utilization).",
    )
    card_gib = _number("card_gib", "Memory of the card custom, GiB; of unequal cards the smallest's.")
    card_bandwidth = _number("card_bandwidth", "Bandwidth of the card custom, 10^9 bytes per second.")
    card_flops = _number("card_flops", "Dense 16-bit speed of the card custom, 10^12 FLOP per second.")
    shape = ShapeText(default="", doc="The model of one's own that the id custom names, as its text.")

    def __init__(self, **values: Any) -> None:
        unknown = sorted(set(values) - set(self.param))
        if unknown:
            known = ", ".join(name for name in self.param if name != "name")
            raise ValueError(f"{unknown[0]} is not part of a scenario; its parameters are: {known}")
        super().__init__(**shape_first(values))

    @classmethod
    def with_config(
        cls,
        config: dict[str, Any] | str | os.PathLike[str],
        *,
        parameters: int | None = None,
        name: str = "",
        state_type: str = "",
        indexer_type: str = "",
        **values: Any,
    ) -> Scenario:
        """A scenario of the model a config.json describes, see :meth:`add_config`; ``values`` as usual."""
        scenario = cls(**values)
        cache = scenario.cache
        scenario.add_config(
            config, parameters=parameters, name=name, state_type=state_type, indexer_type=indexer_type
        )
        if "cache" in values:
            scenario.cache = cache
        return scenario

    def add_config(
        self,
        config: dict[str, Any] | str | os.PathLike[str],
        *,
        parameters: int | None = None,
        name: str = "",
        state_type: str = "",
        indexer_type: str = "",
    ) -> None:
        """Puts the model of a config (parsed, or its path) into the catalog as ``custom`` and chooses it.

        A cache type that the config declares is chosen too. ``parameters`` is needed where the config does
        not tell their number; ``state_type`` (float32, bfloat16, float16) is that in which an engine keeps recurrent
        states, if not what the config says; ``indexer_type`` (fp8, mxfp4, bf16) that of an indexer's keys, if not fp8.
        Raises :class:`acts.config.ConfigError` or ValueError in one sentence.
        """
        reading = read_config_fields(config, state_type, indexer_type)
        parameters = parameters or reading["shape"].parameters
        if parameters == 0:
            raise ValueError(
                "the number of parameters cannot be told from this config; give it as parameters="
            )
        shape = own_with_parameters(asdict(reading["shape"]), parameters)
        if fault := own_fault(shape, reading["max_context"]):
            raise ValueError(fault)
        text = own_text(name or own_title(reading), shape, reading["max_context"])
        declared = {} if reading["cache"] is None else {"cache": reading["cache"]}
        self.param.update(shape=text)
        self.param.update(model=OWN_MODEL, **declared)

    @param.depends("shape", watch=True)
    def _leave_own_model(self) -> None:
        """Without a shape there is no ``custom`` to stay with."""
        if not self.shape and self.model == OWN_MODEL:
            self.model = DEFAULTS["model"]

    @property
    def catalog(self) -> Catalog:
        """What this scenario's ids refer to: the common catalog, and the model of one's own if any."""
        return catalog_with(self.shape)


def catalog_with(shape: str) -> Catalog:
    """The common catalog with the model of one's own that the text ``shape`` describes, if it is not empty."""
    catalog = Catalog()
    if shape:
        catalog.models[OWN_MODEL] = own_row(shape)
    return catalog


#: So many of viewers' own models are kept at once; what they send is theirs to choose and this process's to store.
OWN_ROWS = 32


@lru_cache(maxsize=OWN_ROWS)
def own_row(text: str) -> Model:
    """The catalog's row of the model that ``text`` describes."""
    row = own_read(text)["model"]
    return Model(**{**row, "shape": shape_of(row["shape"])})


def shape_first(values: dict[str, Any]) -> dict[str, Any]:
    """``values`` with the shape in front: the model ``custom`` is only there with it."""
    return dict(sorted(values.items(), key=lambda item: item[0] != "shape"))
