"""Act four: check values, every cache type, every outcome, the rounding demo, refusals."""

import math
from types import SimpleNamespace

import pytest

from acts import Quantize, Scenario
from acts.catalog import CACHE_TYPES
from acts.quantize.rounding import (
    QUANTIZE_SAMPLE,
    quantize_float,
    quantize_root,
    quantize_round,
    quantize_round_block,
)
from acts.quantize.value import QUANTIZE_BASE, quantize_second, quantize_shrink, quantize_sizes
from acts.quantize.words import quantize_date, quantize_source_label, quantize_verdict
from acts.sizing import GIB, LayerGroup, Shape

SEVENTY = {"model": "llama-3-70b", "weights": "int4", "context": 32768}


def quantize(**values):
    return Quantize(Scenario(**values))


@pytest.mark.parametrize(
    ("cache", "each", "shrink", "users"),
    [
        ("fp32", 4, 0.5, 1),
        ("bf16", 2, 1, 3),
        ("fp8", 1, 2, 7),
        ("int8", 132 / 128, 256 / 132, 7),
        ("q8_0", 34 / 32, 64 / 34, 7),
        ("q5_1", 24 / 32, 64 / 24, 10),
        ("q5_0", 22 / 32, 64 / 22, 11),
        ("int4", 68 / 128, 256 / 68, 14),
        ("q4_1", 20 / 32, 64 / 20, 12),
        ("q4_0", 18 / 32, 64 / 18, 13),
        ("nvfp4", 9 / 16, 32 / 9, 13),
        ("mxfp4", 17 / 32, 64 / 17, 14),
    ],
)
def test_every_cache_type_on_70b_at_4_bits(cache, each, shrink, users):
    act = quantize(**SEVENTY, cache=cache)
    assert act.bytes_per_value == each
    assert act.cache_shrink == pytest.approx(shrink, rel=1e-15)
    assert (act.max_users_baseline, act.max_users_quantized) == (3, users)
    assert act.cache_per_user_quantized == 10 * GIB / shrink
    assert act.frame()["sentence"].endswith(".")


def test_used_alone_it_shows_70b_at_4_bits_with_32k_on_one_card():
    act = Quantize()
    scenario = act.scenario
    assert (scenario.model, scenario.weights, scenario.context) == ("llama-3.1-70b", "int4", 32768)
    assert (scenario.gpu, scenario.gpus) == ("80gb", 1)
    assert (act.max_users_baseline, act.max_users_quantized) == (3, 7)
    assert "cache" not in act.deployment()
    Scenario(**act.deployment())


def test_it_follows_the_scenario_it_is_given():
    scenario = Scenario()
    act = Quantize(scenario)
    assert (act.max_users_baseline, act.max_users_quantized) == (57, 57)
    scenario.cache = "fp8"
    assert (act.max_users_baseline, act.max_users_quantized) == (57, 114)
    scenario.context = 131072
    assert (act.max_users_baseline, act.max_users_quantized) == (3, 7)


def test_scales_cost_a_user_that_bare_bits_would_promise():
    frame = quantize(**SEVENTY, cache="int4").frame()
    assert frame["shown"]["quantize-bare"]
    assert "a bare 4 bits it would be 15" in frame["texts"]["quantize-bare"]
    assert not quantize(**SEVENTY, cache="fp8").frame()["shown"]["quantize-bare"]


def test_a_reserve_takes_users_and_is_shown_beside_the_ideal():
    act = quantize(**SEVENTY, cache="q4_0")
    assert act.max_users_quantized_typical == 12
    assert act.frame()["texts"]["quantize-reserve"] == "4.9"
    assert quantize(**SEVENTY, cache="q4_0", reserve=8).frame()["texts"]["quantize-reserve"] == "8.0"


def outcome(act):
    readouts = act.frame()["readouts"]
    return readouts["max-users-quantized"]["text"], act.frame()["sentence"]


