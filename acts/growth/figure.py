"""Growth's two plots: the cache layer by layer, and the work with and without it."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, Any

from bokeh.core.properties import value
from bokeh.models import HBar, Line, Quadratic, Scatter, Segment, Text, VArea

from ..figure import FONT, by_role, canvas, draw, source
from .layers import GROWTH_CELL, GROWTH_STRIP
from .picture import GROWTH_QUERY_Y

if TYPE_CHECKING:
    from bokeh.models import Plot

    from ..contracts import Frame

#: Height of the picture, px; its y runs from the top down, about one a px.
HEIGHT = 224
#: Width left of the cells for the layers' names, px.
MARGIN = 90


def lettering(size: int = 12, style: str = "normal") -> dict[str, Any]:
    """The page's type on a figure, ``size`` px high."""
    return {"text_font": value(FONT), "text_font_size": f"{size}px", "text_font_style": style}


def cache_picture(frame: Frame) -> Plot:
    """Tokens across, layers down: prompt solid, generated outlined, the newest query's reach on top."""
    sources = {name: source("growth", name, columns) for name, columns in frame["sources"].items()}
    x, y = frame["ranges"]["cache-x"], frame["ranges"]["cache-y"]
    plot = canvas(
        "growth:cache", frame["figures"]["cache"], HEIGHT, (x["start"], x["end"]), (y["start"], y["end"])
    )
    plot.min_border_left = MARGIN
    plot.min_border_right = 2
    cell: dict[str, Any] = {"y": "y", "left": "left", "right": "right", "height": GROWTH_CELL}
    roles = ("key", "value", "cache")
    rail = HBar(y="y", left=0, right="right", height="height", fill_alpha=0.45, line_color=None)
    draw(plot, sources["rails"], rail, fill_color="rule")
    strip = HBar(
        fill_color=by_role(*roles), fill_alpha="alpha", line_color=None, **cell | {"height": GROWTH_STRIP - 1}
    )
    plot.add_glyph(sources["strips"], strip)
    plot.add_glyph(
        sources["dropped"], HBar(fill_color=by_role(*roles), fill_alpha=0.13, line_color=None, **cell)
    )
    plot.add_glyph(sources["prompt"], HBar(fill_color=by_role(*roles), line_color=None, **cell))
    plot.add_glyph(
        sources["generated"],
        HBar(fill_color=by_role(*roles), fill_alpha=0.3, line_color=by_role(*roles), line_width=1, **cell),
    )
    curve = Quadratic(
        x0="x0", y0="y0", x1="x1", y1="y1", cx="cx", cy="cy", line_width="width", line_alpha=0.6
    )
    draw(plot, sources["reach"], curve, line_color="query")
    draw(plot, sources["reach"], Scatter(x="x1", y="y1", size=4, line_color=None), fill_color="query")
    query = HBar(y=GROWTH_QUERY_Y, height=GROWTH_CELL, left="left", right="right", line_color=None)
    draw(plot, sources["queries"], query, fill_color="query")
    note = Text(x=0, text_baseline="middle", x_offset=2 - MARGIN, **lettering(style="bold"))
    draw(plot, sources["note"], note, text_color="query").level = "annotation"
    add_names(plot, sources)
    add_spans(plot, sources)
    return plot


def add_names(plot: Plot, sources: dict[str, Any]) -> None:
    """Layers and rows named in the margin, which only the annotation level may draw on."""
    name = Text(x=0, text_align="right", text_baseline="middle", x_offset=-24, **lettering())
    draw(plot, sources["labels"], name, text_color="muted").level = "annotation"
    letter = Text(x=0, text_align="right", text_baseline="middle", x_offset=-5, **lettering(12, "bold"))
    letter.text_color = by_role("key", "value", "cache", "query")
    plot.add_glyph(sources["letters"], letter, level="annotation")


def add_spans(plot: Plot, sources: dict[str, Any]) -> None:
    """Under the cells: which are the prompt's, and the words themselves."""
    bracket = Segment(x0="left", x1="right", y0="y", y1="y", line_width=2)
    draw(plot, sources["spans"], bracket, line_color="muted")
    text = Text(x="left", text_baseline="top", x_offset=-13, y_offset=4, **lettering())
    draw(plot, sources["spans"], text, text_color="muted").level = "annotation"
    word = Text(text_align="right", text_baseline="middle", angle=pi / 2, **lettering(12))
    word.text_color = by_role("ink", "query")
    plot.add_glyph(sources["words"], word, level="annotation")


def work_plot(frame: Frame) -> Plot:
    """Tokens run through the model up to each step: the whole request faint, its way so far strong."""
    sources = {name: source("growth", name, columns) for name, columns in frame["sources"].items()}
    x, y = frame["ranges"]["work-x"], frame["ranges"]["work-y"]
    plot = canvas(
        "growth:work", frame["figures"]["work"], 230, (x["start"], x["end"]), (y["start"], y["end"])
    )
    draw(plot, sources["walked"], VArea(x="x", y1="with", y2="without", fill_alpha=0.14), fill_color="cache")
    for column, role in (("without", "muted"), ("with", "cache")):
        draw(plot, sources["path"], Line(x="x", y=column, line_width=1.5, line_alpha=0.4), line_color=role)
        draw(plot, sources["walked"], Line(x="x", y=column, line_width=3), line_color=role)
    point = Scatter(x="x", y="y", size=11, line_width=2, fill_color=by_role("cache", "muted"))
    draw(plot, sources["points"], point, line_color="panel")
    name = Text(text_align="right", text_baseline={"field": "baseline"}, y_offset=-8, **lettering(13, "bold"))
    name.text_color = by_role("cache", "muted")
    plot.add_glyph(sources["names"], name, level="annotation")
    end = Text(y=0, text_align={"field": "align"}, text_baseline="top", y_offset=6, **lettering())
    draw(plot, sources["ends"], end, text_color="muted").level = "annotation"
    return plot
