"""Broken configs, GGUF metadata, cards and weights of one's own: a number or one sentence, alike in both languages.

The default run tries three thousand; ``python -m pytest -m fuzz tests/unit/test_config_fuzz.py`` tries 20,000.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acts.bounds import AMOUNTS, BOUNDS, DEFAULTS
from acts.catalog import CACHE_NAMES, Catalog
from acts.cli.asked import number
from acts.cli.parser import Refusal
from acts.config import read_shape, shape_of
from acts.config.gguf import read_gguf
from acts.deployment import deploy
from acts.scenario import Scenario
from acts.sizing import ValueType, bytes_per_sequence
from acts.twin import javascript

from ..gguf_files import FILES

TRUTH = Path(__file__).parents[1] / "truth"
ROWS = [
    row
    for name in ("models", "models_whole", "models_missing_keys")
    for row in json.loads((TRUTH / f"{name}.json").read_text(encoding="utf-8"))
    if len(json.dumps(row)) < 5000
]
SIXTEEN_BIT = ValueType(1, 2)
#: How many mutants are tried: of five, two are configs, two GGUF files' tables and one a deployment's own numbers.
MUTANTS = [3000, pytest.param(20_000, marks=pytest.mark.fuzz)]
CATALOG = Catalog()


# Families that the truth has no row of, so that their branches are mutated too.
def model(model_type, layers, heads, **fields):
    return {"model_type": model_type, "num_hidden_layers": layers, "num_attention_heads": heads, **fields}


# Families that the truth has no row of, so that their branches are mutated too.
MORE = [
    model("bamba", 4, 32, num_key_value_heads=8, hidden_size=4096, attn_layer_indices=[1, 3], mamba_n_heads=128,
          mamba_d_head="auto", mamba_n_groups=1, mamba_d_state=128, mamba_d_conv=4, mamba_expand=2),
    model("falcon_h1", 3, 12, num_key_value_heads=2, head_dim=128, hidden_size=1024, mamba_d_ssm=1536,
          mamba_n_heads=24, mamba_n_groups=1, mamba_d_state=256),
    {"model_type": "mamba2", "num_hidden_layers": 64, "num_heads": 128, "head_dim": 64, "state_size": 128,
     "n_groups": 8, "hidden_size": 4096, "conv_kernel": 4, "expand": 2},
    model("recurrent_gemma", 26, 10, hidden_size=2560, num_key_value_heads=1, lru_width=2560,
          block_types=["recurrent", "recurrent", "attention"]),
    {"model_type": "t5", "d_model": 512, "d_kv": 64, "num_layers": 6, "num_heads": 8},
    model("deepseek_v2", 27, 16, kv_lora_rank=512, qk_rope_head_dim=64, q_lora_rank=None, hidden_size=2048,
          v_head_dim=128, qk_nope_head_dim=128, vocab_size=102400, intermediate_size=10944, n_routed_experts=64,
          moe_intermediate_size=1408, num_experts_per_tok=6, n_shared_experts=2, first_k_dense_replace=1),
    model("hunyuan", 64, 80, num_key_value_heads=8, hidden_size=6400, use_cla=True, cla_share_factor=2),
    {"model_type": "chatglm", "num_layers": 28, "num_attention_heads": 32, "hidden_size": 4096,
     "kv_channels": 128, "multi_query_attention": True, "multi_query_group_num": 2, "seq_length": 32768},
    model("minimax_m1", 4, 64, num_key_value_heads=8, head_dim=128, hidden_size=6144, attn_type_list=[0, 0, 0, 1]),
    model("mimo_v2_flash", 4, 64, num_key_value_heads=4, head_dim=192, v_head_dim=128, swa_head_dim=192,
          swa_num_key_value_heads=8, swa_v_head_dim=128, sliding_window=128, hybrid_layer_pattern=[0, 1, 1, 0]),
    model("gemma4_unified_text", 6, 8, num_key_value_heads=4, per_layer_config={
        "5": {"head_dim": 512, "num_key_value_heads": 2}}),
    model("brand_new", 2, 8, hidden_size=512, layer_types=["sliding_attention", "full_attention"],
          sliding_window=64),
]  # fmt: skip
BASES = [row["config"] for row in ROWS] + MORE

NESTED: list = []
for _ in range(100):
    NESTED = [NESTED]
VALUES = [
    None, True, False, 0, -1, 1, 2, 3, 7, 8, 8.0, 8.5, -0.25, 64, 128, 4096, 4097, 2**31, 2**53, 2**53 + 1,
    10**30, 10**400, 1e300, float("nan"), float("inf"), float("-inf"), "", "8", "full_attention", "LLLG", "M*-E",
    "auto", "float32", "fp8", "<script>alert(1)</script>", "__proto__", "constructor", "toString", 'quote " \\',
    "é" * 60, "\U0001f600\U0001f600 tail", "line\nbreak", [], [1], [0, 1, 2, 3], [8, 8.0, "8"], ["auto"],
    ["full_attention"] * 3, ["sliding_attention", "full_attention"], [None], [[1]], {}, {"length": 3},
    {"constructor": 1}, {"a": {"b": 1}}, {"num_bits": 8, "type": "float"}, {"num_hidden_layers": 2}, NESTED,
]  # fmt: skip
KEYS = [
    *sorted({key for base in BASES for key in [*base, *(base.get("text_config") or {})]}),
    "__proto__", "constructor", "length", "get", "keys", "items", "toString", "hasOwnProperty", "7", "",
    "sparse_attention_mode", "mystery", "kv_cache_quant_algo", "use_sliding_window", "cross_attention_layers",
    "num_kv_shared_layers", "kv_lora_rank", "attention_chunk_size", "is_encoder_decoder", "thinker_config",
    "name",
]  # fmt: skip
WRAPPERS = ["text_config", "llm_config", "thinker_config"]


def copied(value):
    """A deep copy of a JSON value; copy.deepcopy takes ten times as long."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def places(value, depth=0):
    """Every value of a config, as its container and key."""
    found = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        found.append((value, key))
        if isinstance(inner, dict | list) and depth < 6:
            found.extend(places(inner, depth + 1))
    return found


