"""Rounds cached keys and values as a cache type of the catalog does, whole arrays at once.

The same rules, block by block and for the browser too, are in :mod:`acts.quantize.rounding`, which explains
them; a test keeps both equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..catalog import CacheType


def round_cache(vectors: np.ndarray, cache: CacheType) -> np.ndarray:
    """``vectors`` (..., head_dim) as they read back from a cache of that type, a new array of their precision.

    Blocks are the type's own and never span two head vectors; a type whose scales belong to a head vector
    has one block a vector.
    """
    rule: tuple[Any, ...] = cache.rounding
    if rule[0] == "float":
        return _round_float(vectors, rule[1], rule[2], rule[3]).astype(vectors.dtype)
    width = vectors.shape[-1]
    size = scale_size(cache, width)
    blocks = vectors.reshape(*vectors.shape[:-1], width // size, size)
    rounded = _round_micro(blocks, rule[1]) if rule[0] == "micro" else _round_steps(blocks, rule[0], rule[1])
    return rounded.reshape(vectors.shape).astype(vectors.dtype)


def scale_size(cache: CacheType, width: int) -> int:
    """How many values of a head vector of ``width`` share one scale of the type."""
    return width if cache.vector_bytes else min(width, cache.block_values)


def _round_steps(blocks: np.ndarray, kind: str, count: int) -> np.ndarray:
    """Blocks (last axis) rounded to evenly spaced levels; step and least value are stored as 16-bit numbers."""
    least, most = blocks.min(-1, keepdims=True), blocks.max(-1, keepdims=True)
    extreme = np.where(most > -least, most, least)
    if kind == "range":
        step, offset, last = (most - least) / count, least, count
    elif kind == "even":
        step, offset, last = np.abs(extreme) / count, None, 2 * count
    else:
        step, offset, last = -extreme / count, None, 2 * count - 1
    step = _round_float(step, 10, 0, 65504)
    offset = _round_float(offset, 10, 0, 65504) if offset is not None else -count * step
    # A block of equal values has no step: all of it is the offset.
    code = np.trunc(np.divide(blocks - offset, step, out=np.zeros_like(blocks), where=step != 0) + 0.5)
    return offset + np.clip(code, 0, last) * step


def _round_micro(blocks: np.ndarray, power_of_two: int) -> np.ndarray:
    """Blocks (last axis) of 4-bit floats (E2M1) times a scale: an FP8 number, or a power of two."""
    extreme = np.abs(blocks).max(-1, keepdims=True)
    scale = _power(extreme) / 4 if power_of_two else _round_float(extreme / 6, 3, 0.015625, 448)
    ratio = np.divide(blocks, scale, out=np.zeros_like(blocks), where=scale != 0)
    return _round_float(ratio, 1, 1, 6) * scale


def _round_float(values: np.ndarray, mantissa: int, smallest: float, largest: float) -> np.ndarray:
    """Values as the nearest floating-point numbers with ``mantissa`` bits, even steps below ``smallest``."""
    size = np.abs(values)
    step = np.maximum(_power(size), smallest) / 2**mantissa
    return np.copysign(np.minimum(largest, np.trunc(size / step + 0.5) * step), values)


def _power(size: np.ndarray) -> np.ndarray:
    """The greatest powers of two that are not above ``size``; some tiny one for 0."""
    return np.ldexp(1.0, np.frexp(np.maximum(size, 1e-30))[1] - 1)
