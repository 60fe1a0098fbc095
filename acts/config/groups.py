"""Groups of layers that keep the same cache, as :class:`acts.sizing.LayerGroup` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .families import rule_list
from .heads import HEAD_LIMIT
from .layers import LAYER_LIMIT, TOKEN_LIMIT
from .states import WIDTH_LIMIT, image_tokens
from .values import (
    checked_whole,
    fail,
    is_list,
    is_text,
    need_whole,
    note,
    part_of,
    plain_text,
    present,
    read_flag,
    read_or_default,
    read_whole,
    show,
    value_of,
    value_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..contracts import HeadLayout, OwnLayout, Part, PlainGroup, Rule

#: What per_layer_config may say of one layer.
LAYER_FIELDS = ["head_dim", "num_key_value_heads", "num_attention_heads", "intermediate_size"]
#: Widest latent or indexer key that is still believed, in values.
LATENT_LIMIT = 65536
#: How engines keep an indexer's key: bits a value, values that share a scale, bytes of a scale. FP8 is vLLM's and
#: SGLang's default, MXFP4 what both have for DeepSeek-V4 (use_fp4_indexer_cache: 68 bytes for 128 values), 16 bits
#: transformers'.
INDEXER_TYPES: dict[str, list[int]] = {"fp8": [8, 128, 4], "mxfp4": [4, 32, 1], "bf16": [16, 1, 0]}
#: Tokens that share one latent in DeepSeek-V4's compressed layers, unless compress_rates says otherwise
#: (its configuration class in transformers).
CSA_STRIDE = 4
HCA_STRIDE = 128


def new_group(heads: int, key_width: int, value_width: int, kind: str) -> PlainGroup:
    """A group of no layers yet."""
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
        "full_key_width": 0,
        "full_value_width": 0,
        "latent_value_width": 0,
    }


def same_cache(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two groups keep the same in each layer."""
    return len([field for field in one if field != "layers" and one[field] != other[field]]) == 0


def add_layer(groups: list[PlainGroup], group: PlainGroup) -> None:
    """Count one more layer of ``group``, merged with an equal group."""
    for other in groups:
        if same_cache(other, group):
            other["layers"] = other["layers"] + 1
            return
    group["layers"] = 1
    groups.append(group)


def own_layout(part: Part, rule: Rule, kind: str) -> OwnLayout:
    """KV heads, key and value width that layers of ``kind`` have of their own; 0 where they have none.

    ``kv_times`` multiplies the model's KV heads where the layers have none of their own.
    """
    own: OwnLayout = {"kv": 0, "kv_times": 1, "key": 0, "value": 0}
    by_kind = rule.get("by_kind")
    if by_kind is None or by_kind.get(kind) is None:
        return own
    names = by_kind.get(kind)
    holder = part if names.get("kv_part") is None else part_of(part, names["kv_part"])
    if names.get("kv_times") is not None:
        own["kv_times"] = names["kv_times"]
    flag = names.get("kv_flag")
    if flag is None or read_flag(part, flag, False):
        own["kv"] = read_whole(
            holder, rule_list(names, "kv"), f"num_kv_heads of {kind} layers", HEAD_LIMIT, 0
        )
    own["key"] = read_or_default(
        part, rule_list(names, "head_dim"), f"head_dim of {kind} layers", WIDTH_LIMIT, 0
    )
    values = present(part, rule_list(names, "value"))[:1]
    if len(values) == 0:
        values = rule_list(names, "value")
    own["value"] = read_or_default(part, values, f"value width of {kind} layers", WIDTH_LIMIT, 0)
    return own


def attention_group(head_dim: int, kv: int, own: OwnLayout, kind: str) -> PlainGroup:
    """A group of layers with a key and a value a KV head."""
    key_width = own["key"] if own["key"] > 0 else head_dim
    value_width = own["value"] if own["value"] > 0 else key_width
    return new_group(own["kv"] if own["kv"] > 0 else kv * own["kv_times"], key_width, value_width, kind)


def cross_group(head_dim: int, kv: int, own: OwnLayout, tokens: int) -> PlainGroup:
    """A group of layers that attend over ``tokens`` entries of an image or an encoder's output."""
    group = attention_group(head_dim, kv, own, "cross")
    group["fixed_tokens"] = tokens
    return group


