"""Which kind each layer is: full, window, chunk, state, conv, hybrid, cross, csa, hca, indexed or none.

A list in the file decides; without one the family's rule does. What neither explains is refused.
"""

from __future__ import annotations

from .families import FAMILIES, WRAPPERS
from .fields import INDEX_LISTS, LAYOUT_FIELDS, LISTS, NAMES, REPEATED
from .values import (
    checked_whole,
    fail,
    is_active,
    is_list,
    is_text,
    is_whole,
    note,
    part_of,
    plain_text,
    read_flag,
    read_whole,
    show,
    value_text,
)

#: More layers than any transformer has; a file beyond it is a mistake.
LAYER_LIMIT = 4096
#: Longest window, context or encoder in tokens that is still believed.
TOKEN_LIMIT = 1073741824


def family_rule(model_type):
    """The rule of ``model_type``, a wrapper's being that of the language model it wraps; None if unknown."""
    wanted = model_type
    for row in WRAPPERS:
        if model_type in row[0].split(" "):
            wanted = row[1]
    for row in FAMILIES:
        if wanted in row[0].split(" "):
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
    if field == "window" and rule.get("window_names") is not None:
        return rule.get("window_names")
    return NAMES[field]


def rule_reads(rule, feature):
    """Whether the rule's family is known to use ``feature`` (see LAYOUT_FIELDS)."""
    if feature in rule_list(rule, "lists") or feature in rule_list(rule, "stored"):
        return True
    if feature == "window" or feature == "chunk":
        return feature in rule_list(rule, "kinds")
    return rule.get(feature) is not None


def check_layout_fields(reading, part, rule, model_type):
    """Refuse a field that announces a layout which the family is not known to have."""
    for field in LAYOUT_FIELDS:
        value = part["values"].get(field)
        if is_active(value) and not rule_reads(rule, LAYOUT_FIELDS[field]):
            fail(
                reading,
                f'{part["path"]}{field} is {value_text(value)}, but model_type "{plain_text(model_type)}" is not known '
                "to use it, so its cache layout is unclear; remove the field or name the right model_type.",
            )


def listed_kinds(reading, part, field, layers):
    """Kinds that the list or string at ``field`` gives, one a layer; None if the field is not a list."""
    entries = part["values"].get(field)
    if not is_active(entries) or not (is_list(entries) or is_text(entries)):
        return None
    words = LISTS[field]
    kinds = []
    for entry in entries:
        symbol = str(entry) if is_whole(entry) else entry
        if not is_text(symbol) or symbol not in words:
            fail(
                reading,
                f"{part['path']}{field} names the layer {value_text(entry)}, an attention layout this reader "
                "does not know; its cache cannot be sized.",
            )
            return None
        kinds.append(words[symbol])
    if field in REPEATED:
        kinds = [kinds[index % len(kinds)] for index in range(layers)]
    return cut_to_layers(reading, part, field, kinds, layers)


def cut_to_layers(reading, part, field, kinds, layers):
    """``kinds`` without the entries of extra prediction layers, which are not counted; an error on another length."""
    extra = part["values"].get("num_nextn_predict_layers")
    if is_whole(extra) and extra > 0 and len(kinds) == layers + extra:
        return kinds[:layers]
    if len(kinds) != layers:
        fail(
            reading,
            f"{part['path']}{field} lists {len(kinds)} layers but the model has {layers}; correct one of the two.",
        )
        return None
    return kinds


def indexed_kinds(reading, part, field, layers):
    """Kinds that a list of layer numbers gives; None if the field is not a list."""
    numbers = part["values"].get(field)
    if not is_list(numbers):
        return None
    first = INDEX_LISTS[field][0]
    kinds = [INDEX_LISTS[field][2] for index in range(layers)]
    for number in numbers:
        if not is_whole(number) or number < first or number >= first + layers:
            fail(
                reading,
                f"{part['path']}{field} names layer {value_text(number)}, outside {first} to "
                f"{first + layers - 1}; correct it.",
            )
            return None
        kinds[number - first] = INDEX_LISTS[field][1]
    return kinds


def file_kinds(reading, part, rule, layers):
    """Kinds by the first list the file has, and its name: layer_types, else one of the family's own."""
    for field in ["layer_types"] + rule_list(rule, "lists"):
        holder = part_of(part, "linear_attn_config") if field == "full_attn_layers" else part
        kinds = None
        if field in LISTS:
            kinds = listed_kinds(reading, holder, field, layers)
        else:
            kinds = indexed_kinds(reading, holder, field, layers)
        if kinds is not None:
            show(reading, "layer kinds", count_text(kinds), holder["path"] + field)
            return kinds
        if reading["error"] != "":
            return None
    return None


def count_text(kinds):
    """How many layers of each kind, in words: ``12 full, 36 state``."""
    seen = []
    for kind in kinds:
        if kind not in seen:
            seen.append(kind)
    parts = []
    for kind in seen:
        count = 0
        for other in kinds:
            if other == kind:
                count = count + 1
        parts.append(f"{count} {kind}")
    return ", ".join(parts)


