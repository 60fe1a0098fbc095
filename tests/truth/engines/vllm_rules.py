"""What vLLM does beyond :mod:`acts.engines.vllm`, where only the truth set prints it: hybrid blocks, slots, packed
records.

Sources, unless a function names its own: https://github.com/vllm-project/vllm, vllm/v1/core/kv_cache_utils.py and
vllm/v1/kv_cache_interface.py (V1), vllm/worker/cache_engine.py (V0). Read 2026-11-29.
"""

from __future__ import annotations

from acts.sizing import ceil_div

# Bytes of one token in one layer as DeepSeek V3.2's sparse MLA kernel reads it ("fp8_ds_mla"): 512 latent
# values in FP8, 4 FP32 scales (one for 128 values), 64 rotary values left in BF16.
VLLM_FP8_DS_MLA_BYTES = 656


def vllm_conv_rows(kernel: int, drafts: int) -> int:
    """Rows of convolution state kept: kernel - 1, and one for each drafted token that may be rolled back."""
    return kernel - 1 + drafts


def vllm_max_len(pool_bytes: int, block_bytes: int, block: int) -> int:
    """Longest request (tokens) a pool of uniform blocks holds, as the need/available error estimates it."""
    return pool_bytes // block_bytes * block


def vllm_turboquant_slot(width: int, k_bits: int, v_bits: int, norm_bytes: int) -> int:
    """Bytes of one token of one KV head in a TurboQuant slot, K and V together, rounded up to an even number.

    K at 8 bits is plain FP8; below, each key adds ``norm_bytes`` (4 in the version of the pull request, 2
    since). Each value adds 4: a 16-bit scale and zero point. Source:
    https://github.com/vllm-project/vllm/pull/38479
    """
    k_bytes = width if k_bits == 8 else ceil_div(width * k_bits, 8) + norm_bytes
    v_bytes = ceil_div(width * v_bits, 8) + 4
    return ceil_div(k_bytes + v_bytes, 2) * 2


def vllm_mla_kv_doubled(blocks: int) -> int:
    """Blocks vLLM 0.7-0.8 got out of a pool for an MLA model while it counted the one latent as a K and a V.

    Source: https://github.com/vllm-project/vllm/pull/14462, which fixed it.
    """
    return blocks // 2
