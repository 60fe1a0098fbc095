"""Still pictures: what Python draws of a figure, until and where BokehJS does not."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from bokeh.models import Circle, Quad, Text

from acts import ACTS, Scenario, Wall
from acts.figure import PALETTE, by_role, canvas, draw, source
from acts.still import still_picture

FIGURES = [(act, name) for act in ACTS for name in act().figures()]


def plain_plot():
    return canvas("wall:example", 'it is "named" <so>', 100, (0, 10), (0, 4))


def picture(plot) -> ElementTree.Element:
    return ElementTree.fromstring(str(still_picture(plot)))


@pytest.mark.parametrize(("act", "name"), FIGURES, ids=lambda value: getattr(value, "id", value))
def test_every_figure_has_one(act, name):
    """In colours of the palette, with every word of the figure, and no number that is none."""
    plot = act().figures()[name]
    markup = str(still_picture(plot))
    assert set(re.findall(r"var\(--(\w+)\)", markup)) <= PALETTE.keys()
    assert "nan" not in markup.lower()
    words = {element.text for element in picture(plot).iter("text")}
    for renderer in plot.renderers:
        if isinstance(renderer.glyph, Text):
            assert {str(text) for text in renderer.data_source.data["text"]} <= words


def test_shapes_stretch_and_letters_do_not():
    plot = plain_plot()
    data = {"left": [0, 5], "right": [2.5, 10], "role": ["cache", "key"], "text": ["a", "b"]}
    box = Quad(
        left="left", right="right", bottom=0, top=1, fill_color=by_role("cache", "key"), line_color=None
    )
    columns = source("wall", "example", data)
    plot.add_glyph(columns, box)
    letters = Text(x="left", y=2, text="text", text_font_size="12px", text_align="right", x_offset=-3)
    draw(plot, columns, letters, text_color="ink")
    outer = picture(plot)[0]
    assert [path.get("d") for path in outer[0]] == ["M0 100H250V75H0z", "M500 100H1000V75H500z"]
    assert [path.get("fill") for path in outer[0]] == ["var(--cache)", "var(--key)"]
    assert outer[0].get("preserveAspectRatio") == "none"
    second = outer[2]
    assert (second.get("x"), second.get("y"), second.get("dx")) == ("50%", "47.1", "-3")
    assert (second.get("text-anchor"), second.text) == ("end", "b")


def test_the_name_is_text_whatever_it_holds():
    assert picture(plain_plot())[0].get("aria-label") == 'it is "named" <so>'


def test_circles_stay_round():
    plot = plain_plot()
    draw(plot, source("wall", "example", {"x": [5]}), Circle(x="x", y=2, radius=0.5), fill_color="query")
    (circle,) = picture(plot).iter("circle")
    assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == ("50%", "50", "32")


def test_an_act_s_markup_holds_its_present_pictures():
    markup = Wall(Scenario(users=3)).markup()
    assert markup.count('class="still"') == 2
    assert "3 users" in markup[markup.index('class="still"') :]
