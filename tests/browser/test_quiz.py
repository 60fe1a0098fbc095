"""The quiz as learners meet it: feedback on every option, retry, score, memory, keyboard, no scripts."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from playwright.sync_api import expect

from acts import Scenario, Wall
from acts.bundle import runtime_script
from acts.scenario import Catalog
from app.page import page_twin
from app.quiz import OPTIONS
from app.quiz.frame import QUIZ_RIGHT, quiz_frame
from tests.conftest import deployment

from .test_twin import RANDOM_STATES, states

pytestmark = pytest.mark.browser

CATALOG = Catalog()
WRONG = {question: next(o for o in OPTIONS if o != right) for question, right in QUIZ_RIGHT.items()}
EVENTS = (
    "window.told = []; document.addEventListener('kv-cache:quiz', (event) => window.told.push(event.detail));"
)


def told(**scenario) -> dict[str, str]:
    act = Wall(Scenario(**scenario))
    return quiz_frame(SimpleNamespace(**act.state()), CATALOG)["texts"]


def form(page, question):
    return page.locator(f"[data-question={question}]")


def answer(page, question, option):
    form(page, question).locator(f"input[value={option}]").check()
    form(page, question).get_by_role("button", name="Check").click()


def score(page):
    return page.locator("[data-readout=quiz-score]")


@pytest.fixture
def page(watched, server):
    return watched.open(server.url)


@pytest.mark.parametrize("question", QUIZ_RIGHT)
def test_every_option_has_its_reason(page, question):
    feedback = form(page, question).locator("[data-feedback]")
    expect(feedback).to_be_hidden()
    for option in OPTIONS:
        answer(page, question, option)
        verdict = "Right." if option == QUIZ_RIGHT[question] else "Not quite."
        expect(feedback).to_have_text(f"{verdict} {told()[f'{question}-{option}-why']}")
        expect(page.locator("[data-announce]")).to_have_text(
            f"{verdict} {told()[f'{question}-{option}-why']}"
        )
        expect(score(page)).to_have_attribute("data-value", str(int(option == QUIZ_RIGHT[question])))


def test_a_choice_counts_once_it_is_checked(page):
    right, wrong = QUIZ_RIGHT["why"], WRONG["why"]
    answer(page, "why", right)
    form(page, "why").locator(f"input[value={wrong}]").check()
    expect(form(page, "why").locator("[data-feedback]")).to_be_hidden()
    expect(score(page)).to_have_text("1 of 4")
    form(page, "why").locator(f"input[value={right}]").check()
    expect(form(page, "why").locator("[data-feedback]")).to_contain_text("Right.")


def test_check_without_a_choice(page):
    form(page, "heads").get_by_role("button", name="Check").click()
    expect(form(page, "heads").locator("[data-feedback]")).to_contain_text("Choose an answer first.")
    expect(score(page)).to_have_text("0 of 4")


def test_retry_and_start_over(page):
    retry = form(page, "wall").get_by_role("button", name="Try again")
    expect(retry).to_be_hidden()
    answer(page, "wall", WRONG["wall"])
    retry.click()
    expect(form(page, "wall").locator("input:checked")).to_have_count(0)
    expect(form(page, "wall").locator("[data-feedback]")).to_be_hidden()
    expect(form(page, "wall").locator("input").first).to_be_focused()
    for question, right in QUIZ_RIGHT.items():
        answer(page, question, right)
    expect(score(page)).to_have_text("4 of 4")
    page.get_by_role("button", name="Start over").click()
    expect(score(page)).to_have_text("0 of 4")
    expect(page.locator("#quiz input:checked")).to_have_count(0)
    expect(page.locator("#quiz input").first).to_be_focused()


def test_score_and_its_event(watched, server):
    page = watched.open(server.url)
    page.evaluate(EVENTS)
    for count, (question, right) in enumerate(QUIZ_RIGHT.items(), 1):
        answer(page, question, right if count < 4 else WRONG[question])
        expect(score(page)).to_have_text(f"{min(count, 3)} of 4")
    expect(page.locator("[data-progress]")).to_have_text("right. All answered.")
    assert page.evaluate("told")[-1] == {"answered": 4, "correct": 3, "total": 4, "done": True}
    assert len(page.evaluate("told")) == 4


def test_see_every_answer(page):
    reasons = page.locator("#quiz details.reasons")
    button = page.get_by_role("button", name="See every answer")
    expect(reasons.locator("dd").first).to_be_hidden()
    button.click()
    for index in range(reasons.count()):
        expect(reasons.nth(index).locator(".is-right .verdict")).to_have_text("Right")
        expect(reasons.nth(index).locator("dd")).to_have_count(4)
        expect(reasons.nth(index).locator("dd").last).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(reasons.locator("dd").first).to_be_hidden()
    expect(score(page)).to_have_text("0 of 4")


def test_answers_survive_a_reload(page):
    answer(page, "why", QUIZ_RIGHT["why"])
    answer(page, "fp8", WRONG["fp8"])
    page.add_init_script(EVENTS)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(score(page)).to_have_text("1 of 4")
    expect(form(page, "why").locator("input:checked")).to_have_value(QUIZ_RIGHT["why"])
    expect(form(page, "why").locator("[data-feedback]")).to_contain_text("Right.")
    expect(form(page, "fp8").locator("[data-feedback]")).to_contain_text("Not quite.")
    assert page.evaluate("told")[0] == {"answered": 2, "correct": 1, "total": 4, "done": False}


@pytest.mark.parametrize(
    "kept", ["{", "null", "7", '["b"]', '{"why": "z", "heads": 3, "__proto__": {"wall": "a"}}', '"why"']
)
def test_damaged_memory_is_ignored(watched, server, kept):
    page = watched.open(server.url)
    page.evaluate("(kept) => localStorage.setItem('kv-cache:quiz', kept)", kept)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(score(page)).to_have_text("0 of 4")
    expect(page.locator("[data-quiz] [data-progress]")).to_have_text(f"right. {len(QUIZ_RIGHT)} to go.")
    answer(page, "why", QUIZ_RIGHT["why"])
    expect(score(page)).to_have_text("1 of 4")


def test_blocked_memory_is_harmless(watched, server):
    page = watched.open(server.url, wait=None)
    page.add_init_script("""
        const get = () => { throw new DOMException("denied", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get });
    """)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    answer(page, "heads", QUIZ_RIGHT["heads"])
    expect(score(page)).to_have_text("1 of 4")
    form(page, "heads").get_by_role("button", name="Try again").click()
    expect(score(page)).to_have_text("0 of 4")


def test_by_keyboard_alone(page):
    page.locator("#quiz").scroll_into_view_if_needed()
    form(page, "why").locator("input").first.focus()
    for question, right in QUIZ_RIGHT.items():
        expect(form(page, question).locator("input").first).to_be_focused()
        page.keyboard.press("Space")
        for _ in range(OPTIONS.index(right)):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(form(page, question).locator("[data-feedback]")).to_contain_text("Right.")
        for _ in range(4):  # Check, Try again, the answers, the next question
            page.keyboard.press("Tab")
    expect(score(page)).to_have_text("4 of 4")
    expect(page.get_by_role("button", name="See every answer")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#quiz dd").last).to_be_visible()


def test_numbers_follow_the_scenario(page):
    answer(page, "wall", QUIZ_RIGHT["wall"])
    deployment(page).locator("[data-param=model]").select_option("llama-3-70b")
    after = told(model="llama-3-70b")
    expect(form(page, "wall").locator("legend")).to_contain_text(after["wall-stem"])
    expect(form(page, "wall").locator("[data-feedback]")).to_have_text(f"Right. {after['wall-a-why']}")
    expect(page.locator("#quiz [data-text=deployment]")).to_have_text(after["deployment"])
    expect(score(page)).to_have_text("1 of 4")


def test_without_scripts(watched, server):
    page = watched.open(server.url, wait="#quiz", java_script_enabled=False)
    expect(page.locator("#quiz legend")).to_have_count(4)
    expect(page.get_by_role("button", name="Check")).to_have_count(0)
    page.get_by_text("Answers to question 3").click()
    expect(form(page, "wall").locator(".is-right dd")).to_have_text(told()["wall-a-why"])
    expect(page.locator("#why-title")).to_be_visible()


def test_twin(browser):
    """The browser's questions are Python's, to the letter."""
    page = browser.new_page()
    script = "\n".join([runtime_script(), page_twin()])
    page.add_script_tag(content=f"{script}\nwindow.quizOf = (state) => quiz_frame(state, CATALOG);")

    @RANDOM_STATES
    @given(states(Wall))
    def check(state):
        python = json.loads(json.dumps(quiz_frame(SimpleNamespace(**state), CATALOG)))
        assert page.evaluate("(state) => quizOf(state)", state) == python

    check()
    page.close()
