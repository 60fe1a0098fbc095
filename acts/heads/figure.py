"""The heads' two plots: query heads joined to what they read, and the bytes that saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bokeh.core.properties import value
from bokeh.models import Bezier, Circle, Quad, Text

from ..figure import FONT, by_role, canvas, draw, source
from .picture import HEADS_HEIGHT

if TYPE_CHECKING:
    from bokeh.models import Plot

    from ..contracts import Frame

LETTERING = {"text_font": value(FONT), "text_font_size": "13px", "text_font_style": "bold"}


def heads_picture(frame: Frame) -> Plot:
    """Query heads above, KV heads below as a key and a value tile, curves from reader to what is read."""
    across = frame["ranges"]["joins-x"]
    plot = canvas(
        "heads:joins",
        frame["figures"]["joins"],
        HEADS_HEIGHT,
        (across["start"], across["end"]),
        (0, HEADS_HEIGHT),
    )
    joins = source("heads", "joins", frame["sources"]["joins"])
    ends = {name: name for name in ("x0", "y0", "x1", "y1", "cx0", "cy0", "cx1", "cy1")}
    curve = Bezier(line_width="width", line_alpha=0.5, **ends)
    draw(plot, joins, curve, line_color="query")
    queries = source("heads", "queries", frame["sources"]["queries"])
    draw(plot, queries, Circle(x="x", y="y", radius="radius", line_color=None), fill_color="query")
    tiles = source("heads", "tiles", frame["sources"]["tiles"])
    edges = {"left": "left", "right": "right", "bottom": "bottom", "top": "top"}
    plot.add_glyph(tiles, Quad(fill_color=by_role("key", "value", "cache"), line_color=None, **edges))
    labels = source("heads", "labels", frame["sources"]["labels"])
    lettering = {"x": "x", "y": "y", "text": "text", "text_baseline": "bottom", **LETTERING}
    plot.add_glyph(labels, Text(text_color=by_role("query", "ink"), **lettering))
    return plot


def bytes_bars(frame: Frame) -> Plot:
    """One sequence's cache with the chosen KV heads, above the same with every head cached, to scale."""
    end = frame["ranges"]["bars-x"]["end"]
    plot = canvas("heads:bars", frame["figures"]["bars"], 104, (0, end), (0, 1.84))
    spans = source("heads", "spans", frame["sources"]["spans"])
    bar = Quad(
        left="left",
        right="right",
        bottom="bottom",
        top="top",
        fill_color=by_role("key", "value", "cache", "reserve"),
        fill_alpha="alpha",
        line_color=None,
    )
    plot.add_glyph(spans, bar)
    titles = source("heads", "titles", frame["sources"]["titles"])
    lettering = {"x": "x", "y": "y", "text": "text", "text_baseline": "bottom", **LETTERING}
    plot.add_glyph(titles, Text(text_color=by_role("ink", "muted"), **lettering))
    return plot
