"""Quantisation as data: a block of values in bits, users before and after, the risk, a rounding demo."""

from __future__ import annotations

from typing import Any

from ..deployment import TYPICAL_RESERVE, deploy_with
from ..sizing import GIB, bytes_per_token, ceil_div, entry_bytes, max_users
from ..text import (
    text_amount,
    text_bytes,
    text_count,
    text_fixed,
    text_gib,
    text_number,
    text_times,
    text_whole,
)

# The type every other one is measured against.
QUANTIZE_BASE = "bf16"

# Bits of one value alone, without its share of the scales; a type not listed gets its whole bits a value.
QUANTIZE_BITS = {
    "fp32": 32, "bf16": 16, "fp8": 8, "int8": 8, "q8_0": 8, "q5_1": 5, "q5_0": 5,
    "int4": 4, "q4_1": 4, "q4_0": 4, "nvfp4": 4, "mxfp4": 4,
}  # fmt: skip

# Values the figure draws: llama.cpp's and MXFP4's block, two blocks of NVFP4.
QUANTIZE_VALUES = 32

# A risk level of the catalog in words.
QUANTIZE_RISKS = {"none": "No risk added", "low": "Low risk", "medium": "Medium risk", "high": "High risk"}

QUANTIZE_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

# More slices than this are drawn as one.
QUANTIZE_SLICES = 160

# The rounding demo: 32 made-up numbers, and the one that becomes an outlier, as some channels of keys are.
QUANTIZE_SAMPLE = [
    0.31, -0.87, 1.24, 0.05, -1.52, 0.66, -0.23, 0.94, -0.41, 1.78, -0.12, 0.53, -1.08, 0.19, -0.64, 2.06,
    -0.35, 0.77, -1.91, 0.44, 0.08, -0.71, 1.37, -0.28, 0.6, -1.22, 0.15, 0.99, -0.52, -0.03, 1.1, -0.82,
]  # fmt: skip
QUANTIZE_OUTLIER_AT = 9
QUANTIZE_OUTLIER = 9.4

# How each type rounds a block: method and its numbers.
# float: bits of mantissa, smallest normal number, largest number.
# range: steps between the block's least and greatest value.
# even: steps on either side of 0, the extreme value on the last one; signed: one step less above.
# micro: 4-bit floats times a scale that is an FP8 number (0) or a power of two (1).
QUANTIZE_ROUNDING = {
    "fp32": ["float", 23, 0, 1e30],
    "bf16": ["float", 7, 0, 1e30],
    "fp8": ["float", 3, 0.015625, 448],
    "int8": ["range", 255],
    "int4": ["range", 15],
    "q8_0": ["even", 127],
    "q5_1": ["range", 31],
    "q5_0": ["signed", 16],
    "q4_1": ["range", 15],
    "q4_0": ["signed", 8],
    "nvfp4": ["micro", 0],
    "mxfp4": ["micro", 1],
}

# What a 4-bit float (1 bit of mantissa) can be, beside its sign.
QUANTIZE_MICRO_LEVELS = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


