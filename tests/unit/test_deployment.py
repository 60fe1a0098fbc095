"""The settings of a deployment: how cards share the work, what an engine may use, cards and weights of one's own."""

from __future__ import annotations

from dataclasses import asdict
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acts import Scenario, Wall
from acts.bounds import DEFAULTS
from acts.catalog import CACHE_TYPES, MODELS, Catalog
from acts.deployed import deployed_line
from acts.deployment import deploy, deploy_note, deploy_step
from acts.own_model import own_read, own_text
from acts.sizing import (
    GIB,
    LayerGroup,
    Shape,
    batch_bytes,
    bytes_per_sequence_gpu,
    stage_layers,
    stage_weights,
)

CATALOG = Catalog()
BF16 = CACHE_TYPES["bf16"]


def state(**changes) -> SimpleNamespace:
    return SimpleNamespace(**DEFAULTS | changes)


def sized(**changes):
    return deploy(state(**changes), CATALOG)


def note(**changes) -> str:
    return deploy_note(state(**changes), CATALOG)


def test_the_share_of_the_card_moves_the_wall():
    assert Wall(Scenario()).max_users == 57
    assert Wall(Scenario(utilisation=92)).max_users == 58
    assert sized(utilisation=92)["wall"] == 80 * GIB * 92 // 100
    assert sized(utilisation=93.5)["usable"] == int(80 * GIB * 93.5 / 100)


def test_stages_hold_layers_and_the_largest_decides():
    assert [stage_layers(80, stages) for stages in (1, 2, 3, 16)] == [80, 40, 27, 5]
    assert stage_weights(8_000, 80, 3) == 2_700
    two = sized(model="llama-3-70b", pipeline=2)
    assert two["sequence"] * 2 == sized(model="llama-3-70b")["sequence"]
    assert two["cards"] == 2
    assert two["weights"] == pytest.approx(sized(model="llama-3-70b", gpus=2)["weights"])
    assert two["max_users"] == sized(model="llama-3-70b", gpus=2)["max_users"]
    # Three stages of 27, 27 and 26 layers: the fullest card decides.
    three = sized(model="llama-3-70b", pipeline=3)
    assert three["sequence"] == 27 * 8 * 128 * 2 * 2 * 8192
    assert three["max_users"] == three["free"] // three["sequence"]


def test_kinds_of_layers_are_shared_out_alike():
    shape = MODELS["gemma-3-27b"].shape
    held = 2 * 16 * 128 * 2
    each = bytes_per_sequence_gpu(shape, 8192, BF16, BF16, 1, 1, 4)
    assert each == 3 * held * 8192 + 13 * held * 1024
    hybrid = MODELS["qwen3.5-27b"].shape
    assert bytes_per_sequence_gpu(hybrid, 0, BF16, BF16, 1, 1, 4) == hybrid.state_bytes // 4


def test_a_latent_is_not_stored_again_under_decode_context_parallelism():
    deployment = {"model": "deepseek-v3", "gpu": "h200-141gb", "gpus": 8, "weights": "fp8", "context": 32768}
    again, shared = sized(**deployment), sized(**deployment, context_parallel=8)
    assert again["max_users"] == 22
    assert shared["sequence"] * 8 == again["sequence"]
    assert shared["user"] == 70_272 * 32768
    assert shared["max_users"] == 179


def test_kv_heads_are_not_stored_again_either():
    shape = LayerGroup(1, 4, 128, 128)
    model = Shape((shape,), 64, 1, 1, 1)
    token = 4 * 256 * 2
    assert bytes_per_sequence_gpu(model, 1000, BF16, BF16, 8) * 8 == 2 * token * 1000
    assert bytes_per_sequence_gpu(model, 1000, BF16, BF16, 8, 1, 1, 2) * 8 == token * 1000


def test_replicas_have_users_of_their_own():
    one, three = sized(), sized(data_parallel=3)
    assert three["max_users"] == 3 * one["max_users"] == 171
    assert (three["cards"], three["card"], three["weights"]) == (3, 3 * one["card"], 3 * one["weights"])
    assert three["user"] == one["user"]
    assert Wall(Scenario(data_parallel=3, users=171)).verdict == "fits"
    assert Wall(Scenario(data_parallel=3, users=172)).verdict == "does not fit"


def test_keys_and_values_apart():
    mixed = sized(cache="q8_0", cache_v="q4_0")
    assert mixed["sequence"] == 32 * 8 * (136 + 72) * 8192
    assert sized(cache="q8_0", cache_v="q8_0") == sized(cache="q8_0")
    assert Scenario(cache="q8_0", cache_v="F16").cache_v == "bf16"


