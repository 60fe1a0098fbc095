"""The page as one file: everything inside, nothing asked of any host."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import bokeh

from acts import ACTS

from .licences import licence_comment
from .page import PAGE_MODULES, document, make_acts, weights_holder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from acts import Scenario


@cache
def bokeh_script() -> str:
    """BokehJS's core bundle, made safe to stand inside a <script> element."""
    folder = Path(bokeh.__file__).parent / "server" / "static" / "js"
    return (folder / "bokeh.min.js").read_text(encoding="utf-8").replace("</script", "<\\/script")


def export_html(
    act: str | None = None, scenario: Scenario | None = None, modules: Sequence[str] = PAGE_MODULES
) -> str:
    """The page as one HTML document, or the act of id ``act`` alone, starting from ``scenario``.

    ``modules`` are the page's scripts. Raises ValueError for an act that there is not.
    """
    acts = [one for one in make_acts(scenario) if act in (None, one.id)]
    if not acts:
        raise ValueError(f"there is no act {act!r}; choose one of: {', '.join(known.id for known in ACTS)}")
    page = document(acts, modules=modules)
    if any(one.id in ("growth", "quantize") for one in acts):
        page += weights_holder()
    bokeh_js = f'<script type="text/plain" data-bokeh>{bokeh_script()}</script>'
    return f"{page}\n{bokeh_js}\n{licence_comment()}\n</body>\n</html>\n"
