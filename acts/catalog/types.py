"""Types for cached values and for weights: their layout, and what has been published on their quality.

Most of the evidence is the makers' own or users' reports on single models, which is why each sentence names
what was measured. llama.cpp's block sizes are those of ggml-common.h; LMDeploy stores a 16-bit scale and a
16-bit zero point with each head vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..value_type import ValueType

if TYPE_CHECKING:
    from collections.abc import Iterable

CHECKED = "2026-11-29"

#: How a type rounds a block: the first of ``CacheType.rounding``, and the numbers that follow it.
ROUNDINGS = {
    "float": "bits of mantissa, smallest normal number, largest number",
    "range": "steps between the block's least and greatest value",
    "even": "steps on either side of 0, the extreme value on the last one",
    "signed": "the same with one step less on its other side",
    "micro": "4-bit floats times a scale that is an FP8 number (0) or a power of two (1)",
}


@dataclass(frozen=True, kw_only=True)
class CacheType(ValueType):
    """All that is known of a type for cached values: layout, rounding, spellings and published risk.

    ``bits`` are those of one value alone, without its share of the scales. ``rounding`` is one of ``ROUNDINGS``
    with its numbers. ``spellings`` are the type's other names, in engines' options and logs and in configs.
    ``chips`` are the generations of cards that some engine keeps it on, none for all; ``engines`` says which engines.
    ``risk`` is a level the page colours (none, low, medium, high), ``quality`` the sentence it prints.
    """

    id: str
    name: str
    bits: int
    rounding: tuple[str | float, ...]
    spellings: tuple[str, ...]
    chips: tuple[str, ...]
    engines: str
    risk: str
    quality: str
    source: str
    checked: str

    def __post_init__(self) -> None:
        if not self.rounding or self.rounding[0] not in ROUNDINGS:
            raise ValueError(f"{self.id}: rounding {self.rounding} names none of: {', '.join(ROUNDINGS)}")
        if not 0 < self.bits * self.block_values <= self.block_bytes * 8:
            raise ValueError(f"{self.id}: {self.bits} bits a value do not fit into a block of its layout")


@dataclass(frozen=True)
class WeightType:
    """A type for weights: bits a parameter, its scales included where ``source`` says so; and its other ``spellings``.

    ``kept`` are the parameters that files of this type keep at 16 bits: none (""), the input and output "tables", or
    all but the "experts" of a mixture.
    """

    id: str
    name: str
    bits: float
    kept: str
    spellings: tuple[str, ...]
    source: str
    checked: str


def _cache(
    id: str,
    name: str,
    layout: tuple[int, int, int],
    bits: int,
    rounding: tuple[str | float, ...],
    spellings: str,
    chips: tuple[str, ...],
    engines: str,
    risk: str,
    quality: str,
    *sources: str,
) -> CacheType:
    """One cache type; ``layout`` is values a block, bytes a block, further bytes a head vector."""
    return CacheType(
        *layout,
        id=id,
        name=name,
        bits=bits,
        rounding=rounding,
        spellings=tuple(spellings.split()),
        chips=chips,
        engines=engines,
        risk=risk,
        quality=quality,
        source="; ".join(sources),
        checked=CHECKED,
    )


_NVFP4_POST = (
    "Optimizing Inference for Long Context and Large Batch Sizes with NVFP4 KV Cache, 2025-12-08, "
    "https://developer.nvidia.com/blog/"
    "optimizing-inference-for-long-context-and-large-batch-sizes-with-nvfp4-kv-cache/"
)

_BLACKWELL = ("Blackwell",)
_NVIDIA = ("Volta", "Turing", "Ampere", "Ada", "Hopper", "Blackwell")
_FP8 = ("Ampere", "Ada", "Hopper", "Blackwell", "CDNA 3", "CDNA 4")

# fmt: off
CACHE_TYPES: dict[str, CacheType] = {row.id: row for row in (
    _cache("bf16", "BF16 / FP16", (1, 2, 0), 16, ("float", 7, 0, 1e30),
           "fp16 f16 float16 half bfloat16", (),
           "Every engine keeps it, on every card; auto means it unless a checkpoint declares another type.",
           "none",
           "The yardstick: models are published in 16 bits, and other types are measured against it.",
           "vLLM documentation, kv_cache_dtype auto, "
           "https://docs.vllm.ai/en/latest/features/quantization/quantized_kvcache/"),
    _cache("fp32", "FP32", (1, 4, 0), 32, ("float", 23, 0, 1e30),
           "f32 float32", (),
           "llama.cpp keeps it (-ctk f32), on every card.",
           "none",
           "Twice the bytes of the 16-bit yardstick, and no published gain for models whose weights and "
           "activations are 16 bits wide.",
           "a binding that defaulted to it needed exactly twice the cache, "
           "https://github.com/abetlen/llama-cpp-python/issues/66"),
    _cache("fp8", "FP8", (1, 1, 0), 8, ("float", 3, 0.015625, 448),
           "float8 fp8_e4m3 fp8_e5m2 fp8_inc float8_e4m3fn float8_e5m2", _FP8,
           "vLLM (since January 2024, vllm#2279), SGLang (since August 2024, sglang#1204) and TensorRT-LLM keep it. "
           "Ada, Hopper, Blackwell and MI300 convert it in hardware; "
           "Ampere stores it and converts in software, where some kernels refuse E4M3 (vllm#26431). Without "
           "scales from the checkpoint (k_scale, v_scale) vLLM and SGLang take 1.0 for all: values beyond "
           "the format's range are cut off and small ones lose bits.",
           "low",
           "vLLM's long-context tests of April 2026 recover 94 to 99% of the 16-bit scores; before a fix, "
           "retrieval on Hopper had fallen from 91% to 13%. A checkpoint without scales for it is stored at "
           "scale 1: SGLang took FP8 out of its recipes for two such models, after a GLM-5.1 maths score of "
           "77 against an official 95. In reinforcement learning users saw one 7B model fall to about 0.",
           "The State of FP8 KV-Cache and Attention Quantization in vLLM, 2026-04-22, "
           "https://vllm.ai/blog/fp8-kvcache",
           "https://github.com/verl-project/verl/pull/4435",
           "https://github.com/sgl-project/sglang/issues/22671",
           "https://github.com/sgl-project/sgl-cookbook/pull/237"),
    _cache("int8", "INT8 (LMDeploy)", (1, 1, 4), 8, ("range", 255),
           "", _NVIDIA,
           "LMDeploy keeps it (--quant-policy 8; since June 2023, and since April 2024 with scales computed as it "
           "runs: lmdeploy#22, lmdeploy#1412), on NVIDIA cards.",
           "low",
           "LMDeploy's own evaluation of 7B chat models on six tasks of short context finds no score "
           "more than half a point below FP16.",
           "LMDeploy documentation, INT4/INT8 KV Cache, "
           "https://lmdeploy.readthedocs.io/en/latest/quantization/kv_quant.html"),
    _cache("int4", "INT4 (LMDeploy)", (2, 1, 4), 4, ("range", 15),
           "", _NVIDIA,
           "LMDeploy keeps it (--quant-policy 4; since April 2024, lmdeploy#1412), on NVIDIA cards.",
           "medium",
           "LMDeploy's own evaluation of 7B chat models loses up to 3.3 points (GSM8K), and the error "
           "is read again at every later step: validate it on the task. KIVI and KVQuant go lower still, "
           "but only with keys scaled per channel.",
           "LMDeploy documentation, INT4/INT8 KV Cache, "
           "https://lmdeploy.readthedocs.io/en/latest/quantization/kv_quant.html",
           "KIVI, https://arxiv.org/abs/2402.02750",
           "KVQuant, https://arxiv.org/abs/2401.18079"),
    _cache("q8_0", "q8_0 (llama.cpp)", (32, 34, 0), 8, ("even", 127),
           "", (),
           "llama.cpp and what is built on it keep it (keys since December 2023, llama.cpp#4312), on every card. "
           "Default CUDA builds attend to it on "
           "the GPU only if keys and values are both q8_0.",
           "low",
           "In llama.cpp's test the perplexity of one model rose from 6.232 to 6.234, and a "
           "multiple-choice score stayed within its error. Users still report losses on long reasoning.",
           "https://github.com/ggml-org/llama.cpp/pull/7412",
           "https://github.com/ggml-org/llama.cpp/pull/21551",
           "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1740"),
    _cache("q5_1", "q5_1 (llama.cpp)", (32, 24, 0), 5, ("range", 31),
           "", (),
           "llama.cpp and what is built on it keep it (keys since December 2023, llama.cpp#4312). Default CUDA "
           "builds move its attention to the CPU; GGML_CUDA_FA_ALL_QUANTS changes that.",
           "medium",
           "With values alone in q5_1 one model's perplexity rose from 6.232 to 6.237; 5-bit keys, the "
           "more sensitive half, are less documented.",
           "https://github.com/ggml-org/llama.cpp/pull/7412",
           "KIVI, https://arxiv.org/abs/2402.02750",
           "https://github.com/ggml-org/llama.cpp/issues/28633"),
    _cache("q5_0", "q5_0 (llama.cpp)", (32, 22, 0), 5, ("signed", 16),
           "", (),
           "llama.cpp and what is built on it keep it (keys since December 2023, llama.cpp#4312). Default CUDA "
           "builds move its attention to the CPU; GGML_CUDA_FA_ALL_QUANTS changes that.",
           "medium",
           "Little is published on it by itself: in size it lies between q5_1 and q4_1, and keys are the "
           "more sensitive half.",
           "https://github.com/ggml-org/llama.cpp/pull/7412",
           "KIVI, https://arxiv.org/abs/2402.02750",
           "https://github.com/ggml-org/llama.cpp/issues/28633"),
    _cache("q4_1", "q4_1 (llama.cpp)", (32, 20, 0), 4, ("range", 15),
           "", (),
           "llama.cpp and what is built on it keep it (keys since December 2023, llama.cpp#4312). Default CUDA "
           "builds move its attention to the CPU; GGML_CUDA_FA_ALL_QUANTS changes that.",
           "medium",
           "A 4-bit cache with an offset per block; little is published on it by itself. Expect q4_0's "
           "losses or somewhat less, and more from keys than from values.",
           "https://github.com/ggml-org/llama.cpp/pull/4312",
           "KIVI, https://arxiv.org/abs/2402.02750",
           "https://github.com/ggml-org/llama.cpp/issues/28633"),
    _cache("q4_0", "q4_0 (llama.cpp)", (32, 18, 0), 4, ("signed", 8),
           "", (),
           "llama.cpp and what is built on it keep it (keys since December 2023, llama.cpp#4312), on every card. "
           "Default CUDA builds attend to it on "
           "the GPU only if keys and values are both q4_0.",
           "medium",
           "With llama.cpp's rotation (2026) two models lose less than a point of a multiple-choice score; "
           "without it a user of TinyLlama, its weights in 4 bits too, saw perplexity rise from 2.63 to 2.99. "
           "Some models break at such widths: Qwen2.5-7B did in another quantiser's tests.",
           "https://github.com/ggml-org/llama.cpp/pull/21551",
           "https://github.com/ggml-org/llama.cpp/pull/20995",
           "https://github.com/ggml-org/llama.cpp/issues/21591"),
    _cache("nvfp4", "NVFP4", (16, 9, 0), 4, ("micro", 0),
           "fp4 float4 float4_e2m1fn_x2", _BLACKWELL,
           "SGLang and vLLM (both since 2026: sglang#21601, vllm#40177) and TensorRT-LLM keep it, on Blackwell.",
           "medium",
           "NVIDIA reports less than 1% of accuracy lost on code, knowledge and long-context tests, and "
           "SGLang's tests of one 35B model show no drop. Both are the makers' own figures.",
           _NVFP4_POST,
           "https://github.com/sgl-project/sglang/pull/21601",
           "https://github.com/vllm-project/vllm/issues/49011",
           "one FP8 scale per 16 values counted, the one FP32 scale per tensor not"),
    _cache("mxfp4", "MXFP4", (32, 17, 0), 4, ("micro", 1),
           "", _BLACKWELL,
           "SGLang keeps FP4 caches (--kv-cache-dtype fp4_e2m1), on Blackwell.",
           "high",
           "NVIDIA puts it about 5% below NVFP4. A related FP4 layout (blocks of 16) cost Qwen3-8B 2 "
           "points on GSM8K and 3.5 on GPQA in SGLang.",
           _NVFP4_POST,
           "https://github.com/sgl-project/sglang/pull/36172",
           "layout: OCP Microscaling Formats (MX) v1.0"),
)}
# fmt: on


def spelled(rows: Iterable[CacheType | WeightType]) -> dict[str, str]:
    """Ids by every spelling of them; ValueError if two rows claim one."""
    names: dict[str, str] = {}
    for row in rows:
        for name in (row.id, *row.spellings):
            if name in names:
                raise ValueError(f"{name} is a spelling of both {names[name]} and {row.id}")
            names[name] = row.id
    return names


#: What every spelling of a cache type stands for, in options, links, configs and logs.
CACHE_NAMES = spelled(CACHE_TYPES.values())

_PLAIN = "bits per parameter by the type's definition"
_SCALES = "scales, zero points and layers that real checkpoints leave in 16 bits are not counted"
_SIXTEEN = ("fp16", "f16", "float16", "half", "bfloat16")
_GROUPS = "a 16-bit scale and a 4-bit zero point for each 128 weights; embedding and output stay 16 bits"

#: Bits a weight of llama.cpp's file types, everything in the file counted; other models differ a little.
_GGUF = "https://github.com/ggml-org/llama.cpp/blob/master/tools/quantize/README.md, for Llama 3.1 8B"
_GGUF_BITS = {
    "q8_0": 8.5008, "q6_k": 6.5633, "q5_k_m": 5.7036, "q5_k_s": 5.5704, "q4_k_m": 4.8944, "iq4_nl": 4.6818,
    "q4_k_s": 4.6672, "iq4_xs": 4.4597, "q3_k_l": 4.2979, "iq3_m": 3.7628, "iq3_s": 3.6606, "q3_k_s": 3.6429,
    "iq3_xs": 3.4977, "iq3_xxs": 3.2548, "q2_k": 3.1593, "q2_k_s": 2.9697, "iq2_m": 2.9294, "iq2_s": 2.7403,
    "iq2_xs": 2.5882, "iq2_xxs": 2.3824, "iq1_m": 2.1460, "iq1_s": 2.0042,
}  # fmt: skip

WEIGHT_TYPES: dict[str, WeightType] = {
    row.id: row
    for row in (
        WeightType("bf16", "BF16 / FP16", 16, "", _SIXTEEN, _PLAIN, CHECKED),
        WeightType("fp8", "FP8", 8, "", ("float8", "fp8_e4m3"), f"{_PLAIN}; {_SCALES}", CHECKED),
        WeightType("int8", "INT8", 8, "", ("w8a8", "w8a16"), f"{_PLAIN}; {_SCALES}", CHECKED),
        WeightType("int4", "4-bit (INT4, without scales)", 4, "", (), f"{_PLAIN}; {_SCALES}", CHECKED),
        WeightType("awq", "AWQ (4-bit, groups of 128)", 4.15625, "tables", (), _GROUPS, CHECKED),
        WeightType("gptq", "GPTQ (4-bit, groups of 128)", 4.15625, "tables", (), _GROUPS, CHECKED),
        WeightType("nvfp4", "NVFP4 weights", 4.5, "tables", ("fp4",),
                   "an FP8 scale for each 16 weights; embedding and output stay 16 bits", CHECKED),
        WeightType("mxfp4", "MXFP4 (experts, as gpt-oss has it)", 4.25, "experts", (),
                   "an 8-bit scale for each 32 weights of the experts, all else in 16 bits: "
                   "https://huggingface.co/openai/gpt-oss-20b", CHECKED),
        *(WeightType(id, f"{id} (GGUF)", bits, "", (), _GGUF, CHECKED) for id, bits in _GGUF_BITS.items()),
    )
}  # fmt: skip

#: What every spelling of a weight type stands for.
WEIGHT_NAMES = spelled(WEIGHT_TYPES.values())


def cache_type(text: str) -> CacheType:
    """The cache type of an id or another spelling of it; KeyError if there is none."""
    return CACHE_TYPES[CACHE_NAMES[text.strip().lower()]]
