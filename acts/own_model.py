"""A model of one's own: the shape that a config gave, as a short text that a link can carry, and back.

Pure functions, compiled by :mod:`acts.twin`. A shape here is the plain data that
:func:`acts.config.reader.read_shape` returns. The text is digits and a few letters, so that an address stays
legible: ``1.32.32.8030261248.8030261248.0.8192_32.8.128.128*Name`` is the format's version, query heads,
layers, parameters, active parameters, state bytes and longest context, then one part for each group of layers
(layers, KV heads, key and value width, and by letter what only some groups have), then the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .bounds import BOUNDS, EXACT_LIMIT, MOST_PARAMETERS
from .text import number_refusal, text_whole

if TYPE_CHECKING:
    from .contracts import Fields, OwnRead

#: The id under which the model stands in the catalog; there is one at a time.
OWN_MODEL = "custom"

#: What the address and the parameters may hold, in characters.
OWN_LONGEST = 4000
OWN_NAME_LONGEST = 60

#: Least and most of each number: the config reader's own bounds, but for heads, each of which the page draws.
OWN_BOUNDS: dict[str, list[int]] = {
    "num_attention_heads": [0, 4096],
    "num_hidden_layers": [1, 4096],
    "parameters": [1, MOST_PARAMETERS],
    "active_parameters": [1, MOST_PARAMETERS],
    "state_bytes": [0, 1099511627776],
    "max_context": [0, 1073741824],
    "layers": [1, 4096],
    "num_kv_heads": [1, 4096],
    "key_width": [1, 1048576],
    "value_width": [0, 1048576],
    "window": [1, 1073741824],
    "fixed_tokens": [0, 1073741824],
    "stride": [1, 256],
    "record_bytes": [0, 1048576],
    "full_key_width": [0, 1048576],
    "full_value_width": [0, 1048576],
    "latent_value_width": [0, 1048576],
    "experts": [0, 65536],
    "experts_per_token": [0, 65536],
    "expert_parameters": [0, MOST_PARAMETERS],
    "unread_parameters": [0, MOST_PARAMETERS],
}

OWN_HEAD = ["num_attention_heads", "num_hidden_layers", "parameters", "active_parameters", "state_bytes"]
OWN_GROUP = ["layers", "num_kv_heads", "key_width", "value_width"]

#: Letters of what a shape may have besides, 0 where it has none.
OWN_HEAD_MORE: dict[str, str] = {
    "e": "experts",
    "k": "experts_per_token",
    "x": "expert_parameters",
    "n": "unread_parameters",
}

#: Letters of what a group may have besides, and what stands where it has none.
OWN_MORE: dict[str, str] = {
    "w": "window",
    "f": "fixed_tokens",
    "s": "stride",
    "r": "record_bytes",
    "u": "full_key_width",
    "v": "full_value_width",
    "l": "latent_value_width",
}
OWN_ABSENT: dict[str, int | None] = {
    "window": None,
    "fixed_tokens": None,
    "stride": 1,
    "record_bytes": None,
    "full_key_width": 0,
    "full_value_width": 0,
    "latent_value_width": 0,
}
OWN_KINDS: dict[str, str] = {"kl": "latent", "kc": "cross", "ki": "indexer"}


def own_model(name: str, shape: Fields, max_context: int) -> dict[str, Any]:
    """The catalog's row of a shape."""
    return {
        "id": OWN_MODEL,
        "name": own_name(name),
        "attention": own_attention(shape),
        "shape": shape,
        "max_context": max_context,
        "source": "a config.json of your own",
        "checked": "",
    }


def own_attention(shape: Fields) -> str:
    """The scheme in the field's words."""
    latent = len([group for group in shape["groups"] if group["kind"] == "latent"])
    windows = len([group for group in shape["groups"] if group["window"] is not None])
    if len(shape["groups"]) == 0:
        return "no attention"
    if shape["state_bytes"] > 0:
        return "hybrid"
    if latent > 0:
        return "MLA"
    if windows > 0:
        return "sliding window"
    heads = shape["groups"][0]["num_kv_heads"]
    if heads == shape["num_attention_heads"]:
        return "MHA"
    return "MQA" if heads == 1 else "GQA"


def own_name(text: str) -> str:
    """``text`` as a name: one line of at most 60 visible characters, none that turns the line around."""
    out = ""
    gap = False
    for character in text:
        code = ord(character)
        if code <= 32 or code == 160:
            gap = out != ""
        elif own_visible(code) and len(out) < OWN_NAME_LONGEST:
            if gap and len(out) < OWN_NAME_LONGEST - 1:
                out = out + " "
            gap = False
            out = out + character
    return out if out != "" else "Your model"


