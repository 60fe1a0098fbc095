"""Which model types are compared, and what each needs beyond the small sizes of :mod:`configs`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .configs import PROMPT

#: MLA: the rotary width is a head's width, and every head unfolds its own key.
_LATENT: dict[str, Any] = {"head_dim": 8, "num_key_value_heads": 8}
_KINDS = ["linear_attention", "linear_attention", "full_attention", "linear_attention", "full_attention"]
_CONV = ["conv", "conv", "full_attention", "conv", "full_attention", "conv"]
_HYBRID = ["linear_attention", "linear_attention", "hybrid", "linear_attention", "hybrid", "linear_attention"]


@dataclass(frozen=True)
class Case:
    """One model type: ``own`` fields of its config, and how it is run."""

    model_type: str
    own: dict[str, Any] = field(default_factory=dict)
    prompt: int = PROMPT
    head: str = "AutoModelForCausalLM"
    #: "" for a decoder alone, else what the encoder reads: text, sound or image.
    encoder: str = ""
    #: Tells several cases of one model type apart.
    variant: str = ""
    #: Of a model that wraps a language model: that model's case.
    inner: str = ""

    @property
    def name(self) -> str:
        return f"{self.model_type} ({self.variant})" if self.variant else self.model_type


def _case(model_type: str, variant: str = "", **own: Any) -> Case:
    return Case(model_type, own, variant=variant)


def _wrapper(
    model_type: str, inner: str, head: str = "AutoModelForImageTextToText", encoder: str = ""
) -> Case:
    return Case(model_type, head=head, encoder=encoder, inner=inner)


def _sequences(model_type: str, **own: Any) -> Case:
    return Case(model_type, own, head="AutoModelForSeq2SeqLM", encoder="text")


#: Model types whose own layout shows with small sizes alone.
_PLAIN = (
    "afmoe apertus apertus1p5_text arcee aria_text beam biogpt bitnet bloom cohere cohere2 cohere2_moe cwm "
    "diffllama ernie4_5 ernie4_5_moe exaone exaone4 exaone_moe flex_olmo flint gemma gemma2 gemma3_text glm "
    "glm4 glm4_moe gpt2 gpt_bigcode gpt_neox gpt_neox_japanese gpt_oss granite granite_swa granitemoe "
    "granitemoe_swa granitemoeshared hunyuan_v1_dense hunyuan_v1_moe hy_v3 hyperclovax internlm3 iquestcoder "
    "jais2 jamba jetmoe kolibri1 laguna lara_mini lfm2 lfm3 llama llama4_text mellum mimo_v2_flash minicpm3 "
    "minimax_m2 ministral ministral3 mistral mixtral mpt nanochat nemotron olmo olmo2 olmo3 olmo_hybrid olmoe "
    "opt persimmon phi phi3 phimoe qwen2 qwen2_moe qwen3 qwen3_5_moe_text qwen3_5_text qwen3_moe qwen3_next "
    "sarvam_moe seed_oss smollm3 solar_open stablelm starcoder2 vaultgemma xglm"
)

CASES = [
    *[Case(name) for name in _PLAIN.split()],
    # A model_type of its own, built like GPT-2: read as a plain decoder.
    _case("gpt-sw3"),
    _case("dbrx", attn_config={"kv_n_heads": 2, "rope_theta": 10000.0, "clip_qkv": 8.0}),
    _case("gemma4_unified_text", num_hidden_layers=12, global_head_dim=32),
    # One KV head for all, and the new architecture's groups.
    _case("falcon", "multi-query"),
    _case("falcon", "new architecture", new_decoder_architecture=True),
    _case("gpt_bigcode", "every head its own", multi_query=False, num_key_value_heads=8),
    _case("codegen", rotary_dim=4),
    _case("gptj", rotary_dim=4),
    _case("helium", head_dim=8),
    _case("dots1", n_shared_experts=1),
    _case("gpt_neo", attention_types=[[["global", "local"], 3]], window_size=8),
    # Windows switched on by a flag.
    _case("qwen2", "window on", use_sliding_window=True, max_window_layers=2),
    _case("qwen3", "window on", use_sliding_window=True, max_window_layers=2),
    _case("gemma3_text", "every third full", sliding_window_pattern=3, num_hidden_layers=7),
    _case("llama4_text", "no_rope_layers", no_rope_layers=[1, 0, 1, 1, 0, 1]),
    # Layers that reuse an earlier layer's cache.
    _case("gemma3n_text", num_hidden_layers=10, num_kv_shared_layers=4, vocab_size_per_layer_input=96,
          hidden_size_per_layer_input=8, laurel_rank=8, activation_sparsity_pattern=[0.5] * 4 + [0.0] * 6),
    _case("gemma4_text", "shared layers", num_hidden_layers=12, num_kv_shared_layers=5, global_head_dim=32,
          vocab_size_per_layer_input=96, hidden_size_per_layer_input=8),
    _case("gemma4_text", "keys as values", num_hidden_layers=12, global_head_dim=32, attention_k_eq_v=True,
          num_global_key_value_heads=1, vocab_size_per_layer_input=96, hidden_size_per_layer_input=8),
    # MLA, with and without an indexer.
    *[_case(name, **_LATENT) for name in ("axk1", "axk2", "deepseek_v3", "deepseek_v32", "glm4_moe_lite")],
    *[_case(name, **_LATENT) for name in ("glm_moe_dsa", "hy_v4", "sarvam_mla", "youtu", "deepseek_v2")],
    _case("deepseek_v3", "no query rank", q_lora_rank=None, **_LATENT),
    _case("glm_moe_dsa", "shared indexers", **_LATENT,
          indexer_types=["full", "full", "shared", "shared", "full", "shared"]),
    _case("longcat_flash", num_layers=3, ffn_hidden_size=32, expert_ffn_hidden_size=16, zero_expert_num=2,
          **_LATENT),
    Case("deepseek_v4", {"o_groups": 2, "o_lora_rank": 8, "num_key_value_heads": 1, "head_dim": 32},
         prompt=284),
    Case("deepseek_v4", {"o_groups": 2, "o_lora_rank": 8, "num_key_value_heads": 1, "head_dim": 32,
                         "compress_rates": {"compressed_sparse_attention": 2, "heavily_compressed_attention": 16}},
         prompt=44, variant="other rates"),
    # States beside attention.
    _case("bamba", attn_layer_indices=[1, 3]),
    _case("falcon_h1", mamba_d_ssm=128, mamba_d_head=16),
    _case("granitemoehybrid", num_hidden_layers=5, layer_types=_KINDS),
    _case("kimi_linear", num_local_experts=4, num_experts_per_token=2, linear_head_dim=12, linear_num_heads=4,
          **_LATENT),
    _case("lfm2_moe", layer_types=_CONV),
    _case("minimax", sliding_window=None),
    _case("nemotron_h", sliding_window=None, mamba_num_heads=8, mamba_head_dim=16, n_groups=2, ssm_state_size=16,
          layers_block_type=["linear_attention", "moe", "linear_attention", "full_attention", "mlp"]),
    _case("nemotron_h", "state in 16 bits", sliding_window=None, mamba_num_heads=8, mamba_head_dim=16, n_groups=2,
          ssm_state_size=16, mamba_ssm_cache_dtype="bfloat16",
          layers_block_type=["linear_attention", "full_attention"]),
    _case("zamba", layers_block_type=_HYBRID, n_mamba_heads=2, attention_head_dim=16),
    _case("zamba2", layers_block_type=_HYBRID, n_mamba_heads=8, attention_head_dim=16),
    _case("recurrent_gemma", num_key_value_heads=1, lru_width=64, attention_window_size=8),
    _case("recurrent_gemma", "width of its own", num_key_value_heads=1, attention_window_size=8),
    # States alone.
    _case("mamba", intermediate_size=128),
    _case("falcon_mamba", intermediate_size=128),
    _case("falcon_mamba", "width that is not expand x hidden", intermediate_size=96, expand=16),
    _case("mamba2", num_heads=8, head_dim=16, n_groups=2, state_size=16),
    _case("rwkv", attention_hidden_size=64),
    # Cross-attention over an encoder's output.
    *[_sequences(name) for name in ("bart", "blenderbot", "blenderbot-small", "m2m_100", "marian", "mbart")],
    *[_sequences(name) for name in ("mvp", "pegasus", "plbart")],
    *[_sequences(name, num_layers=3, num_decoder_layers=6, n_positions=64, d_kv=12)
      for name in ("t5", "mt5", "umt5", "longt5")],
    Case("whisper", {"max_source_positions": 64, "num_mel_bins": 8}, head="AutoModelForSpeechSeq2Seq", encoder="sound"),
]  # fmt: skip

#: Models that wrap one of :data:`CASES`, with a vision or audio part of full size on the meta device.
WRAPPERS = [
    _wrapper("mllama", "mllama_text_model", encoder="image"),
    *[_wrapper(name, "llama") for name in ("llava", "llava_next", "idefics3", "vipllava")],
    *[_wrapper(name, "qwen2") for name in ("llava_onevision", "internvl")],
    *[_wrapper(name, name + "_text") for name in ("gemma3", "qwen3_5", "qwen3_5_moe")],
    _wrapper("kimi_k25", "deepseek_v3"),
    _wrapper("lfm2_vl", "lfm2"),
    _wrapper("mistral3", "mistral"),
]


def inner_case(case: Case) -> Case:
    """The case of the language model that ``case`` wraps."""
    if case.inner == "mllama_text_model":
        return Case(case.inner, {"cross_attention_layers": [1, 4]})
    return next(other for other in CASES if other.model_type == case.inner)
