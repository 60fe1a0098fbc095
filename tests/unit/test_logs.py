"""The log reader on lines that engines printed, and on anything else."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from acts.catalog import CACHE_NAMES
from acts.engines.types import ENGINE_LAYOUTS, engine_cache_id
from acts.logs import read_log
from acts.logs.facts import LOG_ENGINES, LOG_FACTS, LOG_LABELS
from acts.logs.reader import LOG_MAX_BYTES, log_hints

GIB = 2**30
MIB = 2**20

#: Start-up logs quoted from public issues and documents: engine, lines, and the facts they state.
CORPUS = json.loads(
    (Path(__file__).parents[1] / "truth" / "engine_start_logs.json").read_text(encoding="utf-8")
)


def text_of(name):
    return "\n".join(CORPUS[name]["lines"])


def facts(log):
    return {finding["key"]: finding["value"] for finding in log["findings"]}


@pytest.mark.parametrize("name", CORPUS)
def test_what_engines_print_is_read(name):
    log = read_log(text_of(name))
    assert log["engine"] == CORPUS[name]["engine"]
    assert facts(log) == CORPUS[name]["facts"]


@pytest.mark.parametrize("name", CORPUS)
def test_a_finding_quotes_its_line(name):
    for finding in read_log(text_of(name))["findings"]:
        assert finding["label"] == LOG_LABELS[finding["key"]]
        if " + " not in finding["text"]:
            assert finding["text"].lower() in finding["line"].lower()


@pytest.mark.parametrize(
    "prefix", ["", "ERROR ", "\x1b[32mINFO\x1b[0m | ", "| 2026-01-01T00:00:00Z  ", "日志: "]
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_prefixes_and_line_ends_do_not_matter(prefix, ending):
    entry = CORPUS["vllm v1"]
    log = read_log(ending.join(prefix + line for line in entry["lines"]))
    assert (log["engine"], facts(log)) == (entry["engine"], entry["facts"])


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("51.40 GiB", 5140 * GIB // 100),
        ("51.40GiB", 5140 * GIB // 100),
        ("51.40 GB", 5140 * GIB // 100),
        ("1,536 MiB", 1536 * MIB),
        ("1536.0 MB", 1536 * MIB),
        ("512 KiB", 512 * 1024),
        ("0.00 GiB", 0),
        ("-0.94 GiB", 0),
        ("14.98881234567 GiB", 149888 * GIB // 10000),
    ],
)
def test_sizes_are_read_in_binary_units(printed, expected):
    assert facts(read_log(f"Available KV cache memory: {printed}"))["kv_cache_bytes"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello world",
        "Available KV cache memory:",
        "Available KV cache memory: lots",
        "Available KV cache memory: 12",
        "Available KV cache memory: 99999999999999999999 GiB",
        "Available KV cache memory: 1,2345 GiB",
        "GPU KV cache size: 12.5 tokens",
        "MyAvailable KV cache memory: 3 GiB",
        "block_size=16, tensor_parallel_size=4",
        "\x00\x01\ud800",
    ],
)
def test_what_is_no_log_is_not_recognised(text):
    log = read_log(text)
    assert log["engine"] is None
    assert log["findings"] == []
    assert len(log["looked_for"]) == len(LOG_ENGINES)


def test_a_long_paste_is_read_to_its_bounds():
    text = text_of("vllm v1")
    assert read_log(text + "\n" + "x" * 5_000_000)["engine"] == "vllm"
    assert read_log("1," * 3_000_000)["engine"] is None
    assert read_log("\n" * 1_500_000)["engine"] is None
    assert read_log("x" * 2_000_000 + "\n" + text)["engine"] is None


def test_the_table_of_facts_is_well_formed():
    assert set(LOG_FACTS) == set(LOG_ENGINES)
    for rows in LOG_FACTS.values():
        for phrase, key, read, more in rows:
            assert phrase == " ".join(phrase.lower().split())
            assert key in LOG_LABELS
            assert read in ("size", "count", "ratio", "share", "name")
            assert set(more) <= {"before", "where", "also", "without", "keep", "joint", "weak"}
    assert all(len(hint) > 1 for hint in log_hints())


def test_cache_types_are_the_catalogs():
    for name, id in CACHE_NAMES.items():
        assert engine_cache_id(name) == ("" if name in ENGINE_LAYOUTS else id)
    # LMDeploy's int8 has scales a head vector, TensorRT-LLM's has not.
    assert engine_cache_id("int8") == engine_cache_id("constructor") == engine_cache_id("") == ""


PIECES = [line for entry in CORPUS.values() for line in entry["lines"]]
PIECES += [phrase for rows in LOG_FACTS.values() for phrase, *_ in rows]
PIECES += [
    "=",
    ":",
    "(",
    " ",
    "-",
    "/",
    "1",
    "1,000",
    "0.9",
    "3.14 GiB",
    "7 MB",
    "12345678901234567890",
    ".",
    "'fp8'",
]


def logs():
    """Texts between a real log and noise: pieces of logs, numbers and arbitrary characters in any order."""
    return st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20), st.just("\n")), max_size=14).map(
        "".join
    )


@settings(max_examples=400, deadline=None)
@given(st.one_of(logs(), st.text()))
@example("size = ")
@example("kv cache is needed")
def test_any_text_is_read(text):
    log = read_log(text)
    assert log["engine"] is None or log["engine"] in LOG_ENGINES
    for finding in log["findings"]:
        assert finding["key"] in LOG_LABELS
        value = finding["value"]
        assert (engine_cache_id(value) or value in ENGINE_LAYOUTS) if isinstance(value, str) else value >= 0
        assert isinstance(value, str) or value <= LOG_MAX_BYTES
