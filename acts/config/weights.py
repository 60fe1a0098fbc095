"""A model's parameters, estimated from its dimensions: a config does not hold the count.

Embeddings, attention, MLP and experts of the language model, norms and biases left out but for the two norms
of a layer. 0 means unknown: a dimension is missing, or the family has parts this estimate does not know.
"""

from __future__ import annotations

from .fields import NAMES
from .values import is_active, is_flag, is_list, is_whole, present

EXPERTS = ["num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"]
EXPERTS_PER_TOKEN = ["num_experts_per_tok", "moe_topk", "moe_k"]
EXPERT_WIDTH = ["moe_intermediate_size", "expert_ffn_hidden_size"]
#: Families whose intermediate_size is that of an expert.
EXPERT_IS_INTERMEDIATE = [
    "mixtral",
    "phimoe",
    "gpt_oss",
    "minimax_m2",
    "olmoe",
    "granitemoe",
    "grok-1",
    "arctic",
]


def known(part, names):
    """The first whole number above zero under ``names``, 0 if there is none."""
    for name in present(part, names):
        value = part["values"].get(name)
        if is_whole(value) and value > 0:
            return value
    return 0


def tied_embeddings(part, root, rule):
    """Whether input and output embeddings are one matrix."""
    for holder in [part, root]:
        flag = holder["values"].get("tie_word_embeddings")
        if is_flag(flag):
            return flag
    return rule.get("tied") is not None


def attention_weights(part, rule, hidden, heads, kv, head_dim):
    """Weights of one layer's attention; 0 if a dimension of an MLA layer is missing."""
    if rule.get("latent") is None:
        return hidden * head_dim * (2 * heads + 2 * kv)
    rank = known(part, ["kv_lora_rank"])
    rope = known(part, ["qk_rope_head_dim"])
    nope = known(part, ["qk_nope_head_dim"])
    value = known(part, ["v_head_dim"])
    if nope == 0 or value == 0:
        return 0
    query_rank = known(part, ["q_lora_rank"])
    queries = hidden * heads * (nope + rope)
    if query_rank > 0:
        queries = hidden * query_rank + query_rank * heads * (nope + rope)
    return queries + hidden * (rank + rope) + rank * heads * (nope + value) + heads * value * hidden


def dense_layers(part, layers):
    """Layers of a mixture-of-experts model that have one plain MLP instead."""
    first = known(part, ["first_k_dense_replace", "moe_layer_start_index"])
    listed = part["values"].get("mlp_only_layers")
    if is_list(listed):
        return first + len(listed)
    step = known(part, ["decoder_sparse_step"])
    if step > 1:
        return layers - layers // step
    return min(first, layers)


def matrices(rule):
    """Matrices of an MLP: a gate, up and down, or two without a gate."""
    return 2 if rule.get("plain_mlp") is not None else 3


def dense_width(part, hidden, rule):
    """Width of a plain MLP; four times the hidden size where a family without a gate does not say."""
    width = known(part, ["intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"])
    if width == 0 and rule.get("plain_mlp") is not None:
        return 4 * hidden
    return width


def unknown_weights():
    """No estimate."""
    return {"parameters": 0, "active_parameters": 0}


def estimate_weights(part, root, rule, model_type, layers, heads, kv, head_dim):
    """Parameters in all, and those one token passes through; 0 for both where they cannot be told."""
    hidden = known(part, NAMES["hidden"])
    vocabulary = known(part, ["vocab_size", "padded_vocab_size"])
    if rule.get("uncounted") is not None or hidden == 0 or vocabulary == 0:
        return unknown_weights()
    attention = attention_weights(part, rule, hidden, heads, kv, head_dim)
    if attention == 0:
        return unknown_weights()
    width = dense_width(part, hidden, rule)
    per_mlp = matrices(rule) * hidden
    embedding = vocabulary * hidden * (1 if tied_embeddings(part, root, rule) else 2)
    shared = embedding + hidden + layers * (attention + 2 * hidden)
    experts = known(part, EXPERTS)
    if experts == 0:
        if width == 0 or is_active(part["values"].get("moe_intermediate_size")):
            return unknown_weights()
        total = shared + layers * per_mlp * width
        return {"parameters": total, "active_parameters": total}
    return expert_weights(part, model_type, layers, shared, experts, width, per_mlp, hidden)


def expert_weights(part, model_type, layers, shared, experts, width, per_mlp, hidden):
    """The estimate of a mixture of experts."""
    expert = known(part, EXPERT_WIDTH)
    if expert == 0 and model_type in EXPERT_IS_INTERMEDIATE:
        expert = width
    chosen = known(part, EXPERTS_PER_TOKEN)
    dense = dense_layers(part, layers)
    if expert == 0 or chosen == 0 or (dense > 0 and width == 0) or dense > layers:
        return unknown_weights()
    always = known(part, ["n_shared_experts", "moe_num_shared_experts"]) * expert
    always = always + known(part, ["shared_expert_intermediate_size"])
    router = experts * hidden
    sparse = layers - dense
    common = shared + dense * per_mlp * width + sparse * (router + per_mlp * always)
    return {
        "parameters": common + sparse * experts * per_mlp * expert,
        "active_parameters": common + sparse * min(chosen, experts) * per_mlp * expert,
    }
