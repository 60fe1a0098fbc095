"""Kinds of layout that tests/truth/models.json has no row of, each to the byte, and parameters within 2 %."""

from __future__ import annotations

import json

import pytest

from acts.config import ConfigError, read_config, read_config_fields
from acts.sizing import ValueType, fixed_bytes_per_sequence, growth_bytes_per_token

SIXTEEN_BIT = ValueType(1, 2)
PLAIN = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}
PLAIN_GROWTH = 32 * 2 * 8 * 128 * 2
MAMBA2 = {"mamba_d_state": 128, "mamba_n_heads": 128, "mamba_n_groups": 1, "mamba_d_conv": 4}
MAMBA2_STATE = 8192 * 128 * 4 + 3 * (8192 + 2 * 128) * 2


def sizes(config):
    shape = read_config(config)
    return (
        growth_bytes_per_token(shape, SIXTEEN_BIT, SIXTEEN_BIT),
        fixed_bytes_per_sequence(shape, SIXTEEN_BIT, SIXTEEN_BIT),
    )


def model(model_type, layers, heads, **fields):
    return {"model_type": model_type, "num_hidden_layers": layers, "num_attention_heads": heads, **fields}


LAYOUTS = {
    "GPT-2: one head width from n_embd": (
        {"model_type": "gpt2", "n_layer": 12, "n_head": 12, "n_embd": 768},
        (12 * 2 * 768 * 2, 0),
    ),
    "Falcon 40B: the new architecture keeps its KV heads": (
        model("falcon", 60, 128, hidden_size=8192, num_kv_heads=8, multi_query=True, new_decoder_architecture=True),
        (60 * 2 * 8 * 64 * 2, 0),
    ),
    "RefinedWeb: n_head_kv": (
        {"model_type": "RefinedWeb", "n_layer": 60, "n_head": 128, "n_head_kv": 8, "hidden_size": 8192},
        (60 * 2 * 8 * 64 * 2, 0),
    ),
    "MPT with grouped queries in attn_config": (
        {"model_type": "mpt", "n_layers": 4, "n_heads": 8, "d_model": 512, "attn_config": {"kv_n_heads": 2}},
        (4 * 2 * 2 * 64 * 2, 0),
    ),
    "ChatGLM: groups and kv_channels": (
        {"model_type": "chatglm", "num_layers": 28, "num_attention_heads": 32, "hidden_size": 4096,
         "kv_channels": 128, "multi_query_attention": True, "multi_query_group_num": 2},
        (28 * 2 * 2 * 128 * 2, 0),
    ),
    "OpenELM: heads by layer": (
        {"model_type": "openelm", "num_transformer_layers": 3, "num_query_heads": [12, 16, 20],
         "num_kv_heads": [3, 4, 5], "head_dim": 64, "model_dim": 1280},
        (12 * 2 * 64 * 2, 0),
    ),
    "Deci: KV heads by layer": (
        model("deci", 4, 32, hidden_size=4096, num_key_value_heads_per_layer=[4, 4, 2, 1]),
        (11 * 2 * 128 * 2, 0),
    ),
    "Gemma 3 4B: heads and width only by default": (
        {"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "num_hidden_layers": 34,
                                                 "hidden_size": 2560, "sliding_window": 1024}},
        (5 * 2 * 4 * 256 * 2, 29 * 2 * 4 * 256 * 2 * 1024),
    ),
    "Gemma 3n: the last 15 layers share": (
        {"model_type": "gemma3n", "text_config": model("gemma3n_text", 35, 8, num_key_value_heads=2, head_dim=256)},
        (4 * 2 * 2 * 256 * 2, 16 * 2 * 2 * 256 * 2 * 512),
    ),
    "Gemma 4, its full layers configured one by one": (
        model("gemma4_unified_text", 6, 8, num_key_value_heads=4, sliding_window=1024, per_layer_config={
            "05": {"head_dim": 512, "num_key_value_heads": 2}}),
        (2 * 2 * 512 * 2, 5 * 2 * 4 * 256 * 2 * 1024),
    ),
    "GPT-Neo: its local layers keep everything": (
        {"model_type": "gpt_neo", "num_layers": 24, "num_heads": 16, "hidden_size": 2048, "window_size": 256,
         "attention_types": [[["global", "local"], 12]]},
        (24 * 2 * 2048 * 2, 0),
    ),
    "Cohere 2: every fourth layer is full": (
        model("cohere2", 32, 32, num_key_value_heads=8, hidden_size=4096, sliding_window=4096),
        (8 * 4096, 24 * 4096 * 4096),
    ),
    "Qwen 2 with its window on": (
        model("qwen2", 28, 28, num_key_value_heads=4, hidden_size=3584, sliding_window=4096,
              use_sliding_window=True, max_window_layers=21, max_position_embeddings=131072),
        (21 * 2048, 7 * 2048 * 4096),
    ),
    "Phi 3 mini: a window in every layer": (
        model("phi3", 32, 32, hidden_size=3072, sliding_window=2047, max_position_embeddings=4096),
        (0, 32 * 2 * 3072 * 2 * 2047),
    ),
    "Llama 4 with no_rope_layers": (
        model("llama4_text", 4, 40, num_key_value_heads=8, head_dim=128, attention_chunk_size=8192,
              no_rope_layers=[1, 0, 1, 1]),
        (4096, 3 * 4096 * 8192),
    ),
    "MiMo V2: keys wider than values, more KV heads in windows": (
        model("mimo_v2_flash", 4, 64, num_key_value_heads=4, head_dim=192, v_head_dim=128, sliding_window=128,
              swa_num_key_value_heads=8, swa_head_dim=192, swa_v_head_dim=128, hybrid_layer_pattern=[0, 1, 1, 0]),
        (2 * 4 * 320 * 2, 2 * 8 * 320 * 2 * 128),
    ),
    "Step 3: one group of 256": (
        {"model_type": "step3_vl", "text_config": model("step3_text", 61, 64, num_attention_groups=1, head_dim=256)},
        (61 * 2 * 256 * 2, 0),
    ),
    "Hunyuan: two layers share one cache": (
        model("hunyuan", 64, 80, num_key_value_heads=8, attention_head_dim=128, use_cla=True, cla_share_factor=2,
              use_mla=False, kv_lora_rank=512),
        (32 * 2 * 8 * 128 * 2, 0),
    ),
    "MiniCPM 3: a latent": (
        model("minicpm3", 62, 40, kv_lora_rank=256, qk_rope_head_dim=32, hidden_size=2560),
        (62 * 288 * 2, 0),
    ),
    "DeepSeek-VL2 tiny: MLA switched off": (
        {"model_type": "deepseek_vl_v2", "language_config": model(
            "deepseek_v2", 12, 10, hidden_size=1280, use_mla=False, kv_lora_rank=None)},
        (12 * 2 * 1280 * 2, 0),
    ),
    "LongCat: two attentions a layer": (
        {"model_type": "longcat_flash", "num_layers": 28, "num_attention_heads": 64, "kv_lora_rank": 512,
         "qk_rope_head_dim": 64},
        (56 * 576 * 2, 0),
    ),
    "GLM 5: an indexer in every layer by default": (
        model("glm_moe_dsa", 78, 64, kv_lora_rank=512, qk_rope_head_dim=64, index_head_dim=128),
        (78 * (576 * 2 + 132), 0),
    ),
    "Kimi Linear": (
        model("kimi_linear", 4, 32, kv_lora_rank=512, qk_rope_head_dim=64, linear_attn_config={
            "full_attn_layers": [4], "kda_layers": [1, 2, 3], "num_heads": 32, "head_dim": 128,
            "short_conv_kernel_size": 4}),
        (576 * 2, 3 * (32 * 128 * 128 * 4 + 3 * 3 * 4096 * 2)),
    ),
    "Bamba": (
        model("bamba", 4, 32, num_key_value_heads=8, hidden_size=4096, attn_layer_indices=[1, 3],
              mamba_d_head="auto", mamba_expand=2, **MAMBA2),
        (2 * 4096, 2 * MAMBA2_STATE),
    ),
    "Falcon H1: attention and state in every layer": (
        model("falcon_h1", 3, 32, num_key_value_heads=8, hidden_size=4096, mamba_d_ssm=8192, mamba_d_head=64, **MAMBA2),
        (3 * 4096, 3 * MAMBA2_STATE),
    ),
    "Granite 4": (
        model("granitemoehybrid", 3, 32, num_key_value_heads=8, hidden_size=4096, mamba_d_head=64,
              layer_types=["mamba", "attention", "mamba"], **MAMBA2),
        (4096, 2 * MAMBA2_STATE),
    ),
    "Zamba 2: shared attention twice as wide": (
        model("zamba2", 4, 32, hidden_size=2560, attention_head_dim=160, kv_channels=80, n_mamba_heads=80,
              mamba_headdim=64, mamba_ngroups=1, mamba_d_state=64,
              layers_block_type=["mamba", "hybrid", "mamba", "hybrid"]),
        (2 * 2 * 5120 * 2, 4 * (5120 * 64 * 4 + 3 * (5120 + 128) * 2)),
    ),
    "MiniMax M1: lightning attention": (
        model("minimax_m1", 4, 64, num_key_value_heads=8, head_dim=128, attn_type_list=[0, 0, 0, 1]),
        (4096, 3 * 64 * 128 * 128 * 4),
    ),
    "MiniMax M2: no lightning layer left": (
        model("minimax_m2", 2, 48, num_key_value_heads=8, head_dim=128, attn_type_list=[1, 1]),
        (2 * 4096, 0),
    ),
    "RecurrentGemma": (
        model("recurrent_gemma", 26, 10, num_key_value_heads=1, hidden_size=2560, lru_width=2560,
              block_types=["recurrent", "recurrent", "attention"]),
        (0, 8 * 1024 * 2048 + 18 * 2560 * (4 + 3 * 2)),
    ),
    "Mamba": (
        {"model_type": "mamba", "num_hidden_layers": 48, "hidden_size": 1536, "state_size": 16, "conv_kernel": 4,
         "expand": 2},
        (0, 48 * 3072 * (16 * 4 + 4 * 2)),
    ),
    "Falcon Mamba: a width that is not expand x hidden": (
        {"model_type": "falcon_mamba", "num_hidden_layers": 64, "hidden_size": 4096, "state_size": 16, "conv_kernel": 4,
         "expand": 16, "intermediate_size": 8192},
        (0, 64 * 8192 * (16 * 4 + 4 * 2)),
    ),
    "DeepSeek-V4 with rates of its own": (
        model("deepseek_v4", 2, 8, head_dim=512, index_head_dim=128, sliding_window=128, compress_rates={
            "compressed_sparse_attention": 2, "heavily_compressed_attention": 16}, layer_types=[
            "compressed_sparse_attention", "heavily_compressed_attention"]),
        (1024 // 2 + 132 // 2 + 1024 // 16, 2 * 128 * 1024 + 2 * 640 * 2 * 2),
    ),
    "xLSTM 7B: a matrix, a vector and a number a head": (
        {"model_type": "xlstm", "embedding_dim": 4096, "num_blocks": 32, "num_heads": 8, "qk_dim_factor": 0.5,
         "v_dim_factor": 1.0, "inference_state_dtype": "bfloat16"},
        (0, 67_240_448),
    ),
    "RWKV 7: heads of 64": (
        {"model_type": "rwkv7", "num_hidden_layers": 24, "hidden_size": 2048, "head_dim": 64},
        (0, 24 * (2048 * 64 * 4 + 2 * 2048 * 2)),
    ),
    "EXAONE 4.5: an inner type that begins with the wrapper's": (
        {"model_type": "exaone4_5", "text_config": model(
            "exaone4_5_text", 4, 40, num_key_value_heads=8, hidden_size=5120, sliding_window=4096,
            sliding_window_pattern="LLLG", layer_types=["sliding_attention"] * 3 + ["full_attention"])},
        (4096, 3 * 4096 * 4096),
    ),
    "PaliGemma: image tokens that see each other": (
        {"model_type": "paligemma", "text_config": model(
            "gemma", 18, 8, num_key_value_heads=1, head_dim=256, use_bidirectional_attention=True)},
        (18 * 2 * 256 * 2, 0),
    ),
    "LLaVA 1.5: a part that names nothing but its type": (
        {"model_type": "llava", "text_config": {"model_type": "llama"}},
        (524_288, 0),
    ),
    "Nemotron: experts in a latent space": (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "M*", "num_hidden_layers": 2,
         "num_attention_heads": 32, "mamba_num_heads": 128, "mamba_head_dim": 64, "n_groups": 8,
         "ssm_state_size": 128, "moe_latent_size": 1024},
        (4096, 8192 * 128 * 4 + 3 * (8192 + 2 * 8 * 128) * 2),
    ),
    "Kimi: a norm of the experts' latent": (
        model("kimi_linear", 1, 32, kv_lora_rank=512, qk_rope_head_dim=64, latent_moe_use_norm=True,
              linear_attn_config={"full_attn_layers": [1]}),
        (1152, 0),
    ),
    "LongCat: a scale of the latent": (
        {"model_type": "longcat_flash", "num_layers": 28, "num_attention_heads": 64, "kv_lora_rank": 512,
         "qk_rope_head_dim": 64, "mla_scale_kv_lora": True},
        (64_512, 0),
    ),
    "MiMo V2: a chunk that is the window again": (
        model("mimo_v2_flash", 2, 64, sliding_window=128, attention_chunk_size=128, hybrid_layer_pattern=[0, 1]),
        (2560, 655_360),
    ),
    "Step 3.5: query heads of windowed layers": (
        model("step3p5", 2, 64, num_attention_groups=8, head_dim=128, sliding_window=512,
              num_sliding_attention_heads=96, layer_types=["full_attention", "sliding_attention"]),
        (4096, 2_097_152),
    ),
    "MLC: the window of the context": (
        model("llama", 32, 32, hidden_size=4096, context_window_size=2048),
        (524_288, 0),
    ),
    "Mamba 2": (
        {"model_type": "mamba2", "num_hidden_layers": 64, "hidden_size": 4096, "num_heads": 128, "head_dim": 64,
         "state_size": 128, "n_groups": 8},
        (0, 64 * (8192 * 128 * 4 + 3 * (8192 + 2 * 8 * 128) * 2)),
    ),
    "RWKV 4": (
        {"model_type": "rwkv", "num_hidden_layers": 24, "hidden_size": 2048},
        (0, 24 * 2048 * (2 * 2 + 3 * 4)),
    ),
    "T5: cross-attention over 512 positions": (
        {"model_type": "t5", "d_model": 512, "d_kv": 64, "num_layers": 6, "num_heads": 8, "num_decoder_layers": 4},
        (4 * 2 * 512 * 2, 4 * 2 * 512 * 2 * 512),
    ),
    "BART": (
        {"model_type": "bart", "d_model": 1024, "decoder_layers": 12, "decoder_attention_heads": 16,
         "encoder_layers": 6, "num_hidden_layers": 6, "max_position_embeddings": 1024},
        (12 * 2 * 1024 * 2, 12 * 2 * 1024 * 2 * 1024),
    ),
    "InternVL: llm_config": (
        {"model_type": "internvl_chat", "vision_config": {"num_hidden_layers": 24},
         "llm_config": model("internlm2", 24, 16, num_key_value_heads=8, hidden_size=2048)},
        (24 * 2 * 8 * 128 * 2, 0),
    ),
    "Qwen 2.5 Omni: thinker, not talker": (
        {"model_type": "qwen2_5_omni", "talker_config": model("qwen2_5_omni_talker", 24, 12), "thinker_config": {
            "audio_config": {"num_hidden_layers": 32},
            "text_config": model("qwen2_5_omni_text", 28, 28, num_key_value_heads=4, hidden_size=3584)}},
        (28 * 2048, 0),
    ),
    "a model_type nobody knows, with plain fields": (
        {**PLAIN, "model_type": "brand_new"},
        (PLAIN_GROWTH, 0),
    ),
    "a model_type nobody knows, with layer_types and a window": (
        model("brand_new", 2, 32, num_key_value_heads=8, hidden_size=4096, sliding_window=1024,
              layer_types=["sliding_attention", "full_attention"]),
        (4096, 4096 * 1024),
    ),
    "whole floats": ({**PLAIN, "num_hidden_layers": 32.0, "num_key_value_heads": 8.0}, (PLAIN_GROWTH, 0)),
    "KV heads null": ({**PLAIN, "num_key_value_heads": None}, (4 * PLAIN_GROWTH, 0)),
    "prediction layers in the list": (
        model("step3p5", 2, 64, num_key_value_heads=8, head_dim=128, num_nextn_predict_layers=1, sliding_window=512,
              layer_types=["full_attention", "sliding_attention", "sliding_attention"]),
        (4096, 4096 * 512),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name):
    config, expected = LAYOUTS[name]
    assert sizes(config) == expected


