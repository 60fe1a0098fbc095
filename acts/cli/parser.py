"""The frame of the command ``kv-cache``: its subcommands' options, its one-line refusals, its exit codes."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..config import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROGRAM = "kv-cache"


class Refusal(Exception):
    """What was asked for cannot be done; its one line says why and what to give instead."""


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one line."""

    def error(self, message: str) -> NoReturn:
        """Hands ``message`` to :func:`run_command` instead of printing the usage."""
        raise Refusal(message)


class Command(NamedTuple):
    """A subcommand: its line of help, what adds its options to a parser, and what gives the text it prints.

    With the text may come an exit code of its own, 1 where nothing was found.
    """

    help: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], str | tuple[str, int]]


def make_parser(commands: Mapping[str, Command], examples: str = "") -> Parser:
    """The parser of ``commands``; ``examples`` stand below its help."""
    root = Parser(
        prog=PROGRAM,
        description="The KV cache explained: its page, and the sizes of real deployments.",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    choices = root.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", required=True, parser_class=Parser
    )
    for name, command in commands.items():
        description = f"{command.help[0].upper()}{command.help[1:]}."
        one = choices.add_parser(name, help=command.help, description=description, allow_abbrev=False)
        command.add_options(one)
        one.set_defaults(run=command.run)
    return root


def run_command(
    commands: Mapping[str, Command], arguments: list[str] | None = None, examples: str = ""
) -> int:
    """Runs the subcommand that ``arguments`` name; returns the exit code.

    0, the command's own, or after one line 2 for what is wrong and 130 for an interruption.
    """
    code = 0
    try:
        options = make_parser(commands, examples).parse_args(arguments)
        said = options.run(options)
        if isinstance(said, tuple):
            said, code = said
        if said:
            print(printable(said), flush=True)
    except (Refusal, ConfigError) as error:
        print(f"{PROGRAM}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, say ``head``, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def printable(text: str) -> str:
    """``text`` in what the output's encoding has: elsewhere x stands for ×, and ? for the rest."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.replace("×", "x").encode(encoding, "replace").decode(encoding)
    return text


def json_option(command: argparse.ArgumentParser) -> None:
    """The option that asks for JSON."""
    command.add_argument("--json", action="store_true", help="as JSON")


def to_json(value: Any) -> str:
    """JSON for programs: indented, no NaN, and nothing lost in an encoding that has not every character."""
    whole = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(value, indent=2, ensure_ascii=not whole, allow_nan=False)
