"""Types for cached values and for weights: their layout, and what has been published on their quality.

Most of the evidence is the makers' own or users' reports on single models, which is why each sentence names
what was measured. llama.cpp's block sizes are those of ggml-common.h; LMDeploy stores a 16-bit scale and a
16-bit zero point with each head vector.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..sizing import ValueType

CHECKED = "2026-11-29"


@dataclass(frozen=True, kw_only=True)
class CacheType(ValueType):
    """A type for cached values: its layout and its published risk.

    ``risk`` is a level the page colours (none, low, medium, high), ``quality`` the sentence it prints.
    """

    id: str
    name: str
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


def _cache(
    id: str, name: str, layout: tuple[int, int, int], risk: str, quality: str, *sources: str
) -> CacheType:
    """One cache type; ``layout`` is values a block, bytes a block, further bytes a head vector."""
    return CacheType(
        *layout, id=id, name=name, risk=risk, quality=quality, source="; ".join(sources), checked=CHECKED
    )


_NVFP4_POST = (
    "Optimizing Inference for Long Context and Large Batch Sizes with NVFP4 KV Cache, 2025-12-08, "
    "https://developer.nvidia.com/blog/"
    "optimizing-inference-for-long-context-and-large-batch-sizes-with-nvfp4-kv-cache/"
)

# fmt: off
CACHE_TYPES: dict[str, CacheType] = {row.id: row for row in (
    _cache("bf16", "BF16 / FP16", (1, 2, 0), "none",
           "The yardstick: models are published in 16 bits, and other types are measured against it.",
           "vLLM documentation, kv_cache_dtype auto, "
           "https://docs.vllm.ai/en/latest/features/quantization/quantized_kvcache/"),
    _cache("fp32", "FP32", (1, 4, 0), "none",
           "Twice the bytes of the 16-bit yardstick, and no published gain for models whose weights and "
           "activations are 16 bits wide.",
           "a binding that defaulted to it needed exactly twice the cache, "
           "https://github.com/abetlen/llama-cpp-python/issues/66"),
    _cache("fp8", "FP8", (1, 1, 0), "low",
           "vLLM's long-context tests of April 2026 recover 94 to 99% of the 16-bit scores; before a fix, "
           "retrieval on Hopper had fallen from 91% to 13%. Not every model takes it: users saw one 7B "
           "model fall to about 0, and a GLM-5.1 maths score from 95 to 77.",
           "The State of FP8 KV-Cache and Attention Quantization in vLLM, 2026-04-22, "
           "https://vllm.ai/blog/fp8-kvcache",
           "https://github.com/verl-project/verl/pull/4435",
           "https://github.com/sgl-project/sglang/issues/22671"),
    _cache("int8", "INT8 (LMDeploy)", (1, 1, 4), "low",
           "LMDeploy's own evaluation of four 7B chat models on six tasks of short context finds no score "
           "more than half a point below FP16.",
           "LMDeploy documentation, INT4/INT8 KV Cache, "
           "https://lmdeploy.readthedocs.io/en/latest/quantization/kv_quant.html"),
    _cache("int4", "INT4 (LMDeploy)", (2, 1, 4), "medium",
           "LMDeploy's own evaluation of four 7B chat models loses up to 3.3 points (GSM8K), and the error "
           "is read again at every later step: validate it on the task. KIVI and KVQuant go lower still, "
           "but only with keys scaled per channel.",
           "LMDeploy documentation, INT4/INT8 KV Cache, "
           "https://lmdeploy.readthedocs.io/en/latest/quantization/kv_quant.html",
           "KIVI, https://arxiv.org/abs/2402.02750",
           "KVQuant, https://arxiv.org/abs/2401.18079"),
    _cache("q8_0", "q8_0 (llama.cpp)", (32, 34, 0), "low",
           "In llama.cpp's test the perplexity of one model rose from 6.232 to 6.234, and a "
           "multiple-choice score stayed within its error. Users still report losses on long reasoning.",
           "https://github.com/ggml-org/llama.cpp/pull/7412",
           "https://github.com/ggml-org/llama.cpp/pull/21551",
           "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1740"),
    _cache("q5_1", "q5_1 (llama.cpp)", (32, 24, 0), "medium",
           "With values alone in q5_1 one model's perplexity rose from 6.232 to 6.237; 5-bit keys, the "
           "more sensitive half, are less documented.",
           "https://github.com/ggml-org/llama.cpp/pull/7412",
           "https://github.com/ggml-org/llama.cpp/issues/21591"),
    _cache("q5_0", "q5_0 (llama.cpp)", (32, 22, 0), "medium",
           "Little is published on it by itself: in size it lies between q5_1 and q4_1, and keys are the "
           "more sensitive half.",
           "https://github.com/ggml-org/llama.cpp/pull/7412",
           "https://github.com/ggml-org/llama.cpp/issues/21591"),
    _cache("q4_1", "q4_1 (llama.cpp)", (32, 20, 0), "medium",
           "A 4-bit cache with an offset per block; little is published on it by itself. Expect q4_0's "
           "losses or somewhat less, and more from keys than from values.",
           "https://github.com/ggml-org/llama.cpp/pull/4312",
           "https://github.com/ggml-org/llama.cpp/issues/21591"),
    _cache("q4_0", "q4_0 (llama.cpp)", (32, 18, 0), "medium",
           "With llama.cpp's rotation (2026) two models lose less than a point of a multiple-choice score; "
           "without it a small model's perplexity rose from 2.63 to 2.99. Some models break at such "
           "widths: Qwen2.5-7B did in another quantiser's tests.",
           "https://github.com/ggml-org/llama.cpp/pull/21551",
           "https://github.com/ggml-org/llama.cpp/pull/20995",
           "https://github.com/ggml-org/llama.cpp/issues/21591"),
    _cache("nvfp4", "NVFP4", (16, 9, 0), "medium",
           "NVIDIA reports less than 1% of accuracy lost on code, knowledge and long-context tests, and "
           "SGLang's tests of one 35B model show no drop. Both are the makers' own figures.",
           _NVFP4_POST,
           "https://github.com/sgl-project/sglang/pull/21601",
           "one FP8 scale per 16 values counted, the one FP32 scale per tensor not"),
    _cache("mxfp4", "MXFP4", (32, 17, 0), "high",
           "NVIDIA puts it about 5% below NVFP4. A related FP4 layout (blocks of 16) cost Qwen3-8B 2 "
           "points on GSM8K and 3.5 on GPQA in SGLang.",
           _NVFP4_POST,
           "https://github.com/sgl-project/sglang/pull/36172",
           "layout: OCP Microscaling Formats (MX) v1.0"),
)}
# fmt: on

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

_PLAIN = "bits a parameter by the type's definition"
_SCALES = "scales, zero points and layers that real checkpoints leave in 16 bits are not counted"

WEIGHT_TYPES: dict[str, WeightType] = {
    row.id: row
    for row in (
        WeightType("bf16", "BF16 / FP16", 16, _PLAIN, CHECKED),
        WeightType("fp8", "FP8", 8, f"{_PLAIN}; {_SCALES}", CHECKED),
        WeightType("int8", "INT8", 8, f"{_PLAIN}; {_SCALES}", CHECKED),
        WeightType("int4", "4-bit (INT4, AWQ, GPTQ)", 4, f"{_PLAIN}: half a byte; {_SCALES}", CHECKED),
    )
}


def cache_type(text: str) -> CacheType:
    """The cache type of an id or another spelling of it; KeyError if there is none."""
    key = text.strip().lower()
    return CACHE_TYPES[CACHE_ALIASES.get(key, key)]
