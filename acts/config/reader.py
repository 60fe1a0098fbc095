"""A Hugging Face config.json -> what of the model decides the size of its cache, or a sentence that says why not.

:func:`read_shape` is the whole of it: a pure function of a parsed file, run by Python and, compiled, by the
browser. It never raises and never guesses: what the file leaves open is either documented by the family's
configuration class (and noted) or refused.
"""

from __future__ import annotations

from .caches import (
    add_layer,
    attention_group,
    check_heads,
    encoder_positions,
    indexer_group,
    indexer_layers,
    kind_override,
    largest,
    nas_kinds,
    new_group,
    read_head_dim,
    read_heads,
    read_kv_heads,
    read_latent_width,
)
from .declared import declared_cache
from .fields import HARMLESS_SUSPECTS, LAYOUT_FIELDS, NAMES, PLAIN_FIELDS, SUSPECT_WORDS, TEXT_PARTS
from .layers import (
    LAYER_LIMIT,
    TOKEN_LIMIT,
    check_layout_fields,
    family_rule,
    layer_kinds,
    read_window,
    rule_list,
    rule_names,
    without_shared,
)
from .states import WIDTH_LIMIT, image_tokens, state_bytes
from .values import (
    EXACT_LIMIT,
    VALUE_LIMIT,
    fail,
    is_active,
    is_list,
    is_object,
    is_text,
    is_whole,
    new_reading,
    need_whole,
    note,
    part_of,
    plain_copy,
    plain_text,
    present,
    read_flag,
    read_whole,
    show,
    value_text,
)
from .weights import estimate_weights

#: Tokens and users at which every byte count must still be a whole number both languages hold.
LARGEST_CONTEXT = 1048576
MOST_USERS = 1024
#: What a model_type that is not in the table may list in layer_types: kinds whose field gives their size.
UNKNOWN_RULE = {"kinds": ["window", "chunk"], "window_use": "unknown"}
#: Tokens that share one latent in DeepSeek-V4's compressed layers.
CSA_STRIDE = 4
HCA_STRIDE = 128
#: Suspect words that are at home in a family whose layers keep a state.
STATE_WORDS = ["mamba", "ssm_", "recurrent", "linear_attn", "linear_attention"]


def language_part(reading, root):
    """The part of the file that describes the language model, past wrappers with vision and audio beside it."""
    part = root
    while True:
        inner = [
            name
            for name in TEXT_PARTS
            if is_object(part["values"].get(name)) and is_active(part["values"].get(name))
        ]
        if len(inner) == 0:
            return part
        if len(inner) > 1:
            fail(
                reading,
                f"{part['path']}{inner[0]} and {inner[1]} both describe a language model; remove the one that is not meant.",
            )
        nested = part_of(part, inner[0])
        for field in ["num_hidden_layers", "num_key_value_heads", "num_attention_heads"]:
            outside = part["values"].get(field)
            inside = nested["values"].get(field)
            if is_whole(outside) and is_whole(inside) and outside != inside:
                fail(
                    reading,
                    f"{nested['path']}{field} is {inside} but {part['path']}{field} is {outside}, which contradicts it; "
                    "remove the wrong one.",
                )
        part = nested


def read_model_type(reading, root, part):
    """The model_type of the language model; the file's own where the inner part does not name one."""
    for holder in [part, root]:
        value = holder["values"].get("model_type")
        if is_text(value) and value != "":
            return value
        if value is not None and not is_text(value):
            fail(reading, f"{holder['path']}model_type must be text but is {value_text(value)}; correct it.")
    return ""


def is_suspect(field, rule):
    """Whether an unknown field's name speaks of what is cached."""
    if is_plain(field) or field in HARMLESS_SUSPECTS or field in LAYOUT_FIELDS:
        return False
    for word in SUSPECT_WORDS:
        if word in field and not (rule.get("state") is not None and word in STATE_WORDS):
            return True
    return False


