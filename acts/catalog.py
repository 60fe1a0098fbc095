"""Models, GPUs and value types: data, each figure with its source and the date it was checked.

Ids are stable, lower-case and safe in a URL. Nothing here computes: see :mod:`acts.sizing`.
"""

from __future__ import annotations

from dataclasses import dataclass

from .sizing import GIB, MIB, LayerGroup, Shape


@dataclass(frozen=True)
class Model:
    """A model: its shape and what the page says about it.

    ``attention`` is the scheme in the field's words: MHA, GQA, MQA, MLA, sliding window, hybrid.
    ``max_context`` is the longest context the model declares, in tokens.
    """

    id: str
    name: str
    attention: str
    shape: Shape
    max_context: int
    source: str
    checked: str


@dataclass(frozen=True)
class Gpu:
    """A card: memory in bytes as its driver reports it, bandwidth in bytes/s, dense 16-bit FLOP/s."""

    id: str
    name: str
    memory: int
    bandwidth: int
    peak_flops: int
    source: str
    checked: str


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


def _plain(layers: int, heads: int, kv_heads: int, head_dim: int, parameters: int, active: int | None = None) -> Shape:
    group = LayerGroup(layers, kv_heads, head_dim, head_dim)
    return Shape((group,), heads, layers, parameters, active or parameters)


def _by_id(rows):
    return {row.id: row for row in rows}


_HF = "https://huggingface.co/"

MODELS: dict[str, Model] = _by_id([
    Model("llama-3-8b", "Llama 3 8B", "GQA", _plain(32, 32, 8, 128, 8_030_261_248), 8192, _HF + "meta-llama/Meta-Llama-3-8B", "2026-11-29"),
    Model("llama-3-70b", "Llama 3 70B", "GQA", _plain(80, 64, 8, 128, 70_553_706_496), 8192, _HF + "meta-llama/Meta-Llama-3-70B", "2026-11-29"),
    Model("llama-2-7b", "Llama 2 7B", "MHA", _plain(32, 32, 32, 128, 6_738_415_616), 4096, _HF + "meta-llama/Llama-2-7b-hf", "2026-11-29"),
])

GPUS: dict[str, Gpu] = _by_id([
    Gpu("80gb", "80 GB card (nominal)", 80 * GIB, 3_350_000_000_000, 989_000_000_000_000, "", "2026-11-29"),
    Gpu("h100-80gb", "NVIDIA H100 80 GB", 81_559 * MIB, 3_350_000_000_000, 989_000_000_000_000, "", "2026-11-29"),
])

CACHE_TYPES: dict[str, CacheType] = _by_id([
    CacheType("bf16", "BF16 / FP16", 1, 2, 0, "none", "", "", "2026-11-29"),
    CacheType("fp8", "FP8", 1, 1, 0, "low", "", "", "2026-11-29"),
    CacheType("q4_0", "q4_0 (llama.cpp)", 32, 18, 0, "medium", "", "", "2026-11-29"),
])

WEIGHT_TYPES: dict[str, WeightType] = _by_id([
    WeightType("bf16", "BF16 / FP16", 16, "", "2026-11-29"),
    WeightType("int4", "4-bit (INT4, AWQ, GPTQ)", 4, "", "2026-11-29"),
])
