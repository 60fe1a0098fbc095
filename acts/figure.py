"""Drawing: one palette for style sheet and figures, and bare Bokeh plots without any chart chrome."""

from __future__ import annotations

from typing import Any

from bokeh.models import (
    CategoricalColorMapper,
    ColumnDataSource,
    FixedTicker,
    GlyphRenderer,
    Grid,
    LogScale,
    Plot,
    Range1d,
)

#: One colour per meaning, in every act: name -> (light, dark). The style sheet's --names come from here too.
PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#fbfaf6", "#15171b"),
    "panel": ("#ffffff", "#1d2026"),
    "ink": ("#1d1c1a", "#ece9e1"),
    "muted": ("#5f5b53", "#aaa59a"),
    "rule": ("#dcd8cd", "#383c44"),
    "edge": ("#878172", "#767c88"),
    "accent": ("#0b6e65", "#5fd0c3"),
    "weights": ("#4d5f86", "#8fa3cf"),
    "cache": ("#0b766c", "#38aa9d"),
    "key": ("#10559a", "#5ba3e6"),
    "value": ("#a86300", "#f2bd63"),
    "query": ("#9a3688", "#dd86cc"),
    "reserve": ("#8d8677", "#7d776a"),
    "held": ("#e9e5da", "#2a2d34"),
    "free": ("#f1eee5", "#23262c"),
    "slot": ("#e0dbcd", "#343942"),
    "overflow": ("#ab2412", "#ff9280"),
}

#: Names that give way to another one's colour where a reader asks for more contrast.
STRONGER = {"muted": "ink", "rule": "edge", "edge": "ink", "held": "slot", "free": "slot", "slot": "edge"}

FONT = "Inter, system-ui, sans-serif"


def canvas(
    name: str, label: str, height: int, x: tuple[float, float], y: tuple[float, float], **more: Any
) -> Plot:
    """An empty plot ``height`` px high that fills its column, announced as an image named ``label``.

    ``name`` is ``act:figure``; a frame's ``ranges`` address its axes as ``figure-x`` and ``figure-y``.
    """
    return Plot(
        name=name,
        height=height,
        sizing_mode="stretch_width",
        x_range=Range1d(*x, name=f"{name}-x"),
        y_range=Range1d(*y, name=f"{name}-y"),
        toolbar_location=None,
        background_fill_alpha=0,
        border_fill_alpha=0,
        outline_line_color=None,
        min_border=0,
        html_attributes={"role": "img", "aria-label": label},
        **more,
    )


def source(act: str, name: str, columns: dict[str, list]) -> ColumnDataSource:
    """The data of ``name`` in an act's frame; the browser finds it under ``act:name``."""
    return ColumnDataSource(columns, name=f"{act}:{name}")


def paint(model: Any, **roles: str) -> Any:
    """Colours properties of a Bokeh model by palette name, and notes them so that the theme can repaint it."""
    for prop, role in roles.items():
        setattr(model, prop, PALETTE[role][0])
    model.tags = [*model.tags, {"paint": roles}]
    return model


def draw(plot: Plot, data: ColumnDataSource, glyph: Any, **roles: str) -> GlyphRenderer:
    """Adds ``glyph`` over ``data`` to ``plot`` in palette colours."""
    return plot.add_glyph(data, paint(glyph, **roles))


def by_role(*roles: str) -> dict[str, Any]:
    """A colour property that follows the ``role`` column: each role in its palette colour."""
    mapper = CategoricalColorMapper(factors=list(roles), palette=[PALETTE[role][0] for role in roles])
    mapper.tags = [{"palette": list(roles)}]
    return {"field": "role", "transform": mapper}


def quiet_axis(kind: type, ticks: dict[float, str], title: str = "") -> Any:
    """An axis with just the labels of ``ticks`` (position -> text) and its title, in the page's type.

    Fixed labels instead of a formatter: formatters that run code would need 'unsafe-eval' of every host page.
    """
    axis = kind(
        ticker=FixedTicker(ticks=list(ticks)),
        major_label_overrides=dict(ticks),
        axis_label=title,
        axis_label_standoff=6,
        axis_label_text_font=FONT,
        axis_label_text_font_size="12px",
        axis_label_text_font_style="normal",
        major_label_text_font=FONT,
        major_label_text_font_size="12px",
        major_tick_in=0,
        major_tick_out=4,
        minor_tick_line_color=None,
    )
    return paint(
        axis,
        axis_label_text_color="muted",
        major_label_text_color="muted",
        axis_line_color="rule",
        major_tick_line_color="rule",
    )


def rules(plot: Plot, dimension: int, ticks: dict[float, str]) -> None:
    """Hairlines across ``plot`` at ``ticks`` of the x (0) or y (1) dimension."""
    grid = Grid(dimension=dimension, ticker=FixedTicker(ticks=list(ticks)), level="underlay")
    plot.add_layout(paint(grid, grid_line_color="rule"))


def logarithmic(plot: Plot) -> Plot:
    """Both scales of ``plot`` logarithmic."""
    plot.x_scale = LogScale()
    plot.y_scale = LogScale()
    return plot


def palette_css() -> str:
    """The palette as custom properties: light, and on a screen dark by system setting or by the page's switch.

    Where a reader asks for more contrast, some colours give way to stronger ones.
    """
    themes = [
        ("", ":root,:host", 0),
        (
            "screen and (prefers-color-scheme:dark)",
            ":root:not([data-theme=light]),:host(:not([data-theme=light]))",
            1,
        ),
        ("screen", ":root[data-theme=dark],:host([data-theme=dark])", 1),
    ]
    css = ""
    for query, selector, shade in themes:
        colours = "".join(f"--{name}:{pair[shade]};" for name, pair in PALETTE.items())
        rule = f"{selector}{{color-scheme:{('light', 'dark')[shade]};{colours}}}"
        css += f"@media {query}{{{rule}}}" if query else rule
    for query, selector, shade in themes:
        colours = "".join(f"--{name}:{PALETTE[other][shade]};" for name, other in STRONGER.items())
        queries = " and ".join(filter(None, [query, "(prefers-contrast:more)"]))
        css += f"@media {queries}{{{selector}{{{colours}}}}}"
    return css
