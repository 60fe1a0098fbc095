"""Where everything in the two plots stands.

Pure functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sizing import ceil_div, vector_bytes
from ..text import text_bytes, text_context, text_count, text_number, text_whole
from .costs import heads_quotient

if TYPE_CHECKING:
    from ..contracts import Columns, View
    from ..sizing import Shape

# The picture of heads is laid out in these units: across, one query head; up, one pixel of the plot.
HEADS_HEIGHT = 226
HEADS_ACROSS = 32  # more heads than this stand in several rows, so that a telephone still separates them
HEADS_TOP = 190
HEADS_PITCH = 22
HEADS_FOOT = 28
HEADS_TILE_HEIGHTS = [34, 26, 20, 15, 12, 10, 8, 7]


def heads_placed(view: View) -> View:
    """``view`` with the rows its heads stand in and the size of a KV head's tiles.

    Many query heads are staggered in rows, so that each keeps a place of its own across. Tiles are as large
    for few KV heads as for many, since each costs the same.
    """
    rows = ceil_div(view["queries"], HEADS_ACROSS)
    view["rows"] = rows
    view["tile_rows"] = ceil_div(view["kv"] * rows, view["queries"])
    view["tile_width"] = min(0.84 * rows, view["queries"] / 30)
    view["tile_height"] = HEADS_TILE_HEIGHTS[min(rows, len(HEADS_TILE_HEIGHTS)) - 1]
    return view


def heads_margin(view: View) -> float:
    """Space left and right of the outermost heads' middles."""
    return 0.5 * view["rows"] + 0.1


def heads_query_y(view: View, query: int) -> float:
    """Height of a query head's middle."""
    return HEADS_TOP - HEADS_PITCH * (query % view["rows"])


def heads_tile_x(view: View, kv: int) -> float:
    """The middle of a KV head: below the middle of the query heads it serves."""
    return (kv + 0.5) * view["queries"] / view["kv"] - 0.5


def heads_tile_top(view: View, kv: int) -> float:
    """Upper edge of a KV head's tiles."""
    below = view["tile_rows"] - 1 - kv % view["tile_rows"]
    return HEADS_FOOT + below * (view["tile_height"] + 3) + view["tile_height"]


def heads_queries(view: View) -> Columns:
    """The query heads as circles, staggered in rows so that each keeps a place of its own across."""
    heads = list(range(view["queries"]))
    radius = min(0.36 * view["rows"], view["queries"] / 80)
    return {
        "x": heads,
        "y": [heads_query_y(view, head) for head in heads],
        "radius": [radius for head in heads],
    }


def heads_tiles(view: View) -> Columns:
    """A key and a value tile a KV head; of a latent one bar, to the scale of the full heads it stands for."""
    left = []
    right = []
    top = []
    role = []
    width = view["tile_width"]
    height = view["tile_height"]
    if view["latent"]:
        half = width * heads_latent_scale(view["shape"]) / 2
        middle = (view["queries"] - 1) / 2
        return {
            "left": [middle - half],
            "right": [middle + half],
            "top": [HEADS_FOOT + HEADS_TILE_HEIGHTS[0]],
            "bottom": [HEADS_FOOT],
            "role": ["cache"],
        }
    for kv in range(view["kv"]):
        middle = heads_tile_x(view, kv)
        left.append(middle - width / 2)
        right.append(middle - width * 0.02)
        left.append(middle + width * 0.02)
        right.append(middle + width / 2)
        for kind in ["key", "value"]:
            top.append(heads_tile_top(view, kv))
            role.append(kind)
    return {"left": left, "right": right, "top": top, "bottom": [edge - height for edge in top], "role": role}


def heads_latent_scale(shape: Shape) -> float:
    """Values of the latent over those of one full key and value; 2 where the full widths are not known."""
    for group in shape.groups:
        if group.kind == "latent" and group.full_key_width > 0:
            return group.key_width / (group.full_key_width + group.full_value_width)
    return 2