def mutate(dice: random.Random, config: dict) -> dict:
    """One to four faults in a copy of ``config``."""
    config = copied(config)
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3, 4])):
        found = places(config)
        if not found:
            break
        container, key = dice.choice(found)
        value = container[key]
        match dice.randrange(9):
            case 0:
                del container[key]
            case 1 | 2:
                container[key] = copied(dice.choice(VALUES))
            case 3 if isinstance(value, int | float) and abs(value) < 2**60:
                changed = [-value, value * 2, value + 1, value / 3, float(value), str(value), value * 10**12]
                container[key] = dice.choice(changed)
            case 4 if isinstance(value, list | str) and value:
                half = value[: len(value) // 2]
                container[key] = dice.choice([value[:-1], value + value[:1], value[::-1], half])
            case 5 if isinstance(container, dict):
                container[dice.choice(KEYS)] = container.pop(key)
            case 6 if isinstance(container, dict):
                container[dice.choice(KEYS)] = copied(dice.choice(VALUES))
            case 7 if isinstance(container, dict):
                container[dice.choice(WRAPPERS)] = copied(dice.choice(BASES))
            case _:
                config["model_type"] = dice.choice(BASES).get("model_type")
    return config


#: Metadata of GGUF files as their header holds it.
TABLES = [
    {
        "general.architecture": name,
        "general.name": "A model",
        "general.file_type": 15,
        **{f"{name}.{key}": value for key, value in keys.items()},
    }
    for name, keys, _ in FILES.values()
]


def tensors(dice: random.Random) -> list:
    """A few tensors: names, numbers of values, numbers of types, some unknown."""
    names = ["token_embd.weight", "blk.0.ffn_up_exps.weight", "output.weight"]
    return [[name, dice.randrange(2 ** dice.choice([10, 30, 50])), dice.randrange(45)] for name in names]


#: Numbers of a card or of weights of one's own, and what people type there; null bytes and other scripts' digits too.
OWN = [
    "card_gib",
    "card_bandwidth",
    "card_flops",
    "weights_gib",
    "utilisation",
    "reserve",
    "users",
    "context",
    "gpus",
]
TYPED = [
    "", " ", "0", "-0", "-1", "1", "1.5", " 24 ", "1e3", "1e-9", "1e999", "-1e999", "nan", "inf", "Infinity", "0x10",
    "1_0", "1,000", "1.000,5", "24 GiB", "24GB", "١٢", "²", "+5", "--5", "1e", ".", "5.", ".5", "9" * 400,
    "1" + "0" * 30, "null", "true", "<b>1</b>", "\0", "1\n2", "16384.000001", "4096", "100000", "0.999999",
    "1.0000000001", "92.5",
]  # fmt: skip


def own_numbers(dice: random.Random) -> dict:
    """What is typed for some of a deployment's own numbers: mostly what can be, now and then what cannot."""
    typed = {}
    for name in dice.sample(OWN, dice.choice([1, 2, 4])):
        low, high = BOUNDS[name]
        whole = name not in AMOUNTS
        fitting = str(dice.randint(low, high)) if whole else str(dice.uniform(low, high))
        typed[name] = dice.choice(TYPED) if dice.random() < 0.3 else fitting
    return typed


def read_own(typed: dict) -> dict:
    """The deployment with these numbers, or the sentence that refuses one of them on the command line."""
    try:
        values = {name: number(name, text) for name, text in typed.items()}
    except Refusal as refusal:
        return {"error": f"{refusal}."}
    state = {**DEFAULTS, "gpu": "custom", **values}
    Scenario(**state)  # what the command line takes, Python takes
    return {"state": state, "sizes": deploy(SimpleNamespace(**state), CATALOG)}


def read_mutant(mutant):
    """What Python makes of a mutant: a config, a GGUF file's table and tensors, or typed numbers."""
    if isinstance(mutant, list):
        return read_gguf(*mutant)
    return read_own(mutant["typed"]) if "typed" in mutant else read_shape(mutant)


@pytest.fixture(scope="module", params=MUTANTS)
def broken(request):
    """Mutated configs and tables, each with what Python reads from it."""
    dice = random.Random(20260101)
    mutants = []
    for index in range(request.param):
        if index % 5 == 0:
            mutants.append({"typed": own_numbers(dice)})
        elif index % 5 < 3:
            mutants.append([mutate(dice, dice.choice(TABLES)), tensors(dice)])
        else:
            mutants.append(mutate(dice, dice.choice(BASES)))
    return [(mutant, read_mutant(mutant)) for mutant in mutants]


def check_outcome(outcome) -> bool:
    """Whether an outcome is a shape; fails on anything but a shape of whole bytes or one sentence."""
    if "error" in outcome:
        sentence = outcome["error"]
        assert sentence.endswith("."), sentence
        assert "\n" not in sentence, sentence
        assert 20 < len(sentence) < 400, sentence
        return False
    if "sizes" in outcome:
        for name, size in outcome["sizes"].items():
            assert type(size) is int, name
            assert abs(size) < 2**63, name
        assert outcome["sizes"]["max_users"] >= 0
        return True
    shape = shape_of(outcome["shape"])
    for tokens in (0, 1, 1000, 1048576):
        size = bytes_per_sequence(shape, tokens, SIXTEEN_BIT, SIXTEEN_BIT)
        assert type(size) is int
        assert 0 <= size * 1024 < 2**53
    assert type(shape.parameters) is int
    assert 0 <= shape.active_parameters <= shape.parameters < 2**53
    return True


def test_mutants_give_a_shape_or_a_sentence(broken):
    read = sum(check_outcome(outcome) for _, outcome in broken)
    assert 0.2 * len(broken) < read < 0.9 * len(broken)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=20,
)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(JSON, st.sampled_from(BASES), st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4))
def test_any_json_gives_a_shape_or_a_sentence(junk, base, changes):
    check_outcome(read_shape(junk))
    check_outcome(read_shape({**base, **changes}))


