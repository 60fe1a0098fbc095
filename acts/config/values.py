"""JSON values as both languages see them: what is a whole number, a flag, an object, and how to name it.

Everything in this package but the wrapper also runs in the browser (:mod:`acts.twin`), where ``"8" == 8``
holds, an object inherits names such as ``constructor`` and 8.0 is 8. A config is therefore copied once,
within limits, into plain values, and every later line asks these functions for a value's kind before
it compares. Nothing here raises: a reading keeps the first sentence that says what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from ..bounds import EXACT_LIMIT

if TYPE_CHECKING:
    from ..contracts import Notebook, Part

#: Nesting and number of values beyond which a file is not a model's config.
DEPTH_LIMIT = 24
VALUE_LIMIT = 200000
#: Characters of a file's own text that a sentence repeats.
ECHO_LIMIT = 40
#: Fractions beyond it are not worth their decimals.
NUMBER_LIMIT = 1000000000
#: Keys that mean something to a JavaScript object itself; no config uses them.
RESERVED_KEYS = ["__proto__", "constructor", "length", "get", "keys"]


def is_text(value: Any) -> TypeGuard[str]:
    """Whether ``value`` is a string."""
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    """Whether ``value`` is true or false."""
    return isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether ``value`` is a number; true and false are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether ``value`` is a whole number that both languages hold exactly; 8.0 is, NaN is not."""
    if not is_number(value):
        return False
    if not (value < EXACT_LIMIT and value > -EXACT_LIMIT):
        return False
    return value == value // 1


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether ``value`` is a list."""
    return isinstance(value, list)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether ``value`` is an object with named values."""
    return isinstance(value, dict)


def is_active(value: Any) -> bool:
    """Whether a field says anything: not null, false, 0, "" or an empty list or object."""
    if is_list(value) or is_object(value):
        return len(list(value)) > 0
    if is_text(value):
        return value != ""
    if is_number(value):
        return value != 0
    return is_flag(value) and value


def plain_copy(value: Any, depth: int, budget: list[int]) -> Any:
    """A copy of ``value``, whole numbers as such and without reserved keys; ``budget[0]`` counts values down.

    A budget below zero afterwards means that the file is nested too deep or too large.
    """
    budget[0] = budget[0] - 1
    if depth > DEPTH_LIMIT:
        budget[0] = -1
    if budget[0] < 0:
        return None
    if is_whole(value):
        return int(value)
    if is_list(value):
        items = []
        for item in value:
            items.append(plain_copy(item, depth + 1, budget))
        return items
    if is_object(value):
        copy = {}
        for key in value:
            if is_text(key) and key not in RESERVED_KEYS:
                copy[key] = plain_copy(value[key], depth + 1, budget)
        return copy
    return value


def plain_text(text: str) -> str:
    """``text`` cut to ECHO_LIMIT printable characters, each run of others as one ellipsis."""
    kept = ""
    count = 0
    hidden = False
    for character in text:
        if count >= ECHO_LIMIT:
            return kept + "…"
        if character >= " " and character <= "~":
            kept = kept + ("'" if character == '"' else character)
            hidden = False
            count = count + 1
        elif not hidden:
            kept = kept + "…"
            hidden = True
            count = count + 1
    return kept


