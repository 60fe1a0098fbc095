"""The catalog: shapes against published configs, parameters worked out again, a source on every figure."""

import json
import re
from dataclasses import fields, replace

import pytest

from acts.bundle import runtime_script
from acts.catalog import (
    CACHE_NAMES,
    CACHE_TYPES,
    GPUS,
    MODELS,
    WEIGHT_TYPES,
    CacheType,
    cache_type,
)
from acts.catalog.types import spelled
from acts.scenario import Scenario
from acts.sizing import (
    GIB,
    fixed_bytes_per_sequence,
    growth_bytes_per_token,
    typed_weights,
    vector_bytes,
    weights_bytes,
)

BF16 = CACHE_TYPES["bf16"]

# Growth in bytes a token and fixed bytes a sequence, 16 bit, with every window full.
TRUTH = {
    "deepseek-v3": (70_272, 0),
    "falcon-7b": (8_192, 0),
    "gemma-3-27b": (81_920, 436_207_616),
    "gpt-oss-20b": (24_576, 3_145_728),
    "llama-3.1-70b": (327_680, 0),
    "llama-3.1-8b": (131_072, 0),
    "mistral-7b": (131_072, 0),
    "mistral-7b-v0.1": (0, 536_870_912),
    "phi-4": (204_800, 0),
    "qwen2.5-32b": (262_144, 0),
    "qwen3-0.6b": (114_688, 0),
    "qwen3-30b-a3b": (98_304, 0),
    "qwen3-32b": (262_144, 0),
    "qwen3-8b": (147_456, 0),
    "qwen3.5-27b": (65_536, 153_944_064),
    "starcoder": (20_480, 0),
}


@pytest.mark.parametrize("model_id", TRUTH)
def test_shape_reproduces_the_published_config(model_id):
    shape = MODELS[model_id].shape
    measured = (
        growth_bytes_per_token(shape, BF16, BF16),
        fixed_bytes_per_sequence(shape, BF16, BF16),
    )
    assert measured == TRUTH[model_id]


# Growth alone of the other models, bytes a token, 16 bit.
PER_TOKEN = {
    "llama-2-7b": 524_288,
    "llama-3-8b": 131_072,
    "llama-3-70b": 327_680,
    "llama-3.1-405b": 516_096,
    "llama-3.2-3b": 114_688,
    "mistral-small-24b": 163_840,
    "mixtral-8x7b": 131_072,
    "qwen2.5-7b": 57_344,
    "gpt-oss-120b": 36_864,
}


def test_no_model_goes_unproved():
    unproved = sorted(set(MODELS) - set(TRUTH) - set(PER_TOKEN))
    assert not unproved, f"put the published bytes a token of {unproved} into TRUTH"


@pytest.mark.parametrize(("model_id", "per_token"), PER_TOKEN.items())
def test_bytes_a_token_of_the_other_models(model_id, per_token):
    assert growth_bytes_per_token(MODELS[model_id].shape, BF16, BF16) == per_token


def llama(layers, hidden, inner, heads, vocabulary, *, head_dim=128, experts=0, used=0, **flags):
    """Parameters of a gated decoder with (query, KV) ``heads``; with ``used``, those of so many experts."""
    width, cached = (count * head_dim for count in heads)
    attention = 2 * hidden * width + 2 * hidden * cached
    attention += (width + 2 * cached) * flags.get("qkv_bias", False)
    attention += 2 * head_dim * flags.get("qk_norm", False)
    mlps = 3 * hidden * inner * (used or experts or 1) + hidden * experts
    tables = vocabulary * hidden * (1 if flags.get("tied", False) else 2)
    return layers * (attention + mlps + 2 * hidden) + hidden + tables


