"""Writes the project's JavaScript as eslint is to see it into a folder: ``python .ci/eslint/scripts.py FOLDER``.

    page.js, course.js   the whole page's script, and that of a learning platform's package
    tools.js             what reads a model or a log, with the names it is given
    act.js               the module of an act shown by Panel
    host.js              what a page runs that embeds an act
    written/NAME.js      each module of static/ as it is written, with its imports
    names.json           what these find in their scope beside what they import

Compiled functions are looked at with the rest, but some are called by others alone: not by each script.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from acts.bundle import entries, given_names
from acts.compiler import pscript
from acts.scripts import STATIC
from acts.twin import javascript
from acts.view import act_script
from app import page, scorm, script


def marked(text: str) -> str:
    """A script with pscript's library left as it is, and compiled functions without the rule that all are used."""
    library = pscript.get_full_std_lib()
    compiled = javascript(entries()).removeprefix(library)
    text = text.replace(library, f"/* eslint-disable */\n{library}/* eslint-enable */\n")
    for part in (compiled, script.page_twin(), script.tools_twin()):
        text = text.replace(
            part, f"/* eslint-disable no-unused-vars */\n{part}\n/* eslint-enable no-unused-vars */"
        )
    return text


def in_scope(text: str) -> str:
    """A script as the page runs it."""
    return f"(() => {{\n{text}\n}})();\n"


def main() -> None:
    """Writes all of it into the folder named on the command line."""
    folder = Path(sys.argv[1])
    (folder / "written").mkdir(parents=True, exist_ok=True)
    texts = {
        "page.js": in_scope(marked(script.page_script(script.PAGE_MODULES, whole=True))),
        "course.js": in_scope(marked(script.page_script(scorm.MODULES, whole=True))),
        "tools.js": marked(script.tools_text()),
        "act.js": marked(act_script()),
        "host.js": page.host_script(),
        "names.json": json.dumps(
            [*given_names(*entries(), *script.ENTRIES, *script.TOOLS_ENTRIES), "TOOLS_SCOPE"]
        ),
    }
    for path in STATIC.glob("*.js"):
        texts[f"written/{path.name}"] = path.read_text(encoding="utf-8")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
