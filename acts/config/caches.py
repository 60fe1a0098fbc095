"""Groups of layers that keep the same cache, and the bytes of state beside them."""

from __future__ import annotations

from .fields import NAMES
from .layers import LAYER_LIMIT, TOKEN_LIMIT, rule_list, rule_names
from .states import WIDTH_LIMIT, image_tokens, state_bytes
from .values import (
    checked_whole,
    fail,
    is_active,
    is_list,
    is_object,
    is_text,
    is_whole,
    need_whole,
    note,
    part_of,
    present,
    read_flag,
    read_whole,
    show,
    value_text,
)

#: Heads beyond which a file is a mistake.
HEAD_LIMIT = 65536
#: vLLM and SGLang keep an indexer's key as one FP8 byte a value and a 4-byte scale for each 128.
INDEXER_BLOCK = 128
INDEXER_SCALE_BYTES = 4


def new_group(heads, key_width, value_width, kind):
    """A group of no layers yet, with the fields of :class:`acts.sizing.LayerGroup`."""
    return {
        "layers": 0,
        "num_kv_heads": heads,
        "key_width": key_width,
        "value_width": value_width,
        "window": None,
        "fixed_tokens": None,
        "stride": 1,
        "record_bytes": None,
        "kind": kind,
    }


def same_cache(one, other):
    """Whether two groups keep the same in each layer."""
    for field in one:
        if field != "layers" and one[field] != other[field]:
            return False
    return True


def add_layer(groups, group):
    """Count one more layer of ``group``, merged with an equal group."""
    for known in groups:
        if same_cache(known, group):
            known["layers"] = known["layers"] + 1
            return
    group["layers"] = 1
    groups.append(group)


def per_layer(reading, part, name, layers, least):
    """The list of whole numbers at ``name``, one a layer, or an empty list with an error."""
    numbers = part["values"].get(name)
    if len(numbers) != layers:
        fail(
            reading,
            f"{part['path']}{name} lists {len(numbers)} layers but the model has {layers}; correct one of the two.",
        )
        return []
    for number in numbers:
        if not is_whole(number) or number < least or number > HEAD_LIMIT:
            fail(
                reading,
                f"{part['path']}{name} must list whole numbers from {least} on but has {value_text(number)}; correct it.",
            )
            return []
    return numbers


def largest(numbers):
    """The largest of some numbers, 1 if there are none."""
    top = 1
    for number in numbers:
        top = max(top, number)
    return top


def read_heads(reading, part, rule, layers):
    """Attention heads of each layer."""
    names = rule_names(rule, "heads")
    found = present(part, names)
    if len(found) > 0 and is_list(part["values"].get(found[0])):
        heads = per_layer(reading, part, found[0], layers, 1)
        show(reading, "num_attention_heads", largest(heads), part["path"] + found[0])
        return heads if len(heads) > 0 else [1 for index in range(layers)]
    fallback = rule.get("heads")
    if len(found) == 0 and fallback is not None:
        note(reading, f"{names[0]} is not in the file; this family's default, {fallback}, is used.")
        heads = fallback
    else:
        heads = need_whole(reading, part, names, "num_attention_heads", 1, HEAD_LIMIT)
    return [heads for index in range(layers)]


def shared_by_flag(reading, part, rule):
    """KV heads that a multi-query flag decides: 1 if it is set, 0 if it decides nothing."""
    flag = rule.get("multi_query")
    if flag is None or read_flag(reading, part, "new_decoder_architecture", False):
        return 0
    if read_flag(reading, part, flag[0], flag[1]):
        show(reading, "num_kv_heads", 1, part["path"] + flag[0])
        return 1
    return 0


def kv_holder(part):
    """Where the family keeps its KV heads: attn_config of MPT and DBRX, else the config itself."""
    return part_of(part, "attn_config") if is_object(part["values"].get("attn_config")) else part


