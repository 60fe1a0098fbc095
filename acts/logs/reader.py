"""Reads the start-up log of an engine: what it says about memory, cache and settings.

Pure functions, compiled by :mod:`acts.twin`: the page reads a pasted log in the browser and sends it
nowhere. The wordings stand in :mod:`acts.logs.facts`; :mod:`acts.logs.starts` tells the starts of one text
apart, and what the figures mean for a scenario is :mod:`acts.logs.compare`'s part.

A finding is {"key", "label", "value", "text", "line", "keep", "step", "below", "parts", "rank", "ranks", "place"}:
value is a whole number (bytes, tokens, blocks), a plain number for a concurrency or a share in percent, or a name
for a type; text is the figure as printed and line its line, place that line's number. step is the worth of the last
digit printed (0 for what is not rounded), below the bytes by which a negative size falls short of nothing, parts are
[device, bytes] where the engine says which device holds what, or [rank, value] of each rank, rank names the rank that
decided and ranks are all that printed it. Engines print "GB" and mean GiB
(https://github.com/vllm-project/vllm/issues/14979), so both are read as 2**30 bytes, MB as 2**20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engines.types import ENGINE_LAYOUTS, engine_cache_id
from .facts import LOG_ENGINES, LOG_FACTS
from .starts import LOG_WORKER, log_starts, log_used

if TYPE_CHECKING:
    from ..contracts import Figure, Hit, Log, Number, Size, Start

# What is read of a long paste: all up to this, else as much of its two ends.
LOG_MAX_CHARACTERS = 20000000
LOG_MAX_LINE = 16000

# A long text is read in pieces of about so many characters: what a browser reads without being felt to stop.
LOG_PIECE = 60000

# Lines that are searched together at first.
LOG_LINES = 256

# What is shown of a line.
LOG_SHOWN = 300

# Wordings of each engine that are named where nothing was recognised.
LOG_LOOKED_FOR = 6

LOG_DIGITS = "0123456789"
LOG_WORD = "abcdefghijklmnopqrstuvwxyz0123456789_"
LOG_LETTERS = "abcdefghijklmnopqrstuvwxyz"

# Where a line names its rank: far to the left, in front of what it says.
LOG_PREFIX = 120

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


# --- lines ------------------------------------------------------------------------------------------------


def log_parts(text: str) -> list[str]:
    """The text, or the two ends of one that is too long."""
    if len(text) <= LOG_MAX_CHARACTERS:
        return [text]
    half = LOG_MAX_CHARACTERS // 2
    return [text[:half], text[len(text) - half :]]


def log_escape(line: str, at: int) -> int:
    """Where the colour code ends that starts at ``at``, with its escape character or without; ``at`` if none does."""
    start = at
    if line[at] == "\x1b" and at + 1 < len(line):
        start = at + 1
    if line[start] != "[":
        return at
    end = start + 1
    while end < len(line) and "0123456789;".find(line[end]) >= 0:
        end += 1
    if end < len(line) and "mK".find(line[end]) >= 0:
        return end + 1
    return at


def log_clean(line: str) -> str:
    """The line with every run of blanks, of characters outside ASCII and of colour codes made one space, quotes
    without the backslash that JSON puts before them, cut to a sane length.
    """
    cut = line[:LOG_MAX_LINE]
    out = []
    blank = True
    at = 0
    while at < len(cut):
        start = at
        while at < len(cut) and " " < cut[at] <= "~" and cut[at] != "[" and cut[at] != "\\":
            at += 1
        if at > start:
            out.append(cut[start:at])
            blank = False
        if at == len(cut):
            break
        character = cut[at]
        end = log_escape(cut, at) if character in ("[", "\x1b") else at
        if end > at:
            # A colour ends where a sign goes on: "memory", its code, ": 5 GiB".
            glued = end < len(cut) and ":,;)".find(cut[end]) >= 0
            at = end - 1
            character = "" if glued else " "
        if character == "\\" and at + 1 < len(cut) and cut[at + 1] == '"':
            at += 1
            character = '"'
        if character > " " and character <= "~":
            out.append(character)
            blank = False
        elif character != "" and not blank:
            out.append(" ")
            blank = True
        at += 1
    return "".join(out)


def log_anchor(fact: list[Any]) -> str:
    """What a line must hold to be searched for a fact: the fact's own hint, else its longest word."""
    more = fact[3]
    hint = more.get("hint", "")
    if hint != "":
        return hint
    anchor = ""
    for word in (fact[0] + " " + more.get("where", "") + " " + more.get("also", "")).split(" "):
        if len(word) >= len(anchor):
            anchor = word
    return anchor


