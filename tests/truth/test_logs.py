"""Start-up logs that people posted with a question: the answer, every verdict, and every reason that is given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from acts.logs import read_log
from acts.logs.answer import log_report
from acts.logs.facts import LOG_ENGINES
from acts.logs.settings import log_settings
from acts.scenario import Catalog, Scenario
from acts.sizing import LayerGroup, Shape

from .engines.lines import log_lines
from .engines.rows import Unreadable, read_groups, read_linear, read_row

HERE = Path(__file__).parent
#: Cases collected for this test. ``worked`` is the right value, worked out by hand before the reader was asked;
#: ``rows`` the verdicts by a row's first words, ``answer`` words of it, ``reasons`` words of every reason that is true.
CASES = json.loads((HERE / "engine_logs_public.json").read_text(encoding="utf-8"))
#: What may be said of any log: that something is not known, and why.
ALWAYS = ("The log does not print all parts", "If the card and the engine's share", "Their bytes are not in the log",
          "The log prints neither", "is not added to the model's weights", "Another load of Ollama's")  # fmt: skip


def shape_of(model):
    groups = []
    for layers, heads, keys, values, window, *latent in model["groups"]:
        kind, full_keys, full_values = latent or ("attention", 0, 0)
        unfolded = {"full_key_width": full_keys, "full_value_width": full_values}
        groups.append(LayerGroup(layers, heads, keys, values, window, kind=kind, **unfolded))
    return Shape(
        tuple(groups),
        model["heads"],
        model["layers"],
        model["parameters"],
        model["parameters"],
        model["state_bytes"],
    )


def report_of(case):
    log = read_log("\n".join(case["lines"]))
    catalog = Catalog()
    named = isinstance(case["model"], str)
    values = (log_settings(log) | case["state"]) | ({"model": case["model"]} if named else {})
    scenario = Scenario(**values)
    state = SimpleNamespace(**{name: getattr(scenario, name) for name in scenario.param if name != "name"})
    shape = catalog.models[case["model"]].shape if named else shape_of(case["model"])
    return log_report(log, shape, state, catalog)


def judged(case):
    """What is wrong with the answer to a case: rows of another verdict, words left out, reasons that are not true."""
    report = report_of(case)
    faults = [] if report["starts"] == case["starts"] else [f"{report['starts']} starts"]
    for label, verdict in case["rows"].items():
        rows = [row for row in report["rows"] if row["what"].startswith(label)]
        if [row["verdict"] for row in rows] != [verdict]:
            faults.append(f"{label}: {[(row['verdict'], row['reason']) for row in rows]}")
    said = " ".join(report["answer"])
    faults += [f"not answered: {words}" for words in case["answer"] if words not in said]
    for row in report["rows"]:
        true = (*case["reasons"], *ALWAYS)
        if row["reason"] and not any(words in row["reason"] for words in true):
            faults.append(f"untrue: {row['what']}: {row['reason']}")
        if row["verdict"] == "differs" and not any(row["what"].startswith(label) for label in case["rows"]):
            faults += [] if case["reasons"] else [f"differs: {row['what']}"]
    return faults


def test_no_engine_goes_unasked():
    asked = {read_log("\n".join(case["lines"]))["engine"] for case in CASES}
    unasked = set(LOG_ENGINES) - asked - {"pytorch"}
    assert not unasked, f"put a question about a log of {unasked} into tests/truth/engine_logs_public.json"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_posted_log_is_answered_rightly(case):
    assert judged(case) == [], report_of(case)["answer"]


# --- the rows that check the engines' rules, in their engines' own wording ------------------------------------

ROWS = [
    raw
    for name in ("engine_logs", "engine_logs_2")
    for raw in json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
]
#: Rows whose figure the scenario cannot give, and the true reason, worked out by tests.truth.engines.
REASONS = {
    "lcpp-gemma4-e4b-full-f16": ["the 4 layers that keep every token"],
    # Of two caches the padded one alone: no single cause gives its figure.
    "lcpp-gemma4-e4b-nofa-vpad": ["may not be the log's"],
    "lcpp-gemma4-e4b-swa-q8": ["the 20 layers with a window"],
    "ollama-gemma3-27b-est": ["does not honour the windows"],
    "vllm-gptoss120b-need": ["chunks of 1,024 tokens"],
    "vllm-qwen35-122b-nvfp4-mtp": ["shared out evenly"],
    "vllm-qwen35-27b-log-bug": ["shared out evenly"],
    "vllm-r1-distill-qwen14b-tp2": ["a rank whose line is not here had 7.46 GiB"],
    "lcpp-mla-v-stored": ["stores the latent again"],
}


def row_shape(raw):
    """The row's model: its layers that cache, and its recurrent state in the model's own types."""
    row = read_row(raw)
    groups = read_groups(row)
    linear = read_linear(row)
    layers = row.number("layers", default=0) or sum(group.layers for group in groups)
    state = 0
    if linear is not None:
        full = row.number("full_layers", default=1) - (1 if row.own.get("num_spec") else 0)
        groups = [replace(groups[0], layers=full)]
        layers = full + linear.layers
        per_layer = linear.state_values * linear.state_size + linear.channels * (linear.kernel - 1) * 2
        state = linear.layers * per_layer
    return Shape(tuple(groups), row.number("heads", default=0) or 1, layers, 0, 0, state)


def row_report(raw, **state):
    log = read_log("\n".join(log_lines(raw)))
    cache = {"cache": "fp8"} if raw["dtype"].startswith("fp8") else {}
    wanted = {"gpus": raw["config"].get("tp", 1)} | cache | log_settings(log) | state
    scenario = Scenario(**wanted)
    values = SimpleNamespace(**{name: getattr(scenario, name) for name in scenario.param if name != "name"})
    return log_report(log, row_shape(raw), values, Catalog())


def readable(raw):
    try:
        row_shape(raw)
    except (Unreadable, KeyError, ValueError):
        return False
    return read_log("\n".join(log_lines(raw)))["engine"] is not None


READABLE = [raw for raw in ROWS if readable(raw)]


def row_faults(raw):
    """What is wrong with the answer to a row: no rows at all, or one that is neither met nor truly explained."""
    rows = row_report(raw)["rows"]
    faults = [] if rows else ["not answered: no row"]
    for row in rows:
        true = ALWAYS if row["verdict"] == "unknown" else REASONS.get(raw["id"], [])
        if row["verdict"] != "equal" and not any(words in row["reason"] for words in true):
            faults.append(f"untrue: {row}")
    return faults


@pytest.mark.parametrize("raw", READABLE, ids=lambda raw: raw["id"])
def test_a_row_of_the_truth_set_is_met_or_truly_explained(raw):
    assert row_faults(raw) == []


@pytest.mark.parametrize("raw", READABLE, ids=lambda raw: raw["id"])
def test_a_wrong_scenario_gets_no_untrue_fact(raw):
    """Other types and cards than the log's: what is stated as a fact stays true, all else says what would fit."""
    true = [
        *REASONS.get(raw["id"], []),
        "The log's cache holds",
        "The log's model is split",
        "The log's keys are",
    ]
    for state in ({"cache": "q4_0", "cache_v": ""}, {"gpus": 16}, {"cache": "fp8", "cache_v": "", "gpus": 2}):
        for row in row_report(raw, **state)["rows"]:
            if row["verdict"] == "explained":
                assert any(words in row["reason"] for words in true), row["reason"]
            elif row["verdict"] == "differs":
                assert row["reason"].startswith(
                    ("Would fit if", "No cache type", "The model", "The printed")
                ), row


def test_most_rows_of_the_truth_sets_are_read():
    assert len(READABLE) >= 58