DENSE = {
    "llama-2-7b": llama(32, 4096, 11008, (32, 32), 32000),
    "llama-3-8b": llama(32, 4096, 14336, (32, 8), 128256),
    "llama-3-70b": llama(80, 8192, 28672, (64, 8), 128256),
    "llama-3.1-8b": llama(32, 4096, 14336, (32, 8), 128256),
    "llama-3.1-70b": llama(80, 8192, 28672, (64, 8), 128256),
    "llama-3.1-405b": llama(126, 16384, 53248, (128, 8), 128256),
    "llama-3.2-3b": llama(28, 3072, 8192, (24, 8), 128256, tied=True),
    "mistral-7b": llama(32, 4096, 14336, (32, 8), 32768),
    "mistral-7b-v0.1": llama(32, 4096, 14336, (32, 8), 32000),
    "mistral-small-24b": llama(40, 5120, 32768, (32, 8), 131072),
    "phi-4": llama(40, 5120, 17920, (40, 10), 100352),
    "qwen2.5-7b": llama(28, 3584, 18944, (28, 4), 152064, qkv_bias=True),
    "qwen2.5-32b": llama(64, 5120, 27648, (40, 8), 152064, qkv_bias=True),
    "qwen3-0.6b": llama(28, 1024, 3072, (16, 8), 151936, tied=True, qk_norm=True),
    "qwen3-8b": llama(36, 4096, 12288, (32, 8), 151936, qk_norm=True),
    "qwen3-32b": llama(64, 5120, 25600, (64, 8), 151936, qk_norm=True),
}


#: Models that are no plain decoders: their parameters are worked out in tests of their own below.
OTHERS = {
    "mixtral-8x7b", "qwen3-30b-a3b", "gpt-oss-20b", "gpt-oss-120b", "deepseek-v3", "gemma-3-27b", "qwen3.5-27b",
    "falcon-7b", "starcoder",
}  # fmt: skip


def test_no_model_s_parameters_go_unproved():
    unproved = sorted(set(MODELS) - set(DENSE) - OTHERS)
    assert not unproved, f"work out the parameters of {unproved} in DENSE, or in a test of their own"


@pytest.mark.parametrize("model_id", DENSE)
def test_parameters_of_dense_decoders(model_id):
    assert MODELS[model_id].shape.parameters == DENSE[model_id]


@pytest.mark.parametrize(
    ("model_id", "dimensions", "experts", "used", "flags"),
    [
        ("mixtral-8x7b", (32, 4096, 14336, (32, 8), 32000), 8, 2, {}),
        ("qwen3-30b-a3b", (48, 2048, 768, (32, 4), 151936), 128, 8, {"qk_norm": True}),
    ],
)
def test_parameters_of_mixtures_of_experts(model_id, dimensions, experts, used, flags):
    shape = MODELS[model_id].shape
    assert shape.parameters == llama(*dimensions, experts=experts, **flags)
    assert shape.active_parameters == llama(*dimensions, experts=experts, used=used, **flags)


@pytest.mark.parametrize(
    ("model_id", "layers", "experts"), [("gpt-oss-20b", 24, 32), ("gpt-oss-120b", 36, 128)]
)
def test_parameters_of_gpt_oss(model_id, layers, experts):
    hidden, width, cached, heads, table = 2880, 64 * 64, 8 * 64, 64, 201088 * 2880
    attention = (hidden + 1) * (width + 2 * cached) + (width + 1) * hidden + heads  # biases and sinks
    expert = (hidden + 1) * 2 * hidden + (hidden + 1) * hidden

    def stack(used):
        return layers * (attention + used * expert + (hidden + 1) * experts + 2 * hidden) + hidden

    shape = MODELS[model_id].shape
    assert shape.parameters == stack(experts) + 2 * table
    assert shape.active_parameters == stack(4) + table


def test_parameters_of_deepseek_v3():
    hidden, table = 7168, 129280 * 7168
    queries = hidden * 1536 + 1536 + 1536 * 128 * (128 + 64)
    latent = hidden * (512 + 64) + 512 + 512 * 128 * (128 + 128)
    attention = queries + latent + 128 * 128 * hidden
    expert = 3 * hidden * 2048

    def stack(used):
        dense = 3 * 3 * hidden * 18432
        sparse = 58 * ((used + 1) * expert + 256 * hidden + 256)
        return 61 * (attention + 2 * hidden) + dense + sparse + hidden

    shape = MODELS["deepseek-v3"].shape
    assert shape.parameters == stack(256) + 2 * table
    assert shape.active_parameters == stack(8) + table


