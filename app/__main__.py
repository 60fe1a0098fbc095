"""``python -m app``: the page as a file, as a package for a learning platform, or as files for a web server.

python -m app export page.html
python -m app export wall.html --act wall --model llama-3-70b --gpus 2
python -m app export course.zip --scorm
python -m app build site/
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Seconds of silence that need no explanation.
PATIENCE = 1.0
#: What an option sets in the file's first state -> what it means.
SCENARIO_OPTIONS = {
    "model": "model id",
    "gpu": "card id",
    "gpus": "cards the model is split over",
    "weights": "type of the weights",
    "cache": "type of the cache",
    "context": "tokens of each user's sequence",
    "users": "sequences held at once",
    "reserve": "GiB a card set aside for activations",
}


class Refusal(Exception):
    """What was asked for cannot be done; its one line says why."""


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one line."""

    def error(self, message: str) -> NoReturn:
        """Hands ``message`` to :func:`main` instead of printing the usage."""
        raise Refusal(message)


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    root = Parser(prog="python -m app", description="Write the page to files.", allow_abbrev=False)
    commands = root.add_subparsers(dest="command", required=True, parser_class=Parser)
    export = commands.add_parser("export", help="write the whole page as one HTML file", allow_abbrev=False)
    export.add_argument("path", type=Path, help="the file to write, for example page.html")
    export.add_argument("--act", help="write this act alone")
    export.add_argument(
        "--scorm", action="store_true", help="write a SCORM 1.2 package for a learning platform"
    )
    export.add_argument(
        "--mastery", metavar="PERCENT", help="with --scorm: the score from which it is passed"
    )
    start = export.add_argument_group("start state", "what the page shows first; see python -m acts models")
    for name, meaning in SCENARIO_OPTIONS.items():
        start.add_argument(f"--{name}", metavar="VALUE", help=meaning)
    export.set_defaults(run=run_export)
    build = commands.add_parser("build", help="write the page for a web server or CDN", allow_abbrev=False)
    build.add_argument("path", type=Path, help="the folder to write, for example site/")
    build.set_defaults(run=run_build)
    return root


def number(text: str) -> Any:
    """``text`` as the number it is, else as it stands: the scenario says what it takes."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def run_export(options: argparse.Namespace) -> str:
    """Writes the file; returns what to say about it."""
    if options.scorm and options.act:
        raise Refusal("--scorm packages the whole page with its quiz; leave --act out")
    if options.mastery is not None and not options.scorm:
        raise Refusal("--mastery goes with --scorm")
    from acts import Scenario

    from .export import export_html, write_atomically
    from .scorm import scorm_package

    given = {name: getattr(options, name) for name in SCENARIO_OPTIONS}
    try:
        scenario = Scenario(**{name: number(text) for name, text in given.items() if text is not None})
        if options.scorm:
            content = scorm_package(scenario, options.mastery)
        else:
            content = export_html(options.act, scenario).encode()
    except ValueError as error:
        raise Refusal(str(error)) from error
    write_atomically(options.path, content)
    return f"wrote {options.path} ({len(content) / 1e6:.2f} MB)"


def run_build(options: argparse.Namespace) -> str:
    """Writes the folder; returns what to say about it."""
    from .build import build_site

    files = build_site(options.path)
    return f"wrote {len(files)} files to {options.path}"


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Says what is being done, and how long it took, if that is long enough to wonder."""
    start = time.monotonic()
    timer = threading.Timer(PATIENCE, lambda: print(f"{what} ...", file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if (seconds := time.monotonic() - start) > PATIENCE:
        print(f"done in {seconds:.0f} s", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns the exit code: 0, or 2 after one line on what is wrong."""
    try:
        options = parser().parse_args(arguments)
        with progress(f"writing {options.path}"):
            said = options.run(options)
    except OSError as error:
        return refuse(f"cannot write {options.path}: {error.strerror}")
    except Refusal as error:
        return refuse(str(error))
    print(said)
    return 0


def refuse(reason: str) -> int:
    """Prints one line on what is wrong; returns the exit code that goes with it."""
    print(f"app: {' '.join(reason.split())}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
