"""A demonstration: 32 numbers rounded as each cache type really rounds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..text import text_whole
from .picture import QUANTIZE_VALUES
from .value import quantize_block_scale
from .words import quantize_name, quantize_percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..catalog import CacheType
    from ..contracts import QuantizeState

# The rounding demo: 32 made-up numbers, and the one that becomes an outlier, as some channels of keys are.
QUANTIZE_SAMPLE = [
    0.31, -0.87, 1.24, 0.05, -1.52, 0.66, -0.23, 0.94, -0.41, 1.78, -0.12, 0.53, -1.08, 0.19, -0.64, 2.06,
    -0.35, 0.77, -1.91, 0.44, 0.08, -0.71, 1.37, -0.28, 0.6, -1.22, 0.15, 0.99, -0.52, -0.03, 1.1, -0.82,
]  # fmt: skip

QUANTIZE_OUTLIER_AT = 9

QUANTIZE_OUTLIER = 9.4

# What a 4-bit float (1 bit of mantissa) can be, beside its sign.
QUANTIZE_MICRO_LEVELS = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


def quantize_round(state: QuantizeState, cache: CacheType) -> dict[str, Any]:
    """The sample rounded as the chosen type does it: points, errors, levels, and the error's share (RMS).

    The share leaves the outlier out: what it does to the numbers beside it is the point.
    """
    rule = cache.rounding
    values = []
    for index in range(QUANTIZE_VALUES):
        outlying = state.outlier and index == QUANTIZE_OUTLIER_AT
        values.append(QUANTIZE_OUTLIER if outlying else QUANTIZE_SAMPLE[index])
    size = cache.block_values if quantize_block_scale(cache) > 0 else QUANTIZE_VALUES
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
        if state.outlier and index == QUANTIZE_OUTLIER_AT:
            continue
        error += (rounded[index] - values[index]) * (rounded[index] - values[index])
        power += values[index] * values[index]
    share = quantize_root(error / power)
    places = [index + 1 for index in range(QUANTIZE_VALUES)]
    return {
        "error": share,
        "levels": levels,
        "errors": {"x": places, "y0": values, "y1": rounded},
        "values": {"x": places, "y": values, "rounded": rounded},
        "text": quantize_round_words(quantize_name(cache), rule, share, state.outlier),
    }


def quantize_round_words(name: str, rule: Sequence[Any], share: float, outlier: bool) -> str:
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
    if outlier:
        return f"{name}: {start}. The error of the other 31 is {quantize_percent(share)} of their size."
    return name + ": " + start + ". The error is " + quantize_percent(share) + " of the numbers' own size."


def quantize_round_block(values: list[float], rule: Sequence[Any]) -> dict[str, Any]:
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
    scale = quantize_float(extreme / 6, 3, 0.015625, 448)
    if power_of_two == 1:
        scale = quantize_power(extreme) / 4
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