def siglip(patch_inputs, positions, layers=27, hidden=1152, inner=4304):
    """Parameters of a vision transformer's embedding and blocks; the two models differ in what follows."""
    block = 4 * (hidden + 1) * hidden + (hidden + 1) * inner + (inner + 1) * hidden + 4 * hidden
    return (patch_inputs + 1) * hidden + positions * hidden + layers * block


def test_parameters_of_gemma_3():
    text = llama(62, 5376, 21504, (32, 16), 262208, tied=True, qk_norm=True) + 62 * 2 * 5376
    vision = siglip(3 * 14 * 14, 64 * 64) + 2 * 1152 + 1152 * 5376 + 1152
    assert MODELS["gemma-3-27b"].shape.parameters == text + vision


def test_parameters_of_qwen_3_5():
    hidden, inner, keys, values = 5120, 17408, 16 * 128, 48 * 128
    full = hidden * 24 * 256 * 2 + 2 * hidden * 4 * 256 + 24 * 256 * hidden + 2 * 256  # queries are gated
    mixed = 2 * keys + values
    linear = hidden * (mixed + values + 2 * 48) + 4 * mixed + 2 * 48 + 128 + values * hidden
    text = 16 * full + 48 * linear + 64 * (3 * hidden * inner + 2 * hidden) + hidden + 2 * 248320 * hidden
    merged = 4 * 1152
    vision = siglip(3 * 2 * 16 * 16, 2304) + 2 * 1152 + (merged + 1) * merged + (merged + 1) * hidden
    assert MODELS["qwen3.5-27b"].shape.parameters == text + vision


def test_parameters_of_the_multi_query_models():
    hidden = 4544
    layer = hidden * (71 + 2) * 64 + hidden * hidden + 8 * hidden * hidden + 2 * hidden
    assert MODELS["falcon-7b"].shape.parameters == 32 * layer + 65024 * hidden + 2 * hidden

    hidden, inner = 6144, 24576
    attention = (hidden + 1) * (hidden + 2 * 128) + (hidden + 1) * hidden
    layer = attention + (hidden + 1) * inner + (inner + 1) * hidden + 4 * hidden
    assert MODELS["starcoder"].shape.parameters == 40 * layer + (49152 + 8192) * hidden + 2 * hidden


def test_weights_of_the_check_models():
    assert weights_bytes(MODELS["llama-3-8b"].shape.parameters, 16) / GIB == pytest.approx(14.96, abs=0.005)
    assert weights_bytes(MODELS["llama-3-70b"].shape.parameters, 16) / GIB == pytest.approx(131.4, abs=0.05)
    assert weights_bytes(MODELS["llama-3-70b"].shape.parameters, 4) / GIB == pytest.approx(32.85, abs=0.01)


def test_every_attention_scheme_is_there():
    schemes = {model.attention for model in MODELS.values()}
    assert schemes == {"MHA", "GQA", "MQA", "MLA", "sliding window", "hybrid"}
    assert any(m.shape.active_parameters < m.shape.parameters for m in MODELS.values())
    assert len(MODELS) >= 18


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.id)
def test_model_is_consistent(model):
    shape = model.shape
    assert 0 < shape.active_parameters <= shape.parameters
    assert sum(group.layers for group in shape.groups) <= shape.num_hidden_layers
    assert model.max_context >= 2048
    for group in shape.groups:
        assert shape.num_attention_heads % group.num_kv_heads == 0
        assert (group.kind == "latent") == (group.value_width == 0)
    one_head_each = all(group.num_kv_heads == shape.num_attention_heads for group in shape.groups)
    assert (model.attention == "MHA") == one_head_each
    if model.attention == "sliding window":
        assert any(group.window for group in shape.groups)
    if model.attention == "hybrid":
        assert shape.state_bytes > 0


