"""The commands of ``kv-cache`` that draw nothing: a deployment sized, and what the catalog holds.

None of them imports Panel, Bokeh, NumPy or param: an answer should be there at once. The commands that write or serve
the page are in ``app/cli.py``.
"""

from __future__ import annotations

from .lists import run_gpus, run_models, run_types
from .log import log_options, run_log
from .parser import Command, json_option, run_command
from .size import run_size, size_options

#: A subcommand is one line: its name, its line of help, its options, and the function that gives what it prints.
COMMANDS = {
    "size": Command("size one deployment", size_options, run_size),
    "log": Command("answer an engine's start-up log, or its refusal to start", log_options, run_log),
    "models": Command("list the catalog's models", json_option, run_models),
    "gpus": Command("list the catalog's cards", json_option, run_gpus),
    "types": Command("list the types for the cache and for the weights", json_option, run_types),
}


def main(arguments: list[str] | None = None) -> int:
    """Runs one of :data:`COMMANDS`; returns the exit code."""
    return run_command(COMMANDS, arguments)
