"""Names: under which fields families write the same thing, and which fields announce which layout.

Data only. :mod:`acts.config.families` says which family reads what.
"""

from __future__ import annotations

from typing import Any

# fmt: off
#: Fields of a config under the names families give them; several may be present if they agree.
NAMES = {
    "layers": ["num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"],
    "heads": ["num_attention_heads", "n_head", "n_heads", "num_heads"],
    "kv": ["num_key_value_heads_per_layer", "num_key_value_heads", "num_kv_heads", "n_head_kv",
        "n_kv_heads", "kv_n_heads", "multi_query_group_num", "num_attention_groups"],
    "hidden": ["hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim"],
    "head_dim": ["head_dim", "kv_channels", "attention_head_dim", "attention_head_size"],
    "window": ["sliding_window", "sliding_window_size"],
    "context": ["max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length",
        "seq_length", "max_target_positions", "n_ctx", "model_max_length"],
}

#: Objects inside a config that hold the language model; vision and audio parts are never entered.
TEXT_PARTS = ["thinker_config", "text_config", "language_config", "llm_config", "text_model_config"]

#: Kind of a layer by its word in layer_types and similar lists.
KIND_WORDS = {
    "full_attention": "full", "attention": "full", "sliding_attention": "window",
    "chunked_attention": "chunk", "linear_attention": "state", "mamba": "state", "recurrent": "state",
    "conv": "conv", "hybrid": "hybrid", "indexed_attention": "indexed",
    "deepseek_sparse_attention": "indexed", "compressed_sparse_attention": "csa",
    "heavily_compressed_attention": "hca", "moe": "none", "mlp": "none",
}

#: Lists with one entry a layer, and the kind each entry stands for.
LISTS = {
    "layer_types": KIND_WORDS,
    "layers_block_type": KIND_WORDS,
    "block_types": {"recurrent": "state", "attention": "window"},
    "hybrid_override_pattern": {"M": "state", "*": "full", "-": "none", "E": "none"},
    "attn_type_list": {"0": "state", "1": "full"},
    "hybrid_layer_pattern": {"0": "full", "1": "window"},
    "no_rope_layers": {"0": "full", "1": "chunk"},
    "compress_ratios": {"0": "window", "4": "csa", "128": "hca"},
    "sliding_window_pattern": {"L": "window", "G": "full"},
}
#: Lists that repeat until every layer has a kind.
REPEATED = ["block_types", "sliding_window_pattern"]

#: Lists of layer numbers: number of the first layer, kind of those listed, kind of the others.
INDEX_LISTS: dict[str, list[Any]] = {
    "attn_layer_indices": [0, "full", "state"],
    "full_attn_idxs": [0, "full", "conv"],
    "full_attn_layers": [1, "full", "state"],
    "hybrid_layer_ids": [0, "hybrid", "state"],
    "cross_attention_layers": [0, "cross", "full"],
}

#: Fields that announce a layout, and what a rule must have for them to be understood.
LAYOUT_FIELDS = {
    "kv_lora_rank": "latent", "index_head_dim": "indexer", "index_topk": "indexer",
    "indexer_types": "indexer", "sliding_window": "window",
    "sliding_window_pattern": "sliding_window_pattern", "window_size": "window_size",
    "sliding_window_size": "window", "attention_window_size": "window", "attention_chunk_size": "chunk",
    "num_kv_shared_layers": "shared", "kv_source_layers": "kv_source_layers",
    "per_layer_config": "per_layer_config", "use_cla": "use_cla", "block_configs": "block_configs",
    "add_cross_attention": "encoder", "is_encoder_decoder": "encoder",
    "cross_attention_layers": "cross_attention_layers", "hybrid_override_pattern": "hybrid_override_pattern",
    "layers_block_type": "layers_block_type", "block_types": "block_types",
    "attn_layer_indices": "attn_layer_indices", "attn_type_list": "attn_type_list",
    "hybrid_layer_pattern": "hybrid_layer_pattern", "full_attn_idxs": "full_attn_idxs",
    "linear_attn_config": "full_attn_layers", "compress_ratios": "compress_ratios",
    "attn_layer_period": "every", "full_attention_interval": "every",
    "sparse_attention_config": "sparse_attention_config", "mamba_d_state": "state",
    "mamba_num_heads": "state", "ssm_state_size": "state", "linear_num_value_heads": "state",
    "conv_L_cache": "state", "lru_width": "state", "block_overrides": "block_overrides",
}

