"""``kv-cache quiz``: a draw of the quiz for a deployment, for people and for programs."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from acts.bounds import DEFAULTS
from acts.cli.parser import Refusal, json_option, to_json
from acts.cli.size import asked_deployment, deployment_options

from .quiz import drawn, names_fault, seed_fault
from .quiz.dice import QUIZ_SEED_HIGH, QUIZ_SEED_LOW
from .quiz.frame import QUIZ_POOL, quiz_answer_text
from .quiz.parts import quiz_deployment

if TYPE_CHECKING:
    import argparse

    from acts.contracts import Asked


def quiz_options(quiz: argparse.ArgumentParser) -> None:
    """Which draw, and about which deployment."""
    quiz.add_argument("--seed", metavar="N", help="the draw, the same for the same number (default: any)")
    quiz.add_argument("--questions", metavar="NAME,NAME", help="ask these instead; see --list")
    quiz.add_argument("--list", action="store_true", help="list the questions of the pool by name and topic")
    quiz.add_argument(
        "--model", default=DEFAULTS["model"], metavar="CONFIG_OR_ID", help="model (default: %(default)s)"
    )
    deployment_options(quiz)
    json_option(quiz)


def read_seed(text: str) -> int:
    """A seed as typed; Refusal if it is none."""
    plain = text.strip()
    seed = int(plain) if plain.isascii() and plain.isdecimal() else text
    if fault := seed_fault(seed):
        raise Refusal(fault)
    return int(seed)


def read_questions(text: str | None) -> tuple[str, ...]:
    """Names of questions as typed; Refusal if the pool has not all of them."""
    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if fault := names_fault(names):
        raise Refusal(fault)
    return names


def run_quiz(options: argparse.Namespace) -> str:
    """The draw, as text with its answers at the end or as JSON."""
    if options.list:
        return pool_text(options.json)
    seed = read_seed(options.seed) if options.seed else random.randint(QUIZ_SEED_LOW, QUIZ_SEED_HIGH)
    names = read_questions(options.questions)
    state, catalog = asked_deployment(options)
    questions = drawn(state, catalog, seed, names)
    about = quiz_deployment(state, catalog)
    if options.json:
        return to_json({"seed": seed, "deployment": vars(state), "about": about, "questions": questions})
    return quiz_text(seed, about, questions)


def pool_text(as_json: bool) -> str:
    """The names, topics and kinds of the pool."""
    if as_json:
        return to_json({name: {"topic": topic, "kind": kind} for name, (topic, kind) in QUIZ_POOL.items()})
    width = max(map(len, QUIZ_POOL)) + 2
    return "\n".join(f"{name:<{width}}{kind:<8}{topic}" for name, (topic, kind) in QUIZ_POOL.items())


def quiz_text(seed: int, about: str, questions: list[Asked]) -> str:
    """The draw for people: questions first, then the answers with their reasons."""
    lines = [f"Seed {seed}: {about}.", ""]
    for place, question in enumerate(questions, 1):
        lines.append(f"{place}. {question['question']}")
        lines += [f"   {'abcd'[index]}) {text}" for index, text in enumerate(question["options"])]
        lines += [f"   (a number, in {question['unit']})"] if question["kind"] == "number" else []
        lines.append("")
    lines.append("Answers")
    for place, question in enumerate(questions, 1):
        letter = f"{'abcd'[question['answer']]}) " if question["kind"] == "choice" else ""
        reason = question["reasons"][question["answer"] if question["kind"] == "choice" else 0]
        lines.append(f"{place}. {letter}{quiz_answer_text(question)}. {reason}")
    return "\n".join(lines)
