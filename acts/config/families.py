"""What each model family keeps: one table, read by the modules beside it.

A family's rule says only how it departs from the plain case (every layer keeps one key and one value a
KV head and token). Defaults are those of the family's configuration class in transformers 5.24
(https://github.com/huggingface/transformers, src/transformers/models/*/configuration_*.py), which is
what an engine uses when the file is silent; families that are not in transformers follow the
configuration their own repository ships.

Fields of a rule, all optional:

names                 field names of this family that replace the usual ones of NAMES
first_name            only the first of its names for layers counts (an encoder's come after)
layers_from           list that gives the number of layers where no field does
layers_times          attentions a layer
kv, head_dim, heads   default when the file has no such key (a KV count of null means one a head)
kv_needed             field without which the KV heads are not known
multi_query           flag whose truth, the default, means one KV head
groups_flag           flag without which the number of KV groups does not count
twice_hidden          heads divide twice the hidden size
kinds                 kinds of layer, besides full attention, that the family may list
lists                 fields, besides layer_types, that list each layer's kind (see LISTS, INDEX_LISTS)
all                   without a list: every layer's kind
every, other          without a list: every n-th layer is full, the others are ``other``; every_names are
                      fields for n, every_offset a field for where, full_first and last_full say which
window, window_use    default window in tokens; without a list it holds in all layers, in the tail from
                      max_window_layers on, in that tail by a flag, or, off, in none that could be told
by_kind               field names and defaults of layers of one kind
shared                default of num_kv_shared_layers: the last layers reuse an earlier layer's cache
stored                further fields that the family is known to have
latent, indexer       MLA; an indexer's keys beside it
state, headless       formula for layers with a fixed state (acts.config.states); no attention at all
encoder               field and default for the number of encoder positions that cross-attention keeps
tied, plain_mlp       for the estimate of parameters: shared embeddings, and an MLP without a gate
uncounted             the estimate of parameters would miss parts of this family
refuse                why it cannot be sized, instead of all this
"""

from __future__ import annotations

from .fields import NAMES

#: Layers of which every n-th is full attention and the others keep a window.
_WINDOWED = ["window"]