def test_a_card_of_ones_own():
    own = {"gpu": "custom", "card_gib": 23.57, "card_bandwidth": 936, "card_flops": 71}
    act = Wall(Scenario(**own, cache="fp8"))
    assert sized(**own)["card"] == int(23.57 * GIB)
    assert "one 23.57 GiB card" in deployed_line(state(**own), CATALOG)
    assert act.frame()["texts"]["pace-ridge"] == "75"
    assert sized(card_gib=1) == sized()


def test_weights_as_a_listing_says_them():
    assert sized(weights_gib=4.58)["weights"] == int(4.58 * GIB)
    assert sized(weights_gib=4.58, gpus=2)["weights"] == pytest.approx(int(4.58 * GIB))
    assert "4.58 GiB of weights" in deployed_line(state(weights_gib=4.58), CATALOG)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"gpus": 8}, ""),
        ({"gpus": 3}, "32 query heads cannot be shared out evenly over 3 GPUs"),
        ({"model": "phi-4", "gpus": 4}, "10 KV heads cannot be shared out evenly over 4 GPUs"),
        ({"gpus": 16}, ""),
        ({"gpus": 16, "context_parallel": 2}, ""),
        ({"gpus": 8, "context_parallel": 2}, "more than the 1 GPU"),
        ({"gpus": 4, "context_parallel": 3}, "do not divide 4 GPUs"),
        ({"model": "deepseek-v3", "gpus": 8, "context_parallel": 8}, ""),
        ({"model": "gpt-oss-20b", "gpus": 16, "context_parallel": 2}, "does not split layers with a window"),
        ({"pipeline": 16}, ""),
        ({"model": "mixtral-8x7b", "data_parallel": 2}, "spread them over the replicas"),
    ],
)
def test_what_engines_refuse_is_said(changes, words):
    assert words in note(**changes)
    assert (note(**changes) == "") == (words == "")
    assert note(**changes).strip() in Wall(Scenario(**changes)).frame()["sentence"]


def test_more_stages_than_layers_are_refused():
    catalog = Catalog()
    catalog.models["llama-3-8b"] = SimpleNamespace(shape=Shape((LayerGroup(4, 8, 128, 128),), 32, 4, 1, 1))
    assert "5 stages need a layer each, and the model has 4 layers" in deploy_note(state(pipeline=5), catalog)


def step(users, **changes):
    now = state(**changes)
    return deploy_step(now, CATALOG, deploy(now, CATALOG), users)


def test_a_dense_step_reads_all_but_the_input_embedding():
    one = step(1, gpu="h100-80gb")
    assert one["weights"] == (8_030_261_248 - 128256 * 4096) * 2
    assert (
        one["seconds"] == pytest.approx((one["weights"] + GIB) / 3.35e12) == pytest.approx(4.80e-3, abs=5e-6)
    )


def test_a_mixture_reads_the_experts_its_tokens_choose():
    one = step(1, model="mixtral-8x7b", gpus=2)
    assert one["weights"] == pytest.approx((12_879_925_248 - 32000 * 4096) * 2)
    many = step(1024, model="mixtral-8x7b", gpus=2)
    assert many["weights"] == pytest.approx((46_702_792_704 - 32000 * 4096) * 2)


@pytest.mark.parametrize("model", [id for id, row in MODELS.items() if row.shape.experts > 0])
def test_the_parts_of_a_mixture_make_its_active_parameters(model):
    shape = MODELS[model].shape
    idle = shape.expert_parameters // shape.experts * (shape.experts - shape.experts_per_token)
    # gpt-oss and DeepSeek leave the input embedding out of their active parameters, the others do not.
    assert shape.parameters - idle - shape.active_parameters in (0, shape.unread_parameters)


def test_stages_and_replicas_keep_a_step_s_time_a_lower_bound():
    alone = step(8, model="llama-3-70b", gpus=2)
    staged = step(8, model="llama-3-70b", gpus=2, pipeline=2)
    assert staged["weights"] == alone["weights"]
    assert alone["weights"] / 6.7e12 < staged["seconds"] < alone["seconds"]
    replicas = step(8, model="llama-3-70b", gpus=2, data_parallel=2)
    assert replicas["users"] == 4
    assert replicas["weights"] == 2 * alone["weights"]


