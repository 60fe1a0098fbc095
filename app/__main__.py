"""``python -m app export page.html``: the page as a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns the exit code: 0, or 2 after one line on what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m app", description="Write the page to a file.")
    commands = parser.add_subparsers(dest="command", required=True)
    export = commands.add_parser("export", help="write the whole page as one HTML file")
    export.add_argument("path", type=Path, help="the file to write, for example page.html")
    options = parser.parse_args(arguments)

    from .export import export_html, write_atomically

    try:
        write_atomically(options.path, export_html().encode())
    except OSError as error:
        print(f"cannot write {options.path}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
