"""Reads the start-up log of an engine: what it says about memory, cache and settings.

Pure functions, compiled by :mod:`acts.twin`: the page reads a pasted log in the browser and sends it
nowhere. The wordings stand in :mod:`acts.logs.facts`; what the figures mean for a scenario is
:mod:`acts.logs.compare`'s part.

A finding is {"key", "label", "value", "text", "line"}: value is a whole number (bytes, tokens, blocks,
percent), a plain number for a concurrency, or a name for a type; text is the figure as printed. Engines
print "GB" and mean GiB (https://github.com/vllm-project/vllm/issues/14979), so both are read as 2**30
bytes, MB as 2**20.
"""

from __future__ import annotations

from typing import Any

from ..engines.types import ENGINE_LAYOUTS, engine_cache_id
from .facts import LOG_ENGINES, LOG_FACTS, LOG_LABELS

# What is looked at of a long paste. A start-up log says all this in its first few hundred lines.
LOG_MAX_CHARACTERS = 1000000
LOG_MAX_LINES = 20000
LOG_MAX_LINE = 16000

# What is shown of a line.
LOG_SHOWN = 300

# Wordings of each engine that are named where nothing was recognised.
LOG_LOOKED_FOR = 6

LOG_DIGITS = "0123456789"
LOG_WORD = "abcdefghijklmnopqrstuvwxyz0123456789_"

LOG_UNITS: dict[str, int] = {
    "gib": 1073741824,
    "gb": 1073741824,
    "mib": 1048576,
    "mb": 1048576,
    "kib": 1024,
    "kb": 1024,
    "b": 1,
    "bytes": 1,
}

# No cache is a pebibyte large; beyond it whole numbers would soon not be exact in the browser.
LOG_MAX_BYTES = 1125899906842624


def log_clean(line: str) -> str:
    """The line with every run of blanks and of characters outside ASCII made one space, cut to a sane
    length.
    """
    cut = line[:LOG_MAX_LINE]
    out = []
    blank = True
    for character in cut:
        if character > " " and character <= "~":
            out.append(character)
            blank = False
        elif not blank:
            out.append(" ")
            blank = True
    return "".join(out)


def log_hints() -> list[str]:
    """The longest word of every fact: a quick test that spares most lines the full search."""
    hints: list[str] = []
    for facts in LOG_FACTS.values():
        for phrase, _key, _read, more in facts:
            words = (phrase + " " + more.get("where", "") + " " + more.get("also", "")).split(" ")
            longest = ""
            for word in words:
                if len(word) > len(longest):
                    longest = word
            if longest not in hints:
                hints.append(longest)
    return hints


def log_hinted(line: str, hints: list[str]) -> bool:
    """Whether the line may hold a fact at all."""
    lower = line.lower()
    for hint in hints:
        if lower.find(hint) >= 0:
            return True
    return False


def log_looked_for() -> list[str]:
    """What is looked for, an engine a sentence: the first wordings that its log alone has."""
    texts = []
    for engine, facts in LOG_FACTS.items():
        phrases: list[str] = []
        keys: list[str] = []
        for phrase, key, _read, more in facts:
            if more.get("weak", 0) == 0 and key not in keys and len(keys) < LOG_LOOKED_FOR:
                keys.append(key)
                phrases.append(log_wording(phrase, more.get("where", "")))
        texts.append(LOG_ENGINES[engine] + ": " + ", ".join(phrases))
    return texts


def log_wording(phrase: str, where: str) -> str:
    """A wording as it is shown: what else stands in the line, and the phrase without the signs at its end."""
    end = len(phrase)
    while end > 0 and " :=(".find(phrase[end - 1]) >= 0:
        end -= 1
    if where == "":
        return phrase[:end]
    return where + " … " + phrase[:end]


def log_find(lower: str, phrase: str) -> int:
    """Where ``phrase`` starts in the line, not in the middle of a word; -1 if nowhere."""
    at = lower.find(phrase)
    while at > 0 and LOG_WORD.find(lower[at - 1]) >= 0 and LOG_WORD.find(phrase[0]) >= 0:
        at = lower.find(phrase, at + 1)
    return at