CHIPS = {
    "Volta", "Turing", "Ampere", "Ada", "Hopper", "Blackwell", "CDNA 2", "CDNA 3", "CDNA 4", "Apple", "any",
}  # fmt: skip


@pytest.mark.parametrize("gpu", [row for row in GPUS.values() if row.id != "custom"], ids=lambda gpu: gpu.id)
def test_card_is_plausible(gpu):
    assert 14 * GIB < gpu.memory <= 288 * GIB
    nominal = int(re.search(r"(\d+)gb$", gpu.id).group(1))
    # Within what separates a GB from a GiB on one side, and what ECC, the driver and a system keep on the other.
    assert (0.66 if "unified" in gpu.name else 0.93) < gpu.memory / (nominal * GIB) <= 1.01
    assert 270e9 <= gpu.bandwidth <= 8e12
    assert 20 < gpu.peak_flops / gpu.bandwidth < 460
    assert gpu.chip in CHIPS


def test_cards_span_sizes_and_vendors():
    assert len(GPUS) >= 33
    named = [gpu for gpu in GPUS.values() if gpu.id not in ("80gb", "custom")]
    assert {gpu.name.split()[0] for gpu in named} == {"NVIDIA", "AMD", "Apple"}
    assert {gpu.chip for gpu in named} == CHIPS - {"any"}
    assert GPUS["80gb"].memory == 80 * GIB
    assert GPUS["80gb"].bandwidth == GPUS["h100-80gb"].bandwidth


@pytest.mark.parametrize(
    ("gpu_id", "gib"),
    [
        ("rtx-3090-24gb", 23.57),
        ("rtx-4090-24gb", 23.99),
        ("l4-24gb", 22.49),
        ("l40s-48gb", 44.99),
        ("a100-40gb", 39.56),
        ("a100-80gb", 80.0),
        ("h100-80gb", 79.65),
        ("h200-141gb", 140.40),
        ("b200-180gb", 179.06),
        ("mi300x-192gb", 191.98),
    ],
)
def test_memory_is_what_the_driver_reports(gpu_id, gib):
    assert GPUS[gpu_id].memory / GIB == pytest.approx(gib, abs=0.01)


@pytest.mark.parametrize(
    ("cache_id", "bytes_of_128"),
    [
        ("fp32", 512),
        ("bf16", 256),
        ("fp8", 128),
        ("int8", 132),
        ("int4", 68),
        ("q8_0", 136),
        ("q5_1", 96),
        ("q5_0", 88),
        ("q4_1", 80),
        ("q4_0", 72),
        ("nvfp4", 72),
        ("mxfp4", 68),
    ],
)
def test_bytes_of_one_head_vector(cache_id, bytes_of_128):
    assert vector_bytes(128, CACHE_TYPES[cache_id]) == bytes_of_128


def test_scales_eat_into_the_saving():
    def saving(cache_id):
        return vector_bytes(128, BF16) / vector_bytes(128, CACHE_TYPES[cache_id])

    assert saving("q8_0") == pytest.approx(1.88, abs=0.005)
    assert saving("q4_0") == pytest.approx(3.56, abs=0.005)


def test_a_type_is_found_by_every_spelling():
    assert cache_type(" FP16 ") is cache_type("bf16") is BF16
    for spelling, id in {
        "f32": "fp32", "float32": "fp32", "half": "bf16", "fp8_e4m3": "fp8", "fp8_e5m2": "fp8",
        "float8_e4m3fn": "fp8", "fp4": "nvfp4", "q8_0": "q8_0", "int4": "int4",
    }.items():  # fmt: skip
        assert CACHE_NAMES[spelling] == id
        assert Scenario(cache=spelling).cache == Scenario(cache=f" {spelling.upper()}").cache == id
    assert Scenario(weights="float16").weights == "bf16"
    with pytest.raises(KeyError):
        cache_type("fp17")


