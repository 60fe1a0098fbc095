"""What a screen reader is told, and what is seen in forced colours, without colour and with a reader's own spacing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from acts import ACTS
from acts.figure import PALETTE
from tests.conftest import deployment

pytestmark = pytest.mark.browser

#: Notes every change of every live region from now on.
LISTEN = """() => {
    globalThis.said = [];
    for (const region of document.querySelectorAll("[aria-live=polite], [role=status]")) {
        new MutationObserver(() => said.push(region.textContent)).observe(region,
            { childList: true, characterData: true, subtree: true });
    }
}"""


def open_wall(watched, exported, **options):
    page = watched.open(f"{exported}?act=wall&predict=0", **options)
    page.evaluate(LISTEN)
    return page


def test_a_held_slider_is_told_once_and_by_its_own_act(watched, exported):
    page = open_wall(watched, exported)
    page.locator("#wall-context").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    sentence = page.locator("#wall [data-sentence]").inner_text()
    page.wait_for_function("said.length > 0")
    page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
    assert page.evaluate("said") == [sentence]


def test_a_change_of_the_deployment_is_told_by_the_act_in_view(watched, exported):
    page = open_wall(watched, exported)
    page.locator("#wall [data-stage]").scroll_into_view_if_needed()
    deployment(page).locator("[data-param=model]").select_option("llama-3-70b")
    page.wait_for_function("said.length > 0")
    assert page.evaluate("said") == [page.locator("#wall [data-sentence]").inner_text()]


def test_what_is_chosen_is_seen_in_forced_colours(watched, exported):
    page = watched.open(f"{exported}?act=quantize&predict=0", forced_colors="active")
    style = "(span) => { const { color, backgroundColor } = getComputedStyle(span); return color + backgroundColor; }"
    chosen = page.locator("#quantize .segments input:checked + span").first.evaluate(style)
    other = page.locator("#quantize .segments input:not(:checked) + span").first.evaluate(style)
    assert chosen != other
    border = "(link) => getComputedStyle(link).borderBottomColor"
    current = page.locator(".nav a[aria-current]").evaluate(border)
    assert current != page.locator(".nav a:not([aria-current])").first.evaluate(border)


def test_plots_are_no_tab_stops(watched, exported):
    page = open_wall(watched, exported)
    page.locator("#wall .plot-area canvas").first.wait_for()
    stops = (
        "() => [...document.querySelectorAll('.plot-area *')]"
        ".flatMap((e) => [e, ...(e.shadowRoot?.querySelectorAll('*') ?? [])])"
        ".filter((e) => e.tabIndex >= 0).length"
    )
    page.wait_for_function(f"({stops})() === 0")


def test_the_longest_number_is_read_whole(watched, exported):
    page = open_wall(watched, exported, viewport={"width": 390, "height": 844})
    field = page.locator("#wall input[type=number][data-param=context]")
    field.fill("1048576")
    assert field.evaluate("(input) => input.scrollWidth <= input.clientWidth")


def test_what_has_the_focus_in_a_narrow_navigation_is_seen(watched, exported):
    page = watched.open(exported, viewport={"width": 390, "height": 844})
    for link in page.locator(".nav ol a").all():
        link.focus()
        seen = link.evaluate(
            "(a) => { const [one, all] = [a, a.closest('ol')].map((e) => e.getBoundingClientRect());"
            " return one.left >= all.left - 1 && one.right <= all.right + 1; }"
        )
        assert seen, link.inner_text()


def test_play_pauses_out_of_sight_and_on_escape(watched, exported):
    page = watched.open(f"{exported}?act=growth&predict=0&prompt=64&generated=1024&step=0")
    play = page.locator("#growth [data-do=play]")
    play.press("Enter")
    expect(play).to_have_text("Pause")
    play.press("Escape")
    expect(play).to_have_text("Play")
    play.press("Enter")
    page.locator("#quiz").scroll_into_view_if_needed()
    expect(play).to_have_text("Play")


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_spacing_of_one_s_own_does_not_reach_a_canvas(watched, exported, act):
    page = watched.open(f"{exported}?embed=1&act={act.id}")
    page.add_style_tag(content="* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }")
    spacing = page.locator(f"#{act.id} .plot-area").first.evaluate(
        "(area) => [area, ...area.querySelectorAll('*')].map((e) => getComputedStyle(e).letterSpacing)"
    )
    assert set(spacing) == {"normal"}


@pytest.mark.parametrize("width", [390, 1280])
def test_focus_is_never_under_the_bar(watched, exported, width):
    page = watched.open(f"{exported}?predict=0", viewport={"width": width, "height": 700})
    page.add_style_tag(content="html { scroll-behavior: auto !important; }")
    # Backwards, as Shift and Tab go: then what comes into sight comes in at the top.
    hidden = page.evaluate(
        """() => {
            const bar = document.querySelector(".bar");
            const stops = [...document.querySelectorAll("main :is(a, button, input, select, summary, [tabindex='0'])")];
            return stops.reverse().filter((stop) => {
                stop.focus();
                const { top, height } = stop.getBoundingClientRect();
                return document.activeElement === stop && height && top < bar.getBoundingClientRect().bottom - 1;
            }).map((stop) => stop.outerHTML.slice(0, 120));
        }"""
    )
    assert hidden == []


def test_more_contrast_reaches_canvases_and_every_theme(watched, exported):
    page = watched.open(f"{exported}?act=wall&predict=0", contrast="more", color_scheme="dark")
    colour = "(name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)"
    assert page.evaluate(colour, "muted") == PALETTE["ink"][1]
    page.locator("#wall .plot-area canvas").first.wait_for()
    painted = page.evaluate(
        """() => [...Bokeh.documents.flatMap((document) => [...document._all_models.values()])]
            .filter(({ tags }) => tags?.some(({ paint }) => paint?.text_color === "muted"))
            .map(({ text_color: colour }) => colour.value ?? colour)"""
    )
    assert set(painted) == {PALETTE["ink"][1]}
