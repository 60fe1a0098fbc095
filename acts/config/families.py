"""What each model family keeps: one table, read by the modules beside it.

A family's rule says only how it departs from the plain case (every layer keeps one key and one value a
KV head and token). What an engine puts in where a file is silent stands in :mod:`acts.config.defaults`.

Fields of a rule, all optional:

names                 field names of this family that replace the usual ones of NAMES
first_name            only the first of its names for layers counts (an encoder's come after)
layers_from           list that gives the number of layers where no field does
layers_times          attentions a layer
defaults              those of a family that transformers lacks, by the configuration in its own repository, and
                      what a class there works out for itself
heads_from            fields whose product is the number of query heads where no field gives it
kv_needed             field without which the KV heads are not known
multi_query           flag whose truth, the default, means one KV head
groups_flag           flag without which the number of KV groups does not count
twice_hidden          heads divide twice the hidden size
kinds                 kinds of layer, besides full attention, that the family may list
lists                 fields, besides layer_types, that list each layer's kind (see LISTS, INDEX_LISTS)
all                   without a list: every layer's kind
every, other          without a list: every n-th layer is full, the others are ``other``; every_names are
                      fields for n, every_offset a field for where, full_first and last_full say which;
                      rest_full: full as well what is left after the last whole period; first_dense: a field
                      for a number of first layers, after which the period starts anew
window_use            without a list the window holds in all layers, in the tail from max_window_layers on,
                      in that tail by a flag, or, off, in none that could be told
by_kind               field names of layers of one kind
shared                fields for how many of the last layers reuse an earlier layer's cache
stored                further fields that the family is known to have
unmodelled            fields with which files of the family depart from the rule in a way that is not modelled
latent                MLA
indexer               an indexer's keys beside it, in every n-th layer from an offset on: [n, offset]
state, headless       formula for layers with a fixed state (acts.config.states); no attention at all
encoder               field for the number of encoder positions that cross-attention keeps
tied, plain_mlp       for the estimate of parameters: shared embeddings, and an MLP without a gate
uncounted             the estimate of parameters would miss parts of this family
refuse                why it cannot be sized, instead of all this
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fields import NAMES
from .values import is_list

if TYPE_CHECKING:
    from ..contracts import Rule

# fmt: off
FAMILIES: list = [
    # Every layer keeps a key and a value a KV head.
    ["llama Yi aquila arctic aria_text baichuan bailing_moe bailing_moe_v2 bitnet chameleon "
     "cosmos3_edge_text deepseek deepseek_ocr2_text diffllama emu3_text_model exaone flex_olmo glm glm4 "
     "glm4_moe glm4v_moe_text glm4v_text granite granite4_vision_text granite_docling_text granitemoe "
     "granitemoeshared grok-1 helium hy_v3 hyperclovax internlm internlm2 internlm3 iquestcoder molmo "
     "molmo2_text olmo olmo2 olmoe orion qwen sarvam_moe seed_oss skywork solar solar_open stablelm "
     "stablelm_epoch xverse", {}],
    ["cohere ernie4_5 ernie4_5_moe ernie4_5_vl_moe_text gemma minicpm paddleocr_vl_text", {"tied": True}],
    ["apertus apertus1p5_text arcee codegen gptj gpt_neox gpt_neox_japanese jais2 nanochat nemotron persimmon "
     "phi phi-msft", {"plain_mlp": True}],
    ["RefinedWeb biogpt bloom gpt2 jais", {"tied": True, "plain_mlp": True}],
    # LLM Foundry's own files can give layers a window, or let them reuse another's keys and values.
    ["mpt", {"tied": True, "plain_mlp": True, "unmodelled": ["block_overrides", "sliding_window_size"]}],
    # GPT-Neo alternates local attention, but no engine frees what lies outside its window.
    ["gpt_neo", {"tied": True, "plain_mlp": True, "stored": ["window_size"]}],
    ["glm_ocr_text opt step3_text telechat", {"uncounted": True}],
    ["dbrx", {"kv_needed": "kv_n_heads", "uncounted": True}],
    ["chatglm", {"groups_flag": "multi_query_attention", "uncounted": True}],
    ["gpt_bigcode falcon RefinedWebModel", {"tied": True, "plain_mlp": True, "multi_query": "multi_query"}],
    ["hunyuan hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl_text hunyuan_dense",
     {"stored": ["use_cla", "cla_share_factor"], "uncounted": True}],
    ["jetmoe", {"heads_from": ["num_key_value_heads", "num_experts_per_tok"], "uncounted": True}],
    ["minimax_m2", {"lists": ["attn_type_list"], "all": "full"}],
    ["openelm", {"names": {"heads": ["num_query_heads"]}, "uncounted": True}],
    ["nemotron-nas deci", {"stored": ["block_configs", "num_key_value_heads_per_layer"], "uncounted": True}],
    ["xglm", {"names": {"heads": ["attention_heads"]}, "uncounted": True}],
    # A window in every layer where sliding_window is not null.
    ["mistral mixtral phimoe ministral ministral3 voxtral_realtime_text phi3 phi3_v",
     {"kinds": ["window"], "window_use": "all"}],
    ["phi4_multimodal phi4mm",
     {"kinds": ["window"], "window_use": "all", "defaults": {"num_key_value_heads": 8}}],
    ["starcoder2", {"tied": True, "plain_mlp": True, "kinds": ["window"], "window_use": "all"}],
    # A window only with use_sliding_window, from layer max_window_layers on.
    ["qwen2 qwen3 qwen3_vl_text qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text",
     {"kinds": ["window"], "window_use": "flag"}],
    ["mimo", {"kinds": ["window"], "window_use": "flag", "defaults": {"sliding_window": 4096}}],
    ["qwen2_moe qwen3_moe qwen3_omni_moe_text qwen3_vl_moe_text", {"kinds": ["window"], "window_use": "off"}],
    ["smollm3", {"tied": True, "kinds": ["window"], "window_use": "off"}],
    ["dots1", {"kinds": ["window"], "window_use": "tail"}],
    # Windowed layers with a full one at regular places.
    ["gemma2 vaultgemma", {"tied": True, "kinds": ["window"], "every": 2, "other": "window"}],
    ["gpt_oss", {"kinds": ["window"], "every": 2, "other": "window"}],
    ["olmo3", {"kinds": ["window"], "every": 4, "other": "window"}],
    ["kolibri1", {"kinds": ["window"], "every": 5, "other": "window"}],
    ["cwm granite_swa granitemoe_swa",
     {"kinds": ["window"], "every": 4, "full_first": True, "other": "window"}],
    ["beam", {"kinds": ["window"], "every": 6, "other": "window", "last_full": True, "uncounted": True}],
    ["gemma3_text", {"tied": True, "kinds": ["window"], "every": 6, "every_names": ["sliding_window_pattern"],
                     "other": "window"}],
    ["cohere2", {"tied": True, "kinds": ["window"], "every": 4, "every_names": ["sliding_window_pattern"],
                 "other": "window"}],
    ["exaone4 exaone_moe", {"kinds": ["window"], "lists": ["sliding_window_pattern"], "every": 4,
                            "every_names": ["sliding_window_pattern"], "other": "window"}],
    ["afmoe", {"kinds": ["window"], "every": 4, "every_names": ["global_attn_every_n_layers"],
               "other": "window", "uncounted": True}],
    ["gemma3n_text", {"kinds": ["window"], "every": 5, "other": "window", "shared": ["num_kv_shared_layers"],
                      "uncounted": True}],
    ["gemma4_text gemma4_unified_text",
     {"kinds": ["window"], "every": 6, "other": "window", "last_full": True,
      "shared": ["num_kv_shared_layers"], "stored": ["per_layer_config"], "defaults": {"global_head_dim": 512},
      "by_kind": {"full": {"kv": ["num_global_key_value_heads"], "kv_flag": "attention_k_eq_v",
                           "head_dim": ["global_head_dim"]}}, "uncounted": True}],
    ["cohere2_moe", {"kinds": ["window"], "every": 4, "every_names": ["sliding_window_pattern"],
                     "other": "window", "first_dense": ["first_k_dense_replace"], "uncounted": True}],
    ["flint", {"kinds": ["window"], "lists": ["layer_types"], "uncounted": True}],
    ["mellum laguna", {"kinds": ["window"], "uncounted": True}],
    ["step3p5 step3p7",
     {"kinds": ["window"], "stored": ["num_sliding_attention_heads"], "uncounted": True,
      "by_kind": {"window": {"kv_part": "attention_other_setting", "kv": ["num_attention_groups"]}}}],
    ["mimo_v2_flash mimo_v2",
     {"kinds": ["window"], "lists": ["hybrid_layer_pattern"], "uncounted": True,
      "defaults": {"num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128},
      "by_kind": {"full": {"value": ["v_head_dim"]},
                  "window": {"kv": ["swa_num_key_value_heads"], "kv_times": 2, "head_dim": ["swa_head_dim"],
                             "value": ["swa_v_head_dim", "v_head_dim"]}}}],
    # Chunked attention: layers without rotary positions are full.
    ["llama4_text", {"kinds": ["chunk"], "lists": ["no_rope_layers"], "every": 4,
                     "every_names": ["no_rope_layer_interval"], "other": "chunk",
                     "names": {"window": ["attention_chunk_size"]}, "uncounted": True}],
    # Layers at the end that reuse an earlier layer's keys and values.
    ["afm7", {"names": {"hidden": ["hidden_dim"]}, "shared": ["num_kv_reuse_layers"], "uncounted": True}],
    # MLA: one latent a token and layer, however many heads.
    ["deepseek_v2 deepseek_v3 kimi_k2 axk1 glm4_moe_lite minicpm3 mistral4 sarvam_mla youtu",
     {"latent": True}],
    ["longcat_flash", {"latent": True, "layers_times": 2, "uncounted": True}],
    ["deepseek_v32 axk2 glm_moe_dsa", {"latent": True, "indexer": [1, 2], "kinds": ["indexed"]}],
    ["hy_v4 hy_v4_vl_text", {"latent": True, "indexer": [4, 2], "kinds": ["indexed"]}],
    ["deepseek_v4", {"kinds": ["window", "csa", "hca"], "lists": ["compress_ratios"], "indexer": [1, 2],
                     "uncounted": True}],
    # Layers with a fixed state beside layers of attention.
    ["qwen3_next qwen3_5_text qwen3_5_moe_text",
     {"kinds": ["state"], "every": 4, "every_names": ["full_attention_interval"], "other": "state",
      "state": "delta", "uncounted": True}],
    ["olmo_hybrid", {"kinds": ["state"], "every": 4, "other": "state", "state": "delta", "uncounted": True}],
    ["lara_mini", {"kinds": ["state", "window"], "lists": ["layer_types"], "state": "delta",
                   "uncounted": True}],
    ["kimi_linear", {"latent": True, "kinds": ["state"], "lists": ["full_attn_layers"], "state": "kda",
                     "uncounted": True}],
    ["jamba", {"kinds": ["state"], "lists": ["layers_block_type"], "every": 8,
               "every_names": ["attn_layer_period"], "every_offset": ["attn_layer_offset", 4],
               "other": "state", "state": "mamba1", "uncounted": True}],
    ["zamba", {"kinds": ["state", "hybrid"], "lists": ["layers_block_type"], "stored": ["every"],
               "twice_hidden": True, "names": {"head_dim": ["attention_head_dim"]}, "state": "mamba1",
               "uncounted": True}],
    ["zamba2", {"kinds": ["state", "hybrid"], "lists": ["layers_block_type", "hybrid_layer_ids"],
                "twice_hidden": True, "names": {"head_dim": ["attention_head_dim"]}, "state": "mamba2",
                "uncounted": True}],
    ["bamba", {"kinds": ["state"], "lists": ["attn_layer_indices"], "state": "mamba2", "uncounted": True}],
    ["falcon_h1", {"kinds": ["hybrid"], "all": "hybrid", "state": "mamba2", "uncounted": True}],
    ["granitemoehybrid", {"kinds": ["state"], "lists": ["layers_block_type"], "state": "mamba2",
                          "uncounted": True}],
    ["nemotron_h", {"kinds": ["state", "none"], "lists": ["hybrid_override_pattern", "layers_block_type"],
                    "layers_from": "layers_block_type", "state": "mamba2", "uncounted": True}],
    ["minimax minimax_text_01 minimax_m1",
     {"kinds": ["state"], "lists": ["attn_type_list"], "state": "lightning", "uncounted": True,
      "defaults": {"num_key_value_heads": 8}}],
    ["bailing_moe_linear", {"kinds": ["state"], "every": 5, "every_names": ["layer_group_size"],
                            "other": "state", "rest_full": True, "state": "lightning", "uncounted": True}],
    ["recurrent_gemma", {"kinds": ["state", "window"], "lists": ["block_types"],
                         "names": {"window": ["attention_window_size"]}, "state": "lru", "uncounted": True}],
    ["lfm2 lfm2_moe", {"kinds": ["conv"], "lists": ["full_attn_idxs"], "state": "conv", "uncounted": True}],
    ["lfm3", {"kinds": ["conv", "window"], "lists": ["layer_types"], "state": "conv", "uncounted": True}],
    # States alone.
    ["mamba falcon_mamba",
     {"all": "state", "kinds": ["state"], "state": "pure_mamba1", "headless": True, "uncounted": True}],
    ["mamba2", {"all": "state", "kinds": ["state"], "state": "pure_mamba2", "headless": True,
                "uncounted": True}],
    ["rwkv", {"all": "state", "kinds": ["state"], "state": "rwkv", "headless": True, "uncounted": True}],
    ["rwkv7", {"all": "state", "kinds": ["state"], "state": "rwkv7", "headless": True, "uncounted": True}],
    ["xlstm", {"names": {"layers": ["num_blocks", "num_hidden_layers"]}, "all": "state", "kinds": ["state"],
               "state": "xlstm", "headless": True, "uncounted": True}],
    # Cross-attention over an image or over an encoder's output.
    ["mllama_text_model", {"kinds": ["cross"], "lists": ["cross_attention_layers"], "uncounted": True}],
    ["whisper", {"names": {"layers": ["decoder_layers"], "heads": ["decoder_attention_heads"],
                           "context": ["max_target_positions"]},
                 "encoder": "max_source_positions", "uncounted": True}],
    ["bart mbart marian pegasus blenderbot blenderbot-small m2m_100 plbart mvp fsmt nllb-moe",
     {"names": {"layers": ["decoder_layers"], "heads": ["decoder_attention_heads"]},
      "encoder": "max_position_embeddings", "uncounted": True}],
    ["t5 mt5 umt5 longt5 switch_transformers",
     {"names": {"layers": ["num_decoder_layers", "num_layers"], "heads": ["num_heads"], "head_dim": ["d_kv"]},
      "first_name": True, "encoder": "n_positions", "defaults": {"n_positions": 512}, "uncounted": True}],
    # Known, and not sized: what they keep is documented but not modelled here, or cannot be told from the file.
    ["glm5_next_text qwen4_exp_text inkling_text inkling2_text inkling2_loop_text zaya dory hrm_text "
     "muse_spark_text muse_glimmer_text mistral_large4_text dots3_note_text bailing_hybrid",
     {"refuse": "what its layers keep beside keys and values is not modelled here yet"}],
    ["minimax_m3 minimax_m3_vl_text",
     {"refuse": "its sparse layers keep an index key beside keys and values, which is not modelled here yet"}],
    ["baichuan_m1",
     {"refuse": "its windowed layers have KV heads of their own and it keeps rows of a convolution over keys "
                "and values, which is not modelled here yet"}],
    ["plamo2", {"refuse": "its Mamba layers alternate with windowed ones in a way that is not modelled here yet"}],
    ["rwkv5 rwkv6",
     {"refuse": "releases of this version count their heads in different ways, so the size of its state "
                "cannot be told"}],
    ["reformer xlnet transfo-xl ctrl cpmant",
     {"refuse": "what it keeps between tokens is not a key and a value per head"}],
    ["phi3small phi4flash",
     {"refuse": "its block-sparse or cross-layer cache is not described by its config"}],
    ["bert roberta electra xlm-roberta xlm-roberta-xl deberta deberta-v2 distilbert albert modernbert camembert "
     "mpnet nomic_bert longformer big_bird funnel roformer squeezebert convbert esm eurobert jina_bert "
     "clip clip_vision_model siglip siglip2 vit dinov2 dinov3_vit pixtral wav2vec2 hubert wavlm",
     {"refuse": "it is an encoder, which reads its input at once and keeps no KV cache"}],
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


def family_name(model_type: str) -> str:
    """The family of ``model_type``: its own, or that of the language model it wraps; "" if unknown."""
    wanted = [model_type, model_type + "_text"]
    for row in WRAPPERS:
        if model_type in row[0].split(" "):
            wanted = [row[1]]
    for name in wanted:
        if row_of(FAMILIES, name) is not None:
            return name
    return ""


def row_named(rows: list[list[Any]], name: str) -> list[Any] | None:
    """The row of ``name`` in a table whose rows begin with names; None if it is in no row."""
    for row in rows:
        if name in row[0].split(" "):
            return row
    return None


def row_of(rows: list[list[Any]], name: str) -> Any:
    """What stands beside the names in the row of ``name``; None if it is in no row."""
    row = row_named(rows, name)
    return None if row is None else row[1]


def family_rule(model_type: str) -> Rule | None:
    """The rule of ``model_type``, a wrapper's being that of the language model it wraps; None if unknown."""
    return row_of(FAMILIES, family_name(model_type))


