"""``python -m tests.truth.engines [rows.json] [--stdout]``: checks rows, writes docs/engines.md (or prints it)."""

from __future__ import annotations

import argparse
from pathlib import Path

from .table import read_results, table

ROOT = Path(__file__).resolve().parents[3]
ROWS = [ROOT / "tests" / "truth" / name for name in ("engine_logs.json", "engine_logs_2.json")]
PAGE = ROOT / "docs" / "engines.md"


def main() -> None:
    """Writes the table of the committed rows, or prints that of another file of the same form."""
    parser = argparse.ArgumentParser(prog="python -m tests.truth.engines", description=main.__doc__)
    parser.add_argument(
        "rows", nargs="*", type=Path, default=ROWS, help="rows to check (default: the truth set)"
    )
    parser.add_argument(
        "--stdout", action="store_true", help="print the table instead of writing docs/engines.md"
    )
    chosen = parser.parse_args()
    text = table(read_results(chosen.rows))
    if chosen.stdout or chosen.rows != ROWS:
        print(text)
        return
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
