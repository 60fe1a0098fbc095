"""What the figures draw: a block of values in bits, and the cards' memory before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..sizing import GIB
from ..text import text_amount, text_count, text_whole
from ..wall.picture import wall_break
from .value import quantize_block_scale, quantize_vector_width
from .words import quantize_name

if TYPE_CHECKING:
    from ..catalog import CacheType
    from ..contracts import Columns, Sizes
    from ..sizing import Shape

# Values the figure draws: llama.cpp's and MXFP4's block, two blocks of NVFP4.
QUANTIZE_VALUES = 32

# More slices than this are drawn as one.
QUANTIZE_SLICES = 160


def quantize_join(tables: list[Columns]) -> Columns:
    """Tables of the same columns, one below the other."""
    joined = {}
    for column in tables[0]:
        cells: list[Any] = []
        for table in tables:
            for cell in table[column]:
                cells.append(cell)
        joined[column] = cells
    return joined


def quantize_block(shape: Shape, cache: CacheType, bottom: float, filled: str) -> dict[str, Any]:
    """32 values as cells as wide as their bits, each block's scale behind it, from height ``bottom`` up.

    ``filled`` is the cells' role: "cache", or "slot" for what is only offered.
    """
    bits = cache.bits
    block_scale = quantize_block_scale(cache)
    vector_scale = cache.vector_bytes * 8 * QUANTIZE_VALUES / quantize_vector_width(shape)
    left = []
    right = []
    role = []
    at: float = 0
    scales: float = 0
    for index in range(QUANTIZE_VALUES):
        left.append(at)
        right.append(at + bits * 0.88)
        role.append(filled)
        at += bits
        scale: float = 0
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
    words = quantize_name(cache) + ": 32 × " + text_whole(bits) + " bits"
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


def quantize_bar_end(sizes: Sizes) -> float:
    """Right end of the bars' scale, GiB: the cards, and weights that pass them while these stay legible."""
    card = sizes["card"] / GIB
    return min(max(card, sizes["weights"] / GIB), card * 1.6) * 1.005


def quantize_cut(sizes: Sizes, end: float) -> Columns:
    """Where the bars are cut off and how much of the weights lies beyond; empty where all is drawn (x in GiB)."""
    return wall_break(end, sizes["weights"] / GIB - end)


def quantize_parts(sizes: Sizes, bottom: float, end: float) -> Columns:
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


def quantize_slices(sizes: Sizes, bottom: float, filled: str) -> Columns:
    """One span of the role ``filled`` for each user that fits, GiB; a crowd is one span."""
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
        "role": [filled for edge in left],
        "left": left,
        "right": right,
        "bottom": [bottom for edge in left],
        "top": [bottom + 1 for edge in left],
    }


def quantize_bar_titles(before: Sizes, after: Sizes, name: str, base: str, offered: bool) -> list[str]:
    """What stands over the two bars; ``name`` leads the second, ``offered`` says that it is not chosen yet."""
    return [
        ("Now, " if offered else "Before, ") + quantize_bar_label(before, base),
        quantize_bar_label(after, name),
    ]


def quantize_bar_label(sizes: Sizes, name: str) -> str:
    """A bar's title: the type and the users it leaves room for."""
    if not sizes["kept"]:
        return name + ": not on this card"
    if sizes["free"] <= 0:
        return name + ": weights do not fit"
    if sizes["max_users"] == 0:
        return name + ": not one user"
    return name + ": " + text_count(sizes["max_users"], "user")


def quantize_weights_label(sizes: Sizes, end: float) -> Columns:
    """The word inside both bars' weights, where they are wide enough to carry it."""
    middle = min(sizes["weights"], sizes["wall"]) / GIB / 2
    if middle * 2 < end * 0.2:
        return {"x": [], "y": [], "text": []}
    return {"x": [middle, middle], "y": [2.25, 0.5], "text": ["weights", "weights"]}
