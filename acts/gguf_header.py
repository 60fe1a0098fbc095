"""The header of a GGUF file, read from disk: its keys and values, and its tensors' names, sizes and types.

Only the header is read, however large the file is. The format is that of
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md; static/gguf.js reads the same in the browser.
"""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

MAGIC = b"GGUF"
#: Most keys, tensors, bytes of one text and nested lists that are still believed.
MOST_KEYS = 65536
MOST_TENSORS = 1000000
LONGEST_TEXT = 16777216
DEEPEST_LIST = 4
#: Lists longer than this, and all lists of texts, are only counted: no layer is in them.
LONGEST_LIST = 4096

#: Formats of :mod:`struct` by the number of a value's type; 8 is a text, 9 a list.
NUMBERS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
TEXT = 8
LIST = 9


class BrokenGguf(ValueError):
    """A header that is no GGUF header or ends too soon; its one sentence says so."""


class Header:
    """Reads values one after another from the start of a file."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def take(self, size: int) -> bytes:
        """The next ``size`` bytes."""
        data = self.file.read(size) if size <= LONGEST_TEXT else b""
        if len(data) != size:
            raise BrokenGguf("The header of this GGUF file is cut short or broken; download it again.")
        return data

    def number(self, kind: str) -> Any:
        """The next number of a :mod:`struct` format."""
        (value,) = struct.unpack("<" + kind, self.take(struct.calcsize(kind)))
        return value

    def text(self) -> str:
        """The next text."""
        return self.take(self.number("Q")).decode("utf-8", "replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        """The next value of a type; of long lists and of lists of texts only how many values they have."""
        if kind == TEXT:
            return self.text()
        if kind == LIST:
            return self.values(depth)
        if kind not in NUMBERS:
            raise BrokenGguf(f"This GGUF file has a value of an unknown type, {kind}; download it again.")
        return self.number(NUMBERS[kind])

    def values(self, depth: int) -> Any:
        """The next list."""
        inner, count = self.number("I"), self.number("Q")
        if inner in NUMBERS:
            data = self.take(count * struct.calcsize(NUMBERS[inner]))
            if count <= LONGEST_LIST:
                return list(struct.unpack(f"<{count}{NUMBERS[inner]}", data))
            return {"count": count}
        if depth >= DEEPEST_LIST or count > LONGEST_TEXT:
            raise BrokenGguf("The header of this GGUF file is cut short or broken; download it again.")
        for _ in range(count):
            self.value(inner, depth + 1)
        return {"count": count}

    def bounded(self, most: int) -> int:
        """The next count, at most ``most``."""
        count = self.number("Q")
        if count > most:
            raise BrokenGguf("The header of this GGUF file is cut short or broken; download it again.")
        return count


def read_header(file: BinaryIO) -> dict[str, Any]:
    """The header of a GGUF file: {"table": keys and values, "tensors": rows of name, number of values, type}.

    Raises :class:`BrokenGguf`.
    """
    header = Header(file)
    if header.take(4) != MAGIC:
        raise BrokenGguf("This is not a GGUF file; choose another.")
    version = header.number("I")
    if version not in (2, 3):
        raise BrokenGguf(
            f"This GGUF file is of version {version}, but only 2 and 3 are read; convert it again."
            if version < 2**16
            else "This GGUF file is for big-endian machines, which are not read; choose another."
        )
    tensors, keys = header.bounded(MOST_TENSORS), header.bounded(MOST_KEYS)
    table = {}
    for _ in range(keys):
        key = header.text()
        table[key] = header.value(header.number("I"))
    rows = []
    for _ in range(tensors):
        name = header.text()
        elements = 1
        for _ in range(min(header.number("I"), 8)):
            elements *= header.number("Q")
        kind = header.number("I")
        header.take(8)  # where its data begins
        rows.append([name, elements, kind])
    return {"table": table, "tensors": rows}
