"""What stops a file before its numbers are read: layouts its family does not have, and unknown fields."""

from __future__ import annotations

from .families import rule_reads
from .fields import HARMLESS_SUSPECTS, LAYOUT_FIELDS, NAMES, PLAIN_FIELDS, STATE_WORDS, SUSPECT_WORDS
from .values import fail, is_active, note, plain_text, read_flag, value_of, value_text


def check_layout_fields(part, rule, model_type):
    """Refuse a field that announces a layout which the family is not known to have."""
    known = f'model_type "{plain_text(model_type)}" is not known to use it'
    switched_off = [] if read_flag(part, "use_mla", True) else ["kv_lora_rank"]
    if is_active(value_of(part, "layer_types")) or not is_active(value_of(part, "sliding_window")):
        switched_off.append("sliding_window_pattern")
    for field in LAYOUT_FIELDS:
        value = value_of(part, field)
        if is_active(value) and field not in switched_off and not rule_reads(rule, LAYOUT_FIELDS[field]):
            fail(
                part,
                f"{part['path']}{field} is {value_text(value)}, but {known}, so its cache layout is unclear; "
                "remove the field or name the right model_type.",
            )


def is_plain(field):
    """Whether a field is known to leave the cache as it is, or is one of the plain dimensions."""
    if field in PLAIN_FIELDS:
        return True
    return len([name for name in NAMES if field in NAMES[name]]) > 0


def is_suspect(field, rule):
    """Whether the name of a field that nobody here has heard of speaks of what is cached."""
    if field in HARMLESS_SUSPECTS or field in LAYOUT_FIELDS or is_plain(field):
        return False
    for word in SUSPECT_WORDS:
        at_home = rule.get("state") is not None and word in STATE_WORDS
        if word in field and not at_home:
            return True
    return False


def first_name(names):
    """The first of some fields in alphabetical order, as text for a sentence; "" if there are none."""
    first = ""
    for name in names:
        text = plain_text(name)
        if first == "" or text < first:
            first = text
    return first


def check_suspects(part, rule, model_type):
    """Refuse an unknown field whose name says that it changes the cache."""
    values = part["values"]
    name = first_name([field for field in values if is_suspect(field, rule) and is_active(values[field])])
    if name != "":
        fail(
            part,
            f'{part["path"]}{name} is not understood for model_type "{plain_text(model_type)}", and its name '
            "suggests that it changes the cache; remove it if it does not.",
        )


def check_unknown(part, model_type):
    """Read a model_type that is not in the table only if every field that says something is understood."""
    values = part["values"]
    name = first_name([field for field in values if not is_plain(field) and is_active(values[field])])
    subject = f'model_type "{plain_text(model_type)}"' if model_type != "" else "a file without model_type"
    if name != "":
        fail(
            part,
            f"{part['path']}{name} is not understood in {subject}, which this reader does not know, "
            "so its cache layout is unclear; name a known model_type if it is built like one.",
        )
    note(part, f"{subject} is not known: it is read as a plain decoder, since every field is understood.")
