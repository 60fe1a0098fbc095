"""What stops a file before its numbers are read: layouts its family does not have, and unknown fields.

A field counts only if it can change what is cached: not one that is switched off, says again what another field
said, or whose words are about something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .families import FAMILIES, rule_knows, rule_list, rule_names, rule_reads
from .fields import (
    HARMLESS_SUSPECTS,
    HARMLESS_WORDS,
    KNOWN_VALUES,
    LAYOUT_FIELDS,
    MULTI_QUERY_WORDS,
    NAMES,
    PLAIN_FIELDS,
    STATE_WORDS,
    SUSPECT_WORDS,
)
from .values import (
    fail,
    is_active,
    is_flag,
    is_list,
    is_number,
    is_text,
    is_whole,
    note,
    part_of,
    plain_text,
    present,
    read_flag,
    value_of,
    value_text,
)

if TYPE_CHECKING:
    from ..contracts import Part, Rule


def says_again(part: Part, rule: Rule, feature: str, value: Any) -> bool:
    """Whether a field for a window or chunk only repeats the window that the rule reads."""
    if feature not in ["window", "chunk"] or len(rule_list(rule, "kinds")) == 0 or not is_whole(value):
        return False
    windows = [value_of(part, name) for name in rule_names(rule, "window")]
    return len([window for window in windows if is_whole(window) and window == value]) > 0


def check_layout_fields(part: Part, rule: Rule, model_type: str) -> None:
    """Refuse a field that announces a layout which the family is not known to have."""
    known = f'model_type "{plain_text(model_type)}" is not known to use it'
    switched_off = [] if read_flag(part, "use_mla", True) else ["kv_lora_rank"]
    if is_active(value_of(part, "layer_types")) or not is_active(value_of(part, "sliding_window")):
        switched_off.append("sliding_window_pattern")
    for field in LAYOUT_FIELDS:
        value = value_of(part, field)
        feature = LAYOUT_FIELDS[field]
        if not is_active(value) or field in switched_off or rule_reads(rule, feature):
            continue
        if field in rule_list(rule, "unmodelled"):
            fail(
                part,
                f"{part['path']}{field} is {value_text(value)}: with it some layers keep a window or reuse another "
                "layer's keys and values, which is not modelled here yet; choose another model.",
            )
        elif not says_again(part, rule, feature, value):
            fail(
                part,
                f"{part['path']}{field} is {value_text(value)}, but {known}, so its cache layout is unclear; "
                "remove the field or name the right model_type.",
            )


def is_plain(field: str) -> bool:
    """Whether a field is known to leave the cache as it is, or is one of the plain dimensions."""
    if field in PLAIN_FIELDS:
        return True
    return len([name for name in NAMES if field in NAMES[name]]) > 0


def is_about_else(field: str) -> bool:
    """Whether a word of a field's name says that it is about something that is not cached."""
    return len([word for word in field.lower().split("_") if word in HARMLESS_WORDS]) > 0


def says_something(field: str, value: Any) -> bool:
    """Whether a value can mean anything: not if it is switched off, -1, or makes every layer alike."""
    if is_number(value) and (value == -1 or (value == 1 and "every" in field.split("_"))):
        return False
    return is_active(value)


def speaks_of(field: str, groups: list[list[str]]) -> list[str] | None:
    """The first of ``groups`` of words that all stand in the name of ``field``; None without any."""
    words = field.lower().split("_")
    for group in groups:
        if len([word for word in group if word in words]) == len(group):
            return group
    return None


def is_suspect(field: str, value: Any, rule: Rule) -> bool:
    """Whether a field that nobody here has heard of may change what is cached."""
    if field in HARMLESS_SUSPECTS or field in LAYOUT_FIELDS or is_plain(field) or rule_knows(rule, field):
        return False
    if not says_something(field, value) or is_about_else(field):
        return False
    for name, values in KNOWN_VALUES.items():
        if field == name:
            return not is_text(value) or value not in values
    words = speaks_of(field, SUSPECT_WORDS)
    return words is not None and (rule.get("state") is None or words not in STATE_WORDS)


def first_name(names: list[str]) -> str:
    """The first of some fields in alphabetical order, as text for a sentence; "" if there are none."""
    first = ""
    for name in names:
        text = plain_text(name)
        if first == "" or text < first:
            first = text
    return first


def is_untold_sharing(part: Part, field: str, rule: Rule) -> bool:
    """Whether a field declares multi-query attention in a family that has no such flag, and nothing gives KV heads."""
    if speaks_of(field, MULTI_QUERY_WORDS) is None or not says_something(field, value_of(part, field)):
        return False
    if is_plain(field) or field in [rule.get("multi_query"), rule.get("groups_flag")]:
        return False
    return len(present(part, NAMES["kv"])) == 0


def check_suspects(part: Part, rule: Rule, model_type: str) -> None:
    """Refuse an unknown field whose name says that it changes the cache, in the model's part or its attn_config."""
    for holder in [part, part_of(part, "attn_config")]:
        values = holder["values"]
        name = first_name(
            [
                field
                for field in values
                if is_suspect(field, values[field], rule) or is_untold_sharing(holder, field, rule)
            ]
        )
        if name != "":
            fail(
                part,
                f'{holder["path"]}{name} is not understood for model_type "{plain_text(model_type)}", and its '
                "name suggests that it changes the cache; remove it if it does not.",
            )
        if holder["path"] != part["path"]:
            check_layout_fields(holder, rule, model_type)


def known_by_architecture(part: Part) -> str:
    """The known model_type that the file's ``architectures`` names, such as deepseek_v4; "" if none."""
    listed = value_of(part, "architectures")
    if not is_list(listed) or len(listed) != 1 or not is_text(listed[0]):
        return ""
    name = listed[0].lower()
    for row in FAMILIES:
        for model_type in row[0].split(" "):
            if name == model_type.replace("_", "").replace("-", "") + "forcausallm":
                return model_type
    return ""


def check_unknown(part: Part, model_type: str) -> None:
    """Read a model_type that is not in the table only if every field that says something is understood."""
    values = part["values"]
    name = first_name(
        [
            field
            for field in values
            if not is_plain(field) and says_something(field, values[field]) and not is_about_else(field)
        ]
    )
    subject = f'model_type "{plain_text(model_type)}"' if model_type != "" else "a file without model_type"
    if name != "":
        alike = known_by_architecture(part)
        advice = "name a known model_type if it is built like one"
        if alike != "":
            advice = f'its architectures name "{alike}": make that its model_type if it is built like one'
        fail(
            part,
            f"{part['path']}{name} is not understood in {subject}, which this reader does not know, "
            f"so its cache layout is unclear; {advice}.",
        )
    note(part, f"{subject} is not known: it is read as a plain decoder, since every field is understood.")


def check_decoder(part: Part) -> None:
    """Refuse a language model that is used as an encoder, such as one that makes embeddings.

    Inside a wrapper the same field speaks of the tokens of an image alone.
    """
    if part["inner"]:
        return
    for field, encodes in {"use_bidirectional_attention": True, "is_causal": False}.items():
        value = value_of(part, field)
        if is_flag(value) and value == encodes:
            fail(
                part,
                f"{part['path']}{field} is {value_text(value)}: this is an encoder, which reads a text at once "
                "and keeps no KV cache; choose another model.",
            )