def own_title(reading: Fields) -> str:
    """What to call the model of a reading: the end of the name its file has, since that may be a path, or its type."""
    name = reading["name"]
    for separator in ["/", chr(92)]:
        parts = [part for part in name.split(separator) if part != ""]
        if len(parts) > 0:
            name = parts[len(parts) - 1]
    return own_name(name if name != "" else reading["model_type"])


def own_visible(code: int) -> bool:
    """Whether a character of this code can be seen and stands where it is written; no surrogates."""
    if code < 127:
        return True
    hidden = code < 161 or code in [173, 1564] or 8203 <= code <= 8207 or 8232 <= code <= 8238
    return code < 55296 and not hidden and not 8288 <= code <= 8303


def own_text(name: str, shape: Fields, max_context: int) -> str:
    """The shape and its name as text, see the module."""
    head = "1"
    for field in OWN_HEAD:
        head = head + "." + str(shape[field])
    head = head + "." + str(max_context)
    for letter, field in OWN_HEAD_MORE.items():
        if shape.get(field, 0) > 0:
            head = head + "." + letter + str(shape[field])
    parts = [head]
    for group in shape["groups"]:
        parts.append(own_group_text(group))
    return "_".join(parts) + "*" + own_name(name)


def own_group_text(group: Fields) -> str:
    """One group of layers as text."""
    numbers = [str(group[field]) for field in OWN_GROUP]
    for letter, field in OWN_MORE.items():
        value = group.get(field, OWN_ABSENT[field])
        if value != OWN_ABSENT[field]:
            numbers.append(letter + str(value))
    for mark, kind in OWN_KINDS.items():
        if kind == group["kind"]:
            numbers.append(mark)
    return ".".join(numbers)


def own_read(text: str) -> OwnRead:
    """What a text stands for: {"error": a sentence} or {"error": "", "model": the catalog's row}."""
    star = text.find("*")
    if len(text) > OWN_LONGEST or star < 0:
        return {"error": "This is not the shape of a model."}
    parts = text[:star].split("_")
    texts = parts[0].split(".")
    head = own_numbers(texts[: len(OWN_HEAD) + 2])
    shape = own_head_more(texts[len(OWN_HEAD) + 2 :])
    if len(head) != len(OWN_HEAD) + 2 or head[0] != 1 or shape is None:
        return {"error": "This is not the shape of a model, or one of a newer page."}
    for place in range(len(OWN_HEAD)):
        shape[OWN_HEAD[place]] = head[place + 1]
    shape["groups"] = []
    for part in parts[1:]:
        group = own_group(part.split("."))
        if group is None:
            return {"error": "A group of layers in this shape cannot be read."}
        shape["groups"].append(group)
    error = own_fault(shape, head[len(OWN_HEAD) + 1])
    if error != "":
        return {"error": error}
    return {"error": "", "model": own_model(text[star + 1 :], shape, head[len(OWN_HEAD) + 1])}


def own_head_more(texts: list[str]) -> dict[str, Any] | None:
    """The fields of a shape that have letters; None if a text is none of them."""
    shape: dict[str, Any] = {}
    for field in OWN_HEAD_MORE.values():
        shape[field] = 0
    for text in texts:
        number = own_numbers([text[1:]])
        if len(number) != 1 or text[:1] not in OWN_HEAD_MORE:
            return None
        shape[OWN_HEAD_MORE[text[:1]]] = number[0]
    return shape


def own_numbers(texts: list[str]) -> list[int]:
    """The whole numbers that all ``texts`` are; an empty list if one is not."""
    numbers = []
    for text in texts:
        if len(text) == 0 or len(text) > 15:
            return []
        for character in text:
            if "0123456789".find(character) < 0:
                return []
        numbers.append(int(text))
    return numbers


def own_group(texts: list[str]) -> dict[str, Any] | None:
    """A group of layers from its parts, None if they are no group."""
    numbers = own_numbers(texts[:4])
    if len(numbers) != 4:
        return None
    group: dict[str, Any] = {}
    for place in range(4):
        group[OWN_GROUP[place]] = numbers[place]
    for field, absent in OWN_ABSENT.items():
        group[field] = absent
    group["kind"] = "attention"
    for text in texts[4:]:
        if not own_group_more(group, text):
            return None
    return group


def own_group_more(group: dict[str, Any], text: str) -> bool:
    """Puts what ``text`` says into the group; whether it says anything."""
    for mark, kind in OWN_KINDS.items():
        if text == mark:
            group["kind"] = kind
            return True
    value = own_numbers([text[1:]])
    for letter, field in OWN_MORE.items():
        if len(value) == 1 and text[:1] == letter:
            group[field] = value[0]
            return True
    return False