def read_kv_heads(reading, part, rule, heads):
    """KV heads of each layer; as many as query heads where the file says nothing or null."""
    layers = len(heads)
    if shared_by_flag(reading, part, rule) == 1:
        return [1 for index in range(layers)]
    holder = kv_holder(part)
    if holder["values"].get("attn_type") == "multiquery_attention" and is_text(
        holder["values"].get("attn_type")
    ):
        show(reading, "num_kv_heads", 1, holder["path"] + "attn_type")
        return [1 for index in range(layers)]
    if is_list(part["values"].get("num_key_value_heads_per_layer")):
        return per_layer(reading, part, "num_key_value_heads_per_layer", layers, 0)
    found = present(holder, NAMES["kv"])
    if rule.get("groups_flag") is not None and not read_flag(reading, part, rule["groups_flag"], False):
        found = []
    if len(found) > 0 and is_list(holder["values"].get(found[0])):
        kv = per_layer(reading, holder, found[0], layers, 0)
        show(reading, "num_kv_heads", largest(kv), holder["path"] + found[0])
        return kv
    if len(found) > 0:
        kv = read_whole(reading, holder, found, "num_kv_heads", 1, HEAD_LIMIT, None)
        return [kv for index in range(layers)]
    if rule.get("kv_needed") is not None:
        fail(
            reading,
            f"{holder['path']}kv_n_heads is missing, and the size of the cache depends on it; add it to the config.",
        )
    fallback = rule.get("kv")
    if fallback is not None and "num_key_value_heads" not in part["values"]:
        note(reading, f"num_key_value_heads is not in the file; this family's default, {fallback}, is used.")
        return [fallback for index in range(layers)]
    show(reading, "num_kv_heads", heads[0], part["path"] + rule_names(rule, "heads")[0])
    return heads


def read_head_dim(reading, part, rule, heads):
    """Width of a head: declared, the family's default, or hidden size / heads."""
    declared = read_whole(reading, part, rule_names(rule, "head_dim"), "head_dim", 1, WIDTH_LIMIT, None)
    if declared is not None:
        return declared
    fallback = rule.get("head_dim")
    if fallback is not None and "head_dim" not in part["values"]:
        note(reading, f"head_dim is not in the file; this family's default, {fallback}, is used.")
        return fallback
    hidden = need_whole(reading, part, NAMES["hidden"], "hidden_size", 1, WIDTH_LIMIT)
    width = 2 * hidden if rule.get("twice_hidden") is not None else hidden
    if width % heads != 0:
        fail(
            reading,
            f"{part['path']}{NAMES['hidden'][0]} is {hidden}, which {heads} heads do not divide, and head_dim is missing; "
            "add head_dim or correct one of the two.",
        )
        return 1
    return width // heads


def check_heads(reading, part, heads, kv):
    """Refuse KV heads that the query heads cannot share evenly."""
    for index in range(len(kv)):
        if kv[index] > 0 and heads[index] % kv[index] != 0:
            fail(
                reading,
                f"{part['path']}num_key_value_heads is {kv[index]}, which does not divide "
                f"num_attention_heads {heads[index]}; correct one of the two.",
            )
            return


def nas_kinds(reading, part, heads, kinds, kv):
    """Apply block_configs, one a layer (Nemotron-NAS): layers without attention, KV heads by group size, windows."""
    blocks = part["values"].get("block_configs")
    if not is_active(blocks):
        return
    if not is_list(blocks) or len(blocks) != len(kinds):
        fail(
            reading,
            f"{part['path']}block_configs must list {len(kinds)} layers; correct it or num_hidden_layers.",
        )
        return
    for index in range(len(kinds)):
        block = {"values": blocks[index], "path": f"{part['path']}block_configs[{index}]."}
        if not is_object(blocks[index]) or not is_object(blocks[index].get("attention")):
            fail(reading, f"{block['path']}attention is missing; add it.")
            return
        attention = part_of(block, "attention")
        for field in ["sparsify", "mamba", "llama4", "window_length", "num_sink_tokens"]:
            if is_active(attention["values"].get(field)):
                fail(reading, f"{attention['path']}{field} describes a cache that this reader does not know.")
                return
        without = read_flag(reading, attention, "no_op", False)
        linear = read_flag(reading, attention, "replace_with_linear", False)
        if without or linear:
            kinds[index] = "none"
        elif attention["values"].get("num_key_value_heads") is not None:
            kv[index] = checked_whole(reading, attention, "num_key_value_heads", 1, HEAD_LIMIT)
        else:
            group = checked_whole(reading, attention, "n_heads_in_group", 1, HEAD_LIMIT)
            if heads[index] % group != 0:
                fail(
                    reading,
                    f"{attention['path']}n_heads_in_group is {group}, which does not divide {heads[index]} heads; correct it.",
                )
            kv[index] = heads[index] // group
    show(reading, "num_kv_heads", largest(kv), part["path"] + "block_configs")


