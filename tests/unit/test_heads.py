from dataclasses import replace
from types import SimpleNamespace

import pytest

from acts import Heads, Scenario
from acts.bounds import DEFAULTS
from acts.catalog import CACHE_TYPES, MODELS
from acts.heads.frame import heads_frame
from acts.own_model import OWN_MODEL
from acts.scenario import Catalog
from acts.sizing import GIB, KIB, LayerGroup, Shape, bytes_per_sequence, bytes_per_token


def frame_of(kv_heads=0, model="llama-3-8b", cache="bf16", context=8192, shape=None):
    """The frame of a state; ``shape`` stands in for the model's own."""
    catalog = Catalog()
    if shape is not None:
        catalog.models[model] = replace(catalog.models[model], shape=shape)
    return heads_frame(
        SimpleNamespace(
            **DEFAULTS | {"model": model, "cache": cache, "context": context, "kv_heads": kv_heads}
        ),
        catalog,
    )


def value(frame, name):
    return frame["readouts"][name]["value"]


def offered(frame):
    return [int(option["text"]) for option in frame["choices"]["kv_heads"]["options"]]


@pytest.mark.parametrize(
    ("model", "kv_heads", "reduction", "token", "sequence"),
    [
        ("llama-3-8b", 0, 4, 131072, GIB),
        ("llama-3-8b", 8, 4, 131072, GIB),
        ("llama-3-8b", 32, 1, 512 * KIB, 4 * GIB),
        ("llama-3-8b", 1, 32, 16 * KIB, GIB // 8),
        ("llama-2-7b", 0, 1, 512 * KIB, 4 * GIB),
        ("llama-3-70b", 0, 8, 327680, 5 * GIB // 2),
        ("llama-3-70b", 64, 1, 2560 * KIB, 20 * GIB),
        ("qwen2.5-7b", 0, 7, 56 * KIB, 448 * KIB * KIB),
        ("llama-3.2-3b", 0, 3, 112 * KIB, 896 * KIB * KIB),
        ("falcon-7b", 0, 71, 8 * KIB, 64 * KIB * KIB),
    ],
)
def test_known_sizes(model, kv_heads, reduction, token, sequence):
    act = Heads(Scenario(model=model), kv_heads=kv_heads)
    assert (act.cache_reduction, act.bytes_per_token, act.bytes_per_sequence) == (reduction, token, sequence)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("cache", ["bf16", "q4_0"])
def test_own_heads_are_sized_by_the_sizing_model(model, cache):
    frame = frame_of(model=model, cache=cache, context=40000)
    shape, kind = MODELS[model].shape, CACHE_TYPES[cache]
    assert value(frame, "bytes-per-token") == bytes_per_token(shape, kind, kind)
    assert value(frame, "bytes-per-sequence") == bytes_per_sequence(shape, 40000, kind, kind)


@pytest.mark.parametrize(
    ("model", "ratio", "number"),
    [
        ("llama-3-8b", "32:8", 4),
        ("qwen2.5-7b", "28:4", 7),
        ("llama-3.2-3b", "24:8", 3),
        ("falcon-7b", "71:1", 71),
    ],
)
def test_ratio(model, ratio, number):
    entry = frame_of(model=model)["readouts"]["head-ratio"]
    assert entry == {"text": ratio, "value": number}


@pytest.mark.parametrize(("kv_heads", "heads"), [(0, 8), (2, 2), (32, 32)])
def test_a_choice_holds_for_cross_attention_too(kv_heads, heads):
    """Layers that look at an image share their KV heads like the others: 8,192 tokens and 1,601 of the image."""
    groups = (LayerGroup(32, 8, 128, 128), LayerGroup(8, 8, 128, 128, fixed_tokens=1601, kind="cross"))
    shape = replace(MODELS["llama-3-8b"].shape, groups=groups, num_hidden_layers=40)
    frame = frame_of(kv_heads, shape=shape)
    entry = heads * (128 + 128) * 2
    assert value(frame, "bytes-per-token") == 32 * entry
    assert value(frame, "bytes-per-sequence") == (32 * 8192 + 8 * 1601) * entry


def test_only_divisors_are_offered():
    assert offered(frame_of(model="qwen2.5-7b")) == [1, 2, 4, 7, 14, 28]
    assert offered(frame_of(model="falcon-7b")) == [1, 71]
    assert offered(frame_of(model="llama-3.2-3b")) == [1, 2, 3, 4, 6, 8, 12, 24]


def test_own_number_is_kept_as_zero_so_that_it_follows_the_model():
    choices = frame_of(kv_heads=8)["choices"]["kv_heads"]
    assert {"value": 0, "text": "8"} in choices["options"]
    assert choices["selected"] == 0
    assert not frame_of(kv_heads=8)["shown"]["what-if"]


def test_presets():
    buttons = frame_of(kv_heads=32)["buttons"]
    assert [name for name, button in buttons.items() if button["pressed"]] == ["mha"]
    assert {name: button["set"]["kv_heads"] for name, button in buttons.items()} == {
        "mha": 32,
        "gqa": 0,
        "mqa": 1,
        "own": 0,
    }
    assert buttons["own"]["text"] == "as Llama 3 8B"
    assert frame_of(model="falcon-7b")["buttons"]["gqa"]["disabled"], "71 heads form no groups"
    assert frame_of(model="qwen2.5-7b", kv_heads=7)["buttons"]["gqa"]["set"] == {"kv_heads": 0}


def test_a_number_that_does_not_divide_falls_back_and_says_so():
    frame = frame_of(kv_heads=8, model="falcon-7b")
    assert frame["shown"]["refused"]
    assert (
        frame["texts"]["refused"]
        == "8 does not divide the 71 query heads of Falcon 7B, so its own 1 is shown."
    )
    assert frame["readouts"] == frame_of(model="falcon-7b")["readouts"]


def test_python_refuses_what_does_not_divide():
    with pytest.raises(
        ValueError, match=r"kv_heads cannot be 3; .*32 query heads of Llama 3 8B: 1, 2, 4, 8, 16, 32"
    ):
        Heads(Scenario(), kv_heads=3)
    with pytest.raises(ValueError, match="kv_heads cannot be 2; DeepSeek-V3 caches a latent"):
        Heads(Scenario(model="deepseek-v3"), kv_heads=2)
    act = Heads(Scenario(), kv_heads=4)
    for wrong in (5, -1, 1.5, True, "8", 4096):
        with pytest.raises(ValueError, match="kv_heads cannot be"):
            act.kv_heads = wrong
    assert act.kv_heads == 4


def test_a_choice_outlives_a_change_of_model():
    act = Heads(Scenario(), kv_heads=4)
    act.scenario.model = "falcon-7b"
    act.param.update(kv_heads=4)
    assert act.head_ratio == 71
    act.scenario.model = "llama-3-8b"
    assert act.head_ratio == 8


def test_latent_instead_of_heads():
    frame = frame_of(model="deepseek-v3", kv_heads=8)
    assert value(frame, "bytes-per-token") == 70272
    assert value(frame, "cache-reduction") == 4997120 / 70272
    assert frame["readouts"]["head-ratio"] == {"text": "128:1 latent", "value": 128}
    assert frame["shown"]["latent"]
    assert frame["shown"]["one-latent"]
    assert not frame["shown"]["heads"]
    assert not frame["shown"]["refused"]
    assert frame["sources"]["tiles"]["role"] == ["cache"]
    assert "one latent of 576 values" in frame["sentence"]


def test_latent_of_unknown_full_heads_claims_no_reduction():
    shape = Shape((LayerGroup(61, 1, 576, 0, kind="latent"),), 128, 61, 1, 1)
    frame = frame_of(shape=shape)
    assert frame["readouts"]["cache-reduction"] == {"text": "not known", "value": None}
    assert "instead" not in frame["sentence"]


def test_windows_count_in_a_sequence_and_are_explained():
    frame = frame_of(model="gemma-3-27b", context=32768)
    per_layer = 2 * 16 * 128 * 2
    assert value(frame, "bytes-per-sequence") == per_layer * (10 * 32768 + 52 * 1024)
    assert frame["shown"]["plain"]
    assert frame["texts"]["layers"] == "62"
    assert "52 of its layers keep only the last 1,024 tokens" in frame["texts"]["fixed"]
    halved = frame_of(8, model="gemma-3-27b", context=32768)
    assert value(halved, "bytes-per-sequence") * 2 == value(frame, "bytes-per-sequence")


def test_recurrent_state_is_not_shared():
    own, one = frame_of(model="qwen3.5-27b"), frame_of(1, model="qwen3.5-27b")
    state = MODELS["qwen3.5-27b"].shape.state_bytes
    assert value(own, "bytes-per-sequence") - state == 4 * (value(one, "bytes-per-sequence") - state)
    assert own["texts"]["layers-field"] == "16 of 64 num_hidden_layers"
    assert own["sources"]["spans"]["right"][2] == value(own, "bytes-per-sequence")


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ((LayerGroup(20, 8, 192, 128),), "20 layers × 8 KV heads × (192 + 128) × 2 bytes"),
        (
            (LayerGroup(10, 4, 256, 256), LayerGroup(50, 16, 128, 128, window=1024)),
            "10 layers × 2 × 4 KV heads × 256 × 2 bytes + 50 layers × 2 × 16 KV heads × 128 × 2 bytes",
        ),
        (
            (
                LayerGroup(61, 1, 576, 0, kind="latent"),
                LayerGroup(61, 1, 128, 0, record_bytes=132, kind="indexer"),
            ),
            "61 layers × 576 latent values × 2 bytes + 61 layers × 132 bytes",
        ),
    ],
)
def test_formula_of_layers_that_differ(groups, text):
    frame = frame_of(shape=Shape(groups, 64, sum(group.layers for group in groups), 1, 1))
    assert frame["shown"]["sum"]
    assert not frame["shown"]["plain"]
    assert frame["texts"]["sum"] == text


