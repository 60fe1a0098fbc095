"""The quiz: six questions drawn by a seed from a pool, most of their numbers those of the reader's deployment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from acts.bounds import DEFAULTS

from .dice import QUIZ_SEED_HIGH, QUIZ_SEED_LOW
from .frame import QUIZ_POOL, quiz_answer_text, quiz_ids, quiz_question
from .parts import quiz_deployment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from acts.catalog import Catalog
    from acts.contracts import Asked, State

#: The draw that stands in the document before any script has run.
FIRST_SEED = 1


def seed_fault(seed: object) -> str:
    """What is wrong with a seed, in a sentence; empty for one that can be used."""
    if isinstance(seed, int) and not isinstance(seed, bool) and QUIZ_SEED_LOW <= seed <= QUIZ_SEED_HIGH:
        return ""
    return f"seed cannot be {seed!r}; give a whole number from {QUIZ_SEED_LOW:,} to {QUIZ_SEED_HIGH:,}"


def names_fault(names: Iterable[str]) -> str:
    """What is wrong with the names of questions, in a sentence; empty if the pool has them all, each once."""
    seen: set[str] = set()
    for name in names:
        if name not in QUIZ_POOL:
            return f"there is no question {name!r}; choose from: {', '.join(QUIZ_POOL)}"
        if name in seen:
            return f"the question {name} is named twice; name each once"
        seen.add(name)
    return ""


def drawn(state: State, catalog: Catalog, seed: int, names: Iterable[str] = ()) -> list[Asked]:
    """The questions that ``seed`` draws for the deployment ``state``, or those called ``names`` with its numbers."""
    reference = SimpleNamespace(**DEFAULTS)
    return [quiz_question(name, seed, state, catalog, reference) for name in tuple(names) or quiz_ids(seed)]


def quiz_context(state: State, catalog: Catalog, seed: int = FIRST_SEED) -> dict[str, Any]:
    """What the template needs: the questions with their answers in words, and the deployment they are about."""
    questions = drawn(state, catalog, seed)
    return {
        "questions": [question | {"said": quiz_answer_text(question)} for question in questions],
        "deployment": quiz_deployment(state, catalog),
    }