def is_plain(field):
    """Whether a field is known to leave the cache as it is, or is one of the plain dimensions."""
    if field in PLAIN_FIELDS:
        return True
    for name in NAMES:
        if field in NAMES[name]:
            return True
    return False


def check_unknown(reading, part, model_type):
    """Read a model_type that is not in the table only if every field that says something is understood."""
    worst = ""
    for field in part["values"]:
        if not is_plain(field) and is_active(part["values"].get(field)):
            text = plain_text(field)
            if worst == "" or text < worst:
                worst = text
    named = f'model_type "{plain_text(model_type)}"' if model_type != "" else "a file without model_type"
    if worst != "":
        fail(
            reading,
            f"{part['path']}{worst} is not understood in {named}, which this reader does not know, so its cache layout "
            "is unclear; name a known model_type if it is built like one.",
        )
    note(reading, f"{named} is not known; it is read as a plain decoder because every field is understood.")


def check_suspects(reading, part, rule, model_type):
    """Refuse a field that nobody here has heard of but whose name says that it changes the cache."""
    for field in part["values"]:
        if is_suspect(field, rule) and is_active(part["values"].get(field)):
            fail(
                reading,
                f'{part["path"]}{plain_text(field)} is not understood for model_type "{plain_text(model_type)}", and its '
                "name suggests that it changes the cache; remove it if it does not.",
            )
            return


def read_layers(reading, part, rule):
    """Number of layers, which Nemotron-H may leave to its list, and LongCat counts in pairs."""
    names = rule_names(rule, "layers")
    if rule.get("first_name") is not None:
        names = present(part, names)[:1] if len(present(part, names)) > 0 else names
    if rule.get("layers_from") is not None and len(present(part, names)) == 0:
        entries = part["values"].get(rule["layers_from"])
        if is_list(entries) and len(entries) > 0:
            show(reading, "num_hidden_layers", len(entries), part["path"] + rule["layers_from"])
            return len(entries)
    layers = need_whole(reading, part, names, "num_hidden_layers", 1, LAYER_LIMIT)
    return layers * 2 if rule.get("layers_times") is not None else layers


def latent_layers(reading, part, rule, kinds):
    """Groups of an MLA model: one latent a layer, and an indexer's keys where the family has one."""
    groups = []
    width = read_latent_width(reading, part)
    indexes = rule.get("indexer") is not None and is_active(part["values"].get("index_head_dim"))
    if rule.get("indexer") is not None and not indexes:
        fail(
            reading, f"{part['path']}index_head_dim is missing, and this family's indexer keeps keys; add it."
        )
    own = []
    if indexes:
        key = need_whole(reading, part, ["index_head_dim"], "indexer key width", 1, WIDTH_LIMIT)
        own = indexer_layers(reading, part, len(kinds))
    for index in range(len(kinds)):
        if kinds[index] == "full" or kinds[index] == "indexed":
            add_layer(groups, new_group(1, width, 0, "latent"))
            if indexes and own[index]:
                add_layer(groups, indexer_group(key, 1))
    return groups


def compressed_layers(reading, part, kinds, window, head_dim):
    """Groups of DeepSeek-V4: a window of latents in every layer, and one latent for each 4 or 128 tokens.

    Each latent serves as key and value. Layers that keep one for each 4 tokens (CSA) choose among them with
    an indexer of the same stride.
    """
    groups = []
    key = need_whole(reading, part, ["index_head_dim"], "indexer key width", 1, WIDTH_LIMIT)
    for kind in kinds:
        recent = new_group(1, head_dim, 0, "latent")
        recent["window"] = window
        add_layer(groups, recent)
        if kind == "csa" or kind == "hca":
            packed = new_group(1, head_dim, 0, "latent")
            packed["stride"] = CSA_STRIDE if kind == "csa" else HCA_STRIDE
            add_layer(groups, packed)
        if kind == "csa":
            add_layer(groups, indexer_group(key, CSA_STRIDE))
    return groups


