"""The page's script in two parts: what runs at once, and the tools, which run when a reader opens their place.

The tools read a config.json, a GGUF file or a log: half of all code, which few readers want. They stand in a script of
their own, in the document or beside it, and take the names that they use of the first part as one object.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from rjsmin import jsmin

from acts.bundle import RUNTIME, entries, given_names, runtime_script
from acts.compiler import pscript
from acts.scripts import code_of, imported_names, join_modules
from acts.twin import compile_modules

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Page modules, joined after the acts' runtime.
PAGE_MODULES = (
    "link.js",
    "embed.js",
    "share.js",
    "later.js",
    "near.js",
    "page.js",
    "opening.js",
    "tools.js",
    "guesses.js",
    "quiz.js",
    "prose.js",
)
#: Those of them that an act alone does without.
WHOLE_PAGE_MODULES = ("opening.js", "tools.js", "quiz.js", "prose.js")
#: The tools' modules, joined in a script of their own.
TOOLS_MODULES = ("yours.js", "gguf.js", "models.js", "server_check.js")

#: Compiled modules that the page's modules call, beside the acts'; and those that the tools' call.
ENTRIES = ("app.opening", "app.quiz.frame", "app.sheet")
TOOLS_ENTRIES = (
    "acts.config.reader",
    "acts.config.gguf_log",
    "acts.logs.reader",
    "acts.logs.answer",
    "acts.logs.model",
    "app.yours.words",
)

LIBRARY_NAME = re.compile(r"^(?:var )?(_py\w+) ?=", re.MULTILINE)
#: A key of an object, or a name that is no part of another value.
KEY_OR_NAME = re.compile(r"[{,]\s*\w+\s*:|(?<![.\w$])([A-Za-z_]\w*)")


def page_script(modules: Sequence[str], *, whole: bool) -> str:
    """The acts' runtime and the page's ``modules``, with the page's own compiled functions if it is ``whole``."""
    given = given_names(*entries(), *(ENTRIES if whole else ()))
    if not whole:
        return f"{runtime_script()}\n{join_modules(modules, given, RUNTIME)}"
    given["TOOLS_SCOPE"] = "app/script.py"
    scope = f"const TOOLS_SCOPE = () => ({{{', '.join(tools_scope())}}});"
    return "\n".join([runtime_script(), page_twin(), scope, join_modules(modules, given, RUNTIME)])


@cache
def page_twin() -> str:
    """The pure functions that the whole page runs beside the acts', compiled."""
    return compile_modules(ENTRIES, beside=entries())


@cache
def tools_twin() -> str:
    """The pure functions that the tools run beside the page's, compiled."""
    return compile_modules(TOOLS_ENTRIES, beside=(*entries(), *ENTRIES))


def tools_code() -> str:
    """The tools' functions and modules, in the scope of the page's."""
    given = given_names(*entries(), *ENTRIES, *TOOLS_ENTRIES)
    return f"{tools_twin()}\n{join_modules(TOOLS_MODULES, given, (*RUNTIME, *PAGE_MODULES))}"


@cache
def tools_scope() -> tuple[str, ...]:
    """The names that the tools use of the page's script."""
    library = LIBRARY_NAME.findall(pscript.get_full_std_lib())
    known = {*library, *given_names(*entries(), *ENTRIES)}
    used = known.intersection(KEY_OR_NAME.findall(code_of(tools_code())))
    return tuple(sorted(used | imported_names(TOOLS_MODULES)))


def tools_text() -> str:
    """The tools' script as it is written: it hands itself to the page's, which gives it its scope."""
    begin = f'"use strict";\nconst {{{", ".join(tools_scope())}}} = scope;'
    return f"kvCacheTools((scope) => {{\n{begin}\n{tools_code()}\nreturn fileTakers;\n}});\n"


@cache
def tools_script() -> str:
    """The tools' script without comments and blanks."""
    return jsmin(tools_text())


def minified(script: str) -> str:
    """A script as the page runs it, in a scope of its own."""
    return jsmin(f'(() => {{\n"use strict";\n{script}\n}})();\n')
