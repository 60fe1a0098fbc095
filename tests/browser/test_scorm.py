"""The SCORM package in a platform: a double of the LMS's API object keeps the record of every call, and scorm-again."""

from __future__ import annotations

import functools
import http.server
import io
import json
import re
import shutil
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from acts.bounds import DEFAULTS
from acts.scenario import Catalog
from app.quiz import drawn
from app.quiz.frame import quiz_answer_text
from app.scorm import scorm_package
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

LMS_DOCS = ROOT / "docs" / "lms.md"
SCORM_AGAIN = ROOT / ".ci" / "platform" / "node_modules" / "scorm-again" / "dist" / "scorm12.min.js"
#: The link's seed, so that every learner here is asked the same.
SEED = 7
ASKED = {one["id"]: one for one in drawn(SimpleNamespace(**DEFAULTS), Catalog(), SEED)}
QUESTIONS = list(ASKED)
RIGHT = {
    name: str(one["answer"]) if one["kind"] == "choice" else quiz_answer_text(one)
    for name, one in ASKED.items()
}
WRONG = {
    name: str((one["answer"] + 1) % 4) if one["kind"] == "choice" else str(one["answer"] * 3 + 1)
    for name, one in ASKED.items()
}
SHARES = [round(100 * right / len(QUESTIONS)) for right in range(len(QUESTIONS) + 1)]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def platform(tmp_path_factory):
    """The platform's address; the package is unpacked below it, in a frame of a frame."""
    folder = tmp_path_factory.mktemp("lms")
    for page in ("lms.html", "scorm_again.html"):
        shutil.copy(Path(__file__).parent / page, folder)
    if SCORM_AGAIN.exists():
        shutil.copy(SCORM_AGAIN, folder)
    with zipfile.ZipFile(io.BytesIO(scorm_package())) as package:
        package.extractall(folder / "course")
    frame = '<iframe name="sco" src="course/index.html?attempt=7&seed=7" width="1080" height="780"></iframe>'
    (folder / "player.html").write_text(f'<!DOCTYPE html><link rel="icon" href="data:,">{frame}')
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()


class Learner:
    """One browser at the platform."""

    def __init__(self, watched, platform: str, page: str = "lms.html", **data: str):
        query = f"?{urlencode(data)}" if data else ""
        self.page = watched.open(f"{platform}{page}{query}", wait=None)
        self.wait()

    def wait(self) -> None:
        expect(self.sco.locator("html[data-ready]")).to_be_attached()

    @property
    def sco(self):
        return self.page.frame_locator("[name=stage]").frame_locator("[name=sco]")

    def answer(self, question: str, option: str) -> None:
        self.show(question)
        form = self.sco.locator(f"[data-question={question}]")
        if ASKED[question]["kind"] == "choice":
            form.locator(f"input[value='{option}']").check()
        else:
            form.get_by_label("Your answer").fill(option)
        form.get_by_role("button", name="Check").click()

    def show(self, question: str) -> None:
        """Brings a question into sight; they stand one at a time."""
        wanted = QUESTIONS.index(question)
        for name in ("Previous question", "Next question"):
            button = self.sco.get_by_role("button", name=name)
            while self.at() != wanted and (self.at() > wanted) == (name == "Previous question"):
                button.click()

    def at(self) -> int:
        return QUESTIONS.index(self.sco.locator("#quiz form:visible").get_attribute("data-question"))

    def answer_all(self, answers: dict[str, str]) -> None:
        for question in QUESTIONS:
            self.answer(question, answers[question])

    @property
    def note(self):
        """What the page says of the platform."""
        return self.sco.locator("[data-lms-note] [role=status]")

    def calls(self) -> list[list[str]]:
        return self.page.evaluate("window.calls")

    def sets(self) -> list[list[str]]:
        return [call[1:3] for call in self.calls() if call[0] == "LMSSetValue"]

    def kept(self) -> dict[str, str]:
        return json.loads(self.page.evaluate("sessionStorage.getItem('data')"))

    def leave_and_resume(self) -> None:
        self.page.reload()
        self.wait()


