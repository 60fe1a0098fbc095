"""Which layers the picture stacks, and which spans of tokens each of them holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import text_whole

if TYPE_CHECKING:
    from ..contracts import Band, Columns, Letter, Moment, Row
    from ..sizing import LayerGroup, Shape

# Columns the picture has room for; a longer request shares a column among several tokens.
GROWTH_COLUMNS = 60
# Layers drawn one by one of each group, by the number of groups; the rest of a group is drawn as thin strips.
GROWTH_DRAWN = [2, 1, 1]
# Distances on the picture, about a px each: top to first row of keys, row to row, a cell, a strip, a space.
GROWTH_KEYS_Y = 76
GROWTH_ROW = 15
GROWTH_CELL = 13
GROWTH_STRIP = 4
GROWTH_SPACE = 9
# What a span of tokens can be.
GROWTH_KINDS = ["prompt", "generated", "dropped"]


def growth_column(total: int) -> int:
    """Tokens that share one column of the picture."""
    return (total + GROWTH_COLUMNS - 1) // GROWTH_COLUMNS


def growth_bands(shape: Shape) -> list[Band]:
    """What the picture stacks, top down: single layers, and strips that stand for the rest of their group.

    Each band has its ``group``, a ``label``, the y of its middle, ``rows`` of y, height, role and letter, and
    whether it is ``whole``: strips, which show spans of tokens instead of columns.
    """
    bands: list[Band] = []
    groups = growth_caching(shape)[: len(GROWTH_DRAWN)]
    if len(groups) == 0:
        return bands
    single = len(groups) == 1 and groups[0].layers == shape.num_hidden_layers
    drawn = GROWTH_DRAWN[len(groups) - 1]
    y: float = GROWTH_KEYS_Y
    for group in groups:
        count = min(drawn, group.layers)
        rest = group.layers - count
        for index in range(count):
            number = index + 1
            if rest > 0 and count > 1 and number == count:
                y = growth_add_strips(bands, group, rest, y)
                number = group.layers
            label = growth_kind(group)
            if single:
                label = "layer " + text_whole(number)
            elif drawn == 1:
                label = text_whole(group.layers) + " " + label
            y = growth_add_layer(bands, group, label, y)
    return bands


def growth_caching(shape: Shape) -> list[LayerGroup]:
    """Groups of layers that cache any vector at all."""
    return [group for group in shape.groups if group.num_kv_heads > 0 and len(growth_letters(group)) > 0]


def growth_kind(group: LayerGroup) -> str:
    """A group's layers in a word short enough to stand beside them."""
    if group.kind != "attention":
        return group.kind
    if group.window is not None:
        return "window"
    return "full"


def growth_letters(group: LayerGroup) -> list[Letter]:
    """The rows a layer of ``group`` needs: its keys and its values, or one row of latents."""
    if group.kind == "latent":
        return [{"role": "cache", "letter": "KV"}]
    letters: list[Letter] = []
    if group.key_width > 0:
        letters.append({"role": "key", "letter": "K"})
    if group.value_width > 0:
        letters.append({"role": "value", "letter": "V"})
    return letters


def growth_add_layer(bands: list[Band], group: LayerGroup, label: str, y: float) -> float:
    """Adds one layer whose first row's middle is at ``y``; returns the y of the row after it."""
    rows: list[Row] = []
    for letter in growth_letters(group):
        at = y + len(rows) * GROWTH_ROW
        rows.append({"y": at, "height": GROWTH_CELL, "role": letter["role"], "letter": letter["letter"]})
    middle = y + (len(rows) - 1) * GROWTH_ROW / 2
    bands.append({"group": group, "label": label, "y": middle, "rows": rows, "whole": False})
    return y + len(rows) * GROWTH_ROW + GROWTH_SPACE


def growth_add_strips(bands: list[Band], group: LayerGroup, rest: int, y: float) -> float:
    """Adds thin strips for ``rest`` more layers at the row ``y``; returns the y of the row after them."""
    top = y - GROWTH_CELL / 2
    rows: list[Row] = []
    letters = growth_letters(group)
    for index in range(min(rest, 6 // len(letters)) * len(letters)):
        at = top + (index + 0.5) * GROWTH_STRIP
        rows.append(
            {"y": at, "height": GROWTH_STRIP - 1, "role": letters[index % len(letters)]["role"], "letter": ""}
        )
    height = len(rows) * GROWTH_STRIP
    label = text_whole(rest) + " more"
    bands.append({"group": group, "label": label, "y": top + height / 2, "rows": rows, "whole": True})
    return y + height + GROWTH_SPACE


def growth_bottom(bands: list[Band]) -> float:
    """Lower edge of the last row."""
    if len(bands) == 0:
        return GROWTH_KEYS_Y
    rows = bands[len(bands) - 1]["rows"]
    row = rows[len(rows) - 1]
    return row["y"] + row["height"] / 2


def growth_pieces(prompt: int, tokens: int, first: int, longest: int, unit: int) -> dict[str, Columns]:
    """Spans of tokens, cut at every ``longest`` tokens, at the prompt's end and at the oldest token kept.

    ``first`` is that oldest one; the gaps between spans are a tenth of ``unit`` tokens.
    """
    pieces: dict[str, Columns] = {}
    for kind in GROWTH_KINDS:
        pieces[kind] = {"left": [], "right": []}
    start = 0
    while start < tokens:
        end = min((start // longest + 1) * longest, tokens)
        if start < prompt:
            end = min(end, prompt)
        if start < first:
            end = min(end, first)
        kind = "prompt" if start < prompt else "generated"
        if end <= first:
            kind = "dropped"
        gap = 0.05 * min(unit, end - start)
        pieces[kind]["left"].append(start + gap)
        pieces[kind]["right"].append(end - gap)
        start = end
    return pieces


def growth_group_pieces(
    group: LayerGroup, now: Moment, total: int, longest: int, kept: bool
) -> dict[str, Columns]:
    """What a layer of ``group`` computed or holds now, as spans of at most ``longest`` tokens.

    Where none is ``kept``, all are dropped.
    """
    tokens = now["tokens"]
    unit = growth_column(total)
    if group.fixed_tokens is not None:
        # Not tokens of the text: one span over the whole width for as long as the request lasts.
        return growth_pieces(total, total if tokens > 0 else 0, 0 if kept else total, total, unit)
    tokens = tokens // group.stride * group.stride
    first = 0
    if group.window is not None:
        first = max(0, tokens - group.window)
    if not kept:
        first = tokens
    return growth_pieces(now["prompt"], tokens, first, max(longest, group.stride), unit)
