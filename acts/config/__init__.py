"""A Hugging Face config.json -> a :class:`acts.sizing.Shape`, or a :class:`ConfigError` that says why not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..sizing import LayerGroup, Shape
from .reader import read_shape

__all__ = ["ConfigError", "read_config", "read_config_fields", "read_shape", "shape_of"]


class ConfigError(ValueError):
    """A config that cannot be sized; its one sentence names the field or feature and what to do."""


def parsed(source: dict[str, Any] | str | os.PathLike[str]) -> Any:
    """The parsed config: ``source`` itself, or the JSON of the file it names."""
    if isinstance(source, dict):
        return source
    try:
        text = Path(source).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError, TypeError) as error:
        raise ConfigError(
            f"The config file cannot be read ({type(error).__name__}); check its path."
        ) from error
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError("The file is not valid JSON; paste or download config.json again.") from error


def shape_of(plain: dict[str, Any]) -> Shape:
    """The :class:`Shape` of plain data, as :func:`acts.config.reader.read_shape` and :mod:`acts.own_model` have it."""
    fields = dict(plain)
    groups = tuple(LayerGroup(**group) for group in fields.pop("groups"))
    return Shape(groups=groups, **fields)


def read_config_fields(source: dict[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    """The reading of a config: its shape, the fields that gave each factor, notes and declared cache type.

    The keys are those of :func:`acts.config.reader.read_shape`, with ``shape`` as a :class:`Shape`.
    """
    reading = read_shape(parsed(source))
    if "error" in reading:
        raise ConfigError(reading["error"])
    return {**reading, "shape": shape_of(reading["shape"])}


def read_config(source: dict[str, Any] | str | os.PathLike[str]) -> Shape:
    """The shape of the model that a Hugging Face config describes.

    ``source`` is a parsed config or the path of a config.json. Raises :class:`ConfigError` where the file is
    not one, contradicts itself, or has an attention layout this reader does not know: it never guesses.
    """
    return read_config_fields(source)["shape"]