@pytest.mark.parametrize(
    ("values", "users", "said"),
    [
        ({"model": "llama-3-70b", "cache": "q4_0"}, "none: weights do not fit", "no cache type makes room"),
        ({**SEVENTY, "context": 1048576, "cache": "q4_0"}, "none", "not one user fits"),
        ({}, "57", "One byte per value would make room for 114"),
        ({"cache": "fp32"}, "28", "the cache grows, and 28 users fit on this card instead of 57"),
        ({**SEVENTY, "context": 262144, "cache": "q4_0"}, "1", "1 user fits on this card where none did"),
        ({**SEVENTY, "context": 131072, "gpu": "80gb", "cache": "int8"}, "1", "where none did"),
        ({"context": 262144, "cache": "q8_0"}, "3", "where 1 did"),
        (
            {"context": 450560, "cache": "q8_0"},
            "1",
            "not enough for one more user: still 1 user fits on this card",
        ),
        ({"users": 100, "cache": "fp8"}, "114", "The 100 users you want now fit."),
        ({"gpus": 2, "cache": "fp8"}, "258", "on these 2 cards where 129 did"),
        (
            {"model": "llama-3-70b", "gpu": "h200-141gb", "cache": "fp8", "weights": "fp8"},
            "48",
            "1 byte per value instead of 2",
        ),
    ],
)
def test_every_outcome_is_said_in_words(values, users, said):
    text, sentence = outcome(quantize(**values))
    assert said in sentence
    assert text == users


def test_memory_that_does_not_follow_the_type_is_said_to():
    act = quantize(cache="fp8")
    sizes = act.frame()["readouts"]
    assert sizes["cache-per-user-quantized"]["value"] == GIB // 2
    same = {"free": 100, "sequence": 60, "max_users": 1, "kept": True}
    assert quantize_verdict(SimpleNamespace(cache="q8_0", cache_v=""), same, same) == "nothing"


def test_nothing_is_ever_negative_when_the_weights_do_not_fit():
    act = quantize(model="llama-3.1-405b", cache="q4_0", reserve=64)
    frame = act.frame()
    assert act.max_users_quantized == act.max_users_baseline == 0
    for table in frame["sources"].values():
        for name, column in table.items():
            if name in ("left", "right", "bottom", "top"):
                assert min(column, default=0) >= 0
    assert all(
        left <= right
        for left, right in zip(*(frame["sources"]["parts"][k] for k in ("left", "right")), strict=True)
    )


@pytest.mark.parametrize("cache", CACHE_TYPES)
def test_risk_comes_with_its_source_and_date(cache):
    act = quantize(cache=cache)
    row = CACHE_TYPES[cache]
    assert row.quality in act.quality_risk
    assert act.quality_risk.split(".")[0] in ("No risk added", "Low risk", "Medium risk", "High risk")
    assert quantize_date(row.checked) in act.quality_risk
    sources = act.sources(row)
    assert f"({sources[0][0]};" in act.quality_risk
    assert any(url.startswith("https://") for _, url in sources)
    assert act.frame()["shown"][f"type-{cache}"]


@pytest.mark.parametrize(
    ("part", "label"),
    [
        ("https://github.com/ggml-org/llama.cpp/pull/7412", "llama.cpp#7412"),
        ("KIVI, https://arxiv.org/abs/2402.02750", "KIVI"),
        ("https://vllm.ai/blog/fp8-kvcache", "vllm.ai"),
        ("layout: OCP Microscaling Formats (MX) v1.0", "layout: OCP Microscaling Formats (MX) v1.0"),
    ],
)
def test_sources_have_a_name(part, label):
    assert quantize_source_label(part) == label


@pytest.mark.parametrize("cache", CACHE_TYPES)
@pytest.mark.parametrize("model", ["llama-3-8b", "deepseek-v3", "gpt-oss-20b", "qwen3.5-27b"])
def test_the_block_is_drawn_to_scale(cache, model):
    act = quantize(cache=cache, model=model)
    cells = act.frame()["sources"]["cells"]
    before = quantize_sizes(act.scenario, act.scenario.catalog, QUANTIZE_BASE)
    drawn_type = quantize_second(act.scenario, act.scenario.catalog, before)
    row = CACHE_TYPES[drawn_type]
    width = {"llama-3-8b": 128, "deepseek-v3": 576, "gpt-oss-20b": 64, "qwen3.5-27b": 256}[model]
    bits = 32 * 8 * (row.block_bytes / row.block_values + row.vector_bytes / width)
    drawn = [right for right, bottom in zip(cells["right"], cells["bottom"], strict=True) if bottom == 0]
    assert cells["role"].count("cache") + cells["role"].count("slot") == 64
    assert drawn[-1] == pytest.approx(bits, abs=CACHE_TYPES[drawn_type].bits * 0.13)


