"""Start-up logs that people posted with a question: the answer, every verdict, and every reason that is given."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from acts.logs import read_log
from acts.logs.answer import log_report
from acts.logs.settings import log_settings
from acts.scenario import Catalog, Scenario
from acts.sizing import LayerGroup, Shape

HERE = Path(__file__).parent
#: Cases collected for this test. ``worked`` is the right value, worked out by hand before the reader was asked;
#: ``rows`` the verdicts by a row's first words, ``answer`` words of it, ``reasons`` words of every reason that is true.
CASES = json.loads((HERE / "engine_logs_public.json").read_text(encoding="utf-8"))
#: What may be said of any log: that something is not known, and why.
ALWAYS = ("The log does not print all parts", "If the card and the engine's share", "Their bytes are not in the log",
          "The log prints neither")  # fmt: skip


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


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_posted_log_is_answered_rightly(case):
    assert judged(case) == [], report_of(case)["answer"]