def log_index() -> list[list[Any]]:
    """[anchor, [[engine, fact], …]]: all facts, by what a line must hold to be searched for them."""
    index: list[list[Any]] = []
    places: dict[str, int] = {}
    for engine, facts in LOG_FACTS.items():
        for fact in facts:
            anchor = log_anchor(fact)
            if places.get(anchor, -1) < 0:
                places[anchor] = len(index)
                index.append([anchor, []])
            index[places[anchor]][1].append([engine, fact])
    return index


def log_looked_for() -> list[str]:
    """What is looked for, an engine a sentence: the first wordings that its log alone has."""
    texts = []
    for engine, facts in LOG_FACTS.items():
        phrases: list[str] = []
        keys: list[str] = []
        for phrase, key, read, more in facts:
            told = more.get("weak", 0) == 0 and read != "mark" and key not in keys
            if told and len(keys) < LOG_LOOKED_FOR:
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


def log_numbered(lower: str, name: str) -> str:
    """The number that follows ``name`` in the line's prefix ("tp" in "(Worker_TP1 pid=7)"); "" if none does."""
    prefix = lower[:LOG_PREFIX]
    at = prefix.find(name)
    while at >= 0:
        end = at + len(name)
        start = end
        while end < len(prefix) and LOG_DIGITS.find(prefix[end]) >= 0:
            end += 1
        inside = at > 0 and (LOG_LETTERS + LOG_DIGITS).find(prefix[at - 1]) >= 0
        if end > start and not inside:
            return prefix[start:end]
        at = prefix.find(name, at + 1)
    return ""


def log_rank(lower: str) -> str:
    """The rank a line comes from, as engines write it: "PP0 TP1", "TP1", "PP1", vLLM V0's "process 17"; "" if it does
    not say.
    """
    worker = log_numbered(lower, "vllmworkerprocess pid=")
    if worker != "":
        return LOG_WORKER + worker
    tensor = log_numbered(lower, "tp")
    if tensor == "":
        tensor = log_numbered(lower, "rank=")
    stage = log_numbered(lower, "pp")
    ranks = []
    if stage != "":
        ranks.append("PP" + stage)
    if tensor != "":
        ranks.append("TP" + tensor)
    return " ".join(ranks)


# --- figures ----------------------------------------------------------------------------------------------


