"""The opening's picture: one card's memory as a bar, with the weights and a slice for each user that fits.

Pure functions, compiled by :mod:`acts.twin`: the wall's own spans, written as SVG so that they stand at first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acts.deployment import deploy
from acts.quantize.words import quantize_fit
from acts.sizing import GIB
from acts.text import text_bytes, text_count, text_fixed, text_gib, text_whole
from acts.wall.picture import wall_bar_end, wall_parts, wall_slices

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Sizes, State

# Lengths of a conversation that the slider stops at, tokens: from 57 users down to 3.
OPENING_STOPS = [8192, 12288, 16384, 24576, 32768, 49152, 65536, 98304, 131072]


def opening_frame(state: State, catalog: Catalog) -> dict[str, Any]:
    """The bar's SVG, the number of users that fit, and both in words; ``state`` as for :func:`deploy`."""
    sizes = deploy(state, catalog)
    fit = sizes["max_users"]
    sizes["demanded"] = fit * sizes["user"]
    end = wall_bar_end(sizes)
    sentence = (
        f"A conversation of {text_whole(state.context)} tokens keeps {text_bytes(sizes['user'])} of "
        f"keys and values. Beside the weights, {text_gib(sizes['room'])} are left: "
        f"{quantize_fit(fit)}."
    )
    return {
        "bar": opening_bar(sizes, fit, end),
        "users": text_whole(fit),
        "noun": "user fits" if fit == 1 else "users fit",
        "tokens": text_whole(state.context),
        "value": text_whole(state.context) + " tokens, " + text_count(fit, "user"),
        "sentence": sentence,
    }


def opening_bar(sizes: Sizes, fit: int, end: float) -> str:
    """The bar as SVG: x in percent of its width, y in pixels from 0 to 128."""
    svg = ""
    parts = wall_parts(sizes)
    for index in range(len(parts["role"])):
        svg = svg + opening_rect(parts["role"][index], parts["left"][index], parts["right"][index], end)
    slices = wall_slices(sizes, fit, end)
    for index in range(len(slices["role"])):
        svg = svg + opening_rect(slices["role"][index], slices["left"][index], slices["right"][index], end)
    wall = opening_percent(sizes["wall"] / GIB, end)
    start = opening_percent(sizes["weights"] / GIB, end)
    svg = svg + '<line x1="' + wall + '" x2="' + wall + '" y1="6" y2="104"/>'
    svg = svg + opening_text("0%", 122, "start", "is-weights", "weights " + text_gib(sizes["weights"]))
    svg = svg + opening_text(start, 18, "start", "is-cache", text_count(fit, "user"))
    return svg + opening_text(wall, 122, "end", "is-muted", text_gib(sizes["wall"]) + " usable")


def opening_rect(role: str, left: float, right: float, end: float) -> str:
    """One span of the bar from ``left`` to ``right`` GiB; nothing where it is empty."""
    if right <= left:
        return ""
    x = opening_percent(left, end)
    return (
        f'<rect class="is-{role}" x="{x}" width="{opening_percent(right - left, end)}" y="28" height="72"/>'
    )


def opening_percent(amount: float, end: float) -> str:
    """A share of the bar's width as SVG writes it: "20.83%"."""
    return text_fixed(amount / end * 100, 2) + "%"


def opening_text(x: str, y: int, anchor: str, role: str, words: str) -> str:
    """A word at the bar."""
    return f'<text class="{role}" x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'