def test_every_call_of_a_whole_attempt(watched, platform):
    learner = Learner(watched, platform)
    assert learner.calls()[0] == ["LMSInitialize", "", "->", "true"]
    assert learner.sets() == [["cmi.core.lesson_status", "incomplete"], ["cmi.core.exit", "suspend"]]
    assert learner.calls()[-1][0] == "LMSCommit"
    learner.answer_all(RIGHT)
    data = learner.kept()
    assert data["cmi.core.lesson_status"] == "completed"
    assert (data["cmi.core.score.raw"], data["cmi.core.score.min"], data["cmi.core.score.max"]) == (
        "100",
        "0",
        "100",
    )
    scores = [value for element, value in learner.sets() if element == "cmi.core.score.raw"]
    assert scores == [str(share) for share in SHARES[1:]]
    statuses = [value for element, value in learner.sets() if element == "cmi.core.lesson_status"]
    assert statuses == ["incomplete", "completed"]
    learner.page.frame(name="stage").goto("about:blank")
    names = [call[0] for call in learner.calls()]
    assert names[-4:] == ["LMSSetValue", "LMSSetValue", "LMSCommit", "LMSFinish"]
    assert learner.sets()[-2][0] == "cmi.core.session_time"
    assert "ERROR" not in names
    assert names.count("LMSInitialize") == names.count("LMSFinish") == 1


def test_answers_survive_leaving_and_resuming(watched, platform):
    learner = Learner(watched, platform)
    learner.answer(QUESTIONS[0], RIGHT[QUESTIONS[0]])
    learner.answer(QUESTIONS[1], WRONG[QUESTIONS[1]])
    assert len(learner.kept()["cmi.suspend_data"]) < 1000
    # Only the platform remembers: this browser's own memory is another learner's.
    assert learner.page.frame(name="sco").evaluate("Object.keys(localStorage)") == []
    learner.leave_and_resume()
    assert learner.kept()["cmi.core.entry"] == "resume"
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text(f"1 of {len(QUESTIONS)}")
    expect(learner.sco.locator(f"[data-question={QUESTIONS[0]}] [data-verdict]")).to_have_text("Right.")
    expect(learner.sco.locator(f"[data-question={QUESTIONS[1]}] [data-verdict]")).to_have_text("Not quite.")
    expect(learner.sco.locator(f"[data-question={QUESTIONS[3]}] [data-verdict]")).to_be_empty()
    for question in QUESTIONS[2:]:
        learner.answer(question, RIGHT[question])
    assert learner.kept()["cmi.core.lesson_status"] == "completed"
    assert "ERROR" not in [call[0] for call in learner.calls()]


def test_best_result_stays(watched, platform):
    learner = Learner(watched, platform)
    learner.answer_all(RIGHT)
    learner.sco.get_by_role("button", name="Start over").click()
    assert learner.kept()["cmi.core.lesson_status"] == "completed"
    assert learner.kept()["cmi.core.score.raw"] == "100"
    learner.leave_and_resume()
    assert learner.kept()["cmi.core.lesson_status"] == "completed"
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text(f"0 of {len(QUESTIONS)}")


def test_a_platform_that_gives_neither_score_nor_status_back(watched, platform):
    learner = Learner(watched, platform)
    learner.answer_all(RIGHT)
    before = len(learner.sets())
    learner.page.goto(f"{platform}lms.html?cmi.core.lesson_status=&cmi.core.score.raw=")
    learner.wait()
    learner.answer(QUESTIONS[0], WRONG[QUESTIONS[0]])
    later = [element for element, _ in learner.sets()[before:]]
    assert "cmi.core.lesson_status" not in later
    assert "cmi.core.score.raw" not in later


def test_a_platform_that_answers_a_reload_as_it_did_at_first(watched, platform):
    """Moodle's run-time takes its values from the page that holds the course, written when that was opened."""
    learner = Learner(watched, platform)
    learner.page.evaluate(
        "() => { const get = API.LMSGetValue; const first = { 'cmi.core.lesson_status': 'incomplete' };"
        " API.LMSGetValue = (name) => /score|suspend|status|_count/.test(name) ? first[name] ?? '' : get(name); }"
    )
    learner.answer(QUESTIONS[0], RIGHT[QUESTIONS[0]])
    learner.page.frame(name="sco").evaluate("location.reload()")
    learner.wait()
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text(f"1 of {len(QUESTIONS)}")
    learner.answer(QUESTIONS[1], WRONG[QUESTIONS[1]])
    data = learner.kept()
    assert data["cmi.core.score.raw"] == str(SHARES[1])
    assert data["cmi.interactions.1.id"] == f"quiz-{QUESTIONS[1]}-{SEED}"


