"""What was asked for on the command line: ids, numbers, and models by id or by their file."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from ..bounds import AMOUNTS, BOUNDS, MOST_PARAMETERS
from ..catalog import WEIGHT_NAMES, Model
from ..config import CONFIG_BYTES, TYPES, ConfigError, read_bytes, read_file, shape_of
from ..own_model import own_model, own_title, own_with_parameters
from ..text import number_refusal
from .parser import Refusal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ..contracts import Reading

COUNT_SUFFIXES = {"k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}


def known_id(kind: str, text: str, names: Mapping[str, str]) -> str:
    """The id ``text`` is a name of; Refusal with what is near if there is none."""
    key = text.strip().lower()
    if key in names:
        return names[key]
    raise Refusal(f"unknown {kind} {shown(text)}{near(key, list(names))}")


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


def number(name: str, text: str) -> int | float:
    """A number within the scenario's bounds: a whole one, commas between its digits allowed, but for amounts.

    Python's own readers would also take 1_0 and other scripts' digits, which people type by mistake.
    """
    whole = name not in AMOUNTS
    low, high = BOUNDS[name]
    plain = text.strip()
    value: int | float | None = None
    if whole and plain.replace(",", "").isdecimal() and plain.isascii():
        value = int(plain.replace(",", ""))
    elif not whole and plain.isascii() and "_" not in plain:
        with suppress(ValueError):
            value = float(plain)
    if value is None or not low <= value <= high:
        raise Refusal(number_refusal(name, shown(text), whole, low, high))
    return value


def count(text: str) -> int:
    """Parameters as people write them: 8030261248, 8.03e9 or 8.03B."""
    factor = COUNT_SUFFIXES.get(text[-1:].lower(), 1)
    try:
        value = float(text if factor == 1 else text[:-1]) * factor
    except ValueError:
        value = 0
    if not 1 <= value <= MOST_PARAMETERS:
        raise Refusal(f"parameters cannot be {shown(text)}; give their number, for example 8.03B")
    return round(value)


@dataclass(frozen=True)
class Asked:
    """A model as it was asked for, and what its file says: the types of its cache and weights, and their bytes.

    ``notes`` are the reader's, on what the file leaves open.
    """

    model: Model
    cache: str | None = None
    weights: str | None = None
    weights_bytes: int = 0
    notes: tuple[str, ...] = ()


def find_model(text: str, models: dict[str, Model], types: dict[str, str]) -> Asked:
    """The catalog's model ``text`` names, or the one the file or folder at this path describes.

    ``types`` are those of :func:`asked_types`.
    """
    if text.lower() in models:
        return Asked(models[text.lower()])
    if text == "-":
        return read_model(read_bytes(sys.stdin.buffer.read(CONFIG_BYTES + 1), **types))
    path = Path(text)
    try:
        there = path.is_file() or path.is_dir()
    except (OSError, ValueError):
        there = False
    if there:
        try:
            return read_model(read_file(path, **types))
        except OSError as error:
            raise Refusal(f"cannot read {shown(text)}: {error.strerror}") from error
    if os.sep in text or text.endswith((".json", ".gguf")):
        raise Refusal(f"there is no file {shown(text)}, nor a model of this id; see the command models")
    raise Refusal(f"unknown model {shown(text)}{near(text.lower(), list(models))}")


def read_model(reading: Reading) -> Asked:
    """The model that a file's reading describes."""
    if "error" in reading:
        raise ConfigError(reading["error"])
    row = own_model(own_title(reading), reading["shape"], reading["max_context"])
    model = Model(**{**row, "shape": shape_of(reading["shape"])})
    weights = reading["weights"] if reading["weights"] in WEIGHT_NAMES else None
    return Asked(model, reading["cache"], weights, reading["weights_bytes"], tuple(reading["notes"]))


def types_options(parser: argparse.ArgumentParser) -> None:
    """The options for what an engine chooses and a model's file does not decide."""
    parser.add_argument(
        "--state-type",
        help="type of a file's recurrent states: float32, bfloat16 or float16 (default: what the file says, else "
        "float32)",
    )
    parser.add_argument(
        "--indexer-type", help="type of the keys of a file's indexer: fp8, mxfp4 or bf16 (default: fp8)"
    )


def asked_types(options: argparse.Namespace) -> dict[str, str]:
    """The types that were asked for by :func:`types_options`."""
    chosen = {}
    for name, known in TYPES.items():
        if text := getattr(options, name):
            chosen[name] = known_id(name.replace("_", " "), text, {id: id for id in known})
    return chosen


def with_parameters(model: Model, text: str | None) -> Model:
    """``model`` with the number of parameters given, if one is."""
    if text is None:
        return model
    return replace(model, shape=shape_of(own_with_parameters(asdict(model.shape), count(text))))