@pytest.mark.parametrize("cache", CACHE_TYPES)
@pytest.mark.parametrize("model", ["llama-3-8b", "falcon-7b", "gpt-oss-20b"])
def test_the_factors_of_the_formula_multiply_to_its_result(model, cache):
    texts = frame_of(model=model, cache=cache)["texts"]
    product = 2 * float(texts["value-bytes"])
    for factor in ("layers", "kv-heads", "width"):
        product *= int(texts[factor])
    assert product == int(texts["token-bytes"].replace(",", ""))


@pytest.mark.parametrize("model", MODELS)
def test_every_head_is_drawn_and_joined(model):
    for option in frame_of(model=model)["choices"]["kv_heads"]["options"]:
        frame = frame_of(option["value"], model=model)
        sources = frame["sources"]
        queries = MODELS[model].shape.num_attention_heads
        assert len(sources["queries"]["x"]) == len(sources["joins"]["x0"]) == queries
        span = frame["ranges"]["joins-x"]
        assert all(span["start"] <= left for left in sources["tiles"]["left"])
        assert all(right <= span["end"] for right in sources["tiles"]["right"])
        if not frame["shown"]["latent"]:
            kv = int(option["text"])
            assert len(sources["tiles"]["left"]) == 2 * kv
            assert len(set(zip(sources["joins"]["x1"], sources["joins"]["y1"], strict=True))) == kv


