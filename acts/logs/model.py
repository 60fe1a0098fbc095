"""The model whose file a log describes, llama.cpp's or Ollama's. Pure functions, compiled by :mod:`acts.twin`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..config.gguf_log import prints_gguf, read_gguf_log
from .facts import LOG_WHOLE

if TYPE_CHECKING:
    from ..contracts import Log, Reading

# The line with which llama.cpp begins to print a file's metadata.
LOG_FILE_LINE = "loaded meta data with"


def log_model(log: Log, text: str) -> Reading | None:
    """The reading of the file that the start in use loaded, as of :func:`acts.config.gguf_log.read_gguf_log`.

    None where ``text``, which ``log`` was read from, prints no metadata or too little of it.
    """
    if log["engine"] not in ("llama.cpp", "ollama") or not prints_gguf(text):
        return None
    reading = read_gguf_log(log_file_lines(text, log_cache_line(log)))
    return None if reading.get("error") is not None else reading


def log_cache_line(log: Log) -> int:
    """The first line on which the start in use says what its cache came to; 0 if it says nothing of it."""
    line = 0
    for finding in log["findings"]:
        if finding["key"] in LOG_WHOLE and (line == 0 or finding["place"] < line):
            line = finding["place"]
    return line


def log_file_lines(text: str, line: int) -> str:
    """The lines on the file that was loaded last before ``line``: a text may hold several starts, or a draft model.

    All of ``text`` where it does not say where a file's lines begin.
    """
    lines = text.split("\n")
    first = -1
    last = len(lines)
    for place in range(len(lines)):
        if lines[place].find(LOG_FILE_LINE) >= 0:
            if first < 0 or place < line:
                first = place
                last = len(lines)
            elif last == len(lines):
                last = place
    return text if first < 0 else "\n".join(lines[first:last])