def test_mastery_score_decides_passed_or_failed(watched, platform):
    learner = Learner(watched, platform, **{"cmi.student_data.mastery_score": "75"})
    for question in QUESTIONS[:-1]:
        learner.answer(question, WRONG[question])
    assert learner.kept()["cmi.core.score.raw"] == ""
    learner.answer(QUESTIONS[-1], RIGHT[QUESTIONS[-1]])
    assert learner.kept()["cmi.core.lesson_status"] == "failed"
    for question in QUESTIONS[:-1]:
        learner.answer(question, RIGHT[question])
    assert learner.kept()["cmi.core.lesson_status"] == "passed"
    assert learner.kept()["cmi.core.score.raw"] == "100"


def test_a_review_changes_nothing(watched, platform):
    first = {"name": QUESTIONS[0], "seed": SEED, "given": RIGHT[QUESTIONS[0]], "right": True}
    others = [{"name": name, "seed": SEED} for name in QUESTIONS[1:]]
    answers = json.dumps({"seed": SEED, "at": 0, "link": str(SEED), "entries": [first, *others]})
    learner = Learner(watched, platform, **{"cmi.core.lesson_mode": "review", "cmi.suspend_data": answers})
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text(f"1 of {len(QUESTIONS)}")
    learner.answer(QUESTIONS[1], RIGHT[QUESTIONS[1]])
    assert learner.sets() == []


def test_damaged_data_and_a_platform_that_fails(watched, platform):
    learner = Learner(watched, platform, **{"cmi.suspend_data": "{not json", "cmi.core.score.raw": "n/a"})
    learner.page.evaluate("API.LMSSetValue = () => { throw new Error('down'); }; null")
    learner.answer_all(RIGHT)
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text("6 of 6")
    expect(learner.note).to_contain_text("did not take your latest results")


def test_page_is_a_guest_in_the_frame(watched, platform):
    learner = Learner(watched, platform)
    expect(learner.sco.locator("[data-share]")).to_have_count(0)
    expect(learner.sco.locator("[data-link-note]")).to_be_hidden()
    outward = learner.sco.locator("a[href^=http]")
    assert outward.count() > 0
    assert all(link.get_attribute("target") == "_blank" for link in outward.all())


def test_api_in_the_window_that_opened_the_course(watched, platform):
    page = watched.open(f"{platform}lms.html", wait=None)
    page.frame(name="stage").goto("about:blank")
    before = len(page.evaluate("window.calls"))
    with page.expect_popup() as opened:
        page.evaluate("void window.open('course/index.html')")
    popup = opened.value
    popup.wait_for_selector("html[data-ready]", state="attached")
    assert page.evaluate("window.calls")[before] == ["LMSInitialize", "", "->", "true"]
    popup.close()
    page.wait_for_function("window.calls.at(-1)[0] === 'LMSFinish'")


def test_without_a_platform_it_is_the_page(watched, platform):
    page = watched.open(f"{platform}course/index.html?seed={SEED}")
    form = page.locator(f"[data-question={QUESTIONS[0]}]")
    form.locator("input").first.check()
    form.get_by_role("button", name="Check").click()
    assert (
        page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('kv-cache:quiz:')).length")
        == 1
    )
    assert page.locator("[data-share]").count() > 0
    expect(page.locator("[data-lms-note]")).to_have_count(0)


