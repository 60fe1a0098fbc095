"""The first screen: a live picture before any charting library, and the length of the walk after it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from acts import Heads, Scenario, Wall
from app.opening import OPENING_STOPS, opening_frame

pytestmark = pytest.mark.browser


def frame_at(context: int) -> dict:
    scenario = Scenario(context=context)
    return opening_frame(SimpleNamespace(**Wall(scenario).state()), scenario.catalog)


@pytest.mark.parametrize("window", [(360, 640), (390, 844), (820, 1180), (1440, 900)], ids=str)
def test_the_first_screen_shows_title_picture_slider_and_number(watched, page_url, window):
    page = watched.open(page_url, viewport=dict(zip(("width", "height"), window, strict=True)))
    for part in ("h1", ".lede", ".opening-bar", "#opening-context", ".opening-users"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= window[1]


def test_the_number_falls_from_57_to_3_without_the_charting_library(watched, exported):
    page = watched.open(exported, wait=None)
    page.evaluate("Object.defineProperty(globalThis, 'Bokeh', { value: undefined, writable: true })")
    users = page.locator(".opening-users b")
    expect(users).to_have_text("57")
    slider = page.locator("#opening-context")
    slider.focus()
    for context in OPENING_STOPS[1:]:
        page.keyboard.press("ArrowRight")
        drawn = frame_at(context)
        expect(users).to_have_text(drawn["users"])
        expect(slider).to_have_attribute("aria-valuetext", drawn["value"])
        bar = page.locator("[data-opening-bar]")
        assert bar.evaluate("(g) => g.querySelectorAll('rect').length") == drawn["bar"].count("<rect")
        assert page.locator(".opening-bar").get_attribute("aria-label") == drawn["sentence"]
    expect(users).to_have_text("3")
    assert "context=" not in page.url


#: As long as the page gets: names, numbers and notes of many words, and no question in their place.
LONG = "?model=llama-3.1-405b&gpu=h200-141gb&gpus=8&users=1024&context=131072&cache=fp8&predict=0"


@pytest.mark.parametrize(("width", "most"), [(1440, 11_000), (390, 15_000)])
@pytest.mark.parametrize("query", ["", LONG], ids=["at first", "long"])
def test_the_walk_is_not_long(watched, exported, width, most, query):
    page = watched.open(f"{exported}{query}", viewport={"width": width, "height": 900})
    for section in page.locator("main > section").all():
        section.scroll_into_view_if_needed()
    page.wait_for_function("!document.querySelector('main .view .still')")
    assert page.evaluate("document.documentElement.scrollHeight") <= most


def test_title_and_canonical_address_name_the_section_in_view(watched, exported, tmp_path):
    canonical = '<link rel="canonical" href="https://example.org/kv/">'
    page_file = tmp_path / "page.html"
    source = Path(urlsplit(exported).path).read_text(encoding="utf-8")
    page_file.write_text(source.replace("</title>", f"</title>{canonical}", 1), encoding="utf-8")
    page = watched.open(f"{page_file.as_uri()}?act=heads")
    named = page.locator("link[rel=canonical]")
    expect(page).to_have_title(f"{Heads.title} · The KV cache")
    expect(named).to_have_attribute("href", "https://example.org/kv/?act=heads")
    page.locator(".nav a[href='#wall']").click()
    expect(page).to_have_title(f"{Wall.title} · The KV cache")
    expect(named).to_have_attribute("href", "https://example.org/kv/?act=wall")


def test_a_link_opens_what_is_folded(watched, exported):
    page = watched.open(f"{exported}?act=your-model")
    expect(page.locator("#own-config")).to_be_in_viewport()
    page.locator(".nav a[href='#your-server']").click()
    expect(page.locator("#server-log")).to_be_visible()
    page.goto(f"{exported}?act=wall")
    page.evaluate("location.hash = 'your-server'")
    expect(page.locator("#server-log")).to_be_visible()
