"""What the page says of its acts by name or number, in places that no list of the acts reaches."""

from __future__ import annotations

import re

import pytest
from bokeh.models import ColumnDataSource

from acts import ACTS
from acts.scripts import module_text
from app.about import COUNTED
from tests.conftest import ROOT

GUIDE = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
SECTIONS = [*(act.id for act in ACTS), "quiz"]


@pytest.mark.parametrize("place", ["README.md", "docs/hosting.md", "CITATION.cff", "pyproject.toml"])
def test_the_acts_are_counted(place):
    counted = re.search(r" in (\w+ acts)\b", (ROOT / place).read_text(encoding="utf-8"))
    assert counted, f"{place} no longer counts the acts"
    assert counted[1] == COUNTED, f"{place} says {counted[1]}"


def test_the_copied_code_has_a_height_for_each_section():
    """The greatest of docs/embedding.md's from 600 px up."""
    said = re.search(r"EMBED_HEIGHTS = \{(.*)\}", module_text("share.js"))
    heights = {name: int(height) for name, height in re.findall(r"(\w+): (\d+)", said[1])}
    rows = re.findall(r"^\| `(\w+)` \| [\d,]+((?: \| [\d,]+)+) \|$", GUIDE, re.MULTILINE)
    guide = {name: max(int(each.replace(",", "")) for each in cells.split(" | ")[1:]) for name, cells in rows}
    for section in SECTIONS:
        assert section in guide, f"docs/embedding.md does not say how high {section} is"
        assert section in heights, f"EMBED_HEIGHTS of static/share.js leaves {section} out"
    assert heights == {section: guide[section] for section in SECTIONS}


@pytest.mark.parametrize(
    ("place", "row", "named"),
    [
        ("docs/embedding.md", r"^\| `act` \| (.*?) \|", SECTIONS),
        ("docs/slides.md", r"^\| `act=wall` \| which one; (.*?) \|", SECTIONS[:-1]),
    ],
)
def test_the_guides_name_each_section(place, row, named):
    found = re.search(row, (ROOT / place).read_text(encoding="utf-8"), re.MULTILINE)
    assert re.findall(r"`(\w+)`", found[1]) == named, f"{place} names other sections than there are"


def test_the_readme_tells_of_each_act():
    listed = re.findall(
        r"^\d\. \*\*(\w+)\*\*", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert listed == [act.short for act in ACTS], "README.md lists other acts than there are"


@pytest.mark.parametrize("act", ACTS)
def test_plots_and_frame_have_the_same_names(act):
    """A source, a plot or an axis that only one of them names would never be filled, without a word."""
    drawn = act()
    frame, plots = drawn.frame(), drawn.figures()
    sources = {each.name for plot in plots.values() for each in plot.select(type=ColumnDataSource)}
    axes = {f"{name}-{axis}" for name in plots for axis in "xy"}
    assert sources == {f"{act.id}:{name}" for name in frame["sources"]}
    assert {plot.name for plot in plots.values()} == {f"{act.id}:{name}" for name in frame["figures"]}
    assert frame["ranges"].keys() <= axes