# fmt: off
FAMILIES: list = [
    # Every layer keeps a key and a value a KV head.
    ["llama Yi aquila arctic aria_text baichuan bailing_moe bailing_moe_v2 deepseek "
     "deepseek_ocr2_text diffllama flex_olmo granite granite4_vision_text granitemoe "
     "granitemoeshared grok-1 hyperclovax internlm internlm2 molmo olmo olmo2 olmoe orion qwen "
     "skywork solar stablelm_epoch xverse", {}],
    ["cohere minicpm", {"tied": True}],
    ["apertus apertus1p5_text arcee codegen gptj gpt_neox gpt_neox_japanese", {"plain_mlp": True}],
    ["jais2 nanochat nemotron persimmon phi phi-msft", {"plain_mlp": True}],
    ["biogpt bloom gpt2 jais mpt", {"tied": True, "plain_mlp": True}],
    # GPT-Neo alternates local attention, but no engine frees what lies outside its window.
    ["gpt_neo", {"tied": True, "plain_mlp": True, "stored": ["window_size"]}],
    ["opt telechat", {"tied": True, "uncounted": True}],
    ["dbrx", {"kv_needed": "kv_n_heads", "uncounted": True}],
    ["chatglm", {"groups_flag": "multi_query_attention", "uncounted": True}],
    ["RefinedWeb", {"tied": True, "plain_mlp": True}],
    ["gpt_bigcode falcon RefinedWebModel", {"tied": True, "plain_mlp": True, "multi_query": "multi_query"}],
    ["gemma", {"kv": 16, "head_dim": 256, "tied": True}],
    ["bitnet", {"kv": 5}],
    ["chameleon stablelm", {"kv": 32}],
    ["emu3_text_model exaone granite_docling_text", {"kv": 8}],
    ["ernie4_5 paddleocr_vl_text", {"kv": 2, "head_dim": 128, "tied": True}],
    ["ernie4_5_moe ernie4_5_vl_moe_text", {"kv": 4, "tied": True}],
    ["glm glm4", {"kv": 2, "head_dim": 128}],
    ["glm4_moe glm4v_moe_text", {"kv": 8}],
    ["glm4v_text", {"kv": 2}],
    ["glm_ocr_text", {"kv": 8, "uncounted": True}],
    ["helium", {"kv": 20, "head_dim": 128}],
    ["hy_v3 iquestcoder molmo2_text seed_oss solar_open cosmos3_edge_text", {"kv": 8, "head_dim": 128}],
    ["hunyuan hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl_text hunyuan_dense",
     {"stored": ["use_cla"], "uncounted": True}],
    ["internlm3", {"kv": 2, "head_dim": 128}],
    ["jetmoe", {"kv": 16, "heads": 32, "uncounted": True}],
    ["minimax_m2", {"kv": 8, "head_dim": 128, "lists": ["attn_type_list"], "all": "full"}],
    ["sarvam_moe", {"kv": 4, "head_dim": 64}],
    ["step3_text", {"uncounted": True}],
    ["openelm", {"names": {"heads": ["num_query_heads"]}, "uncounted": True}],
    ["nemotron-nas deci", {"stored": ["block_configs", "num_key_value_heads_per_layer"], "uncounted": True}],
    ["xglm", {"names": {"heads": ["attention_heads"]}, "uncounted": True}],
    # A window in every layer where sliding_window is not null.
    ["mistral", {"kv": 8, "heads": 32, "kinds": _WINDOWED, "window": 4096, "window_use": "all"}],
    ["mixtral phimoe", {"kv": 8, "kinds": _WINDOWED, "window_use": "all"}],
    ["ministral", {"kv": 8, "kinds": _WINDOWED, "window": 4096, "window_use": "all"}],
    ["ministral3", {"kv": 8, "head_dim": 128, "kinds": _WINDOWED, "window_use": "all"}],
    ["voxtral_realtime_text", {"kv": 8, "kinds": _WINDOWED, "window": 4096, "window_use": "all"}],
    ["phi3 phi3_v", {"kinds": _WINDOWED, "window_use": "all"}],
    ["phi4_multimodal phi4mm", {"kv": 8, "kinds": _WINDOWED, "window_use": "all"}],
    ["starcoder2", {"kv": 2, "tied": True, "plain_mlp": True, "kinds": _WINDOWED, "window_use": "all"}],
    # A window only with use_sliding_window, from layer max_window_layers on.
    ["qwen2", {"kv": 32, "kinds": _WINDOWED, "window": 4096, "window_use": "flag"}],
    ["mimo", {"kinds": _WINDOWED, "window": 4096, "window_use": "flag"}],
    ["qwen3 qwen3_vl_text",
     {"kv": 32, "head_dim": 128, "kinds": _WINDOWED, "window": 4096, "window_use": "flag"}],
    ["qwen2_vl_text qwen2_5_vl_text", {"kv": 8, "kinds": _WINDOWED, "window": 4096, "window_use": "flag"}],
    ["qwen2_5_omni_text", {"kv": 4, "kinds": _WINDOWED, "window": 32768, "window_use": "flag"}],
    ["qwen2_moe", {"kv": 16, "kinds": _WINDOWED, "window": 4096, "window_use": "off"}],
    ["qwen3_moe", {"kv": 4, "kinds": _WINDOWED, "window": 4096, "window_use": "off"}],
    ["qwen3_omni_moe_text", {"kv": 4, "kinds": _WINDOWED, "window_use": "off"}],
    ["qwen3_vl_moe_text", {"kv": 16, "kinds": _WINDOWED, "window_use": "off"}],
    ["smollm3", {"kv": 4, "tied": True, "kinds": _WINDOWED, "window_use": "off"}],
    ["dots1", {"kv": 32, "kinds": _WINDOWED, "window": 4096, "window_use": "tail"}],
    # Windowed layers with a full one at regular places.
    ["gemma2 vaultgemma",
     {"kv": 4, "head_dim": 256, "tied": True, "kinds": _WINDOWED, "window": 4096, "every": 2,
      "other": "window"}],
    ["gemma3_text",
     {"kv": 4, "head_dim": 256, "heads": 8, "tied": True, "kinds": _WINDOWED, "window": 4096, "every": 6,
      "every_names": ["sliding_window_pattern"], "other": "window"}],
    ["gemma3n_text",
     {"kv": 2, "head_dim": 256, "heads": 8, "kinds": _WINDOWED, "window": 512, "every": 5, "other": "window",
      "shared": 15, "uncounted": True}],
    ["gemma4_text gemma4_unified_text",
     {"kv": 4, "head_dim": 256, "kinds": _WINDOWED, "window": 512, "every": 6, "other": "window",
      "last_full": True, "shared": 0, "stored": ["per_layer_config"],
      "by_kind": {"full": {"kv": ["num_global_key_value_heads"], "kv_flag": "attention_k_eq_v",
                           "head_dim": ["global_head_dim"], "head_dim_default": 512}},
      "uncounted": True}],
    ["gpt_oss", {"kv": 8, "head_dim": 64, "kinds": _WINDOWED, "window": 128, "every": 2, "other": "window"}],
    ["olmo3", {"kinds": _WINDOWED, "window": 4096, "every": 4, "other": "window"}],
    ["exaone4 exaone_moe",
     {"kv": 32, "kinds": _WINDOWED, "window": 4096, "lists": ["sliding_window_pattern"], "every": 4,
      "every_names": ["sliding_window_pattern"], "other": "window"}],
    ["cohere2",
     {"tied": True, "kinds": _WINDOWED, "window": 4096, "every": 4, "every_names": ["sliding_window_pattern"],
      "other": "window"}],
    ["afmoe",
     {"head_dim": 128, "kinds": _WINDOWED, "window": 1024, "every": 4,
      "every_names": ["global_attn_every_n_layers"], "other": "window", "uncounted": True}],
    ["cwm",
     {"kv": 8, "head_dim": 128, "kinds": _WINDOWED, "window": 8192, "every": 4, "full_first": True,
      "other": "window"}],
    ["granite_swa granitemoe_swa",
     {"kinds": _WINDOWED, "window": 128, "every": 4, "full_first": True, "other": "window"}],
    ["kolibri1",
     {"kv": 4, "head_dim": 128, "kinds": _WINDOWED, "window": 513, "every": 5, "other": "window"}],
    ["beam",
     {"kv": 8, "head_dim": 128, "kinds": _WINDOWED, "window": 512, "every": 6, "other": "window",
      "last_full": True, "uncounted": True}],
    ["cohere2_moe",
     {"head_dim": 128, "kinds": _WINDOWED, "window": 4096, "lists": ["layer_types"], "uncounted": True}],
    ["flint", {"kv": 4, "head_dim": 128, "kinds": _WINDOWED, "lists": ["layer_types"], "uncounted": True}],
    ["mellum laguna", {"head_dim": 128, "kinds": _WINDOWED, "uncounted": True}],
    ["step3p5 step3p7",
     {"kv": 8, "head_dim": 128, "kinds": _WINDOWED,
      "by_kind": {"window": {"kv_part": "attention_other_setting", "kv": ["num_attention_groups"]}},
      "uncounted": True}],
    ["mimo_v2_flash mimo_v2",
     {"kv": 4, "head_dim": 192, "kinds": _WINDOWED, "lists": ["hybrid_layer_pattern"],
      "by_kind": {"full": {"value": ["v_head_dim"]},
                  "window": {"kv": ["swa_num_key_value_heads"], "kv_times": 2, "head_dim": ["swa_head_dim"],
                             "value": ["swa_v_head_dim", "v_head_dim"]}},
      "uncounted": True}],
    # Chunked attention: layers without rotary positions are full.
    ["llama4_text",
     {"kv": 8, "head_dim": 128, "kinds": ["chunk"], "lists": ["no_rope_layers"], "every": 4,
      "every_names": ["no_rope_layer_interval"], "other": "chunk", "window": 8192,
      "names": {"window": ["attention_chunk_size"]}, "uncounted": True}],
    # MLA: one latent a token and layer, however many heads.
    ["deepseek_v2 deepseek_v3 kimi_k2 axk1 glm4_moe_lite minicpm3 mistral4 sarvam_mla youtu",
     {"latent": True}],
    ["longcat_flash", {"latent": True, "layers_times": 2, "uncounted": True}],
    ["deepseek_v32 axk2 glm_moe_dsa hy_v4 hy_v4_vl_text",
     {"latent": True, "indexer": True, "kinds": ["indexed"]}],
    ["deepseek_v4",
     {"head_dim": 512, "kinds": ["window", "csa", "hca"], "lists": ["compress_ratios"], "window": 128,
      "indexer": True, "uncounted": True}],
    # Layers with a fixed state beside layers of attention.
    ["qwen3_next qwen3_5_moe_text",
     {"kv": 2, "head_dim": 256, "kinds": ["state"], "every": 4, "every_names": ["full_attention_interval"],
      "other": "state", "state": "delta", "uncounted": True}],
    ["qwen3_5_text",
     {"kv": 4, "head_dim": 256, "kinds": ["state"], "every": 4, "every_names": ["full_attention_interval"],
      "other": "state", "state": "delta", "uncounted": True}],
    ["olmo_hybrid", {"kinds": ["state"], "every": 4, "other": "state", "state": "delta", "uncounted": True}],
    ["kimi_linear",
     {"latent": True, "kinds": ["state"], "lists": ["full_attn_layers"], "state": "kda", "uncounted": True}],
    ["jamba",
     {"kv": 8, "kinds": ["state"], "lists": ["layers_block_type"], "every": 8,
      "every_names": ["attn_layer_period"], "every_offset": ["attn_layer_offset", 4], "other": "state",
      "state": "mamba1", "uncounted": True}],
    ["zamba",
     {"kinds": ["state", "hybrid"], "lists": ["layers_block_type"], "stored": ["every"], "twice_hidden": True,
      "names": {"head_dim": ["attention_head_dim"]}, "state": "mamba1", "uncounted": True}],
    ["zamba2",
     {"kinds": ["state", "hybrid"], "lists": ["layers_block_type", "hybrid_layer_ids"], "twice_hidden": True,
      "names": {"head_dim": ["attention_head_dim"]}, "state": "mamba2", "uncounted": True}],
    ["bamba",
     {"kv": 8, "kinds": ["state"], "lists": ["attn_layer_indices"], "state": "mamba2", "uncounted": True}],
    ["falcon_h1", {"kv": 8, "kinds": ["hybrid"], "all": "hybrid", "state": "mamba2", "uncounted": True}],
    ["granitemoehybrid",
     {"kinds": ["state"], "lists": ["layers_block_type"], "state": "mamba2", "uncounted": True}],
    ["nemotron_h",
     {"kv": 8, "head_dim": 128, "kinds": ["state", "none"],
      "lists": ["hybrid_override_pattern", "layers_block_type"], "layers_from": "layers_block_type",
      "state": "mamba2", "uncounted": True}],
    ["minimax minimax_text_01 minimax_m1",
     {"kv": 8, "kinds": ["state"], "lists": ["attn_type_list"], "state": "lightning", "uncounted": True}],
    ["recurrent_gemma",
     {"kinds": ["state", "window"], "lists": ["block_types"], "window": 2048,
      "names": {"window": ["attention_window_size"]}, "state": "lru", "uncounted": True}],
    ["lfm3",
     {"kv": 4, "head_dim": 128, "kinds": ["conv", "window"], "lists": ["layer_types"], "state": "conv",
      "uncounted": True}],
    ["lara_mini",
     {"kv": 4, "head_dim": 128, "kinds": ["state", "window"], "lists": ["layer_types"], "state": "delta",
      "uncounted": True}],
    ["lfm2 lfm2_moe",
     {"kv": 8, "kinds": ["conv"], "lists": ["full_attn_idxs"], "state": "conv", "uncounted": True}],
    ["mamba falcon_mamba",
     {"all": "state", "kinds": ["state"], "state": "pure_mamba1", "headless": True, "uncounted": True}],
    ["mamba2",
     {"all": "state", "kinds": ["state"], "state": "pure_mamba2", "headless": True, "uncounted": True}],
    ["rwkv", {"all": "state", "kinds": ["state"], "state": "rwkv", "headless": True, "uncounted": True}],
    # Cross-attention over an image or over an encoder's output.
    ["mllama_text_model",
     {"kv": 8, "kinds": ["cross"], "lists": ["cross_attention_layers"], "uncounted": True}],
    ["whisper",
     {"names": {"layers": ["decoder_layers"], "heads": ["decoder_attention_heads"],
                "context": ["max_target_positions"]},
      "encoder": ["max_source_positions", 1500], "uncounted": True}],
    ["bart mbart marian pegasus blenderbot blenderbot-small m2m_100 plbart mvp fsmt nllb-moe",
     {"names": {"layers": ["decoder_layers"], "heads": ["decoder_attention_heads"]},
      "encoder": ["max_position_embeddings", 1024], "uncounted": True}],
    ["t5 mt5 umt5 longt5 switch_transformers",
     {"names": {"layers": ["num_decoder_layers", "num_layers"], "heads": ["num_heads"], "head_dim": ["d_kv"]},
      "first_name": True, "head_dim": 64, "encoder": ["n_positions", 512], "uncounted": True}],
    # Known not to fit: layouts that groups of layers cannot describe, or that are not documented well enough.
    ["glm5_next_text qwen4_exp_text minimax_m3_vl_text inkling_text inkling2_text "
     "inkling2_loop_text zaya dory hrm_text muse_spark_text muse_glimmer_text mistral_large4_text "
     "dots3_note_text bailing_hybrid",
     {"refuse": "its layers keep more than keys, values and a state of a documented size"}],
    ["xlstm rwkv5 rwkv6 rwkv7", {"refuse": "the size of its recurrent state is not in its config"}],
    ["reformer xlnet transfo-xl ctrl cpmant",
     {"refuse": "what it keeps between tokens is not a key and a value a head"}],
    ["phi3small phi4flash",
     {"refuse": "its block-sparse or cross-layer cache is not described by its config"}],
    ["bert roberta electra xlm-roberta deberta deberta-v2 distilbert albert modernbert camembert",
     {"refuse": "it is an encoder, which reads a text at once and keeps no KV cache"}],
]

