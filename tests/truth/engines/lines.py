"""A truth row's figures in the wording of its engine: what its reporter's log said, line by line.

Rows keep figures, not lines; those that hold lines are taken as they are. Nothing is made up: a line is written only
where the row has its figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_POOLS = ("kv_cache_GiB", "kv_GiB", "kv_GiB_per_rank", "kv_GiB_rank0", "pool_GiB")


def log_lines(raw: dict[str, Any]) -> list[str]:
    """The lines of a row; none where its engine prints nothing that the row keeps."""
    if "log" in raw:
        return list(raw["log"])
    engine = raw["engine"].lower()
    for word, writer in _WRITERS:
        if word in engine:
            return list(writer(raw))
    return []


def _vllm_lines(raw: dict[str, Any]) -> Iterator[str]:
    seen = raw["observed"]
    if raw["dtype"].startswith("fp8"):
        yield "kv_cache_dtype=fp8"
    if raw["config"].get("num_spec"):
        yield f"num_spec_tokens={raw['config']['num_spec']}"
    if raw["config"].get("swap_space_GiB"):
        yield f"swap_space={raw['config']['swap_space_GiB']}"
    if "need_GiB" in seen:
        length = raw["config"].get("max_model_len", raw["tokens"])
        yield (
            f"To serve at least one request with the models's max seq len ({length}), ({seen['need_GiB']:.2f} GiB KV"
            f" cache is needed, which is larger than the available KV cache memory ({seen['available_GiB']:.2f} GiB)."
            f" the estimated maximum model length is {seen.get('estimated_max_len', 'unknown')}."
        )
    for name in _POOLS:
        if name in seen:
            yield f"Available KV cache memory: {seen[name]:.2f} GiB"
    if "tokens" in seen:
        yield f"GPU KV cache size: {seen['tokens']:,} tokens"
    if "gpu_blocks" in seen:
        yield f"# GPU blocks: {seen['gpu_blocks']}, # CPU blocks: {seen.get('cpu_blocks', 0)}"
    if isinstance(seen.get("concurrency"), dict):
        for length, times in seen["concurrency"].items():
            yield f"Maximum concurrency for {int(length):,} tokens per request: {times:.2f}x"


def _sglang_lines(raw: dict[str, Any]) -> Iterator[str]:
    seen = raw["observed"]
    tokens = seen.get("tokens", raw["tokens"])
    if "full_layer_tokens" in seen:
        yield (
            f"Use sliding window memory pool. full_layer_tokens={seen['full_layer_tokens']},"
            f" swa_layer_tokens={seen['swa_layer_tokens']}"
        )
        sizes = f"K size: {seen['swa_pool_K_GB']:.2f} GB, V size: {seen['swa_pool_V_GB']:.2f} GB"
        yield f"KV Cache is allocated. #tokens: {seen['swa_layer_tokens']}, {sizes}"
    elif "K_GB" in seen:
        sizes = f"K size: {seen['K_GB']:.2f} GB, V size: {seen['V_GB']:.2f} GB"
        yield f"KV Cache is allocated. #tokens: {tokens}, {sizes}"
    elif "KV_GB" in seen:
        yield f"KV Cache is allocated. #tokens: {tokens}, KV size: {seen['KV_GB']:.2f} GB"
    if "mamba_slots" in seen:
        yield (
            f"Mamba Cache is allocated. max_mamba_cache_size: {seen['mamba_slots']}, conv_state size:"
            f" {seen['conv_GB']:.2f}GB, ssm_state size: {seen['ssm_GB']:.2f}GB"
        )


def _llamacpp_lines(raw: dict[str, Any]) -> Iterator[str]:
    seen, config = raw["observed"], raw["config"]
    slots = config.get("n_seq", 1)
    streams = slots if config.get("kv_unified") is False else 1
    pair = re.match(r"K (\w+) / V (\w+)", raw["dtype"])
    keys, values = pair.groups() if pair else (raw["dtype"], raw["dtype"])
    if slots > 1:
        yield f"llama_context: n_seq_max     = {slots}"
    if "n_ubatch" in config:
        yield f"llama_context: n_ubatch      = {config['n_ubatch']}"

    def line(size: float, cells: int, layers: int) -> str:
        return (
            f"llama_kv_cache: size = {size:7.2f} MiB ({cells:6d} cells, {layers:3d} layers, {slots}/{streams} seqs),"
            f" K ({keys}):  {size / 2:.2f} MiB, V ({values}):  {size / 2:.2f} MiB"
        )

    if "full_MiB" in seen:
        yield line(seen["full_MiB"], seen["full_cells"], seen["full_layers"])
        yield line(seen["swa_MiB"], seen["swa_cells"], seen["swa_layers"])
        return
    size = seen.get("MiB", seen.get("total_MiB", seen.get("K_MiB", 0) + seen.get("V_MiB", 0)))
    layers = seen.get("layers", config.get("full_own", config.get("swa_own", config.get("layers", 0))))
    if size:
        yield line(size, seen.get("cells", raw["tokens"]) // streams, layers)


def _ollama_lines(raw: dict[str, Any]) -> Iterator[str]:
    for key, value in raw["observed"].items():
        found = re.match(r"memory\.required\.kv_(\w+)", key)
        if found:
            yield f'memory.required.kv="{value} {found[1]}" KvSize:{raw["tokens"]} Parallel:1'


def _trtllm_lines(raw: dict[str, Any]) -> Iterator[str]:
    seen = raw["observed"]
    if "GiB" in seen:
        size = f"{seen['GiB']:.2f} GiB for max tokens in paged KV cache ({seen['tokens']})."
        yield f"[TensorRT-LLM][INFO] [MemUsageChange] Allocated {size}"
    if "bytes" in seen:
        yield f"[TensorRT-LLM][INFO] Allocate {seen['bytes']} bytes for k/v cache."
        yield f"[TensorRT-LLM][INFO] Using {seen['tokens']} tokens in paged KV cache."


def _lmdeploy_lines(raw: dict[str, Any]) -> Iterator[str]:
    yield f"[TM][INFO] [BlockManager] block_size = {raw['observed']['block_MB']:g} MB"
    yield f"[TM][INFO] [BlockManager] max_block_count = {raw['observed']['blocks']}"


_WRITERS = (
    ("vllm", _vllm_lines), ("sglang", _sglang_lines), ("tensorrt", _trtllm_lines), ("lmdeploy", _lmdeploy_lines),
    ("estimate", _ollama_lines), ("ollama-gemma", _ollama_lines), ("llama", _llamacpp_lines),
)  # fmt: skip
