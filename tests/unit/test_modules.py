"""Which module needs which: imports point one way, so that each can be read without those that stand on it."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from typing import TYPE_CHECKING

import pytest

from acts.subset import is_types_only
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def named(source: str, package: str) -> Iterator[str]:
    """What a module in ``package`` may be importing, within functions too, if these are modules; not types alone."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt) and is_types_only(node):
            continue
        waiting.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            target = resolve_name("." * node.level + (node.module or ""), package)
            yield target
            yield from (f"{target}.{alias.name}" for alias in node.names)


@cache
def imports() -> dict[str, set[str]]:
    """Each module of acts and app with those of them that it imports.

    What acts/__init__.py loads by name when it is first asked for (the acts, for one) is no import of it.
    """
    modules = {}
    for folder in ("acts", "app"):
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if package else parts)
            modules[name] = (path.read_text(encoding="utf-8"), name if package else ".".join(parts[:-1]))
    return {
        name: {found for found in named(source, package) if found in modules and found != name}
        for name, (source, package) in modules.items()
    }


def test_no_modules_import_one_another_in_a_circle():
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        pytest.fail("these import one another: " + " <- ".join(error.args[1]))


def test_imports_point_one_way():
    wrong = [
        f"{name} imports {found}"
        for name, needed in imports().items()
        for found in needed
        if name.startswith("acts") and found.startswith("app")
    ]
    assert not wrong


@pytest.mark.parametrize(
    "source",
    [
        "from .two import f",
        "from . import two",
        "import acts.two",
        "def g():\n    from acts.two import f",
    ],
)
def test_an_import_is_seen_wherever_it_stands(source):
    assert "acts.two" in set(named(source, "acts"))


def test_types_are_no_import():
    assert not set(named("if TYPE_CHECKING:\n    from .two import Row", "acts"))
