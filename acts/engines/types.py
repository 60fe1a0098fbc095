"""The types of cached values by the names that engines print. Pure, compiled by :mod:`acts.twin`."""

from __future__ import annotations

from ..catalog import CACHE_NAMES

# Types that the catalog does not offer, or not in this layout: [values a block, bytes a block, further bytes a head
# vector].
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


def engine_cache_id(name: str) -> str:
    """Id of the catalog's cache type that an engine means by ``name``; "" if the catalog holds no such layout."""
    if name in ENGINE_LAYOUTS or name not in CACHE_NAMES:
        return ""
    return CACHE_NAMES[name]