def quantize_frame(state: Any, catalog: Any) -> dict[str, Any]:
    """Frame of the act: see :class:`acts.quantize.Quantize` for the readouts' units."""
    shape = catalog.models[state.model].shape
    cache = catalog.caches[state.cache]
    base = catalog.caches[QUANTIZE_BASE]
    before = quantize_sizes(state, catalog, QUANTIZE_BASE)
    after = quantize_sizes(state, catalog, state.cache)
    reserve = max(TYPICAL_RESERVE, state.reserve)
    typical = deploy_with(state, catalog, state.weights, state.gpus, reserve, state.cache)
    shrink = quantize_shrink(shape, cache, base)
    each = quantize_value_bytes(shape, cache)
    verdict = quantize_verdict(state, before, after)
    end = quantize_bar_end(after)
    bare = quantize_bare_users(state, catalog, before)
    rounding = quantize_round(state, cache)
    block = quantize_block(shape, cache, 0)
    yardstick = quantize_block(shape, base, 1.75)
    return {
        "readouts": {
            "cache-shrink": {"text": quantize_shrink_text(shrink), "value": shrink},
            "bytes-per-value": {"text": quantize_bytes_text(each), "value": each},
            "max-users-baseline": quantize_users_readout(before),
            "max-users-quantized": quantize_users_readout(after),
            "max-users-quantized-typical": quantize_users_readout(typical),
            "cache-per-user-quantized": {"text": text_bytes(after["user"]), "value": after["user"]},
            "quality-risk": {"text": quantize_risk_text(cache), "value": None},
            "rounding-error": {"text": quantize_percent(rounding["error"]), "value": rounding["error"]},
        },
        "sentence": quantize_sentence(state, catalog, before, after, verdict),
        "texts": quantize_texts(state, catalog, before, bare, rounding),
        "sources": {
            "cells": quantize_join([yardstick["cells"], block["cells"]]),
            "block-labels": quantize_join([yardstick["labels"], block["labels"]]),
            "scale-label": block["scale"],
            "parts": quantize_join([quantize_parts(before, 1.75, end), quantize_parts(after, 0, end)]),
            "slices": quantize_join([quantize_slices(before, 1.75), quantize_slices(after, 0)]),
            "bar-labels": {
                "x": [0, 0],
                "y": [2.75, 1],
                "text": [
                    "Before, " + quantize_bar_label(before, base),
                    "After, " + quantize_bar_label(after, cache),
                ],
            },
            "weights-label": quantize_weights_label(after, end),
            "usable": {
                "x": [after["wall"] / GIB],
                "text": [text_amount(after["wall"] / GIB) + " of " + text_gib(after["card"]) + " usable"],
            },
            "levels": rounding["levels"],
            "errors": rounding["errors"],
            "values": rounding["values"],
        },
        "ranges": {
            "block-x": {"start": 0, "end": max(yardstick["bits"], block["bits"])},
            "users-x": {"start": 0, "end": end},
            "rounding-y": {"start": -2.4, "end": 10 if state.outlier else 2.4},
        },
        "figures": {
            "block": "32 values twice, to scale in bits. " + yardstick["words"] + "; " + block["words"] + ".",
            "users": "Memory of the deployment twice, to scale: weights "
            + text_gib(after["weights"])
            + ", then the users' cache. "
            + quantize_bar_label(before, base)
            + "; "
            + quantize_bar_label(after, cache)
            + ".",
            "rounding": "32 numbers before and after rounding. " + rounding["text"],
        },
        "shown": quantize_shown(state, catalog, bare, after),
    }


def quantize_sizes(state: Any, catalog: Any, cache_type: str) -> dict[str, Any]:
    """The scenario's deployment with another cache type: see :func:`acts.deployment.deploy`."""
    return deploy_with(state, catalog, state.weights, state.gpus, state.reserve, cache_type)


# --- numbers ---------------------------------------------------------------------------------------


def quantize_bits(cache: Any) -> int:
    """Bits of one value alone, scales left out."""
    if cache.id in QUANTIZE_BITS:
        return QUANTIZE_BITS[cache.id]
    return cache.block_bytes * 8 // cache.block_values


def quantize_shrink(shape: Any, cache: Any, base: Any) -> float:
    """16-bit bytes a token over those of ``cache``; 1 for a model that keeps nothing a token."""
    chosen = bytes_per_token(shape, cache, cache)
    if chosen == 0:
        return 1
    return bytes_per_token(shape, base, base) / chosen


def quantize_value_bytes(shape: Any, cache: Any) -> float:
    """Bytes a cached value takes with its share of the scales, averaged over the model's head vectors."""
    values = 0
    size = 0
    for group in shape.groups:
        # Entries in a format of their own do not follow the cache type.
        if group.record_bytes is None:
            values += group.layers * group.num_kv_heads * (group.key_width + group.value_width)
            size += group.layers * entry_bytes(group, group.num_kv_heads, cache, cache)
    if values == 0:
        return cache.block_bytes / cache.block_values
    return size / values


