"""The wall: its check values, its verdicts, and the curve as an array."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acts import Scenario, Wall
from acts.catalog import CACHE_TYPES, GPUS, MODELS
from acts.wall.picture import CURVE_CONTEXTS

GIB = 2**30


def wall(**scenario) -> Wall:
    return Wall(Scenario(**scenario))


def test_one_80_gib_card():
    """57 users at 8K and 3 at 128K with a 16-bit cache; 114 and 7 with FP8."""
    assert wall().max_users == 57
    assert wall(context=131072).max_users == 3
    assert wall(cache="fp8").max_users == 114
    assert wall(cache="fp8", context=131072).max_users == 7
    assert wall().free_memory == pytest.approx(57.0 * GIB, rel=1e-3)
    assert wall().cache_per_user == GIB
    assert wall(users=12).cache_demanded == 12 * GIB


def test_a_reserve_lowers_the_wall_and_the_typical_one_is_always_beside_it():
    assert wall().max_users_typical == 52
    assert wall(gpu="h100-80gb", reserve=4.9).max_users == 51
    assert wall(gpu="h100-80gb", reserve=8).max_users_typical == wall(gpu="h100-80gb", reserve=8).max_users


@pytest.mark.parametrize(
    ("scenario", "verdict"),
    [
        ({}, "fits"),
        ({"users": 57}, "fits"),
        ({"users": 58}, "does not fit"),
        ({"model": "llama-3-70b"}, "weights do not fit"),
        ({"context": 1048576}, "not even one user fits"),
    ],
)
def test_verdicts(scenario, verdict):
    assert wall(**scenario).verdict == verdict


def test_weights_that_do_not_fit_are_never_a_negative_number_and_say_what_would_fit():
    act = wall(model="llama-3-70b")
    sentence = act.frame()["sentence"]
    assert act.max_users == 0
    assert act.free_memory == 0
    assert "2 cards" in sentence
    assert "FP8 weights" in sentence
    assert wall(model="llama-3-70b", gpus=2).max_users > 0
    assert wall(model="llama-3-70b", weights="fp8").max_users > 0


def test_what_would_fit_is_not_promised_where_nothing_does():
    sentence = wall(model="llama-3.1-405b", gpu="rtx-3090-24gb", gpus=16, reserve=30).frame()["sentence"]
    assert "Nothing in the catalog fits" in sentence


@given(
    model=st.sampled_from(list(MODELS)),
    gpu=st.sampled_from(list(GPUS)),
    cache=st.sampled_from(list(CACHE_TYPES)),
    gpus=st.integers(1, 16),
    weights=st.sampled_from(["bf16", "int4"]),
)
def test_the_array_curve_is_the_drawn_one(model, gpu, cache, gpus, weights):
    act = wall(model=model, gpu=gpu, cache=cache, gpus=gpus, weights=weights)
    counts = act.users_by_context(CURVE_CONTEXTS)
    assert counts.dtype == np.int64
    drawn = act.frame()["sources"]["curve"]["y"]
    assert [max(0.5, count) for count in counts.tolist()] == drawn


@given(users=st.integers(1, 1024), context=st.integers(256, 1048576), gpus=st.integers(1, 16))
def test_spans_of_the_bar_are_in_order_and_never_negative(users, context, gpus):
    sources = wall(users=users, context=context, gpus=gpus, model="llama-3-70b").frame()["sources"]
    for name in ("parts", "slices"):
        for left, right in zip(sources[name]["left"], sources[name]["right"], strict=True):
            assert 0 <= left <= right


PACE = {
    "dense, below the wall": (
        {"users": 8},
        {
            "users": "8", "experts": "none: every step reads every layer whole", "read": "22.0 GiB", "share": "36%",
            "time": "7.04 ms", "rate": "141 per user, 1,135 in all", "longest": "58,411 tokens",
            "crossover": "122,532 tokens", "weights": "8", "attention": "4.0", "ridge": "295",
        },
    ),
    "dense, above the wall": (
        {"users": 64},
        {
            "users": "57", "read": "71.0 GiB", "share": "80%", "time": "22.8 ms", "rate": "43 per user, 2,505 in all",
            "longest": "8,198 tokens", "weights": "57",
        },
    ),
    "mixture, below the wall": (
        {"model": "mixtral-8x7b", "gpu": "h100-80gb", "gpus": 2, "users": 4},
        {
            "users": "4", "experts": "5.47 of 8 on average, if tokens choose evenly", "read": "64.2 GiB",
            "share": "6%", "time": "10.3 ms", "weights": "1.58", "attention": "4.0",
        },
    ),
    "latent and mixture, above the wall": (
        {
            "model": "deepseek-v3", "gpu": "h200-141gb", "gpus": 8, "weights": "fp8", "context": 32768, "users": 64,
        },
        {
            "users": "22", "experts": "128.7 of 256 on average, if tokens choose evenly", "read": "698.6 GiB",
            "share": "54%", "time": "19.5 ms", "rate": "51 per user, 1,126 in all", "weights": "4.67",
            "attention": "241.8", "ridge": "206",
        },
    ),
    "no user fits": ({"model": "llama-3-70b"}, {"users": "no user fits", "ridge": "no user fits"}),
}  # fmt: skip


@pytest.mark.parametrize(("scenario", "texts"), PACE.values(), ids=PACE)
def test_the_speed_table(scenario, texts):
    shown = wall(**scenario).frame()["texts"]
    assert {name: shown[f"pace-{name}"] for name in texts} == texts


@pytest.mark.parametrize(
    ("users", "roles"),
    [
        (40, {"cache": 40, "slot": 17}),
        (57, {"cache": 57}),
        (64, {"cache": 57, "overflow": 7}),
    ],
)
def test_a_slice_for_each_user_and_each_free_slot(users, roles):
    drawn = wall(users=users).frame()["sources"]["slices"]["role"]
    assert {role: drawn.count(role) for role in set(drawn)} == roles


def test_a_bar_that_is_cut_says_how_much_is_missing():
    frame = Wall(Scenario(users=1024)).frame()
    assert frame["sources"]["cut"]["text"] == ["909.7 GiB more"]
    assert frame["figures"]["memory"].endswith("The bar is cut off: 909.7 GiB more.")
    assert Wall(Scenario(users=57)).frame()["sources"]["cut"]["text"] == []


def test_a_single_small_slice_is_wide_enough_to_be_seen():
    frame = Wall(Scenario(users=1, context=512)).frame()
    slices, end = frame["sources"]["slices"], frame["ranges"]["memory-x"]["end"]
    assert slices["role"][-1] == "cache"
    assert slices["right"][-1] - slices["left"][-1] >= end / 300


def test_one_user_needs_and_two_need():
    assert (
        Wall(Scenario(users=1, context=512))
        .frame()["sentence"]
        .startswith("1 user at 512 tokens needs 64 MiB")
    )
    assert Wall(Scenario(users=2)).frame()["sentence"].startswith("2 users at 8,192 tokens need 2 GiB")


@pytest.mark.parametrize(
    ("replicas", "users", "said"),
    [
        (2, 7, "but no replica has room for another whole user: the wall stands at 6 users."),
        (1, 4, "too much: "),
    ],
)
def test_room_for_parts_of_users_on_replicas_is_not_a_negative_lack(replicas, users, said):
    wall = Wall(Scenario(context=131072, data_parallel=replicas, users=users))
    assert wall.max_users == 3 * replicas
    assert said in wall.frame()["sentence"]
    assert "-" not in wall.frame()["sentence"]


def test_a_type_that_no_engine_keeps_on_the_card_promises_nobody():
    wall = Wall(Scenario(model="gpt-oss-20b", gpu="rtx-3090-24gb", weights="mxfp4", cache="nvfp4"))
    frame = wall.frame()
    assert "It would fit, and the wall would stand at 156 users." in frame["sentence"]
    assert frame["sentence"].endswith("No engine keeps an NVFP4 cache on Ampere cards.")
    assert frame["readouts"]["verdict"]["text"] == "no engine keeps the type"