def log_number(lower: str, start: int) -> Number | None:
    """The decimal number at ``start``, after blanks, quotes, brackets and signs; None if something else
    stands there.

    Returns whole, fraction (its digits as a whole number), scale (10 to their count, at most 4 are kept),
    below (1 if negative), begin and end. Thousands separators are read over; a number that a comma cuts short
    ("270,3", the end of a paste) is none.
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
    if at == begin or log_cut_short(lower, at):
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


def log_cut_short(lower: str, at: int) -> bool:
    """Whether the number that ends at ``at`` is cut within its thousands: a comma and digits to the line's end.

    Four digits in a row have no commas between thousands.
    """
    if at >= len(lower) or lower[at] != ",":
        return False
    start = at
    while start > 0 and LOG_DIGITS.find(lower[start - 1]) >= 0:
        start -= 1
    if at - start > 3:
        return False
    end = at + 1
    while end < len(lower) and LOG_DIGITS.find(lower[end]) >= 0:
        end += 1
    return end == len(lower)


def log_word(lower: str, start: int) -> str:
    """The word at ``start``: letters, digits and underscores."""
    at = start
    while at < len(lower) and LOG_WORD.find(lower[at]) >= 0:
        at += 1
    return lower[start:at]


def log_word_before(lower: str, end: int) -> str:
    """The word that ends before ``end``, blanks left out."""
    at = end
    while at > 0 and lower[at - 1] == " ":
        at -= 1
    stop = at
    while at > 0 and lower[at - 1] != " ":
        at -= 1
    return lower[at:stop]


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
    unit = LOG_UNITS.get(lower[at:word], 0) > 0
    if not unit and at < word and LOG_DIGITS.find(lower[at]) < 0:
        return at
    # Before a bare number's blank stands another sign's own: "CUDA0 - 23836 MiB".
    while unit and at > 0 and lower[at - 1] == " ":
        at -= 1
    while at > 0 and "-.,0123456789".find(lower[at - 1]) >= 0:
        at -= 1
    while at < end and " .,".find(lower[at]) >= 0:
        at += 1
    return at


def log_size(lower: str, number: Number, usual: str) -> Size | None:
    """Bytes of a number and the unit after it (``usual`` if none stands there), the worth of its last digit, and
    where the unit ends; None without a unit.
    """
    at = number["end"]
    if at < len(lower) and lower[at] == " ":
        at += 1
    word = log_word(lower, at)
    unit = LOG_UNITS.get(word, 0)
    end = at + len(word)
    if unit == 0 and usual != "":
        unit = LOG_UNITS[usual]
        end = number["end"]
    if unit == 0 or number["whole"] >= LOG_MAX_BYTES // unit:
        return None
    value = number["whole"] * unit + number["fraction"] * unit // number["scale"]
    return {"value": value, "step": unit // number["scale"], "end": end}


def log_sizes(line: str, lower: str, start: int) -> Figure | None:
    """The sizes in a pair of brackets ("[22.9 GiB 22.9 GiB]"), added up; parts are the single ones."""
    at = lower.find("[", start)
    stop = lower.find("]", start)
    if at < 0 or stop < at:
        return None
    begin = at
    total = 0
    parts: list[list[Any]] = []
    number = log_number(lower[:stop], at)
    while number is not None:
        size = log_size(lower[:stop], number, "")
        if size is None:
            break
        parts.append(["GPU " + str(len(parts)), size["value"]])
        total = min(LOG_MAX_BYTES, total + size["value"])
        at = size["end"]
        number = log_number(lower[:stop], at)
    if len(parts) == 0:
        return None
    return log_figure_at(total, line[begin : stop + 1], begin, 0, parts)


def log_breakdown(line: str, lower: str, start: int) -> Figure | None:
    """A row of llama.cpp's memory breakdown, in MiB: ``total = free + (self = model + context + compute) + rest``, or
    the bracket's part alone for what lies in host memory.

    The value is the context's bytes, parts is [device, context, model, compute, total, free]; None for the head.
    """
    equals = lower.find("=", start)
    bracket = lower.find("(", max(0, equals))
    if equals < 0:
        return None
    total = 0
    free = 0
    if bracket >= 0:
        total = log_mib(lower, log_back(lower, equals))
        free = log_mib(lower, equals + 1)
        equals = lower.find("=", bracket)
    plus = lower.find("+", equals)
    second = lower.find("+", plus + 1)
    if equals < 0 or plus < 0 or second < 0:
        return None
    context = log_mib(lower, plus + 1)
    device = log_word(lower, log_past(lower, start))
    part = [device, context, log_mib(lower, equals + 1), log_mib(lower, second + 1), total, free]
    return log_figure_at(context, line[start:], start, LOG_UNITS["mib"], [part])


def log_mib(lower: str, start: int) -> int:
    """Bytes of the whole number of MiB at ``start``; 0 if none stands there."""
    number = log_number(lower, start)
    if number is None or number["whole"] >= LOG_MAX_BYTES // LOG_UNITS["mib"]:
        return 0
    return number["whole"] * LOG_UNITS["mib"]


def log_figure_at(value: Any, text: str, begin: int, step: float, parts: list[list[Any]]) -> Figure:
    """A figure as :func:`log_read` gives it."""
    return {
        "value": value,
        "text": text,
        "begin": begin,
        "end": begin + len(text),
        "step": step,
        "below": 0,
        "parts": parts,
    }


def log_read(fact: list[Any], line: str, lower: str, start: int) -> Figure | None:
    """The figure at ``start``: value, text as printed, begin, end, step, below, parts; None if nothing that reads
    so stands there.
    """
    read = fact[2]
    if read == "name":
        return log_name(line, lower, start)
    if read in ("word", "flag"):
        return log_said(read, line, lower, start)
    if read == "sizes":
        return log_sizes(line, lower, start)
    if read == "table":
        return log_breakdown(line, lower, start)
    number = log_number(lower, start)
    if number is None:
        return None
    begin = number["begin"] - number["below"]
    if read == "size":
        size = log_size(lower, number, fact[3].get("unit", ""))
        if size is None:
            return None
        found = log_figure_at(size["value"], line[begin : size["end"]], begin, size["step"], [])
        if number["below"] == 1:
            found["below"] = size["value"]
            found["value"] = 0
        return found
    value = log_plain(read, number)
    if value is None:
        return None
    step = 0.0
    if number["scale"] > 1:
        step = 1 / number["scale"]
    found = log_figure_at(value, line[begin : number["end"]], begin, step, [])
    if number["below"] == 1:
        found["value"] = 0
    return found


def log_plain(read: str, number: Number) -> float | None:
    """A count, a ratio, a share in percent or bytes; None for a fraction of a token or a share above one."""
    whole = number["whole"]
    scaled = whole * number["scale"] + number["fraction"]
    if read in ("count", "bytes"):
        return whole if number["scale"] == 1 and whole < LOG_MAX_BYTES else None
    if whole > 1000000:
        return None
    if read == "ratio":
        return scaled / number["scale"]
    if read == "gib":
        return scaled * 1073741824 // number["scale"]
    if read == "decimal":
        return scaled * 1000000000 // number["scale"]
    share = scaled * 10000 // number["scale"] / 100
    return share if share <= 100 else None


def log_name(line: str, lower: str, start: int) -> Figure | None:
    """The cache type named at ``start``; None if it is no type's name ("auto" says nothing)."""
    at = log_past(lower, start)
    if lower[at : at + 6] == "torch.":
        at += 6
    word = log_word(lower, at)
    if engine_cache_id(word) == "" and word not in ENGINE_LAYOUTS:
        return None
    return log_figure_at(word, line[at : at + len(word)], at, 0, [])


