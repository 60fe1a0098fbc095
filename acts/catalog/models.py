"""Models: the shape of each one's cache, from its published ``config.json``.

Parameter counts follow from the dimensions of the config; tests/unit/test_catalog.py works each out again.
Vision towers count (an engine loads them), multi-token-prediction layers do not. Active parameters leave out
the idle experts and, where the publisher's own figure does (gpt-oss, DeepSeek), the embedding table. Parameters
that no decode step reads are an input embedding of its own, learned positions (StarCoder) and a vision tower.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..sizing import LayerGroup, Shape

CHECKED = "2026-11-29"


@dataclass(frozen=True)
class Model:
    """A model: its shape and what the page says about it.

    ``attention`` is the scheme in the field's words: MHA, GQA, MQA, MLA, sliding window, hybrid.
    ``max_context`` is the longest context the model declares (``max_position_embeddings``), in tokens.
    """

    id: str
    name: str
    attention: str
    shape: Shape
    max_context: int
    source: str
    checked: str


def _full(layers: int, heads: int, kv_heads: int, head_dim: int, parameters: int, unread: int = 0) -> Shape:
    """Every layer keeps the keys and values of every token, ``kv_heads`` of each, ``head_dim`` wide."""
    group = LayerGroup(layers, kv_heads, head_dim, head_dim)
    return Shape((group,), heads, layers, parameters, parameters, unread_parameters=unread)


def _mixture(shape: Shape, active: int, experts: int, chosen: int, each: int) -> Shape:
    """``shape`` with ``experts`` a layer, ``chosen`` of them a token, ``each`` parameters one of them in all layers."""
    return replace(
        shape,
        active_parameters=active,
        experts=experts,
        experts_per_token=chosen,
        expert_parameters=experts * each,
    )


def _windowed(shape: Shape, layers: int, window: int) -> Shape:
    """``shape`` with ``layers`` of its layers keeping only the last ``window`` tokens."""
    (group,) = shape.groups
    kept = replace(group, layers=group.layers - layers)
    capped = replace(group, layers=layers, window=window)
    return replace(shape, groups=(kept, capped) if kept.layers else (capped,))


def _row(
    id: str, name: str, attention: str, max_context: int, shape: Shape, *, hf: str, note: str = ""
) -> Model:
    """One model; ``hf`` is the repository whose config.json was read."""
    source = f"https://huggingface.co/{hf}/blob/main/config.json"
    return Model(id, name, attention, shape, max_context, f"{source}; {note}" if note else source, CHECKED)


def _by_id(rows: Iterable[Model]) -> dict[str, Model]:
    return {row.id: row for row in rows}


# DeepSeek-V3: kv_lora_rank 512 + qk_rope_head_dim 64, stored once and read as both key and value. Each head
# unfolds a key of qk_nope_head_dim 128 + qk_rope_head_dim 64 and a value of v_head_dim 128 from it.
_LATENT = LayerGroup(
    61, 1, 512 + 64, 0, kind="latent", full_key_width=128 + 64, full_value_width=128, latent_value_width=512
)

# Qwen3.5-27B: each of 48 gated delta-net layers holds a float32 state of 48 value heads x 128 x 128, and for
# its convolution (kernel 4) the last three 16-bit inputs: 16 query, 16 key and 48 value heads of 128.
_DELTA_STATE = 48 * (48 * 128 * 128 * 4 + (4 - 1) * (16 + 16 + 48) * 128 * 2)

# fmt: off
MODELS: dict[str, Model] = _by_id((
    _row("llama-3-8b", "Llama 3 8B", "GQA", 8192, _full(32, 32, 8, 128, 8_030_261_248, 128256 * 4096),
         hf="meta-llama/Meta-Llama-3-8B"),
    _row("llama-3-70b", "Llama 3 70B", "GQA", 8192, _full(80, 64, 8, 128, 70_553_706_496, 128256 * 8192),
         hf="meta-llama/Meta-Llama-3-70B"),
    _row("llama-2-7b", "Llama 2 7B", "MHA", 4096, _full(32, 32, 32, 128, 6_738_415_616, 32000 * 4096),
         hf="meta-llama/Llama-2-7b-hf"),
    _row("llama-3.1-8b", "Llama 3.1 8B", "GQA", 131072, _full(32, 32, 8, 128, 8_030_261_248, 128256 * 4096),
         hf="meta-llama/Llama-3.1-8B"),
    _row("llama-3.1-70b", "Llama 3.1 70B", "GQA", 131072, _full(80, 64, 8, 128, 70_553_706_496, 128256 * 8192),
         hf="meta-llama/Llama-3.1-70B"),
    _row("llama-3.1-405b", "Llama 3.1 405B", "GQA", 131072, _full(126, 128, 8, 128, 405_853_388_800, 128256 * 16384),
         hf="meta-llama/Llama-3.1-405B",
         note="released with 16 KV heads (each stored twice), corrected to 8 since"),
    _row("llama-3.2-3b", "Llama 3.2 3B", "GQA", 131072, _full(28, 24, 8, 128, 3_212_749_824),
         hf="meta-llama/Llama-3.2-3B"),
    _row("mistral-7b", "Mistral 7B v0.3", "GQA", 32768, _full(32, 32, 8, 128, 7_248_023_552, 32768 * 4096),
         hf="mistralai/Mistral-7B-v0.3",
         note="sliding_window is null since v0.2: every layer keeps every token"),
    _row("mistral-7b-v0.1", "Mistral 7B v0.1", "sliding window", 32768,
         _windowed(_full(32, 32, 8, 128, 7_241_732_096, 32000 * 4096), 32, 4096),
         hf="mistralai/Mistral-7B-v0.1",
         note="sliding_window 4096 in every layer; engines that do not honour it keep every token"),
    _row("mistral-small-24b", "Mistral Small 3 24B", "GQA", 32768, _full(40, 32, 8, 128, 23_572_403_200, 131072 * 5120),
         hf="mistralai/Mistral-Small-24B-Base-2501", note="head_dim 128 is declared; hidden / heads is 160"),
    _row("mixtral-8x7b", "Mixtral 8x7B", "GQA", 32768,
         _mixture(_full(32, 32, 8, 128, 46_702_792_704, 32000 * 4096), 12_879_925_248, 8, 2, 5_637_144_576),
         hf="mistralai/Mixtral-8x7B-v0.1", note="mixture of experts, 2 of 8 a token"),
    _row("qwen2.5-7b", "Qwen2.5 7B", "GQA", 131072, _full(28, 28, 4, 128, 7_615_616_512, 152064 * 3584),
         hf="Qwen/Qwen2.5-7B", note="use_sliding_window is false"),
    _row("qwen2.5-32b", "Qwen2.5 32B", "GQA", 131072, _full(64, 40, 8, 128, 32_763_876_352, 152064 * 5120),
         hf="Qwen/Qwen2.5-32B", note="use_sliding_window is false"),
    _row("qwen3-0.6b", "Qwen3 0.6B", "GQA", 40960, _full(28, 16, 8, 128, 596_049_920),
         hf="Qwen/Qwen3-0.6B", note="head_dim 128 is declared; hidden / heads is 64"),
    _row("qwen3-8b", "Qwen3 8B", "GQA", 40960, _full(36, 32, 8, 128, 8_190_735_360, 151936 * 4096),
         hf="Qwen/Qwen3-8B"),
    _row("qwen3-32b", "Qwen3 32B", "GQA", 40960, _full(64, 64, 8, 128, 32_762_123_264, 151936 * 5120),
         hf="Qwen/Qwen3-32B", note="head_dim 128 is declared; hidden / heads is 80"),
    _row("qwen3-30b-a3b", "Qwen3 30B-A3B", "GQA", 40960,
         _mixture(_full(48, 32, 4, 128, 30_532_122_624, 151936 * 2048), 3_353_032_704, 128, 8, 226_492_416),
         hf="Qwen/Qwen3-30B-A3B", note="mixture of experts, 8 of 128 a token"),
    _row("qwen3.5-27b", "Qwen3.5 27B", "hybrid", 262144,
         replace(_full(16, 24, 4, 256, 27_356_728_560, 248320 * 5120 + 460_730_096),
                 num_hidden_layers=64, state_bytes=_DELTA_STATE),
         hf="Qwen/Qwen3.5-27B", note="16 of 64 layers are attention, 48 hold a recurrent state"),
    _row("gemma-3-27b", "Gemma 3 27B", "sliding window", 131072,
         _windowed(_full(62, 32, 16, 128, 27_432_406_640, 423_060_336), 52, 1024),
         hf="google/gemma-3-27b-it", note="every sixth layer is full, the others keep 1,024 tokens"),
    _row("gpt-oss-20b", "gpt-oss 20B", "sliding window", 131072,
         _mixture(_windowed(_full(24, 64, 8, 64, 20_914_757_184, 201088 * 2880), 12, 128),
                  3_608_307_264, 32, 4, 597_404_160),
         hf="openai/gpt-oss-20b",
         note="every second layer keeps 128 tokens; mixture of experts, 4 of 32 a token"),
    _row("gpt-oss-120b", "gpt-oss 120B", "sliding window", 131072,
         _mixture(_windowed(_full(36, 64, 8, 64, 116_829_156_672, 201088 * 2880), 18, 128),
                  5_132_849_472, 128, 4, 896_106_240),
         hf="openai/gpt-oss-120b",
         note="every second layer keeps 128 tokens; mixture of experts, 4 of 128 a token"),
    _row("deepseek-v3", "DeepSeek-V3", "MLA", 163840,
         _mixture(Shape((_LATENT,), 128, 61, 671_026_419_200, 0, unread_parameters=129280 * 7168),
                  36_625_618_432, 256, 8, 2_554_331_136),
         hf="deepseek-ai/DeepSeek-V3",
         note="mixture of experts, 8 of 256 and one shared a token; no multi-token-prediction layer"),
    _row("falcon-7b", "Falcon 7B", "MQA", 2048, _full(32, 71, 1, 64, 6_921_720_704),
         hf="tiiuae/falcon-7b",
         note="multi_query is true: one KV head; the tied unembedding is counted once"),
    _row("starcoder", "StarCoder 15B", "MQA", 8192, _full(40, 48, 1, 128, 15_517_456_384, 8192 * 6144),
         hf="bigcode/starcoder",
         note="multi_query is true: one KV head; the tied unembedding is counted once"),
    _row("phi-4", "Phi-4 14B", "GQA", 16384, _full(40, 40, 10, 128, 14_659_507_200, 100352 * 5120),
         hf="microsoft/phi-4", note="10 KV heads, which 4 GPUs do not divide evenly"),
))
# fmt: on
