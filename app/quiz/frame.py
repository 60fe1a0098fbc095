"""The quiz as data: a pool of questions, and the six that a seed draws from it for a deployment.

Compiled for the browser by :mod:`acts.twin`: the same seed and the same deployment ask the same in both languages. What
cannot be asked of the deployment is asked of ``reference``, the one that stands where nothing was chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acts.deployed import deployed_cards
from acts.text import text_amount, text_number
from acts.typed import typed_read

from .choices import (
    quiz_at_the_wall,
    quiz_batch,
    quiz_bound,
    quiz_first_token,
    quiz_latent_holds,
    quiz_light_weights,
    quiz_longer_context,
    quiz_narrower,
    quiz_next_user,
    quiz_replicas,
    quiz_reserved,
    quiz_shared_heads,
    quiz_spare_bits,
    quiz_still_grows,
    quiz_token_size,
    quiz_why_kept,
    quiz_window_slope,
    quiz_work_spared,
)
from .dice import quiz_dice, quiz_shuffled
from .numbers import (
    quiz_blocks,
    quiz_cache_share,
    quiz_context_doubled,
    quiz_crossover,
    quiz_decode_steps,
    quiz_gib_of_gb,
    quiz_head_ratio,
    quiz_heads_per_gpu,
    quiz_latent_values,
    quiz_passes,
    quiz_scales,
    quiz_step_read,
    quiz_step_time,
    quiz_token,
    quiz_user_cache,
    quiz_users_fit,
    quiz_window_growth,
)

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Asked, Dice, Marked, State

# Questions of a draw, and how many of them ask for a number.
QUIZ_DRAWN = 6
QUIZ_NUMBERS = 3

# Units that are counted, of which there may be one.
QUIZ_COUNTED = ["users", "heads", "blocks", "tokens", "steps"]

# The pool: id -> topic and kind, known before a question is made.
QUIZ_POOL = {
    "decode-steps": ["prefill and decode", "number"],
    "passes-spared": ["what the cache does not save", "number"],
    "head-ratio": ["query and KV heads", "number"],
    "token-bytes": ["head width", "number"],
    "user-cache": ["users against context", "number"],
    "users-fit": ["users against context", "number"],
    "context-doubled": ["users against context", "number"],
    "crossover": ["weights against cache", "number"],
    "step-read": ["batching and speed", "number"],
    "step-time": ["batching and speed", "number"],
    "gib-of-gb": ["GB and GiB", "number"],
    "scales": ["cache types and scales", "number"],
    "heads-per-gpu": ["tensor parallelism", "number"],
    "blocks": ["paging", "number"],
    "window-growth": ["windows and fixed parts", "number"],
    "latent-values": ["latent", "number"],
    "cache-share": ["weights against cache", "number"],
    "why-kept": ["what the cache does not save", "choice"],
    "still-grows": ["what the cache does not save", "choice"],
    "work-spared": ["what the cache does not save", "choice"],
    "bound": ["prefill and decode", "choice"],
    "first-token": ["prefill and decode", "choice"],
    "shared-heads": ["query and KV heads", "choice"],
    "token-size": ["head width", "choice"],
    "next-user": ["users against context", "choice"],
    "longer-context": ["users against context", "choice"],
    "at-the-wall": ["weights against cache", "choice"],
    "batch": ["batching and speed", "choice"],
    "narrower": ["cache types and scales", "choice"],
    "light-weights": ["cache types and scales", "choice"],
    "spare-bits": ["cache types and scales", "choice"],
    "reserved": ["paging", "choice"],
    "replicas": ["tensor parallelism", "choice"],
    "window-slope": ["windows and fixed parts", "choice"],
    "latent-holds": ["latent", "choice"],
}


def quiz_ids(seed: int) -> list[str]:
    """The ids a seed draws: as many numbers as choices, each of another topic, in mixed order."""
    dice = quiz_dice(seed, 0)
    topics: list[str] = []
    drawn: list[str] = []
    numbers = 0
    for name in quiz_shuffled(dice, list(QUIZ_POOL.keys())):
        topic = QUIZ_POOL[name][0]
        number = QUIZ_POOL[name][1] == "number"
        room = numbers < QUIZ_NUMBERS if number else len(drawn) - numbers < QUIZ_DRAWN - QUIZ_NUMBERS
        if room and topic not in topics:
            topics.append(topic)
            drawn.append(name)
            numbers += 1 if number else 0
    return drawn


def quiz_other(name: str, asked: list[str], seed: int) -> str:
    """Another question of the same kind as ``name`` that is not in ``asked``, of the same topic where there is one."""
    kind = QUIZ_POOL[name][1]
    first = ""
    for other in quiz_shuffled(quiz_dice(seed, 1), list(QUIZ_POOL.keys())):
        if QUIZ_POOL[other][1] != kind or other in asked:
            continue
        if QUIZ_POOL[other][0] == QUIZ_POOL[name][0]:
            return other
        if first == "":
            first = other
    return first if first != "" else name


def quiz_draw(seed: int, state: State, catalog: Catalog, reference: State) -> list[Asked]:
    """The six questions that ``seed`` draws for the deployment ``state``."""
    return [quiz_question(name, seed, state, catalog, reference) for name in quiz_ids(seed)]


def quiz_question(name: str, seed: int, state: State, catalog: Catalog, reference: State) -> Asked:
    """The question ``name`` of the pool with the numbers and the order that ``seed`` gives it."""
    place = 2
    for other in QUIZ_POOL:
        if other == name:
            break
        place += 1
    # Of the reference everything can be asked.
    made: Any = quiz_made(name, state, catalog, quiz_dice(seed, place))
    if made is None:
        made = quiz_made(name, reference, catalog, quiz_dice(seed, place))
        made["question"] = (
            f"(Asked of {catalog.models[reference.model].name} on "
            f"{deployed_cards(reference, catalog)}, since your deployment does not pose it.) "
            f"{made['question']}"
        )
    return made


def quiz_made(name: str, state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """The question ``name`` of this deployment, or None where it cannot be asked of it."""
    makers = {
        "decode-steps": quiz_decode_steps,
        "passes-spared": quiz_passes,
        "head-ratio": quiz_head_ratio,
        "token-bytes": quiz_token,
        "user-cache": quiz_user_cache,
        "users-fit": quiz_users_fit,
        "context-doubled": quiz_context_doubled,
        "crossover": quiz_crossover,
        "step-read": quiz_step_read,
        "step-time": quiz_step_time,
        "gib-of-gb": quiz_gib_of_gb,
        "scales": quiz_scales,
        "heads-per-gpu": quiz_heads_per_gpu,
        "blocks": quiz_blocks,
        "window-growth": quiz_window_growth,
        "latent-values": quiz_latent_values,
        "cache-share": quiz_cache_share,
        "why-kept": quiz_why_kept,
        "still-grows": quiz_still_grows,
        "work-spared": quiz_work_spared,
        "bound": quiz_bound,
        "first-token": quiz_first_token,
        "shared-heads": quiz_shared_heads,
        "token-size": quiz_token_size,
        "next-user": quiz_next_user,
        "longer-context": quiz_longer_context,
        "at-the-wall": quiz_at_the_wall,
        "batch": quiz_batch,
        "narrower": quiz_narrower,
        "light-weights": quiz_light_weights,
        "spare-bits": quiz_spare_bits,
        "reserved": quiz_reserved,
        "replicas": quiz_replicas,
        "window-slope": quiz_window_slope,
        "latent-holds": quiz_latent_holds,
    }
    made = makers[name](state, catalog, dice)
    if made is not None:
        made["id"] = name
        made["topic"] = QUIZ_POOL[name][0]
    return made


def quiz_answer_text(question: Asked) -> str:
    """The right answer in words: the option, or the number with its unit."""
    if question["kind"] == "choice":
        return question["options"][question["answer"]]
    return quiz_with_unit(question["answer"], question["unit"])


def quiz_with_unit(number: float, unit: str) -> str:
    """A number as people write it, with its unit: "57 users", "1 user", "3.56 times", "52%"."""
    if number == 1 and unit in QUIZ_COUNTED:
        return "1 " + unit[: len(unit) - 1]
    text = text_number(number, 4) if number < 1 else text_amount(number)
    return text + ("%" if unit == "%" else f" {unit}")


def quiz_mark(question: Asked, given: str) -> Marked:
    """What to say to ``given``, an option's index or what was typed: ``read``, ``right``, ``reason``."""
    if question["kind"] == "choice":
        index = int(given)
        return {"read": True, "right": index == question["answer"], "reason": question["reasons"][index]}
    typed = typed_read(given, question["unit"])
    if typed["value"] is None:
        example = quiz_with_unit(12.5, question["unit"])
        return {
            "read": False,
            "right": False,
            "reason": f"That is not a number that can be read here; type one such as {example}.",
        }
    reason = question["reasons"][0]
    if quiz_near(question, typed["value"]):
        return {"read": True, "right": True, "reason": reason}
    if typed["loose"] is not None and question["id"] != "gib-of-gb" and quiz_near(question, typed["loose"]):
        return {"read": True, "right": True, "reason": quiz_loose_reason(question) + reason}
    return {"read": True, "right": False, "reason": quiz_slip(question, typed["value"]) + reason}


def quiz_near(question: Asked, value: float) -> bool:
    """Whether a number is the answer, as near as the question asks."""
    return abs(value - question["answer"]) <= question["tolerance"] + 0.000000001 * abs(question["answer"])


def quiz_loose_reason(question: Asked) -> str:
    """What to say to an answer that is right in the unit its author meant."""
    if question["unit"] == "%":
        return f"As a percentage that is {quiz_with_unit(question['answer'], '%')}. "
    return f"Taken as {question['unit']}, which engines print the same way. "


def quiz_slip(question: Asked, value: float) -> str:
    """The misconception a wrong number comes from, if it is a known one; then the right answer."""
    said = ""
    for slip in question["slips"]:
        if said == "" and abs(value - slip["value"]) <= max(question["tolerance"], 0.01 * abs(slip["value"])):
            said = f"{slip['reason']} "
    return f"{said}It is {quiz_answer_text(question)}. "
