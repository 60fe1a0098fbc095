"""The cache type that a config declares, if any. Quantised weights alone never change the cache's type."""

from __future__ import annotations

from .values import fail, is_active, is_object, is_text, is_whole, part_of, show, value_of

#: Ids of ``acts.catalog.CACHE_TYPES`` by the names that quantisation tools write.
DECLARED_TYPES = {
    "fp8": "fp8",
    "float8": "fp8",
    "fp8_e4m3": "fp8",
    "fp8_e5m2": "fp8",
    "int8": "int8",
    "int4": "int4",
    "nvfp4": "nvfp4",
    "fp4": "nvfp4",
    "bfloat16": "bf16",
    "bf16": "bf16",
    "float16": "bf16",
    "fp16": "bf16",
}
NO_DECLARATION = ["auto", "none"]


def scheme_type(scheme):
    """Cache type of a compressed-tensors scheme: {"num_bits": 8, "type": "float"}; "" if not understood."""
    bits = scheme.get("num_bits")
    kind = scheme.get("type")
    if not is_whole(bits) or not is_text(kind):
        return ""
    if kind == "float" and bits == 8:
        return "fp8"
    if kind == "float" and bits == 4:
        return "nvfp4"
    if kind == "int" and bits == 8:
        return "int8"
    if kind == "int" and bits == 4:
        return "int4"
    return ""


def named_type(value):
    """Cache type of a name such as "FP8"; "" if not understood."""
    for name, cache in DECLARED_TYPES.items():
        if value.lower() == name:
            return cache
    return ""


def declared_in(part):
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


def declared_cache(root, part):
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
