"""Short names for what a compiled function keeps to itself: fewer bytes to send and to read.

What others see stays as it is: names of functions and constants, attributes, keys.
"""

from __future__ import annotations

import ast
import itertools
import keyword
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Words of at most two letters that JavaScript keeps to itself; Python's are known to Python.
RESERVED = frozenset({"do"})


def short_names() -> Iterator[str]:
    """a to z, then aa to zz, without reserved words."""
    for length in (1, 2):
        for letters in itertools.product(string.ascii_lowercase, repeat=length):
            name = "".join(letters)
            if not keyword.iskeyword(name) and name not in RESERVED:
                yield name


class _Renamed(ast.NodeTransformer):
    """Puts other names in place of those that ``names`` has."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node


def shorten(function: ast.FunctionDef) -> ast.FunctionDef:
    """``function`` with short names for its own: arguments, variables, those of its lambdas and comprehensions."""
    own: dict[str, None] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            own[node.arg] = None
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own[node.id] = None
    others = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} - own.keys()
    free = (name for name in short_names() if name not in others)
    return _Renamed(dict(zip(own, free, strict=False))).visit(function)