def one_layer(part: Part, own: OwnLayout, index: int) -> OwnLayout:
    """``own`` with what per_layer_config says of one layer; its keys are layer numbers, maybe with zeros before."""
    config = part_of(part, "per_layer_config")
    names = present(config, [f"{index}", f"0{index}", f"00{index}"])
    if len(names) == 0:
        return own
    layer = part_of(config, names[0])
    for field in layer["values"]:
        if field not in LAYER_FIELDS:
            fail(
                layer,
                f"{layer['path']}{plain_text(field)} is not understood for one layer; choose another model.",
            )
    width = read_whole(layer, ["head_dim"], f"head_dim of layer {index}", WIDTH_LIMIT, own["key"])
    kv = read_whole(layer, ["num_key_value_heads"], f"num_kv_heads of layer {index}", HEAD_LIMIT, own["kv"])
    return {"kv": kv, "kv_times": own["kv_times"], "key": width, "value": own["value"]}


def attention_groups(
    root: Part, part: Part, rule: Rule, kinds: list[str], layout: HeadLayout
) -> list[PlainGroup]:
    """Groups of a model whose layers keep a key and a value a KV head.

    ``layout`` holds the window in tokens, the head width and the KV heads of each layer.
    """
    groups: list[PlainGroup] = []
    own = {}
    encoder = encoder_positions(part, rule)
    image = image_tokens(root) if "cross" in kinds else 0
    for index in range(len(kinds)):
        kind = "full" if kinds[index] == "hybrid" else kinds[index]
        if kind not in own:
            own[kind] = own_layout(part, rule, kind)
        kv = layout["kv"][index]
        layer = one_layer(part, own[kind], index)
        if kv > 0 and kind in ["full", "window", "chunk"]:
            group = attention_group(layout["head_dim"], kv, layer, "attention")
            group["window"] = None if kind == "full" else layout["window"]
            add_layer(groups, group)
        if kind == "cross":
            add_layer(groups, cross_group(layout["head_dim"], kv, own[kind], image))
        if encoder > 0:
            add_layer(groups, cross_group(layout["head_dim"], kv, own[kind], encoder))
    return groups


def encoder_positions(part: Part, rule: Rule) -> int:
    """Positions of the encoder that cross-attention keeps, 0 for a decoder alone."""
    encoder = rule.get("encoder")
    if encoder is None:
        return 0
    positions = read_or_default(part, [encoder], "encoder positions", TOKEN_LIMIT, None)
    return checked_whole(part, encoder, 1, TOKEN_LIMIT) if positions is None else positions


def indexer_record(width: int, name: str) -> int:
    """Bytes of an indexer's key of ``width`` values in the type ``name``, its scales included."""
    bits, block, scale = INDEXER_TYPES[name]
    return (width * bits + 7) // 8 + (width + block - 1) // block * scale


def indexer_group(part: Part, width: int, stride: int) -> PlainGroup:
    """An indexer's keys, in a type of their own: the one chosen, else FP8 with a note."""
    group = new_group(1, width, 0, "indexer")
    group["stride"] = stride
    name = part["indexer_type"] if part["indexer_type"] != "" else "fp8"
    part["reading"]["indexer_type"] = name
    record = indexer_record(width, name)
    group["record_bytes"] = record
    if part["indexer_type"] == "":
        note(
            part,
            f"An indexer's key is counted as vLLM and SGLang keep it, FP8 with its scale, {record} bytes, whatever "
            f"the cache type; transformers keeps it at 16 bits, {2 * width}. Choose another type for an engine that "
            "keeps it so.",
        )
    return group


