"""Configs that must not be sized: each sentence names the field or feature, and says what to do."""

from __future__ import annotations

import pytest

from acts.config import ConfigError, read_config

PLAIN = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
}
LATENT = {
    "model_type": "deepseek_v3",
    "num_hidden_layers": 4,
    "num_attention_heads": 128,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
}
WINDOWED = {
    "model_type": "gemma2",
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "sliding_window": 4096,
}


def without(config, name):
    return {key: value for key, value in config.items() if key != name}


REFUSED = [
    # Missing.
    ({}, "num_hidden_layers is missing"),
    (without(PLAIN, "num_hidden_layers"), "num_hidden_layers is missing"),
    (without(PLAIN, "num_attention_heads"), "num_attention_heads is missing"),
    (without(PLAIN, "hidden_size"), "hidden_size is missing"),
    (without(LATENT, "kv_lora_rank"), "kv_lora_rank is missing"),
    (without(LATENT, "qk_rope_head_dim"), "qk_rope_head_dim is missing"),
    ({**LATENT, "model_type": "deepseek_v32"}, "index_head_dim is missing"),
    ({"model_type": "dbrx", "d_model": 6144, "n_layers": 40, "n_heads": 48}, "kv_n_heads is missing"),
    ({**PLAIN, "model_type": "bamba"}, "attn_layer_indices is missing"),
    ({**PLAIN, "model_type": "nemotron_h"}, "hybrid_override_pattern is missing"),
    ({**PLAIN, "model_type": "mllama", "cross_attention_layers": [3]}, "vision_config.image_size is missing"),
    # Not a whole number.
    ({**PLAIN, "num_hidden_layers": float("nan")}, "NaN"),
    ({**PLAIN, "num_hidden_layers": float("inf")}, "num_hidden_layers"),
    ({**PLAIN, "num_hidden_layers": 32.5}, "32.5"),
    ({**PLAIN, "num_hidden_layers": "32"}, '"32"'),
    ({**PLAIN, "num_hidden_layers": True}, "true"),
    ({**PLAIN, "num_hidden_layers": [32]}, "a list of 1"),
    ({**PLAIN, "num_key_value_heads": {"a": 1}}, "an object"),
    ({**PLAIN, "head_dim": "x" * 500}, '"' + "x" * 40 + "…"),
    # Absurd.
    ({**PLAIN, "num_hidden_layers": 0}, "num_hidden_layers is 0"),
    ({**PLAIN, "num_hidden_layers": -32}, "num_hidden_layers is -32"),
    ({**PLAIN, "num_hidden_layers": 4097}, "num_hidden_layers is 4097"),
    ({**PLAIN, "num_key_value_heads": 0}, "num_key_value_heads is 0"),
    ({**PLAIN, "head_dim": 10**30}, "head_dim"),
    ({**PLAIN, "head_dim": 1048576}, "2\\*\\*53"),
    ({**WINDOWED, "sliding_window": -1}, "sliding_window is -1"),
    # Contradictory.
    ({**PLAIN, "num_key_value_heads": 7}, "num_key_value_heads is 7, which does not divide num_attention_heads 32"),
    ({**PLAIN, "num_key_value_heads": 64}, "num_key_value_heads is 64"),
    ({**PLAIN, "num_attention_heads": 33, "num_key_value_heads": 3}, "33 heads do not divide"),
    ({**PLAIN, "n_layer": 31}, "num_hidden_layers is 32 but n_layer is 31"),
    ({**WINDOWED, "layer_types": ["full_attention"] * 3}, "layer_types lists 3 layers but the model has 4"),
    ({**WINDOWED, "sliding_window": None, "layer_types": ["sliding_attention"] * 4}, "sliding_window is missing"),
    ({**PLAIN, "model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 4}, "attn_layer_offset is 4"),
    ({**PLAIN, "model_type": "x", "text_config": {**PLAIN, "num_hidden_layers": 31}}, "contradicts"),
    ({"text_config": PLAIN, "llm_config": PLAIN}, "both describe a language model"),
    # Not understood.
    ({**PLAIN, "layer_types": ["mystery_attention"] * 32}, "mystery_attention"),
    ({**PLAIN, "layer_types": ["linear_attention"] * 32}, "state"),
    ({**PLAIN, "sliding_window": 4096}, "sliding_window is 4096"),
    ({**PLAIN, "window_size": 512}, "window_size is 512"),
    ({**WINDOWED, "model_type": "mistral", "sliding_window_pattern": "LLLG"}, "sliding_window_pattern"),
    ({**PLAIN, "per_layer_config": {"3": {"head_dim": 64}}}, "per_layer_config"),
    ({**PLAIN, "model_type": "gemma4_text", "per_layer_config": {"3": {"sliding_window": 64}}},
     "per_layer_config.3.sliding_window"),
    ({**PLAIN, "kv_lora_rank": 512}, "kv_lora_rank is 512"),
    ({**PLAIN, "attention_chunk_size": 8192}, "attention_chunk_size"),
    ({**PLAIN, "num_kv_shared_layers": 4}, "num_kv_shared_layers"),
    ({**PLAIN, "is_encoder_decoder": True}, "is_encoder_decoder"),
    ({**PLAIN, "shared_kv_stride": 2}, "shared_kv_stride is not understood"),
    ({**PLAIN, "model_type": "brand_new", "attention_flavour": "odd"}, "attention_flavour is not understood"),
    ({**PLAIN, "model_type": "brand_new", "sliding_window": 4096}, "add layer_types"),
    ({**PLAIN, "model_type": "qwen3_moe", "use_sliding_window": True, "sliding_window": 4096}, "add layer_types"),
    ({**PLAIN, "model_type": "bert"}, "encoder"),
    ({**PLAIN, "model_type": "gemma3_text", "use_bidirectional_attention": True}, "this is an encoder"),
    # Sharing and windows under other names.
    ({**PLAIN, "num_kv_reuse_layers": 4}, "num_kv_reuse_layers is not understood"),
    ({**PLAIN, "cross_layer_kv": True}, "cross_layer_kv is not understood"),
    ({**PLAIN, "kv_layer_map": [0, 0]}, "kv_layer_map is not understood"),
    ({**PLAIN, "yoco": True}, "yoco is not understood"),
    ({**PLAIN, "loop_num": 2}, "loop_num is not understood"),
    ({**without(PLAIN, "num_key_value_heads"), "use_mqa": True}, "use_mqa is not understood"),
    ({**PLAIN, "attention_head_type": "odd"}, "attention_head_type is not understood"),
    ({"model_type": "mpt", "n_layers": 2, "n_heads": 32, "d_model": 4096, "attn_config": {"sliding_window_size": 1024}},
     "attn_config.sliding_window_size is 1024"),
    ({"model_type": "mpt", "n_layers": 2, "n_heads": 32, "d_model": 4096, "block_overrides": {"order": [1]}},
     "block_overrides is an object: with it some layers keep a window or reuse"),
    ({**PLAIN, "model_type": "xlstm"}, "num_heads is missing"),
    ({**PLAIN, "model_type": 7}, "model_type must be text"),
    ({**PLAIN, "quantization_config": {"kv_cache_quant_algo": "FP3"}}, "kv_cache_quant_algo"),
    ({**PLAIN, "quantization_config": {"kv_cache_scheme": {"num_bits": 3, "type": "float"}}}, "kv_cache_scheme"),
    ({**LATENT, "model_type": "glm_moe_dsa", "index_head_dim": 128, "indexer_types": ["odd"] * 4}, "indexer_types"),
    ({**PLAIN, "model_type": "nemotron-nas", "num_hidden_layers": 1, "block_configs": [{"attention": {"mamba": 1}}]},
     "block_configs\\[0\\].attention.mamba"),
    # Nested beyond reason.
    ({**PLAIN, "a": [[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]}, "nested too deep"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "words"), REFUSED, ids=range(len(REFUSED)))
def test_one_sentence_names_what_is_wrong(config, words):
    with pytest.raises(ConfigError, match=words) as caught:
        read_config(config)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 300