def quantize_vector_width(shape: Any) -> int:
    """Values in one head vector: what a scale per vector is shared by."""
    for group in shape.groups:
        if group.record_bytes is None:
            return max(group.key_width, group.value_width)
    return 128


def quantize_bare_users(state: Any, catalog: Any, before: dict[str, Any]) -> int:
    """Users that bare bits, counted without any scale, would promise.

    A sequence's bytes grow evenly with the bytes a value: 2 (16 bit) and 1 (FP8, no scales) give the rest.
    """
    bits = quantize_bits(catalog.caches[state.cache])
    if "fp8" not in catalog.caches or before["free"] <= 0:
        return 0
    eight = quantize_sizes(state, catalog, "fp8")["sequence"]
    bare = ceil_div(eight * 8 + (bits - 8) * (before["sequence"] - eight), 8)
    return max_users(before["free"], bare)


# --- words -----------------------------------------------------------------------------------------


def quantize_name(cache: Any) -> str:
    """A cache type's name without its maker: "q8_0 (llama.cpp)" -> "q8_0"."""
    return cache.name.split(" (")[0]


def quantize_bytes_text(count: float) -> str:
    """A few bytes with up to four decimals: 0.5625 -> "0.5625 bytes"."""
    if count == 1:
        return "1 byte"
    return text_number(count, 4) + " bytes"


def quantize_shrink_text(shrink: float) -> str:
    """The ratio in words: 2 is two times smaller, 0.5 two times larger."""
    if shrink == 1:
        return text_times(1) + ", no change"
    if shrink < 1:
        return text_times(1 / shrink) + " larger"
    return text_times(shrink) + " smaller"


def quantize_users_readout(sizes: dict[str, Any]) -> dict[str, Any]:
    """Users that fit, as a readout."""
    if sizes["free"] <= 0:
        return {"text": "none: weights do not fit", "value": 0}
    if sizes["max_users"] == 0:
        return {"text": "none", "value": 0}
    return {"text": text_whole(sizes["max_users"]), "value": sizes["max_users"]}


def quantize_percent(share: float) -> str:
    """An error as a percentage: 0.0712 -> "7.12%"."""
    if share < 0.0001:
        return "under 0.01%"
    return text_amount(share * 100) + "%"


def quantize_source_label(part: str) -> str:
    """One of the catalog's sources by name: a title as it stands, a GitHub thread as "llama.cpp#7412"."""
    at = part.find("https://")
    if at == 0:
        words = part.split("/")
        if part.find("https://github.com/") == 0 and len(words) == 7:
            return words[4] + "#" + words[6]
        return words[2]
    if at > 0:
        return part[:at].strip().rstrip(",")
    return part


def quantize_date(iso: str) -> str:
    """A date as text: "2026-11-29" -> "29 Nov 2026"."""
    words = iso.split("-")
    return text_whole(int(words[2])) + " " + QUANTIZE_MONTHS[int(words[1]) - 1] + " " + words[0]


def quantize_risk_text(cache: Any) -> str:
    """Level, what was measured, by whom and when it was looked up."""
    level = QUANTIZE_RISKS.get(cache.risk, cache.risk)
    first = quantize_source_label(cache.source.split("; ")[0])
    return level + ". " + cache.quality + " (" + first + "; checked " + quantize_date(cache.checked) + ".)"


def quantize_verdict(state: Any, before: dict[str, Any], after: dict[str, Any]) -> str:
    """Which outcome holds: weights, none, yardstick, nothing, larger, first, same or more."""
    if after["free"] <= 0:
        return "weights"
    if after["max_users"] == 0:
        return "none"
    if state.cache == QUANTIZE_BASE:
        return "yardstick"
    if after["sequence"] == before["sequence"]:
        return "nothing"
    return quantize_change(before, after)


