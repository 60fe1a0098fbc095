"""Reads a row of the truth set: what its reporter wrote of model and settings -> a Shape and value types.

Rows come from bug reports and documents, so a figure may stand under several names or inside a phrase ("8
layers, 1 kv head x 512"). Here those become the numbers that the sizing model takes; nothing is looked up
by a row's id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from acts.catalog import CACHE_TYPES
from acts.engines.types import ENGINE_LAYOUTS, engine_cache_id
from acts.sizing import LayerGroup, Shape, ValueType

from .known import known_figures
from .sglang import sglang_index_record, sglang_mla_record


class Unreadable(ValueError):
    """A row lacks a figure that its rule needs."""


@dataclass(frozen=True)
class Linear:
    """Recurrent (gated delta net) layers: heads, head widths, the convolution's kernel, bytes of one state
    value.
    """

    layers: int
    v_heads: int
    k_heads: int
    k_width: int
    v_width: int
    kernel: int
    state_size: int = 4

    @property
    def state_values(self) -> int:
        """Values of the recurrent state S: a matrix for each value head."""
        return self.v_heads * self.k_width * self.v_width

    @property
    def channels(self) -> int:
        """Channels the convolution runs over: queries, keys and values."""
        return 2 * self.k_heads * self.k_width + self.v_heads * self.v_width


@dataclass(frozen=True)
class Row:
    """One row, read. ``own`` is its config as given, ``facts`` completed from what is published of the
    model.
    """

    id: str
    source: str
    engine: str
    model: str
    own: dict[str, Any]
    facts: dict[str, Any]
    tokens: int | None
    dtype: str
    observed: dict[str, Any]

    def number(self, *names: str, default: int | None = None) -> int:
        """The first of ``names`` that the row gives as a number (alone or at the start of a phrase)."""
        for name in names:
            value = self.facts.get(name)
            if isinstance(value, int | float):
                return int(value)
            found = re.match(r"\s*([\d,]+)", value) if isinstance(value, str) else None
            if found:
                return int(found[1].replace(",", ""))
        if default is None:
            raise Unreadable(f"the row does not say {' or '.join(names)}")
        return default

    def has(self, *names: str) -> bool:
        """Whether any of ``names`` is known of the row."""
        return any(self.facts.get(name) is not None for name in names)


def read_row(raw: dict[str, Any]) -> Row:
    """A row of the truth set, its model's published figures filled in where it gives none."""
    own = dict(raw["config"])
    facts = {**known_figures(raw["model"]), **own}
    return Row(
        raw["id"],
        raw["source"],
        raw["engine"],
        raw["model"],
        own,
        facts,
        raw["tokens"],
        raw["dtype"],
        raw["observed"],
    )


def read_type(name: str) -> ValueType:
    """The layout of a cache type by the name an engine gives it."""
    if name in ENGINE_LAYOUTS:
        return ValueType(*ENGINE_LAYOUTS[name])
    if engine_cache_id(name) == "":
        raise Unreadable(f"the type {name!r} is not one whose layout is known")
    kind = CACHE_TYPES[engine_cache_id(name)]
    return ValueType(kind.block_values, kind.block_bytes, kind.vector_bytes)


def read_types(dtype: str) -> tuple[ValueType, ValueType]:
    """Types of K and V from phrases such as "K q8_0 / V q4_0", "fp8 kv (inferred)", "bf16/fp16", "bf16,
    state fp32".
    """
    pair = re.match(r"K (\w+) ?/ ?V (\w+)", dtype)
    if pair:
        return read_type(pair[1]), read_type(pair[2])
    words = [
        word for word in re.findall(r"\w+", dtype.lower()) if word in ENGINE_LAYOUTS or engine_cache_id(word)
    ]
    if not words:
        raise Unreadable(f"no cache type in {dtype!r}")
    return read_type(words[0]), read_type(words[0])


def _phrase_group(phrase: str, window: int | None) -> LayerGroup:
    """ "8 layers, 1 kv head x 512" -> a group."""
    layers, heads, width = (int(number) for number in re.findall(r"\d+", phrase)[:3])
    return LayerGroup(layers, heads, width, width, window)


def head_widths(row: Row, full: bool) -> tuple[int, int]:
    """Values of one head's key and value; a global width is the full layers' own."""
    if full and row.has("global_head_dim"):
        width = row.number("global_head_dim")
        return width, width
    if row.has("head_dim", "k_dim", "head_size"):
        key = row.number("head_dim", "k_dim", "head_size")
    else:
        key = row.number("hidden") // row.number("heads")
    return key, row.number("v_head_dim", "v_dim", default=key)


