"""Predict, then see: each act's question, its answer, and what is said to a guess."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from acts import ACTS, Growth, Heads, Quantize, Scenario, Wall
from acts.predict import predict_question, predict_said, predict_verdict
from acts.scenario import Catalog
from acts.scripts import module_text

CATALOG = Catalog()


def asked(act, **changes):
    own = {name: changes.pop(name) for name in list(changes) if name in act.own_parameters()}
    shown = act(Scenario(**changes), **own)
    return predict_question(act.id, SimpleNamespace(**shown.state()), CATALOG), shown


@pytest.mark.parametrize("act", ACTS)
def test_every_act_asks_its_own_question(act):
    question, _ = asked(act)
    assert question["act"] == act.id, f"acts/predict.py has no question for {act.id}"
    assert re.search(rf"^  {act.id}: \[", module_text("predict.js"), re.MULTILINE), (
        f"VEILED of static/predict.js does not say what would give the answer of {act.id} away"
    )


def test_answers_are_what_the_acts_show():
    question, _ = asked(Growth, prompt=6, generated=10)
    assert question["answer"] == sum(6 + written for written in range(10)) == 105
    question, heads = asked(Heads)
    assert question["options"] == ["not at all", "2×", "4×", "16×"]
    assert question["values"][question["answer"]] == heads.cache_reduction == 4
    question, wall = asked(Wall, context=16384)
    assert question["answer"] == wall.max_users
    question, _ = asked(Quantize, model="llama-3-8b")
    assert question["answer"] == Quantize(Scenario(cache="fp8")).max_users_quantized == 114
    question, chosen = asked(Quantize, model="llama-3.1-70b", weights="int4", context=32768, cache="q4_0")
    assert question["answer"] == chosen.max_users_quantized == 13
    assert "How many with q4_0?" in question["question"]


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("llama-3-70b", ["not at all", "2×", "8×", "64×"]),
        ("llama-2-7b", ["not at all", "2×", "4×", "16×"]),
        ("deepseek-v3", ["not at all", "2×", "71.1×", "256×"]),
    ],
)
def test_heads_of_every_kind(model, options):
    question, _ = asked(Heads, model=model)
    assert question["options"] == options
    assert question["answer"] == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("57", "Right: 57 users, as 57.0 GiB are left beside the weights, and each user holds 1 GiB."),
        ("58 users", "Near enough: it is 57 users, as "),
        ("20", "You said 20; it is 57 users, and you were 2.85 times too low, as "),
        ("570", "You said 570; it is 57 users, and you were 10 times too high, as "),
        ("0", "You said 0; it is 57 users, as "),
    ],
)
def test_how_far_off(given, said):
    question, _ = asked(Wall)
    verdict = predict_verdict(question, given)
    assert verdict["text"].startswith(said)
    assert verdict["right"] == (given in ("57", "58 users"))
    assert verdict["off"] == pytest.approx(float(given.split()[0]) / 57)


def test_what_is_no_guess():
    question, _ = asked(Wall)
    assert predict_verdict(question, "a lot") == {
        "read": False,
        "text": "That is not a number; type one such as 12.",
        "right": False,
        "guess": None,
        "off": None,
    }


def test_a_choice():
    question, _ = asked(Heads)
    assert predict_verdict(question, "2")["text"].startswith("Right, 4× smaller, as one key and one value")
    wrong = predict_verdict(question, "3")
    assert wrong["text"].startswith("You said 16×; it is 4× smaller, as ")
    assert wrong["off"] == 4


def test_weights_that_leave_nothing():
    question, _ = asked(Wall, model="llama-3-70b")
    assert predict_verdict(question, "0")["right"]
    assert "the weights alone take 131.4 GiB of the 72 GiB that are usable" in predict_said(question)


def test_the_same_question_is_asked_once():
    """A key stands for the deployment, not for the sliders of the act itself."""
    assert asked(Wall)[0]["key"] == asked(Wall, context=512, users=3, cache="fp8")[0]["key"]
    assert asked(Wall)[0]["key"] != asked(Wall, model="llama-3-70b")[0]["key"]
    assert len({asked(act)[0]["key"] for act in ACTS}) == len(ACTS)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    some.sampled_from(ACTS),
    some.sampled_from(list(CATALOG.models)),
    some.sampled_from(list(CATALOG.gpus)),
    some.integers(1, 16),
    some.sampled_from(list(CATALOG.caches)),
    some.integers(256, 1_048_576),
)
def test_every_deployment_is_asked_about(act, model, gpu, gpus, cache, context):
    question, _ = asked(act, model=model, gpu=gpu, gpus=gpus, cache=cache, context=context)
    right = str(question["answer"])
    for text in (question["question"], predict_said(question), predict_verdict(question, right)["text"]):
        assert not re.search(r"None|nan|undefined|(?<!\w)-\d|  ", text)
        assert text[-1] in ".?"
    assert predict_verdict(question, right)["right"]
    if question["kind"] == "choice":
        assert len(set(question["options"])) == len(question["options"]) == 4
        assert sum(predict_verdict(question, str(one))["right"] for one in range(4)) == 1


def test_acts_open_one_step_before_their_answer():
    opening = Growth()
    assert opening.step == 1
    assert opening.recompute_avoided == 1
    assert opening.frame()["texts"]["phase"] == "prefill"
    assert not opening.predict
