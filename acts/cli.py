"""The command line: a deployment sized without a browser, and what the catalog holds.

Nothing here draws, so nothing here imports Panel, Bokeh, NumPy or param: an answer should be there at once.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from .bounds import BOUNDS
from .catalog import CACHE_ALIASES, Catalog, Model
from .config import ConfigError, read_config_fields
from .deployment import TYPICAL_RESERVE, context_beyond, deploy, deploy_as
from .formula import formula_linear, formula_sequence, formula_token
from .limits import ALIASES, DEFAULTS, refusal
from .own_model import own_model, own_title
from .sizing import (
    bytes_per_sequence,
    bytes_per_token,
    ceil_div,
    fixed_bytes_per_sequence,
    growth_bytes_per_token,
    max_context,
    step_bytes,
    step_seconds,
    weights_bytes,
)
from .text import text_amount, text_bytes, text_count, text_fixed, text_gib, text_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A config.json is a few kilobytes; anything beyond this is another file.
CONFIG_BYTES = 1_000_000
#: More parameters than any model has; both languages' whole numbers are exact at 16 bits each.
MOST_PARAMETERS = 100_000_000_000_000
COUNT_SUFFIXES = {"k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}


class UsageError(Exception):
    """What was asked for cannot be answered; its one line says why and what to give instead."""


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one line."""

    def error(self, message: str) -> NoReturn:
        """Hands ``message`` to :func:`main` instead of printing the usage."""
        raise UsageError(message)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns the exit code: 0, or 2 after one line on what is wrong."""
    try:
        options = parser().parse_args(arguments)
        print(options.run(options))
        sys.stdout.flush()
    except (UsageError, ConfigError) as error:
        print(f"acts: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, say ``head``, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    root = Parser(
        prog="python -m acts", description="Size a KV cache, or list the catalog.", allow_abbrev=False
    )
    commands = root.add_subparsers(dest="command", required=True, parser_class=Parser)
    size = commands.add_parser("size", help="size one deployment", allow_abbrev=False)
    size.add_argument(
        "model", metavar="CONFIG_OR_ID", help="a model id, the path of a config.json, or - for stdin"
    )
    size.add_argument(
        "--gpu", default=DEFAULTS["gpu"], help="card id, see the command gpus (default: %(default)s)"
    )
    size.add_argument(
        "--weights", default=DEFAULTS["weights"], help="type of the weights (default: %(default)s)"
    )
    size.add_argument("--cache", help="type of the cache (default: what the config declares, else bf16)")
    for name, doc in {
        "gpus": "cards the model is split over",
        "context": "tokens of each sequence",
        "users": "sequences held at once",
        "reserve": "GiB a card set aside for activations",
    }.items():
        size.add_argument(
            f"--{name}", default=str(DEFAULTS[name]), metavar="N", help=f"{doc} (default: %(default)s)"
        )
    size.add_argument("--parameters", metavar="N", help="parameters of the model, for example 8.03B")
    size.set_defaults(run=run_size)
    for name, run in {"models": run_models, "gpus": run_gpus, "types": run_types}.items():
        commands.add_parser(name, help=f"list the catalog's {name}", allow_abbrev=False).set_defaults(run=run)
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="as JSON")
    return root


# --- what was asked for -------------------------------------------------------------------------


def known_id(kind: str, text: str, ids: Iterable[str], aliases: dict[str, str]) -> str:
    """The id ``text`` stands for; UsageError with what is near if there is none."""
    choices = list(ids)
    key = text.strip().lower()
    key = aliases.get(key, key)
    if key in choices:
        return key
    raise UsageError(f"unknown {kind} {shown(text)}{near(key, [*choices, *aliases])}")


def shown(text: str) -> str:
    """``text`` quoted, cut to what a line has room for, control characters escaped."""
    return ascii(text if len(text) <= 60 else text[:59] + "...")


def near(text: str, choices: list[str]) -> str:
    """A hint at the choices that look like ``text``, or at all where none does and they are few."""
    found = get_close_matches(text, choices, n=3, cutoff=0.5)
    found = (
        found or [choice for choice in choices if text and (choice.startswith(text) or text in choice)][:3]
    )
    if found:
        return f"; did you mean {' or '.join(found)}?"
    return (
        f"; choose one of: {', '.join(choices)}"
        if len(choices) <= 20
        else "; see the lists: models, gpus, types"
    )


def number(name: str, text: str) -> Any:
    """A number within the scenario's bounds; a whole one but for the reserve."""
    whole = name != "reserve"
    low, high = BOUNDS[name]
    try:
        value = int(text.replace(",", "").replace("_", "")) if whole else float(text)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        raise UsageError(refusal(name, text, whole))
    return value