#: Words which, all in one field's name between its underscores, make an unknown field suspect: it may change what
#: is cached.
SUSPECT_WORDS = [
    ["window"], ["windows"], ["sliding"], ["swa"], ["kv"], ["latent"], ["compress"], ["compressed"], ["compression"],
    ["mamba"], ["ssm"], ["recurrent"], ["yoco"], ["cla"], ["reuse"], ["shared", "layers"], ["share", "every"],
    ["loop"], ["loops"], ["layer", "type"], ["layer", "types"], ["layers", "type"], ["layer", "pattern"],
    ["attn", "type"], ["attention", "type"], ["attention", "types"], ["attention", "pattern"],
    ["attn", "pattern"], ["local", "attention"], ["local", "attn"], ["cross", "attention"], ["cross", "layer"],
    ["linear", "attn"], ["linear", "attention"], ["sparse", "attention"], ["sparse", "attn"],
    ["attention", "sparsity"],
]
#: Those that are at home in a family whose layers keep a state.
STATE_WORDS = [["mamba"], ["ssm"], ["recurrent"], ["linear", "attn"], ["linear", "attention"]]
#: Words that declare multi-query attention.
MULTI_QUERY_WORDS = [["multiquery"], ["multi", "query"], ["mqa"]]
#: Words that say that a field is about something else: experts, positions, norms, other parts of a model.
HARMLESS_WORDS = [
    "moe", "mlp", "ffn", "expert", "experts", "router", "mtp", "nextn", "norm", "scale", "scaling", "init", "dropout",
    "bias", "loss", "rope", "rotary", "theta", "freq", "vision", "audio", "image", "video", "embedding",
    "embeddings", "act", "activation", "kernels", "context", "logit", "logits", "softcap", "softcapping",
    "temperature", "token", "tokens", "eps",
]
#: Fields whose words are suspect, with the values that are understood.
KNOWN_VALUES = {
    "attention_head_type": ["multihead", "multiquery"],
    "attn_type": ["multihead_attention", "multiquery_attention", "grouped_query_attention"],
}

#: Fields whose names look suspect but that never change the cache.
HARMLESS_SUSPECTS = [
    "use_sliding_window", "max_window_layers", "_sliding_window_pattern", "attention_types",
    "compression_config", "use_kv_cache", "kv_cache_scheme", "kv_cache_quant_algo", "kv_cache_dtype",
    "compress_rates", "compress_rope_theta", "encoder_attention_type", "mlp_layer_types", "mtp_layer_types",
    "mtp_mlp_layer_types", "mtp_hybrid_override_pattern", "mtp_layers_block_type",
    "prefix_dense_sliding_window_pattern", "mamba_chunk_size", "use_mamba_kernels", "use_mambapy",
    "rope_local_base_freq", "global_attn_every_n_layers", "num_attention_heads_per_layer",
    "recurrent_block_type", "use_windowed_attention", "cross_attention_hidden_size", "cross_attention_freq",
    "tie_cross_attention",
]

#: Fields that an unknown model_type may have and still be read as plain: none changes what is cached.
PLAIN_FIELDS = [
    "_attn_implementation", "_name_or_path", "activation_function", "architectures",
    "attention_probs_dropout_prob", "attention_bias", "attention_dropout", "attn_implementation",
    "attn_pdrop", "auto_map", "bias", "bos_token_id", "dtype", "embd_pdrop", "embedding_multiplier",
    "eos_token_id", "final_logit_softcapping", "first_k_dense_replace", "hidden_act", "id2label", "label2id",
    "hidden_activation", "hidden_dropout", "hidden_dropout_prob", "initializer_range", "intermediate_size",
    "layer_norm_eps", "layer_norm_epsilon", "layer_types", "logit_scale", "logits_scaling",
    "max_window_layers", "mlp_bias", "mlp_only_layers", "model_type", "moe_intermediate_size", "n_group",
    "n_inner", "n_routed_experts", "n_shared_experts", "name", "norm_eps", "norm_epsilon", "norm_topk_prob",
    "num_experts", "num_experts_per_tok", "num_local_experts", "num_nextn_predict_layers",
    "original_max_position_embeddings", "output_attentions", "output_hidden_states", "output_router_logits",
    "pad_token_id", "partial_rotary_factor", "pretraining_tp", "qk_layernorm", "qk_norm",
    "quantization_config", "residual_multiplier", "resid_pdrop", "return_dict", "rms_norm_eps",
    "rope_parameters", "rope_scaling", "rope_theta", "rotary_dim", "rotary_pct", "router_aux_loss_coef",
    "routed_scaling_factor", "scoring_func", "sep_token_id", "shared_expert_intermediate_size",
    "tie_word_embeddings", "tokenizer_class", "topk_group", "topk_method", "torch_dtype",
    "transformers_version", "unk_token_id", "use_bias", "use_cache", "use_qk_norm", "use_qkv_bias",
    "use_sliding_window", "vocab_size",
]
# fmt: on
