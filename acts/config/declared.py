"""The cache type that a config declares, if any. Quantised weights alone never change the cache's type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..catalog import CACHE_NAMES
from .values import fail, is_active, is_object, is_text, is_whole, part_of, show, value_of

if TYPE_CHECKING:
    from ..contracts import Part

NO_DECLARATION = ["auto", "none"]


def scheme_type(scheme: Any) -> str:
    """Cache type of a compressed-tensors scheme: {"num_bits": 8, "type": "float"}; "" if not understood."""
    bits = scheme.get("num_bits")
    kind = scheme.get("type")
    if not is_whole(bits) or not is_text(kind):
        return ""
    return named_type(f"{kind}{bits}")


def named_type(value: Any) -> str:
    """Cache type of a name such as "FP8"; "" if not understood."""
    name = value.lower()
    if name not in CACHE_NAMES:  # not .get: in the browser it would find what every object inherits
        return ""
    return CACHE_NAMES[name]


def declared_in(part: Part) -> str | None:
    """Cache type that ``part`` declares, None if it says nothing, an error if it is not understood."""
    for field in ["kv_cache_scheme", "kv_cache_quant_algo", "kv_cache_dtype"]:
        value = value_of(part, field)
        if not is_active(value) or (is_text(value) and value.lower() in NO_DECLARATION):
            continue
        found = ""
        if is_object(value):
            found = scheme_type(value)
        elif is_text(value):
            found = named_type(value)
        if found == "":
            fail(
                part,
                f"{part['path']}{field} declares a cache type that this reader does not know; "
                "remove it and choose the cache type yourself.",
            )
            return None
        show(part, "declared cache type", found, field)
        return found
    return None


def declared_cache(root: Part, part: Part) -> str | None:
    """The cache type that the model's or the file's quantisation section declares; None if none does."""
    for holder in [part, root]:
        for place in ["quantization_config", "quantization"]:
            found = declared_in(part_of(holder, place))
            if found is not None:
                return found
        found = declared_in(holder)
        if found is not None:
            return found
    return None