# JSON.parse as the page does; NaN and Infinity, which JSON lacks, as JavaScript spells them.
READ_ALL = """
function parsed(text) {
  try { return JSON.parse(text); } catch (error) { return eval("(" + text + ")"); }
}
function outcome(mutant) { return Array.isArray(mutant) ? read_gguf(mutant[0], mutant[1]) : read_shape(mutant); }
function outcomes(texts) { return JSON.stringify(texts.map(text => outcome(parsed(text)))); }
function deployed(states) { return states.map(state => deploy(state, CATALOG)); }
"""


@pytest.mark.browser
def test_the_browser_reads_every_mutant_alike(broken, browser):
    page = browser.new_page()
    names = f"const CACHE_NAMES = {json.dumps(CACHE_NAMES)};"
    names += f"const CATALOG = {json.dumps(asdict(CATALOG))};"
    modules = ("acts.config.reader", "acts.config.gguf", "acts.deployment")
    page.add_script_tag(content=javascript(modules) + names)
    page.add_script_tag(content=READ_ALL)
    own = [outcome for _, outcome in broken if "sizes" in outcome]
    assert page.evaluate("states => deployed(states)", [outcome["state"] for outcome in own]) == [
        outcome["sizes"] for outcome in own
    ]
    files = [
        (mutant, outcome) for mutant, outcome in broken if isinstance(mutant, list) or "typed" not in mutant
    ]
    for start in range(0, len(files), 1000):
        part = files[start : start + 1000]
        texts = [json.dumps(config) for config, _ in part]
        twins = json.loads(page.evaluate("texts => outcomes(texts)", texts))
        for (config, outcome), twin in zip(part, twins, strict=True):
            assert outcome == twin, json.dumps(config)[:2000]
    page.close()