def test_the_docs_way_to_listen_in(watched, platform):
    learner = Learner(watched, platform)
    (snippet,) = re.findall(
        r"^```js\n(.*?)^```", LMS_DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    said = []
    learner.page.on("console", lambda message: said.append(message.text))
    learner.page.evaluate(snippet)
    learner.answer(QUESTIONS[0], RIGHT[QUESTIONS[0]])
    assert f"LMSSetValue cmi.core.score.raw {SHARES[1]} true" in said


# In scorm-again, a run-time that knows nothing of this project ------------------------------------


def guess(learner, given: str) -> None:
    wall = learner.sco.locator("#wall")
    wall.get_by_label("Your guess", exact=True).fill(given)
    wall.get_by_role("button", name="Check my guess").click()


def check_interactions(told: list[dict], first: str) -> None:
    """The guess at the wall and the answers, ``first`` wrong and the others right, as a platform lists them."""
    assert [one["id"] for one in told] == ["guess-wall", *(f"quiz-{name}-{SEED}" for name in QUESTIONS)]
    assert (told[0]["type"], told[0]["student_response"], told[0]["result"]) == ("numeric", "20", "wrong")
    assert told[0]["correct_responses"]["0"]["pattern"] == "57"
    for one, question in zip(told[1:], ASKED.values(), strict=True):
        choice = question["kind"] == "choice"
        assert one["type"] == ("choice" if choice else "numeric")
        assert one["result"] == ("wrong" if question["id"] == first else "correct")
        assert re.fullmatch(r"\d\d:\d\d:\d\d", one["time"])
        pattern = one["correct_responses"]["0"]["pattern"]
        if choice:
            assert pattern == "abcd"[question["answer"]]
        else:
            assert float(pattern) == pytest.approx(question["answer"])
    assert [one["weighting"] for one in told] == ["0", *["1"] * len(QUESTIONS)]


@pytest.fixture
def again(watched, platform):
    """Opens the course in scorm-again, with a trouble of its page if one is named."""
    if not SCORM_AGAIN.exists():
        pytest.skip("needs scorm-again: npm install --prefix .ci/platform")
    return lambda **trouble: Learner(watched, platform, "scorm_again.html", **trouble)


def test_guesses_answers_and_a_reload_in_scorm_again(again):
    """Errors of the run-time are errors of the console, which no test may have."""
    learner = again()
    first, *others = QUESTIONS
    guess(learner, "20")
    learner.answer(first, WRONG[first])
    for question in others:
        learner.answer(question, RIGHT[question])
    record = learner.page.evaluate("record()")
    assert record["core"]["lesson_status"] == "completed"
    assert record["core"]["score"]["raw"] == str(SHARES[-2])
    check_interactions(list(record["interactions"].values()), first)


def test_a_reload_goes_on_in_the_open_attempt(again):
    learner = again(trouble="open already")
    learner.answer(QUESTIONS[0], RIGHT[QUESTIONS[0]])
    assert learner.page.evaluate("record().core.score.raw") == str(SHARES[1])
    # The page leaves, and comes again while the platform holds its attempt to be open.
    learner.page.frame(name="sco").evaluate("location.reload()")
    learner.wait()
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text(f"1 of {len(QUESTIONS)}")
    learner.answer(QUESTIONS[1], RIGHT[QUESTIONS[1]])
    assert learner.page.evaluate("record().core.score.raw") == str(SHARES[2])
    expect(learner.note).to_be_hidden()


@pytest.mark.parametrize(
    ("trouble", "said"), [("not ready", "does not answer"), ("keeps nothing", "did not take")]
)
def test_what_a_platform_refuses_is_said_and_tried_again(again, trouble, said):
    learner = again(trouble=trouble)
    expect(learner.note).to_contain_text(said)
    learner.answer(QUESTIONS[0], RIGHT[QUESTIONS[0]])
    guess(learner, "20")
    expect(learner.note).to_contain_text(said)
    learner.page.evaluate("mend()")
    learner.sco.get_by_role("button", name="Try again now").click()
    expect(learner.note).to_contain_text("has taken your results")
    record = learner.page.evaluate("record()")
    assert record["core"]["score"]["raw"] == str(SHARES[1])
    assert [one["id"] for one in record["interactions"].values()] == [
        f"quiz-{QUESTIONS[0]}-{SEED}",
        "guess-wall",
    ]
    learner.sco.get_by_role("button", name="Dismiss").click()
    expect(learner.note).to_be_hidden()


def test_a_visit_that_the_platform_has_ended(watched, platform):
    learner = Learner(watched, platform)
    learner.page.evaluate("API.LMSInitialize = () => 'false'; API.LMSGetLastError = () => '101'; null")
    learner.page.frame(name="sco").evaluate("location.reload()")
    learner.wait()
    expect(learner.note).to_contain_text("has ended this visit")
    learner.answer(QUESTIONS[0], RIGHT[QUESTIONS[0]])
    expect(learner.sco.locator("[data-readout=quiz-score]")).to_have_text(f"1 of {len(QUESTIONS)}")
