"""The size of a model's cache as a formula with its numbers put in, the same wherever it is printed.

Pure functions, compiled by :mod:`acts.twin`. ``keys`` and ``values`` are the types of cached keys and values,
``counts`` the KV heads of each of the shape's groups, ``sizes`` the bytes of one entry in one layer of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .sizing import entries_held, entry_sizes, fixed_bytes_per_sequence, growth_bytes_per_token, vector_bytes
from .text import text_bytes, text_count, text_number, text_whole

if TYPE_CHECKING:
    from .catalog import CacheType
    from .contracts import Term
    from .sizing import LayerGroup, Shape


def formula_term(layers: int, heads: int, key: int, value: int) -> Term:
    """A term of the sum over layers: plain attention unless told otherwise."""
    return {
        "layers": layers,
        "heads": heads,
        "key": key,
        "value": value,
        "stride": 1,
        "record": False,
        "entry": 0,
        "kind": "attention",
    }


def formula_group(group: LayerGroup, heads: int, size: int) -> Term:
    """The term of one group of layers."""
    term = formula_term(group.layers, heads, group.key_width, group.value_width)
    term["stride"] = group.stride
    term["record"] = group.record_bytes is not None
    term["entry"] = size
    term["kind"] = group.kind
    return term


def formula_own_heads(shape: Shape) -> list[int]:
    """The KV heads of each group as the model has them."""
    return [group.num_kv_heads for group in shape.groups]


def formula_terms(shape: Shape, counts: list[int], sizes: list[int]) -> list[Term]:
    """The growing layers, those of one kind and size put together whatever their windows."""
    terms: list[Term] = []
    for place, group in enumerate(shape.groups):
        if group.fixed_tokens is None:
            term = formula_group(group, counts[place], sizes[place])
            same = [other for other in terms if formula_alike(other, term)]
            if len(same) > 0:
                same[0]["layers"] = same[0]["layers"] + group.layers
            else:
                terms.append(term)
    return terms


def formula_alike(one: Term, other: Term) -> bool:
    """Whether layers of the two terms are the same in all but their number."""
    return (
        one["heads"] == other["heads"]
        and one["key"] == other["key"]
        and one["value"] == other["value"]
        and one["stride"] == other["stride"]
        and one["record"] == other["record"]
        and one["entry"] == other["entry"]
        and one["kind"] == other["kind"]
    )


def formula_sum(terms: list[Term], keys: CacheType, values: CacheType) -> str:
    """Bytes a token adds while every window has room: one term for each kind of layer."""
    parts = []
    for term in terms:
        text = formula_entry(term, keys, values)
        if term["stride"] > 1:
            text = text + " ÷ " + text_whole(term["stride"]) + " tokens"
        parts.append(text)
    if len(parts) == 0:
        return "no layer caches anything per token"
    return " + ".join(parts)


def formula_token(shape: Shape, keys: CacheType, values: CacheType) -> str:
    """:func:`formula_sum` of the model as it is."""
    terms = formula_terms(shape, formula_own_heads(shape), entry_sizes(shape, keys, values))
    return formula_sum(terms, keys, values)


def formula_sequence(shape: Shape, tokens: int, keys: CacheType, values: CacheType) -> str:
    """Bytes a sequence of ``tokens`` tokens holds: each kind of layer times what it keeps, and the state."""
    sizes = entry_sizes(shape, keys, values)
    parts = []
    for place, group in enumerate(shape.groups):
        held = entries_held(group, tokens)
        unit = " tokens" if group.stride == 1 else " entries"
        entry = formula_entry(formula_group(group, group.num_kv_heads, sizes[place]), keys, values)
        parts.append(entry + " × " + text_whole(held) + unit)
    if shape.state_bytes > 0:
        parts.append(text_bytes(shape.state_bytes) + " of state")
    if len(parts) == 0:
        return "nothing is cached"
    return " + ".join(parts)


def formula_entry(term: Term, keys: CacheType, values: CacheType) -> str:
    """Bytes of one entry in all layers of a term: layers, heads, widths, bytes a value."""
    layers = text_count(term["layers"], "layer") + " × "
    if term["record"]:
        return layers + text_count(term["entry"], "byte")
    key = vector_bytes(term["key"], keys)
    value = vector_bytes(term["value"], values)
    # One figure of bytes a value where scales come out even; the bytes of each vector where they do not.
    if term["value"] == 0 or key * term["value"] == value * term["key"]:
        each = key / max(1, term["key"])
        return f"{layers}{formula_values(term)} × {text_number(each, 5)}{' byte' if each == 1 else ' bytes'}"
    heads = text_count(term["heads"], "KV head") + " × "
    return layers + heads + "(" + text_whole(key) + " + " + text_whole(value) + ") bytes"


def formula_values(term: Term) -> str:
    """The values of one entry in one layer of a term: a latent's, or those of its KV heads."""
    width = text_whole(term["key"])
    if term["kind"] == "latent":
        return width + " latent values"
    if term["value"] == 0:
        return text_count(term["heads"], "head") + " × " + width + " key values"
    heads = text_count(term["heads"], "KV head") + " × "
    if term["key"] == term["value"]:
        return "2 × " + heads + width
    return heads + "(" + width + " + " + text_whole(term["value"]) + ")"


def formula_linear(shape: Shape, keys: CacheType, values: CacheType) -> str:
    """The cache of a sequence as a + b × tokens, which holds once every window is full."""
    fixed = fixed_bytes_per_sequence(shape, keys, values)
    growth = growth_bytes_per_token(shape, keys, values)
    windows = [group for group in shape.groups if group.window is not None]
    text = text_bytes(growth) + " × tokens"
    if growth == 0:
        text = text_bytes(fixed) + ", however many tokens"
    elif fixed > 0:
        text = text_bytes(fixed) + " + " + text
    if len(windows) == 0:
        return text
    return text + ", once every window is full"