def compressor_bytes(head_dim, key, kinds):
    """State of DeepSeek-V4's compressors: the last closed window's overlap, values and gates, in CSA layers."""
    layers = 0
    for kind in kinds:
        if kind == "csa":
            layers = layers + 1
    return layers * CSA_STRIDE * (head_dim + key) * 2 * 2


def attention_layers(reading, root, part, rule, kinds, window, head_dim, kv):
    """Groups of a model whose layers keep a key and a value a KV head."""
    groups = []
    encoder = encoder_positions(reading, part, rule)
    own = {}
    for index in range(len(kinds)):
        kind = "full" if kinds[index] == "hybrid" else kinds[index]
        if kind not in own:
            own[kind] = kind_override(reading, part, rule, kind)
        if kv[index] > 0 and (kind == "full" or kind == "window" or kind == "chunk"):
            group = attention_group(head_dim, kv[index], own[kind], "attention")
            group["window"] = None if kind == "full" else window
            add_layer(groups, group)
        if kind == "cross":
            group = attention_group(head_dim, kv[index], own[kind], "cross")
            group["fixed_tokens"] = image_tokens(reading, root)
            add_layer(groups, group)
        if encoder > 0:
            group = attention_group(head_dim, kv[index], own[kind], "cross")
            group["fixed_tokens"] = encoder
            add_layer(groups, group)
    return groups


def layers_with_state(kinds):
    """How many layers keep a state."""
    count = 0
    for kind in kinds:
        if kind == "state" or kind == "conv" or kind == "hybrid":
            count = count + 1
    return count


def usable_window(reading, window, context):
    """The window, or 0 with a note when no sequence of this model is longer."""
    if window > 0 and context > 0 and window >= context:
        note(
            reading,
            f"The window of {window} tokens is not below the longest context, {context}, so it never applies.",
        )
        return 0
    return window


def check_sizes(reading, shape):
    """Refuse a shape whose bytes both languages could not count exactly."""
    total = shape["state_bytes"] * MOST_USERS
    for group in shape["groups"]:
        entry = group["num_kv_heads"] * (group["key_width"] + group["value_width"]) * 2
        tokens = LARGEST_CONTEXT
        if group["window"] is not None:
            tokens = max(tokens, group["window"])
        if group["fixed_tokens"] is not None:
            tokens = group["fixed_tokens"]
        total = total + group["layers"] * entry * tokens * MOST_USERS
    if total >= EXACT_LIMIT or shape["parameters"] >= EXACT_LIMIT:
        fail(
            reading,
            "The config's dimensions give a cache beyond 2**53 bytes at 1,048,576 tokens and 1,024 users, larger than any "
            "model's; correct them.",
        )


def name_of(root):
    """The model's name as the file has it, as plain text; empty if it has none."""
    for field in ["_name_or_path", "name"]:
        value = root["values"].get(field)
        if is_text(value) and value != "":
            return plain_text(value)
    return ""


def refusal(reading):
    """The outcome of a file that cannot be read: its sentence and nothing else."""
    return {"error": reading["error"]}


def read_shape(config):
    """What of a parsed config.json decides the size of its model's cache.

    Returns {"error": one sentence} or {"shape": the fields of :class:`acts.sizing.Shape`, "fields": [{"factor",
    "value", "field"}], "notes": [sentence], "cache": declared cache type or None, "max_context": tokens or 0,
    "model_type", "name"}. ``config`` is anything a JSON file can hold.
    """
    reading = new_reading()
    if not is_object(config):
        fail(
            reading, f"A config.json holds an object, but this is {value_text(config)}; paste the whole file."
        )
        return refusal(reading)
    budget = [VALUE_LIMIT]
    root = {"values": plain_copy(config, 0, budget), "path": ""}
    if budget[0] < 0:
        fail(
            reading,
            "The file is nested too deep or too large for a model's config; paste config.json itself.",
        )
        return refusal(reading)
    part = language_part(reading, root)
    model_type = read_model_type(reading, root, part)
    rule = family_rule(model_type)
    if rule is None:
        rule = UNKNOWN_RULE
        check_unknown(reading, part, model_type)
    elif rule.get("refuse") is not None:
        fail(
            reading,
            f'model_type "{plain_text(model_type)}" cannot be sized: {rule["refuse"]}; choose another model.',
        )
    else:
        check_layout_fields(reading, part, rule, model_type)
        check_suspects(reading, part, rule, model_type)
    if reading["error"] != "":
        return refusal(reading)
    return read_family(reading, root, part, rule, model_type)


