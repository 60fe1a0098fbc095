"""Which kind each layer is: full, window, chunk, state, conv, hybrid, cross, csa, hca, indexed or none.

A list in the file decides; without one the family's rule does. What neither explains is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .families import rule_list, rule_names, rule_reads
from .fields import INDEX_LISTS, LISTS, REPEATED
from .values import (
    checked_whole,
    class_default,
    fail,
    failed,
    is_active,
    is_list,
    is_text,
    is_whole,
    note,
    part_of,
    present,
    read_flag,
    read_whole,
    show,
    value_of,
    value_text,
)

if TYPE_CHECKING:
    from ..contracts import Part, Rule

#: More layers than any transformer has; a file beyond it is a mistake.
LAYER_LIMIT = 4096
#: Longest window, context or encoder in tokens that is still believed.
TOKEN_LIMIT = 1073741824


def listed_kinds(part: Part, field: str, layers: int) -> list[str] | None:
    """Kinds that the list or string at ``field`` gives, one a layer; None if the field is not a list."""
    entries = value_of(part, field)
    if not is_active(entries) or not (is_list(entries) or is_text(entries)):
        return None
    words = LISTS[field]
    kinds = []
    for entry in entries:
        symbol = str(entry) if is_whole(entry) else entry
        if not is_text(symbol) or symbol not in words:
            fail(
                part,
                f"{part['path']}{field} names the layer {value_text(entry)}, an attention layout this reader "
                "does not know, so its cache cannot be sized; choose another model.",
            )
            return None
        kinds.append(words[symbol])
    if field in REPEATED:
        kinds = [kinds[index % len(kinds)] for index in range(layers)]
    return cut_to_layers(part, field, kinds, layers)


def cut_to_layers(part: Part, field: str, kinds: list[str], layers: int) -> list[str] | None:
    """``kinds`` without those of extra prediction layers, which are not counted; else an error."""
    extra = value_of(part, "num_nextn_predict_layers")
    if is_whole(extra) and extra > 0 and len(kinds) == layers + extra:
        return kinds[:layers]
    if len(kinds) != layers:
        fail(
            part,
            f"{part['path']}{field} lists {len(kinds)} layers but the model has {layers}; "
            "correct one of the two.",
        )
        return None
    return kinds


def numbered_kinds(part: Part, field: str, layers: int) -> list[str] | None:
    """Kinds that a list of layer numbers gives; None if the field is not a list."""
    numbers = value_of(part, field)
    if not is_list(numbers):
        return None
    first = INDEX_LISTS[field][0]
    kinds = [INDEX_LISTS[field][2] for index in range(layers)]
    for number in numbers:
        if not is_whole(number) or number < first or number >= first + layers:
            fail(
                part,
                f"{part['path']}{field} names layer {value_text(number)}, outside {first} to "
                f"{first + layers - 1}; correct it.",
            )
            return None
        kinds[number - first] = INDEX_LISTS[field][1]
    return kinds


def file_kinds(part: Part, rule: Rule, layers: int) -> list[str] | None:
    """Kinds by the first list the file has: layer_types, else one of the family's own; None without any."""
    fields = ["layer_types"]
    fields.extend(rule_list(rule, "lists"))
    for field in fields:
        holder = part_of(part, "linear_attn_config") if field == "full_attn_layers" else part
        read = listed_kinds if field in LISTS else numbered_kinds
        kinds = read(holder, field, layers)
        if failed(part):
            return None
        if kinds is not None:
            show(holder, "layer kinds", count_text(kinds), field)
            return kinds
    return None


def count_text(kinds: list[str]) -> str:
    """How many layers of each kind, in words: ``12 full, 36 state``."""
    counts = []
    seen = []
    for kind in kinds:
        if kind not in seen:
            seen.append(kind)
            count = len([other for other in kinds if other == kind])
            counts.append(f"{count} {kind}")
    return ", ".join(counts)


def regular_kinds(part: Part, rule: Rule, layers: int) -> list[str]:
    """Kinds of a family in which every n-th layer is full."""
    period = read_whole(part, rule_list(rule, "every_names"), "layers a period", LAYER_LIMIT, rule["every"])
    full_at = 0 if rule.get("full_first") is not None else period - 1
    offset = rule.get("every_offset")
    if offset is not None:
        full_at = (
            offset[1] if value_of(part, offset[0]) is None else checked_whole(part, offset[0], 0, LAYER_LIMIT)
        )
        if full_at >= period:
            fail(
                part,
                f"{part['path']}{offset[0]} is {full_at}, not below the period of {period} layers; "
                "correct one of the two.",
            )
    start = read_whole(part, rule_list(rule, "first_dense"), "first dense layers", LAYER_LIMIT, 0)
    whole = layers // period * period if rule.get("rest_full") is not None else layers
    kinds = []
    for index in range(layers):
        place = index if index < start else index - start
        kinds.append("full" if place % period == full_at or index >= whole else rule["other"])
    if rule.get("last_full") is not None:
        kinds[layers - 1] = "full"
    return kinds


