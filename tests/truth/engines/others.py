"""TensorRT-LLM, LMDeploy, Ollama and smaller engines: the rules their logs follow beyond the plain
arithmetic.

Each names its own source. Read 2026-11-29.
"""

from __future__ import annotations


def trtllm_pool(free_bytes_left: int, fraction_percent: int) -> int:
    """Bytes TensorRT-LLM gives the cache: a share of what is FREE once the engine is loaded, not of the card.

    Source: https://nvidia.github.io/TensorRT-LLM/ (KvCacheConfig.free_gpu_memory_fraction, 0.9 by default).
    """
    return free_bytes_left * fraction_percent // 100


def trtllm_tokens(blocks: int, block: int) -> int:
    """ "Allocated ... for max tokens in paged KV cache (N)": primary blocks times tokens per block.

    Source: https://github.com/NVIDIA/TensorRT-LLM, cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp.
    """
    return blocks * block


def lmdeploy_tokens(blocks: int, block: int) -> int:
    """Tokens in TurboMind's pool: max_block_count blocks of cache_block_seq_len tokens (64 by default).

    Source: https://github.com/InternLM/lmdeploy, src/turbomind/models/llama/BlockManager.cc; it prints
    block_size in "MB" and shifts by 20 bits, so MiB, rounded down.
    """
    return blocks * block


def ollama_estimate_window(window: int | None, honours_windows: bool) -> int | None:
    """The window Ollama's estimate (memory.required.kv) counts with: none until it learned of windows in
    2025.

    Source: https://github.com/ollama/ollama/issues/9685 (0.6.0 counts all layers at full length).
    """
    return window if honours_windows else None


def usable_blocks(blocks: int, reserved: int) -> int:
    """Blocks requests may use: paged engines keep ``reserved`` (the null block that padding points to) for
    themselves.

    Source: https://github.com/pegainfer-project/pegainfer/issues/422; vLLM's BlockPool has one too, but
    counts it.
    """
    return blocks - reserved


def sharded_blocks(blocks: int, gpus: int) -> int:
    """Blocks once KV heads are split over ``gpus`` GPUs, if they were first sized as if every GPU held all
    heads.

    Source: https://github.com/huggingface/transformers/pull/48566 (continuous batching).
    """
    return blocks * gpus
