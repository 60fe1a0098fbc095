"""A config.json or GGUF file -> a :class:`acts.sizing.Shape`, or a :class:`ConfigError` that says why not.

Also read are a log's lines of a GGUF file's metadata, and the folder of a checkpoint.
"""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..gguf_header import MAGIC, BrokenGguf, read_header
from ..sizing import LayerGroup, Shape
from .document import text_fault
from .gguf import read_gguf
from .gguf_log import prints_gguf, read_gguf_log
from .groups import INDEXER_TYPES
from .reader import read_shape
from .states import STATE_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..contracts import Reading

__all__ = [
    "CONFIG_BYTES",
    "TYPES",
    "ConfigError",
    "read_bytes",
    "read_config",
    "read_config_fields",
    "read_file",
    "read_shape",
    "read_text",
    "shape_of",
]

#: A config.json is a few kilobytes; anything beyond this is another file.
CONFIG_BYTES = 1_000_000
#: The longest header of a safetensors file, by its format.
SAFETENSORS_HEADER = 100_000_000
#: What an engine chooses and no file decides, by parameter: its types.
TYPES = {"state_type": list(STATE_TYPES), "indexer_type": list(INDEXER_TYPES)}
INDEX = "model.safetensors.index.json"
TOO_DEEP = "The file is nested too deep or too large for a config; paste config.json itself."
TOO_LARGE = (
    f"The file is larger than {CONFIG_BYTES:,} bytes, and no model's config.json is; choose another file."
)


class ConfigError(ValueError):
    """A config that cannot be sized; its one sentence names the field or feature and what to do."""


def read_text(text: str, **types: str) -> Reading:
    """The reading of a config.json's text, or of the lines in which llama.cpp prints a file's metadata.

    {"error": one sentence} where it is neither. ``types`` are chosen as in :func:`read_shape`.
    """
    if prints_gguf(text):
        return read_gguf_log(text)
    try:
        config = json.loads(text)
    except (ValueError, RecursionError):
        return {"error": text_fault(text) or TOO_DEEP}
    return read_shape(config, **types)


def read_bytes(content: bytes, **types: str) -> Reading:
    """The reading of a file's first bytes, more than CONFIG_BYTES of them if the file is longer."""
    if len(content) > CONFIG_BYTES:
        return {"error": TOO_LARGE}
    try:
        return read_text(content.decode("utf-8-sig"), **types)
    except UnicodeDecodeError:
        return {
            "error": "The file is not UTF-8 text, and a config.json is; save it as UTF-8 or choose another file."
        }


def read_file(path: Path, **types: str) -> Reading:
    """The reading of the file or checkpoint folder at ``path``; raises OSError where it cannot be opened.

    ``types`` as in :func:`read_shape`; a GGUF file's are llama.cpp's.
    """
    if path.is_dir():
        return read_folder(path, **types)
    if path.name.endswith(".safetensors.index.json") and (path.parent / "config.json").is_file():
        return read_folder(path.parent, **types)
    with path.open("rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            file.seek(0)
            try:
                header = read_header(file)
            except BrokenGguf as error:
                return {"error": str(error)}
            return read_gguf(header["table"], header["tensors"])
        file.seek(0)
        return read_bytes(file.read(CONFIG_BYTES + 1), **types)


def read_folder(folder: Path, **types: str) -> Reading:
    """The reading of a checkpoint: its config.json with the bytes of its weights, or its one GGUF file."""
    config = folder / "config.json"
    if config.is_file():
        reading = read_file(config, **types)
        if "error" not in reading:
            reading["weights_bytes"] = checkpoint_bytes(folder)
        return reading
    files = sorted(folder.glob("*.gguf"))
    if files:
        return read_file(files[0])
    return {"error": "The folder has neither a config.json nor a GGUF file; choose a model's folder."}


def checkpoint_bytes(folder: Path) -> int:
    """Bytes of a checkpoint's tensors, by its index or its files' headers; 0 where neither tells."""
    try:
        index = json.loads((folder / INDEX).read_bytes())
        total = index["metadata"]["total_size"]
        if isinstance(total, int) and not isinstance(total, bool) and total > 0:
            return total
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    try:
        return sum(tensor_bytes(file) for file in folder.glob("*.safetensors"))
    except (OSError, struct.error):
        return 0


def tensor_bytes(path: Path) -> int:
    """Bytes that follow the header of a safetensors file: 8 bytes of its length, and itself."""
    with path.open("rb") as file:
        (header,) = struct.unpack("<Q", file.read(8))
    size = path.stat().st_size - 8 - header
    return size if header <= SAFETENSORS_HEADER and size >= 0 else 0


def reading_of(source: dict[str, Any] | str | os.PathLike[str], **types: str) -> Reading:
    """The plain reading of a parsed config, or of the file or folder at a path."""
    for name, known in TYPES.items():
        if types.get(name, "") not in ("", *known):
            raise ConfigError(f"{name} cannot be {types[name]!r}; choose one of: {', '.join(known)}")
    if isinstance(source, dict):
        return read_shape(source, **types)
    try:
        return read_file(Path(source), **types)
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"The file cannot be read ({type(error).__name__}); check its path.") from error


def shape_of(plain: Mapping[str, Any]) -> Shape:
    """The :class:`Shape` of plain data, as :func:`acts.config.reader.read_shape` and :mod:`acts.own_model` have it."""
    fields = dict(plain)
    groups = tuple(LayerGroup(**group) for group in fields.pop("groups"))
    return Shape(groups=groups, **fields)


def read_config_fields(
    source: dict[str, Any] | str | os.PathLike[str], state_type: str = "", indexer_type: str = ""
) -> dict[str, Any]:
    """The reading of a model: its shape, the fields that gave each factor, notes and declared types.

    The keys are those of :func:`acts.config.reader.read_shape`, with ``shape`` as a :class:`Shape`.
    """
    reading = reading_of(source, state_type=state_type, indexer_type=indexer_type)
    if "error" in reading:
        raise ConfigError(reading["error"])
    return {**reading, "shape": shape_of(reading["shape"])}


def read_config(
    source: dict[str, Any] | str | os.PathLike[str], state_type: str = "", indexer_type: str = ""
) -> Shape:
    """The shape of the model that a Hugging Face config or a GGUF file describes.

    ``source`` is a parsed config, or the path of a config.json, a GGUF file or a checkpoint's folder;
    ``state_type`` the type in which an engine keeps recurrent states, if not what the file says; ``indexer_type`` that
    of an indexer's keys, if not FP8. Raises :class:`ConfigError` where the file is not one, contradicts itself, or has
    an attention layout this reader does not know: it never guesses.
    """
    return read_config_fields(source, state_type, indexer_type)["shape"]
