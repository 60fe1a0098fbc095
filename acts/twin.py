"""Compiles the pure functions to JavaScript, once a process, so that the browser runs the same arithmetic.

Which modules are compiled follows from imports: those that the acts' frame functions stand in, those that the page's
scripts call (:data:`acts.bundle.ENTRIES`, ``ENTRIES`` and ``TOOLS_ENTRIES`` of app/script.py), and all that these
import outside ``if TYPE_CHECKING``. A reader can tell them by one rule: **in a folder that holds an act's frame, and in
acts/config, acts/engines, acts/logs, app/quiz and app/yours, all but** ``__init__.py`` **and** ``figure.py`` **is
compiled; of the modules beside this one, those whose docstring names it as their compiler**.

A compiled module holds functions and literal constants in the subset of Python that :mod:`acts.subset` lists and
checks: numbers, strings, lists, dicts and objects whose attributes are read. Classes and imports are dropped:
dataclass instances reach the browser as JSON objects, and all compiled functions share one scope there, so their
names are unique.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from importlib.abc import InspectLoader
from typing import TYPE_CHECKING

from . import subset
from .compiler import pscript
from .shorten import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: The packages whose modules can be compiled.
PROJECT = frozenset({"acts", "app"})

#: Names that compiled modules may import from modules that are not: the bundle gives them as constants.
GIVEN = frozenset({"CACHE_NAMES"})

#: A second name that pscript gives each function, which nothing uses, and how it begins names of its own.
FUNCTION_NAME = re.compile(r"(?<=\w )= function flx_\w+ ")
OWN_NAME = re.compile(r"\bstub(?=\d+_)")


@dataclass(frozen=True)
class Module:
    """A module as its source says; ``path`` is where a reader finds it."""

    name: str
    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        """What the source says; to be read, not changed."""
        return ast.parse(self.source)

    def imports(self) -> Iterator[tuple[ast.ImportFrom, str, list[str]]]:
        """The statements that import from the project, each with its module and its names.

        Left out are names that are given, and classes: these are dropped like annotations.
        """
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and (node.level or node.module not in subset.TYPE_MODULES):
                target = "." * node.level + (node.module or "")
                source = importlib.util.resolve_name(target, self.name.rpartition(".")[0])
                dropped = GIVEN | classes(source)
                names = [alias.name for alias in node.names if alias.name not in dropped]
                if names:
                    yield node, source, names


@cache
def read_module(name: str) -> Module:
    """The module called ``name``; raises SyntaxError if there is none with a source."""
    spec = importlib.util.find_spec(name)
    source = spec.loader.get_source(name) if spec and isinstance(spec.loader, InspectLoader) else None
    if source is None:
        raise SyntaxError(f"there is no module {name} that could be compiled")
    package = spec is not None and spec.submodule_search_locations is not None
    return Module(name, name.replace(".", "/") + ("/__init__.py" if package else ".py"), source)


@cache
def classes(name: str) -> frozenset[str]:
    """The classes that the project's module called ``name`` defines."""
    if name.split(".", maxsplit=1)[0] not in PROJECT:
        return frozenset()
    return frozenset(node.name for node in read_module(name).tree.body if isinstance(node, ast.ClassDef))


@cache
def checked(name: str) -> Module:
    """The module called ``name``, known to be of the subset; raises SyntaxError that says where it is not."""
    module = read_module(name)
    imported = set(GIVEN)
    for node, source, names in module.imports():
        if source.split(".")[0] not in PROJECT:
            continue
        target = read_module(source)
        if target.path.endswith("__init__.py"):
            raise SyntaxError(
                f"{module.path}:{node.lineno}: `{ast.unparse(node)}`: {target.path} is not compiled; import from a "
                f"module that is, or compute the value in Python and let acts/bundle.py give it as a constant"
            )
        imported.update({defined for defined, _ in subset.definitions(target.tree)}.intersection(names))
    subset.check(module.tree, module.path, imported)
    return module


def closure(entries: Iterable[str]) -> tuple[str, ...]:
    """Names of the modules ``entries`` and of all that they import, callees first.

    Raises SyntaxError for the first module that is not of the subset: file, line and what to write instead.
    """
    found: dict[str, None] = {}

    def follow(name: str, importer: str) -> None:
        if name in found:
            return
        try:
            module = checked(name)
        except SyntaxError as error:
            because = f"\n({name} is compiled because {importer} imports it)" if importer else ""
            raise SyntaxError(f"{error}{because}") from None
        for _, source, _ in module.imports():
            follow(source, name)
        found[name] = None

    for entry in entries:
        follow(entry, "")
    return tuple(found)


class _Strip(ast.NodeTransformer):
    """Removes what has no meaning in the browser: docstrings, annotations, the length of local names."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        self.generic_visit(node)
        return shorten(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """An f-string as the sum of its parts, which is shorter and quicker there than what pscript makes of it."""
        self.generic_visit(node)
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        # JavaScript adds as texts once one of two is a text: there must be one among the first two.
        if not any(isinstance(part, ast.Constant) for part in parts[:2]):
            parts.insert(0, ast.Constant(""))
        return reduce(lambda left, right: ast.BinOp(left, ast.Add(), right), parts)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        assert node.value is not None  # the subset has no others
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _compiled(module: Module) -> str:
    """A module's functions and constants as JavaScript."""
    body = [_Strip().visit(node) for _, node in subset.definitions(ast.parse(module.source))]
    tree = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    try:
        script = pscript.py2js(ast.unparse(tree), inline_stdlib=False)
        return OWN_NAME.sub("s", FUNCTION_NAME.sub("= function ", script))
    except Exception as error:
        raise SyntaxError(f"{module.path}: pscript cannot compile it: {error}") from error


def defined_names(modules: Iterable[str]) -> dict[str, str]:
    """Each function and constant of ``modules`` with its module; raises SyntaxError if two have one name."""
    names: dict[str, str] = {}
    for module in modules:
        for name, _ in subset.definitions(read_module(module).tree):
            if name in names:
                raise SyntaxError(
                    f"{name} is defined in both {names[name]} and {module}, and compiled functions share one scope; "
                    f"rename one"
                )
            names[name] = module
    return names


def compile_modules(entries: Iterable[str], beside: Iterable[str] = ()) -> str:
    """JavaScript of the closure of ``entries``, to stand beside that of the closure of ``beside``.

    Raises SyntaxError when two modules define one name or a construct is not of the subset.
    """
    present = closure(beside)
    modules = [module for module in closure(entries) if module not in present]
    defined_names([*present, *modules])
    return "\n".join(_compiled(read_module(module)) for module in modules)


@cache
def javascript(entries: tuple[str, ...]) -> str:
    """The text of a script that defines every function of the closure of ``entries``, pscript's library included."""
    return pscript.get_full_std_lib() + compile_modules(entries)


def script_json(value: object) -> str:
    """JSON that is safe inside a <script> element: no ``<`` can close or open anything."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