def kind_override(reading, part, rule, kind):
    """KV heads, key and value width that layers of ``kind`` have of their own; 0 where they have none."""
    own = {"kv": 0, "key": 0, "value": 0}
    by_kind = rule.get("by_kind")
    if by_kind is None or by_kind.get(kind) is None:
        return own
    names = by_kind.get(kind)
    holder = part if names.get("kv_part") is None else part_of(part, names["kv_part"])
    flag = names.get("kv_flag")
    if flag is None or read_flag(reading, part, flag, False):
        own["kv"] = read_whole(
            reading, holder, rule_list(names, "kv"), f"num_kv_heads of {kind} layers", 1, HEAD_LIMIT, 0
        )
    fallback = 0 if names.get("head_dim_default") is None else names["head_dim_default"]
    own["key"] = read_whole(
        reading, part, rule_list(names, "head_dim"), f"head_dim of {kind} layers", 1, WIDTH_LIMIT, fallback
    )
    for name in present(part, rule_list(names, "value"))[:1]:
        own["value"] = read_whole(reading, part, [name], f"value width of {kind} layers", 1, WIDTH_LIMIT, 0)
    return own


def attention_group(head_dim, kv, own, kind):
    """A group of layers with a key and a value a KV head."""
    key_width = own["key"] if own["key"] > 0 else head_dim
    value_width = own["value"] if own["value"] > 0 else key_width
    return new_group(own["kv"] if own["kv"] > 0 else kv, key_width, value_width, kind)


def read_latent_width(reading, part):
    """Values of an MLA latent: kv_lora_rank + qk_rope_head_dim."""
    rank = need_whole(reading, part, ["kv_lora_rank"], "latent width", 1, WIDTH_LIMIT)
    rope = need_whole(reading, part, ["qk_rope_head_dim"], "rotary key width", 1, WIDTH_LIMIT)
    return rank + rope


def indexer_group(width, stride):
    """An indexer's keys, in their own format: one byte a value and a scale for each block."""
    group = new_group(1, width, 0, "indexer")
    group["stride"] = stride
    group["record_bytes"] = width + (width + INDEXER_BLOCK - 1) // INDEXER_BLOCK * INDEXER_SCALE_BYTES
    return group


def schedule_text(part):
    """GLM's index_topk_pattern (F full, S shared) as a list; its index_topk_freq spelled out otherwise."""
    return part["values"].get("index_topk_pattern")


def indexer_layers(reading, part, layers):
    """For each layer whether it runs an indexer of its own; "shared" ones reuse another layer's choice."""
    types = part["values"].get("indexer_types")
    if types is None:
        types = schedule_text(part)
    if types is None:
        frequency = read_whole(reading, part, ["index_topk_freq"], "layers an indexer", 1, LAYER_LIMIT, 1)
        offset = read_whole(
            reading, part, ["index_skip_topk_offset"], "first shared indexer", 0, LAYER_LIMIT, 2
        )
        return [max(index - offset + 1, 0) % frequency == 0 for index in range(layers)]
    if not (is_list(types) or is_text(types)) or len(types) < layers:
        fail(reading, f"{part['path']}indexer_types must list {layers} layers; correct it.")
        return [True for index in range(layers)]
    own = []
    for word in types:
        if not is_text(word) or word not in ["full", "shared", "F", "S"]:
            fail(
                reading,
                f"{part['path']}indexer_types names {value_text(word)}; only full and shared are known.",
            )
            return [True for index in range(layers)]
        own.append(word == "full" or word == "F")
    return own[:layers]


def encoder_positions(reading, part, rule):
    """Positions of the encoder that cross-attention keeps, 0 for a decoder alone."""
    encoder = rule.get("encoder")
    if encoder is None:
        return 0
    if part["values"].get(encoder[0]) is None:
        note(reading, f"{encoder[0]} is not in the file; {encoder[1]} encoder positions are assumed.")
        return encoder[1]
    return read_whole(reading, part, [encoder[0]], "encoder positions", 1, TOKEN_LIMIT, 0)
