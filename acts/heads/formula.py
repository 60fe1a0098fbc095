"""The formula of bytes a token with its numbers put in, for any mixture of layers.

Pure functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import Any

from ..text import text_count, text_number, text_whole
from .costs import heads_entry_bytes, heads_quotient


def heads_term(layers: int, heads: int, key: int, value: int) -> dict[str, Any]:
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


def heads_terms(shape: Any, choice: int, cache: Any) -> list[dict[str, Any]]:
    """The growing layers, those of one kind and size put together whatever their windows."""
    terms: list[dict[str, Any]] = []
    for group in shape.groups:
        if group.fixed_tokens is None:
            heads = group.num_kv_heads
            if choice > 0 and group.kind == "attention":
                heads = choice
            term = heads_term(group.layers, heads, group.key_width, group.value_width)
            term["stride"] = group.stride
            term["record"] = group.record_bytes is not None
            term["entry"] = heads_entry_bytes(group, choice, shape.num_attention_heads, cache)
            term["kind"] = group.kind
            same = [other for other in terms if heads_same_term(other, term)]
            if len(same) > 0:
                same[0]["layers"] = same[0]["layers"] + group.layers
            else:
                terms.append(term)
    return terms


def heads_same_term(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether layers of the two terms are the same in all but their number."""
    for field in ["heads", "key", "value", "stride", "record", "entry", "kind"]:
        if one[field] != other[field]:
            return False
    return True


def heads_sum(view: dict[str, Any]) -> str:
    """The formula of a model whose layers differ, term by term."""
    parts = [heads_term_text(term, view["cache"]) for term in view["terms"]]
    if len(parts) == 0:
        return "no layer caches anything a token"
    return " + ".join(parts)


def heads_term_text(term: dict[str, Any], cache: Any) -> str:
    """One term in words: its factors with their names."""
    text = text_count(term["layers"], "layer") + " × "
    if term["record"]:
        text = text + text_whole(term["entry"]) + " bytes"
    else:
        values = term["heads"] * (term["key"] + term["value"])
        width = text_whole(term["key"])
        if term["kind"] == "latent":
            width = width + " latent values"
        elif term["value"] == 0:
            width = text_count(term["heads"], "head") + " × " + width + " key values"
        elif term["key"] == term["value"]:
            width = "2 × " + text_count(term["heads"], "KV head") + " × " + width
        else:
            width = (
                text_count(term["heads"], "KV head")
                + " × ("
                + width
                + " + "
                + text_whole(term["value"])
                + ")"
            )
        text = text + width + " × " + text_number(heads_quotient(term["entry"], max(1, values)), 5) + " bytes"
    if term["stride"] > 1:
        text = text + " ÷ " + text_whole(term["stride"])
    return text
