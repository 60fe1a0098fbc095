"""The picture of the cache as data: cells, the queries and their reach, the words below.

x counts tokens, y runs from the top down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..sizing import entries_held
from ..text import text_whole
from .layers import GROWTH_CELL, GROWTH_KINDS, growth_bottom, growth_group_pieces, growth_pieces

if TYPE_CHECKING:
    from ..contracts import Band, Columns, GrowthState, Moment, Row, Written
    from ..sizing import Shape

# Where the step's queries stand.
GROWTH_QUERY_Y = 32
# How strong the strips of each kind of token are.
GROWTH_FADE = {"prompt": 1, "generated": 0.45, "dropped": 0.13}
# How wide a line to a key is that gets no attention, and one that gets all of it; and without any to show.
GROWTH_LINE = [0.5, 9, 1.2]


def growth_worded(state: GrowthState) -> bool:
    """Whether the request is as long as the text that the small decoder has read, and short enough for its words.

    ``live`` is what :func:`acts.decoder.written` says: the ``text``, its ``prompt`` tokens, all ``words``,
    and per step where the newest query looked.
    """
    live = state.live
    total = state.prompt + state.generated
    return live["text"] == state.text and live["prompt"] == state.prompt and total <= len(live["words"])


def growth_cells(
    shape: Shape, bands: list[Band], now: Moment, total: int, column: int, live: Written | None
) -> dict[str, Columns]:
    """Every source of the cache's picture; x in tokens, y from the top down.

    ``prompt``, ``generated`` and ``dropped`` are cells; ``strips`` stand for the layers not drawn one by one.
    ``live`` is the text that the small decoder reads, see :func:`growth_worded`, or None.
    """
    sources: dict[str, Columns] = {}
    for kind in GROWTH_KINDS:
        sources[kind] = {"left": [], "right": [], "y": [], "role": []}
    sources["strips"] = {"left": [], "right": [], "y": [], "role": [], "alpha": []}
    sources["rails"] = {"right": [], "y": [], "height": []}
    sources["letters"] = {"y": [GROWTH_QUERY_Y], "text": ["Q"], "role": ["query"]}
    sources["labels"] = {"y": [], "text": []}
    for band in bands:
        sources["labels"]["y"].append(band["y"])
        sources["labels"]["text"].append(band["label"])
        longest = total if band["whole"] else column
        pieces = growth_group_pieces(band["group"], now, total, longest, now["cached"])
        for row in band["rows"]:
            sources["rails"]["right"].append(
                total - 1
            )  # the last token written is never run, so never cached
            sources["rails"]["y"].append(row["y"])
            sources["rails"]["height"].append(row["height"])
            if row["letter"] != "":
                sources["letters"]["y"].append(row["y"])
                sources["letters"]["text"].append(row["letter"])
                sources["letters"]["role"].append(row["role"])
            for kind in GROWTH_KINDS:
                if band["whole"]:
                    growth_add_cells(sources["strips"], pieces[kind], row)
                    growth_repeat(sources["strips"]["alpha"], GROWTH_FADE[kind], len(pieces[kind]["left"]))
                else:
                    growth_add_cells(sources[kind], pieces[kind], row)
    reach = growth_reach(bands, now, total, column, live)
    for name in reach:
        sources[name] = reach[name]
    bottom = growth_bottom(bands)
    sources["spans"] = growth_spans(now, bottom + 10)
    sources["words"] = growth_words(now, live, bottom + 36)
    return sources


def growth_add_cells(cells: Columns, pieces: Columns, row: Row) -> None:
    """Adds a row's ``pieces`` to ``cells``."""
    cells["left"].extend(pieces["left"])
    cells["right"].extend(pieces["right"])
    growth_repeat(cells["y"], row["y"], len(pieces["left"]))
    growth_repeat(cells["role"], row["role"], len(pieces["left"]))


def growth_repeat(column: list[Any], value: Any, count: int) -> None:
    """Adds ``value`` to ``column`` ``count`` times."""
    for _ in range(count):
        column.append(value)


