"""The browser's JavaScript modules, joined in one scope in which every name is defined, and once.

A module of static/ is written as an ES module, with its imports, and joined as text without them. So that an import is
no mere comment, what it names must be exported by a module that comes earlier; and since compiled functions and
the bundle's constants stand in the same scope, what a script takes from there (by their spelling: ``snake_case`` or
``UPPER_CASE``) must be there, and no name may be used twice. eslint (.ci/dev.py lint) judges the rest.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

HERE = Path(__file__).parent
#: Files the browser gets; beside the packages in a checkout, inside this one in an installed wheel.
STATIC = next(path for path in (HERE / "_static", HERE.parent / "static") if path.is_dir())

IMPORT = re.compile(r"^import \{(.*?)\} from \"\./([\w-]+\.js)\";\n", re.MULTILINE | re.DOTALL)
TOP_LEVEL = re.compile(r"^(export )?(?:async )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)
#: What ends a stretch of code: a comment, a text, a regular expression, a template's begin, a brace.
CODE_END = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|(?<=[(,=:!&|?;\[])\s*/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*"
    r"|[`{}]",
    re.DOTALL,
)
#: What ends a template's own words: its end, or code in it.
WORDS_END = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*(`|\$\{)", re.DOTALL)
SHARED_NAME = re.compile(r"(?<![.\w$])(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9_]+)\b(?!\s*:)")
#: Names of that spelling that are the browser's.
BROWSER_NAMES = frozenset({"CSS", "JSON", "URL"})


def module_text(name: str) -> str:
    """A module's text as it stands in static/."""
    return (STATIC / name).read_text(encoding="utf-8")


def join_module(name: str) -> str:
    """A module's text with its imports and exports taken out, to stand in one scope with the others."""
    return re.sub(r"^export ", "", IMPORT.sub("", module_text(name)), flags=re.MULTILINE)


def join_modules(names: Iterable[str], given: Mapping[str, str], earlier: Iterable[str] = ()) -> str:
    """The joined text of ``names``, after the modules ``earlier`` and the names ``given``, each with its place.

    Raises SyntaxError that names the file, for a name that is not defined, or twice.
    """
    names, earlier = list(names), list(earlier)
    defined = dict(given)
    exported: dict[str, set[str]] = {}
    for module in (*earlier, *names):
        check_imports(module, exported)
        exported[module] = define(module, defined)
    for module in names:
        for name, line in shared_names(module):
            if name not in defined:
                raise SyntaxError(
                    f"static/{module}:{line}: {name} is defined nowhere; compiled functions and the "
                    f"bundle's constants have names of this spelling"
                )
    return "\n".join(join_module(module) for module in names)


def check_imports(module: str, exported: Mapping[str, set[str]]) -> None:
    """Refuses an import of what no earlier module exports."""
    for found in IMPORT.finditer(module_text(module)):
        wanted = {name.strip() for name in found[1].split(",") if name.strip()}
        missing = sorted(wanted - exported.get(found[2], set()))
        if missing:
            reason = "does not export it" if found[2] in exported else "does not come earlier"
            raise SyntaxError(f"static/{module}: it imports {missing[0]} from {found[2]}, which {reason}")


def imported_names(modules: Sequence[str]) -> set[str]:
    """What ``modules`` import from others than themselves."""
    found = (match for module in modules for match in IMPORT.finditer(module_text(module)))
    return {
        name.strip()
        for match in found
        if match[2] not in modules
        for name in match[1].split(",")
        if name.strip()
    }


def define(module: str, defined: dict[str, str]) -> set[str]:
    """Adds a module's names at its top level to ``defined``; returns those it exports."""
    exports = set()
    for found in TOP_LEVEL.finditer(module_text(module)):
        if found[2] in defined:
            raise SyntaxError(
                f"{found[2]} is defined in both {defined[found[2]]} and static/{module}, which share one scope; "
                f"rename one"
            )
        defined[found[2]] = f"static/{module}"
        if found[1]:
            exports.add(found[2])
    return exports


def shared_names(module: str) -> Iterator[tuple[str, int]]:
    """The names in a module that by their spelling are compiled functions or constants, each with its line."""
    code = code_of(module_text(module))
    for found in SHARED_NAME.finditer(code):
        if found[0] not in BROWSER_NAMES:
            yield found[0], code.count("\n", 0, found.start()) + 1


def code_of(text: str) -> str:
    """JavaScript without its comments, texts and regular expressions, on the same lines."""
    code: list[str] = []
    depths: list[int] = []  # open braces in the code of each template that has not ended
    place = 0
    while found := CODE_END.search(text, place):
        code.append(text[place : found.start()])
        mark, place = found[0], found.end()
        if mark == "{" and depths:
            depths[-1] += 1
        elif mark == "}" and depths and depths[-1]:
            depths[-1] -= 1
        elif mark == "`" or (mark == "}" and depths):
            depths[-1:] = depths[-1:] if mark == "`" else []
            words = WORDS_END.match(text, place)
            if words is None:
                raise SyntaxError("a template has no end")
            mark, place = words[0], words.end()
            depths += [0] if words[1] == "${" else []
        code.append(mark if mark in "{}" else " " + "\n" * mark.count("\n"))
    return "".join(code) + text[place:]
