"""The sheet for a class: what it is to learn, predictions and questions on its deployment, and the key apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from acts import ACTS, Scenario
from acts.bundle import shared_environment
from acts.predict import predict_question, predict_said

from .quiz import FIRST_SEED, drawn
from .quiz.frame import quiz_answer_text
from .quiz.parts import quiz_deployment

if TYPE_CHECKING:
    from collections.abc import Iterable

#: What a learner can do afterwards.
OBJECTIVES = (
    "say why keys and values are kept and queries are not, and what a cache does not save",
    "work out the cache of a token and of a conversation from a model's layers, KV heads, width and type",
    "tell what grouped heads, windows and a latent change in that sum",
    "find how many users fit beside the weights, and what happens when one more comes",
    "say what a narrower cache type gains, and what it may cost",
)
#: What has to be known before.
BEFORE = (
    "what a token is, and that a model writes one at a time",
    "powers of two and of ten: GiB and GB",
    "no mathematics beyond multiplication",
)


def handout_html(scenario: Scenario | None = None, seed: int = FIRST_SEED, names: Iterable[str] = ()) -> str:
    """The sheet as one HTML document that needs no script, for ``scenario`` and the quiz's ``seed`` or ``names``."""
    scenario = scenario or Scenario()
    catalog = scenario.catalog
    predictions = []
    for act in ACTS:
        state = SimpleNamespace(**act(scenario).state())
        question = predict_question(act.id, state, catalog)
        predictions.append(question | {"title": act.title, "said": predict_said(question)})
    questions = [keyed(question) for question in drawn(scenario, catalog, seed, names)]
    return (
        shared_environment()
        .get_template("templates/handout.html")
        .render(
            objectives=OBJECTIVES,
            before=BEFORE,
            seed=seed,
            deployment=quiz_deployment(scenario, catalog),
            predictions=predictions,
            questions=questions,
        )
    )


def keyed(question: dict[str, Any]) -> dict[str, Any]:
    """A question with its answer in words and the reason of that answer."""
    right = question["answer"] if question["kind"] == "choice" else 0
    return question | {"said": quiz_answer_text(question), "reason": question["reasons"][right]}
