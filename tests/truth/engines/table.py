"""The table of docs/engines.md: every figure of every row, printed against predicted."""

from __future__ import annotations

import ast
import inspect
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from acts.engines import llamacpp, vllm
from acts.engines import sglang as workspace
from acts.text import text_fixed, text_number

from . import llamacpp_rules, others, sglang, vllm_rules
from .check import BYTES_ALONE, Check
from .checks import Result, check_row

_HEAD = """\
# What engines print, and what the sizing model says

Written by `python -m tests.truth.engines`; a test fails when it is out of date. The rows are lines that users of
these engines posted; where they come from stands in `tests/truth/engine_logs.json` and `engine_logs_2.json`.
Every prediction is computed from the row's own model figures, tokens and cache type by `acts.sizing`, plus the
engine's rule where one is named.

- **bytes alone**: entries x bytes of one entry, nothing else.
- a rule's name: a function of `acts.engines` or `tests.truth.engines`, listed with its source below the table.
- The ratio is predicted / printed. A prediction that starts from another printed figure, which is rounded,
  is a range; then the point closest to the printed figure counts. Engines print GiB under the name GB; here
  it is GiB.
- **✓**: the prediction, rounded as the engine prints, is the printed figure.
- Where a row leaves a setting unsaid that has two or three values, the one that reproduces its figures is
  taken: prefix caching on or off and the older or newer token count (vLLM, named in the rule), flash
  attention (llama.cpp), a page of 1 or 64 tokens (SGLang), windows honoured or not (Ollama's estimate).
- Not predicted, because bytes do not decide it: what an engine measures while it starts (weights as loaded,
  activation peak, memory outside PyTorch). It enters where a later figure follows from it. Nor is the "wrong"
  column of unsloth-5path-table, which is another formula (all layers, hidden size / heads as head width).

Another file of rows of the same form: `python -m tests.truth.engines rows.json` prints its table.
"""

#: Modules with an engine's rules: what the log reader uses too, then what only the truth set needs.
_RULES = (
    ((vllm, vllm_rules), "vLLM"),
    ((llamacpp, llamacpp_rules), "llama.cpp"),
    ((workspace, sglang), "SGLang"),
    ((others,), "Others"),
)

_STATUS = {
    "exact": "exact by bytes alone",
    "by rule": "exact with the engine's rule",
    "differs": "different from what is printed",
    "not modelled": "not modelled",
}


def read_results(paths: Iterable[Path]) -> list[Result]:
    """Checks every row of truth files."""
    raw: list[dict[str, Any]] = [
        row for path in paths for row in json.loads(path.read_text(encoding="utf-8"))
    ]
    return [check_row(row) for row in raw]


def _figure(value: float, unit: str) -> str:
    """A figure of the table, without decimals that say nothing."""
    if unit in ("", "B", "values"):
        text = text_fixed(value, 0) if value == int(value) else text_number(value, 3)
    else:
        text = text_number(value, 4)
    return f"{text} {unit}".strip()


def _predicted(check: Check) -> str:
    if check.low == check.high:
        return _figure(check.low, check.unit)
    return f"{_figure(check.low, '')} to {_figure(check.high, check.unit)}"


def _rule(check: Check) -> str:
    return check.rule if check.rule == BYTES_ALONE else f"`{check.rule}`"


def _lines(result: Result) -> list[str]:
    row = result.row
    head = f"| {row.id} | {row.engine} | {row.model}"
    if not result.checks:
        return [f"{head} | | | | | | not modelled: {result.reason} |"]
    lines = []
    for number, check in enumerate(result.checks):
        # A row's name stands once; its further figures follow below it.
        start = head if number == 0 else "| | |"
        mark = "✓" if check.exact else "✗"
        lines.append(
            f"{start} | {check.quantity} | {_figure(check.printed, check.unit)} | {_predicted(check)} "
            f"| {text_fixed(check.ratio, 4)} | {mark} | {_rule(check)} |"
        )
    return lines


def _rules() -> list[str]:
    """Every rule with the first sentence of its docstring, module by module."""
    lines = []
    for modules, name in _RULES:
        lines.append(f"\n### {name}\n")
        for module in modules:
            for node in ast.parse(inspect.getsource(module)).body:
                if isinstance(node, ast.FunctionDef):
                    text = " ".join((ast.get_docstring(node) or "").split())
                    lines.append(f"- `{node.name}`: {text}")
    return lines


def table(results: list[Result]) -> str:
    """The whole document."""
    counts = Counter(result.status for result in results)
    figures = [check for result in results for check in result.checks]
    met = sum(check.exact for check in figures)
    summary = "; ".join(f"{counts[status]} {words}" for status, words in _STATUS.items())
    lines = [
        _HEAD,
        f"{len(results)} rows: {summary}. {met} of {len(figures)} printed figures are met.\n",
        "| row | engine | model | figure | printed | predicted | ratio | | how |",
        "|---|---|---|---|---:|---:|---:|---|---|",
    ]
    for result in results:
        lines.extend(_lines(result))
    lines.append("\n## The rules")
    lines.extend(_rules())
    return "\n".join(lines) + "\n"