def test_bars_are_the_sizes_they_name():
    spans = frame_of()["sources"]["spans"]
    assert spans["right"][2] == GIB
    assert spans["right"][5] == 4 * GIB


def test_models_table_runs_from_all_cached_to_most_shared():
    rows = Heads(Scenario()).models()
    assert len(rows) == len(MODELS)
    assert rows[0]["reduction"] == 1
    assert [rows[-1]["name"], rows[-2]["name"]] == ["DeepSeek-V3", "Falcon 7B"]


def test_a_model_without_caching_layers():
    frame = frame_of(shape=Shape((), 0, 24, 1, 1, state_bytes=4096))
    assert value(frame, "bytes-per-token") == 0
    assert value(frame, "bytes-per-sequence") == 4096
    assert frame["sentence"].startswith("No layer of Llama 3 8B keeps keys or values")


def test_another_number_of_query_heads_is_a_model_of_one_s_own():
    act = Heads(Scenario(model="llama-3-8b"), kv_heads=4)
    act.set_query_heads(64)
    model = act.scenario.catalog.models[act.scenario.model]
    assert (act.scenario.model, model.name) == (OWN_MODEL, "Llama 3 8B, 64 query heads")
    assert (act.query_heads, act.kv_heads) == (64, 0)
    # 64 query heads share the 8 KV heads there were: the cache stays as it was.
    assert (act.head_ratio, act.cache_reduction, act.bytes_per_token) == (8, 8, 131072)
    act.set_query_heads(6)
    assert act.scenario.catalog.models[OWN_MODEL].name == "Llama 3 8B, 6 query heads"
    assert act.scenario.catalog.models[OWN_MODEL].shape.groups[0].num_kv_heads == 6


@pytest.mark.parametrize("queries", [0, 257, 32.0, True, "32"])
def test_a_number_of_query_heads_that_cannot_be_is_refused(queries):
    act = Heads(Scenario())
    with pytest.raises(ValueError, match=r"query heads cannot be .*; give a whole number from 1 to 256"):
        act.set_query_heads(queries)
    assert act.scenario.model == "llama-3-8b"
