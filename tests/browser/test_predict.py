"""Predict, then see: the veil, the guess, what is said to it, and all the ways past it."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from acts import ACTS, Growth, Heads, Wall
from tests.conftest import deployment

pytestmark = pytest.mark.browser

GUESS = {"growth": "78", "heads": "2×", "wall": "20", "quantize": "114"}
ASKS = "[data-asking]"


def act(page, name):
    return page.locator(f"[data-act={name}]")


def guess(page, name):
    shown = act(page, name)
    if name == "heads":
        shown.locator("form.guess").get_by_label(GUESS[name], exact=True).check(force=True)
    else:
        shown.get_by_label("Your guess", exact=True).fill(GUESS[name])
    shown.get_by_role("button", name="Check my guess").click()


@pytest.fixture
def page(watched, exported):
    return watched.open(exported)


@pytest.mark.parametrize("name", list(GUESS))
def test_what_is_said_to_a_guess_is_in_view_on_a_phone(watched, exported, name):
    page = watched.open(exported, viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    asked = act(page, name).locator("[data-question]")
    field = act(page, name).locator("form.guess input").first
    check = act(page, name).get_by_role("button", name="Check my guess")
    for answer in (check.click, lambda: guess(page, name)):
        field.evaluate("(field) => field.scrollIntoView()")  # as a browser does where its keys come up
        expect(asked).not_to_be_in_viewport()
        answer()
        expect(asked.get_by_role("status")).not_to_be_empty()
        expect(asked).to_be_in_viewport(ratio=1)


def test_every_act_asks_and_says_how_far_off(page):
    page.evaluate(
        "window.told = []; document.addEventListener('kv-cache:prediction', (event) => told.push(event.detail))"
    )
    said = {
        "growth": "You said 78; it is 156 passes, and you were 2 times too low, as each",
        "heads": "You said 2×; it is 4× smaller",
        "wall": "You said 20; it is 57 users",
        "quantize": "Right: 114 users",
    }
    for one in ACTS:
        shown = act(page, one.id)
        expect(shown).to_have_attribute("data-asking", "")
        assert shown.locator("[data-veil]:not([aria-hidden=true])").count() == 0
        assert (
            shown.locator("[data-sentence]").evaluate("element => getComputedStyle(element).opacity") == "0"
        )
        guess(page, one.id)
        expect(shown).not_to_have_attribute("data-asking", "")
        expect(shown.locator("[aria-hidden=true][data-veil]")).to_have_count(0)
        expect(shown.locator("[data-question] [role=status]")).to_contain_text(said[one.id])
    # What the last act asked about is what it now shows.
    expect(act(page, "quantize").locator("input[name=quantize-cache][value=fp8]")).to_be_checked()
    expect(act(page, "quantize").locator("[data-readout=max-users-quantized]")).to_have_text("114")
    lines = page.locator("[data-guesses] li")
    expect(lines).to_have_count(4)
    expect(lines.nth(2)).to_contain_text(f"{Wall.title}. You said 20; it is 57 users")
    told = page.evaluate("told")
    assert [one["act"] for one in told] == ["growth", "heads", "wall", "quantize"]
    assert (told[0]["guess"], told[0]["answer"], told[0]["unit"]) == (78, 156, "passes")


def test_guesses_are_remembered(page):
    guess(page, "wall")
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(act(page, "wall")).not_to_have_attribute("data-asking", "")
    expect(act(page, "growth")).to_have_attribute("data-asking", "")
    expect(page.locator("[data-guesses] li")).to_have_count(1)


def test_the_first_touch_of_a_control_shows_the_act(page):
    act(page, "growth").get_by_role("button", name="Step", exact=True).click()
    expect(act(page, "growth")).not_to_have_attribute("data-asking", "")
    expect(act(page, "growth").locator("[data-readout=tokens-cached]")).to_have_text("17")
    expect(act(page, "growth").locator("[data-question]")).to_contain_text("Play it, or drag the step.")
    expect(act(page, "wall")).to_have_attribute("data-asking", "")
    act(page, "wall").get_by_label("Users, at once, exact").fill("9")
    expect(act(page, "wall")).not_to_have_attribute("data-asking", "")
    expect(page.locator("[data-guesses]")).to_be_hidden()


def test_show_me(page):
    act(page, "heads").get_by_role("button", name="Show me").click()
    expect(act(page, "heads").locator("[data-question] [role=status]")).to_contain_text(
        "It is 4× smaller, as"
    )
    assert act(page, "heads").locator("[data-sentence]").inner_text() == Heads().frame()["sentence"]


def test_what_is_no_guess_is_said(page):
    shown = act(page, "wall")
    shown.get_by_role("button", name="Check my guess").click()
    expect(shown.locator("[data-question] [role=status]")).to_contain_text("Guess first, or let it be shown.")
    shown.get_by_label("Your guess", exact=True).fill("<b>many</b>")
    shown.get_by_role("button", name="Check my guess").click()
    expect(shown.locator("[data-question] [role=status]")).to_contain_text("That is not a number")
    expect(shown).to_have_attribute("data-asking", "")


def test_by_keyboard(page):
    shown = act(page, "wall")
    shown.get_by_label("Your guess", exact=True).focus()
    page.keyboard.type("57")
    page.keyboard.press("Enter")
    expect(shown.locator("[data-question]")).to_be_focused()
    expect(shown.locator("[data-question] [role=status]")).to_contain_text("Right: 57 users")
    heads = act(page, "heads")
    heads.locator("form.guess input").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(heads.locator("[data-question] [role=status]")).to_contain_text("Right, 4× smaller")


def test_the_question_follows_the_deployment_and_is_asked_once_for_each(page):
    shown = act(page, "wall")
    deployment(page)
    page.get_by_role("button", name="128K context").click()
    expect(shown.locator("[data-question]")).to_contain_text("Llama 3.1 8B, 131,072 tokens per user")
    guess(page, "wall")
    expect(shown.locator("[data-question]")).to_contain_text("it is 3 users")
    deployment(page)
    page.get_by_role("button", name="70B does not fit one card").click()
    expect(shown).to_have_attribute("data-asking", "")
    shown.get_by_role("button", name="Show me").click()
    deployment(page)
    page.get_by_role("button", name="128K context").click()
    expect(shown.locator("[data-question]")).to_contain_text("Add users or lengthen their context")
    expect(shown).not_to_have_attribute("data-asking", "")


@pytest.mark.parametrize("query", ["?predict=0", "?embed=1&act=wall"])
def test_a_host_can_have_it_off(watched, exported, query):
    page = watched.open(f"{exported}{query}")
    expect(page.locator(ASKS)).to_have_count(0)
    expect(act(page, "wall").locator("[data-sentence]")).to_have_text(Wall().frame()["sentence"])


def test_no_veil_without_scripts(watched, exported):
    page = watched.open(exported, wait="#growth", java_script_enabled=False)
    expect(page.locator(ASKS)).to_have_count(0)
    expect(act(page, "growth").locator("[data-sentence]")).to_have_text(Growth().frame()["sentence"])


@pytest.mark.parametrize(
    "kept", ["{", "[]", '{"seen": 3, "guesses": {"wall": {"text": 5}}}', '{"guesses": {"growth": null}}']
)
def test_damaged_memory_is_ignored(page, kept):
    # Under the name that this document keeps its guesses under.
    guess(page, "growth")
    name = page.evaluate("Object.keys(localStorage).find((key) => key.startsWith('kv-cache:predictions'))")
    page.evaluate("([name, kept]) => localStorage.setItem(name, kept)", [name, kept])
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(act(page, "wall")).to_have_attribute("data-asking", "")
    guess(page, "wall")
    kept = json.loads(page.evaluate("(name) => localStorage.getItem(name)", name))
    assert list(kept["guesses"]) == ["wall"]
