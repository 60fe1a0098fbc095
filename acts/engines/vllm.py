"""What vLLM does beyond the plain arithmetic: blocks, groups of layers, state pages, packed records.

Pure functions, compiled by :mod:`acts.twin` with the log reader. Sources, unless a function names its own:
https://github.com/vllm-project/vllm, vllm/v1/core/kv_cache_utils.py and vllm/v1/kv_cache_interface.py (V1),
vllm/worker/cache_engine.py and vllm/worker/worker.py (V0). Read 2026-11-29.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sizing import ceil_div, entry_bytes, heads_per_gpu

if TYPE_CHECKING:
    from ..contracts import Plan, Spec
    from ..sizing import Shape, ValueType

# Tokens a block holds unless a backend or a state page asks for more.
VLLM_BLOCK_TOKENS = 16


def vllm_block_bytes(shape: Shape, k_type: ValueType, v_type: ValueType, gpus: int, block: int) -> int:
    """Bytes one block of ``block`` tokens takes in all caching layers of one GPU, windows not considered."""
    total = 0
    for group in shape.groups:
        if group.fixed_tokens is None:
            heads = heads_per_gpu(group.num_kv_heads, gpus)
            total += group.layers * entry_bytes(group, heads, k_type, v_type) * block // group.stride
    return total


def vllm_packed_latent(values: int, positions: int) -> int:
    """Bytes of a latent packed for sparse attention: FP8 values, an FP32 scale for each 128, positions in 16 bits.

    vLLM's fp8_ds_mla; SGLang keeps the same (https://github.com/sgl-project/sglang/pull/11309).
    """
    return values + values // 128 * 4 + positions * 2


def vllm_blocks(pool_bytes: int, block_bytes: int) -> int:
    """Whole blocks in a pool: on the GPU ("# GPU blocks") or in swap space ("# CPU blocks", 4 GiB by
    default).
    """
    return max(0, pool_bytes // block_bytes)


def vllm_window_blocks(window: int, batched: int, max_len: int, block: int) -> int:
    """Blocks a request may hold in a sliding-window layer while its prompt is filled in chunks.

    The window's last ``window`` - 1 tokens and one chunk of at most ``batched`` tokens, never more than
    ``max_len``, and one block more, because the window seldom starts at a block's edge.
    Source: SlidingWindowSpec.max_memory_usage_bytes; https://github.com/vllm-project/vllm/pull/19029
    """
    return ceil_div(min(window - 1 + batched, max_len), block) + 1


def vllm_group_layers(fewest: int, most: int) -> int:
    """Layers that share one block table when kinds of layers are mixed: the rarer kind's count sets the size.

    If the commoner kind has under 1.5 times as many, its count does: a drafter's extra layer would else leave
    a group nearly empty. Source: _get_kv_cache_groups_uniform_page_size.
    """
    if 2 * most < 3 * fewest:
        return most
    return fewest


def vllm_spec(layers: int, page: int, block: int, window: int | None = None, states: int = 0) -> Spec:
    """Layers of one kind, as :func:`vllm_plan` takes them.

    ``page`` is the bytes that a block of ``block`` tokens (or one state, if ``states``) takes in one such
    layer; ``states`` is how many state blocks a request holds, 0 for attention.
    """
    return {"layers": layers, "page": page, "block": block, "window": window, "states": states}


def vllm_plan(specs: list[Spec], max_len: int, batched: int) -> Plan:
    """How a model of mixed layers shares one pool: pages of one size, groups of one length, one block count.

    Returns block_bytes (one block in all layers of a group), groups, block (fewest tokens a block holds) and
    request_blocks (blocks a request of ``max_len`` tokens may hold, over all groups).
    """
    page = 0
    fewest = specs[0]["layers"]
    most = 0
    for spec in specs:
        page = max(page, spec["page"])
        fewest = min(fewest, spec["layers"])
        most = max(most, spec["layers"])
    size = vllm_group_layers(fewest, most)
    groups = 0
    request_blocks = 0
    smallest = 0
    for spec in specs:
        # Smaller pages are made equal to the largest by giving their blocks more tokens; a state is padded.
        block = spec["block"]
        if spec["states"] == 0:
            block = block * (page // spec["page"])
            smallest = block if smallest == 0 else min(smallest, block)
        count = ceil_div(spec["layers"], size)
        groups += count
        request_blocks += count * vllm_request_blocks(spec, block, max_len, batched)
    return {"block_bytes": page * size, "groups": groups, "block": smallest, "request_blocks": request_blocks}


def vllm_request_blocks(spec: Spec, block: int, max_len: int, batched: int) -> int:
    """Blocks of ``block`` tokens a request of ``max_len`` tokens may hold in one group of layers like
    ``spec``.
    """
    if spec["states"] > 0:
        return spec["states"]
    if spec["window"] is not None:
        return vllm_window_blocks(spec["window"], batched, max_len, block)
    return ceil_div(max_len, block)


def vllm_state_blocks(prefix_caching: bool, drafts: int) -> int:
    """State blocks a request holds in each group of recurrent layers.

    One, a second one when prefix caching keeps a state at block edges ("align" mode), and one for each draft.
    Source: MambaSpec.max_memory_usage_bytes.
    """
    return (2 if prefix_caching else 1) + drafts


def vllm_hybrid_block(state_bytes: int, token_bytes: int, align: int) -> int:
    """Tokens a block of a hybrid model holds: enough that a page of attention is no smaller than one of
    state.

    ``state_bytes`` and ``token_bytes`` are bytes of one layer on one GPU; the block is rounded up to
    ``align`` tokens, what the attention kernel can address (16 in most). The log prints it: "Setting
    attention block size to 784 tokens to ensure that attention page size is >= mamba page size".
    """
    return ceil_div(ceil_div(state_bytes, token_bytes), align) * align


def vllm_tokens_by_groups(blocks: int, groups: int, block: int) -> int:
    """ "GPU KV cache size" as printed until 2026: blocks shared out evenly among the groups.

    Far too low for a hybrid model, whose state groups need few blocks:
    https://github.com/vllm-project/vllm/issues/40691
    """
    return blocks // groups * block


def vllm_tokens_by_requests(blocks: int, request_blocks: int, max_len: int) -> int:
    """ "GPU KV cache size" as printed since: requests of ``max_len`` tokens that fit, times ``max_len``."""
    return blocks * max_len // request_blocks