def test_counts_beyond_what_both_languages_hold_are_cut_off_and_say_so():
    shape = Shape((LayerGroup(96, 96, 128, 128),), 96, 96, 1, 1)
    kind = CACHE_TYPES["fp32"]
    assert batch_bytes(shape, 1048576, 1024, kind, kind) == 2**53
    catalog = Catalog()
    catalog.models["llama-3-8b"] = SimpleNamespace(name="Large", shape=shape, max_context=0)
    frame = Wall.draw_frame(state(cache="fp32", context=1048576, users=1024, prompt=1), catalog)
    assert frame["readouts"]["cache-demanded"]["text"] == "over 8,388,608 GiB"


@given(
    model=st.sampled_from(list(MODELS)),
    gpus=st.integers(1, 16),
    pipeline=st.integers(1, 16),
    context_parallel=st.integers(1, 16),
    tokens=st.integers(1, 1048576),
)
def test_no_split_loses_bytes(model, gpus, pipeline, context_parallel, tokens):
    """All cards together hold at least one whole copy, and no card more than without the split."""
    shape = MODELS[model].shape
    whole = bytes_per_sequence_gpu(shape, tokens, BF16, BF16, 1)
    each = bytes_per_sequence_gpu(shape, tokens, BF16, BF16, gpus, 1, pipeline, context_parallel)
    assert each * gpus * pipeline >= whole
    assert each <= whole


def test_a_stride_longer_than_the_shortest_context_is_refused():
    """Such a shape would keep nothing at 256 tokens, and let any number of users in."""
    error = own_read("1.8.80.2.2.0.131072_32.8.1.1.s1296*Zero")["error"]
    assert error == "stride cannot be 1296; give a whole number from 1 to 256."
    assert own_read("1.8.80.2.2.0.131072_32.8.1.1.s256*Some")["error"] == ""


def test_a_model_of_one_s_own_keeps_its_experts_and_its_latent_in_a_link():
    shape = asdict(MODELS["deepseek-v3"].shape)
    text = own_text("Mine", shape, 163840)
    assert own_text("Mine", own_read(text)["model"]["shape"], 163840) == text
    scenario = Scenario(
        shape=text, model="custom", gpu="h200-141gb", gpus=8, weights="fp8", users=22, context=32768
    )
    texts = Wall(scenario).frame()["texts"]
    assert texts["pace-experts"].startswith("128.7 of 256")
    assert texts["pace-attention"] == "241.8"


H100 = {"gpu": "h100-80gb", "context": 8192}
H200S = {"model": "deepseek-v3", "gpu": "h200-141gb", "gpus": 8, "weights": "fp8", "context": 32768}
SERVED = {
    "users": "22", "experts": "128.7 of 256 on average, if tokens choose evenly", "read": "698.6 GiB", "share": "54%",
    "time": "19.5 ms", "rate": "51 per user, 1,126 in all", "longest": "33,506 tokens", "crossover": "9,548,987 tokens",
    "weights": "4.67", "attention": "241.8", "ridge": "206",
}  # fmt: skip


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        # Worked out by hand: bytes that a step reads are parameters less the input embedding's, times two, and
        # 1 GiB a user; over 3.35 TB/s.
        (H100 | {"model": "llama-3-8b", "users": 8},
         {"users": "8", "experts": "none: every step reads every layer whole", "read": "22.0 GiB", "share": "36%",
          "time": "7.04 ms", "rate": "141 per user, 1,135 in all", "longest": "58,086 tokens",
          "crossover": "122,532 tokens", "weights": "8", "attention": "4.0", "ridge": "295"}),
        # Beyond the wall, the 56 that fit are counted.
        (H100 | {"model": "llama-3-8b", "users": 60},
         {"users": "56", "read": "70.0 GiB", "share": "80%", "time": "22.4 ms", "rate": "44 per user, 2,496 in all",
          "longest": "8,298 tokens", "weights": "56"}),
        # 16 tokens that choose 2 of 8 experts evenly leave (3/4)^16 of them idle.
        (H100 | {"model": "mixtral-8x7b", "gpus": 2, "users": 16},
         {"experts": "7.92 of 8 on average, if tokens choose evenly", "read": "101.9 GiB", "share": "16%",
          "time": "16.3 ms", "rate": "61 per user, 979 in all", "weights": "4.42", "attention": "4.0"}),
        (H200S | {"users": 22}, SERVED),
        (H200S | {"users": 1000}, SERVED),
    ],
)  # fmt: skip
def test_the_speed_table_s_values(values, texts):
    drawn = Wall(Scenario(**values)).frame()["texts"]
    assert {name: drawn[f"pace-{name}"] for name in texts} == texts
