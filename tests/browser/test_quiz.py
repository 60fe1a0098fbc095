"""The quiz as learners meet it: one question at a time, feedback, another try, memory, links, keyboard, no scripts."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as some
from playwright.sync_api import expect

from acts import Scenario, Wall
from acts.bounds import DEFAULTS
from acts.bundle import runtime_script
from acts.scenario import Catalog
from app.handout import handout_html
from app.quiz import drawn
from app.quiz.dice import quiz_next_seed
from app.quiz.frame import QUIZ_POOL, quiz_answer_text, quiz_draw, quiz_ids, quiz_mark, quiz_other
from app.script import page_twin

from .test_twin import RANDOM_STATES, first_difference, states

pytestmark = pytest.mark.browser

CATALOG = Catalog()
SEED = 7
EVENTS = (
    "window.told = []; document.addEventListener('kv-cache:quiz', (event) => window.told.push(event.detail));"
)


def asked(seed=SEED, **changes):
    return drawn(SimpleNamespace(**(DEFAULTS | changes)), CATALOG, seed)


def form(page, name):
    return page.locator(f"[data-question={name}]")


def right_answer(question) -> str:
    return str(question["answer"]) if question["kind"] == "choice" else quiz_answer_text(question)


def wrong_answer(question) -> str:
    if question["kind"] == "choice":
        return str((question["answer"] + 1) % 4)
    return str(question["answer"] * 3 + 1)


def answer(page, question, given):
    """Gives an answer to the question in sight and has it checked."""
    one = form(page, question["id"])
    if question["kind"] == "choice":
        one.locator(f"input[value='{given}']").check()
    else:
        one.get_by_label("Your answer").fill(given)
    one.get_by_role("button", name="Check").click()


def score(page):
    return page.locator("[data-readout=quiz-score]")


def next_question(page):
    page.get_by_role("button", name="Next question").click()


def test_a_verdict_is_seen_where_the_field_is_at_the_window_s_foot(page):
    field = form(page, asked()[0]["id"]).locator("input").first
    field.focus()
    page.set_viewport_size({"width": 390, "height": 640})
    page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    field.evaluate("(element) => element.scrollIntoView({ block: 'end' })")
    field.press("1")
    field.press("Space")
    field.press("Enter")
    expect(form(page, asked()[0]["id"]).locator("[data-feedback]")).to_be_in_viewport(ratio=1)


@pytest.fixture
def page(watched, exported):
    return watched.open(f"{exported}?act=quiz&seed={SEED}")


def test_one_question_at_a_time_and_the_score(watched, server):
    page = watched.open(f"{server.url}?act=quiz&seed={SEED}")
    page.evaluate(EVENTS)
    for place, question in enumerate(asked()):
        expect(page.locator("#quiz form:visible")).to_have_count(1)
        one = form(page, question["id"])
        expect(one.locator("legend")).to_have_text(f"Question {place + 1} of 6{question['question']}")
        expect(one.locator("[data-feedback]")).to_be_hidden()
        expect(one.locator("details.reasons")).to_be_hidden()
        good = place != 2
        given = right_answer(question) if good else wrong_answer(question)
        answer(page, question, given)
        verdict = "Right." if good else "Not quite."
        expect(one.locator("[data-feedback]")).to_have_text(
            f"{verdict} {quiz_mark(question, given)['reason']}"
        )
        expect(page.locator("[data-announce]")).to_contain_text(verdict)
        one.locator("details.reasons summary").click()
        expect(one.locator(".is-right dd")).to_be_visible()
        if place < 5:
            next_question(page)
            expect(form(page, asked()[place + 1]["id"]).locator("legend")).to_be_focused()
    expect(score(page)).to_have_text("5 of 6")
    expect(page.locator("[data-progress]")).to_have_text("right. All answered.")
    assert page.evaluate("told")[-1] == {"answered": 6, "correct": 5, "total": 6, "done": True, "seed": SEED}
    assert len(page.evaluate("told")) == 6
    expect(page.get_by_role("button", name="Next question")).to_be_disabled()


def test_a_choice_counts_once_it_is_checked(page):
    question = asked()[0]
    assert question["kind"] == "choice"
    answer(page, question, right_answer(question))
    form(page, question["id"]).locator(f"input[value='{wrong_answer(question)}']").check()
    expect(form(page, question["id"]).locator("[data-feedback]")).to_be_hidden()
    expect(score(page)).to_have_text("1 of 6")


def test_nothing_given_and_what_is_no_number(page):
    first, second = asked()[:2]
    form(page, first["id"]).get_by_role("button", name="Check").click()
    expect(form(page, first["id"]).locator("[data-feedback]")).to_contain_text("Choose an answer first.")
    next_question(page)
    answer(page, second, "<b>plenty</b>")
    expect(form(page, second["id"]).locator("[data-feedback]")).to_contain_text(
        "type one such as 12.5 tokens"
    )
    expect(score(page)).to_have_text("0 of 6")
    expect(page.locator("[data-progress]")).to_have_text("right. 6 to go.")


def test_another_try_is_another_question(page):
    question = asked()[0]
    answer(page, question, wrong_answer(question))
    form(page, question["id"]).get_by_role("button", name="Try another").click()
    expect(form(page, question["id"])).to_have_count(0)
    shown = page.locator("#quiz form:visible")
    other = shown.get_attribute("data-question")
    assert QUIZ_POOL[other][1] == question["kind"]
    assert other not in quiz_ids(SEED)
    expect(shown.locator("input:checked")).to_have_count(0)
    expect(page.locator("[data-progress]")).to_have_text("right. 6 to go.")


def test_starting_over_draws_others(page):
    question = asked()[0]
    answer(page, question, right_answer(question))
    page.get_by_role("button", name="Start over").click()
    expect(score(page)).to_have_text("0 of 6")
    expect(page.locator("#quiz form:visible legend")).to_be_focused()
    names = page.locator("#quiz form").evaluate_all("forms => forms.map((form) => form.dataset.question)")
    assert names != quiz_ids(SEED)
    assert len(set(names)) == 6


def test_answers_survive_a_reload(page):
    first, second = asked()[:2]
    answer(page, first, right_answer(first))
    next_question(page)
    answer(page, second, wrong_answer(second))
    page.add_init_script(EVENTS)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(score(page)).to_have_text("1 of 6")
    expect(form(page, second["id"]).get_by_label("Your answer")).to_have_value(wrong_answer(second))
    expect(form(page, second["id"]).locator("[data-feedback]")).to_contain_text("Not quite.")
    assert page.evaluate("told")[0]["answered"] == 2


def keep(page, kept: str) -> None:
    """Opens the page again with ``kept`` for what was kept, under the name that this document keeps it under."""
    answer(page, asked()[0], right_answer(asked()[0]))
    name = page.evaluate("Object.keys(localStorage).find((key) => key.startsWith('kv-cache:quiz'))")
    page.evaluate("([name, kept]) => localStorage.setItem(name, kept)", [name, kept])
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "null",
        "7",
        '{"seed": 7, "at": 99, "link": "7", "entries": [{"name": "no-such", "seed": 7}]}',
        '{"seed": 7, "at": 0, "link": "7", "entries": [{"name": "__proto__", "seed": 7, "given": "0", "right": true}]}',
        '{"seed": 7, "at": 0, "link": "7", "entries": [null]}',
        '{"seed": 7, "at": 0, "link": "7", "entries": [{"name": "blocks", "seed": 7, "given": 128, "right": true}]}',
        '{"seed": 7, "at": 0, "link": "7", "entries": [{"name": "blocks", "seed": 7, "given": "128", "right": 1}]}',
    ],
)
def test_damaged_memory_is_ignored(page, kept):
    keep(page, kept)
    expect(score(page)).to_have_text("0 of 6")
    answer(page, asked()[0], right_answer(asked()[0]))
    expect(score(page)).to_have_text("1 of 6")


def test_a_kept_answer_that_is_none_is_asked_again(page):
    """The text of a choice is one of its options; what anything else stands for is not counted."""
    name = next(question["id"] for question in asked() if question["kind"] == "choice")
    entry = {"name": name, "seed": SEED, "given": "z", "right": True}
    kept = {"seed": SEED, "at": 0, "link": str(SEED), "entries": [entry]}
    keep(page, json.dumps(kept))
    expect(page.locator("[data-progress]")).to_have_text("right. 1 to go.")


def test_blocked_memory_is_harmless(watched, server):
    page = watched.open(f"{server.url}?act=quiz&seed={SEED}", wait=None)
    page.add_init_script("""
        const get = () => { throw new DOMException("denied", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get });
    """)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    answer(page, asked()[0], right_answer(asked()[0]))
    expect(score(page)).to_have_text("1 of 6")


def test_a_link_names_the_questions(watched, exported):
    page = watched.open(f"{exported}?act=quiz&quiz=blocks,why-kept&seed=3&predict=0")
    expect(page.locator("#quiz form")).to_have_count(2)
    expect(page.locator("[data-link-note] [role=status]")).to_be_empty()
    page.goto(f"{exported}?act=quiz&quiz=blocks,encore&seed=abc")
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(page.locator("#quiz form")).to_have_count(6)
    note = page.locator("[data-link-note] [role=status]")
    expect(note).to_contain_text("encore")
    expect(note).to_contain_text("seed")


def test_a_sheet_for_a_class_is_the_command_s(page):
    page.evaluate("document.querySelector('[data-param=model]').value = 'llama-2-7b'")
    page.locator("[data-param=model]").first.dispatch_event("input")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="A sheet for a class").click()
    sheet = opened.value
    expect(sheet.get_by_role("heading", name="Key")).to_be_visible()
    parsed = "(html) => new DOMParser().parseFromString(html, 'text/html').documentElement.outerHTML"
    expected = sheet.evaluate(parsed, handout_html(Scenario(model="llama-2-7b"), SEED))
    assert sheet.evaluate("document.documentElement.outerHTML") == expected


def test_by_keyboard_alone(page):
    page.locator("#quiz form:visible legend").focus()
    for place, question in enumerate(asked()):
        page.keyboard.press("Tab")
        if question["kind"] == "choice":
            page.keyboard.press("Space")
            for _ in range(question["answer"]):
                page.keyboard.press("ArrowDown")
        else:
            page.keyboard.type(quiz_answer_text(question))
        page.keyboard.press("Enter")
        expect(form(page, question["id"]).locator("[data-feedback]")).to_contain_text("Right.")
        if place < 5:
            page.get_by_role("button", name="Next question").press("Enter")
    expect(score(page)).to_have_text("6 of 6")


def test_numbers_follow_the_deployment_until_they_are_answered(watched, exported):
    page = watched.open(f"{exported}?act=quiz&quiz=users-fit,token-bytes&seed={SEED}")
    names = ("users-fit", "token-bytes")
    before = drawn(SimpleNamespace(**DEFAULTS), CATALOG, SEED, names)
    answer(page, before[0], "57")
    page.evaluate("document.querySelector('[data-param=model]').value = 'llama-2-7b'")
    page.locator("[data-param=model]").first.dispatch_event("input")
    after = drawn(SimpleNamespace(**(DEFAULTS | {"model": "llama-2-7b"})), CATALOG, SEED, names)
    expect(form(page, "token-bytes").locator("legend")).to_contain_text(after[1]["question"])
    expect(form(page, "users-fit").locator("legend")).to_contain_text(before[0]["question"])
    expect(form(page, "users-fit").locator("[data-feedback]")).to_contain_text("Right.")
    expect(page.locator("[data-quiz-deployment]")).to_contain_text("Llama 2 7B")


def test_without_scripts(watched, server):
    page = watched.open(server.url, wait="#quiz", java_script_enabled=False)
    expect(page.locator("#quiz .question")).to_have_count(6)
    expect(page.get_by_role("button", name="Check")).to_have_count(0)
    page.locator("#quiz").get_by_text("The answers", exact=True).click()
    expect(page.locator("#quiz .is-right dd").last).to_be_visible()


def test_twin(browser):
    """The browser's draws, marks and retries are Python's, to the letter."""
    page = browser.new_page()
    script = "\n".join([runtime_script(), page_twin()])
    page.add_script_tag(
        content=f"""{script}
    window.quizOf = (seed, state, reference) => {{
      const draw = quiz_draw(seed, state, CATALOG, reference);
      const marks = draw.map((asked) => quiz_mark(asked, asked.kind === "choice" ? "2" : "1,536.5"));
      const other = quiz_other(draw[0].id, draw.map(({{ id }}) => id), seed);
      return {{ draw, marks, next: quiz_next_seed(seed), other }};
    }};"""
    )

    @RANDOM_STATES
    @given(states(Wall), some.integers(1, 999_999))
    def check(state, seed):
        draw = quiz_draw(seed, SimpleNamespace(**state), CATALOG, SimpleNamespace(**DEFAULTS))
        marks = [quiz_mark(one, "2" if one["kind"] == "choice" else "1,536.5") for one in draw]
        other = quiz_other(draw[0]["id"], [one["id"] for one in draw], seed)
        python = {"draw": draw, "marks": marks, "next": quiz_next_seed(seed), "other": other}
        told = page.evaluate("(given) => quizOf(...given)", [seed, state, DEFAULTS])
        assert first_difference(told, json.loads(json.dumps(python))) == ""

    check()
    page.close()