def quantize_change(before: dict[str, Any], after: dict[str, Any]) -> str:
    """What another type does to the users that fit: larger, first, same or more."""
    if after["sequence"] > before["sequence"]:
        return "larger"
    if before["max_users"] == 0:
        return "first"
    if after["max_users"] == before["max_users"]:
        return "same"
    return "more"


def quantize_place(state: Any) -> str:
    """Where the users are: "on this card" or "on these 8 cards"."""
    if state.gpus == 1:
        return "on this card"
    return "on these " + text_whole(state.gpus) + " cards"


def quantize_fit(count: int) -> str:
    """ "1 user fits", "57 users fit"."""
    return text_count(count, "user") + (" fits" if count == 1 else " fit")


def quantize_sentence(
    state: Any, catalog: Any, before: dict[str, Any], after: dict[str, Any], verdict: str
) -> str:
    """The result in two or three sentences."""
    name = quantize_name(catalog.caches[state.cache])
    place = quantize_place(state)
    if verdict == "weights":
        return (
            "The weights alone need "
            + text_gib(after["weights"])
            + " and "
            + text_gib(after["usable"] * state.gpus)
            + " are usable "
            + place
            + ": no cache type makes room. A smaller cache leaves the weights as they are."
        )
    if verdict == "none":
        return (
            "One user at "
            + text_whole(state.context)
            + " tokens needs "
            + text_gib(after["user"])
            + " with "
            + name
            + ", and the weights leave "
            + text_gib(after["room"])
            + " "
            + place
            + ": not one user fits."
        )
    fit = quantize_fit(after["max_users"]) + " " + place
    if verdict == "yardstick":
        return quantize_yardstick_sentence(state, catalog, after, fit)
    if verdict == "nothing":
        return (
            "This model's memory does not follow the cache type: with "
            + name
            + " as with 16 bits "
            + fit
            + "."
        )
    return quantize_change_sentence(state, catalog, before, after, verdict)


def quantize_change_sentence(
    state: Any, catalog: Any, before: dict[str, Any], after: dict[str, Any], verdict: str
) -> str:
    """What the type takes a value, what that does to the users, and the published risk."""
    cache = catalog.caches[state.cache]
    each = quantize_bytes_text(quantize_value_bytes(catalog.models[state.model].shape, cache))
    start = (
        quantize_name(cache) + " takes " + each + " a value" + quantize_scales_words(cache) + " instead of 2"
    )
    fit = quantize_fit(after["max_users"]) + " " + quantize_place(state)
    was = text_whole(before["max_users"])
    if verdict == "larger":
        return start + ": the cache grows, and " + fit + " instead of " + was + "."
    risk = " Published risk to quality: " + cache.risk + "."
    if verdict == "first":
        return start + ": " + fit + " where none did." + risk
    if verdict == "same":
        return start + ", which frees memory but not enough for one more user: still " + fit + "." + risk
    wanted = ""
    if before["max_users"] < state.users and state.users <= after["max_users"]:
        wanted = " The " + text_whole(state.users) + " users you want now fit."
    return start + ": " + fit + " where " + was + " did." + wanted + risk


def quantize_scales_words(cache: Any) -> str:
    """ ", scales included," where the type has any."""
    if cache.vector_bytes > 0 or cache.block_bytes * 8 > cache.block_values * quantize_bits(cache):
        return ", scales included,"
    return ""


def quantize_yardstick_sentence(state: Any, catalog: Any, after: dict[str, Any], fit: str) -> str:
    """What 16 bits give, and what half of them would."""
    sentence = "With 2 bytes a value, " + fit + "."
    if "fp8" in catalog.caches:
        half = quantize_sizes(state, catalog, "fp8")["max_users"]
        if half > after["max_users"]:
            room = text_whole(half)
            sentence += " One byte a value would make room for " + room + ": choose a narrower type."
    return sentence


