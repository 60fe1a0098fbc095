"""A model's parameters, estimated from its dimensions: a config does not hold the count.

Embeddings, attention, MLP and experts of the language model, norms and biases left out but for the two norms
of a layer. 0 means unknown: a dimension is missing, or the family has parts this estimate does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fields import NAMES
from .values import is_flag, is_list, is_whole, present, value_of

if TYPE_CHECKING:
    from ..contracts import HeadLayout, Part, PlainShape, Rule, Weights

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


def known(part: Part, names: list[str]) -> int:
    """The first whole number above zero under ``names``, 0 if there is none."""
    for name in present(part, names):
        value = value_of(part, name)
        if is_whole(value) and value > 0:
            return value
    return 0


def tied_embeddings(root: Part, part: Part, rule: Rule) -> bool:
    """Whether input and output embeddings are one matrix."""
    for holder in [part, root]:
        flag = value_of(holder, "tie_word_embeddings")
        if is_flag(flag):
            return flag
    return rule.get("tied") is not None


def attention_weights(part: Part, layout: HeadLayout, hidden: int) -> int:
    """Weights of one layer's attention; 0 if a dimension of an MLA layer is missing."""
    heads = layout["heads"][0]
    if not layout["latent"]:
        return 2 * hidden * layout["head_dim"] * (heads + layout["kv"][0])
    latent = known(part, ["kv_lora_rank"])
    rope = known(part, ["qk_rope_head_dim"])
    key = known(part, ["qk_nope_head_dim"])
    value = known(part, ["v_head_dim"])
    if key == 0 or value == 0:
        return 0
    query_rank = known(part, ["q_lora_rank"])
    queries = hidden * heads * (key + rope)
    if query_rank > 0:
        queries = hidden * query_rank + query_rank * heads * (key + rope)
    return queries + hidden * (latent + rope) + latent * heads * (key + value) + heads * value * hidden


def dense_layers(part: Part, layers: int) -> int:
    """Layers of a mixture-of-experts model that have one plain MLP instead."""
    first = known(part, ["first_k_dense_replace", "moe_layer_start_index"])
    listed = value_of(part, "mlp_only_layers")
    step = known(part, ["decoder_sparse_step"])
    if is_list(listed) and len(listed) > 0:
        return len(listed)
    if step > 1:
        return layers - layers // step
    return min(first, layers)


def mlp_width(part: Part, rule: Rule, hidden: int) -> int:
    """Width of a plain MLP; four times the hidden size where a family without a gate does not say."""
    width = known(part, ["intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"])
    if width == 0 and rule.get("plain_mlp") is not None:
        return 4 * hidden
    return width


def counted(total: int, active: int, unread: int) -> Weights:
    """The count of a dense model's weights, the fields of :class:`acts.sizing.Shape`."""
    return {
        "parameters": total,
        "active_parameters": active,
        "experts": 0,
        "experts_per_token": 0,
        "expert_parameters": 0,
        "unread_parameters": unread,
    }


def add_counts(shape: PlainShape, weights: Weights) -> None:
    """Puts the count of a model's weights into its shape."""
    shape["parameters"] = weights["parameters"]
    shape["active_parameters"] = weights["active_parameters"]
    shape["experts"] = weights["experts"]
    shape["experts_per_token"] = weights["experts_per_token"]
    shape["expert_parameters"] = weights["expert_parameters"]
    shape["unread_parameters"] = weights["unread_parameters"]


def estimate_weights(root: Part, part: Part, rule: Rule, model_type: str, layout: HeadLayout) -> Weights:
    """The count of a model's weights, see :func:`counted`; zeros where it cannot be told.

    An input embedding of its own is looked up, so no decode step reads it.
    """
    layers = len(layout["heads"])
    hidden = known(part, NAMES["hidden"])
    vocabulary = known(part, ["vocab_size", "padded_vocab_size"])
    if rule.get("uncounted") is not None or hidden == 0 or vocabulary == 0:
        return counted(0, 0, 0)
    attention = attention_weights(part, layout, hidden)
    if attention == 0:
        return counted(0, 0, 0)
    unread = 0 if tied_embeddings(root, part, rule) else vocabulary * hidden
    common = vocabulary * hidden + unread + hidden + layers * (attention + 2 * hidden)
    width = mlp_width(part, rule, hidden)
    matrix = hidden * (2 if rule.get("plain_mlp") is not None else 3)
    if known(part, EXPERTS) > 0:
        mixture = expert_weights(part, model_type, layers, [hidden, width, matrix])
        if mixture["parameters"] > 0:
            mixture["parameters"] = mixture["parameters"] + common
            mixture["active_parameters"] = mixture["active_parameters"] + common
            mixture["unread_parameters"] = unread
        return mixture
    if width == 0 or known(part, EXPERT_WIDTH) > 0:
        return counted(0, 0, 0)
    total = common + layers * matrix * width
    return counted(total, total, unread)


def expert_weights(part: Part, model_type: str, layers: int, widths: list[int]) -> Weights:
    """The count of all MLPs of a mixture of experts; ``widths``: hidden size, plain MLP, weights a column."""
    hidden, width, matrix = widths
    experts = known(part, EXPERTS)
    chosen = min(known(part, EXPERTS_PER_TOKEN), experts)
    dense = dense_layers(part, layers)
    expert = known(part, EXPERT_WIDTH)
    if expert == 0 and model_type in EXPERT_IS_INTERMEDIATE:
        expert = width
    if expert == 0 or chosen == 0 or (dense > 0 and width == 0) or dense > layers:
        return counted(0, 0, 0)
    always = known(part, ["n_shared_experts", "moe_num_shared_experts"]) * expert
    always = always + known(part, ["shared_expert_intermediate_size"])
    sparse = layers - dense
    common = dense * matrix * width + sparse * (experts * hidden + matrix * always)
    each = sparse * matrix * expert
    mixture = counted(common + experts * each, common + chosen * each, 0)
    mixture["experts"] = experts
    mixture["experts_per_token"] = chosen
    mixture["expert_parameters"] = experts * each
    return mixture
