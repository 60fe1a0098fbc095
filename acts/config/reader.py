"""A Hugging Face config.json -> what decides the size of the model's cache, or a sentence that says why not.

:func:`read_shape` is the whole of it: a pure function of a parsed file, run by Python and, compiled, by the
browser. It never raises and never guesses: what the file leaves open is either documented by the family's
configuration class (and noted) or refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bounds import BOUNDS, EXACT_LIMIT, MOST_PARAMETERS
from ..text import text_whole
from .checkpoint import declared_weights
from .declared import declared_cache
from .defaults import CLASS_DEFAULTS, DEFAULT_COLUMNS, WRAPPER_DEFAULTS
from .document import wrong_object
from .families import family_name, family_rule, row_named, rule_names
from .fields import TEXT_PARTS
from .gates import check_decoder, check_layout_fields, check_suspects, check_unknown
from .groups import attention_groups, compressed_groups, compressor_bytes, latent_groups
from .heads import apply_blocks, check_heads, largest, read_head_dim, read_heads, read_kv_heads
from .layers import LAYER_LIMIT, TOKEN_LIMIT, layer_kinds, read_window, without_shared
from .states import layer_state_bytes
from .values import (
    VALUE_LIMIT,
    fail,
    failed,
    is_active,
    is_list,
    is_object,
    is_text,
    is_whole,
    need_whole,
    new_part,
    note,
    part_of,
    plain_copy,
    plain_text,
    present,
    read_flag,
    read_whole,
    show,
    value_of,
    value_text,
)
from .weights import add_counts, estimate_weights

if TYPE_CHECKING:
    from ..contracts import HeadLayout, Notebook, Part, PlainGroup, PlainShape, Reading, Rule

#: What a model_type that is not in the table may list in layer_types: kinds whose field gives their size.
UNKNOWN_RULE = {"kinds": ["window"], "window_use": "unknown"}
#: Fields that a wrapper and the model inside must agree on if both have them.
SHARED_FIELDS = ["num_hidden_layers", "num_attention_heads", "num_key_value_heads"]


def language_part(root: Part) -> Part:
    """The part of the file that describes the language model, inside wrappers with vision and audio."""
    part = root
    while True:
        inner = [name for name in TEXT_PARTS if is_active(part_of(part, name)["values"])]
        if len(inner) == 0:
            return part
        if len(inner) > 1:
            fail(
                part,
                f"{part['path']}{inner[0]} and {inner[1]} both describe a language model; "
                "remove the one that is not meant.",
            )
        nested = part_of(part, inner[0])
        nested["inner"] = True
        check_agreement(part, nested)
        part = nested


def check_agreement(part: Part, nested: Part) -> None:
    """Refuse a wrapper whose own dimensions contradict those of the model inside."""
    for field in SHARED_FIELDS:
        outside = value_of(part, field)
        inside = value_of(nested, field)
        if is_whole(outside) and is_whole(inside) and outside != inside:
            fail(
                part,
                f"{nested['path']}{field} is {inside} but {part['path']}{field} is {outside}, "
                "which contradicts it; remove the wrong one.",
            )


def read_model_type(root: Part, part: Part) -> str:
    """The model_type of the language model; the file's own where the inner part does not name one."""
    for holder in [part, root]:
        value = value_of(holder, "model_type")
        if is_text(value) and value != "":
            return value
        if value is not None and not is_text(value):
            fail(holder, f"{holder['path']}model_type must be text but is {value_text(value)}; correct it.")
    return ""


def wrapper_family(root: Part, part: Part, model_type: str) -> str:
    """The wrapper's model_type where the inner one is unknown but begins with it, such as exaone4_5_text."""
    outside = value_of(root, "model_type")
    if (
        not is_text(outside)
        or outside == ""
        or not model_type.startswith(outside)
        or family_name(outside) == ""
    ):
        return model_type
    note(
        part,
        f'model_type "{plain_text(model_type)}" is read as {family_name(outside)}, which {outside} wraps.',
    )
    return outside


def family_defaults(root: Part, rule: Rule, model_type: str) -> dict[str, Any]:
    """What the class of a language model puts in where its part is silent, in a wrapper what the wrapper's does."""
    rows = [rule.get("defaults", {}), class_defaults(CLASS_DEFAULTS, family_name(model_type))]
    outside = value_of(root, "model_type")
    if is_text(outside):
        rows.append(class_defaults(WRAPPER_DEFAULTS, outside))
    found = {}
    for row in rows:
        for name in row:
            found[name] = row[name]
    return found