def quantize_texts(
    state: Any, catalog: Any, before: dict[str, Any], bare: int, rounding: dict[str, Any]
) -> dict[str, str]:
    """Words beside the readouts: what a reserve leaves, the bare count, and one row a type."""
    cache = catalog.caches[state.cache]
    shape = catalog.models[state.model].shape
    texts = {
        "quantize-reserve": text_fixed(max(TYPICAL_RESERVE, state.reserve), 1),
        "quantize-bare": "Counted as a bare "
        + text_whole(quantize_bits(cache))
        + " bits it would be "
        + text_whole(bare)
        + ": the scales take the rest.",
        "quantize-rounding": rounding["text"],
    }
    for name in catalog.caches:
        row = catalog.caches[name]
        texts["each-" + name] = text_number(quantize_value_bytes(shape, row), 4)
        texts["shrink-" + name] = text_times(quantize_shrink(shape, row, catalog.caches[QUANTIZE_BASE]))
        texts["users-" + name] = text_whole(quantize_sizes(state, catalog, name)["max_users"])
    if before["free"] <= 0:
        for name in catalog.caches:
            texts["users-" + name] = "none"
    return texts


def quantize_shown(state: Any, catalog: Any, bare: int, after: dict[str, Any]) -> dict[str, bool]:
    """Which parts are there: what belongs to the chosen type, the note on bare bits."""
    shown = {"quantize-bare": bare > after["max_users"]}
    for name in catalog.caches:
        shown["type-" + name] = name == state.cache
    return shown


# --- the block of 32 values ------------------------------------------------------------------------