def count(text: str) -> int:
    """Parameters as people write them: 8030261248, 8.03e9 or 8.03B."""
    factor = COUNT_SUFFIXES.get(text[-1:].lower(), 1)
    try:
        value = float(text if factor == 1 else text[:-1]) * factor
    except ValueError:
        value = 0
    if not 1 <= value <= MOST_PARAMETERS:
        raise UsageError(f"parameters cannot be {shown(text)}; give their number, for example 8.03B")
    return round(value)


@dataclass(frozen=True)
class Asked:
    """A model as it was asked for, and the cache type its config declares, if any."""

    model: Model
    cache: str | None = None


def find_model(text: str, models: dict[str, Model]) -> Asked:
    """The catalog's model ``text`` names, or the one the file at this path describes."""
    if text.lower() in models:
        return Asked(models[text.lower()])
    path = Path(text)
    try:
        if path.is_dir() and (path / "config.json").is_file():
            path = path / "config.json"
        is_file = path.is_file()
    except (OSError, ValueError):
        is_file = False
    if text == "-":
        return read_model(sys.stdin.buffer.read(CONFIG_BYTES + 1), "stdin")
    if is_file:
        try:
            with path.open("rb") as file:
                return read_model(file.read(CONFIG_BYTES + 1), path.name)
        except OSError as error:
            raise UsageError(f"cannot read {shown(text)}: {error.strerror}") from error
    if os.sep in text or text.endswith(".json"):
        raise UsageError(f"there is no file {shown(text)}, nor a model of this id; see the command models")
    raise UsageError(f"unknown model {shown(text)}{near(text.lower(), list(models))}")


def read_model(content: bytes, name: str) -> Asked:
    """The model a config.json describes."""
    if len(content) > CONFIG_BYTES:
        raise UsageError(f"{shown(name)} is larger than {CONFIG_BYTES:,} bytes; give the model's config.json")
    try:
        config = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shown(name)} is not valid JSON; give the model's config.json") from error
    if not isinstance(config, dict):
        raise UsageError(f"{shown(name)} holds no JSON object; give the model's config.json")
    reading = read_config_fields(config)
    shape = reading["shape"]
    row = own_model(own_title(reading), asdict(shape), reading["max_context"])
    return Asked(Model(**{**row, "shape": shape}), reading["cache"])


