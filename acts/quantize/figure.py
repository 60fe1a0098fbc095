"""The act's three plots: the block of values in bits, the two memory bars, and the rounding demo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.core.properties import value
from bokeh.models import LinearAxis, Quad, Scatter, Segment, Text

from ..figure import FONT, by_role, canvas, draw, quiet_axis, source

if TYPE_CHECKING:
    from bokeh.models import Plot

    from ..contracts import Frame

SPAN = {"left": "left", "right": "right", "bottom": "bottom", "top": "top", "line_color": None}


def lettering(style: str = "normal") -> dict[str, Any]:
    """Properties of text on a figure."""
    return {"text_font": value(FONT), "text_font_size": "13px", "text_font_style": style}


def value_block(frame: Frame) -> Plot:
    """32 values in 16 bits and in another type, each cell as wide as its bits, scales behind them."""
    end = frame["ranges"]["block-x"]["end"]
    plot = canvas("quantize:block", frame["figures"]["block"], 132, (0, end), (-0.05, 3.3))
    cells = source("quantize", "cells", frame["sources"]["cells"])
    labels = source("quantize", "block-labels", frame["sources"]["block-labels"])
    scale = source("quantize", "scale-label", frame["sources"]["scale-label"])
    plot.add_glyph(cells, Quad(fill_color=by_role("cache", "ink", "slot"), **SPAN))
    draw(plot, labels, Text(x="x", y="y", text="text", y_offset=-4, **lettering("bold")), text_color="ink")
    beside = Text(x="x", y="y", text="text", x_offset=7, text_baseline="middle", **lettering())
    draw(plot, scale, beside, text_color="ink")
    return plot


def memory_bars(frame: Frame) -> Plot:
    """The cards' memory with a 16-bit cache and with another type, a slice for each user that fits."""
    end = frame["ranges"]["users-x"]["end"]
    plot = canvas("quantize:users", frame["figures"]["users"], 164, (0, end), (-0.6, 3.3))
    parts = source("quantize", "parts", frame["sources"]["parts"])
    slices = source("quantize", "slices", frame["sources"]["slices"])
    titles = source("quantize", "bar-labels", frame["sources"]["bar-labels"])
    weights = source("quantize", "weights-label", frame["sources"]["weights-label"])
    usable = source("quantize", "usable", frame["sources"]["usable"])
    plot.add_glyph(parts, Quad(fill_color=by_role("weights", "reserve", "free", "held", "overflow"), **SPAN))
    plot.add_glyph(slices, Quad(fill_color=by_role("cache", "slot"), **SPAN))
    for foot, top in ((-0.12, 1.06), (1.66, 2.81)):  # a line a bar: none through the words between them
        draw(plot, usable, Segment(x0="x", x1="x", y0=foot, y1=top, line_width=2), line_color="ink")
    draw(plot, titles, Text(x="x", y="y", text="text", y_offset=-4, **lettering("bold")), text_color="ink")
    inside = Text(x="x", y="y", text="text", text_align="center", text_baseline="middle", **lettering())
    draw(plot, weights, inside, text_color="paper")
    cut = source("quantize", "cut", frame["sources"]["cut"])
    for bottom in (0, 1.75):
        draw(
            plot,
            cut,
            Segment(x0="x0", x1="x1", y0=bottom - 0.06, y1=bottom + 1.06, line_width=5),
            line_color="panel",
        )
    beyond = Text(x="x", y=-0.14, text="text", text_align="right", text_baseline="top", **lettering())
    draw(plot, cut, beyond, text_color="overflow")
    foot = Text(x="x", y=-0.14, text="text", text_align="align", text_baseline="top", **lettering())
    draw(plot, usable, foot, text_color="muted")
    return plot


def rounding_demo(frame: Frame) -> Plot:
    """32 numbers as rings, what the type makes of them as dots, its levels as hairlines if there are few."""
    span = frame["ranges"]["rounding-y"]
    plot = canvas(
        "quantize:rounding", frame["figures"]["rounding"], 240, (0.2, 32.8), (span["start"], span["end"])
    )
    plot.add_layout(quiet_axis(LinearAxis, {-2: "-2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8"}), "left")
    levels = source("quantize", "levels", frame["sources"]["levels"])
    errors = source("quantize", "errors", frame["sources"]["errors"])
    values = source("quantize", "values", frame["sources"]["values"])
    draw(plot, levels, Segment(x0="x0", x1="x1", y0="y", y1="y"), line_color="rule")
    draw(plot, errors, Segment(x0="x", x1="x", y0="y0", y1="y1", line_width=2), line_color="muted")
    draw(plot, values, Scatter(x="x", y="rounded", size=7, line_color=None), fill_color="cache")
    ring = Scatter(x="x", y="y", size=9, line_width=1.5, fill_color=None)
    draw(plot, values, ring, line_color="ink")
    return plot
