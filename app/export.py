"""The page as one file: everything inside, nothing asked of any host."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import bokeh

from .page import page_html


@cache
def bokeh_script() -> str:
    """BokehJS's core bundle, made safe to stand inside a <script> element."""
    folder = Path(bokeh.__file__).parent / "server" / "static" / "js"
    return (folder / "bokeh.min.js").read_text(encoding="utf-8").replace("</script", "<\\/script")


def export_html() -> str:
    """The whole page as one HTML document."""
    return f"{page_html()}\n<script>{bokeh_script()}</script>\n</body>\n</html>\n"


def write_atomically(path: Path, content: bytes) -> None:
    """Writes ``path`` whole or not at all; raises OSError if it cannot."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