def with_parameters(model: Model, text: str | None) -> Model:
    """``model`` with the number of parameters given; UsageError if neither it nor the config tells it."""
    shape = model.shape
    if text is not None:
        given = count(text)
        active = (
            given if shape.parameters == 0 else max(1, given * shape.active_parameters // shape.parameters)
        )
        return replace(model, shape=replace(shape, parameters=given, active_parameters=active))
    if shape.parameters == 0:
        raise UsageError(
            f"the number of parameters of {shown(model.name)} cannot be told from its config; "
            "add it, for example --parameters 8.03B"
        )
    return model


# --- the answer ---------------------------------------------------------------------------------


def run_size(options: argparse.Namespace) -> str:
    """The deployment sized, as text or JSON."""
    catalog = Catalog()
    asked = find_model(options.model, catalog.models)
    model = with_parameters(asked.model, options.parameters)
    catalog.models[model.id] = model
    caches = {**CACHE_ALIASES, **ALIASES}
    state = SimpleNamespace(
        model=model.id,
        gpu=known_id("GPU", options.gpu, catalog.gpus, {}),
        weights=known_id("weight type", options.weights, catalog.weights, ALIASES),
        cache=known_id(
            "cache type", options.cache or asked.cache or DEFAULTS["cache"], catalog.caches, caches
        ),
        **{name: number(name, getattr(options, name)) for name in BOUNDS},
    )
    sized = size(state, catalog)
    return to_json(sized) if options.json else size_text(sized, state, catalog)


def size(state: Any, catalog: Catalog) -> dict[str, Any]:
    """Every figure of the deployment: bytes, counts, seconds, and the formulas with their numbers.

    bytes_per_token and bytes_per_sequence are of one whole copy, bytes_per_sequence_gpu what each GPU holds
    of it; weights_bytes, cache_bytes and free_bytes are of all GPUs together.
    """
    shape = catalog.models[state.model].shape
    card = catalog.gpus[state.gpu]
    kind = catalog.caches[state.cache]
    bits = catalog.weights[state.weights].bits
    sizes = deploy(state, catalog)
    typical = deploy_as(state, catalog, state.weights, state.gpus, max(TYPICAL_RESERVE, state.reserve))
    read = step_bytes(
        ceil_div(weights_bytes(shape.active_parameters, bits), state.gpus), state.users, sizes["sequence"]
    )
    token = bytes_per_token(shape, kind, kind)
    sequence = bytes_per_sequence(shape, state.context, kind, kind)
    return {
        **vars(state),
        "parameters": shape.parameters,
        "weights_bytes": weights_bytes(shape.parameters, bits),
        "bytes_per_token": token,
        "bytes_per_sequence": sequence,
        "bytes_per_sequence_gpu": sizes["sequence"],
        "growth_bytes_per_token": growth_bytes_per_token(shape, kind, kind),
        "fixed_bytes_per_sequence": fixed_bytes_per_sequence(shape, kind, kind),
        "cache_bytes": sizes["demanded"],
        "free_bytes": sizes["room"],
        "fits": state.users <= sizes["max_users"],
        "max_users": sizes["max_users"],
        "max_users_typical": typical["max_users"],
        "typical_reserve": max(TYPICAL_RESERVE, state.reserve),
        "max_context": max_context(
            shape, sizes["free"], state.users, kind, kind, state.gpus, BOUNDS["context"][1]
        ),
        "declared_context": catalog.models[state.model].max_context,
        "step_seconds": step_seconds(read, card.bandwidth),
        "formula": f"{formula_token(shape, kind)} = {text_whole(token)} bytes a token",
        "formula_sequence": f"{formula_sequence(shape, state.context, kind)} = {text_whole(sequence)} bytes",
        "formula_linear": formula_linear(shape, kind),
    }


def size_text(sized: dict[str, Any], state: Any, catalog: Catalog) -> str:
    """The answer for people."""
    cards = (
        catalog.gpus[state.gpu].name if state.gpus == 1 else f"{state.gpus} × {catalog.gpus[state.gpu].name}"
    )
    lines = [
        f"{catalog.models[state.model].name} on {cards}: {catalog.weights[state.weights].name} weights, "
        f"{catalog.caches[state.cache].name} cache",
        f"{text_count(state.users, 'user')} at {text_whole(state.context)} tokens: {verdict(sized)}."
        f"{context_beyond(catalog.models[state.model], state.context)}",
        "",
    ]
    parameters = f"{text_fixed(sized['parameters'] / 1e9, 2)}B parameters"
    sums = {name: sized[name].rsplit(" = ", 1)[0] for name in ("formula", "formula_sequence")}
    typical = f"{text_fixed(sized['typical_reserve'], 1)} GiB a card kept for activations"
    free = f"{text_gib(sized['free_bytes'])} are free beside the weights"
    rows = {
        "weights": f"{text_gib(sized['weights_bytes'])} ({parameters})",
        "a token": f"{text_bytes(sized['bytes_per_token'])} = {sums['formula']}",
        "a sequence": f"{text_bytes(sized['bytes_per_sequence'])} = {sums['formula_sequence']}",
        "a + b × tokens": sized["formula_linear"],
        "all users": f"{text_gib(sized['cache_bytes'])}; {free}",
        "users that fit": f"ideally {text_whole(sized['max_users'])}; "
        f"{text_whole(sized['max_users_typical'])} with {typical}",
        "longest context": longest_context(sized),
        "a decode step": f"at least {text_amount(sized['step_seconds'] * 1000)} ms, by memory bandwidth",
    }
    width = max(map(len, rows)) + 2
    return "\n".join([*lines, *(f"{label:<{width}}{value}" for label, value in rows.items())])


def verdict(sized: dict[str, Any]) -> str:
    """Whether the deployment fits, in words."""
    if sized["fits"]:
        return "fits"
    return "the weights do not fit" if sized["free_bytes"] == 0 else "does not fit"


def longest_context(sized: dict[str, Any]) -> str:
    """The longest context at which all users fit, and what the model itself allows."""
    longest = sized["max_context"]
    most = BOUNDS["context"][1]
    text = f"{text_whole(longest)} tokens" + (" or more" if longest == most else "")
    declared = sized["declared_context"]
    return text + (f"; the model declares {text_whole(declared)}" if 0 < declared < longest else "")


def run_models(options: argparse.Namespace) -> str:
    """The catalog's models."""
    catalog = Catalog()
    if options.json:
        return to_json([asdict(model) for model in catalog.models.values()])
    plain = catalog.caches["bf16"]
    rows = [
        [
            model.id,
            model.name,
            f"{text_fixed(model.shape.parameters / 1e9, 1)}B",
            model.attention,
            f"{text_bytes(bytes_per_token(model.shape, plain, plain))} a token at 16 bits",
            model.source,
        ]
        for model in catalog.models.values()
    ]
    return table(rows)


def run_gpus(options: argparse.Namespace) -> str:
    """The catalog's cards."""
    gpus = Catalog().gpus.values()
    if options.json:
        return to_json([asdict(gpu) for gpu in gpus])
    return table(
        [
            [
                gpu.id,
                gpu.name,
                text_gib(gpu.memory),
                f"{text_whole(gpu.bandwidth // 10**9)} GB/s",
                f"{text_amount(gpu.peak_flops / 1e12)} TFLOP/s",
                gpu.source,
            ]
            for gpu in gpus
        ]
    )


def run_types(options: argparse.Namespace) -> str:
    """The types for the cache and for the weights."""
    catalog = Catalog()
    if options.json:
        groups: dict[str, dict[str, Any]] = {"cache": catalog.caches, "weights": catalog.weights}
        return to_json({use: [asdict(row) for row in rows.values()] for use, rows in groups.items()})
    rows = [["cache", kind.id, kind.name, cache_bits(kind), kind.source] for kind in catalog.caches.values()]
    rows += [
        ["weights", kind.id, kind.name, f"{kind.bits} bits", kind.source] for kind in catalog.weights.values()
    ]
    return table(rows)


def cache_bits(kind: Any) -> str:
    """Bits a value takes, scales of its block included."""
    bits = text_amount(kind.block_bytes * 8 / kind.block_values) + " bits"
    return f"{bits} + {kind.vector_bytes} bytes a head vector" if kind.vector_bytes else bits


def table(rows: list[list[str]]) -> str:
    """Rows in columns as wide as they need; the last is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return "\n".join("  ".join(row).rstrip() for row in padded)


def to_json(value: Any) -> str:
    """JSON for programs: indented, and no NaN."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
