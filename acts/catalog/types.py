"""Types for cached values and for weights: their layout, and what has been published on their quality."""

from __future__ import annotations

from dataclasses import dataclass

CHECKED = "2026-11-29"


@dataclass(frozen=True)
class CacheType:
    """A type for cached values: its layout (:class:`acts.sizing.ValueType` fields) and its published risk.

    ``risk`` is a level the page colours (none, low, medium, high), ``quality`` the sentence it prints.
    """

    id: str
    name: str
    block_values: int
    block_bytes: int
    vector_bytes: int
    risk: str
    quality: str
    source: str
    checked: str


@dataclass(frozen=True)
class WeightType:
    """A type for weights: bits a parameter, scales not counted."""

    id: str
    name: str
    bits: int
    source: str
    checked: str


CACHE_TYPES: dict[str, CacheType] = {
    row.id: row
    for row in (
        CacheType("bf16", "BF16 / FP16", 1, 2, 0, "none", "", "", CHECKED),
        CacheType("fp32", "FP32", 1, 4, 0, "none", "", "", CHECKED),
        CacheType("fp8", "FP8", 1, 1, 0, "low", "", "", CHECKED),
        CacheType("int8", "INT8 (LMDeploy)", 1, 1, 4, "low", "", "", CHECKED),
        CacheType("int4", "INT4 (LMDeploy)", 2, 1, 4, "high", "", "", CHECKED),
        CacheType("q8_0", "q8_0 (llama.cpp)", 32, 34, 0, "low", "", "", CHECKED),
        CacheType("q5_1", "q5_1 (llama.cpp)", 32, 24, 0, "medium", "", "", CHECKED),
        CacheType("q5_0", "q5_0 (llama.cpp)", 32, 22, 0, "medium", "", "", CHECKED),
        CacheType("q4_1", "q4_1 (llama.cpp)", 32, 20, 0, "high", "", "", CHECKED),
        CacheType("q4_0", "q4_0 (llama.cpp)", 32, 18, 0, "high", "", "", CHECKED),
        CacheType("nvfp4", "NVFP4", 16, 9, 0, "medium", "", "", CHECKED),
        CacheType("mxfp4", "MXFP4", 32, 17, 0, "high", "", "", CHECKED),
    )
}

# Other spellings of the same storage, as engines' options write them.
CACHE_ALIASES: dict[str, str] = {
    "fp16": "bf16",
    "f16": "bf16",
    "float16": "bf16",
    "bfloat16": "bf16",
    "f32": "fp32",
    "float32": "fp32",
    "fp8_e4m3": "fp8",
    "fp8_e5m2": "fp8",
}

WEIGHT_TYPES: dict[str, WeightType] = {
    row.id: row
    for row in (
        WeightType("bf16", "BF16 / FP16", 16, "", CHECKED),
        WeightType("fp8", "FP8", 8, "", CHECKED),
        WeightType("int8", "INT8", 8, "", CHECKED),
        WeightType("int4", "4-bit (INT4, AWQ, GPTQ)", 4, "", CHECKED),
    )
}


def cache_type(text: str) -> CacheType:
    """The cache type of an id or another spelling of it; KeyError if there is none."""
    key = text.strip().lower()
    return CACHE_TYPES[CACHE_ALIASES.get(key, key)]