def own_indexers(part: Part, rule: Rule, layers: int) -> list[bool]:
    """For each layer whether it runs an indexer of its own; "shared" ones reuse another layer's choice.

    A list, GLM's index_topk_pattern (F full, S shared), or its schedule by frequency and offset.
    """
    found = present(part, ["indexer_types", "index_topk_pattern"])
    if len(found) == 0:
        frequency = read_whole(
            part, ["index_topk_freq"], "layers an indexer", LAYER_LIMIT, rule["indexer"][0]
        )
        offset = rule["indexer"][1]
        if value_of(part, "index_skip_topk_offset") is not None:
            offset = checked_whole(part, "index_skip_topk_offset", 0, LAYER_LIMIT)
        return [max(index - offset + 1, 0) % frequency == 0 for index in range(layers)]
    types = value_of(part, found[0])
    none = [False for index in range(layers)]
    if not (is_list(types) or is_text(types)) or len(types) < layers:
        fail(
            part,
            f"{part['path']}{found[0]} must list {layers} layers but is {value_text(types)}; correct it.",
        )
        return none
    own = []
    for word in types:
        if not is_text(word) or word not in ["full", "shared", "F", "S"]:
            fail(
                part,
                f"{part['path']}{found[0]} names {value_text(word)}, but only full and shared are known; "
                "correct it.",
            )
            return none
        own.append(word in ["full", "F"])
    show(part, "layers with an indexer", len([yes for yes in own[:layers] if yes]), found[0])
    return own[:layers]


def latent_groups(part: Part, rule: Rule, kinds: list[str]) -> list[PlainGroup]:
    """Groups of an MLA model: one latent a layer, and an indexer's keys where the family has one."""
    groups: list[PlainGroup] = []
    rank = need_whole(part, ["kv_lora_rank"], "latent width", LATENT_LIMIT)
    rope = need_whole(part, ["qk_rope_head_dim"], "rotary key width", LATENT_LIMIT)
    nope = read_whole(part, ["qk_nope_head_dim"], "key width without rotation", LATENT_LIMIT, 0)
    value = read_whole(part, ["v_head_dim"], "value width", LATENT_LIMIT, 0)
    own = [False for kind in kinds]
    key = 0
    if rule.get("indexer") is not None:
        key = need_whole(part, ["index_head_dim"], "indexer key width", LATENT_LIMIT)
        own = own_indexers(part, rule, len(kinds))
    for index in range(len(kinds)):
        if kinds[index] in ["full", "indexed"]:
            group = new_group(1, rank + rope, 0, "latent")
            group["latent_value_width"] = rank
            if nope > 0 and value > 0:
                group["full_key_width"] = nope + rope
                group["full_value_width"] = value
            add_layer(groups, group)
            if own[index]:
                add_layer(groups, indexer_group(part, key, 1))
    return groups


def compressed_groups(part: Part, kinds: list[str], layout: HeadLayout) -> list[PlainGroup]:
    """Groups of DeepSeek-V4: a window of latents in every layer, and one latent for each 4 or 128 tokens.

    Each latent serves as key and value. Layers that keep one for each 4 tokens (CSA) choose among them with
    an indexer of the same stride.
    """
    rates = part_of(part, "compress_rates")
    names = {"csa": "compressed_sparse_attention", "hca": "heavily_compressed_attention"}
    strides = {
        "csa": read_whole(rates, [names["csa"]], "tokens a CSA latent", TOKEN_LIMIT, CSA_STRIDE),
        "hca": read_whole(rates, [names["hca"]], "tokens an HCA latent", TOKEN_LIMIT, HCA_STRIDE),
    }
    groups: list[PlainGroup] = []
    width = layout["head_dim"]
    key = need_whole(part, ["index_head_dim"], "indexer key width", LATENT_LIMIT)
    for kind in kinds:
        recent = new_group(1, width, 0, "latent")
        recent["latent_value_width"] = width
        recent["window"] = layout["window"]
        add_layer(groups, recent)
        if kind in ["csa", "hca"]:
            packed = new_group(1, width, 0, "latent")
            packed["latent_value_width"] = width
            packed["stride"] = strides[kind]
            add_layer(groups, packed)
        if kind == "csa":
            add_layer(groups, indexer_group(part, key, strides["csa"]))
    return groups


def compressor_bytes(groups: list[PlainGroup]) -> int:
    """State of DeepSeek-V4's CSA layers: 16-bit values and gates of a stride of tokens.

    They compress latents and, with the same stride, the indexer's keys.
    """
    total = 0
    strides = [group["stride"] for group in groups if group["kind"] == "indexer" and group["stride"] > 1]
    for group in groups:
        if group["stride"] in strides:
            total = total + group["layers"] * group["stride"] * group["key_width"] * 2 * 2
    return total