def window_in_use(part: Part, rule: Rule) -> bool:
    """Whether the file switches the window on; Qwen's families only use it with use_sliding_window."""
    if rule.get("window_use") in ["flag", "off"]:
        return read_flag(part, "use_sliding_window", False)
    return True


def read_window(part: Part, rule: Rule) -> int:
    """Tokens that a windowed or chunked layer keeps; 0 without a window."""
    names = rule_names(rule, "window")
    if not window_in_use(part, rule):
        return 0
    for name in names:
        value = value_of(part, name)
        off = not is_active(value) or (rule.get("window_use") == "unknown" and value == -1)
        if name in part["values"]:
            return 0 if off else read_whole(part, [name], "window", TOKEN_LIMIT, 0)
    fallback = class_default(part, names) if len(rule_list(rule, "kinds")) > 0 else None
    return 0 if fallback is None else fallback


def usable_window(part: Part, window: int, context: int) -> int:
    """The window, or 0 with a note when no sequence of this model is longer."""
    if window > 0 and context > 0 and window >= context:
        note(
            part,
            f"The window of {window} tokens is not below the longest context, {context}: it never applies.",
        )
        return 0
    return window


def windowed_kinds(part: Part, rule: Rule, layers: int, window: int) -> list[str] | None:
    """Kinds of a family whose rule, not a list, says which layers keep ``window`` tokens."""
    use = rule.get("window_use")
    if use is None or window == 0:
        return ["full" for index in range(layers)]
    if use == "all":
        return ["window" for index in range(layers)]
    if use in ["off", "unknown"]:
        fail(
            part,
            f"{part['path']}sliding_window is {window}, but nothing in the file says which layers keep that "
            "window; add layer_types.",
        )
        return None
    first = checked_whole(part, "max_window_layers", 0, TOKEN_LIMIT)
    return ["full" if index < first else "window" for index in range(layers)]


def layer_kinds(part: Part, rule: Rule, layers: int, window: int, context: int) -> list[str] | None:
    """The kind of each layer, or None with an error. ``window`` is the file's, in tokens."""
    usable = usable_window(part, window, context)
    kinds = file_kinds(part, rule, layers)
    if kinds is None and rule.get("all") is not None:
        kinds = [rule["all"] for index in range(layers)]
    if kinds is None and rule.get("every") is not None:
        kinds = regular_kinds(part, rule, layers)
        window = max(window, 1)
    if kinds is None and len(rule_list(rule, "lists")) > 0:
        fail(
            part,
            f"{part['path']}{rule['lists'][0]} is missing, and this family has layers of several kinds; "
            "add it.",
        )
    elif kinds is None:
        kinds = windowed_kinds(part, rule, layers, usable)
    if failed(part) or kinds is None:
        return None
    kinds = checked_kinds(part, rule, kinds, window)
    if kinds is None or usable > 0:
        return kinds
    return ["full" if kind in ["window", "chunk"] else kind for kind in kinds]


def checked_kinds(part: Part, rule: Rule, kinds: list[str], window: int) -> list[str] | None:
    """``kinds`` if the family may have each and its window is known, else None with an error."""
    for kind in kinds:
        if kind != "full" and kind not in rule_list(rule, "kinds"):
            fail(
                part,
                f"{part['path']}layer_types has layers of the kind {kind}, which this model_type is not "
                "known to have, so their cache cannot be sized; name the right model_type.",
            )
            return None
        if window == 0 and kind in ["window", "chunk", "csa", "hca"]:
            fail(
                part,
                f"{part['path']}{rule_names(rule, 'window')[0]} is missing or switched off, but layer_types "
                "has layers that keep a window; add it or correct the list.",
            )
            return None
    return kinds


def shared_layers(part: Part, names: list[str], layers: int) -> int:
    """How many of the last layers reuse an earlier layer's keys and values, by the field in ``names``."""
    for name in present(part, names):
        shared = checked_whole(part, name, 0, layers)
        show(part, "layers that share", shared, name)
        return shared
    fallback = class_default(part, names)
    return 0 if fallback is None else fallback


def without_shared(part: Part, rule: Rule, kinds: list[str]) -> list[str]:
    """``kinds`` with "none" for layers that reuse another layer's keys and values."""
    layers = len(kinds)
    shared = 0
    factor = 1
    names = rule_list(rule, "shared")
    if len(names) > 0:
        shared = shared_layers(part, names, layers)
        if shared >= layers:
            fail(
                part,
                f"{part['path']}num_hidden_layers is {layers}, but the last {shared} layers share a cache; "
                f"correct {names[0]}.",
            )
    if rule_reads(rule, "use_cla") and read_flag(part, "use_cla", False):
        factor = checked_whole(part, "cla_share_factor", 1, LAYER_LIMIT)
        show(part, "layers that share one cache", factor, "cla_share_factor")
    return [
        kinds[index] if index < layers - shared and index % factor == 0 else "none" for index in range(layers)
    ]
