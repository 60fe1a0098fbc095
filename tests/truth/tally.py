"""How the reader stands with every case that people posted: ``python -m tests.truth.tally`` prints it.

A case is right if its rows, reasons and the words of its answer are; partly, if words of the answer are missing;
wrong, if a verdict or a reason is; silent, if nothing is said. Rows of the truth sets that print no engine's line
cannot be put.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .test_logs import CASES, READABLE, ROWS, judged, report_of, row_faults, row_report


def standing(report: dict[str, Any], faults: list[str]) -> str:
    """What a case is, of the four."""
    if report["engine"] is None or not report["answer"]:
        return "silent"
    if not faults:
        return "right"
    return "partly" if all(fault.startswith("not answered") for fault in faults) else "wrong"


def tally() -> dict[str, Counter[str]]:
    """The count of each standing, over the truth sets' rows and the cases collected since."""
    old = Counter(standing(row_report(raw), row_faults(raw)) for raw in READABLE)
    old["cannot be put"] = len(ROWS) - len(READABLE)
    return {
        "truth sets": old,
        "collected since": Counter(standing(report_of(case), judged(case)) for case in CASES),
    }


if __name__ == "__main__":
    for name, counts in tally().items():
        told = ", ".join(f"{standing} {count}" for standing, count in counts.most_common() if count)
        print(f"{name}: {counts.total()} cases: {told}")
