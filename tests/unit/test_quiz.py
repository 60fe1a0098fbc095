"""The quiz: what a seed draws, its right answers worked out again, what people type, and what guessing brings."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from acts import Scenario
from acts.bounds import DEFAULTS
from acts.scenario import Catalog
from acts.typed import typed_read
from app.quiz import drawn, names_fault, quiz_context, seed_fault
from app.quiz.dice import quiz_dice, quiz_next_seed, quiz_roll
from app.quiz.frame import (
    QUIZ_POOL,
    quiz_answer_text,
    quiz_ids,
    quiz_made,
    quiz_mark,
    quiz_other,
    quiz_question,
    quiz_with_unit,
)

CATALOG = Catalog()
REAL = json.loads((Path(__file__).parents[1] / "truth" / "models.json").read_text(encoding="utf-8"))
GIB = 2**30
TOPICS = {
    "prefill and decode", "what the cache does not save", "query and KV heads", "head width",
    "windows and fixed parts", "latent", "weights against cache", "users against context", "batching and speed",
    "GB and GiB", "cache types and scales", "tensor parallelism", "paging",
}  # fmt: skip
NUMBERS = [name for name, (_, kind) in QUIZ_POOL.items() if kind == "number"]

states = some.builds(
    lambda **values: SimpleNamespace(**(DEFAULTS | values)),
    model=some.sampled_from(list(CATALOG.models)),
    gpu=some.sampled_from(list(CATALOG.gpus)),
    gpus=some.integers(1, 16),
    weights=some.sampled_from(list(CATALOG.weights)),
    cache=some.sampled_from(list(CATALOG.caches)),
    context=some.one_of(
        some.integers(256, 1_048_576), some.sampled_from([256, 8192, 32768, 131072, 1_048_576])
    ),
    users=some.integers(1, 1024),
    reserve=some.one_of(some.just(0.0), some.floats(0, 64)),
)
seeds = some.integers(1, 999_999)


def state(**changes):
    return SimpleNamespace(**(DEFAULTS | changes))


def question(name, seed=7, catalog=CATALOG, **changes):
    return quiz_question(name, seed, state(**changes), catalog, state())


def figures(text: str) -> list[float]:
    """The numbers of a text in order; sizes in bytes."""
    units = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "GB": 10**9, "TB": 10**12}
    text = re.sub(r"^\(Asked of .*?\) ", "", text)
    for names in (CATALOG.models, CATALOG.gpus, CATALOG.caches):
        for row in names.values():
            for name in (row.name.split(" (")[0], row.name):
                text = text.replace(name, "")
    text = re.sub(r"\d+-bit|\d+ bits|10⁹|BF16|FP16|FP8", "", text)
    found = re.findall(r"(\d[\d,]*(?:\.\d+)?)(?: (KiB|MiB|GiB|TiB|GB|TB))?", text)
    return [float(digits.replace(",", "")) * units.get(unit, 1) for digits, unit in found]


# Each right answer from the question's own words and the catalog's shape, without the sizing model. ------------------


def again_passes(prompt, answer, cached):
    assert cached == prompt + answer - 1
    return sum(prompt + written for written in range(int(answer))) / cached


#: How each number follows from the figures that its question gives, in their order.
AGAIN = {
    "decode-steps": lambda prompt, answer: answer - 1,
    "passes-spared": again_passes,
    "head-ratio": lambda heads, kept: heads / kept,
    "token-bytes": lambda layers, *rest: layers * rest[-1] * (rest[0] + rest[-2]) * 2 / 1024,
    "user-cache": lambda token, tokens: token * tokens / GIB,
    "users-fit": lambda *told: floor((told[-4] - told[-3]) / told[-1]),
    "context-doubled": lambda *told: told[-3] / 2,
    "crossover": lambda weights, token: weights / token,
    "step-read": lambda users, weights, one: (weights + users * one) / GIB,
    "step-time": lambda *told: told[-2] / told[-1] * 1000,
    "gib-of-gb": lambda listed: listed / GIB,
    "scales": lambda values, size: values * 2 / size,
    "heads-per-gpu": lambda heads, gpus: max(1, ceil(heads / gpus)),
    "blocks": lambda block, tokens: ceil(tokens / block),
    "window-growth": lambda every, growth, window, shorter, longer: growth * (longer - shorter) / GIB,
    "latent-values": lambda heads, key, value, latent: heads * (key + value) / latent,
    "cache-share": lambda weights, users, one: 100 * users * one / (weights + users * one),
}


@settings(max_examples=600, deadline=None, derandomize=True, database=None)
@given(states, seeds, some.sampled_from(NUMBERS))
def test_right_numbers_follow_from_the_question(scenario, seed, name):
    asked = quiz_question(name, seed, scenario, CATALOG, state())
    # What stands in the question is rounded to three digits or so; that must not cost anybody the answer.
    slack = max(asked["tolerance"], 0.6 if name in ("users-fit", "context-doubled") else 0)
    if name == "users-fit" and asked["answer"] > 20:
        slack = max(slack, 0.04 * asked["answer"])
    told = figures(asked["question"])
    assert AGAIN[name](*told) == pytest.approx(asked["answer"], abs=slack + 1e-9)


def right(name, **changes):
    asked = question(name, **changes)
    return asked["options"][asked["answer"]]


def test_right_choices_by_hand():
    """Llama 3 8B: 32 layers, 32 query heads, 8 KV heads of 128, 8,030,261,248 parameters; 8,192 tokens on 80 GiB."""
    assert right("token-size") == "128 KiB"
    assert right("shared-heads") == "Held: 128 KiB per token, not 512 KiB"
    assert right("next-user") == "1 GiB: a cache, and the weights are shared"
    assert right("at-the-wall") == "Memory: 57.0 GiB left to divide among them"
    assert right("longer-context") == "4 GiB each, 14 users"
    assert right("narrower") == "cache 0.5 GiB, weights 15.0 GiB"
    assert right("light-weights") == "weights 3.74 GiB, cache 1 GiB"
    assert right("replicas") == "128 MiB on each, 2 GiB in all"
    assert right("window-slope") == "80 KiB"
    assert right("latent-holds", model="deepseek-v3").startswith("576: one latent")
    batch = question("batch")
    users = figures(batch["question"])[1]
    assert right("batch") == f"{users:g} on the weights, 4 on the cache"
    reserved = question("reserved")
    tokens = figures(reserved["question"])[-1]
    blocks = ceil(tokens / 16)
    assert f"for {blocks * 16:,} tokens" in reserved["options"][reserved["answer"]]
    assert figures(reserved["options"][reserved["answer"]])[0] == pytest.approx(blocks * 16 / 8 * 2**20)
    assert right("why-kept") == "Later tokens read the former again, and nothing changes them"
    assert right("still-grows") == "Score its query against more tokens"
    assert right("work-spared") == "The number of passes, but not the time"
    assert right("first-token") == "The time until the first token"
    assert right("spare-bits") == "8 bits on the keys, 4 on the values"
    assert right("bound").startswith("A weight is read once for ")


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(states, seeds)
def test_a_draw_asks_six_questions_of_any_deployment(scenario, seed):
    questions = drawn(scenario, CATALOG, seed)
    assert len(questions) == 6
    assert len({asked["topic"] for asked in questions}) == 6
    assert sum(asked["kind"] == "number" for asked in questions) == 3
    for asked in questions:
        assert (asked["topic"], asked["kind"]) == tuple(QUIZ_POOL[asked["id"]])
        check_form(asked)


def check_form(asked):
    said = [
        asked["question"],
        *asked["options"],
        *asked["reasons"],
        *(slip["reason"] for slip in asked["slips"]),
    ]
    assert all(text and not re.search(r"None|nan|undefined|(?<!\w)-\d|  |\.\.", text) for text in said)
    if asked["kind"] == "choice":
        assert len(set(asked["options"])) == len(set(asked["reasons"])) == len(asked["options"]) == 4
        assert asked["answer"] in range(4)
        assert asked["tolerance"] == 0
        assert asked["unit"] == ""
    else:
        assert asked["options"] == []
        assert asked["unit"]
        assert 0 <= asked["tolerance"] <= 0.05 * asked["answer"]
        assert all(abs(slip["value"] - asked["answer"]) > asked["tolerance"] for slip in asked["slips"])


def test_pool():
    assert len(QUIZ_POOL) >= 16
    assert {topic for topic, _ in QUIZ_POOL.values()} == TOPICS
    assert len(NUMBERS) >= len(QUIZ_POOL) / 3
    for name in QUIZ_POOL:  # the reference deployment can be asked everything, whatever the seed
        assert all(
            quiz_made(name, state(), CATALOG, quiz_dice(seed, place))
            for seed in range(200)
            for place in (2, 9)
        )


def test_every_question_of_the_pool_is_drawn():
    assert {name for seed in range(1, 400) for name in quiz_ids(seed)} == set(QUIZ_POOL)


@pytest.mark.parametrize("row", REAL, ids=[row["model"] for row in REAL])
def test_any_real_model_can_be_asked_about(row):
    scenario = Scenario.with_config(row["config"], parameters=7_000_000_000)
    for name in QUIZ_POOL:
        check_form(quiz_question(name, 3, scenario, scenario.catalog, state()))


def test_what_cannot_be_asked_is_asked_of_another():
    asked = question("head-ratio", model="deepseek-v3")
    assert asked["question"].startswith(
        "(Asked of Llama 3 8B on one 80 GB card, since your deployment does not pose it.) "
    )
    assert question("latent-values")["question"].count("DeepSeek-V3") == 1
    assert "Llama 3.1 70B" in question("users-fit", model="llama-3.1-70b", weights="int4")["question"]


def test_seeds():
    assert quiz_ids(7) == quiz_ids(7) != quiz_ids(8)
    assert question("blocks", seed=1) != question("blocks", seed=2)
    assert 1 <= quiz_next_seed(999_999) <= 999_999
    dice = quiz_dice(5, 0)
    rolls = [quiz_roll(dice, 6) for _ in range(6000)]
    assert all(900 < rolls.count(side) < 1100 for side in range(6))
    assert seed_fault(1) == seed_fault(999_999) == ""
    assert "seed cannot be 0; give a whole number from 1 to 999,999" in seed_fault(0)
    assert seed_fault(True)
    assert "no question 'nothing'" in names_fault(["blocks", "nothing"])
    assert "twice" in names_fault(["blocks", "blocks"])


def test_a_retry_asks_another_question_of_the_kind():
    for seed in range(1, 50):
        asked = quiz_ids(seed)
        for name in asked:
            other = quiz_other(name, asked, seed)
            assert other not in asked
            assert QUIZ_POOL[other][1] == QUIZ_POOL[name][1]


# Blind guessing ------------------------------------------------------------------------------------------------------

STRATEGIES = {
    "longest": lambda options: max(range(4), key=lambda index: len(options[index])),
    "topic word": lambda options: max(
        range(4), key=lambda index: len(re.findall("key|value|cache|KV", options[index]))
    ),
    "first": lambda options: 0,
    "shortest": lambda options: min(range(4), key=lambda index: len(options[index])),
}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"model": "llama-3.1-70b", "weights": "int4", "context": 32768, "users": 3},
        {
            "model": "deepseek-v3",
            "gpu": "h200-141gb",
            "gpus": 8,
            "weights": "fp8",
            "context": 32768,
            "users": 64,
        },
    ],
    ids=lambda changes: changes.get("model", "default"),
)
def test_no_blind_strategy_beats_chance(changes):
    won = dict.fromkeys(STRATEGIES, 0)
    asked = 0
    for seed in range(1, 1001):
        for one in drawn(state(**changes), CATALOG, seed):
            if one["kind"] == "choice":
                asked += 1
                for name, guess in STRATEGIES.items():
                    won[name] += guess(one["options"]) == one["answer"]
    assert {name: won[name] / asked for name in won if won[name] / asked > 0.35} == {}


# What people type ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "unit", "value"),
    [
        ("1.5 GiB", "GiB", 1.5),
        ("1.5", "GiB", 1.5),
        ("1536 MiB", "GiB", 1.5),
        ("1,536 mib", "GiB", 1.5),
        ("1,5 GiB", "GiB", 1.5),
        ("0,5", "GiB", 0.5),
        ("1.610.612.736 bytes", "GiB", 1.5),
        ("1 610 612 736 B", "GiB", 1.5),
        ("about 128 KiB per token", "KiB", 128),
        ("131072 bytes", "KiB", 128),
        ("131,072 bytes a token", "KiB", 128),
        ("0.125 MiB", "KiB", 128),
        ("128k", "KiB", 128),
        ("57", "users", 57),
        ("57 users", "users", 57),
        ("~57 users.", "users", 57),
        ("1 user", "users", 1),
        ("430,908", "tokens", 430908),
        ("431k tokens", "tokens", 431000),
        ("0.43 million", "tokens", 430000),
        ("4", "times", 4),
        ("4x", "times", 4),
        ("4 ×", "times", 4),
        ("4 times smaller", "times", 4),
        ("3.56-fold", "times", 3.56),
        ("52 %", "%", 52),
        ("52", "%", 52),
        ("52 percent", "%", 52),
        ("5.1 ms", "ms", 5.1),
        ("0.0051 s", "ms", 5.1),
        ("= 63 blocks", "blocks", 63),
    ],
)
def test_typed_numbers(typed, unit, value):
    assert typed_read(typed, unit)["value"] == pytest.approx(value)


@pytest.mark.parametrize(
    "typed", ["", "many", "GiB", "1.2.3", "1,23,4", "--1", "<b>1</b>", "1 apple", "9" * 40, "1e9", "NaN"]
)
@pytest.mark.parametrize("unit", ["GiB", "users", "times", "%", "ms"])
def test_what_is_no_number_is_not_read(typed, unit):
    assert typed_read(typed, unit) == {"value": None, "loose": None}


@settings(max_examples=500, deadline=None, database=None)
@given(some.text(max_size=40), some.sampled_from(["GiB", "users", "times", "%", "ms", "tokens"]))
def test_anything_typed_is_a_number_or_none(typed, unit):
    value = typed_read(typed, unit)["value"]
    assert value is None or value >= 0


@settings(max_examples=300, deadline=None, database=None)
@given(some.integers(0, 10**9), some.integers(0, 999))
def test_digits_in_every_manner(whole, thousandths):
    """1,234.567 as the English write it, 1.234,567, 1 234,567 and 1234.567."""
    exact = float(whole + Fraction(thousandths, 1000))
    english = f"{whole:,}.{thousandths:03}"
    for text in (english, english.replace(",", "_"), f"{whole}.{thousandths:03}", english.replace(",", " ")):
        assert typed_read(text, "times")["value"] == pytest.approx(exact, rel=1e-12)
    if whole >= 1000:
        continental = english.translate(str.maketrans(",.", ".,"))
        assert typed_read(continental, "times")["value"] == pytest.approx(exact, rel=1e-12)


# Marks ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(states, seeds, some.sampled_from(NUMBERS))
def test_the_answer_as_it_is_said_is_right(scenario, seed, name):
    asked = quiz_question(name, seed, scenario, CATALOG, state())
    mark = quiz_mark(asked, quiz_answer_text(asked))
    assert mark["read"]
    assert mark["right"]
    assert mark["reason"] == asked["reasons"][0]
    for slip in asked["slips"]:
        wrong = quiz_mark(asked, f"{slip['value']:.6f}")
        assert not wrong["right"]
        assert "It is " + quiz_answer_text(asked) in wrong["reason"]


@pytest.mark.parametrize(
    ("number", "unit", "said"),
    [
        (1, "heads", "1 head"),
        (2, "heads", "2 heads"),
        (0.5, "GiB", "0.5 GiB"),
        (1, "ms", "1 ms"),
        (52, "%", "52%"),
    ],
)
def test_a_number_is_said_with_its_unit(number, unit, said):
    assert quiz_with_unit(number, unit) == said


def test_marks():
    asked = question("users-fit")
    assert quiz_mark(asked, "57 users") == {"read": True, "right": True, "reason": asked["reasons"][0]}
    assert quiz_mark(asked, "72")["reason"].startswith("That leaves the weights out")
    assert quiz_mark(asked, "lots") == {
        "read": False,
        "right": False,
        "reason": "That is not a number that can be read here; type one such as 12.5 users.",
    }
    gib = question("user-cache", seed=3)
    assert quiz_mark(gib, f"{gib['answer']} GB")["reason"].startswith("Taken as GiB")
    listed = question("gib-of-gb")
    assert not quiz_mark(listed, f"{listed['answer']} GB")["right"]
    share = question("cache-share")
    assert quiz_mark(share, "0.35")["right"]
    choice = question("batch")
    assert quiz_mark(choice, str(choice["answer"]))["right"]


def test_template_context():
    context = quiz_context(state(), CATALOG)
    assert len(context["questions"]) == 6
    assert all(asked["said"] for asked in context["questions"])
    assert context["deployment"].startswith("Llama 3 8B on one 80 GB card")
