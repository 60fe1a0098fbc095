"""The sheet for a class, filled in: the deployment's predictions and questions, and their key.

Pure functions, compiled by :mod:`acts.twin`, so that the command and the page write the same sheet. What stands on it
whatever is asked is templates/handout.html; this fills its slots, which are texts such as ``{seed}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acts.predict import predict_question, predict_said

from .quiz.frame import quiz_answer_text, quiz_question, quiz_with_unit
from .quiz.parts import quiz_deployment

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Asked, PageState, State

SHEET_LETTERS = ["a", "b", "c", "d"]
# Where something is written by hand.
SHEET_ROOM = '<span class="room"></span>'


def sheet_html(
    blank: str, state: PageState, catalog: Catalog, seed: int, names: list[str], reference: State
) -> str:
    """The document ``blank`` with its slots filled: ``state`` is that of all acts, ``names`` the questions to ask.

    ``reference`` is the deployment asked about where ``state`` does not pose a question. All text is escaped.
    """
    filled = blank.replace("{deployment}", sheet_escape(quiz_deployment(state, catalog)))
    filled = filled.replace("{seed}", str(seed))
    for slot in blank.split("{ask-")[1:]:
        act = slot[: slot.find("}")]
        asked = predict_question(act, state, catalog)
        options = " (" + ", ".join(asked["options"]) + ")" if asked["kind"] == "choice" else ""
        filled = filled.replace("{ask-" + act + "}", sheet_escape(asked["question"] + options))
        filled = filled.replace("{said-" + act + "}", sheet_escape(predict_said(asked)))
    questions = [quiz_question(name, seed, state, catalog, reference) for name in names]
    filled = filled.replace("{questions}", "".join([sheet_asked(question) for question in questions]))
    return filled.replace("{answers}", "".join([sheet_answered(question) for question in questions]))


def sheet_asked(question: Asked) -> str:
    """A question with room for its answer."""
    if question["kind"] == "choice":
        options = "".join(["<li>" + sheet_escape(option) + "</li>" for option in question["options"]])
        room = '<ol class="options">' + options + "</ol>" + SHEET_ROOM
    else:
        room = SHEET_ROOM + '<span class="room unit">' + sheet_escape(question["unit"]) + "</span>"
    return "<li>" + sheet_escape(question["question"]) + room + "</li>\n"


def sheet_answered(question: Asked) -> str:
    """A question's answer and its reason; then what other answers come from."""
    right = question["answer"] if question["kind"] == "choice" else 0
    letter = SHEET_LETTERS[right] + ") " if question["kind"] == "choice" else ""
    others = []
    for index in range(len(question["options"])):
        if index != right:
            others.append(SHEET_LETTERS[index] + ") " + question["reasons"][index])
    for slip in question["slips"]:
        others.append(quiz_with_unit(slip["value"], question["unit"]) + ": " + slip["reason"])
    listed = "".join(["<li>" + sheet_escape(other) + "</li>" for other in others])
    return (
        f"<li><b>{sheet_escape(letter + quiz_answer_text(question))}</b>. "
        f"{sheet_escape(question['reasons'][right])}{'<ul>' + listed + '</ul>' if listed != '' else ''}</li>\n"
    )


def sheet_escape(text: str) -> str:
    """A text as it may stand in an element of HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