#: Models that wrap a language model, and its family where the inner config does not name one.
#: A wrapper X of a family X_text needs no row.
WRAPPERS: list = [
    ["lfm3_vl", "lfm3"],
    ["llava llava_next llava_next_video deepseek_vl deepseek_vl_hybrid glmasr idefics3 janus "
     "omniasr perception_lm smolvlm video_llava vipllava voxtral", "llama"],
    ["qwen2_audio llava_onevision internvl audioflamingo3 fast_vlm got_ocr2 musicflamingo ovis2 "
     "vibevoice vibevoice_asr video_llama_3", "qwen2"],
    ["fun_asr_nano lighton_ocr moss_transcribe_diarize qianfan_ocr qwen3_asr", "qwen3"],
    ["aya_vision cohere2_vision", "cohere2"],
    ["idefics2 mistral3 pixtral", "mistral"],
    ["cosmos3_omni", "qwen3_vl_text"],
    ["emu3", "emu3_text_model"],
    ["ernie4_5_moe_vl", "ernie4_5_vl_moe_text"],
    ["exaone4_5", "exaone4"],
    ["blip-2 instructblip instructblipvideo", "opt"],
    ["fuyu", "persimmon"],
    ["shieldgemma2", "gemma3_text"],
    ["glm46v glmga", "glm4v_text"],
    ["granite_speech granite_speech_plus", "granite"],
    ["hyperclovax_vision_v2", "hyperclovax"],
    ["jev minicpm_ocr minicpmv4_6 minicpmv4_7", "qwen3_5_text"],
    ["kimi_k25 kimi_vl", "deepseek_v3"],
    ["kimi_k3", "kimi_linear"],
    ["deepseek_vl_v2", "deepseek_v2"],
    ["lfm2_vl", "lfm2"],
    ["mllama", "mllama_text_model"],
    ["nemo_speechlm nemotron_h_omni", "nemotron_h"],
    ["paligemma", "gemma"],
    ["qwen2_5_omni_thinker", "qwen2_5_omni_text"],
    ["qwen3_omni_moe_thinker", "qwen3_omni_moe_text"],
    ["step3_vl", "step3_text"],
]
# fmt: on


def family_rule(model_type):
    """The rule of ``model_type``, a wrapper's being that of the language model it wraps; None if unknown."""
    wanted = [model_type, model_type + "_text"]
    for row in WRAPPERS:
        if model_type in row[0].split(" "):
            wanted = [row[1]]
    for name in wanted:
        for row in FAMILIES:
            if name in row[0].split(" "):
                return row[1]
    return None


def rule_list(rule, key):
    """The list at ``key`` of a rule, empty if it has none."""
    value = rule.get(key)
    return [] if value is None else value


def rule_names(rule, field):
    """The names under which the rule's family writes ``field``."""
    own = rule.get("names")
    if own is not None and own.get(field) is not None:
        return own.get(field)
    return NAMES[field]


def rule_reads(rule, feature):
    """Whether the rule's family is known to use ``feature`` (see LAYOUT_FIELDS)."""
    if feature in rule_list(rule, "lists") or feature in rule_list(rule, "stored"):
        return True
    if feature == "sliding_window_pattern":
        return feature in rule_list(rule, "every_names")
    if feature in ["window", "chunk"]:
        return feature in rule_list(rule, "kinds")
    return rule.get(feature) is not None
