"""How numbers are written, the same in Python and in the browser.

Neither language's own float formatting is used: exact ties round differently in them. Pure functions,
compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from .bounds import EXACT_LIMIT

KIB_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]


def text_whole(number: int) -> str:
    """A whole number >= 0 with thousands separators: 430908 -> "430,908"."""
    digits = str(number)
    groups = []
    while len(digits) > 3:
        groups.append(digits[len(digits) - 3 :])
        digits = digits[: len(digits) - 3]
    groups.append(digits)
    groups.reverse()
    return ",".join(groups)


def text_fixed(number: float, digits: int) -> str:
    """A number >= 0 with ``digits`` decimals, ties rounded up: (14.957, 1) -> "15.0"."""
    scale = 10**digits
    scaled = int(number * scale + 0.5)
    if digits == 0:
        return text_whole(scaled)
    fraction = str(scaled % scale)
    while len(fraction) < digits:
        fraction = "0" + fraction
    return text_whole(scaled // scale) + "." + fraction


def text_number(number: float, digits: int) -> str:
    """Like :func:`text_fixed`, without decimals that are all zero: 4.00 -> "4", 2.50 -> "2.5"."""
    text = text_fixed(number, digits)
    if digits == 0:
        return text
    while text[len(text) - 1] == "0":
        text = text[: len(text) - 1]
    if text[len(text) - 1] == ".":
        text = text[: len(text) - 1]
    return text


def text_amount(number: float) -> str:
    """Three or so significant digits: whole numbers bare, 2.5 -> "2.5", 14.957 -> "15.0", 131.42 -> "131.4"."""
    if number == int(number):
        return text_whole(int(number))
    if number < 10:
        return text_number(number, 2)
    return text_fixed(number, 1)


def text_bytes(count: int) -> str:
    """Bytes in the largest binary unit that leaves at least 1: 131072 -> "128 KiB"."""
    unit = 0
    number: float = count
    while number >= 1024 and unit < len(KIB_UNITS) - 1:
        number = number / 1024
        unit += 1
    return text_bound(count) + text_amount(number) + " " + KIB_UNITS[unit]


def text_bound(count: int) -> str:
    """What stands before a count that was cut off at 2**53, see :func:`acts.sizing.countable`."""
    return "over " if count >= EXACT_LIMIT else ""


def text_gib(count: int) -> str:
    """Bytes in GiB (2**30 bytes): 1073741824 -> "1 GiB"; for figures that are compared with one another."""
    return text_bound(count) + text_amount(count / 1073741824) + " GiB"


def text_context(tokens: int) -> str:
    """A context length as the field says it: 8192 -> "8K", 1048576 -> "1M", 1000 -> "1,000"."""
    if tokens >= 1048576 and tokens % 1048576 == 0:
        return text_whole(tokens // 1048576) + "M"
    if tokens >= 1024 and tokens % 1024 == 0:
        return text_whole(tokens // 1024) + "K"
    return text_whole(tokens)


def text_times(ratio: float) -> str:
    """A ratio: 4 -> "4×", 3.5556 -> "3.56×"."""
    return text_amount(ratio) + "×"


def text_count(number: int, noun: str) -> str:
    """A count with its noun: (1, "user") -> "1 user", (57, "user") -> "57 users"."""
    if number == 1:
        return "1 " + noun
    return text_whole(number) + " " + noun + "s"


def text_percent(share: float) -> str:
    """A share as a whole percent: 0.256 -> "26%"; a share above 0 is never shown as 0%."""
    if share > 0 and share < 0.01:
        return "under 1%"
    return text_fixed(share * 100, 0) + "%"


# What a number is where people may have several: ranks keep as many tokens as the smallest card has room for.
NUMBER_NOTES = {"card_gib": ", of unequal cards the smallest's, which decides"}


def number_allowed(whole: bool, low: int, high: int) -> str:
    """What a number may be, in words: "a whole number from 256 to 1,048,576"."""
    kind = "a whole number" if whole else "a number"
    return kind + " from " + text_whole(low) + " to " + text_whole(high)


def number_refusal(name: str, shown: str, whole: bool, low: int, high: int) -> str:
    """The sentence for a number out of bounds: its name, what was given, what is allowed."""
    return (
        name
        + " cannot be "
        + shown
        + "; give "
        + number_allowed(whole, low, high)
        + NUMBER_NOTES.get(name, "")
    )