def growth_reach(
    bands: list[Band], now: Moment, total: int, column: int, live: Written | None
) -> dict[str, Columns]:
    """The step's queries, the newest one's lines to the keys it reads in the topmost layer, and a note.

    Where a small decoder reads the same text, a line is as wide as that decoder's attention to its token.
    """
    queries: Columns = {"left": [], "right": []}
    lines: Columns = {"x0": [], "y0": [], "x1": [], "y1": [], "cx": [], "cy": [], "width": []}
    if now["phase"] == "prefill" or (now["phase"] == "decode" and not now["cached"]):
        run = growth_pieces(now["prompt"], now["tokens"], 0, column, column)
        for kind in ("prompt", "generated"):
            queries["left"].extend(run[kind]["left"])
            queries["right"].extend(run[kind]["right"])
    elif now["phase"] == "decode":
        queries = {"left": [now["tokens"] - 0.95 * column], "right": [now["tokens"] - 0.05 * column]}
    start = GROWTH_QUERY_Y + GROWTH_CELL / 2
    for band in bands:
        group = band["group"]
        if len(queries["left"]) == 0 or len(lines["x0"]) > 0 or group.fixed_tokens is not None:
            continue
        pieces = growth_group_pieces(group, now, total, column, True)
        last = len(queries["left"]) - 1
        from_x = (queries["left"][last] + queries["right"][last]) / 2
        for kind in ("prompt", "generated"):
            for index in range(len(pieces[kind]["left"])):
                to_x = (pieces[kind]["left"][index] + pieces[kind]["right"][index]) / 2
                lines["x0"].append(from_x)
                lines["y0"].append(start)
                lines["x1"].append(to_x)
                lines["y1"].append(band["rows"][0]["y"] - GROWTH_CELL / 2)
                lines["cx"].append(to_x)
                lines["cy"].append(start + 10)
                lines["width"].append(growth_line(now, live, len(lines["width"])))
    note: Columns = {"y": [8], "text": [growth_reach_note(bands, now)]}
    return {"queries": queries, "reach": lines, "note": note}


def growth_reach_note(bands: list[Band], now: Moment) -> str:
    """What the lines say, in a few words."""
    if now["phase"] == "before":
        return "nothing cached yet"
    if now["phase"] == "released":
        return "released: every cell is free again"
    keys = now["tokens"]
    if now["phase"] == "decode" and not now["cached"]:
        return "all " + text_whole(keys) + " tokens are run again"
    for band in bands:
        if band["group"].fixed_tokens is None:
            keys = entries_held(band["group"], now["tokens"])
            break
    who = "the last query reads " if now["phase"] == "prefill" else "the new query reads "
    if keys == 1:
        return who + "1 key and its value"
    return who + ("all " if keys == now["tokens"] else "") + text_whole(keys) + " keys and values"


def growth_spans(now: Moment, y: float) -> Columns:
    """The bracket under the cells, and one line of words: how many tokens are the prompt's and how many generated."""
    text = "prompt " + text_whole(now["prompt"])
    if now["done"] > 0:
        text = text + " + generated " + text_whole(now["done"]) + (", cached" if now["cached"] else ", rerun")
    return {"left": [0], "right": [max(now["prompt"], now["held"])], "y": [y], "text": [text]}


def growth_line(now: Moment, live: Written | None, token: int) -> float:
    """Width of the newest query's line to a token."""
    if live is None:
        return GROWTH_LINE[2]
    reads = live["reads"][now["done"]]
    if token >= len(reads):
        return GROWTH_LINE[0]
    return GROWTH_LINE[0] + (GROWTH_LINE[1] - GROWTH_LINE[0]) * reads[token]


def growth_words(now: Moment, live: Written | None, y: float) -> Columns:
    """A word under each token run so far, and the one just written, whose own turn comes with the next step."""
    words: Columns = {"x": [], "y": [], "text": [], "role": []}
    if live is None:
        return words
    known = max(now["prompt"], now["held"])
    for index in range(known):
        words["x"].append(index + 0.5)
        words["text"].append(live["words"][index])
        words["role"].append("ink")
    if now["step"] > 0:
        words["x"].append(known + 0.5)
        words["text"].append(live["words"][known])
        words["role"].append("query" if now["tokens"] > 0 else "ink")
    words["y"] = [y] * len(words["x"])
    return words
