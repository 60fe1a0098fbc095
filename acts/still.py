"""A figure as a still picture: SVG that Python makes of a Bokeh plot, for where BokehJS is not yet, or never.

It knows what the acts' figures are made of and no more. It is as wide as it is given: shapes stand in a box that
stretches, letters and marks at a share of the width, so that they keep their size. Colours are the palette's custom
properties, which follow the theme.
"""

from __future__ import annotations

from math import degrees, log10
from typing import TYPE_CHECKING, Any

from bokeh.models import LogScale
from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bokeh.models import Glyph, Plot

#: Width of the box that stretches, in its own units, and about what it is on a page, px.
BOX = 1000
TYPICAL_WIDTH = 640
#: What an axis takes of a plot with a title and without, px.
AXIS_SPACE = {"left": (60, 28), "below": (46, 28)}
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
#: How far below its place the line of a text is, as a share of its size.
BASELINES = {"top": 0.9, "middle": 0.36, "bottom": -0.24, "baseline": 0, "alphabetic": 0}


def still_picture(plot: Plot) -> Markup:
    """The plot with the data it holds, as an SVG element named as the plot is."""
    return _Still(plot).markup()


def number(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


class _Still:
    """One plot's scales, and what its axes and glyphs add to the picture."""

    def __init__(self, plot: Plot) -> None:
        self.plot = plot
        axes = {side: getattr(plot, side) for side in AXIS_SPACE}
        space = {side: AXIS_SPACE[side][not axis[0].axis_label] if axis else 0 for side, axis in axes.items()}
        self.left = space["left"] or plot.min_border_left or 0
        self.height = plot.height - space["below"]
        #: Path data by the attributes they share, and what keeps its proportions.
        self.shapes: dict[str, list[str]] = {}
        self.marks: list[str] = []

    def markup(self) -> Markup:
        """The picture as it stands in a document."""
        for axis in (*self.plot.below, *self.plot.left):
            self.draw_axis(axis, across=axis in self.plot.below)
        for renderer in self.plot.renderers:
            getattr(self, f"draw_{type(renderer.glyph).__name__}")(
                renderer.glyph, dict(renderer.data_source.data)
            )
        paths = "".join(f'<path {how} d="{"".join(data)}"/>' for how, data in self.shapes.items())
        label = escape(self.plot.html_attributes["aria-label"])
        height = number(self.height)
        return Markup(
            f'<div class="still" style="padding-left:{number(self.left)}px">'
            f'<svg role="img" aria-label="{label}" width="100%" height="{self.plot.height}">'
            f'<svg viewBox="0 0 {BOX} {height}" preserveAspectRatio="none" width="100%" height="{height}">{paths}</svg>'
            f"{''.join(self.marks)}</svg></div>"
        )

    # Scales: units of the box across, px down.

    def x(self, value: float) -> float:
        """Where a value lies across the box."""
        return BOX * _share(value, self.plot.x_range, self.plot.x_scale)

    def y(self, value: float) -> float:
        """How far down a value lies, px."""
        return self.height * (1 - _share(value, self.plot.y_range, self.plot.y_scale))

    def at(self, x: float, y: float) -> str:
        """A point of a path."""
        return f"{number(self.x(x))} {number(self.y(y))}"

    # What glyphs say.

    def rows(self, glyph: Glyph, data: dict[str, Any], *names: str) -> Iterator[list[Any]]:
        """The values of properties, row by row of the data."""
        columns = [_column(glyph, data, name) for name in names]
        length = max((len(column) for column in data.values()), default=0)
        for row in range(length):
            yield [column[row] if isinstance(column, list) else column for column in columns]

    def fill_box(self, edges: tuple[float, float, float, float], how: str) -> None:
        """A rectangle from its left, right, bottom and top."""
        left, right, bottom, top = edges
        path = (
            f"M{self.at(left, bottom)}H{number(self.x(right))}V{number(self.y(top))}H{number(self.x(left))}z"
        )
        self.shapes.setdefault(how, []).append(path)

    def draw_Quad(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Rectangles."""
        for *edges, colour, alpha in self.rows(
            glyph, data, "left", "right", "bottom", "top", "fill_color", "fill_alpha"
        ):
            self.fill_box(tuple(edges), _fill(colour, alpha))

    def draw_HBar(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Rectangles about a height, some outlined."""
        names = ("left", "right", "y", "height", "fill_color", "fill_alpha", "line_color")
        for left, right, y, height, colour, alpha, line in self.rows(glyph, data, *names):
            how = _fill(colour, alpha) + (f" {_stroke(line, 1, 1)}" if line else "")
            self.fill_box((left, right, y + height / 2, y - height / 2), how)

    def draw_VArea(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """The area between two lines."""
        rows = list(self.rows(glyph, data, "x", "y1", "y2"))
        edge = [self.at(x, y1) for x, y1, _ in rows] + [self.at(x, y2) for x, _, y2 in reversed(rows)]
        if edge:
            how = _fill(_column(glyph, data, "fill_color"), _column(glyph, data, "fill_alpha"))
            self.shapes.setdefault(how, []).append("M" + "L".join(edge) + "z")

    def draw_Line(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """One line through all points."""
        points = [self.at(x, y) for x, y in self.rows(glyph, data, "x", "y")]
        if points:
            self.shapes.setdefault(self.line(glyph, data), []).append("M" + "L".join(points))

    def line(self, glyph: Glyph, data: dict[str, Any]) -> str:
        """How a glyph's lines are drawn, all alike."""
        colour, width, alpha = (_column(glyph, data, f"line_{name}") for name in ("color", "width", "alpha"))
        return _stroke(colour, width[0] if isinstance(width, list) else width, alpha)

    def draw_Segment(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Straight lines."""
        for x0, y0, x1, y1 in self.rows(glyph, data, "x0", "y0", "x1", "y1"):
            self.shapes.setdefault(self.line(glyph, data), []).append(f"M{self.at(x0, y0)}L{self.at(x1, y1)}")

    def draw_Quadratic(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Curves with one handle."""
        for x0, y0, x1, y1, cx, cy in self.rows(glyph, data, "x0", "y0", "x1", "y1", "cx", "cy"):
            path = f"M{self.at(x0, y0)}Q{self.at(cx, cy)} {self.at(x1, y1)}"
            self.shapes.setdefault(self.line(glyph, data), []).append(path)

    def draw_Bezier(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Curves with two handles."""
        names = ("x0", "y0", "cx0", "cy0", "cx1", "cy1", "x1", "y1")
        for x0, y0, *handles, x1, y1 in self.rows(glyph, data, *names):
            path = f"M{self.at(x0, y0)}C{self.at(*handles[:2])} {self.at(*handles[2:])} {self.at(x1, y1)}"
            self.shapes.setdefault(self.line(glyph, data), []).append(path)

    def draw_Scatter(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Round marks of a size in px."""
        for x, y, size, colour, line in self.rows(glyph, data, "x", "y", "size", "fill_color", "line_color"):
            edge = f" {_stroke(line, _column(glyph, data, 'line_width'), 1)}" if line else ""
            self.add_circle(x, y, size / 2, f"{_fill(colour, 1)}{edge}")

    def draw_Circle(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Round marks of a size on the x axis."""
        for x, y, radius, colour in self.rows(glyph, data, "x", "y", "radius", "fill_color"):
            size = (self.x(x + radius) - self.x(x)) * TYPICAL_WIDTH / BOX
            self.add_circle(x, y, size, _fill(colour, 1))

    def add_circle(self, x: float, y: float, radius: float, how: str) -> None:
        """A circle that stays one, ``radius`` px."""
        place = f'cx="{number(self.x(x) / BOX * 100)}%" cy="{number(self.y(y))}"'
        self.marks.append(f'<circle {place} r="{number(radius)}" {how}/>')

    def draw_Text(self, glyph: Glyph, data: dict[str, Any]) -> None:
        """Letters, from their place on by an offset in px."""
        size = int(str(_column(glyph, data, "text_font_size")).removesuffix("px"))
        weight = ' font-weight="700"' if glyph.text_font_style == "bold" else ""
        names = (
            "x",
            "y",
            "text",
            "text_color",
            "text_align",
            "text_baseline",
            "x_offset",
            "y_offset",
            "angle",
        )
        for x, y, text, colour, align, baseline, right, down, angle in self.rows(glyph, data, *names):
            shift = down + BASELINES[baseline] * size
            how = f'font-size="{size}"{weight} {_fill(colour, 1)}'
            self.add_text(
                self.x(x), self.y(y), str(text), f'{how} text-anchor="{ANCHORS[align]}"', right, shift, angle
            )

    def add_text(
        self, x: float, y: float, text: str, how: str, right: float = 0, down: float = 0, angle: float = 0
    ) -> None:
        """Letters at ``x`` units and ``y`` px, moved by px, turned by radians."""
        moved = f' dx="{number(right)}"' if right else ""
        place = f'x="{number(x / BOX * 100)}%" y="{number(y + (0 if angle else down))}"{moved}'
        # Its place across is known as a share alone, about which an attribute cannot turn.
        turn = f"transform-box:fill-box;transform-origin:right;rotate:{number(-degrees(angle))}deg"
        turned = f' style="{turn}"' if angle else ""
        self.marks.append(f"<text {place} {how}{turned}>{escape(text)}</text>")

    def draw_axis(self, axis: Any, *, across: bool) -> None:
        """The labels of an axis, its line and its title."""
        how = 'font-size="12" fill="var(--muted)"'
        for value, text in axis.major_label_overrides.items():
            if across and 0 <= self.x(value) <= BOX:
                self.add_text(self.x(value), self.height + 18, text, f'{how} text-anchor="middle"')
            elif not across and 0 <= self.y(value) <= self.height:
                self.add_text(0, self.y(value) + 4, text, f'{how} text-anchor="end"', right=-8)
        edge = f"M0 {number(self.height)}H{BOX}" if across else f"M0 0V{number(self.height)}"
        self.shapes.setdefault(_stroke("rule", 1, 1), []).append(edge)
        if axis.axis_label and across:
            self.add_text(BOX / 2, self.height + 38, axis.axis_label, f'{how} text-anchor="middle"')
        elif axis.axis_label:
            place = f"translate({number(16 - self.left)} {number(self.height / 2)}) rotate(-90)"
            label = escape(axis.axis_label)
            self.marks.append(f'<text transform="{place}" {how} text-anchor="middle">{label}</text>')


def _share(value: float, span: Any, scale: Any) -> float:
    """Where a value lies between a range's start (0) and its end (1)."""
    at, start, end = value, span.start, span.end
    if isinstance(scale, LogScale):
        at, start, end = log10(max(at, 1e-9)), log10(start), log10(end)
    return (at - start) / (end - start)


def _column(glyph: Glyph, data: dict[str, Any], name: str) -> Any:
    """A property's values as a list if they come from the data, else its one value; of colours, the palette's names."""
    for tag in glyph.tags:
        if name in tag.get("paint", {}):
            return tag["paint"][name]
    given = getattr(glyph, name)
    field = given["field"] if isinstance(given, dict) and "field" in given else getattr(given, "field", given)
    placed = name in ("text_align", "text_baseline") and given in (*ANCHORS, *BASELINES)
    if isinstance(field, str) and field in data and not placed:
        return list(data[field])
    return getattr(given, "value", given)


def _fill(colour: str | None, alpha: float) -> str:
    opacity = f' fill-opacity="{alpha:g}"' if alpha != 1 else ""
    return f'fill="{f"var(--{colour})" if colour else "none"}"{opacity}'


def _stroke(colour: str, width: float, alpha: float) -> str:
    opacity = f' stroke-opacity="{alpha:g}"' if alpha != 1 else ""
    fixed = 'vector-effect="non-scaling-stroke"'
    return f'stroke="var(--{colour})" stroke-width="{width:g}"{opacity} {fixed}'