def rule_list(rule: Rule, key: str) -> list[str]:
    """The list at ``key`` of a rule, empty if it has none."""
    value = rule.get(key)
    return [] if value is None else value


def rule_knows(rule: Rule, field: str) -> bool:
    """Whether a rule names ``field``, so that its family is known to have it."""
    for key in ["lists", "stored", "shared", "every_names", "first_dense"]:
        if field in rule_list(rule, key):
            return True
    holders = [] if rule.get("names") is None else [rule["names"]]
    if rule.get("by_kind") is not None:
        holders.extend(list(rule["by_kind"].values()))
    lists = [holder[key] for holder in holders for key in holder if is_list(holder[key])]
    return len([fields for fields in lists if field in fields]) > 0


def rule_names(rule: Rule, field: str) -> list[str]:
    """The names under which the rule's family writes ``field``."""
    own = rule.get("names")
    if own is not None and own.get(field) is not None:
        return own.get(field)
    return NAMES[field]


def rule_reads(rule: Rule, feature: str) -> bool:
    """Whether the rule's family is known to use ``feature`` (see LAYOUT_FIELDS)."""
    if feature in rule_list(rule, "lists") or feature in rule_list(rule, "stored"):
        return True
    if feature == "sliding_window_pattern":
        return feature in rule_list(rule, "every_names")
    if feature == "shared":
        return len(rule_list(rule, "shared")) > 0
    if feature in ["window", "chunk"]:
        return feature in rule_list(rule, "kinds")
    return rule.get(feature) is not None