def test_fp8_is_offered_until_a_type_is_chosen():
    frame = quantize().frame()
    assert frame["sources"]["bar-labels"]["text"] == ["Now, BF16 / FP16: 57 users", "With FP8: 114 users"]
    assert frame["sources"]["slices"]["role"] == ["cache"] * 57 + ["slot"] * 114
    assert frame["sources"]["cells"]["role"] == ["cache"] * 32 + ["slot"] * 32
    assert "With FP8: 114 users" in frame["figures"]["users"]
    chosen = quantize(cache="fp8").frame()
    assert chosen["sources"]["bar-labels"]["text"] == [
        "Before, BF16 / FP16: 57 users",
        "After, FP8: 114 users",
    ]
    assert "slot" not in chosen["sources"]["slices"]["role"] + chosen["sources"]["cells"]["role"]
    # Where it would make no room for anybody, nothing is offered.
    full = quantize(model="llama-3-70b").frame()
    assert full["sources"]["bar-labels"]["text"][1] == "After, BF16 / FP16: weights do not fit"


def test_one_slice_a_user_until_there_are_too_many():
    assert len(quantize(**SEVENTY, cache="q4_0").frame()["sources"]["slices"]["left"]) == 3 + 13
    slices = quantize(cache="q4_0").frame()["sources"]["slices"]
    assert len(slices["left"]) == 57 + 1
    assert slices["right"][-1] <= 72


# --- the rounding demo -----------------------------------------------------------------------------


def rounded(cache, outlier=False):
    return quantize_round(SimpleNamespace(cache=cache, outlier=outlier), CACHE_TYPES[cache])


@pytest.mark.parametrize("cache", CACHE_TYPES)
@pytest.mark.parametrize("outlier", [False, True])
def test_error_is_that_of_the_points_drawn(cache, outlier):
    demo = rounded(cache, outlier)
    values, stored = demo["values"]["y"], demo["values"]["rounded"]
    counted = [(a, b) for a, b in zip(values, stored, strict=True) if a < 5]
    error = math.sqrt(sum((a - b) ** 2 for a, b in counted))
    assert demo["error"] == pytest.approx(error / math.sqrt(sum(a * a for a, _ in counted)), rel=1e-12)
    assert len(values) == len(stored) == 32
    assert len(counted) == (31 if outlier else 32)
    if demo["levels"]["y"]:
        assert all(min(abs(level - b) for level in demo["levels"]["y"]) < 1e-12 for b in stored)


def test_fewer_bits_round_more_coarsely():
    errors = [rounded(cache)["error"] for cache in ("fp32", "bf16", "q8_0", "q5_0", "q4_0")]
    assert errors == sorted(errors)
    assert errors[0] < 1e-7
    assert 0.001 < errors[1] < 0.004
    assert 0.05 < errors[4] < 0.12


def test_an_outlier_spoils_its_block():
    plain, spoilt = rounded("q4_0"), rounded("q4_0", outlier=True)
    moved = [a != b for a, b in zip(plain["values"]["y"], spoilt["values"]["y"], strict=True)]
    assert sum(moved) == 1
    assert spoilt["error"] > 3 * plain["error"]
    assert "The error of the other 31" in spoilt["text"]


def test_q4_0_rounds_as_llama_cpp_does():
    # ggml's quantize_row_q4_0_ref: d = extreme / -8 in FP16, q = min(15, trunc(x / d + 8.5)).
    values = [1.0, -2.0, 0.1, 1.9]
    result = quantize_round_block(values, CACHE_TYPES["q4_0"].rounding)
    assert result["values"] == [1.0, -2.0, 0.0, 1.75]
    assert len(result["levels"]) == 16


def test_nvfp4_has_a_scale_for_each_16_values():
    levels = rounded("nvfp4")["levels"]
    assert set(levels["x0"]) == {0.5, 16.5}
    assert len(levels["y"]) == 30


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, 0), (1.06, 1.0), (1.07, 1.125), (447, 448), (1000, 448), (0.001, 0.001953125), (0.0009, 0)],
)
def test_fp8_numbers(value, expected):
    assert quantize_float(value, 3, 0.015625, 448) == expected


