"""How engines call the types of cached values, and how each is laid out. Literal data, compiled by
:mod:`acts.twin`.
"""

from __future__ import annotations

# name in a log or on a command line -> [values a block, bytes a block, bytes more a head vector].
# Blocks: https://github.com/ggml-org/llama.cpp, ggml/src/ggml-common.h; NVFP4: 16 values share an FP8 scale
# (https://developer.nvidia.com/blog/introducing-nvfp4-for-efficient-and-accurate-low-precision-inference/);
# per-token-head types: vLLM's AttentionSpec.page_size_bytes, one FP32 scale a head vector. Read 2026-11-29.
ENGINE_TYPES: dict[str, list[int]] = {
    "f32": [1, 4, 0],
    "float32": [1, 4, 0],
    "fp32": [1, 4, 0],
    "f16": [1, 2, 0],
    "fp16": [1, 2, 0],
    "float16": [1, 2, 0],
    "half": [1, 2, 0],
    "bf16": [1, 2, 0],
    "bfloat16": [1, 2, 0],
    "fp8": [1, 1, 0],
    "fp8_e4m3": [1, 1, 0],
    "fp8_e5m2": [1, 1, 0],
    "fp8_inc": [1, 1, 0],
    "float8_e4m3fn": [1, 1, 0],
    "float8_e5m2": [1, 1, 0],
    # DeepSeek's packed record has a size of its own; the entry only says that the name is a cache type.
    "fp8_ds_mla": [1, 1, 0],
    "int8": [1, 1, 0],
    "int4": [2, 1, 0],
    "int8_per_token_head": [1, 1, 4],
    "fp8_per_token_head": [1, 1, 4],
    "nvfp4": [16, 9, 0],
    "mxfp4": [32, 17, 0],
    "float4_e2m1fn_x2": [16, 9, 0],
    "q8_0": [32, 34, 0],
    "q5_1": [32, 24, 0],
    "q5_0": [32, 22, 0],
    "q4_1": [32, 20, 0],
    "q4_0": [32, 18, 0],
    "iq4_nl": [32, 18, 0],
}
