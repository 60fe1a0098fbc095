"""Heads of each layer: query heads, KV heads and their width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .families import rule_names
from .fields import NAMES
from .states import WIDTH_LIMIT
from .values import (
    checked_whole,
    class_default,
    fail,
    is_active,
    is_list,
    is_object,
    is_text,
    is_whole,
    need_whole,
    new_part,
    note,
    part_of,
    present,
    read_flag,
    read_or_default,
    read_whole,
    show,
    value_of,
    value_text,
)

if TYPE_CHECKING:
    from ..contracts import Part, Rule

#: Heads beyond which a file is a mistake.
HEAD_LIMIT = 65536
#: Fields that name the kind of attention, and their word for multi-query.
MULTI_QUERY_TYPES = {"attn_type": "multiquery_attention", "attention_head_type": "multiquery"}
#: Fields of a Nemotron-NAS block that would change its cache in a way not documented.
UNKNOWN_BLOCK_FIELDS = ["sparsify", "mamba", "llama4", "window_length", "num_sink_tokens"]


def per_layer(part: Part, name: str, layers: int, least: int) -> list[int]:
    """The list of whole numbers at ``name``, one a layer; an error and ``least`` for each otherwise."""
    numbers = value_of(part, name)
    if len(numbers) != layers:
        fail(
            part,
            f"{part['path']}{name} lists {len(numbers)} layers but the model has {layers}; "
            "correct one of the two.",
        )
    for number in numbers:
        if not is_whole(number) or number < least or number > HEAD_LIMIT:
            fail(
                part,
                f"{part['path']}{name} must list whole numbers from {least} on but has {value_text(number)}; "
                "correct it.",
            )
            return [least for index in range(layers)]
    if len(numbers) != layers:
        return [least for index in range(layers)]
    return numbers


def largest(numbers: list[int]) -> int:
    """The largest of some whole numbers, 0 if there are none."""
    top = 0
    for number in numbers:
        top = max(top, number)
    return top


def read_heads(part: Part, rule: Rule, layers: int) -> list[int]:
    """Query heads of each layer."""
    names = rule_names(rule, "heads")
    found = present(part, names)
    if len(found) > 0 and is_list(value_of(part, found[0])):
        listed = per_layer(part, found[0], layers, 1)
        show(part, "num_attention_heads", largest(listed), found[0])
        return listed
    factors = rule.get("heads_from")
    if len(found) == 0 and factors is not None:
        heads = 1
        for name in factors:
            heads = heads * read_or_default(part, [name], name, HEAD_LIMIT, 1)
        note(part, f"{names[0]} is not in the file; it is {' x '.join(factors)}, {heads}.")
    else:
        heads = need_whole(part, names, "num_attention_heads", HEAD_LIMIT)
    return [heads for index in range(layers)]


def one_kv_head(part: Part, holder: Part, rule: Rule) -> str:
    """The name of the field that declares multi-query attention, one KV head for all; "" if none does."""
    flag = rule.get("multi_query")
    if (
        flag is not None
        and not read_flag(part, "new_decoder_architecture", False)
        and read_flag(part, flag, True)
    ):
        return flag
    for field, word in MULTI_QUERY_TYPES.items():
        kind = value_of(holder, field)
        if is_text(kind) and kind == word:
            return field
    return ""


def kv_names(part: Part, holder: Part, rule: Rule) -> list[str]:
    """The names under which the file gives KV heads; none where a flag says that every head has its own."""
    groups = rule.get("groups_flag")
    if groups is not None and not read_flag(part, groups, False):
        return []
    return present(holder, NAMES["kv"])


def read_kv_heads(part: Part, rule: Rule, heads: list[int]) -> list[int]:
    """KV heads of each layer; as many as query heads where the file says null or, by default, nothing."""
    layers = len(heads)
    # MPT and DBRX keep them in attn_config.
    holder = part_of(part, "attn_config") if is_object(value_of(part, "attn_config")) else part
    shared = one_kv_head(part, holder, rule)
    if shared != "":
        show(part, "num_kv_heads", 1, shared)
        return [1 for index in range(layers)]
    found = kv_names(part, holder, rule)
    if len(found) > 0 and is_list(value_of(holder, found[0])):
        listed = per_layer(holder, found[0], layers, 0)
        show(holder, "num_kv_heads", largest(listed), found[0])
        return listed
    if len(found) > 0:
        kv = read_whole(holder, found, "num_kv_heads", HEAD_LIMIT, 1)
        return [kv for index in range(layers)]
    if rule.get("kv_needed") is not None:
        checked_whole(holder, rule["kv_needed"], 1, HEAD_LIMIT)
    fallback = class_default(part, NAMES["kv"])
    if fallback is not None:
        return [fallback for index in range(layers)]
    show(part, "num_kv_heads", largest(heads), rule_names(rule, "heads")[0])
    note(part, f"No field gives KV heads: as many as query heads, {largest(heads)}, are taken.")
    return list(heads)


def read_head_dim(part: Part, rule: Rule, heads: int) -> int:
    """Width of a head in values: declared, the family's default, or hidden size / heads."""
    declared = read_whole(part, rule_names(rule, "head_dim"), "head_dim", WIDTH_LIMIT, None)
    if declared is not None:
        return declared
    fallback = class_default(part, rule_names(rule, "head_dim"))
    if fallback is not None:
        return fallback
    hidden = need_whole(part, rule_names(rule, "hidden"), "hidden_size", WIDTH_LIMIT)
    width = 2 * hidden if rule.get("twice_hidden") is not None else hidden
    if width % heads != 0:
        fail(
            part,
            f"{part['path']}hidden_size is {hidden}, which {heads} heads do not divide, and head_dim is "
            "missing; add head_dim or correct one of the two.",
        )
        return 1
    return width // heads


