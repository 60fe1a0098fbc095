"""Every posted log line against the sizing model and the engines' rules."""

import json

import pytest

from .engines.__main__ import PAGE, ROWS
from .engines.check import BYTES_ALONE, Check
from .engines.checks import check_row
from .engines.table import read_results, table

RAW = [raw for path in ROWS for raw in json.loads(path.read_text(encoding="utf-8"))]
#: Rows whose line gives a count of tokens and nothing that it could follow from.
BARE = ["vllm-qwen15-7b-error-only"]


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: raw["id"])
def test_every_printed_figure_is_reproduced(raw):
    result = check_row(raw)
    assert result.checks or raw["id"] in BARE, result.reason
    assert [check for check in result.checks if not check.exact] == []


def test_the_committed_table_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == table(read_results(ROWS)), "run python -m tests.truth.engines"


def _scaled(raw, **config):
    return {**raw, "config": {**raw["config"], **config}}


def _by_id(name):
    return next(raw for raw in RAW if raw["id"] == name)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("lcpp-qwen3-1.7b", {"kv_heads": 4}),
        ("lcpp-gemma4-12b", {"n_seq": 2}),
        ("vllm-gptoss120b-need", {"head_dim": 128}),
        ("vllm-qwen38-27b-tp2-fp8", {"kv_heads": 8}),
        ("vllm-command-r-08-2024", {"tp": 4}),
        ("sglang-glm5-dsa-262144", {"layers": 61}),
        ("sglang-qwen35-9b-tp2", {"linear": "16 v-heads,16 k-heads,128x128,conv4"}),
        ("trtllm-llama2-7b", {"kv_heads": 8}),
        ("lmdeploy-36layer", {"layers": 32}),
        ("ollama-gemma3-27b-est", {"kv_heads": 8}),
    ],
)
def test_the_prediction_follows_the_rows_figures(name, change):
    """Another model in the same row is not what the engine printed: nothing is known by the row's id."""
    raw = _by_id(name)
    assert check_row(raw).status in ("exact", "by rule")
    assert check_row({**_scaled(raw, **change), "id": "x"}).status == "differs"


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: raw["id"])
def test_the_id_does_not_matter(raw):
    assert check_row({**raw, "id": "renamed", "source": ""}).checks == check_row(raw).checks


def test_an_unknown_engine_is_refused_with_a_reason():
    result = check_row({**RAW[0], "engine": "another engine"})
    assert result.status == "not modelled"
    assert "another engine" in result.reason


def test_a_missing_figure_is_named():
    raw = _by_id("trtllm-llama2-7b")
    result = check_row({**raw, "config": {"layers": 32}})
    assert result.status == "not modelled"
    assert "heads" in result.reason


def test_a_rounded_input_gives_a_range():
    check = Check("tokens", "", 100, 90, 110, BYTES_ALONE)
    assert check.exact
    assert check.ratio == 1
    assert not Check("tokens", "", 120, 90, 110).exact
    assert Check("tokens", "", 120, 90, 110).ratio == pytest.approx(110 / 120)
