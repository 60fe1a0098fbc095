"""The licences of all that a copy of the page hands on: the project's own, BokehJS's, the typefaces'."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import bokeh

from acts.scripts import STATIC

#: The project's own: beside the packages in a checkout, among the static files in an installed wheel.
OWN = next(path for path in (STATIC / "LICENSE", STATIC.parent / "LICENSE") if path.is_file())


@cache
def licences() -> str:
    """Every licence under its heading, as plain text."""
    texts = {
        "This page": OWN,
        f"BokehJS {bokeh.__version__}": Path(bokeh.__file__).parent / "LICENSE.txt",
        "Typeface Inter": STATIC / "fonts" / "OFL-inter.txt",
        "Typeface KV Cache Serif": STATIC / "fonts" / "OFL-source-serif.txt",
    }
    return "\n\n".join(
        f"{heading}\n{'=' * len(heading)}\n\n{path.read_text(encoding='utf-8').strip()}"
        for heading, path in texts.items()
    )


def licence_comment() -> str:
    """:func:`licences` as an HTML comment."""
    # Two hyphens could end a comment early in some readers; the licences rule their lines with them.
    return f"<!--\n{licences().replace('--', '==')}\n-->"
