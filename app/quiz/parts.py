"""What questions are made of: their form, the deployment they are about, and when a model can be asked of.

Functions that make a question (:class:`acts.contracts.Asked`) return None where the deployment cannot be asked that;
its id and topic are those of its row in the pool, see :func:`app.quiz.frame.quiz_made`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acts.deployed import deployed_cache, deployed_cards, deployed_weights
from acts.text import text_whole

from .dice import quiz_shuffled

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Asked, Dice, Slip, State
    from acts.sizing import Shape

# Bytes of a unit that questions ask for.
QUIZ_KIB = 1024
QUIZ_GIB = 1073741824
# Options of a choice.
QUIZ_OPTIONS = 4


def quiz_number(
    question: str,
    answer: float,
    share: float,
    unit: str,
    reason: str,
    slips: list[list[Any]],
) -> Asked:
    """A question with a number for an answer, right within ``share`` of it; ``slips`` are [number, reason]."""
    tolerance = abs(answer) * share
    known: list[Slip] = []
    for slip in slips:
        apart = abs(slip[0] - answer) > 2 * tolerance
        for other in known:
            apart = apart and slip[0] != other["value"]
        if apart:
            known.append({"value": slip[0], "reason": slip[1]})
    return {
        "id": "",
        "topic": "",
        "kind": "number",
        "question": question,
        "options": [],
        "answer": answer,
        "tolerance": tolerance,
        "unit": unit,
        "reasons": [reason],
        "slips": known,
    }


def quiz_choice(question: str, options: list[list[str]], dice: Dice) -> Asked | None:
    """A question with four options in another order each time; the first of ``options``, [text, reason], is right.

    Wrong ones that say the same as another are passed over; with fewer than three left there is no question.
    """
    kept = [options[0]]
    for option in options[1:]:
        fresh = len(kept) < QUIZ_OPTIONS
        for other in kept:
            fresh = fresh and option[0] != other[0]
        if fresh:
            kept.append(option)
    if len(kept) < QUIZ_OPTIONS:
        return None
    order = quiz_shuffled(dice, [0, 1, 2, 3])
    answer = 0
    texts = []
    reasons = []
    for place in range(QUIZ_OPTIONS):
        texts.append(kept[order[place]][0])
        reasons.append(kept[order[place]][1])
        if order[place] == 0:
            answer = place
    return {
        "id": "",
        "topic": "",
        "kind": "choice",
        "question": question,
        "options": texts,
        "answer": answer,
        "tolerance": 0,
        "unit": "",
        "reasons": reasons,
        "slips": [],
    }


def quiz_deployment(state: State, catalog: Catalog) -> str:
    """The deployment in a line."""
    return (
        f"{catalog.models[state.model].name} on {deployed_cards(state, catalog)}, "
        f"{deployed_weights(state, catalog)}, {deployed_cache(state, catalog)}, "
        f"{text_whole(state.context)} tokens per user"
    )


def quiz_plain(shape: Shape) -> bool:
    """Whether every layer keeps keys and values of the same heads for every token: what a plain product sizes."""
    if len(shape.groups) != 1 or shape.state_bytes > 0:
        return False
    group = shape.groups[0]
    if group.kind != "attention" or group.record_bytes is not None or group.fixed_tokens is not None:
        return False
    return group.window is None and group.stride == 1 and group.key_width > 0 and group.value_width > 0


def quiz_grouped_heads(shape: Shape) -> bool:
    """Whether query heads share KV heads evenly in a plain model."""
    if not quiz_plain(shape):
        return False
    heads = shape.num_attention_heads
    kept = shape.groups[0].num_kv_heads
    return kept > 0 and kept < heads and heads % kept == 0


def quiz_dense(shape: Shape) -> bool:
    """Whether each token passes through all weights: no mixture of experts."""
    return shape.active_parameters == shape.parameters
