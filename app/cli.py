"""The command ``kv-cache``: the page written or served, and, from :mod:`acts.cli`, deployments sized.

What draws is imported when it is asked for: an answer that needs no page should be there at once.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from acts.bounds import BOUNDS
from acts.cli import COMMANDS as SIZING_COMMANDS
from acts.cli.asked import number
from acts.cli.parser import Command, Refusal, run_command
from acts.cli.size import NUMBERS
from acts.scripts import STATIC

from .ask import quiz_options, read_questions, read_seed, run_quiz
from .files import is_stream, orderly_end, write_file
from .quiz import FIRST_SEED

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

#: What a page that embeds an act runs, by its name in static/.
HOST_SCRIPT = "kv-cache-embed.js"
#: Seconds of silence that need no explanation.
PATIENCE = 1.0
#: What an option sets in the file's first state -> what it means.
SCENARIO_OPTIONS = {
    "model": "model id",
    "gpu": "card id",
    "weights": "type of the weights",
    "cache": "type of the cache",
    "cache_v": "type of the cached values, if not the keys'",
    **NUMBERS,
}
EXAMPLES = """examples:
  kv-cache serve --port 8080
  kv-cache export page.html
  kv-cache export wall.html --act wall --model llama-3-70b --gpus 2
  kv-cache export course.zip --scorm
  kv-cache export handout.html --model llama-3.1-8b --seed 7
  kv-cache export kv-cache-embed.js
  kv-cache build site/
  kv-cache size llama-3.1-70b --gpus 2 --context 32768
  kv-cache quiz --seed 7 --model llama-3.1-70b --weights int4"""


def export_options(export: argparse.ArgumentParser) -> None:
    """What is written, and what it shows first."""
    export.add_argument(
        "path",
        type=Path,
        help=f"the file to write, for example page.html; {HOST_SCRIPT} is the script for pages that embed an act",
    )
    export.add_argument("--act", help="write this act alone")
    export.add_argument(
        "--scorm", action="store_true", help="write a SCORM 1.2 package for a learning platform"
    )
    export.add_argument(
        "--mastery", metavar="PERCENT", help="with --scorm: the score from which it is passed"
    )
    export.add_argument(
        "--handout", action="store_true", help="write the sheet for a class; so does the name handout.html"
    )
    export.add_argument("--seed", metavar="N", help="with the sheet: the quiz's draw (default: 1)")
    export.add_argument("--questions", metavar="NAME,NAME", help="with the sheet: ask these instead")
    start = export.add_argument_group("start state", "what the page shows first; see kv-cache models")
    for name, meaning in SCENARIO_OPTIONS.items():
        start.add_argument(f"--{name.replace('_', '-')}", metavar="VALUE", help=meaning)


def run_export(options: argparse.Namespace) -> str:
    """Writes the file; returns what to say about it."""
    if options.scorm and options.act:
        raise Refusal("--scorm packages the whole page with its quiz; leave --act out")
    if options.mastery is not None and not options.scorm:
        raise Refusal("--mastery goes with --scorm")
    sheet = options.handout or options.path.name == "handout.html"
    if sheet and (options.scorm or options.act):
        raise Refusal("--handout writes the sheet for a class; leave --act and --scorm out")
    if (options.seed or options.questions) and not sheet:
        raise Refusal("--seed and --questions go with --handout")
    if options.path.name == HOST_SCRIPT:
        return export_host_script(options)
    seed, names = read_seed(options.seed or str(FIRST_SEED)), read_questions(options.questions)
    given = {name: text for name in SCENARIO_OPTIONS if (text := getattr(options, name)) is not None}
    values = {name: number(name, text) if name in BOUNDS else text for name, text in given.items()}
    with writing(options.path):
        from acts import Scenario

        from .export import export_html
        from .handout import handout_html
        from .scorm import scorm_package

        try:
            scenario = Scenario(**values)
            if options.scorm:
                content = scorm_package(scenario, options.mastery)
            elif sheet:
                content = handout_html(scenario, seed, names).encode()
            else:
                content = export_html(options.act, scenario).encode()
        except ValueError as error:
            raise Refusal(str(error)) from error
        write_file(options.path, content)
    # What reads a stream is to get the page and nothing else.
    return "" if is_stream(options.path) else f"wrote {options.path} ({len(content) / 1e6:.2f} MB)"


def export_host_script(options: argparse.Namespace) -> str:
    """Writes the script for pages that embed an act; returns what to say about it."""
    given = [name for name in ("act", "handout", "scorm", *SCENARIO_OPTIONS) if getattr(options, name)]
    if given:
        raise Refusal(f"{HOST_SCRIPT} is the same for every act; leave --{given[0].replace('_', '-')} out")
    with writing(options.path):
        write_file(options.path, (STATIC / HOST_SCRIPT).read_bytes())
    return "" if is_stream(options.path) else f"wrote {options.path}"


def build_options(build: argparse.ArgumentParser) -> None:
    """Where the files go."""
    build.add_argument("path", type=Path, help="the folder to write, for example site/")
    build.add_argument(
        "--address", default="", help="where the page will be found; gives its links a picture, and a sitemap"
    )
    build.add_argument("--source", default="", help="where its source is kept and errors are reported")


def run_build(options: argparse.Namespace) -> str:
    """Writes the folder; returns what to say about it."""
    for name in ("address", "source"):
        given = getattr(options, name)
        if given and not re.fullmatch(r"https?://[^\s\"'<>?#&]+", given):
            raise Refusal(f"--{name} cannot be {given!r}; give one such as https://example.org/kv-cache/")
    address = options.address
    with writing(options.path):
        from .build import build_site

        files = build_site(options.path, f"{address.rstrip('/')}/" if address else "", options.source)
    return f"wrote {len(files)} files to {options.path}"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Says what is being done if it takes a while, leaves no rest if told to end; what cannot be written is refused."""
    with progress(f"writing {path}"), orderly_end():
        try:
            yield
        except OSError as error:
            # A template that is not there is an OSError too, and no matter of the path.
            if error.strerror is None:
                raise
            raise Refusal(f"cannot write {path}: {error.strerror}") from error


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