def _heads(row: Row, full: bool) -> int:
    """KV heads of a layer; a model whose row speaks of heads only caches them all."""
    names = ("global_kv_heads",) if full else ("swa_kv_heads",)
    return row.number(*names, "kv_heads_used", "kv_heads", "heads")


def _layer_counts(row: Row) -> tuple[int, int]:
    """Layers that cache every token, and layers that slide.

    From the row's own counts, else from a phrase ("18 sliding/18 full"), else from the model's published
    pattern. A window that no layer count goes with is every layer's, if the row says so.
    """
    phrase = f"{row.facts.get('layer_types', '')} {row.model}"
    full = re.search(r"(\d+) full", phrase)
    swa = re.search(r"(\d+) sliding", phrase)
    layers = row.number("layers", default=0)
    if row.facts.get("all_layers_sliding"):
        return 0, layers
    if row.has("full_layers", "full_own", "swa_layers", "swa_own"):
        return row.number("full_layers", "full_own", default=0), row.number(
            "swa_layers", "swa_own", default=0
        )
    if full and swa:
        return int(full[1]), int(swa[1])
    if row.has("full_every", "sliding_window") and "full_every" in row.facts and row.has("sliding_window"):
        every = row.number("full_every")
        return layers // every, layers - layers // every
    return row.number("layers"), 0


def read_groups(row: Row) -> list[LayerGroup]:
    """The row's caching layers: full ones first, then sliding ones."""
    facts = row.facts
    if row.has("n_embd_k_gqa"):
        return [LayerGroup(row.number("layers"), 1, row.number("n_embd_k_gqa"), row.number("n_embd_v_gqa"))]
    if row.has("kv_lora_rank"):
        return _latent_groups(row)
    window = row.number("sliding_window") if row.has("sliding_window") else None
    if isinstance(facts.get("full"), str):
        return [_phrase_group(facts["full"], None), _phrase_group(facts["swa"], window)]
    full, swa = _layer_counts(row)
    groups = []
    if full:
        groups.append(LayerGroup(full, _heads(row, True), *head_widths(row, True)))
    if swa:
        groups.append(LayerGroup(swa, _heads(row, False), *head_widths(row, False), window))
    return groups


def _latent_groups(row: Row) -> list[LayerGroup]:
    """MLA: one latent a layer, and the sparse indexer's keys; both in packed records once quantised."""
    layers = row.number("layers")
    rank = row.number("kv_lora_rank")
    rope = row.number("qk_rope_head_dim")
    packed = "ds_mla" in row.dtype or (row.has("index_head_dim") and "fp8" in row.dtype)
    record = sglang_mla_record(rank, rope) if packed else None
    groups = [LayerGroup(layers, 1, rank + rope, 0, record_bytes=record, kind="latent")]
    if row.has("index_head_dim"):
        index = row.number("index_head_dim")
        indexed = row.number("index_layers", default=layers)
        groups.append(
            LayerGroup(indexed, 1, index, 0, record_bytes=sglang_index_record(index), kind="indexer")
        )
    return groups


def read_shape(row: Row, groups: list[LayerGroup] | None = None) -> Shape:
    """The row's Shape (of ``groups`` only, if given). Parameters do not matter to a cache and are left 0."""
    chosen = read_groups(row) if groups is None else groups
    return Shape(tuple(chosen), row.number("heads", default=0), row.number("layers", default=0), 0, 0)


def read_linear(row: Row) -> Linear | None:
    """The row's recurrent layers, from a phrase ("48 v-heads,16 k-heads,128x128, conv 4") or single
    figures.
    """
    phrase = str(row.facts.get("linear", "")) or (
        f"{row.facts.get('v_heads')} v-heads {row.facts.get('k_heads')} k-heads {row.facts.get('dims')}"
        f" conv {row.facts.get('conv', 4)}"
    )
    heads = re.search(r"(\d+) v-heads\D+(\d+) k-heads", phrase)
    widths = re.search(r"(\d+)x(\d+)", phrase)
    if not heads or not widths:
        return None
    kernel = re.search(r"conv ?(\d+)", phrase)
    full = row.number("full_layers", default=0)
    layers = row.number("linear_layers", default=max(0, row.number("layers", default=0) - full))
    size = 2 if re.search(r"(ssm|state) (bf16|f16|fp16)", f"{phrase} {row.dtype}") else 4
    return Linear(
        layers,
        int(heads[1]),
        int(heads[2]),
        int(widths[1]),
        int(widths[2]),
        int(kernel[1]) if kernel else 4,
        size,
    )