def log_past(lower: str, start: int) -> int:
    """Past blanks, quotes and the signs between a setting and its value."""
    at = start
    while at < len(lower) and " =:'\"(".find(lower[at]) >= 0:
        at += 1
    return at


def log_said(read: str, line: str, lower: str, start: int) -> Figure | None:
    """The word or flag (1 or 0) at ``start``; None for none."""
    at = log_past(lower, start)
    word = log_word(lower, at)
    text = line[at : at + len(word)]
    if read == "flag":
        if word not in ("true", "false"):
            return None
        return log_figure_at(1 if word == "true" else 0, text, at, 0, [])
    if word in ("", "none", "null"):
        return None
    return log_figure_at(word, text, at, 0, [])


def log_applies(more: dict[str, Any], lower: str) -> bool:
    """Whether the line holds what a fact asks for besides its phrase."""
    for key in ["where", "also"]:
        needed = more.get(key, "")
        if needed != "" and lower.find(needed) < 0:
            return False
    return len([barred for barred in more.get("without", []) if lower.find(barred) >= 0]) == 0


def log_fact_figure(fact: list[Any], line: str, lower: str) -> Figure | None:
    """What one fact reads in a line; None if it does not stand there."""
    phrase, _key, read, more = fact
    at = log_find(lower, phrase)
    if at < 0 or not log_applies(more, lower):
        return None
    if read == "mark":
        return log_figure_at(1, line[at : at + len(phrase)], at, 0, [])
    start = at + len(phrase)
    if more.get("before", 0) == 1:
        start = log_back(lower, at)
    if more.get("after", "") != "":
        start = max(start, lower.find(more["after"], start))
    figure = log_read(fact, line, lower, start)
    if figure is None:
        return None
    joint = more.get("joint", "")
    if joint != "" and (figure["begin"] == 0 or lower[figure["begin"] - 1] != joint):
        return None
    if more.get("inner", 0) == 1 and lower[figure["end"] :].strip() == "":
        return None
    then = more.get("then", "")
    if then != "" and lower[figure["end"] : figure["end"] + len(then) + 1].find(then) < 0:
        return None
    if more.get("device", "") != "":
        figure["parts"] = [[log_device(more["device"], lower, at), figure["value"]]]
    return figure


def log_device(where: Any, lower: str, at: int) -> str:
    """The device a line speaks of: the word before the phrase at ``at`` ("CUDA0 KV buffer size"), or after the
    first of the signs ``where`` that stands in the line.
    """
    if where == "before":
        name = log_word_before(lower, at)
        if name == "model":
            name = log_word_before(lower, at - 6)
        return name
    for sign in where:
        found = lower.find(sign)
        if found >= 0:
            return log_word(lower, log_past(lower, found + len(sign)))
    return ""


# --- the log ----------------------------------------------------------------------------------------------


def log_block_hits(hits: list[Hit], lines: list[str], first: int, place: int, index: list[list[Any]]) -> None:
    """Adds every fact found in the LOG_LINES lines from ``first`` on; the first has the number ``place``.

    Most lines of a server's log are of requests: what the block does not hold is not looked for line by line.
    """
    block = lines[first : first + LOG_LINES]
    text = log_low("\n".join(block))
    found = []
    for entry in index:
        if text.find(entry[0]) >= 0:
            found.append(entry)
    if len(found) > 0:
        for at in range(len(block)):
            log_line_hits(hits, block[at], place + at, found)


def log_low(text: str) -> str:
    """Text as anchors are looked for in it."""
    return text.lower().replace('\\"', '"')


def log_line_hits(hits: list[Hit], raw: str, place: int, index: list[list[Any]]) -> None:
    """Adds every fact found in one line, the line's ``place`` in the text with it."""
    low = log_low(raw[:LOG_MAX_LINE])
    line = ""
    lower = ""
    for anchor, facts in index:
        if low.find(anchor) < 0:
            continue
        if line == "":
            line = log_clean(raw)
            lower = line.lower()
        for engine, fact in facts:
            figure = log_fact_figure(fact, line, lower)
            if figure is not None:
                hits.append(log_hit(engine, fact, figure, line, place))


