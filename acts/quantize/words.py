"""Quantisation in words: names, numbers as text, the published risk and the live sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import deploy_kept, deploy_values
from ..text import text_amount, text_count, text_gib, text_number, text_times, text_whole
from .value import QUANTIZE_BASE, quantize_block_scale, quantize_mixed, quantize_value_bytes

if TYPE_CHECKING:
    from ..catalog import CacheType, Catalog
    from ..contracts import QuantizeState, Readout, Sizes

# A risk level of the catalog in words.
QUANTIZE_RISKS = {"none": "No risk added", "low": "Low risk", "medium": "Medium risk", "high": "High risk"}

QUANTIZE_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def quantize_name(cache: CacheType) -> str:
    """A cache type's name without its maker: "q8_0 (llama.cpp)" -> "q8_0"."""
    return cache.name.split(" (")[0]


def quantize_chosen_name(state: QuantizeState, catalog: Catalog) -> str:
    """The scenario's type, or "q8_0 keys, q4_0 values" where these differ."""
    keys = quantize_name(catalog.caches[state.cache])
    if not quantize_mixed(state):
        return keys
    return keys + " keys, " + quantize_name(catalog.caches[deploy_values(state)]) + " values"


def quantize_bar_name(state: QuantizeState, catalog: Catalog) -> str:
    """What leads the second bar's title, short enough for a telephone: "After, FP8", "q8_0 K, q4_0 V"."""
    keys = quantize_name(catalog.caches[state.cache])
    if not quantize_mixed(state):
        return "After, " + keys
    values = quantize_name(catalog.caches[deploy_values(state)])
    return keys.split(" / ")[0] + " K, " + values.split(" / ")[0] + " V"


def quantize_bytes_text(count: float) -> str:
    """A few bytes with up to four decimals: 0.5625 -> "0.5625 bytes"."""
    if count == 1:
        return "1 byte"
    return text_number(count, 4) + " bytes"


def quantize_shrink_text(shrink: float) -> str:
    """The ratio in words: 2 is two times smaller, 0.5 two times larger."""
    if shrink == 1:
        return text_times(1) + ", no change"
    if shrink < 1:
        return text_times(1 / shrink) + " larger"
    return text_times(shrink) + " smaller"


def quantize_users_readout(sizes: Sizes) -> Readout:
    """Users that fit, as a readout."""
    if not sizes["kept"]:
        return {"text": "not on this card", "value": 0}
    if sizes["free"] <= 0:
        return {"text": "none: weights do not fit", "value": 0}
    if sizes["max_users"] == 0:
        return {"text": "none", "value": 0}
    return {"text": text_whole(sizes["max_users"]), "value": sizes["max_users"]}


def quantize_percent(share: float) -> str:
    """An error as a percentage: 0.0712 -> "7.12%"."""
    if share < 0.0001:
        return "under 0.01%"
    return text_amount(share * 100) + "%"


def quantize_source_label(part: str) -> str:
    """One of the catalog's sources by name: a title as it stands, a GitHub thread as "llama.cpp#7412"."""
    at = part.find("https://")
    if at == 0:
        words = part.split("/")
        if part.find("https://github.com/") == 0 and len(words) == 7:
            return words[4] + "#" + words[6]
        return words[2]
    if at > 0:
        return part[:at].strip().rstrip(",")
    return part


def quantize_date(iso: str) -> str:
    """A date as text: "2026-11-29" -> "29 Nov 2026"."""
    words = iso.split("-")
    return text_whole(int(words[2])) + " " + QUANTIZE_MONTHS[int(words[1]) - 1] + " " + words[0]


def quantize_risk_text(cache: CacheType) -> str:
    """Level, what was measured, by whom and when it was looked up."""
    level = QUANTIZE_RISKS.get(cache.risk, cache.risk)
    first = quantize_source_label(cache.source.split("; ")[0])
    return level + ". " + cache.quality + " (" + first + "; checked " + quantize_date(cache.checked) + ".)"


def quantize_risks_text(keys: CacheType, values: CacheType) -> str:
    """The risk of the type of keys and, where it is another, of the type of values."""
    if keys.id == values.id:
        return quantize_risk_text(keys)
    return "Keys: " + quantize_risk_text(keys) + " Values: " + quantize_risk_text(values)


def quantize_engines(state: QuantizeState, catalog: Catalog) -> str:
    """Who keeps the type that this card cannot, each sentence with a space before it."""
    for name in [state.cache, deploy_values(state)]:
        if not deploy_kept(state, catalog, name):
            return " " + catalog.caches[name].engines
    return ""


