"""Frame of act four, put together from its words, its pictures and the rounding demo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..deployment import TYPICAL_RESERVE, context_beyond, deploy_note, deploy_values
from ..sizing import GIB
from ..text import text_bytes, text_fixed, text_gib, text_number, text_times, text_whole
from ..wall.picture import wall_side
from .picture import (
    quantize_bar_end,
    quantize_bar_titles,
    quantize_block,
    quantize_cut,
    quantize_join,
    quantize_parts,
    quantize_slices,
    quantize_weights_label,
)
from .rounding import quantize_round
from .value import (
    QUANTIZE_BASE,
    quantize_bare_users,
    quantize_chosen,
    quantize_reserved,
    quantize_second,
    quantize_shrink,
    quantize_sizes,
    quantize_value_bytes,
)
from .words import (
    quantize_bar_name,
    quantize_bytes_text,
    quantize_name,
    quantize_percent,
    quantize_risks_text,
    quantize_sentence,
    quantize_shrink_text,
    quantize_users_readout,
    quantize_verdict,
)

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import Frame, QuantizeState, Sizes


def quantize_frame(state: QuantizeState, catalog: Catalog) -> Frame:
    """Frame of the act: see :class:`acts.quantize.Quantize` for the readouts' units."""
    shape = catalog.models[state.model].shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    base = catalog.caches[QUANTIZE_BASE]
    before = quantize_sizes(state, catalog, QUANTIZE_BASE)
    after = quantize_chosen(state, catalog)
    reserve = max(TYPICAL_RESERVE, state.reserve)
    typical = quantize_reserved(state, catalog, reserve)
    shrink = quantize_shrink(shape, keys, values, base)
    each = quantize_value_bytes(shape, keys, values)
    verdict = quantize_verdict(state, before, after)
    bare = quantize_bare_users(state, catalog, before)
    rounding = quantize_round(state, keys)
    second = quantize_second(state, catalog, before)
    drawn = after if second == state.cache else quantize_sizes(state, catalog, second)
    picture = quantize_picture(state, catalog, second, before, drawn)
    for name in ["levels", "errors", "values"]:
        picture["sources"][name] = rounding[name]
    picture["ranges"]["rounding-y"] = {
        "start": -3 if state.outlier else -2.4,
        "end": 10 if state.outlier else 2.4,
    }
    picture["figures"]["rounding"] = "32 numbers before and after rounding. " + rounding["text"]
    return {
        "readouts": {
            "cache-shrink": {"text": quantize_shrink_text(shrink), "value": shrink},
            "bytes-per-value": {"text": quantize_bytes_text(each), "value": each},
            "max-users-baseline": quantize_users_readout(before),
            "max-users-quantized": quantize_users_readout(after),
            "max-users-quantized-typical": quantize_users_readout(typical),
            "cache-per-user-quantized": {"text": text_bytes(after["user"]), "value": after["user"]},
            "quality-risk": {"text": quantize_risks_text(keys, values), "value": None},
            "rounding-error": {"text": quantize_percent(rounding["error"]), "value": rounding["error"]},
        },
        "sentence": quantize_sentence(state, catalog, before, after, drawn, verdict)
        + context_beyond(catalog.models[state.model], state.context)
        + deploy_note(state, catalog),
        "texts": quantize_texts(state, catalog, before, bare, rounding),
        "sources": picture["sources"],
        "ranges": picture["ranges"],
        "figures": picture["figures"],
        "shown": quantize_shown(state, catalog, bare, after),
    }


def quantize_picture(
    state: QuantizeState, catalog: Catalog, second: str, before: Sizes, drawn: Sizes
) -> dict[str, Any]:
    """The block of values and the memory bars, 16 bits above the type ``second``: sources, ranges and labels."""
    shape = catalog.models[state.model].shape
    base = catalog.caches[QUANTIZE_BASE]
    other = catalog.caches[second]
    filled = "cache" if second == state.cache else "slot"
    yardstick = quantize_block(shape, base, 1.75, "cache")
    block = quantize_block(shape, other, 0, filled)
    name = quantize_bar_name(state, catalog)
    if second != state.cache:
        name = "With " + quantize_name(other)
    titles = quantize_bar_titles(before, drawn, name, quantize_name(base), second != state.cache)
    weights = "Memory of the deployment twice, to scale: weights " + text_gib(drawn["weights"])
    slices = [quantize_slices(before, 1.75, "cache"), quantize_slices(drawn, 0, filled)]
    end = quantize_bar_end(drawn)
    return {
        "sources": {
            "cells": quantize_join([yardstick["cells"], block["cells"]]),
            "block-labels": quantize_join([yardstick["labels"], block["labels"]]),
            "scale-label": block["scale"],
            "parts": quantize_join([quantize_parts(before, 1.75, end), quantize_parts(drawn, 0, end)]),
            "slices": quantize_join(slices),
            "bar-labels": {"x": [0, 0], "y": [2.75, 1], "text": titles},
            "weights-label": quantize_weights_label(drawn, end),
            "cut": quantize_cut(drawn, end),
            "usable": {
                "x": [drawn["wall"] / GIB],
                "text": [text_gib(drawn["wall"]) + " usable"],
                "align": [wall_side(drawn["wall"] / GIB, end, 0)["align"]],
            },
        },
        "ranges": {
            "block-x": {"start": 0, "end": max(yardstick["bits"], block["bits"])},
            "users-x": {"start": 0, "end": end},
        },
        "figures": {
            "block": "32 values twice, to scale in bits. " + yardstick["words"] + "; " + block["words"] + ".",
            "users": weights + ", then the users' cache. " + titles[0] + ". " + titles[1] + ".",
        },
    }


def quantize_texts(
    state: QuantizeState, catalog: Catalog, before: Sizes, bare: int, rounding: dict[str, Any]
) -> dict[str, str]:
    """Words beside the readouts: what a reserve leaves, the bare count, and one row a type."""
    cache = catalog.caches[state.cache]
    shape = catalog.models[state.model].shape
    texts = {
        "quantize-reserve": text_fixed(max(TYPICAL_RESERVE, state.reserve), 1),
        "quantize-bare": (
            f"Counted as a bare {text_whole(cache.bits)} bits it would be {text_whole(bare)}: the scales "
            "take the rest."
        ),
        "quantize-rounding": rounding["text"],
    }
    for name in catalog.caches:
        row = catalog.caches[name]
        texts["each-" + name] = text_number(quantize_value_bytes(shape, row, row), 4)
        texts["shrink-" + name] = text_times(quantize_shrink(shape, row, row, catalog.caches[QUANTIZE_BASE]))
        sizes = quantize_sizes(state, catalog, name)
        texts["users-" + name] = text_whole(sizes["max_users"]) if sizes["kept"] else "not on this card"
    if before["free"] <= 0:
        for name in catalog.caches:
            texts["users-" + name] = "none"
    return texts


def quantize_shown(state: QuantizeState, catalog: Catalog, bare: int, after: Sizes) -> dict[str, bool]:
    """Which parts are there: what belongs to the chosen type, the note on bare bits."""
    shown = {"quantize-bare": bare > after["max_users"]}
    for name in catalog.caches:
        shown["type-" + name] = name == state.cache
    return shown