def log_hit(engine: str, fact: list[Any], figure: Figure, line: str, place: int) -> Hit:
    """A fact found: what it says, where, and who says it."""
    lower = line.lower()
    more = fact[3]
    return {
        "engine": engine,
        "key": fact[1],
        "keep": more.get("keep", "first"),
        "weak": more.get("weak", 0),
        "begin": more.get("begin", 0),
        "value": figure["value"],
        "text": figure["text"],
        "step": figure["step"],
        "below": figure["below"],
        "parts": figure["parts"],
        "line": line[:LOG_SHOWN],
        "place": place,
        "rank": log_rank(lower),
        "copy": log_copy(lower),
    }


def log_copy(lower: str) -> str:
    """The data-parallel copy of the engine a line comes from; "" if it does not say."""
    copy = log_numbered(lower, "dp")
    if copy == "":
        copy = log_numbered(lower, "enginecore_")
    return copy


def log_engine(hits: list[Hit]) -> str | None:
    """The engine most facts speak for; Ollama before llama.cpp, whose lines its runner repeats, and any before
    PyTorch, on which others run; None if none.
    """
    counts: dict[str, int] = {}
    for hit in hits:
        if hit["weak"] == 0:
            counts[hit["engine"]] = counts.get(hit["engine"], 0) + 1
    best = None
    most = 0
    for engine in LOG_ENGINES:
        count = counts.get(engine, 0)
        if count > most and (engine != "pytorch" or best is None):
            best = engine
            most = count
    if best == "llama.cpp" and counts.get("ollama", 0) > 0:
        return "ollama"
    return best


def read_log(text: str) -> Log:
    """Facts of an engine's start-up log: engine (a key of LOG_ENGINES, or None), findings, starts, start,
    looked_for, unread.

    Takes any text: with no line it knows, engine is None and findings is empty, and looked_for says in words
    what was looked for. starts are all that the text holds, oldest first, start the place of the one whose
    findings are given: the last that is whole. unread is how many characters were left out of a text too long.
    """
    reading = log_reading(text)
    for piece in reading["pieces"]:
        log_read_piece(reading, piece)
    return log_told(reading)


def log_reading(text: str) -> dict[str, Any]:
    """A text about to be read: its pieces, in order, and what :func:`log_read_piece` finds in those it was given."""
    pieces = []
    read = 0
    for part in log_parts(text):
        read += len(part)
        start = 0
        while start < len(part):
            end = part.find("\n", min(len(part), start + LOG_PIECE))
            end = len(part) if end < 0 else end
            pieces.append(part[start:end])
            start = end + 1
    return {"pieces": pieces, "hits": [], "index": log_index(), "place": 1, "unread": len(text) - read}


def log_read_piece(reading: dict[str, Any], piece: str) -> None:
    """Reads one more piece of the text; a literal backslash-n is the end of a line too."""
    lines = piece.replace("\\n", "\n").split("\n")
    for first in range(0, len(lines), LOG_LINES):
        log_block_hits(reading["hits"], lines, first, reading["place"] + first, reading["index"])
    reading["place"] += len(lines)


def log_skip_piece(reading: dict[str, Any], piece: str) -> None:
    """Counts the lines of a piece that holds no fact's anchor, so that nothing in it would be found."""
    reading["place"] += len(piece.replace("\\n", "\n").split("\n"))


def log_told(reading: dict[str, Any]) -> Log:
    """What a text says that has been read, see :func:`read_log`."""
    hits: list[Hit] = reading["hits"]
    engine = log_engine(hits)
    starts: list[Start] = []
    if engine is not None:
        starts = log_starts(hits, engine)
    start = log_used(starts)
    return {
        "engine": engine,
        "findings": starts[start]["findings"] if len(starts) > 0 else [],
        "others": starts[start]["others"] if len(starts) > 0 else [],
        "starts": starts,
        "start": start,
        "looked_for": log_looked_for(),
        "unread": reading["unread"],
    }


def log_at(log: Log, start: int) -> Log:
    """The same log with another of its starts chosen."""
    if start < 0 or start >= len(log["starts"]):
        return log
    return {
        "engine": log["engine"],
        "findings": log["starts"][start]["findings"],
        "others": log["starts"][start]["others"],
        "starts": log["starts"],
        "start": start,
        "looked_for": log["looked_for"],
        "unread": log["unread"],
    }