def log_number(lower: str, start: int) -> dict[str, int] | None:
    """The decimal number at ``start``, after blanks, quotes, brackets and signs; None if something else
    stands there.

    Returns whole, fraction (its digits as a whole number), scale (10 to their count, at most 4 are kept),
    below (1 if negative), begin and end. Thousands separators are read over.
    """
    at = start
    below = 0
    while at < len(lower) and " =:'\"([-".find(lower[at]) >= 0:
        if lower[at] == "-":
            below = 1
        at += 1
    begin = at
    whole = 0
    while at < len(lower):
        digit = LOG_DIGITS.find(lower[at])
        if digit >= 0:
            whole = whole * 10 + digit
        elif not log_separator(lower, at):
            break
        at += 1
        if at - begin > 18:
            return None
    if at == begin:
        return None
    fraction = 0
    scale = 1
    if at + 1 < len(lower) and lower[at] == "." and LOG_DIGITS.find(lower[at + 1]) >= 0:
        at += 1
        while at < len(lower) and LOG_DIGITS.find(lower[at]) >= 0:
            if scale < 10000:
                fraction = fraction * 10 + LOG_DIGITS.find(lower[at])
                scale = scale * 10
            at += 1
    return {"whole": whole, "fraction": fraction, "scale": scale, "below": below, "begin": begin, "end": at}


def log_separator(lower: str, at: int) -> bool:
    """Whether the comma at ``at`` separates thousands: a digit before it and three digits after it."""
    if lower[at] != "," or at == 0 or at + 3 >= len(lower) or LOG_DIGITS.find(lower[at - 1]) < 0:
        return False
    for place in range(at + 1, at + 4):
        if LOG_DIGITS.find(lower[place]) < 0:
            return False
    return at + 4 >= len(lower) or LOG_DIGITS.find(lower[at + 4]) < 0


def log_word(lower: str, start: int) -> str:
    """The word at ``start``: letters, digits and underscores."""
    at = start
    while at < len(lower) and LOG_WORD.find(lower[at]) >= 0:
        at += 1
    return lower[start:at]


def log_back(lower: str, end: int) -> int:
    """Where the figure that ends just before ``end`` starts: back over blanks, a unit and a number, or one
    word.
    """
    at = end
    while at > 0 and lower[at - 1] == " ":
        at -= 1
    word = at
    while at > 0 and LOG_WORD.find(lower[at - 1]) >= 0:
        at -= 1
    if LOG_UNITS.get(lower[at:word], 0) == 0 and at < word and LOG_DIGITS.find(lower[at]) < 0:
        return at
    while at > 0 and lower[at - 1] == " ":
        at -= 1
    while at > 0 and "-.,0123456789".find(lower[at - 1]) >= 0:
        at -= 1
    while at < end and " .,".find(lower[at]) >= 0:
        at += 1
    return at


def log_size(lower: str, number: dict[str, int]) -> dict[str, int] | None:
    """Bytes of a number and the unit after it, and where the unit ends; None without a unit."""
    at = number["end"]
    if at < len(lower) and lower[at] == " ":
        at += 1
    word = log_word(lower, at)
    unit = LOG_UNITS.get(word, 0)
    if unit == 0 or number["whole"] >= LOG_MAX_BYTES // unit:
        return None
    value = number["whole"] * unit + number["fraction"] * unit // number["scale"]
    if number["below"] == 1:
        value = 0
    return {"value": value, "end": at + len(word)}


def log_read(read: str, line: str, lower: str, start: int) -> dict[str, Any] | None:
    """The figure at ``start``: value, text as printed, begin; None if nothing that reads so stands there."""
    if read == "name":
        return log_name(line, lower, start)
    number = log_number(lower, start)
    if number is None:
        return None
    value: float | None = None
    end = number["end"]
    if read == "size":
        size = log_size(lower, number)
        if size is not None:
            value = size["value"]
            end = size["end"]
    else:
        value = log_plain(read, number)
    if value is None:
        return None
    begin = number["begin"] - number["below"]
    return {"value": 0 if number["below"] == 1 else value, "text": line[begin:end], "begin": begin}


def log_plain(read: str, number: dict[str, int]) -> float | None:
    """A count, a ratio or a share in percent; None for a fraction of a token or a share above one."""
    whole = number["whole"]
    scaled = whole * number["scale"] + number["fraction"]
    if read == "count":
        return whole if number["scale"] == 1 and whole < LOG_MAX_BYTES else None
    if whole > 1000000:
        return None
    if read == "ratio":
        return scaled / number["scale"]
    share = scaled * 100 // number["scale"]
    return share if share <= 100 else None


def log_name(line: str, lower: str, start: int) -> dict[str, Any] | None:
    """The cache type named at ``start``; None if it is no type's name ("auto" says nothing)."""
    at = start
    while at < len(lower) and " =:'\"(".find(lower[at]) >= 0:
        at += 1
    if lower[at : at + 6] == "torch.":
        at += 6
    word = log_word(lower, at)
    if engine_cache_id(word) == "" and word not in ENGINE_LAYOUTS:
        return None
    return {"value": word, "text": line[at : at + len(word)], "begin": at}


