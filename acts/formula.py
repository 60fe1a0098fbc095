"""The size of a model's cache as a formula with its numbers put in.

Pure functions, compiled by :mod:`acts.twin`. ``kind`` is the type of keys and values alike.
"""

from __future__ import annotations

from typing import Any

from .sizing import entries_held, fixed_bytes_per_sequence, growth_bytes_per_token, vector_bytes
from .text import text_bytes, text_count, text_number, text_whole


def formula_token(shape: Any, kind: Any) -> str:
    """Bytes a token adds while every window has room: one term for each kind of layer."""
    terms = [formula_group(group, kind) for group in shape.groups if group.fixed_tokens is None]
    if len(terms) == 0:
        return "no layer caches anything a token"
    return " + ".join(terms)


def formula_sequence(shape: Any, tokens: int, kind: Any) -> str:
    """Bytes a sequence of ``tokens`` tokens holds: each kind of layer times what it keeps, and the state."""
    terms = []
    for group in shape.groups:
        held = entries_held(group, tokens)
        unit = " tokens" if group.stride == 1 else " entries"
        terms.append(formula_entry(group, kind) + " × " + text_whole(held) + unit)
    if shape.state_bytes > 0:
        terms.append(text_bytes(shape.state_bytes) + " of state")
    if len(terms) == 0:
        return "nothing is cached"
    return " + ".join(terms)


def formula_group(group: Any, kind: Any) -> str:
    """Bytes a token adds in the layers of ``group``."""
    if group.stride > 1:
        return formula_entry(group, kind) + " ÷ " + text_whole(group.stride) + " tokens"
    return formula_entry(group, kind)


def formula_entry(group: Any, kind: Any) -> str:
    """Bytes of one entry in all layers of ``group``: layers, heads, widths, bytes a value."""
    layers = text_count(group.layers, "layer") + " × "
    if group.record_bytes is not None:
        return layers + text_count(group.record_bytes, "byte")
    if group.kind == "latent":
        heads = ""
        widths = text_whole(group.key_width) + " latent values"
    else:
        heads = text_count(group.num_kv_heads, "KV head") + " × "
        widths = "(" + text_whole(group.key_width) + " + " + text_whole(group.value_width) + ") values"
        if group.value_width == 0:
            widths = text_whole(group.key_width) + " key values"
    key = vector_bytes(group.key_width, kind)
    value = vector_bytes(group.value_width, kind)
    # One figure of bytes a value where scales come out even; the bytes of each vector where they do not.
    if group.value_width == 0 or key * group.value_width == value * group.key_width:
        each = key / max(1, group.key_width)
        return layers + heads + widths + " × " + text_number(each, 5) + (" byte" if each == 1 else " bytes")
    return layers + heads + "(" + text_whole(key) + " + " + text_whole(value) + ") bytes"


def formula_linear(shape: Any, kind: Any) -> str:
    """The cache of a sequence as a + b × tokens, which holds once every window is full."""
    fixed = fixed_bytes_per_sequence(shape, kind, kind)
    growth = growth_bytes_per_token(shape, kind, kind)
    windows = [group for group in shape.groups if group.window is not None]
    text = text_bytes(growth) + " × tokens"
    if growth == 0:
        text = text_bytes(fixed) + ", however many tokens"
    elif fixed > 0:
        text = text_bytes(fixed) + " + " + text
    if len(windows) == 0:
        return text
    return text + ", once every window is full"
