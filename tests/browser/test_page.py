"""The page as people meet it: served and exported, by mouse and by keyboard, small, dark, and without its server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from acts import ACTS, Scenario, Wall
from acts.deployed import deployed_line
from app.page import make_acts, preset_scenarios
from tests.conftest import Server, check_accessible, deployment

pytestmark = pytest.mark.browser


def readout(page, act: str, name: str):
    return page.locator(f"#{act} [data-readout='{name}']")


def users_that_fit(**scenario) -> str:
    return str(Wall(Scenario(**scenario)).max_users)


def test_first_frame_is_python_s(watched, page_url):
    page = watched.open(page_url)
    for act in make_acts():
        for name, entry in act.frame()["readouts"].items():
            expect(readout(page, act.id, name)).to_have_text(entry["text"])
    assert page.locator("main section h2").count() >= len(ACTS)


def test_page_is_readable_without_scripts(watched, page_url):
    page = watched.open(page_url, wait="#wall", java_script_enabled=False)
    expect(readout(page, "wall", "max-users")).to_have_text(users_that_fit())
    expect(page.locator("#wall [data-sentence]")).to_contain_text("It fits")


@pytest.mark.parametrize(
    ("parameter", "key", "scenario"),
    [("users", "End", {"users": 1024}), ("context", "End", {"context": 1048576}), ("gpus", "End", {"gpus": 16}),
     ("reserve", "End", {"reserve": 64})],
)  # fmt: skip
def test_sliders_by_keyboard(watched, page_url, parameter, key, scenario):
    page = watched.open(page_url)
    place = page.locator("#wall .controls") if parameter in ("users", "context") else deployment(page)
    place.locator(f"input[type=range][data-param={parameter}]").focus()
    page.keyboard.press(key)
    expect(readout(page, "wall", "max-users")).to_have_attribute("data-value", users_that_fit(**scenario))
    exact = place.locator(f"input[type=number][data-param={parameter}]")
    expect(exact).to_have_value(str(scenario[parameter]))


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("model", "llama-3-70b"), ("gpu", "h200-141gb"), ("cache", "fp8")],
)
def test_choices(watched, page_url, parameter, value):
    page = watched.open(page_url)
    deployment(page).locator(f"[data-param={parameter}]").select_option(value)
    expect(readout(page, "wall", "max-users")).to_have_attribute(
        "data-value", users_that_fit(**{parameter: value})
    )


def test_exact_number_and_refusal(watched, page_url):
    page = watched.open(page_url)
    exact = page.locator("#wall input[type=number][data-param=users]")
    exact.fill("57")
    expect(readout(page, "wall", "verdict")).to_have_text("fits")
    exact.fill("58")
    expect(readout(page, "wall", "verdict")).to_have_text("does not fit")
    exact.fill("5000")
    expect(page.locator("#wall [data-error=users]")).to_contain_text("1 to 1,024")
    expect(readout(page, "wall", "verdict")).to_have_text("does not fit")
    exact.blur()
    expect(exact).to_have_value("58")
    expect(page.locator("#wall [data-error=users]")).to_be_hidden()


def test_weights_that_do_not_fit_say_what_would(watched, page_url):
    page = watched.open(page_url)
    deployment(page).locator("[data-param=model]").select_option("llama-3-70b")
    sentence = page.locator("#wall [data-sentence]")
    expect(sentence).to_have_text(Wall(Scenario(model="llama-3-70b")).frame()["sentence"])
    expect(sentence).to_contain_text("2 cards")


@pytest.mark.parametrize("label", preset_scenarios())
def test_presets(watched, page_url, label):
    page = watched.open(page_url)
    deployment(page).locator("input[type=range][data-param=reserve]").press("ArrowRight")
    button = deployment(page).get_by_role("button", name=label, exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    wall = Wall(Scenario(**preset_scenarios()[label]))
    expect(page.locator("#wall [data-sentence]")).to_have_text(wall.frame()["sentence"])


#: A model of one's own whose name no browser would break.
LONG_WORD = (
    "?model=custom&shape=1.32.32.8030261248.8030261248.0.8192_32.8.128.128"
    "*my_finetuned_model_with_a_long_name_v2_final_checkpoint_12000"
)


@pytest.mark.parametrize("link", ["", LONG_WORD], ids=["as it opens", "a long word"])
def test_no_sideways_scroll(watched, page_url, link):
    page = watched.open(page_url + link)
    for width in (320, 390, 820, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("form", "width", "scheme"),
    [
        ("served", 320, "light"),
        ("served", 1440, "dark"),
        ("exported", 320, "dark"),
        ("exported", 1440, "light"),
    ],
)
def test_no_axe_violation(watched, request, form, width, scheme):
    # Each pair of form, width and scheme once.
    url = request.getfixturevalue("server").url if form == "served" else request.getfixturevalue("exported")
    page = watched.open(url, viewport={"width": width, "height": 900}, color_scheme=scheme)
    for details in page.locator("main details").all():
        details.evaluate("(element) => { element.open = true; }")
    check_accessible(page)


def test_theme_switch_is_kept_and_repaints_figures(watched, page_url):
    page = watched.open(page_url)
    page.locator("#wall").scroll_into_view_if_needed()
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(background) != light
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.evaluate(background) != light


def test_what_is_printed_is_light_whole_and_up_to_date(watched, page_url):
    page = watched.open(page_url, color_scheme="dark")
    page.locator("#wall").scroll_into_view_if_needed()
    # Plots out of sight are drawn as well, once no hand is on the page.
    page.locator("#wall input[type=number][data-param=context]").fill("16384")
    fit = Wall(Scenario(context=16384)).max_users
    titles = (
        "Bokeh.documents.map((d) => d.get_model_by_name('quantize:bar-labels')).find(Boolean).data.text[0]"
    )
    page.wait_for_function("![...document.querySelectorAll('.still')].some((still) => still.offsetParent)")

    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(titles) == f"Now, BF16 / FP16: {fit} users"
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 640, "height": 900})
    page.wait_for_function("getComputedStyle(document.body).backgroundColor === 'rgb(251, 250, 246)'")
    areas = page.locator(".plot-area").filter(visible=True).all()
    assert len(areas) == len(ACTS)
    for area in areas:
        picture = area.locator("> .picture")
        drawn, shown = picture.evaluate("(c) => [c.width / c.height, c.clientWidth / c.clientHeight]")
        assert shown == pytest.approx(drawn, rel=0.02)
        assert picture.bounding_box()["width"] <= area.bounding_box()["width"]
    # Each act says what it shows and where to find it, words with a definition stay, and tables are tables.
    scenario = Scenario(context=16384)
    for act in ACTS:
        named = page.locator(f"#{act.id} .on-paper")
        expect(named).to_contain_text(deployed_line(scenario, scenario.catalog))
        expect(named).to_contain_text(f"?act={act.id}&context=16384")
    expect(page.locator(".masthead .term").first).to_be_visible()
    table = page.locator("#levers table")
    expect(table).to_be_visible()
    assert table.evaluate("(table) => getComputedStyle(table).display") == "table"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".picture").count() == 0
    assert page.locator("#reference > details[open]").count() == 0


def test_a_killed_server_leaves_the_page_working(watched):
    server = Server()
    page = watched.open(server.url)
    page.wait_for_function("performance.getEntriesByName('kv-cache:connected').length")
    server.stop()
    page.locator("#wall input[type=number][data-param=users]").fill("58")
    expect(readout(page, "wall", "verdict")).to_have_text("does not fit")
    deployment(page).locator("[data-param=model]").select_option("llama-3-70b")
    expect(readout(page, "wall", "verdict")).to_have_text("weights do not fit")
    watched.faults[:] = [
        fault for fault in watched.faults if "WebSocket" not in fault and "ERR_CONNECTION" not in fault
    ]


def test_python_and_page_stay_in_step(watched):
    server = Server("tests/browser/two_way_app.py", "two_way_app")
    try:
        page = watched.open(server.url, wait="[data-readout=max-users]")
        exact = page.locator("input[type=number][data-param=users]")
        expect(page.get_by_text("python has 20")).to_be_visible()
        exact.fill("33")
        expect(page.get_by_text("python has 33")).to_be_visible()
        page.get_by_role("button", name="double").click()
        expect(page.get_by_text("python has 66")).to_be_visible()
        expect(exact).to_have_value("66")
        expect(page.locator("[data-readout=verdict]")).to_have_text("does not fit")
    finally:
        server.stop()