def check_heads(part: Part, heads: list[int], kv: list[int]) -> None:
    """Refuse KV heads that the query heads cannot share evenly."""
    for index in range(len(kv)):
        if kv[index] > 0 and heads[index] % kv[index] != 0:
            fail(
                part,
                f"{part['path']}num_key_value_heads is {kv[index]}, which does not divide "
                f"num_attention_heads {heads[index]}; correct one of the two.",
            )


def apply_blocks(part: Part, heads: list[int], kinds: list[str], kv: list[int]) -> None:
    """Apply block_configs, one a layer (Nemotron-NAS): layers without attention, KV heads by group size."""
    blocks = value_of(part, "block_configs")
    if not is_active(blocks):
        return
    if not is_list(blocks) or len(blocks) != len(kinds):
        fail(
            part,
            f"{part['path']}block_configs must list {len(kinds)} layers; correct it or num_hidden_layers.",
        )
        return
    for index in range(len(kinds)):
        holder = new_part({"block": blocks[index]})
        holder["reading"] = part["reading"]
        block = part_of(holder, "block")
        block["path"] = f"{part['path']}block_configs[{index}]."
        if not is_object(value_of(block, "attention")):
            fail(block, f"{block['path']}attention is missing; add it.")
            return
        kv[index] = block_kv_heads(part_of(block, "attention"), heads[index])
        if kv[index] == 0:
            kinds[index] = "none"
    show(part, "num_kv_heads", largest(kv), "block_configs")


def block_kv_heads(attention: Part, heads: int) -> int:
    """KV heads of one block; 0 if it has no attention."""
    for field in UNKNOWN_BLOCK_FIELDS:
        if is_active(value_of(attention, field)):
            fail(
                attention,
                f"{attention['path']}{field} describes a cache that this reader does not know; "
                "choose another model.",
            )
    without = read_flag(attention, "no_op", False)
    linear = read_flag(attention, "replace_with_linear", False)
    if without or linear:
        return 0
    if value_of(attention, "num_key_value_heads") is not None:
        return checked_whole(attention, "num_key_value_heads", 1, HEAD_LIMIT)
    group = checked_whole(attention, "n_heads_in_group", 1, HEAD_LIMIT)
    if heads % group != 0:
        fail(
            attention,
            f"{attention['path']}n_heads_in_group is {group}, which does not divide {heads} heads; "
            "correct one of the two.",
        )
    return heads // group