def read_family(reading, root, part, rule, model_type):
    """The outcome for a file whose family's rule is known."""
    layers = read_layers(reading, part, rule)
    context = read_whole(
        reading, part, present(part, rule_names(rule, "context"))[:1], "max_context", 1, TOKEN_LIMIT, 0
    )
    window = usable_window(reading, read_window(reading, part, rule), context)
    if reading["error"] != "":
        return refusal(reading)
    kinds = layer_kinds(reading, part, rule, layers, window)
    if reading["error"] != "":
        return refusal(reading)
    kinds = without_shared(reading, part, rule, kinds)
    shape = sized_shape(reading, root, part, rule, model_type, kinds, window)
    cache = declared_cache(reading, root, part)
    check_sizes(reading, shape)
    if reading["error"] != "":
        return refusal(reading)
    extra = part["values"].get("num_nextn_predict_layers")
    if is_whole(extra) and extra > 0:
        note(
            reading,
            f"{extra} extra prediction layers are not counted; an engine keeps a cache for them only when it uses them.",
        )
    if shape["parameters"] > 0:
        note(reading, "Parameters are estimated from dimensions.")
    else:
        note(reading, "The file's dimensions do not give the number of parameters; enter it.")
    return {
        "shape": shape,
        "fields": reading["fields"],
        "notes": reading["notes"],
        "cache": cache,
        "max_context": context,
        "model_type": plain_text(model_type),
        "name": name_of(root),
    }


def sized_shape(reading, root, part, rule, model_type, kinds, window):
    """The fields of :class:`acts.sizing.Shape`; harmless stand-ins where the reading has an error."""
    layers = len(kinds)
    heads = [0 for index in range(layers)]
    kv = [0 for index in range(layers)]
    head_dim = 1
    latent = rule.get("latent") is not None and read_flag(reading, part, "use_mla", True)
    if rule.get("headless") is None:
        heads = read_heads(reading, part, rule, layers)
    if rule.get("headless") is None and not latent:
        kv = read_kv_heads(reading, part, rule, heads)
        head_dim = read_head_dim(reading, part, rule, heads[0])
        nas_kinds(reading, part, heads, kinds, kv)
        check_heads(reading, part, heads, kv)
    hidden = 1
    states = layers_with_state(kinds)
    state = 0
    if states > 0:
        hidden = need_whole(reading, part, NAMES["hidden"], "hidden_size", 1, WIDTH_LIMIT)
        pure = rule.get("headless") is not None
        state = states * state_bytes(reading, part, rule["state"], hidden, heads[0], head_dim, pure)
    groups = []
    if reading["error"] != "":
        states = 0
    elif latent:
        groups = latent_layers(reading, part, rule, kinds)
    elif "csa" in kinds or "hca" in kinds:
        groups = compressed_layers(reading, part, kinds, window, head_dim)
        state = compressor_bytes(head_dim, part["values"].get("index_head_dim"), kinds)
    else:
        groups = attention_layers(reading, root, part, rule, kinds, window, head_dim, kv)
    weights = estimate_weights(part, root, rule, model_type, layers, heads[0], kv[0], head_dim)
    return {
        "groups": groups,
        "num_attention_heads": largest(heads) if rule.get("headless") is None else 0,
        "num_hidden_layers": layers,
        "parameters": weights["parameters"],
        "active_parameters": weights["active_parameters"],
        "state_bytes": state,
    }