def regular_kinds(reading, part, rule, layers):
    """Kinds of a family in which every n-th layer is full."""
    period = read_whole(
        reading, part, rule_list(rule, "every_names"), "layers a period", 1, LAYER_LIMIT, rule["every"]
    )
    full_at = 0 if rule.get("full_first") is not None else period - 1
    offset = rule.get("every_offset")
    if offset is not None:
        full_at = read_whole(reading, part, [offset[0]], "full layer of a period", 0, LAYER_LIMIT, offset[1])
        if full_at >= period:
            fail(
                reading,
                f"{part['path']}{offset[0]} is {full_at}, not below the period of {period} layers; correct one of the two.",
            )
    kinds = ["full" if index % period == full_at else rule["other"] for index in range(layers)]
    if rule.get("last_full") is not None:
        kinds[layers - 1] = "full"
    return kinds


def window_in_use(reading, part, rule):
    """Whether the file switches the family's window on; Qwen's families only use it with use_sliding_window."""
    use = rule.get("window_use")
    if use == "flag" or use == "off":
        return read_flag(reading, part, "use_sliding_window", False)
    return True


def read_window(reading, part, rule):
    """Tokens that a windowed or chunked layer keeps; 0 without a window."""
    names = rule_names(rule, "window")
    if not window_in_use(reading, part, rule):
        return 0
    for name in names:
        value = part["values"].get(name)
        if value is not None and is_active(value):
            return read_whole(reading, part, [name], "window", 1, TOKEN_LIMIT, 0)
        if name in part["values"]:
            return 0
    fallback = rule.get("window")
    if fallback is None:
        return 0
    note(reading, f"{names[0]} is not in the file; this family's default, {fallback} tokens, is used.")
    return fallback


def windowed_kinds(reading, part, rule, layers, window):
    """Kinds of a family whose rule, not a list, says which layers keep ``window`` tokens."""
    use = rule.get("window_use")
    if use is None or window == 0:
        return ["full" for index in range(layers)]
    if use == "all":
        return ["window" for index in range(layers)]
    if use == "off" or use == "unknown":
        fail(
            reading,
            f"{part['path']}sliding_window is {window}, but nothing in the file says which layers keep that window; "
            "add layer_types.",
        )
        return None
    first = checked_whole(reading, part, "max_window_layers", 0, TOKEN_LIMIT)
    return ["full" if index < first else "window" for index in range(layers)]


def layer_kinds(reading, part, rule, layers, window):
    """The kind of each layer, or None with an error."""
    kinds = file_kinds(reading, part, rule, layers)
    if reading["error"] != "":
        return None
    if kinds is None and rule.get("all") is not None:
        kinds = [rule["all"] for index in range(layers)]
    if kinds is None and rule.get("every") is not None:
        kinds = regular_kinds(reading, part, rule, layers)
        if window == 0:
            kinds = ["full" if kind == "window" or kind == "chunk" else kind for kind in kinds]
    if kinds is None and len(rule_list(rule, "lists")) > 0:
        wanted = " or ".join(rule_list(rule, "lists"))
        fail(
            reading,
            f"{part['path']}layer_types ({wanted}) is missing, and this family has layers of several kinds; add it.",
        )
        return None
    if kinds is None:
        kinds = windowed_kinds(reading, part, rule, layers, window)
    if reading["error"] != "":
        return None
    return checked_kinds(reading, part, rule, kinds, window)


def checked_kinds(reading, part, rule, kinds, window):
    """``kinds`` if the family may have each and its window is known, else None with an error."""
    for kind in kinds:
        if kind != "full" and kind not in rule_list(rule, "kinds"):
            fail(
                reading,
                f"{part['path']}layer_types has layers of the kind {kind}, which this model_type is not known to "
                "have, so their cache cannot be sized.",
            )
            return None
        if window == 0 and (kind == "window" or kind == "chunk"):
            fail(
                reading,
                f"{part['path']}{rule_names(rule, 'window')[0]} is missing or switched off, but layer_types has "
                "layers that keep a window; add it or correct the list.",
            )
            return None
    return kinds


def without_shared(reading, part, rule, kinds):
    """``kinds`` with "none" for layers that reuse another layer's keys and values."""
    layers = len(kinds)
    shared = 0
    if rule.get("shared") is not None:
        shared = read_whole(
            reading, part, ["num_kv_shared_layers"], "layers that share", 0, layers - 1, rule["shared"]
        )
        if shared >= layers:
            fail(
                reading,
                f"{part['path']}num_hidden_layers is {layers}, but this family shares the last {shared}; correct it.",
            )
    factor = 1
    if rule_reads(rule, "use_cla") and read_flag(reading, part, "use_cla", False):
        factor = checked_whole(reading, part, "cla_share_factor", 1, LAYER_LIMIT)
        show(reading, "layers that share one cache", factor, part["path"] + "cla_share_factor")
    kept = []
    for index in range(layers):
        keeps = index < layers - shared and index % factor == 0
        kept.append(kinds[index] if keeps else "none")
    return kept