def own_fault(shape: Fields, max_context: int) -> str:
    """Why a shape cannot be used, in a sentence; "" if it can."""
    total = shape["state_bytes"]
    error = own_refusal("max_context", max_context)
    for field in OWN_HEAD:
        error = error if error != "" else own_refusal(field, shape[field])
    for field in OWN_HEAD_MORE.values():
        error = error if error != "" else own_refusal(field, shape.get(field, 0))
    for group in shape["groups"]:
        error = error if error != "" else own_group_fault(group)
        total = total + own_most_bytes(group)
    if error != "":
        return error
    if shape["active_parameters"] > shape["parameters"]:
        return "A token cannot pass through more parameters than the model has."
    if shape.get("expert_parameters", 0) + shape.get("unread_parameters", 0) > shape["parameters"]:
        return "Its experts and what no step reads have more parameters than the model."
    if shape.get("experts_per_token", 0) > shape.get("experts", 0):
        return "A token cannot be sent to more experts than a layer has."
    users = BOUNDS["users"][1]
    if total * users >= EXACT_LIMIT:
        tokens = text_whole(BOUNDS["context"][1])
        return f"Its cache would be larger than any model's at {tokens} tokens and {text_whole(users)} users."
    return ""


def own_group_fault(group: Fields) -> str:
    """Why a group of layers cannot be used; "" if it can."""
    for field in OWN_GROUP:
        error = own_refusal(field, group[field])
        if error != "":
            return error
    for field, absent in OWN_ABSENT.items():
        value = group.get(field, absent)
        if value != absent and own_refusal(field, value) != "":
            return own_refusal(field, value)
    return ""


def own_refusal(field: str, value: int) -> str:
    """The sentence for a number out of its bounds; "" for one within."""
    bounds = OWN_BOUNDS[field]
    if bounds[0] <= value <= bounds[1]:
        return ""
    return number_refusal(field, str(value), True, bounds[0], bounds[1]) + "."


def own_most_bytes(group: Fields) -> int:
    """Bytes a group may hold for one sequence at the longest context, 16 bits a value."""
    entry = group["num_kv_heads"] * (group["key_width"] + group["value_width"]) * 2
    if group["record_bytes"] is not None:
        entry = max(entry, group["record_bytes"])
    tokens = BOUNDS["context"][1]
    if group["fixed_tokens"] is not None:
        tokens = group["fixed_tokens"]
    return group["layers"] * entry * tokens


def own_with_parameters(shape: Fields, parameters: int) -> dict[str, Any]:
    """``shape`` with its number of parameters as given; the active ones keep their share."""
    changed: dict[str, Any] = {}
    for field in OWN_HEAD:
        changed[field] = shape[field]
    for field in OWN_HEAD_MORE.values():
        changed[field] = shape.get(field, 0)
    changed["groups"] = shape["groups"]
    active = parameters
    if shape["parameters"] > 0 and shape["active_parameters"] < shape["parameters"]:
        active = max(1, int(parameters * (shape["active_parameters"] / shape["parameters"])))
    changed["parameters"] = parameters
    changed["active_parameters"] = min(parameters, active)
    for field in ["expert_parameters", "unread_parameters"]:
        if shape["parameters"] > 0:
            changed[field] = int(parameters * (changed[field] / shape["parameters"]))
    return changed


def own_with_queries(name: str, shape: Fields, max_context: int, queries: int) -> str:
    """The text of ``shape`` with ``queries`` query heads: the same cache, shared by more heads or by fewer.

    Layers whose KV heads no longer divide them keep the most that do. The parameters stay as they are.
    """
    changed = own_with_parameters(shape, shape["parameters"])
    changed["num_attention_heads"] = queries
    changed["groups"] = [own_regrouped(group, queries) for group in shape["groups"]]
    return own_text(own_queries_name(name, queries), changed, max_context)


def own_regrouped(group: Fields, queries: int) -> dict[str, Any]:
    """A copy of a group of layers with as many of its KV heads as divide ``queries`` query heads."""
    changed: dict[str, Any] = {"kind": group["kind"]}
    for field in OWN_GROUP:
        changed[field] = group[field]
    for field, absent in OWN_ABSENT.items():
        changed[field] = group.get(field, absent)
    if group["kind"] == "attention":
        heads = min(group["num_kv_heads"], queries)
        while queries % heads > 0:
            heads = heads - 1
        changed["num_kv_heads"] = heads
    return changed


def own_queries_name(name: str, queries: int) -> str:
    """What to call a model with other query heads: "Llama 3 8B, 64 query heads"."""
    parts = name.split(", ")
    if len(parts) > 1 and parts[len(parts) - 1].find(" query head") > 0:
        parts = parts[: len(parts) - 1]
    ending = ", " + str(queries) + (" query head" if queries == 1 else " query heads")
    return ", ".join(parts)[: OWN_NAME_LONGEST - len(ending)] + ending
