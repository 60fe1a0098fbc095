"""GGUF files with the metadata of real models, written by the gguf package of llama.cpp's authors.

Each row: the architecture, its keys without that name before them, and what it must come to: bytes a token and fixed
bytes a sequence at 16 bits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter


def attention(
    layers: int, heads: int, kv: Any, hidden: int, context: int = 8192, **more: Any
) -> dict[str, Any]:
    """The keys that every architecture with attention has; ``more`` with ``__`` for dots."""
    return {
        "block_count": layers,
        "context_length": context,
        "embedding_length": hidden,
        "attention.head_count": heads,
        "attention.head_count_kv": kv,
        **{key.replace("__", "."): value for key, value in more.items()},
    }


def widths(key: int, value: int | None = None) -> dict[str, int]:
    return {"attention__key_length": key, "attention__value_length": value or key}


def every(period: int, layers: int) -> list[bool]:
    """Layers with a window, every ``period``-th full."""
    return [index % period != period - 1 for index in range(layers)]


SSM = {"ssm__conv_kernel": 4, "ssm__inner_size": 8192, "ssm__state_size": 128, "ssm__group_count": 8}
SSM_STATE = (3 * (8192 + 2 * 8 * 128) + 8192 * 128) * 4
HYBRID = [0, 8, 0, 0]

FILES: dict[str, tuple[str, dict[str, Any], tuple[int, int]]] = {
    "Llama 3 8B": ("llama", attention(32, 32, 8, 4096), (131_072, 0)),
    "Qwen3 8B": ("qwen3", attention(36, 32, 8, 4096, 40960, **widths(128)), (36 * 4096, 0)),
    "GPT-2, no key for KV heads": (
        "gpt2", {key: value for key, value in attention(12, 12, 12, 768).items() if not key.endswith("_kv")},
        (12 * 2 * 768 * 2, 0)),
    "Gemma 2 9B: every other layer has a window": (
        "gemma2", attention(42, 16, 8, 3584, attention__sliding_window=4096, **widths(256)),
        (21 * 8192, 21 * 8192 * 4096)),
    "Gemma 3 27B": (
        "gemma3", attention(62, 32, 16, 5376, 131072, attention__sliding_window=1024, **widths(128)),
        (10 * 8192, 52 * 8192 * 1024)),
    "Gemma 3n E4B: layers from the 21st on share": (
        "gemma3n", attention(35, 8, 2, 2048, 32768, attention__sliding_window=512, **widths(256)),
        (4 * 2048, 16 * 2048 * 512)),
    "Gemma 4, by its own lists": (
        "gemma4", attention(6, 8, [4, 4, 4, 4, 4, 2], 2304, 131072, attention__sliding_window=512,
                            attention__sliding_window_pattern=every(6, 6), attention__key_length_swa=256,
                            attention__value_length_swa=256, attention__shared_kv_layers=0, **widths(512)),
        (2 * 2 * 512 * 2, 5 * 2 * 4 * 256 * 2 * 512)),
    "gpt-oss 20B": (
        "gpt-oss", attention(24, 64, 8, 2880, 131072, attention__sliding_window=128, **widths(64)),
        (12 * 2048, 12 * 2048 * 128)),
    "Command R7B": (
        "cohere2", attention(32, 32, 8, 4096, 131072, attention__sliding_window=4096, **widths(128)),
        (8 * 4096, 24 * 4096 * 4096)),
    "Llama 4 Scout": (
        "llama4", attention(48, 40, 8, 5120, 1048576, **widths(128)),
        (12 * 4096, 36 * 4096 * 8192)),
    "Phi 3, whose window llama.cpp does not use": (
        "phi3", attention(32, 32, 32, 3072, 4096, attention__sliding_window=2047), (32 * 2 * 3072 * 2, 0)),
    "DeepSeek-V3: a latent": (
        "deepseek2", attention(61, 128, 1, 7168, 163840, attention__kv_lora_rank=512, rope__dimension_count=64,
                               attention__key_length_mla=192, attention__value_length_mla=128, **widths(576, 512)),
        (61 * 576 * 2, 0)),
    "DeepSeek-V2 Lite, converted before the latent": (
        "deepseek2", attention(27, 16, 16, 2048, 163840, attention__kv_lora_rank=512, **widths(192, 128)),
        (27 * 16 * 320 * 2, 0)),
    "GLM 4.5 Air: the prediction layer left out": (
        "glm4moe", attention(47, 96, 8, 4096, 131072, nextn_predict_layers=1, **widths(128)), (46 * 4096, 0)),
    "Nemotron NAS: layers without attention": (
        "deci", attention(4, 32, [8, 0, 4, 8], 4096), (20 * 2 * 128 * 2, 0)),
    "Mamba 2": ("mamba2", attention(4, 0, 0, 4096, **SSM), (0, 4 * SSM_STATE)),
    "Granite 4": ("granitehybrid", attention(4, 32, HYBRID, 4096, **SSM), (4096, 3 * SSM_STATE)),
    "Nemotron-H: inner layers keep nothing": (
        "nemotron_h", attention(4, 32, HYBRID, 4096, feed_forward_length=[0, 0, 12288, 0], **SSM),
        (4096, 2 * SSM_STATE)),
    "Falcon-H1": ("falcon-h1", attention(3, 32, 8, 4096, **SSM), (3 * 4096, 3 * SSM_STATE)),
    "Qwen3-Next": (
        "qwen3next", attention(48, 16, 2, 2048, 262144, full_attention_interval=4, ssm__conv_kernel=4,
                               ssm__inner_size=4096, ssm__state_size=128, ssm__group_count=16, **widths(256)),
        (12 * 2048, 36 * (3 * 8192 + 4096 * 128) * 4)),
    "LFM2": ("lfm2", attention(4, 32, HYBRID, 2048, shortconv__l_cache=3), (2048, 3 * 2048 * 2 * 4)),
    "RWKV 7": ("rwkv7", {"block_count": 24, "context_length": 4096, "embedding_length": 2048, "wkv.head_size": 64},
               (0, 24 * (2048 * 64 + 2 * 2048) * 4)),
}  # fmt: skip

#: Files that are no language model's, or of a layout that is not known, and what is said of them.
REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "an encoder": ("nomic-bert", attention(12, 12, 12, 768), "encoder"),
    "a vision part": ("clip", {"vision.block_count": 27}, "images or sound"),
    "a diffusion model": ("llada", attention(32, 32, 32, 4096), "fills in a whole text"),
    "an unknown architecture": ("brand-new", attention(32, 32, 8, 4096), "is not known here"),
    "no layers": ("llama", {"attention.head_count": 32}, "llama.block_count is missing"),
    "KV heads that are no number": ("llama", attention(2, 32, "eight", 4096), "head_count_kv must be a whole number"),
    "a list too short": ("deci", attention(4, 32, [8, 8], 4096), "lists 2 layers"),
    "a window of unknown layers": (
        "mimo2", attention(4, 32, 8, 4096, attention__sliding_window=128), "sliding_window_pattern is missing"),
}  # fmt: skip

#: Tensors of every file: parameters in all, those one token passes through, bytes.
PARAMETERS = (2 * 1024 + 4 * 2048, 2 * 1024 + 2048, 2048 + 1024 // 32 * 18 + 4 * 2048 // 32 * 34)


def write(path: Path, architecture: str, keys: dict[str, Any]) -> Path:
    """A file with ``keys``, a vocabulary, and a few tensors; a quarter of its experts see a token."""
    writer = GGUFWriter(path, architecture)
    writer.add_name("A model")
    writer.add_file_type(15)
    for key, value in {"expert_count": 4, "expert_used_count": 1, **keys}.items():
        add(writer, f"{architecture}.{key}", value)
    writer.add_token_list([f"token {number}" for number in range(5000)])
    writer.add_token_scores([0.5] * 5000)
    writer.add_tensor("token_embd.weight", np.zeros((32, 32), np.float16))
    quarter = np.zeros((32, 18), np.uint8)
    writer.add_tensor("blk.0.attn_q.weight", quarter, raw_dtype=GGMLQuantizationType.Q4_0)
    experts = np.zeros((4, 32, 68), np.uint8)
    writer.add_tensor("blk.0.ffn_up_exps.weight", experts, raw_dtype=GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def add(writer: GGUFWriter, key: str, value: Any) -> None:
    """One key of its own type."""
    if isinstance(value, list):
        writer.add_array(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_uint32(key, value)
