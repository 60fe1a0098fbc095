"""Compiles the pure functions to JavaScript, once a process, so that the browser runs the same arithmetic.

A pure module holds nothing but functions and literal constants in the subset of Python that pscript
(https://pscript.readthedocs.io) translates: numbers, strings, lists, dicts and objects whose attributes are
read. Classes and imports are dropped: dataclass instances reach the browser as JSON objects, and all
pure functions share one scope there, so their names must be unique.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from functools import cache
from typing import TYPE_CHECKING

import pscript

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Modules whose functions the browser runs, callees first.
PURE_MODULES = (
    "acts.bounds",
    "acts.sizing",
    "acts.text",
    "acts.deployment",
    "acts.own_model",
    "acts.growth.request",
    "acts.growth.layers",
    "acts.growth.picture",
    "acts.growth.work",
    "acts.growth.words",
    "acts.growth.frame",
    "acts.heads.costs",
    "acts.heads.formula",
    "acts.heads.choice",
    "acts.heads.picture",
    "acts.heads.frame",
    "acts.wall.words",
    "acts.wall.picture",
    "acts.wall.pace",
    "acts.wall.frame",
    "acts.quantize.value",
    "acts.quantize.words",
    "acts.quantize.picture",
    "acts.quantize.rounding",
    "acts.quantize.frame",
)


class _Strip(ast.NodeTransformer):
    """Removes what has no meaning in the browser: docstrings, annotations, classes, imports."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        if node.value is None:
            raise SyntaxError(f"line {node.lineno}: a pure module's annotation must assign a value")
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _pure_statements(source: str, module: str) -> Iterable[tuple[str, ast.stmt]]:
    """Names and stripped definitions of a pure module, in its order."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, _Strip().visit(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if not isinstance(target, ast.Name):
                raise SyntaxError(
                    f"{module}, line {node.lineno}: only plain names can be assigned in a pure module"
                )
            yield target.id, _Strip().visit(node)


def _source(module: str) -> str:
    return inspect.getsource(importlib.import_module(module))


def compile_modules(modules: Iterable[str], beside: Iterable[str] = ()) -> str:
    """JavaScript of every top-level function and constant of ``modules``, to stand beside that of other modules.

    Raises SyntaxError when two modules define one name or a construct has no counterpart.
    """
    seen: dict[str, str] = {}
    for module in beside:
        seen.update((name, module) for name, _ in _pure_statements(_source(module), module))
    body: list[ast.stmt] = []
    for module in modules:
        for name, node in _pure_statements(_source(module), module):
            if name in seen:
                raise SyntaxError(
                    f"{name} is defined in both {seen[name]} and {module}; twins share one scope"
                )
            seen[name] = module
            body.append(node)
    tree = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    return pscript.py2js(ast.unparse(tree), inline_stdlib=False)


@cache
def javascript() -> str:
    """The compiled twin with pscript's standard library: the text of a script that defines every pure function."""
    return pscript.get_full_std_lib() + compile_modules(PURE_MODULES)


def script_json(value: object) -> str:
    """JSON that is safe inside a <script> element: no ``<`` can close or open anything."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