def heads_joins(view: View) -> Columns:
    """A curve from each query head to what it reads, leaving and arriving upright."""
    queries = view["queries"]
    x1: list[float] = []
    y1: list[float] = []
    for query in range(queries):
        if view["latent"]:
            half = view["tile_width"] * heads_latent_scale(view["shape"]) * 0.45
            x1.append((queries - 1) / 2 + half * (2 * (query + 0.5) / queries - 1))
            y1.append(HEADS_FOOT + HEADS_TILE_HEIGHTS[0])
        else:
            kv = query * view["kv"] // queries
            x1.append(heads_tile_x(view, kv))
            y1.append(heads_tile_top(view, kv))
    x0 = list(range(queries))
    y0 = [heads_query_y(view, query) for query in range(queries)]
    bend = [(y0[query] + y1[query]) / 2 for query in range(queries)]
    width = [1.5 if view["rows"] == 1 else 0.9 for query in x0]
    return {
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
        "cx0": x0,
        "cy0": bend,
        "cx1": x1,
        "cy1": bend,
        "width": width,
    }


def heads_labels(view: View) -> Columns:
    """What the two rows are, at their left."""
    kept = text_count(view["kv"], "KV head") + ("," if view["kv"] > 1 else ":")
    kept = kept + (" each a key and a value" if view["kv"] > 1 else " one key and one value")
    if view["latent"]:
        kept = "one latent of " + text_whole(view["latent_width"]) + " values"
    start = 0 - heads_margin(view)
    return {
        "x": [start, start],
        "y": [HEADS_HEIGHT - 16, 2],
        "text": [text_count(view["queries"], "query head"), kept],
        "role": ["query", "ink"],
    }


def heads_spans(view: View) -> Columns:
    """Two bars in bytes of one sequence: the choice above, all heads below; recurrent state ends both."""
    state = view["shape"].state_bytes
    full = view["full_sequence"] if view["known"] else state
    chosen = heads_bar(view["sequence"], state, heads_key_share(view, view["choice"]))
    whole = heads_bar(full, state, heads_key_share(view, -1))
    bottom = [1, 1, 1, 0, 0, 0]
    return {
        "left": chosen["left"] + whole["left"],
        "right": chosen["right"] + whole["right"],
        "bottom": bottom,
        "top": [edge + 0.44 for edge in bottom],
        "role": ["cache" if view["latent"] else "key", "value", "reserve", "key", "value", "reserve"],
        "alpha": [1 if edge == 1 else 0.42 for edge in bottom],
    }


def heads_bar(size: int, state: int, key_share: float) -> Columns:
    """Edges of a bar's keys, values and state."""
    cached = size - state
    keys = cached * key_share
    return {"left": [0, keys, cached], "right": [keys, cached, size]}


def heads_key_share(view: View, choice: int) -> float:
    """The keys' part of what grows; all of it for a latent, which is neither key nor value."""
    key = 0
    both = 0
    for group in view["shape"].groups:
        wide = [group.key_width, group.value_width]
        if group.kind == "latent" and choice == -1 and group.full_key_width > 0:
            wide = [group.full_key_width, group.full_value_width]
        key += group.layers * vector_bytes(wide[0], view["keys"])
        both += group.layers * (vector_bytes(wide[0], view["keys"]) + vector_bytes(wide[1], view["values"]))
    return key / max(1, both)


def heads_titles(view: View) -> Columns:
    """What each bar is and how long, above it."""
    chosen = "one latent per layer"
    if not view["latent"]:
        chosen = text_count(view["kv"], "KV head")
    return {
        "x": [0, 0],
        "y": [1.5, 0.5],
        "text": [
            chosen + ": " + text_bytes(view["sequence"]),
            (
                f"all {text_count(view['queries'], 'head')} cached: "
                f"{text_bytes(view['full_sequence']) if view['known'] else 'not known'}"
            ),
        ],
        "role": ["ink", "muted"],
    }


def heads_joins_label(view: View) -> str:
    """The picture of heads in words, for those who do not see it."""
    start = "In each layer of " + view["model"] + ", " + text_count(view["queries"], "query head")
    if view["latent"]:
        return start + " all joined to one latent of " + text_whole(view["latent_width"]) + " values."
    each = text_number(heads_quotient(view["queries"], view["kv"]), 2)
    return start + " joined to " + text_count(view["kv"], "KV head") + ", " + each + " to each."


def heads_bars_label(view: View) -> str:
    """The two bars in words."""
    titles = heads_titles(view)["text"]
    start = "Cache of one sequence of " + text_context(view["context"]) + " tokens, to scale. "
    return start + titles[0] + "; " + titles[1] + "."
