"""What a truth row leaves unsaid about its model: from the model's published config.json.

A row names its model and gives the figures its reporter thought of. Where a rule needs more (which layers
slide, the width of the other kind of layer, a recurrent state's size), the model's own configuration
answers. Keys are those of the rows; the row's own figures go first. Read 2026-11-29.
"""

from __future__ import annotations

from typing import Any

_MLA = {"kv_lora_rank": 512, "qk_rope_head_dim": 64}
_GEMMA_4_E4B = {
    # 42 layers, the last 18 reuse an earlier layer's cache: 20 sliding and 4 full ones own theirs.
    "full_own": 4,
    "swa_own": 20,
    "kv_heads": 2,
    "head_dim": 256,
    "global_head_dim": 512,
    "sliding_window": 512,
}

#: (words that must all be in the model's name, its figures, where they are published), most specific first.
KNOWN: tuple[tuple[tuple[str, ...], dict[str, Any], str], ...] = (
    (("gemma", "4", "e4b"), _GEMMA_4_E4B, "google/gemma-4-E4B-it"),
    (
        ("gemma", "3", "27b"),
        {"layers": 62, "kv_heads": 16, "head_dim": 128, "sliding_window": 1024, "full_every": 6},
        "google/gemma-3-27b-it",
    ),
    (("gemma", "3"), {"full_every": 6}, "google/gemma-3-1b-it"),
    (("gemma", "2"), {"full_every": 2}, "google/gemma-2-2b"),
    (("gpt-oss",), {"full_every": 2}, "openai/gpt-oss-20b"),
    (("laguna",), {"sliding_window": 512}, "poolside/Laguna-S-2.1"),
    (("qwen3.5", "122b"), {"linear": "64 v-heads,16 k-heads,128x128, conv 4"}, "Qwen/Qwen3.5-122B-A10B"),
    (
        ("qwen3.5", "27b"),
        {
            "layers": 64,
            "full_layers": 16,
            "kv_heads": 4,
            "head_dim": 256,
            "linear": "48 v-heads,16 k-heads,128x128, conv 4",
        },
        "Qwen/Qwen3.5-27B",
    ),
    (("qwen3-0.6b",), {"layers": 28, "kv_heads": 8, "head_dim": 128}, "Qwen/Qwen3-0.6B"),
    (("deepseek-v3",), {"layers": 61, **_MLA}, "deepseek-ai/DeepSeek-V3.1"),
    (("kimi-k2",), {"layers": 61, **_MLA}, "moonshotai/Kimi-K2.5"),
    # The estimator counts the multi-token-prediction layer's cache too.
    (("glm-5",), {"layers": 79, **_MLA}, "zai-org/GLM-5"),
    (("llama-3", "405b"), {"layers": 126, "kv_heads": 8, "head_dim": 128}, "meta-llama/Llama-3.1-405B"),
    (("llama-3", "70b"), {"layers": 80, "kv_heads": 8, "head_dim": 128}, "meta-llama/Llama-3.1-70B"),
    (("llama-3", "8b"), {"layers": 32, "kv_heads": 8, "head_dim": 128}, "meta-llama/Llama-3.1-8B"),
)


def known_figures(model: str) -> dict[str, Any]:
    """Figures published for the model whose name holds all the words of an entry; empty if none does."""
    name = model.lower()
    for words, figures, _source in KNOWN:
        if all(word in name for word in words):
            return figures
    return {}
