"""Every figure can be kept as PNG, SVG and CSV, by keyboard, with its deployment written on it, in a frame too."""

from __future__ import annotations

import csv
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import expect

from acts import ACTS, Scenario
from acts.deployed import deployed_line
from acts.scenario import Catalog
from tests.conftest import deployment

pytestmark = pytest.mark.browser

STATE = {"model": "llama-3-70b", "gpus": 2, "users": 17, "context": 32768, "cache": "q8_0"}
SAID = deployed_line(Scenario(**STATE), Catalog())


def save(page, place, form: str) -> Path:
    """Presses the button of a form with the keyboard; gives the file that comes."""
    with page.expect_download() as coming:
        place.locator(f"[data-as={form}]").press("Enter")
    assert coming.value.suggested_filename.endswith(f".{form}")
    return Path(coming.value.path())


def opened(page, name: str):
    """The disclosure of a figure, opened by keyboard."""
    place = page.locator(f"[data-save={name}]")
    place.evaluate(
        "(part) => { for (let e = part; (e = e.parentElement?.closest('details'));) e.open = true; }"
    )
    place.locator("summary").press("Enter")
    return place


def written(svg: Path) -> str:
    return " ".join(" ".join(ET.parse(svg).getroot().itertext()).split())


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_an_act_in_a_frame_saves_all_its_figures(act, watched, exported):
    query = "&".join(f"{key}={value}" for key, value in STATE.items())
    page = watched.open(
        f"{exported}?embed=1&act={act.id}&{query}", accept_downloads=True, color_scheme="dark"
    )
    shown = act(Scenario(**STATE))
    for name in shown.plot_heights():
        place = opened(page, name)
        lines = save(page, place, "csv").read_text(encoding="utf-8").splitlines()
        notes = [line for line in lines if line.startswith("# ")]
        assert f"# Deployment: {SAID}" in notes
        assert notes[-1].startswith("# file://")
        assert "users=17" in notes[-1]
        rows = list(csv.reader(lines[len(notes) :]))
        assert rows == [[_as_javascript(cell) for cell in row] for row in shown.table(name)]
        svg = save(page, place, "svg")
        assert shown.title in written(svg)
        assert SAID in written(svg).replace("Deployment: ", "")
        assert "<image" not in svg.read_text(encoding="utf-8")
        png = save(page, place, "png").read_bytes()
        assert struct.unpack(">I", png[16:20])[0] == 2400
        assert place.locator("[role=status]").inner_text() == f"Saved as kv-cache-{act.id}-{name}.png."
    assert page.locator(".save-copy").count() == 0


def _as_javascript(cell) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell == int(cell) else str(cell)


def test_what_is_saved_is_what_is_set(watched, exported):
    page = watched.open(f"{exported}?predict=0", accept_downloads=True)
    deployment(page).locator("[data-param=model]").select_option("llama-3-70b")
    sentence = page.locator("#wall [data-sentence]")
    expect(sentence).to_contain_text("Llama 3 70B")  # once changes pause
    place = opened(page, "memory")
    svg = written(save(page, place, "svg"))
    assert "Llama 3 70B" in svg
    assert sentence.inner_text() in svg
    assert "act=wall" in svg
