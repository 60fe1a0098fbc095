"""The quiz: in every scenario the right answer is right, and no other says the same."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from acts import Scenario, sizing
from acts.scenario import Catalog
from acts.text import text_bytes, text_gib, text_whole
from app.quiz import OPTIONS, quiz_context
from app.quiz.frame import QUIZ_REFERENCE, QUIZ_RIGHT, quiz_frame

CATALOG = Catalog()
REAL = json.loads((Path(__file__).parents[1] / "truth" / "models.json").read_text(encoding="utf-8"))
DEFAULT = {
    "model": "llama-3-8b",
    "gpu": "80gb",
    "gpus": 1,
    "weights": "bf16",
    "cache": "bf16",
    "context": 8192,
}

states = some.builds(
    SimpleNamespace,
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


def state(**changes):
    return SimpleNamespace(**(DEFAULT | {"users": 8, "reserve": 0.0} | changes))


def texts(given_state, catalog=CATALOG):
    return quiz_frame(given_state, catalog)["texts"]


def plain_heads(model: str) -> bool:
    groups = CATALOG.models[model].shape.groups
    return all(group.kind == "attention" and group.record_bytes is None for group in groups)


def with_heads(shape, heads):
    return replace(shape, groups=tuple(replace(group, num_kv_heads=heads) for group in shape.groups))


@settings(max_examples=2000, deadline=None, derandomize=True, database=None)
@given(states)
def test_right_answer_is_right_and_alone(scenario):
    told = texts(scenario)
    for question in QUIZ_RIGHT:
        options = [told[f"{question}-{option}"] for option in OPTIONS]
        reasons = [told[f"{question}-{option}-why"] for option in OPTIONS]
        assert len(set(options)) == len(set(reasons)) == 4
    assert all(
        text and not re.search(r"None|nan|undefined|(?<!\w)-\d|  |\.\.", text) for text in told.values()
    )
    check_heads(scenario, told)
    check_wall(scenario, told)
    check_fp8(scenario, told)


def check_heads(scenario, told):
    """The right option gives the bytes of a token with shared heads and without."""
    model = scenario.model if plain_heads(scenario.model) else QUIZ_REFERENCE
    shape, cache = CATALOG.models[model].shape, CATALOG.caches[scenario.cache]
    numbers = re.fullmatch(r"The keys and values held: (.*) a token instead of (.*)", told["heads-d"])
    heads, own = shape.num_attention_heads, shape.groups[0].num_kv_heads
    without = sizing.bytes_per_token(with_heads(shape, heads), cache, cache)
    assert numbers[2] == text_bytes(without)
    shared = [kept for kept in range(1, heads) if heads % kept == 0 and own in (heads, kept)]
    by_kept = {
        text_bytes(sizing.bytes_per_token(with_heads(shape, kept), cache, cache)): kept for kept in shared
    }
    times = heads // by_kept[numbers[1]]
    assert f"{times}× smaller" in told["heads-stem"]
    assert times > 1
    assert CATALOG.models[model].name in told["heads-stem"]
    assert model == scenario.model or "about" in told["heads-stem"]
    weights = sizing.weights_bytes(shape.parameters, CATALOG.weights[scenario.weights].bits)
    assert told["heads-a"].endswith(f"instead of {text_bytes(weights)}")
    assert told["heads-c"].endswith(f"instead of {heads}")


def check_wall(scenario, told):
    """The division in the reason is the number of users: that many fit and one more does not."""
    shape, cache = CATALOG.models[scenario.model].shape, CATALOG.caches[scenario.cache]
    usable = max(0, CATALOG.gpus[scenario.gpu].memory * 90 // 100 - int(scenario.reserve * 2**30))
    weights = shape.parameters * CATALOG.weights[scenario.weights].bits / 8
    free = usable - weights / scenario.gpus
    one = sizing.bytes_per_sequence_gpu(shape, scenario.context, cache, cache, scenario.gpus)
    assert text_bytes(one * scenario.gpus) in told["wall-a"]
    reason = told["wall-a-why"]
    if free < 1:
        assert "nothing left" in told["wall-a"]
        assert "not one user fits" in reason
    elif free < one:
        assert "not even one fits" in reason
    else:
        users = int(re.search(r"ideally ([\d,]+) users?\.", reason)[1].replace(",", ""))
        assert users * one <= free + 1
        assert (users + 1) * one > free
        typical = re.search(r"activations, (none|[\d,]+)\.", reason)[1]
        assert typical == "none" or int(typical.replace(",", "")) <= users


def check_fp8(scenario, told):
    """The right option gives the sizes at 16 bits and at 8; no other gives that at 8."""
    own_name = CATALOG.models[scenario.model].name
    named = scenario.model if f"The cache of {own_name} goes" in told["fp8-stem"] else QUIZ_REFERENCE
    assert f"The cache of {CATALOG.models[named].name} goes" in told["fp8-stem"]
    shape = CATALOG.models[named].shape
    sizes = [
        scenario.gpus * sizing.bytes_per_sequence_gpu(shape, scenario.context, kind, kind, scenario.gpus)
        for kind in (CATALOG.caches["bf16"], CATALOG.caches["fp8"])
    ]
    assert told["fp8-c"] == f"A cache of {text_bytes(sizes[1])} a user instead of {text_bytes(sizes[0])}"
    assert sizes[1] < sizes[0]
    assert not told["fp8-d"].startswith(f"A cache of {text_bytes(sizes[1])} a user")
    assert told["fp8-b"].endswith(f"stays at {text_bytes(sizes[0])} a user")


def test_default_numbers():
    told = texts(state())
    assert told["heads-d"] == "The keys and values held: 128 KiB a token instead of 512 KiB"
    assert told["wall-a-why"].startswith("57.0 GiB divided by 1 GiB: ideally 57 users.")
    assert "114 users fit instead of 57" in told["fp8-c-why"]
    assert "8,193 tokens" in told["why-b-why"]


@pytest.mark.parametrize(
    ("changes", "key", "says"),
    [
        (
            {"model": "llama-2-7b"},
            "heads-stem",
            "keeps a KV head for each of its 32 query heads. If 4 of them",
        ),
        (
            {"model": "falcon-7b"},
            "heads-stem",
            "71 query heads in a layer and 1 KV head. What is 71× smaller",
        ),
        (
            {"model": "deepseek-v3"},
            "heads-stem",
            "This one is about Llama 3 8B, since DeepSeek-V3 has no heads",
        ),
        (
            {"model": "llama-3-70b"},
            "wall-a",
            "Memory: nothing left beside the weights, 2.5 GiB of cache a user",
        ),
        ({"model": "llama-3-70b"}, "fp8-c-why", "cannot make room where the weights alone leave none"),
        ({"model": "qwen3.5-27b", "context": 256}, "fp8-c-why", "keeps its type"),
        ({"model": "mistral-7b-v0.1"}, "why-c-why", "up to 4,096 in a layer. If that number stops growing"),
        ({"context": 1_048_576}, "wall-a-why", "not even one fits"),
        ({"gpus": 8, "gpu": "h200-141gb"}, "wall-stem", "8 × NVIDIA H200"),
    ],
)
def test_wording_follows_the_scenario(changes, key, says):
    assert says in texts(state(**changes))[key]


def test_a_model_without_attention_is_asked_about_another():
    base = CATALOG.models["llama-3-8b"]
    shape = replace(base.shape, groups=(), state_bytes=10_000_000)
    catalog = replace(
        CATALOG, models=CATALOG.models | {"none": replace(base, id="none", name="Stateful", shape=shape)}
    )
    told = texts(state(model="none"), catalog)
    assert told["why-stem"].startswith("Llama 3 8B has read")
    assert told["heads-stem"].startswith("This one is about Llama 3 8B, since Stateful")
    assert told["fp8-stem"].startswith("This one is about Llama 3 8B")


@pytest.mark.parametrize("row", REAL, ids=[row["model"] for row in REAL])
def test_any_real_model_can_be_asked_about(row):
    """A learner's own model, of whatever architecture, gets four questions with four different answers."""
    scenario = Scenario.with_config(row["config"], parameters=7_000_000_000)
    told = texts(scenario, scenario.catalog)
    for question in QUIZ_RIGHT:
        assert len({told[f"{question}-{option}"] for option in OPTIONS}) == 4
    held, full = re.fullmatch(
        r"The keys and values held: (.*) a token instead of (.*)", told["heads-d"]
    ).groups()
    assert held != full
    narrow, wide = re.fullmatch(r"A cache of (.*) a user instead of (.*)", told["fp8-c"]).groups()
    assert narrow != wide


def test_template_context():
    context = quiz_context(state(), CATALOG)
    assert set(context["right"].values()) == set(OPTIONS)
    assert text_gib(57 * 2**30)[:2] == text_whole(57)
    wanted = {f"{q}-{part}" for q in QUIZ_RIGHT for o in OPTIONS for part in ("stem", o, f"{o}-why")} | {
        "deployment"
    }
    assert set(context["texts"]) == wanted
