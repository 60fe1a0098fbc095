"""A config.json or GGUF file -> a :class:`acts.sizing.Shape`, or a :class:`ConfigError` that says why not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..sizing import LayerGroup, Shape
from .files import read_file
from .reader import read_shape

__all__ = ["ConfigError", "read_config", "read_config_fields", "read_shape", "shape_of"]


class ConfigError(ValueError):
    """A config that cannot be sized; its one sentence names the field or feature and what to do."""


def reading_of(source: dict[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    """The plain reading of a parsed config, or of the file or folder at a path."""
    if isinstance(source, dict):
        return read_shape(source)
    try:
        return read_file(Path(source))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"The file cannot be read ({type(error).__name__}); check its path.") from error


def shape_of(plain: dict[str, Any]) -> Shape:
    """The :class:`Shape` of plain data, as :func:`acts.config.reader.read_shape` and :mod:`acts.own_model` have it."""
    fields = dict(plain)
    groups = tuple(LayerGroup(**group) for group in fields.pop("groups"))
    return Shape(groups=groups, **fields)


def read_config_fields(source: dict[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    """The reading of a model: its shape, the fields that gave each factor, notes and declared types.

    The keys are those of :func:`acts.config.reader.read_shape`, with ``shape`` as a :class:`Shape`.
    """
    reading = reading_of(source)
    if "error" in reading:
        raise ConfigError(reading["error"])
    return {**reading, "shape": shape_of(reading["shape"])}


def read_config(source: dict[str, Any] | str | os.PathLike[str]) -> Shape:
    """The shape of the model that a Hugging Face config or a GGUF file describes.

    ``source`` is a parsed config, or the path of a config.json, a GGUF file or a checkpoint's folder. Raises
    :class:`ConfigError` where the file is not one, contradicts itself, or has an attention layout this reader does
    not know: it never guesses.
    """
    return read_config_fields(source)["shape"]
