"""The wall's two figures as data: the memory bar and the curve of users against context. Memory is in GiB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bounds import BOUNDS
from ..deployment import deploy_sequence
from ..sizing import GIB, max_users
from ..text import text_bytes, text_count, text_gib, text_whole

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import Columns, Range, Sizes, State

# Context lengths at which the curve is drawn: powers of two and the points half way (tokens).
CURVE_CONTEXTS = [
    256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
    65536, 98304, 131072, 196608, 262144, 393216, 524288, 786432, 1048576,
]  # fmt: skip

# What share of the bar the words above it take on a narrow screen, and the gap to a line that they keep from it.
USERS_WORD = 0.3
NO_ROOM_WORD = 0.42
WORD_GAP = 0.015

# A slice is drawn at least as wide as this part of the bar, so that a single small one is seen.
WALL_THINNEST = 300

# The bar shows this much of what lies beyond the cards before it is cut off, as a multiple of their memory.
BEYOND = 0.6


def wall_bar_end(sizes: Sizes) -> float:
    """Right end of the bar's scale, GiB: the cards, and as much of the overflow as still leaves them legible."""
    card = sizes["card"] / GIB
    filled = (sizes["weights"] + sizes["reserve"] + sizes["demanded"]) / GIB
    return min(max(card, filled), card * (1 + BEYOND)) * 1.01


def wall_cut(sizes: Sizes, end: float) -> Columns:
    """Where the bar is cut off and how much lies beyond; empty where all of it is drawn (x in GiB)."""
    return wall_break(end, (sizes["weights"] + sizes["reserve"] + sizes["demanded"]) / GIB - end)


def wall_break(end: float, beyond: float) -> Columns:
    """The mark of a bar that is broken off at ``end`` and how much lies ``beyond``, GiB; none where nothing does."""
    if beyond <= 0:
        return {"x": [], "x0": [], "x1": [], "text": []}
    # In the largest unit and no more words: on a phone the edges of the cards' memory are near.
    return {
        "x": [end],
        "x0": [end * 0.955],
        "x1": [end * 0.97],
        "text": [text_bytes(int(beyond * GIB)) + " more"],
    }


def wall_parts(sizes: Sizes) -> Columns:
    """Weights, reserve, free and held-back memory as spans of the bar, GiB; an empty span where there is none.

    What of weights and reserve lies beyond the wall is overflow.
    """
    weights = sizes["weights"] / GIB
    reserve = weights + sizes["reserve"] / GIB
    used = reserve + sizes["demanded"] / GIB
    wall = sizes["wall"] / GIB
    card = sizes["card"] / GIB
    beyond = max(wall, reserve)
    return {
        "role": ["weights", "reserve", "free", "held", "overflow"],
        "left": [0, min(weights, wall), min(used, wall), min(beyond, card), wall],
        "right": [min(weights, wall), min(reserve, wall), wall, card, beyond],
    }


def wall_slices(sizes: Sizes, users: int, end: float) -> Columns:
    """One span a user, GiB: cache up to the wall, overflow beyond it, and the slots that are still free.

    Slices are not drawn one by one beyond the most users a scenario can ask for, nor beyond the bar's end.
    """
    start = (sizes["weights"] + sizes["reserve"]) / GIB
    width = sizes["user"] / GIB
    fit = sizes["max_users"]
    count = min(max(users, fit), BOUNDS["users"][1])
    gap = min(width * 0.12, end / 250) if width > end / 400 else 0
    seen = max(width - gap, end / WALL_THINNEST)
    slices: Columns = {"left": [], "right": [], "role": []}
    # Free slots first, so that what is in use lies on top where slices are drawn wider than they are.
    wall_span(slices, users, count, start, width, seen, end, "slot")
    wall_span(slices, 0, min(users, fit), start, width, seen, end, "cache")
    wall_span(slices, fit, min(users, count), start, width, seen, end, "overflow")
    return slices


def wall_span(
    slices: Columns,
    first: int,
    last: int,
    start: float,
    width: float,
    seen: float,
    end: float,
    role: str,
) -> None:
    """Adds the slices of users ``first`` to ``last``, ``seen`` wide and ``width`` apart, up to the bar's end."""
    for user in range(first, last):
        begin = start + user * width
        if begin >= end:
            break
        slices["left"].append(begin)
        slices["right"].append(begin + seen)
        slices["role"].append(role)


