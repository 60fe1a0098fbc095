"""A tiny config of each model type, built by the family's own configuration class in transformers.

Only sizes are made small. The layout stays the family's: its pattern of layers, its grouped heads, its
latent ranks, its states. Windows are shorter than the run, key and value widths differ where they may.
"""

from __future__ import annotations

import json
from typing import Any

#: Tokens of the prompt and steps after it; every window and chunk of WINDOW tokens overflows.
PROMPT = 24
STEPS = 4
WINDOW = 8

#: Small sizes under every name that a configuration class may have for them.
SIZES: dict[str, Any] = {
    **dict.fromkeys(["num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers"], 6),
    **dict.fromkeys(["encoder_layers", "num_decoder_layers"], 3),
    **dict.fromkeys(["hidden_size", "n_embd", "d_model"], 64),
    **dict.fromkeys(["num_attention_heads", "n_head", "n_heads", "num_heads"], 8),
    **dict.fromkeys(["decoder_attention_heads", "encoder_attention_heads"], 8),
    **dict.fromkeys(["num_key_value_heads", "num_kv_heads"], 2),
    **dict.fromkeys(["head_dim", "d_kv"], 16),
    **dict.fromkeys(["intermediate_size", "ffn_dim", "d_ff", "decoder_ffn_dim", "encoder_ffn_dim"], 32),
    **dict.fromkeys(["moe_intermediate_size", "shared_expert_intermediate_size"], 16),
    **dict.fromkeys(["num_experts", "num_local_experts", "n_routed_experts"], 4),
    **dict.fromkeys(["num_experts_per_tok", "moe_topk"], 2),
    **dict.fromkeys(["n_group", "topk_group", "num_expert_group"], 1),
    **dict.fromkeys(["sliding_window", "attention_window_size", "attention_chunk_size"], WINDOW),
    **dict.fromkeys(["max_position_embeddings", "n_positions", "max_seq_len", "max_target_positions"], 64),
    **dict.fromkeys(["pad_token_id", "bos_token_id", "eos_token_id"], 0),
    **dict.fromkeys(["decoder_start_token_id", "forced_eos_token_id"], 0),
    "vocab_size": 96,
    "word_embed_proj_dim": 64,
    "kv_lora_rank": 24,
    "q_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 12,
    "v_head_dim": 20,
    "index_head_dim": 16,
    "index_n_heads": 2,
    "index_topk": 4,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 12,
    "linear_value_head_dim": 20,
    "mamba_d_state": 16,
    "mamba_n_heads": 8,
    "mamba_d_head": 16,
    "mamba_dt_rank": 4,
    "lru_width": 48,
}


def configuration(model_type: str, own: dict[str, Any]):
    """The configuration object of ``model_type`` with small sizes, and ``own`` fields above them."""
    kind = configuration_class(model_type)
    known = kind().to_dict()
    return kind(**{**{name: value for name, value in SIZES.items() if name in known}, **own})


def configuration_class(model_type: str):
    """The class that transformers configures ``model_type`` with; some inner models only their wrapper names."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    if model_type in CONFIG_MAPPING:
        return CONFIG_MAPPING[model_type]
    return type(CONFIG_MAPPING[model_type.split("_", maxsplit=1)[0]]().text_config)


def wrapped(model_type: str, text: Any):
    """The configuration of a wrapper around ``text``; its other parts have their full size."""
    return configuration_class(model_type)(text_config=text.to_dict())


def files_of(config) -> dict[str, dict[str, Any]]:
    """The two files that describe ``config``: all fields, and only those a saved config.json has."""
    return {
        "every field": json.loads(config.to_json_string(use_diff=False)),
        "as saved": json.loads(config.to_json_string(use_diff=True)),
    }