def quantize_worse(keys: CacheType, values: CacheType) -> str:
    """The higher of two types' risks."""
    for risk in ["high", "medium", "low"]:
        if risk in [keys.risk, values.risk]:
            return risk
    return "none"


def quantize_verdict(state: QuantizeState, before: Sizes, after: Sizes) -> str:
    """Which outcome holds: weights, card, none, yardstick, nothing, larger, first, same or more."""
    if after["free"] <= 0:
        return "weights"
    if not after["kept"]:
        return "card"
    if after["max_users"] == 0:
        return "none"
    if state.cache == QUANTIZE_BASE and not quantize_mixed(state):
        return "yardstick"
    if after["sequence"] == before["sequence"]:
        return "nothing"
    return quantize_change(before, after)


def quantize_change(before: Sizes, after: Sizes) -> str:
    """What another type does to the users that fit: larger, first, same or more."""
    if after["sequence"] > before["sequence"]:
        return "larger"
    if before["max_users"] == 0:
        return "first"
    if after["max_users"] == before["max_users"]:
        return "same"
    return "more"


def quantize_place(sizes: Sizes) -> str:
    """Where the users are: "on this card" or "on these 8 cards"."""
    if sizes["cards"] == 1:
        return "on this card"
    return "on these " + text_whole(sizes["cards"]) + " cards"


def quantize_fit(count: int) -> str:
    """ "1 user fits", "57 users fit"."""
    return text_count(count, "user") + (" fits" if count == 1 else " fit")


def quantize_sentence(
    state: QuantizeState,
    catalog: Catalog,
    before: Sizes,
    after: Sizes,
    drawn: Sizes,
    verdict: str,
) -> str:
    """The result in two or three sentences; ``drawn`` are the sizes of the type beside 16 bits, see quantize_second."""
    name = quantize_chosen_name(state, catalog)
    place = quantize_place(after)
    if verdict == "weights":
        return (
            f"The weights alone need {text_gib(after['weights'])} and "
            f"{text_gib(after['usable'] * after['cards'])} are usable {place}: no cache type makes "
            "room. A smaller cache leaves the weights as they are."
        )
    if verdict == "card":
        return "With " + name + " nobody can be served " + place + "." + quantize_engines(state, catalog)
    if verdict == "none":
        return (
            f"One user at {text_whole(state.context)} tokens needs {text_gib(after['user'])} with "
            f"{name}, and the weights leave {text_gib(after['room'])} {place}: not one user fits."
        )
    fit = quantize_fit(after["max_users"]) + " " + place
    if verdict == "yardstick":
        return quantize_yardstick_sentence(after, drawn, fit)
    if verdict == "nothing":
        return f"This model's memory does not follow the cache type: with {name} as with 16 bits {fit}."
    return quantize_change_sentence(state, catalog, before, after, verdict)


def quantize_change_sentence(
    state: QuantizeState, catalog: Catalog, before: Sizes, after: Sizes, verdict: str
) -> str:
    """What the type takes a value, what that does to the users, and the published risk."""
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    each = quantize_bytes_text(quantize_value_bytes(catalog.models[state.model].shape, keys, values))
    takes = " take " if quantize_mixed(state) else " takes "
    scales = (
        quantize_scales_words(keys) if quantize_scales_words(keys) != "" else quantize_scales_words(values)
    )
    start = quantize_chosen_name(state, catalog) + takes + each + " per value" + scales + " instead of 2"
    fit = quantize_fit(after["max_users"]) + " " + quantize_place(after)
    was = text_whole(before["max_users"])
    if verdict == "larger":
        return start + ": the cache grows, and " + fit + " instead of " + was + "."
    risk = " Published risk to quality: " + quantize_worse(keys, values) + "."
    if verdict == "first":
        return start + ": " + fit + " where none did." + risk
    if verdict == "same":
        return start + ", which frees memory but not enough for one more user: still " + fit + "." + risk
    wanted = ""
    if before["max_users"] < state.users and state.users <= after["max_users"]:
        wanted = " The " + text_whole(state.users) + " users you want now fit."
    return start + ": " + fit + " where " + was + " did." + wanted + risk


def quantize_scales_words(cache: CacheType) -> str:
    """ ", scales included," where the type has any."""
    if cache.vector_bytes > 0 or quantize_block_scale(cache) > 0:
        return ", scales included,"
    return ""


def quantize_yardstick_sentence(after: Sizes, drawn: Sizes, fit: str) -> str:
    """What 16 bits give, and what half of them would."""
    sentence = "With 2 bytes per value, " + fit + "."
    if drawn["max_users"] > after["max_users"]:
        room = text_whole(drawn["max_users"])
        sentence += " One byte per value would make room for " + room + ": choose a narrower type."
    return sentence
