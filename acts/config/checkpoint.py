"""The type in which a checkpoint keeps its weights, by the config's quantisation section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .values import is_active, is_object, is_text, is_whole, part_of, show, value_of

if TYPE_CHECKING:
    from ..contracts import Part

#: Weight types by the words of quant_method, quant_algo and format, the more telling first.
WEIGHT_WORDS = {
    "nvfp4": "nvfp4",
    "mxfp4": "mxfp4",
    "fp4": "nvfp4",
    "fp8": "fp8",
    "float8": "fp8",
    "awq": "awq",
    "gptq": "gptq",
    "int8": "int8",
    "int4": "int4",
}


def worded_type(text: str) -> str | None:
    """The weight type that a word such as "NVFP4" or "W4A16_AWQ" names; None if none."""
    lower = text.lower()
    for word, weights in WEIGHT_WORDS.items():
        if lower.find(word) >= 0:
            return weights
    return None


def bits_type(bits: Any, kind: Any) -> str | None:
    """The weight type of a number of bits; ``kind`` is "float", "int" or nothing."""
    if bits == 8:
        return "fp8" if kind == "float" else "int8"
    if bits == 4:
        return "nvfp4" if kind == "float" else "int4"
    return None


def group_type(part: Part) -> str | None:
    """The weight type of compressed-tensors' first group; None without one."""
    groups = part_of(part, "config_groups")
    for name in groups["values"]:
        weights = part_of(part_of(groups, name), "weights")
        bits = value_of(weights, "num_bits")
        if is_whole(bits):
            return bits_type(bits, value_of(weights, "type"))
    return None


def section_type(part: Part) -> str | None:
    """The weight type of one quantisation section, with its row; None if it names none."""
    for field in ["quant_algo", "format", "quant_method"]:
        value = value_of(part, field)
        found = worded_type(value) if is_text(value) else None
        bits = value_of(part, "bits")
        if found in ["gptq", "awq"] and is_whole(bits) and bits != 4:
            found = bits_type(bits, "int")
        if found is not None:
            show(part, "weight type", found, field)
            return found
    found = group_type(part)
    for field, kind in {"load_in_4bit": "int4", "_load_in_4bit": "int4", "load_in_8bit": "int8"}.items():
        if found is None and is_active(value_of(part, field)):
            found = kind
    if found is None and is_whole(value_of(part, "bits")):
        found = bits_type(value_of(part, "bits"), "int")
    if found is not None:
        show(
            part,
            "weight type",
            found,
            "config_groups" if is_object(value_of(part, "config_groups")) else "bits",
        )
    return found


def declared_weights(root: Part, part: Part) -> str | None:
    """The type of the weights that the model's or the file's quantisation section names; None if none does."""
    for holder in [part, root]:
        for place in ["quantization_config", "quantization"]:
            found = section_type(part_of(holder, place))
            if found is not None:
                return found
    return None
