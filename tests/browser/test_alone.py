"""Acts outside the page, in somebody's Panel layout: together, twice, narrow, dark, and taken away."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import Server, deployment

pytestmark = pytest.mark.browser

# All elements below a root, through every shadow tree.
DEEP = (
    "const deep = (root) => [...root.querySelectorAll('*')]"
    ".flatMap((e) => [e, ...(e.shadowRoot ? deep(e.shadowRoot) : [])]);"
)


@pytest.fixture(scope="module")
def alone():
    server = Server("tests/browser/alone_app.py", "alone_app")
    yield server.url
    server.stop()


def act(page, figure: str):
    return page.locator(".act-body", has=page.locator(f"[data-plot='{figure}']"))


def open_acts(watched, url, **options):
    page = watched.open(url, wait=None, **options)
    page.wait_for_function(
        f"() => {{ {DEEP} return deep(document).filter((e) => e.matches('[data-plot] canvas')).length >= 8"
        " || deep(document).filter((e) => e.localName === 'canvas' && e.width).length >= 14; }"
    )
    return page


def test_a_control_moved_fast_ends_where_it_was_left(watched, alone):
    page = open_acts(watched, alone)
    users = act(page, "wall:memory").locator("input[type=number][data-param=users]")
    for count in range(20, 90):
        users.fill(str(count))
    expect(page.get_by_text("python has 89")).to_be_visible()
    page.wait_for_timeout(500)
    expect(users).to_have_value("89")


def test_acts_of_a_scenario_follow_each_other(watched, alone):
    page = open_acts(watched, alone)
    deployment(act(page, "heads:joins")).locator("select[data-param=model]").select_option("llama-3-70b")
    expect(act(page, "wall:memory").locator("select[data-param=model]")).to_have_value("llama-3-70b")
    expect(act(page, "wall:memory").locator("[data-readout=verdict]")).to_have_text("weights do not fit")


def test_an_act_twice_has_its_labels_and_its_player_twice(watched, alone):
    page = open_acts(watched, alone)
    assert page.get_by_label("Prompt", exact=True).count() == 2
    loose = (
        f"() => {{ {DEEP} return deep(document).filter((e) => e.matches('label[for]')"
        " && !e.getRootNode().getElementById(e.htmlFor)).length; }"
    )
    assert page.evaluate(loose) == 0
    players = page.locator("[data-do=play]")
    players.nth(1).click()
    expect(players.nth(1)).to_have_text("Pause")
    expect(players.nth(0)).to_have_text("Play")
    page.wait_for_function(
        f"() => {{ {DEEP} return deep(document)"
        ".filter((e) => e.matches('input[data-param=step]') && Number(e.value) >= 2).length === 2; }"
    )
    players.nth(1).click()
    expect(players.nth(1)).to_have_text("Play")


def test_light_or_dark_as_what_lies_behind(watched, alone):
    page = open_acts(watched, alone, color_scheme="dark")
    colour = "(e) => getComputedStyle(e).color"
    sentence = act(page, "wall:memory").locator("[data-sentence]")
    assert sentence.evaluate(colour) == "rgb(29, 28, 26)"
    page.evaluate("document.body.style.background = '#111'")
    page.wait_for_function(
        f"() => {{ {DEEP} return deep(document).filter((e) => e.dataset?.theme === 'dark').length === 4; }}"
    )
    assert sentence.evaluate(colour) == "rgb(236, 233, 225)"
    axis = page.evaluate(
        "() => { const plot = Bokeh.documents.flatMap((d) => d.roots()).find((m) => m.name === 'wall:curve');"
        " const colour = plot.below[0].axis_label_text_color; return colour.value ?? colour; }"
    )
    assert axis == "#aaa59a"


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_laid_out_by_its_own_width(watched, alone, width):
    page = open_acts(watched, alone, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    controls = act(page, "wall:memory").locator(".controls").first.bounding_box()
    stage = act(page, "wall:memory").locator(".view").bounding_box()
    beside = stage["x"] >= controls["x"] + controls["width"]
    assert beside == (width >= 1280)


def test_a_grid_without_a_width_gives_acts_room(watched, alone):
    page = watched.open(f"{alone}?in=grid", wait="[data-readout=head-ratio]")
    boxes = [act(page, figure).bounding_box() for figure in ("wall:memory", "heads:joins")]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert all(box["width"] >= 360 and box["height"] < 3000 for box in boxes)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.documentElement.scrollWidth <= 800")


def test_acts_side_by_side_on_a_phone_stay_in_their_halves(watched, alone):
    page = watched.open(f"{alone}?in=row", wait=None, viewport={"width": 390, "height": 844})
    page.wait_for_function(
        f"() => {{ {DEEP} return deep(document).filter((e) => e.localName === 'canvas' && e.width).length >= 8; }}"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sliders = act(page, "heads:joins").locator(".pair input[type=range]")
    assert [sliders.nth(at).bounding_box()["x"] >= 195 for at in (0, 1)] == [True, True]
    assert sliders.nth(0).bounding_box()["y"] < sliders.nth(1).bounding_box()["y"]


def test_an_act_taken_away_leaves_nothing_listening(watched, alone):
    page = open_acts(watched, alone)
    listening = "() => [...kvCacheStores.values()].map((store) => store.listeners.size)"
    plots = "() => Bokeh.documents.flatMap((d) => d.roots()).filter((m) => m.type === 'Plot').length"
    assert page.evaluate(listening)[0] > 0
    assert page.evaluate(plots) > 0
    page.get_by_role("button", name="remove").click()
    expect(page.locator(".act-body")).to_have_count(0)
    assert page.evaluate(listening) == [0]
    assert page.evaluate(plots) == 0