def class_defaults(rows: list[list[Any]], name: str) -> dict[str, int]:
    """The fields in the row of ``name`` of a table in defaults.py; none if it has no row."""
    found: dict[str, int] = {}
    row = row_named(rows, name)
    if row is None:
        return found
    for place in range(len(DEFAULT_COLUMNS)):
        if row[1][place] > 0:
            found[DEFAULT_COLUMNS[place]] = row[1][place]
    for field in row[2]:
        found[field] = row[2][field]
    return found


def read_layers(part: Part, rule: Rule) -> int:
    """Number of layers, which Nemotron-H may leave to its list, and LongCat counts in pairs."""
    names = rule_names(rule, "layers")
    found = present(part, names)
    if rule.get("first_name") is not None and len(found) > 0:
        names = found[:1]
    by_list = rule.get("layers_from")
    if len(found) == 0 and by_list is not None and is_list(value_of(part, by_list)):
        layers = len(value_of(part, by_list))
        show(part, "num_hidden_layers", layers, by_list)
        if layers < 1 or layers > LAYER_LIMIT:
            fail(
                part,
                f"{part['path']}{by_list} lists {layers} layers, outside 1 to {LAYER_LIMIT}; correct it.",
            )
            return 1
        return layers
    layers = need_whole(part, names, "num_hidden_layers", LAYER_LIMIT)
    return layers * 2 if rule.get("layers_times") is not None else layers


def read_layout(part: Part, rule: Rule, kinds: list[str]) -> HeadLayout:
    """Query and KV heads of each layer, and the width of a head; zeros where a model has no such heads.

    "latent" says that an MLA latent stands for all of a layer's KV heads.
    """
    none = [0 for kind in kinds]
    if rule.get("headless") is not None:
        return {"heads": none, "kv": none, "head_dim": 1, "latent": False}
    heads = read_heads(part, rule, len(kinds))
    if rule.get("latent") is not None and read_flag(part, "use_mla", True):
        return {"heads": heads, "kv": none, "head_dim": 1, "latent": True}
    layout: HeadLayout = {
        "heads": heads,
        "kv": read_kv_heads(part, rule, heads),
        "head_dim": 1,
        "latent": False,
    }
    layout["head_dim"] = read_head_dim(part, rule, heads[0])
    apply_blocks(part, heads, kinds, layout["kv"])
    check_heads(part, heads, layout["kv"])
    return layout


def read_groups(root: Part, part: Part, rule: Rule, kinds: list[str], layout: HeadLayout) -> list[PlainGroup]:
    """Groups of layers that keep the same cache."""
    if layout["latent"]:
        return latent_groups(part, rule, kinds)
    if "csa" in kinds or "hca" in kinds:
        return compressed_groups(part, kinds, layout)
    return attention_groups(root, part, rule, kinds, layout)


def read_state(part: Part, rule: Rule, kinds: list[str], layout: HeadLayout) -> int:
    """Bytes of state that all layers hold together."""
    layers = len([kind for kind in kinds if kind in ["state", "conv", "hybrid"]])
    if layers == 0:
        return 0
    return layers * layer_state_bytes(part, rule["state"], layout["heads"][0], layout["head_dim"])


def read_sizes(root: Part, part: Part, rule: Rule, kinds: list[str], layout: HeadLayout) -> PlainShape:
    """The fields of :class:`acts.sizing.Shape` but the parameters."""
    groups = read_groups(root, part, rule, kinds, layout)
    state = read_state(part, rule, kinds, layout) + compressor_bytes(groups)
    return {
        "groups": groups,
        "num_attention_heads": largest(layout["heads"]),
        "num_hidden_layers": len(kinds),
        "parameters": 0,
        "active_parameters": 0,
        "state_bytes": state,
    }


def check_sizes(part: Part, shape: PlainShape) -> None:
    """Refuse a shape whose bytes both languages could not count exactly."""
    longest = BOUNDS["context"][1]
    users = BOUNDS["users"][1]
    total = shape["state_bytes"] * users
    for group in shape["groups"]:
        entry = group["num_kv_heads"] * (group["key_width"] + group["value_width"]) * 2
        tokens = longest
        if group["fixed_tokens"] is not None:
            tokens = group["fixed_tokens"]
        elif group["window"] is not None:
            tokens = max(tokens, group["window"])
        total = total + group["layers"] * entry * tokens * users
    if total >= EXACT_LIMIT or shape["parameters"] > MOST_PARAMETERS:
        fail(
            part,
            f"The config's dimensions give a cache beyond 2**53 bytes at {text_whole(longest)} tokens and "
            f"{text_whole(users)} users, larger than any model's; correct them.",
        )