def quantize_join(tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Tables of the same columns, one below the other."""
    joined = {}
    for column in tables[0]:
        cells: list[Any] = []
        for table in tables:
            for cell in table[column]:
                cells.append(cell)
        joined[column] = cells
    return joined


def quantize_block(shape: Any, cache: Any, bottom: float) -> dict[str, Any]:
    """32 values as cells as wide as their bits, each block's scale behind it, from height ``bottom`` up."""
    bits = quantize_bits(cache)
    block_scale = cache.block_bytes * 8 - cache.block_values * bits
    vector_scale = cache.vector_bytes * 8 * QUANTIZE_VALUES / quantize_vector_width(shape)
    left = []
    right = []
    role = []
    at = 0
    scales = 0
    for index in range(QUANTIZE_VALUES):
        left.append(at)
        right.append(at + bits * 0.88)
        role.append("cache")
        at += bits
        scale = 0
        if block_scale > 0 and (index + 1) % cache.block_values == 0:
            scale += block_scale
        if index == QUANTIZE_VALUES - 1:
            scale += vector_scale
        if scale > 0:
            left.append(at)
            right.append(at + scale)
            role.append("ink")
            at += scale
            scales += scale
            if index < QUANTIZE_VALUES - 1:
                right[len(right) - 1] -= bits * 0.12
    words = quantize_name(cache) + ": 32 values of " + text_whole(bits) + " bits"
    if scales > 0:
        words += " + scale"
    words += " = " + text_amount(at / 8) + " bytes"
    note = []
    if scales > 0:
        note.append("scale, " + text_amount(scales / 8) + (" byte" if scales == 8 else " bytes"))
    return {
        "cells": {
            "left": left,
            "right": right,
            "bottom": [bottom for cell in left],
            "top": [bottom + 1 for cell in left],
            "role": role,
        },
        "labels": {"x": [0], "y": [bottom + 1], "text": [words]},
        "scale": {"x": [at for text in note], "y": [bottom + 0.5 for text in note], "text": note},
        "bits": at,
        "words": words,
    }


# --- the two memory bars ---------------------------------------------------------------------------


def quantize_bar_end(sizes: dict[str, Any]) -> float:
    """Right end of the bars' scale, GiB: the cards, and weights that pass them while these stay legible."""
    card = sizes["card"] / GIB
    return min(max(card, sizes["weights"] / GIB), card * 1.6) * 1.005


def quantize_parts(sizes: dict[str, Any], bottom: float, end: float) -> dict[str, Any]:
    """Weights, what of them passes the usable memory, reserve, free and held-back memory as spans, GiB."""
    wall = sizes["wall"] / GIB
    weights = sizes["weights"] / GIB
    inside = min(weights, wall)
    reserve = min(inside + sizes["reserve"] / GIB, wall)
    used = min(reserve + sizes["max_users"] * sizes["user"] / GIB, wall)
    left = [0, inside, used, wall, wall]
    right = [inside, reserve, wall, max(wall, sizes["card"] / GIB), min(max(weights, wall), end)]
    return {
        "role": ["weights", "reserve", "free", "held", "overflow"],
        "left": left,
        "right": right,
        "bottom": [bottom for edge in left],
        "top": [bottom + 1 for edge in left],
    }


def quantize_slices(sizes: dict[str, Any], bottom: float) -> dict[str, Any]:
    """One span for each user that fits, GiB; a crowd is one span."""
    start = (sizes["weights"] + sizes["reserve"]) / GIB
    width = sizes["user"] / GIB
    count = sizes["max_users"]
    left = []
    right = []
    if count > QUANTIZE_SLICES:
        left.append(start)
        right.append(start + count * width)
    else:
        for user in range(count):
            left.append(start + user * width)
            right.append(start + (user + 0.88) * width)
    return {
        "left": left,
        "right": right,
        "bottom": [bottom for edge in left],
        "top": [bottom + 1 for edge in left],
    }


def quantize_bar_label(sizes: dict[str, Any], cache: Any) -> str:
    """A bar's title: the type and the users it leaves room for."""
    name = quantize_name(cache)
    if sizes["free"] <= 0:
        return name + ": the weights do not fit"
    if sizes["max_users"] == 0:
        return name + ": not one user"
    return name + ": " + text_count(sizes["max_users"], "user")


def quantize_weights_label(sizes: dict[str, Any], end: float) -> dict[str, Any]:
    """The word inside both bars' weights, where they are wide enough to carry it."""
    middle = min(sizes["weights"], sizes["wall"]) / GIB / 2
    if middle * 2 < end * 0.2:
        return {"x": [], "y": [], "text": []}
    return {"x": [middle, middle], "y": [2.25, 0.5], "text": ["weights", "weights"]}


# --- the rounding demo -----------------------------------------------------------------------------


def quantize_round(state: Any, cache: Any) -> dict[str, Any]:
    """The sample rounded as the chosen type does it: points, errors, levels, and the error's share (RMS)."""
    rule = QUANTIZE_ROUNDING.get(state.cache, ["range", 255])
    values = []
    for index in range(QUANTIZE_VALUES):
        outlying = state.outlier and index == QUANTIZE_OUTLIER_AT
        values.append(QUANTIZE_OUTLIER if outlying else QUANTIZE_SAMPLE[index])
    size = 16 if state.cache == "nvfp4" else QUANTIZE_VALUES
    rounded: list[float] = []
    levels: dict[str, list[float]] = {"x0": [], "x1": [], "y": []}
    for start in range(0, QUANTIZE_VALUES, size):
        part = quantize_round_block(values[start : start + size], rule)
        for value in part["values"]:
            rounded.append(value)
        for level in part["levels"]:
            levels["x0"].append(start + 0.5)
            levels["x1"].append(start + size + 0.5)
            levels["y"].append(level)
    error = 0.0
    power = 0.0
    for index in range(QUANTIZE_VALUES):
        error += (rounded[index] - values[index]) * (rounded[index] - values[index])
        power += values[index] * values[index]
    share = quantize_root(error / power)
    places = [index + 1 for index in range(QUANTIZE_VALUES)]
    return {
        "error": share,
        "levels": levels,
        "errors": {"x": places, "y0": values, "y1": rounded},
        "values": {"x": places, "y": values, "rounded": rounded},
        "text": quantize_round_words(quantize_name(cache), rule, share),
    }


def quantize_round_words(name: str, rule: list[Any], share: float) -> str:
    """What the rounding did, in a sentence."""
    if rule[0] == "float":
        start = "each number becomes the nearest number that the floating-point format has"
    elif rule[0] == "micro":
        start = "each number becomes one of 15 unevenly spaced levels, set by its block's scale"
    else:
        count = rule[1] + 1
        if rule[0] == "even":
            count = rule[1] * 2 + 1
        if rule[0] == "signed":
            count = rule[1] * 2
        start = "each number becomes one of " + text_whole(count) + " evenly spaced levels"
    return name + ": " + start + ". The error is " + quantize_percent(share) + " of the numbers' own size."


def quantize_round_block(values: list[float], rule: list[Any]) -> dict[str, Any]:
    """One block rounded, and its levels where they are few enough to be seen."""
    if rule[0] == "float":
        return {
            "values": [quantize_signed(value, rule[1], rule[2], rule[3]) for value in values],
            "levels": [],
        }
    if rule[0] == "micro":
        return quantize_round_micro(values, rule[1])
    least = min(values)
    most = max(values)
    extreme = most if most > -least else least
    if rule[0] == "range":
        # Scale and least value are stored as 16-bit numbers.
        step = quantize_signed((most - least) / rule[1], 10, 0, 65504)
        offset = quantize_signed(least, 10, 0, 65504)
        last = rule[1]
    elif rule[0] == "even":
        step = quantize_signed(abs(extreme) / rule[1], 10, 0, 65504)
        offset = -rule[1] * step
        last = rule[1] * 2
    else:
        # As llama.cpp does it: the extreme value gets the lowest code, so the step carries the opposite sign.
        step = quantize_signed(-extreme / rule[1], 10, 0, 65504)
        offset = -rule[1] * step
        last = rule[1] * 2 - 1
    rounded = []
    for value in values:
        code = min(last, max(0, int((value - offset) / step + 0.5)))
        rounded.append(offset + code * step)
    levels = []
    if last < 32:
        levels = [offset + code * step for code in range(last + 1)]
    return {"values": rounded, "levels": levels}


def quantize_round_micro(values: list[float], power_of_two: int) -> dict[str, Any]:
    """A block of 4-bit floats (E2M1) times its scale: an FP8 number (NVFP4) or a power of two (MXFP4)."""
    most = max(values)
    extreme = max(most, -min(values))
    if power_of_two == 1:
        scale = quantize_power(extreme) / 4
    else:
        scale = quantize_float(extreme / 6, 3, 0.015625, 448)
    levels = []
    for level in QUANTIZE_MICRO_LEVELS:
        levels.append(level * scale)
        if level > 0:
            levels.append(-level * scale)
    return {"values": [quantize_signed(value / scale, 1, 1, 6) * scale for value in values], "levels": levels}


def quantize_signed(value: float, mantissa: int, smallest: float, largest: float) -> float:
    """``value`` as the nearest floating-point number of a narrow format: see :func:`quantize_float`."""
    if value < 0:
        return -quantize_float(-value, mantissa, smallest, largest)
    return quantize_float(value, mantissa, smallest, largest)


def quantize_float(value: float, mantissa: int, smallest: float, largest: float) -> float:
    """``value`` >= 0 rounded to ``mantissa`` bits, below the smallest normal number in its steps."""
    step = max(quantize_power(value), smallest) / 2**mantissa
    return min(largest, int(value / step + 0.5) * step)


def quantize_power(value: float) -> float:
    """The greatest power of two that is not above ``value``; some tiny one for 0."""
    power = 1.0
    while power * 2 <= value:
        power = power * 2
    while power > value and power > 1e-30:
        power = power / 2
    return power


def quantize_root(square: float) -> float:
    """Square root by Newton's steps, so that every language gets the same last digit."""
    if square <= 0:
        return 0
    root = max(1, square)
    for _ in range(60):
        root = (root + square / root) / 2
    return root