def number_text(value: float) -> str:
    """A number as both languages print it: at most three decimals, none for whole numbers."""
    if not (value >= 0 or value < 0):
        return "NaN"
    if value >= EXACT_LIMIT or value <= -EXACT_LIMIT:
        return "a number beyond 2**53"
    if value == value // 1:
        return str(int(value))
    if value < 0:
        return "-" + number_text(-value)
    if value > NUMBER_LIMIT:
        return "a large number"
    thousandths = int(value * 1000 + 0.5)
    fraction = str(thousandths % 1000 + 1000)
    return str(thousandths // 1000) + "." + fraction[1:]


def value_text(value: Any) -> str:
    """A file's value as text for a sentence, a few words at most."""
    if value is None:
        return "null"
    if is_flag(value):
        return "true" if value else "false"
    if is_number(value):
        return number_text(value)
    if is_text(value):
        return '"' + plain_text(value) + '"'
    if is_list(value):
        return "a list of " + str(len(value))
    return "an object"


def new_part(values: dict[str, Any]) -> Part:
    """A part of a file: its values, its path, and the reading it contributes to.

    The reading collects the rows a page shows, notes, and the first sentence that says what is wrong.
    ``defaults`` are what the family's class puts in where the part is silent; ``inner`` says that a wrapper
    holds the part, and such parts may list only what differs from the class. ``state_type`` and ``indexer_type`` are
    the types of recurrent states and of an indexer's keys that were chosen, those of the reading the ones that count.
    """
    reading: Notebook = {"error": "", "fields": [], "notes": [], "state_type": "", "indexer_type": ""}
    return {
        "values": values,
        "path": "",
        "reading": reading,
        "defaults": {},
        "inner": False,
        "state_type": "",
        "indexer_type": "",
    }


def part_of(part: Part, key: str) -> Part:
    """The part at ``key`` of ``part``, without values if there is no object."""
    value = part["values"].get(key)
    inner = new_part(value if is_object(value) else {})
    inner["path"] = part["path"] + key + "."
    inner["reading"] = part["reading"]
    return inner


def value_of(part: Part, name: str) -> Any:
    """The value at ``name``, None if there is none."""
    return part["values"].get(name)


def fail(part: Part, sentence: str) -> None:
    """Keep ``sentence`` as the reading's error unless one stands: the first cause explains best."""
    if part["reading"]["error"] == "":
        part["reading"]["error"] = sentence


def failed(part: Part) -> bool:
    """Whether the reading has an error."""
    return part["reading"]["error"] != ""


def note(part: Part, sentence: str) -> None:
    """Add a note to the reading, once."""
    if sentence not in part["reading"]["notes"]:
        part["reading"]["notes"].append(sentence)


def show(part: Part, factor: str, value: Any, name: str) -> None:
    """Add a row to the reading: the field ``name`` gave ``factor`` its ``value``."""
    part["reading"]["fields"].append({"factor": factor, "value": value, "field": part["path"] + name})


def present(part: Part, names: list[str]) -> list[str]:
    """The names of ``names`` that ``part`` gives a value other than null, in their order."""
    return [name for name in names if value_of(part, name) is not None]


def checked_whole(part: Part, name: str, least: int, most: int) -> int:
    """The whole number at ``name``, between ``least`` and ``most``; ``least`` with an error otherwise."""
    value = value_of(part, name)
    field = part["path"] + name
    if value is None:
        fail(part, f"{field} is missing, and the size of the cache depends on it; add it to the config.")
        return least
    if not is_whole(value):
        fail(part, f"{field} must be a whole number but is {value_text(value)}; correct it.")
        return least
    if value < least or value > most:
        fail(part, f"{field} is {number_text(value)}, outside {least} to {most}; correct it.")
        return least
    return value


def read_whole(part: Part, names: list[str], factor: str, most: int, fallback: Any) -> Any:
    """A whole number from 1 to ``most`` under any of ``names``, shown as ``factor``; else ``fallback``.

    Two names that disagree are an error, since either could be the one an engine reads.
    """
    found = present(part, names)
    if len(found) == 0:
        return fallback
    value = checked_whole(part, found[0], 1, most)
    for name in found[1:]:
        other = checked_whole(part, name, 1, most)
        if other != value:
            fail(
                part,
                f"{part['path']}{found[0]} is {value} but {name} is {other}, which contradicts it; "
                "remove the wrong one.",
            )
    show(part, factor, value, found[0])
    return value


def class_default(part: Part, names: list[str]) -> Any:
    """What the family's class puts in, with a note, where the file has none of ``names``; None if nothing."""
    for name in names:
        if name in part["values"]:
            return None
    for name in names:
        value = part["defaults"].get(name)
        if value is not None:
            note(part, f"{part['path']}{name} is not in the file; this family's default, {value}, is used.")
            return value
    return None


def read_or_default(part: Part, names: list[str], factor: str, most: int, fallback: Any) -> Any:
    """A whole number under any of ``names``, else what the family's class puts in, else ``fallback``."""
    value = read_whole(part, names, factor, most, None)
    if value is None:
        value = class_default(part, names)
    return fallback if value is None else value


def need_whole(part: Part, names: list[str], factor: str, most: int) -> int:
    """A whole number that the file must give under one of ``names``; 1 with an error if it does not.

    A part inside a wrapper may leave it to its class.
    """
    value = read_whole(part, names, factor, most, None)
    if value is None and part["inner"]:
        value = class_default(part, names)
    return checked_whole(part, names[0], 1, most) if value is None else value


def read_flag(part: Part, name: str, fallback: bool) -> bool:
    """The true or false at ``name``; ``fallback`` if absent or null, an error if anything else."""
    value = value_of(part, name)
    if value is None:
        return fallback
    if not is_flag(value):
        fail(part, f"{part['path']}{name} must be true or false but is {value_text(value)}; correct it.")
        return fallback
    return value