def log_applies(more: dict[str, Any], lower: str) -> bool:
    """Whether the line holds what a fact asks for besides its phrase."""
    for key in ["where", "also"]:
        needed = more.get(key, "")
        if needed != "" and lower.find(needed) < 0:
            return False
    barred = more.get("without", "")
    return barred == "" or lower.find(barred) < 0


def log_fact_figure(fact: list[Any], line: str, lower: str) -> dict[str, Any] | None:
    """What one fact reads in a line; None if it does not stand there."""
    phrase, _key, read, more = fact
    at = log_find(lower, phrase)
    if at < 0 or not log_applies(more, lower):
        return None
    start = at + len(phrase)
    if more.get("before", 0) == 1:
        start = log_back(lower, at)
    figure = log_read(read, line, lower, start)
    joint = more.get("joint", "")
    if figure is not None and joint != "" and (figure["begin"] == 0 or lower[figure["begin"] - 1] != joint):
        return None
    return figure


def log_line_hits(line: str) -> list[dict[str, Any]]:
    """Every fact found in one line."""
    hits: list[dict[str, Any]] = []
    lower = line.lower()
    for engine, facts in LOG_FACTS.items():
        for fact in facts:
            figure = log_fact_figure(fact, line, lower)
            if figure is not None:
                hits.append(
                    {
                        "engine": engine,
                        "key": fact[1],
                        "keep": fact[3].get("keep", "first"),
                        "weak": fact[3].get("weak", 0),
                        "value": figure["value"],
                        "text": figure["text"],
                        "line": line[:LOG_SHOWN],
                    }
                )
    return hits


def log_engine(hits: list[dict[str, Any]]) -> str | None:
    """The engine most facts speak for; Ollama before llama.cpp, whose lines its runner repeats; None if
    none.
    """
    counts: dict[str, int] = {}
    for hit in hits:
        if hit["weak"] == 0:
            counts[hit["engine"]] = counts.get(hit["engine"], 0) + 1
    best = None
    most = 0
    for engine in LOG_ENGINES:
        count = counts.get(engine, 0)
        if count > most:
            best = engine
            most = count
    if best == "llama.cpp" and counts.get("ollama", 0) > 0:
        return "ollama"
    return best


def log_merge(finding: dict[str, Any], hit: dict[str, Any]) -> None:
    """Takes a further line of the same fact into a finding, as the fact's ``keep`` says."""
    if hit["keep"] == "sum" and finding["keep"] == "sum":
        finding["value"] = min(LOG_MAX_BYTES, finding["value"] + hit["value"])
        finding["text"] = finding["text"] + " + " + hit["text"]
    elif hit["keep"] == "last" or (hit["keep"] == "most" and hit["value"] > finding["value"]):
        finding["value"] = hit["value"]
        finding["text"] = hit["text"]
        finding["line"] = hit["line"]


def log_findings(hits: list[dict[str, Any]], engine: str) -> list[dict[str, Any]]:
    """One finding a key, from the lines in ``engine``'s wording.

    Ollama's runner prints llama.cpp's lines; they say what Ollama's own do not.
    """
    findings: list[dict[str, Any]] = []
    log_collect(findings, hits, engine)
    if engine == "ollama":
        further: list[dict[str, Any]] = []
        log_collect(further, hits, "llama.cpp")
        own = [finding["key"] for finding in findings]
        for finding in further:
            if finding["key"] not in own:
                findings.append(finding)
    return findings


def log_collect(findings: list[dict[str, Any]], hits: list[dict[str, Any]], engine: str) -> None:
    """Adds the findings of one engine's wording."""
    places: dict[str, int] = {}
    for hit in hits:
        if hit["engine"] != engine:
            continue
        place = places.get(hit["key"], -1)
        if place >= 0:
            log_merge(findings[place], hit)
            continue
        places[hit["key"]] = len(findings)
        findings.append(
            {
                "key": hit["key"],
                "label": LOG_LABELS[hit["key"]],
                "value": hit["value"],
                "text": hit["text"],
                "line": hit["line"],
                "keep": hit["keep"],
            }
        )


def read_log(text: str) -> dict[str, Any]:
    """Facts of an engine's start-up log: engine (a key of LOG_ENGINES, or None), findings, looked_for.

    Takes any text: with no line it knows, engine is None and findings is empty, and looked_for says in words
    what was looked for.
    """
    hits: list[dict[str, Any]] = []
    hints = log_hints()
    for raw in text[:LOG_MAX_CHARACTERS].split("\n")[:LOG_MAX_LINES]:
        if log_hinted(raw, hints):
            for hit in log_line_hits(log_clean(raw)):
                hits.append(hit)
    engine = log_engine(hits)
    findings: list[dict[str, Any]] = []
    if engine is not None:
        findings = log_findings(hits, engine)
    return {"engine": engine, "findings": findings, "looked_for": log_looked_for()}
