"""What SGLang does beyond the plain arithmetic: the spare page, packed records, state slots, the window pool.

Sources:
https://github.com/sgl-project/sglang, python/sglang/srt/mem_cache/memory_pool.py and
srt/model_executor/model_runner_kv_cache_mixin.py. Read 2026-11-29. Its log prints "GB" and means GiB.
"""

from __future__ import annotations

# Tokens a page may hold: 1 unless the attention backend asks for more; 64 for DeepSeek's sparse attention.
SGLANG_LARGEST_PAGE = 64


def sglang_page(tokens: int, page: int | None) -> int:
    """Tokens a page holds: as configured, else the largest power of two up to 64 that divides the printed
    count.

    The count is always whole pages, so a true page size divides it; a page taken too large adds under 64
    tokens.
    """
    if page is not None:
        return page
    size = SGLANG_LARGEST_PAGE
    while size > 1 and tokens % size != 0:
        size = size // 2
    return size


def sglang_slots(tokens: int, page: int) -> int:
    """Token slots allocated: the printed count and one page more, into which padded tokens are written."""
    return tokens + page


def sglang_mla_record(rank: int, rope: int) -> int:
    """Bytes of one token in one layer of packed FP8 MLA: latent at 1 byte, an FP32 scale for each 128, rope
    in BF16.
    """
    return rank + rank // 128 * 4 + rope * 2


def sglang_index_record(width: int) -> int:
    """Bytes of one token's key in one layer's sparse-attention indexer: FP8 and an FP32 scale for each 128
    values.
    """
    return width + width // 128 * 4


def sglang_window_tokens(full_tokens: int, ratio_percent: int, page: int) -> int:
    """Tokens of the sliding-window layers' pool: a share of the full layers' (swa_full_tokens_ratio, 80 %),
    in pages.

    The window itself does not enter: the pool is shared by all requests.
    """
    return full_tokens * ratio_percent // 100 // page * page


def sglang_state_slots(slots: int) -> int:
    """State slots allocated for recurrent layers: the printed max_mamba_cache_size and one that padding
    writes to.
    """
    return slots + 1