def serve_options(serve: argparse.ArgumentParser) -> None:
    """Where the page is to be had."""
    serve.add_argument("--port", default="5006", help="port to listen on (default: %(default)s)")
    serve.add_argument("--address", help="address to listen on (default: every one of this machine)")
    serve.add_argument(
        "--allow-websocket-origin",
        metavar="HOST[:PORT]",
        action="append",
        default=[],
        help="under which name the page is visited, if not localhost; may be given again",
    )
    serve.add_argument("more", nargs="*", metavar="-- OPTION", help="further options of panel serve")


def run_serve(options: argparse.Namespace) -> str:
    """Serves the page, a session for each viewer, until it is stopped; nothing is left to say then.

    Panel's command runs in this process, which has this page's packages already: nothing of those names in the
    working folder takes their place.
    """
    if not options.port.isdecimal() or not options.port.isascii() or int(options.port) > 65535:
        raise Refusal(f"port cannot be {options.port!r}; give a whole number from 0 to 65,535")
    from panel.command import main as panel

    here = Path(__file__).parent
    sys.argv = ["panel", "serve", str(here), "--index", here.name, "--port", options.port]
    if options.address:
        sys.argv += ["--address", options.address]
    for origin in options.allow_websocket_origin:
        sys.argv += ["--allow-websocket-origin", origin]
    sys.argv += options.more
    panel()
    return ""


#: A subcommand is one line, as in :data:`acts.cli.COMMANDS`.
COMMANDS = {
    "serve": Command("serve the page, with a Panel session for each viewer", serve_options, run_serve),
    "export": Command("write the whole page, or one act, as one HTML file", export_options, run_export),
    "build": Command("write the page for a web server or CDN", build_options, run_build),
    "quiz": Command("draw questions on a deployment, with their answers", quiz_options, run_quiz),
    **SIZING_COMMANDS,
}


def main(arguments: list[str] | None = None) -> int:
    """Runs one of :data:`COMMANDS`; returns the exit code."""
    return run_command(COMMANDS, arguments, EXAMPLES)
