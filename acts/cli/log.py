"""``kv-cache log``: an engine's start-up log read, answered and set beside what the sizing model says.

Exit codes: 0 where an engine's lines were recognised, 1 where none were, 2 after one line on what was asked wrongly.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any

from ..bounds import DEFAULTS
from ..catalog import CACHE_NAMES, WEIGHT_NAMES, Catalog
from ..deployed import deployed_cache, deployed_weights
from ..logs import read_log
from ..logs.answer import log_report
from ..logs.compare import compare_log, log_summary
from ..logs.model import log_model
from ..logs.reader import LOG_MAX_CHARACTERS, log_at
from ..logs.settings import log_settings
from ..sizing import GIB
from ..text import text_whole
from .asked import (
    Asked,
    asked_types,
    find_model,
    known_id,
    number,
    read_model,
    shown,
    types_options,
    with_parameters,
)
from .parser import Refusal, json_option, to_json
from .size import NUMBERS

if TYPE_CHECKING:
    import argparse

    from ..contracts import Log

HALF = LOG_MAX_CHARACTERS // 2


def log_options(log: argparse.ArgumentParser) -> None:
    """Which log, and what it was started with where its lines do not say."""
    log.add_argument(
        "file", metavar="FILE", help="the log, or - for stdin: docker logs … 2>&1 | kv-cache log -"
    )
    log.add_argument("--start", metavar="N", help="which start in the text (default: the last that is whole)")
    log.add_argument(
        "--model",
        help="a model id or the path of a config.json (default: that whose metadata the log prints, else "
        f"{DEFAULTS['model']})",
    )
    log.add_argument("--parameters", metavar="N", help="parameters of the model, for example 8.03B")
    log.add_argument(
        "--gpu", default=DEFAULTS["gpu"], help="card id, see the command gpus (default: %(default)s)"
    )
    log.add_argument("--weights", help="type of the weights (default: what the model's file says, else bf16)")
    log.add_argument("--cache", help="type of the cache (default: the log's, else the config's, else bf16)")
    log.add_argument("--cache-v", help="type of the cached values (default: the log's, else the keys')")
    for name, doc in NUMBERS.items():
        option = f"--{name.replace('_', '-')}"
        log.add_argument(option, metavar="N", help=f"{doc} (default: the log's, else {DEFAULTS[name]})")
    types_options(log)
    json_option(log)


def run_log(options: argparse.Namespace) -> tuple[str, int]:
    """The answer, as text or JSON, and the exit code."""
    text, skipped = read_text(options.file)
    log = read_chosen(options, text, skipped)
    catalog = Catalog()
    state = log_state(options, log, asked_model(options, log, text, catalog), catalog)
    shape = catalog.models[state.model].shape
    code = 0 if log["engine"] else 1
    if options.json:
        return to_json(log_report(log, shape, state, catalog)), code
    if not log["engine"]:
        return "\n".join(
            [log_summary(log), "What is looked for:", *(f"- {text}" for text in log["looked_for"])]
        ), code
    return log_text(log, state, catalog), code


def read_text(name: str) -> tuple[str, int]:
    """The text at a path, or of stdin, and how many bytes of its middle were left out."""
    try:
        if name == "-":
            content, skipped = read_ends(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                content, skipped = read_ends(file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a path"
        raise Refusal(f"cannot read {shown(name)}: {reason}; give a log's path, or - for stdin") from error
    return decoded(content), skipped


def asked_model(options: argparse.Namespace, log: Log, text: str, catalog: Catalog) -> Asked:
    """The model that was asked for, else the one whose metadata the log prints, else the default."""
    reading = log_model(log, text) if options.model is None else None
    if reading is not None:
        return read_model(reading)
    return find_model(options.model or DEFAULTS["model"], catalog.models, asked_types(options))


def read_chosen(options: argparse.Namespace, text: str, skipped: int) -> Log:
    """The log in a text, with the start that was asked for."""
    log = read_log(text)
    log["unread"] += skipped
    if options.start is None:
        return log
    starts = len(log["starts"])
    if not options.start.isdecimal() or not 1 <= int(options.start) <= starts:
        raise Refusal(
            f"start cannot be {shown(options.start)}; the text holds {starts}, give a number up to that"
        )
    return log_at(log, int(options.start) - 1)


def read_ends(stream: IO[bytes]) -> tuple[bytes, int]:
    """All of a stream, or as much of its two ends as is read; and how many bytes were left out between them."""
    head = stream.read(HALF)
    tail = b""
    skipped = 0
    while piece := stream.read(HALF):
        tail += piece
        if len(tail) > HALF:
            skipped += len(tail) - HALF
            tail = tail[-HALF:]
    return head + (b"\n" if skipped else b"") + tail, skipped


def decoded(content: bytes) -> str:
    """Text whatever the bytes: UTF-8, or UTF-16 where a byte-order mark says so, as PowerShell writes it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8-sig", "replace")


def log_state(options: argparse.Namespace, log: Log, asked: Asked, catalog: Catalog) -> SimpleNamespace:
    """The scenario: what was asked for, else what the log says, else the defaults."""
    # A cache can be sized without the number of parameters; what needs it is then left out.
    model = with_parameters(asked.model, options.parameters) if options.parameters else asked.model
    catalog.models[model.id] = model
    said = log_settings(log)
    declared = {"cache": asked.cache} if asked.cache else {}
    values: dict[str, Any] = {**DEFAULTS, **declared, **said, "model": model.id}
    weights = options.weights or asked.weights or DEFAULTS["weights"]
    values["gpu"] = known_id("GPU", options.gpu, {id: id for id in catalog.gpus})
    values["weights"] = known_id("weight type", weights, WEIGHT_NAMES)
    if options.cache is not None:
        values["cache"] = known_id("cache type", options.cache, CACHE_NAMES)
    if options.cache_v is not None:
        values["cache_v"] = known_id("cache type", options.cache_v, CACHE_NAMES)
    for name in NUMBERS:
        if getattr(options, name) is not None:
            values[name] = number(name, getattr(options, name))
    if asked.weights_bytes > 0 and not options.weights and not options.parameters and not options.weights_gib:
        values["weights_gib"] = asked.weights_bytes / GIB
    return SimpleNamespace(**values)


def log_text(log: Log, state: SimpleNamespace, catalog: Catalog) -> str:
    """The answer for people: sentences, rows, and what was assumed."""
    shape = catalog.models[state.model].shape
    report = log_report(log, shape, state, catalog)
    lines = [*report["answer"], ""]
    for row in compare_log(log, shape, state, catalog):
        lines.append(f"{row['label']}: {row['logged']}; this page {row['predicted']}: {row['verdict']}")
        if row["reason"]:
            lines.append(f"  {row['reason']}")
    if report["rows"]:
        lines.append("")
    lines.append(log_summary(log))
    said = [f"{key} {value}" for key, value in report["set"].items() if value != ""]
    if said:
        lines.append("From the log: " + ", ".join(said) + ".")
    cards = f"{text_whole(state.gpus)} × {catalog.gpus[state.gpu].name}"
    lines.append(
        f"Compared with: {catalog.models[state.model].name}, {deployed_weights(state, catalog)}, "
        f"{deployed_cache(state, catalog)}, {cards}; see --help to name yours."
    )
    return "\n".join(lines)