def test_roots():
    assert quantize_root(0) == 0
    for square in (1e-12, 0.005, 1, 2, 30):
        assert quantize_root(square) == pytest.approx(math.sqrt(square), rel=1e-15)


def test_the_sample_is_a_block_without_outliers():
    assert len(QUANTIZE_SAMPLE) == 32
    assert max(map(abs, QUANTIZE_SAMPLE)) < 2.4


@pytest.mark.parametrize("cache", ["int3", "", None, 8])
def test_an_unknown_type_is_refused_with_what_is_allowed(cache):
    with pytest.raises(ValueError, match="q4_0"):
        quantize(cache=cache)


def test_outlier_is_a_switch():
    with pytest.raises(ValueError, match="outlier"):
        Quantize(outlier="yes")


def test_other_names_of_16_bits_are_the_yardstick():
    assert quantize(cache="fp16").cache_shrink == 1


def test_markup_holds_switch_readouts_and_sentence_before_any_script():
    html = Quantize().markup()
    for name in CACHE_TYPES:
        assert f'value="{name}"' in html
    assert 'data-readout="cache-shrink" data-value="2.0">2× smaller' in html
    assert "7 users fit on this card where 3 did" in html
    assert html.count("data-sentence") == 1


@pytest.mark.parametrize(
    ("gpu", "cache", "kept"),
    [
        ("rtx-3090-24gb", "nvfp4", False),
        ("rtx-5090-32gb", "nvfp4", True),
        ("v100-32gb", "fp8", False),
        ("rtx-3090-24gb", "fp8", True),
        ("h100-80gb", "mxfp4", False),
        ("mi300x-192gb", "int4", False),
        ("m2-max-96gb", "q4_0", True),
        ("80gb", "nvfp4", True),
        ("custom", "nvfp4", True),
    ],
)
def test_a_type_the_card_cannot_keep_promises_nobody(gpu, cache, kept):
    act = Quantize(Scenario(model="gpt-oss-20b", weights="int4", gpu=gpu, cache=cache))
    frame = act.frame()
    assert (act.max_users_quantized > 0) == (act.max_users_quantized_typical > 0) == kept
    assert ("No engine keeps an" in frame["sentence"]) == (not kept)
    assert (frame["texts"][f"users-{cache}"] == "not on this card") == (not kept)
    if not kept:
        assert frame["readouts"]["max-users-quantized"]["text"] == "not on this card"
        assert frame["sources"]["bar-labels"]["text"][1].endswith("not on this card")
        assert act.max_users_baseline > 0


def test_keys_and_values_of_different_types():
    act = quantize(cache="q8_0", cache_v="q4_0")
    frame = act.frame()
    assert act.bytes_per_value == (34 + 18) / 64
    assert frame["sentence"].startswith(
        "q8_0 keys, q4_0 values take 0.8125 bytes per value, scales included,"
    )
    assert frame["readouts"]["quality-risk"]["text"].startswith("Keys: Low risk.")
    assert "Values: Medium risk." in frame["readouts"]["quality-risk"]["text"]
    assert act.max_users_quantized > quantize(cache="q8_0").max_users_quantized
    assert "quantize-bare" in frame["shown"]
    assert not frame["shown"]["quantize-bare"]


def test_a_cache_of_less_than_a_byte_a_token_is_no_infinite_gain():
    thin = Shape((LayerGroup(20, 1, 2, 0, stride=256),), 1, 20, 80, 80)
    base, narrow = CACHE_TYPES["bf16"], CACHE_TYPES["q4_0"]
    assert quantize_shrink(thin, narrow, narrow, base) == 1


def test_bars_that_are_cut_off_say_how_much_lies_beyond():
    whole = Quantize(Scenario()).frame()["sources"]["cut"]
    assert whole == {"x": [], "x0": [], "x1": [], "text": []}
    frame = Quantize(Scenario(model="llama-3.1-405b")).frame()
    end = frame["ranges"]["users-x"]["end"]
    assert frame["sources"]["cut"]["x"] == [end]
    # 756.0 GiB of weights, of which 80 GiB times 1.6 are drawn, and a little for the edge.
    assert frame["sources"]["cut"]["text"] == ["627.3 GiB more"]