def add_notes(part: Part, shape: PlainShape) -> None:
    """Notes on what is not counted and what is estimated."""
    extra = value_of(part, "num_nextn_predict_layers")
    if is_whole(extra) and extra > 0:
        note(
            part,
            f"{extra} extra prediction layers are not counted; an engine caches them only when it uses them.",
        )
    if shape["parameters"] > 0:
        note(part, "Parameters are estimated from dimensions: the language model alone.")
    else:
        note(part, "The number of parameters cannot be told from this file; enter it.")


def name_of(root: Part) -> str:
    """The model's name as the file has it, as plain text; empty if it has none."""
    for field in ["_name_or_path", "name"]:
        value = value_of(root, field)
        if is_text(value) and value != "":
            return plain_text(value)
    return ""


def read_shape(config: Any, state_type: Any = "", indexer_type: Any = "") -> Reading:
    """What of a parsed config.json decides the size of its model's cache.

    ``config`` is anything a JSON file can hold; ``state_type``, a name of STATE_TYPES, is the type in which an engine
    keeps recurrent states, whatever the file says; "" follows the file. ``indexer_type``, a name of INDEXER_TYPES, is
    that of an indexer's keys, which no file says; "" counts FP8. Returns {"error": one sentence}, or

    shape        the fields of :class:`acts.sizing.Shape`
    fields       rows {"factor", "value", "field"}: which field of the file gave which factor
    notes        sentences on defaults, estimates and what is not counted
    cache        id of the cache type that the file declares, None if it declares none
    weights      id of the weight type that the checkpoint holds, None if the file does not say
    state_type   the type in which recurrent states are counted, "" if there are none
    indexer_type  that in which an indexer's keys are counted, "" if there is none
    weights_bytes  bytes of the weights, 0 where, as in a config.json, nothing gives them
    max_context  longest context in tokens, 0 if the file does not say
    model_type   of the language model, as text
    name         of the model, as text, "" if the file has none
    """
    if not is_object(config):
        return {
            "error": f"A config.json holds an object, but this is {value_text(config)}; paste the whole file."
        }
    budget = [VALUE_LIMIT]
    root = new_part(plain_copy(config, 0, budget))
    if budget[0] < 0:
        return {"error": "The file is nested too deep or too large for a config; paste config.json itself."}
    mistaken = wrong_object(root["values"])
    if mistaken != "":
        return {"error": mistaken}
    part = language_part(root)
    part["state_type"] = state_type
    part["indexer_type"] = indexer_type
    model_type = read_model_type(root, part)
    rule = family_rule(model_type)
    check_decoder(part)
    if rule is None and part["inner"]:
        model_type = wrapper_family(root, part, model_type)
        rule = family_rule(model_type)
    if rule is None:
        rule = UNKNOWN_RULE
        check_unknown(part, model_type)
    elif rule.get("refuse") is not None:
        fail(
            part,
            f'model_type "{plain_text(model_type)}" cannot be sized: {rule["refuse"]}; choose another model.',
        )
    else:
        check_layout_fields(part, rule, model_type)
        check_suspects(part, rule, model_type)
    reading = part["reading"] if failed(part) else read_family(root, part, rule, model_type)
    return {"error": reading["error"]} if reading["error"] != "" else reading["result"]


def read_family(root: Part, part: Part, rule: Rule, model_type: str) -> Notebook:
    """The reading of a file whose family's rule is known; its "result" stands if it has no error."""
    reading = part["reading"]
    part["defaults"] = family_defaults(root, rule, model_type)
    layers = read_layers(part, rule)
    context = read_whole(part, present(part, rule_names(rule, "context"))[:1], "max_context", TOKEN_LIMIT, 0)
    window = read_window(part, rule)
    if failed(part):
        return reading
    kinds = layer_kinds(part, rule, layers, window, context)
    if kinds is None:
        return reading
    kinds = without_shared(part, rule, kinds)
    layout = read_layout(part, rule, kinds)
    layout["window"] = window
    cache = declared_cache(root, part)
    if failed(part):
        return reading
    shape = read_sizes(root, part, rule, kinds, layout)
    add_counts(shape, estimate_weights(root, part, rule, model_type, layout))
    check_sizes(part, shape)
    add_notes(part, shape)
    reading["result"] = {
        "shape": shape,
        "fields": reading["fields"],
        "notes": reading["notes"],
        "cache": cache,
        "weights": declared_weights(root, part),
        "state_type": reading["state_type"],
        "indexer_type": reading["indexer_type"],
        "weights_bytes": 0,
        "max_context": context,
        "model_type": plain_text(model_type),
        "name": name_of(root),
    }
    return reading