def wall_labels(state: State, sizes: Sizes, end: float) -> Columns:
    """Words beside the bar: the users above their slices, the weights below their span (x in GiB)."""
    start = (sizes["weights"] + sizes["reserve"]) / GIB
    beside = start < sizes["card"] / GIB
    span = [start, min(start + sizes["demanded"] / GIB, end)] if beside else [0, end]
    users = wall_word(span, sizes["wall"] / GIB, end, USERS_WORD if beside else NO_ROOM_WORD)
    return {
        "x": [users["x"], 0],
        "y": [1.12, -0.16],
        "text": [
            text_count(state.users, "user") if beside else "no room for users",
            "weights " + text_gib(sizes["weights"]),
        ],
        "align": [users["align"], "left"],
        "baseline": ["bottom", "top"],
        "role": ["cache" if beside else "overflow", "weights"],
    }


def wall_word(span: list[float], wall: float, end: float, share: float) -> dict[str, Any]:
    """Where a word that takes ``share`` of the bar stands above ``span``, or near it, clear of the wall's line."""
    gap = WORD_GAP * end
    places: list[Any] = [[span[0], "left"], [span[1], "right"], [wall - gap, "right"], [wall + gap, "left"]]
    for x, align in places:
        left = x - share * end if align == "right" else x
        right = left + share * end
        if left >= 0 and right <= end and (right + gap / 2 <= wall or left - gap / 2 >= wall):
            return {"x": x, "align": align}
    return {"x": span[0], "align": "left"}


def wall_side(place: float, end: float, gap: int) -> dict[str, Any]:
    """On which side of a line at ``place`` of ``end`` its word stands, ``gap`` px away: the left if there is room."""
    left = place >= 0.45 * end
    return {"align": "right" if left else "left", "dx": -gap if left else gap}


def wall_edges(sizes: Sizes, end: float) -> Columns:
    """The two edges of the cards' memory, each with a word at the foot of its line (x in GiB).

    Every word below the bar has a row of its own: on a narrow screen no two would fit side by side.
    """
    wall = wall_side(sizes["wall"] / GIB, end, 5)
    card = wall_side(sizes["card"] / GIB, end, 5)
    return {
        "x": [sizes["wall"] / GIB, sizes["card"] / GIB],
        "align": [wall["align"], card["align"]],
        "dx": [wall["dx"], card["dx"]],
        "foot": [-0.58, -0.82],
        "text": [text_gib(sizes["wall"]) + " usable", text_gib(sizes["card"]) + " in all"],
    }


def wall_points(state: State, sizes: Sizes) -> Columns:
    """What fits and what is wanted at the present context; words lie where the curve and the other word do not.

    The curve falls to the right, so above it there is room on the right and below it on the left. Where a word would
    not fit beside the point on a narrow screen, it goes to the other side.
    """
    over = state.users > sizes["max_users"]
    above = wall_beside(state.context >= 12288, -12)
    below = wall_beside(state.context >= 8192, 13)
    fit = below if over and sizes["max_users"] > 0 else above
    wanted = above if over else below
    return {
        "x": [state.context, state.context],
        "y": [max(0.5, sizes["max_users"]), state.users],
        "text": [text_whole(sizes["max_users"]) + " fit", text_whole(state.users) + " wanted"],
        "role": ["cache", "overflow" if over else "ink"],
        "align": [fit["align"], wanted["align"]],
        "dx": [fit["dx"], wanted["dx"]],
        "dy": [fit["dy"], wanted["dy"]],
    }


def wall_beside(left: bool, dy: int) -> dict[str, Any]:
    """Where a word stands from its point: to the left of it or to the right, and ``dy`` px below."""
    return {"align": "right" if left else "left", "dx": -8 if left else 8, "dy": dy}


def wall_curve(state: State, catalog: Catalog, sizes: Sizes) -> Columns:
    """Users that fit at each of ``CURVE_CONTEXTS``; none is drawn at the figure's foot, 0.5."""
    users = []
    for context in CURVE_CONTEXTS:
        users.append(max(0.5, wall_users_at(state, catalog, sizes, context)))
    return {"x": CURVE_CONTEXTS, "y": users}


def wall_users_at(state: State, catalog: Catalog, sizes: Sizes, context: int) -> int:
    """How many users of ``context`` tokens fit on all replicas."""
    return max_users(sizes["free"], deploy_sequence(state, catalog, context)) * state.data_parallel


def wall_curve_range(curve: Columns) -> Range:
    """What the curve's axis spans, users: whole powers of ten more until the curve and a word above it are inside."""
    end = 20_000
    while end < 4 * curve["y"][0]:
        end = end * 10
    return {"start": 0.4, "end": end}
