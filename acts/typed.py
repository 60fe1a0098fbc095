"""What people type where a number is asked for: thousands and decimals in several manners, and units.

"1.5 GiB", "1,536 MiB", "131 072", "0,5", "57 users", "4x": each becomes a number in the unit asked for. Pure
functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import Any

# Bytes of what people call a unit; a bare letter is the binary unit that engines mean by it.
TYPED_BYTES = {
    "b": 1, "byte": 1, "bytes": 1,
    "kb": 1000, "mb": 1000000, "gb": 1000000000, "tb": 1000000000000,
    "k": 1024, "m": 1048576, "g": 1073741824, "t": 1099511627776,
    "kib": 1024, "mib": 1048576, "gib": 1073741824, "tib": 1099511627776,
    "kibibytes": 1024, "mebibytes": 1048576, "gibibytes": 1073741824, "tebibytes": 1099511627776,
    "kilobytes": 1000, "megabytes": 1000000, "gigabytes": 1000000000, "terabytes": 1000000000000,
    "gig": 1073741824, "gigs": 1073741824, "meg": 1048576, "megs": 1048576,
}  # fmt: skip
# What engines mean when they print a decimal unit.
TYPED_LOOSE_BYTES = {"kb": 1024, "mb": 1048576, "gb": 1073741824, "tb": 1099511627776}
# Milliseconds of a unit of time.
TYPED_TIMES = {
    "ms": 1, "msec": 1, "millisecond": 1, "milliseconds": 1,
    "s": 1000, "sec": 1000, "second": 1000, "seconds": 1000, "us": 0.001, "µs": 0.001,
}  # fmt: skip
# What a count may be multiplied by.
TYPED_COUNTS = {"k": 1000, "thousand": 1000, "m": 1000000, "million": 1000000}
# Words that may stand before a number, and marks that may stand between its digits.
TYPED_LEADS = ["about", "around", "roughly", "ca.", "~", "≈", "="]
TYPED_GAPS = [" ", "\u00a0", "\u202f", "'", "_"]
# More digits than anybody needs are not read.
TYPED_DIGITS = 15


def typed_read(text: str, unit: str) -> dict[str, Any]:
    """A typed answer as ``value`` in ``unit``, with ``loose`` another number it may stand for; both None if unreadable.

    ``loose`` counts GB as GiB, as engines do, and a share below 1 as a percentage.
    """
    rest = text.strip().lower()
    for lead in TYPED_LEADS:
        if rest.startswith(lead):
            rest = rest[len(lead) :].strip()
    end = 0
    digits = ""
    while end < len(rest) and (rest[end] in "0123456789.," or (rest[end] in TYPED_GAPS and digits != "")):
        if rest[end] not in TYPED_GAPS:
            digits += rest[end]
        end += 1
    number = typed_digits(digits)
    if number is None:
        return {"value": None, "loose": None}
    return typed_in_unit(number, rest[end:].strip(), unit)


def typed_digits(digits: str) -> float | None:
    """Digits with dots and commas as a number: "1,536.5", "131,072", "0,5", "1.000.000"; None if they are none."""
    dots = len(digits.split(".")) - 1
    commas = len(digits.split(",")) - 1
    if dots > 0 and commas > 0:
        last = "." if digits.split(".")[dots].find(",") < 0 else ","
        other = "," if last == "." else "."
        digits = digits.replace(other, "").replace(last, ".")
    elif commas > 0:
        digits = digits.replace(",", "" if typed_grouped(digits.split(",")) else ".")
    elif dots > 1 and typed_grouped(digits.split(".")):
        digits = digits.replace(".", "")
    parts = digits.split(".")
    if len(parts) > 2 or len("".join(parts)) == 0 or len("".join(parts)) > TYPED_DIGITS:
        return None
    whole = int(parts[0]) if parts[0] != "" else 0
    if len(parts) == 1 or parts[1] == "":
        return whole
    return whole + int(parts[1]) / 10 ** len(parts[1])


def typed_grouped(parts: list[str]) -> bool:
    """Whether parts between marks are groups of thousands."""
    if len(parts[0]) == 0 or len(parts[0]) > 3 or parts[0] == "0":
        return False
    return len([part for part in parts[1:] if len(part) != 3]) == 0


def typed_in_unit(number: float, word: str, unit: str) -> dict[str, Any]:
    """``number`` with the unit ``word``, in ``unit``."""
    for end in ["/", " per ", " a "]:
        if word.find(end) >= 0:
            word = word[: word.find(end)]
    word = word.strip().rstrip(".")
    asked = unit.lower()
    if asked in TYPED_BYTES:
        return typed_in_bytes(number, word, TYPED_BYTES[asked])
    if asked in TYPED_TIMES:
        if word != "" and word not in TYPED_TIMES:
            return {"value": None, "loose": None}
        return {"value": number * (TYPED_TIMES[word] if word != "" else 1), "loose": None}
    if asked == "%":
        share = number * 100 if word == "" and number <= 1 else None
        return (
            {"value": number, "loose": share}
            if word in ["", "%", "percent", "per cent"]
            else {"value": None, "loose": None}
        )
    return typed_in_count(number, word, asked)


def typed_in_bytes(number: float, word: str, asked: int) -> dict[str, Any]:
    """A size in the unit of ``asked`` bytes; without a unit it is in that one."""
    if word == "":
        return {"value": number, "loose": None}
    if word not in TYPED_BYTES:
        return {"value": None, "loose": None}
    loose = number * TYPED_LOOSE_BYTES[word] / asked if word in TYPED_LOOSE_BYTES else None
    return {"value": number * TYPED_BYTES[word] / asked, "loose": loose}


def typed_in_count(number: float, word: str, asked: str) -> dict[str, Any]:
    """A count or a ratio; the word for what is counted may stand behind it."""
    words = [part for part in word.replace(asked, "").split(" ") if part != ""]
    for part in words:
        if part in TYPED_COUNTS:
            number = number * TYPED_COUNTS[part]
        elif (
            part not in ["x", "×", "times", "fold", "-fold", "smaller", "larger", "more", "fewer", "s"]
            and asked.find(part) < 0
        ):
            return {"value": None, "loose": None}
    return {"value": number, "loose": None}
