"""How figures come to be: still pictures at first, drawn when they come near, and nothing lost where they cannot be."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from acts import ACTS, Heads

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}}
#: The plots drawn so far.
DRAWN = (
    "[...document.querySelectorAll('.plot-area')].filter((area) => !area.querySelector('.still'))"
    ".map((area) => area.dataset.plot)"
)
NO_BOKEH = re.compile(r'<script type="text/plain" data-bokeh>.*?</script>', re.DOTALL)


@pytest.fixture
def changed(exported, tmp_path):
    """Writes the exported page with something in it replaced; its URL."""

    def write(pattern: re.Pattern[str], text: str) -> str:
        source = Path(urlsplit(exported).path).read_text(encoding="utf-8")
        path = tmp_path / "changed.html"
        path.write_text(pattern.sub(lambda _: text, source, count=1), encoding="utf-8")
        return path.as_uri()

    return write


def test_nothing_is_drawn_before_it_is_near(watched, exported):
    page = watched.open(exported, **PHONE)
    assert page.evaluate("typeof Bokeh") == "undefined"
    assert page.evaluate(DRAWN) == []
    page.locator("[data-plot='wall:memory']").scroll_into_view_if_needed()
    page.wait_for_function(f"{DRAWN}.includes('wall:memory')")
    assert page.evaluate("typeof Bokeh") == "object"
    assert "quantize:rounding" not in page.evaluate(DRAWN)
    expect(page.locator("[data-plot='wall:memory'] canvas").first).to_be_visible()
    # No key does anything on a plot, so none stops there.
    assert page.locator("[data-plot='wall:memory'] [tabindex='0']").count() == 0
    assert page.locator("[data-plot='wall:memory'] [tabindex='-1']").count() == 1


def test_a_state_of_its_own_draws_the_rest_in_a_quiet_moment(watched, exported):
    page = watched.open(f"{exported}?users=3", **PHONE)
    assert page.locator("[data-plot='wall:memory'][data-stale]").count() == 1
    page.wait_for_function("!document.querySelector('.still')")


def test_a_step_of_one_act_leaves_the_pictures_of_the_others_as_they_are(watched, exported):
    page = watched.open(exported, **PHONE)
    page.locator("#growth [data-param=step]").press("ArrowRight")
    expect(page.locator("#growth [data-said]")).not_to_be_empty()
    assert set(page.locator("[data-stale]").evaluate_all("(all) => all.map((one) => one.dataset.plot)")) <= {
        "growth:cache",
        "growth:work",
    }


def test_the_deployment_in_words_follows_what_the_act_itself_does_not_look_at(watched, exported):
    page = watched.open(exported)
    assert "users" not in Heads().keys_read()
    page.locator("#wall input[type=number][data-param=users]").fill("23")
    expect(page.locator("#heads [data-text=deployed]").first).to_contain_text("23 users")


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_the_first_draw_changes_nothing(act, watched, exported):
    """The browser leaves undrawn what Python drew: it would be the same to the letter."""
    page = watched.open(f"{exported}?predict=0")
    body = page.locator(f"[data-act='{act.id}']")
    plain = (
        "(body) => [...body.querySelectorAll(':not(.plot-area *, [data-said])')].map((part) => ["
        " part.localName, part.hidden, part.children.length ? '' : part.textContent, part.value, part.checked,"
        " part.ariaPressed, part.getAttribute('aria-valuetext'), Number(part.dataset.value ?? 0)])"
    )
    first = body.evaluate(plain)
    context = page.locator("#deployment-context, #wall input[type=number][data-param=context]").last
    sentence = body.locator("[data-sentence]")
    before = sentence.text_content()
    users = page.locator("#wall input[type=number][data-param=users]")
    for field, other, own in ((users, "9", "8"), (context, "4096", "8192")):
        field.fill(other)
        field.fill(own)
    expect(sentence).to_have_text(before)
    page.wait_for_function(
        "new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done(true))))"
    )
    assert body.evaluate(plain) == first


def test_without_bokehjs_pictures_stand_still_and_say_so(watched, changed):
    page = watched.open(changed(NO_BOKEH, ""), **PHONE)
    page.locator("#wall .plot-area").first.scroll_into_view_if_needed()
    note = page.locator("#wall .still-note")
    expect(note).to_have_count(1)
    expect(note).to_contain_text("BokehJS could not be loaded")
    expect(page.locator("#wall .still").first).to_be_visible()
    sentence = page.locator("#wall [data-sentence]")
    before = sentence.text_content()
    page.locator("#wall input[type=number][data-param=users]").fill("60")
    expect(sentence).not_to_have_text(before)
    expect(page.locator("#wall [data-stale] .still").first).to_have_css("opacity", "0.12")
    expect(page.locator("#wall [data-stale] .still text").first).to_be_hidden()


def test_without_scripts_controls_do_not_look_alive(watched, exported):
    page = watched.open(exported, wait=None, java_script_enabled=False, **PHONE)
    expect(page.locator(".no-script")).to_be_visible()
    expect(page.locator("#wall .still").first).to_be_visible()
    for control in page.locator("#wall button, #wall input, #wall select").filter(visible=True).all():
        expect(control).to_have_css("opacity", "0.4")
        expect(control).to_have_css("pointer-events", "none")


@pytest.mark.parametrize(("query", "theme"), [("?theme=dark", "dark"), ("", None), ("?theme=blue", None)])
def test_a_theme_is_there_before_the_page_s_script(query, theme, watched, changed):
    script = re.compile(r"<script>\(\(\) => \{\n(?!  const \{ dataset).*?\}\)\(\);</script>", re.DOTALL)
    page = watched.open(changed(script, "") + query, wait="main")
    assert page.evaluate("document.documentElement.dataset.theme") == theme


def test_a_theme_chosen_before_is_remembered_at_first_paint(watched, exported):
    page = watched.open(exported)
    page.get_by_role("button", name="Dark").click()
    page.add_init_script(
        "new MutationObserver(() => { window.early ??= document.body && document.documentElement.dataset.theme; })"
        ".observe(document, { childList: true, subtree: true });"
    )
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.evaluate("early") == "dark"


def test_what_has_just_changed_is_printed(watched, exported):
    page = watched.open(f"{exported}?act=wall")
    memory = page.locator("#wall [data-plot='wall:memory']")
    memory.locator("canvas").first.wait_for()
    page.evaluate(
        """() => {
            const users = document.querySelector("#wall input[type=number][data-param=users]");
            users.value = 900;
            users.dispatchEvent(new Event("input", { bubbles: true }));
            dispatchEvent(new Event("beforeprint"));
        }"""
    )
    expect(memory.locator("> .picture")).to_have_count(1)
    # Both at once, as a test of a page does it: nothing is left.
    page.evaluate(
        "for (const type of ['afterprint', 'beforeprint', 'afterprint']) dispatchEvent(new Event(type))"
    )
    expect(page.locator(".picture")).to_have_count(0)