# Published counts, within 2 %: in all, and passed through by one token.
PARAMETERS = {
    "Llama 3 8B": (PLAIN, 8_030_261_248, 8_030_261_248),
    "Llama 3 70B": (
        {**PLAIN, "num_hidden_layers": 80, "num_attention_heads": 64, "hidden_size": 8192, "intermediate_size": 28672},
        70_553_706_496,
        70_553_706_496,
    ),
    "Qwen3 8B": (
        model("qwen3", 36, 32, num_key_value_heads=8, head_dim=128, hidden_size=4096, intermediate_size=12288,
              vocab_size=151936, tie_word_embeddings=False),
        8.19e9,
        8.19e9,
    ),
    "Gemma 2 9B": (
        model("gemma2", 42, 16, num_key_value_heads=8, head_dim=256, hidden_size=3584, intermediate_size=14336,
              vocab_size=256000),
        9.24e9,
        9.24e9,
    ),
    "Mixtral 8x7B": (
        model("mixtral", 32, 32, num_key_value_heads=8, hidden_size=4096, intermediate_size=14336, vocab_size=32000,
              num_local_experts=8, num_experts_per_tok=2),
        46.7e9,
        12.9e9,
    ),
    "Qwen3 30B A3B": (
        model("qwen3_moe", 48, 32, num_key_value_heads=4, head_dim=128, hidden_size=2048, intermediate_size=6144,
              moe_intermediate_size=768, num_experts=128, num_experts_per_tok=8, vocab_size=151936),
        30.5e9,
        3.3e9,
    ),
    "DeepSeek V3": (
        model("deepseek_v3", 61, 128, hidden_size=7168, intermediate_size=18432, moe_intermediate_size=2048,
              vocab_size=129280, n_routed_experts=256, n_shared_experts=1, num_experts_per_tok=8,
              first_k_dense_replace=3, kv_lora_rank=512, q_lora_rank=1536, qk_rope_head_dim=64, qk_nope_head_dim=128,
              v_head_dim=128),
        671e9,
        37e9,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_are_estimated_within_two_percent(name):
    config, total, active = PARAMETERS[name]
    reading = read_config_fields(config)
    assert reading["shape"].parameters == pytest.approx(total, rel=0.02)
    assert reading["shape"].active_parameters == pytest.approx(active, rel=0.02)
    assert any("estimated" in note for note in reading["notes"])


NOTED = [
    (model("llama", 2, 32, hidden_size=4096), "as many as query heads, 32"),
    ({"model_type": "gpt2", "n_layer": 2, "n_head": 16, "n_embd": 2048}, "as many as query heads, 16"),
    (LAYOUTS["Kimi Linear"][0], '4 bytes per value are counted. Choose another type'),
    (LAYOUTS["GLM 5: an indexer in every layer by default"][0], "FP8 with its scale, 132 bytes"),
    (LAYOUTS["EXAONE 4.5: an inner type that begins with the wrapper's"][0], "read as exaone4"),
    (LAYOUTS["LLaVA 1.5: a part that names nothing but its type"][0], "text_config.hidden_size is not in the file"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "words"), NOTED)
def test_what_the_file_leaves_open_is_noted(config, words):
    assert any(words in note for note in read_config_fields(config)["notes"])


def test_the_type_of_a_state_can_be_set_in_the_file():
    config, (growth, fixed) = LAYOUTS["MiniMax M1: lightning attention"]
    assert sizes({**config, "mamba_ssm_dtype": "bfloat16"}) == (growth, fixed // 2)


def test_the_type_of_a_state_is_chosen_whatever_the_file_says():
    config = LAYOUTS["Kimi Linear"][0]
    assumed = read_config_fields(config)
    halved = read_config_fields({**config, "mamba_ssm_dtype": "float32"}, state_type="bfloat16")
    assert (assumed["state_type"], halved["state_type"]) == ("float32", "bfloat16")
    assert halved["shape"].state_bytes < assumed["shape"].state_bytes
    assert halved["shape"] == read_config({**config, "mamba_ssm_dtype": "bfloat16"})
    assert any("Choose another type" in note for note in assumed["notes"])
    assert not any("Choose another type" in note for note in halved["notes"])
    assert read_config_fields(PLAIN, state_type="bfloat16")["state_type"] == ""
    with pytest.raises(ConfigError, match="state_type cannot be 'int4'; choose one of: float32, bfloat16"):
        read_config(config, state_type="int4")


def test_the_type_of_an_indexers_keys_is_chosen_since_no_file_says_it():
    config = LAYOUTS["GLM 5: an indexer in every layer by default"][0]
    records = {"": 132, "fp8": 132, "mxfp4": 68, "bf16": 256}
    for kind, record in records.items():
        reading = read_config_fields(config, indexer_type=kind)
        keys = [group for group in reading["shape"].groups if group.kind == "indexer"]
        assert [group.record_bytes for group in keys] == [record]
        assert reading["indexer_type"] == (kind or "fp8")
        assert any("Choose another type" in note for note in reading["notes"]) == (kind == "")
    assert read_config_fields(PLAIN, indexer_type="bf16")["indexer_type"] == ""
    with pytest.raises(ConfigError, match="indexer_type cannot be 'int4'; choose one of: fp8, mxfp4, bf16"):
        read_config(config, indexer_type="int4")


def test_parameters_that_cannot_be_told_are_zero():
    shape = read_config(model("qwen3_moe", 2, 32, num_key_value_heads=4, hidden_size=2048, num_experts=128))
    assert (shape.parameters, shape.active_parameters) == (0, 0)


DECLARED = [
    ({"kv_cache_scheme": {"num_bits": 8, "type": "float"}}, "fp8"),
    ({"kv_cache_scheme": {"num_bits": 8, "type": "int"}}, "int8"),
    ({"kv_cache_scheme": {"num_bits": 4, "type": "float"}}, "nvfp4"),
    ({"kv_cache_scheme": {"num_bits": 4, "type": "int"}}, "int4"),
    ({"kv_cache_scheme": None, "quant_method": "compressed-tensors"}, None),
    ({"kv_cache_quant_algo": "FP8", "quant_algo": "NVFP4"}, "fp8"),
    ({"kv_cache_quant_algo": "NVFP4"}, "nvfp4"),
    ({"quant_method": "fp8", "fmt": "e4m3"}, None),
    ({"quant_method": "gptq", "bits": 4}, None),
    ({"quant_method": "mxfp4"}, None),
]


@pytest.mark.parametrize(("quantization", "cache"), DECLARED)
def test_only_a_declaration_changes_the_cache_type(quantization, cache):
    reading = read_config_fields({**PLAIN, "quantization_config": quantization})
    assert reading["cache"] == cache
    assert growth_bytes_per_token(reading["shape"], SIXTEEN_BIT, SIXTEEN_BIT) == PLAIN_GROWTH


def test_the_declaration_may_stand_beside_the_text_config():
    scheme = {"kv_cache_scheme": {"num_bits": 8, "type": "float"}}
    inside = {"model_type": "kimi_k25", "text_config": {**PLAIN, "quantization_config": scheme}}
    outside = {"model_type": "kimi_k25", "text_config": PLAIN, "quantization_config": scheme}
    assert read_config_fields(inside)["cache"] == read_config_fields(outside)["cache"] == "fp8"


def test_a_reading_says_which_field_gave_which_factor():
    config = {"model_type": "qwen3_vl", "_name_or_path": "Qwen/Qwen3-VL", "text_config": {
        **PLAIN, "model_type": "qwen3_vl_text", "max_position_embeddings": 262144}}  # fmt: skip
    reading = read_config_fields(config)
    assert {"factor": "num_kv_heads", "value": 8, "field": "text_config.num_key_value_heads"} in reading[
        "fields"
    ]
    assert (reading["name"], reading["model_type"]) == ("Qwen/Qwen3-VL", "qwen3_vl_text")
    assert reading["max_context"] == 262144
    assert "text_config.head_dim is not in the file; this family's default, 128, is used." in reading["notes"]


def test_kv_heads_by_block_leave_the_query_heads_alone():
    blocks = [{"attention": {"n_heads_in_group": 8}}, {"attention": {"no_op": True}}]
    config = model("nemotron-nas", 2, 64, hidden_size=8192, num_key_value_heads=None, block_configs=blocks)
    shape = read_config(config)
    assert (shape.num_attention_heads, [group.num_kv_heads for group in shape.groups]) == (64, [8])


def test_a_latent_knows_the_key_and_value_it_unfolds_to():
    config = model(
        "deepseek_v3", 61, 128, kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128
    )
    (latent,) = read_config(config).groups
    assert (latent.kind, latent.full_key_width, latent.full_value_width) == ("latent", 192, 128)


def test_prediction_layers_are_not_counted_and_the_reading_says_so():
    reading = read_config_fields({**PLAIN, "num_nextn_predict_layers": 1})
    assert growth_bytes_per_token(reading["shape"], SIXTEEN_BIT, SIXTEEN_BIT) == PLAIN_GROWTH
    assert any("prediction layers are not counted" in note for note in reading["notes"])


def test_a_file_is_read_like_its_contents(tmp_path):
    path = tmp_path / "config.json"
    path.write_text("\ufeff" + json.dumps(PLAIN), encoding="utf-8")
    assert read_config(path) == read_config(str(path)) == read_config(PLAIN)


def test_a_shape_answers_in_bytes():
    assert read_config(PLAIN).bytes_per_sequence(8192) == 2**30
    assert read_config(PLAIN).bytes_per_sequence(8192, cache="fp8") == 2**29


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '{"a": 1} trailing'])
def test_a_file_that_is_no_config_is_refused(tmp_path, text):
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        read_config(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(tmp_path / "nowhere.json")
    with pytest.raises(ConfigError):
        read_config("config\0.json")