@pytest.mark.parametrize("fact", ["bits", "rounding", "spellings", "risk", "quality"])
def test_a_forgotten_fact_of_a_type_is_named(fact):
    facts = {field.name: getattr(BF16, field.name) for field in fields(BF16) if field.name != fact}
    with pytest.raises(TypeError, match=fact):
        CacheType(**facts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounding": ("nonuniform", 16)}, "x1.*nonuniform"),
        ({"bits": 17}, "x1: 17 bits"),
        ({"bits": 0}, "x1"),
    ],
)
def test_a_wrong_fact_of_a_type_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        replace(BF16, id="x1", **change)


def test_two_types_cannot_claim_one_spelling():
    with pytest.raises(ValueError, match="half is a spelling of both bf16 and x1"):
        spelled([BF16, replace(BF16, id="x1", spellings=("half",))])


@pytest.mark.parametrize("row", CACHE_TYPES.values(), ids=lambda row: row.id)
def test_quality_is_a_sentence_with_a_source(row):
    assert row.risk in {"none", "low", "medium", "high"}
    assert row.quality.endswith(".")
    assert len(row.quality.split()) > 10
    assert "safe" not in row.quality.lower()
    assert "https://" in row.source


@pytest.mark.parametrize("table", [MODELS, GPUS, CACHE_TYPES, WEIGHT_TYPES])
def test_ids_sources_and_dates(table):
    for key, row in table.items():
        assert key == row.id
        assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*", key)
        assert row.name.strip() == row.name != ""
        assert row.source
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", row.checked)
    names = [row.name for row in table.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "row", [row for row in GPUS.values() if row.id not in ("80gb", "custom")], ids=lambda row: row.id
)
def test_a_card_s_memory_and_speed_have_an_address_each(row):
    assert row.source.count("https://") >= 2


def test_weight_types():
    plain = {row.id: row.bits for row in WEIGHT_TYPES.values() if row.bits in (4, 8, 16)}
    assert plain == {"bf16": 16, "fp8": 8, "int8": 8, "int4": 4}
    assert all(1 < row.bits <= 16 for row in WEIGHT_TYPES.values())


@pytest.mark.parametrize(
    ("model", "weights", "size"),
    [
        ("llama-3.1-8b", "q4_k_m", 4.58 * GIB),
        ("llama-3.1-8b", "q8_0", 7.95 * GIB),
        ("llama-3.1-8b", "iq2_xxs", 2.23 * GIB),
        ("llama-3.1-8b", "awq", 5.73e9),
        ("gpt-oss-20b", "mxfp4", 13.76e9),
        ("gpt-oss-120b", "mxfp4", 65.2e9),
    ],
)
def test_weights_as_large_as_their_published_files(model, weights, size):
    kind = WEIGHT_TYPES[weights]
    assert typed_weights(MODELS[model].shape, kind.bits, kind.kept) == pytest.approx(size, rel=0.003)


@pytest.mark.parametrize("row", CACHE_TYPES.values(), ids=lambda row: row.id)
def test_who_keeps_a_cache_type_is_said(row):
    assert set(row.chips) < CHIPS
    assert row.engines.endswith(".")
    assert all(name in row.engines for name in ("keep",))


def constant(name):
    """A constant of the script that pages ship."""
    (text,) = re.findall(rf"^const {name} = (.*);$", runtime_script(), re.MULTILINE)
    return json.loads(text)


def test_the_browser_has_the_whole_catalog():
    catalog = constant("CATALOG")
    assert set(catalog) == {"models", "gpus", "caches", "weights"}
    group = catalog["models"]["llama-3-8b"]["shape"]["groups"][0]
    assert (group["layers"], group["num_kv_heads"], group["key_width"], group["window"]) == (32, 8, 128, None)
    assert catalog["caches"]["q4_0"]["block_bytes"] == 18
    assert catalog["caches"]["q4_0"]["rounding"] == ["signed", 8]
    assert constant("CACHE_NAMES") == CACHE_NAMES


def test_the_browser_gets_whole_numbers_that_javascript_keeps_exact():
    def walk(value):
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            walk(item)
        assert not isinstance(value, int) or abs(value) < 2**53

    walk(constant("CATALOG"))
    walk(constant("RULES"))
