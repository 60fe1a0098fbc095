"""The lines in which llama.cpp prints a GGUF file's metadata -> the table that :mod:`acts.config.gguf` reads.

``llama_model_loader: - kv   4:  llama.block_count u32  = 32``; what wraps llama.cpp (Ollama, LM Studio) puts more
before it. Long lists are cut short there, and texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .gguf import GGUF_UNCOUNTED, read_gguf

if TYPE_CHECKING:
    from ..contracts import Reading

GGUF_LINE = " - kv "
#: What stands for a list that the log does not print whole.
GGUF_CUT = "a list that the log cuts short"
#: Lines that give figures of the whole file: what they begin with, and what the figure is.
GGUF_FIGURES = {"model params": "parameters", "file size": "bytes", "model size": "bytes"}
GGUF_UNITS = {
    "B": 1000000000,
    "M": 1000000,
    "T": 1000000000000,
    "GiB": 1073741824,
    "MiB": 1048576,
    "TiB": 1099511627776,
}
#: Digits of a whole number that both languages hold exactly.
GGUF_DIGITS = 15


def log_whole(text: str) -> int | None:
    """The whole number that ``text`` is, None if it is none."""
    digits = text[1:] if text.startswith("-") else text
    if digits == "" or len(digits) > GGUF_DIGITS:
        return None
    for sign in digits:
        if not "0" <= sign <= "9":
            return None
    return -int(digits) if text.startswith("-") else int(digits)


def log_scalar(text: str) -> Any:
    """A printed value: a whole number, true or false, else the text itself."""
    if text in ["true", "false"]:
        return text == "true"
    number = log_whole(text)
    return text if number is None else number


def log_list(text: str) -> Any:
    """A printed list of numbers or flags; a text that says so where the log cuts it short."""
    if not text.startswith("[") or not text.endswith("]") or text.find("...") >= 0:
        return GGUF_CUT
    return [log_scalar(entry.strip()) for entry in text[1 : len(text) - 1].split(",") if entry.strip() != ""]


def log_table(text: str) -> dict[str, Any]:
    """The keys and values that the lines of ``text`` print; empty if it prints none."""
    table = {}
    for line in text.split("\n"):
        start = line.find(GGUF_LINE)
        equals = line.find(" = ")
        if start < 0 or equals < start:
            continue
        words = [word for word in line[start + len(GGUF_LINE) : equals].split(" ") if word != ""]
        if len(words) < 3 or not words[0].endswith(":"):
            continue
        value = line[equals + 3 :].strip()
        kind = words[len(words) - 1]
        if kind.startswith("arr["):
            table[words[1]] = log_list(value)
        elif kind == "str":
            table[words[1]] = value
        else:
            table[words[1]] = log_scalar(value)
    return table


def log_figure(line: str, name: str) -> int:
    """The figure after ``name`` and an equals sign in a line, times its unit; 0 if there is none."""
    start = line.find(name)
    equals = line.find("=", start) if start >= 0 else -1
    if equals < 0:
        return 0
    words = [word for word in line[equals + 1 :].strip().split(" ") if word != ""]
    if len(words) < 2 or GGUF_UNITS.get(words[1]) is None:
        return 0
    parts = words[0].split(".")
    whole = log_whole(parts[0])
    fraction = log_whole(parts[1]) if len(parts) == 2 else 0
    if whole is None or fraction is None or len(parts) > 2 or whole < 0:
        return 0
    scale = 1
    if len(parts) == 2:
        for _digit in parts[1]:
            scale = scale * 10
    return int((whole * scale + fraction) * GGUF_UNITS[words[1]] / scale)


def log_figures(text: str) -> dict[str, Any]:
    """Parameters and bytes of the weights that a log prints, each rounded there; 0 for one it does not."""
    found = {"parameters": 0, "bytes": 0}
    for line in text.split("\n"):
        for name, figure in GGUF_FIGURES.items():
            if found[figure] == 0:
                found[figure] = log_figure(line, name)
    return found


def prints_gguf(text: str) -> bool:
    """Whether a text holds the lines in which llama.cpp prints a file's metadata."""
    return text.find(GGUF_LINE) >= 0 and text.find("general.architecture") >= 0


def read_gguf_log(text: str) -> Reading:
    """The reading of the metadata that a log prints, or {"error": one sentence}, as of :func:`read_gguf`."""
    reading = read_gguf(log_table(text), [])
    figures = log_figures(text)
    if reading.get("error") is None and figures["parameters"] > 0:
        reading["shape"]["parameters"] = figures["parameters"]
        reading["shape"]["active_parameters"] = figures["parameters"]
        reading["notes"] = [told for told in reading["notes"] if told != GGUF_UNCOUNTED]
        reading["notes"].append(
            "Parameters are those the log prints, rounded there; all are taken to be active."
        )
    if reading.get("error") is None and figures["bytes"] > 0:
        reading["weights_bytes"] = figures["bytes"]
    return reading
