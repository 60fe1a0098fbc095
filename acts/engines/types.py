"""How engines call the types of cached values: literal data, which :mod:`acts.twin` compiles too."""

from __future__ import annotations

# Name in a log or on a command line -> id in catalog.CACHE_TYPES, which holds the layout.
ENGINE_CACHE_IDS: dict[str, str] = {
    "f32": "fp32",
    "float32": "fp32",
    "fp32": "fp32",
    "f16": "bf16",
    "fp16": "bf16",
    "float16": "bf16",
    "half": "bf16",
    "bf16": "bf16",
    "bfloat16": "bf16",
    "fp8": "fp8",
    "fp8_e4m3": "fp8",
    "fp8_e5m2": "fp8",
    "fp8_inc": "fp8",
    "float8_e4m3fn": "fp8",
    "float8_e5m2": "fp8",
    "nvfp4": "nvfp4",
    "float4_e2m1fn_x2": "nvfp4",
    "mxfp4": "mxfp4",
    "q8_0": "q8_0",
    "q5_1": "q5_1",
    "q5_0": "q5_0",
    "q4_1": "q4_1",
    "q4_0": "q4_0",
}

# Types the catalog does not offer: [values a block, bytes a block, further bytes a head vector].
# iq4_nl: ggml-common.h. TensorRT-LLM's int8 has one scale a layer. *_per_token_head: one FP32 scale a head
# vector (vLLM, AttentionSpec.page_size_bytes). fp8_ds_mla is a record with a size of its own.
ENGINE_LAYOUTS: dict[str, list[int]] = {
    "iq4_nl": [32, 18, 0],
    "int8": [1, 1, 0],
    "int4": [2, 1, 0],
    "int8_per_token_head": [1, 1, 4],
    "fp8_per_token_head": [1, 1, 4],
    "fp8_ds_mla": [1, 1, 0],
}
