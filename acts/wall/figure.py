"""The wall's two plots: the memory bar and the curve of users against context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bokeh.core.properties import value
from bokeh.models import Line, LogAxis, Quad, Scatter, Segment, Text

from ..figure import FONT, by_role, canvas, draw, logarithmic, quiet_axis, rules, source
from ..text import text_context, text_whole

if TYPE_CHECKING:
    from bokeh.models import Plot

    from ..contracts import Frame

CONTEXT_TICKS: dict[float, str] = {tokens: text_context(tokens) for tokens in (1024, 8192, 65536, 524288)}
USER_TICKS: dict[float, str] = {0.5: "none"} | {10**power: text_whole(10**power) for power in range(8)}


def memory_bar(frame: Frame) -> Plot:
    """Weights, reserve, each user's cache and what is free, to scale; the wall where usable memory ends."""
    plot = canvas(
        "wall:memory", frame["figures"]["memory"], 176, (0, frame["ranges"]["memory-x"]["end"]), (-0.85, 1.68)
    )
    parts = source("wall", "parts", frame["sources"]["parts"])
    slices = source("wall", "slices", frame["sources"]["slices"])
    labels = source("wall", "labels", frame["sources"]["labels"])
    edges = source("wall", "edges", frame["sources"]["edges"])
    limit = source("wall", "wall", frame["sources"]["wall"])
    span = {"left": "left", "right": "right", "bottom": 0, "top": 1, "line_color": None}
    plot.add_glyph(parts, Quad(fill_color=by_role("weights", "reserve", "free", "held", "overflow"), **span))
    plot.add_glyph(slices, Quad(fill_color=by_role("cache", "overflow", "slot"), **span))
    draw(plot, edges, Segment(x0="x", x1="x", y0="foot", y1=1, line_width=1), line_color="muted")
    draw(plot, limit, Segment(x0="x", x1="x", y0=-0.1, y1=1.62, line_width=2.5), line_color="ink")
    lettering = {"text": "text", "text_font": value(FONT), "text_font_size": "13px"}
    beside = Text(x="x", y="y", text_baseline="baseline", text_font_style="bold", **lettering)
    beside.text_align = "align"
    beside.text_color = by_role("weights", "cache", "overflow")
    plot.add_glyph(labels, beside)
    flag = Text(
        x="x",
        y=1.66,
        text_align="align",
        text_baseline="top",
        x_offset="dx",
        text_font_style="bold",
        **lettering,
    )
    draw(plot, limit, flag, text_color="ink")
    cut = source("wall", "cut", frame["sources"]["cut"])
    draw(plot, cut, Segment(x0="x0", x1="x1", y0=-0.06, y1=1.06, line_width=5), line_color="panel")
    beyond = Text(x="x", y=-0.16, text_align="right", text_baseline="top", **lettering)
    draw(plot, cut, beyond, text_color="overflow")
    below = Text(x="x", y="foot", text_align="align", text_baseline="bottom", x_offset="dx", **lettering)
    draw(plot, edges, below, text_color="muted")
    return plot


def users_curve(frame: Frame) -> Plot:
    """Users that fit at each context, both logarithmic; marked on it, what fits now and what is wanted."""
    y = frame["ranges"]["curve-y"]
    plot = logarithmic(
        canvas("wall:curve", frame["figures"]["curve"], 260, (230, 1_200_000), (y["start"], y["end"]))
    )
    rules(plot, 1, USER_TICKS)
    plot.add_layout(quiet_axis(LogAxis, CONTEXT_TICKS, "context per user, tokens"), "below")
    plot.add_layout(quiet_axis(LogAxis, USER_TICKS, "users that fit"), "left")
    curve = source("wall", "curve", frame["sources"]["curve"])
    draw(plot, curve, Line(x="x", y="y", line_width=3), line_color="cache")
    point = source("wall", "point", frame["sources"]["point"])
    marks = Scatter(x="x", y="y", size=12, line_width=2, fill_color=by_role("cache", "ink", "overflow"))
    draw(plot, point, marks, line_color="panel")
    words = Text(
        x="x", y="y", text="text", text_font=value(FONT), text_font_size="12px", text_font_style="bold"
    )
    words.text_color = by_role("cache", "ink", "overflow")
    words.text_baseline, words.text_align, words.x_offset, words.y_offset = "middle", "align", "dx", "dy"
    draw(plot, point, words, background_fill_color="panel")
    return plot
