"""The page put together: acts, prose and quiz in one document, served with a session or written as a file."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import panel as pn
from bokeh.core.templates import FILE
from bokeh.embed import json_item
from markupsafe import Markup

from acts import ACTS, Act, Scenario
from acts.bundle import shared_environment, style_sheet
from acts.decoder.weights import weights_text
from acts.figure import PALETTE
from acts.scripts import STATIC
from acts.twin import script_json
from acts.view import Bridge, link

from . import quiz
from .about import TITLE, about
from .facts import Facts
from .handout import blank_sheet
from .opening import OPENING_STOPS, opening_frame
from .script import PAGE_MODULES, WHOLE_PAGE_MODULES, minified, page_script, tools_script
from .sessions import sweeper

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jinja2 import Template
    from panel.viewable import Viewable

#: Whole scenarios offered at the top of the page; what a preset leaves out keeps its default.
PRESETS: dict[str, dict[str, Any]] = {
    "8B on one 80 GB card": {},
    "70B does not fit one card": {"model": "llama-3-70b"},
    "70B at 4 bits, 32K": {"model": "llama-3.1-70b", "weights": "int4", "context": 32768, "users": 3},
    "DeepSeek-V3 on 8 × H200": {
        "model": "deepseek-v3", "gpu": "h200-141gb", "gpus": 8, "weights": "fp8", "context": 32768, "users": 64,
    },
    "Gemma 3 27B and its windows": {"model": "gemma-3-27b", "context": 32768},
    "128K context": {"model": "llama-3.1-8b", "context": 131072, "users": 3},
}  # fmt: skip


def make_acts(scenario: Scenario | None = None) -> list[Act]:
    """The acts on one scenario, a new one if none is given, in the page's order."""
    scenario = scenario or Scenario()
    return [act(scenario) for act in ACTS]


def preset_scenarios() -> dict[str, dict[str, Any]]:
    """Every preset as a complete scenario, so that it means the same whatever was set before.

    A model of one's own stays in the lists: no preset is of it, and none takes it away.
    """
    defaults = {
        name: Scenario.param[name].default for name in Scenario.param if name not in ("name", "shape")
    }
    return {label: defaults | preset for label, preset in PRESETS.items()}


@cache
def page_html() -> str:
    """The document up to its last script, without Bokeh: the same for every viewer and every form of the page."""
    return document(make_acts())


@cache
def shared_markup() -> dict[str, Markup]:
    """The page and its decoder's weights as a template takes them: one text of a megabyte for all sessions."""
    return {"document": Markup(page_html()), "weights": Markup(weights_holder())}


def document(
    acts: list[Act],
    *,
    modules: Sequence[str] = PAGE_MODULES,
    fonts: Mapping[str, str] | None = None,
    scripts: Mapping[str, str] | None = None,
    address: str = "",
    source: str = "",
) -> str:
    """The page of ``acts`` in their present state, up to its last script and without Bokeh.

    A single act stands alone, without navigation, prose and quiz. ``modules`` are the page's scripts, ``fonts`` the
    address of each typeface's file if they are not to be inside the document, ``scripts`` that of the page's and the
    tools' (:func:`script_texts`) in the same case, ``address`` where the page will be found,
    ``source`` where its source is kept.
    """
    alone = len(acts) == 1
    state: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    markup: dict[str, str] = {}
    for act in acts:
        plots = act.figures()
        state.update(act.state())
        markup[act.id] = act.markup(plots, alone=alone)
        figures.update({f"{act.id}:{name}": json_item(plot) for name, plot in plots.items()})
    reads = {act.id: act.keys_read() for act in acts}
    held: dict[str, Any] = {"state": state, "reads": reads, "figures": figures, "hostScript": host_script()}
    if not alone:
        held["sheet"] = blank_sheet()
    places = scripts or {}
    texts = script_texts(modules, whole=not alone)
    template = shared_environment().get_template("templates/page.html")
    return template.render(
        acts=acts,
        markup=markup,
        alone=alone,
        facts=Facts(),
        quiz=quiz.quiz_context(acts[0].scenario, acts[0].scenario.catalog),
        presets=preset_scenarios(),
        opening=opening(),
        about=about(address, source),
        title=f"{acts[0].title} · The KV cache" if alone else TITLE,
        address=address,
        palette=PALETTE,
        data=steady_ids(script_json(held)),
        script_address=places.get("page.js"),
        script=texts["page.js"],
        tools="" if alone else script_holder("tools", texts["tools.js"], places.get("tools.js", "")),
        style=font_faces(fonts) + style_sheet(),
        preloaded=list((fonts or {}).values()),
        icon=data_uri("icon.svg", "image/svg+xml"),
    )


def script_texts(modules: Sequence[str] = PAGE_MODULES, *, whole: bool = True) -> dict[str, str]:
    """The page's scripts by name: what runs at once, of ``modules``, and for the whole page its tools."""
    wanted = [name for name in modules if whole or name not in WHOLE_PAGE_MODULES]
    texts = {"page.js": minified(page_script(wanted, whole=whole))}
    return texts | ({"tools.js": tools_script()} if whole else {})


def opening() -> dict[str, Any]:
    """The opening's picture as it stands at first, and where its slider stops."""
    scenario = Scenario(context=OPENING_STOPS[0])
    return {**opening_frame(scenario, scenario.catalog), "stops": OPENING_STOPS}


def steady_ids(text: str) -> str:
    """Bokeh's ids in a JSON text numbered anew, so that the same page is the same text whatever was drawn before."""
    known: dict[str, str] = {}
    return re.sub(r'"p\d{4,}"', lambda found: known.setdefault(found[0], f'"p{1001 + len(known)}"'), text)


def host_script() -> str:
    """What a page that embeds an act runs, to stand in the embed code it is given."""
    return (STATIC / "kv-cache-embed.js").read_text(encoding="utf-8")


def data_uri(name: str, kind: str) -> str:
    """A file of static/ as a data: URI of the media type ``kind``."""
    return f"data:{kind};base64," + base64.b64encode((STATIC / name).read_bytes()).decode()


def weights_holder(address: str = "") -> str:
    """Where the browser finds the small decoder's weights: in the document, or at the address of a script.

    The served page asks Python instead.
    """
    return "\n" + script_holder("decoder-weights", weights_text(), address)


def script_holder(name: str, text: str, address: str = "") -> str:
    """What stands in the document for a script that runs later: its text, or its address if it has one."""
    place = f' data-src="{address}"' if address else ""
    return f'<script type="text/plain" id="{name}"{place}>{"" if address else text}</script>'


FONTS = {"Inter": "fonts/inter.woff2", "Source Serif": "fonts/source-serif.woff2"}
#: The lightest and the heaviest weight in the files.
FONT_WEIGHTS = (400, 700)


@dataclass(frozen=True)
class Substitute:
    """A typeface of the reader's system, stretched until a text in it is as long and as high as in the page's own.

    ``names`` are what systems call it; ``width`` is its mean width of a character in English text, in em.
    """

    family: str
    names: tuple[str, ...]
    width: float


#: The page's typefaces in em: mean width of a character in English text, ascent, descent.
#: Ascent and descent are those of the files (hhea); widths are @capsizecss/metrics's xWidthAvg, checked 2026-11-30.
FONT_METRICS = {"Inter": (978 / 2048, 1984 / 2048, 494 / 2048), "Source Serif": (0.479, 1.036, 0.335)}
SUBSTITUTES = {
    "Inter": [Substitute("Inter Sub", ("Arial", "Liberation Sans", "Helvetica", "Roboto"), 913 / 2048)],
    "Source Serif": [
        Substitute("Source Serif Sub", ("Georgia",), 913 / 2048),
        Substitute("Source Serif Sub 2", ("Noto Serif",), 0.481),
        Substitute("Source Serif Sub 3", ("Times New Roman", "Liberation Serif"), 832 / 2048),
    ],
}


def font_faces(addresses: Mapping[str, str] | None = None) -> str:
    """The page's two typefaces: inside the style sheet, or each at the address ``addresses`` gives for its file."""
    lightest, heaviest = FONT_WEIGHTS
    places = addresses or {file: data_uri(file, "font/woff2") for file in FONTS.values()}
    # A typeface inside the document is there at once: a substitute would only make the text jump.
    display = "swap" if addresses else "block"
    faces = [
        f"@font-face{{font-family:'{family}';font-weight:{lightest} {heaviest};font-display:{display};"
        f"src:url({places[file]}) format('woff2')}}"
        for family, file in FONTS.items()
    ]
    return "".join([*faces, *(substitute_faces() if addresses else ())])


def substitute_faces() -> Iterator[str]:
    """A face for each substitute, so that nothing moves when the page's own typeface arrives."""
    for family, (width, ascent, descent) in FONT_METRICS.items():
        for substitute in SUBSTITUTES[family]:
            scale = width / substitute.width
            sources = ",".join(f"local('{name}')" for name in substitute.names)
            yield (
                f"@font-face{{font-family:'{substitute.family}';src:{sources};size-adjust:{scale:.2%};"
                f"ascent-override:{ascent / scale:.2%};descent-override:{descent / scale:.2%};line-gap-override:0%}}"
            )


# The session's scripts come after the document, so that it is readable and its controls answer before they load.
# Panel links bundles for every component it has; those that neither the bridge nor the figures use are left out.
UNUSED_BUNDLES = ("tabulator", "luxon", "bokeh-gl", "bokeh-mathjax")
SERVED = """{% from macros import embed %}{{ document }}
{% for script in bokeh_js.split("</script>") if "<script" in script %}
{% if not unused | select("in", script) | list %}{{ script }}</script>{% endif %}
{% endfor %}
{% for root in roots %}{{ embed(root) }}{% endfor %}{{ plot_script }}
</body></html>
"""
# An embedded act has nobody in Python to talk to; without a socket it also works where an origin is refused one.
EMBEDDED = """{{ document }}{{ weights }}
{% for script in bokeh_js.split("</script>") if "bokeh.min.js" in script %}{{ script }}</script>{% endfor %}
</body></html>
"""


@cache
def session_template(source: str) -> Template:
    """A session's page by its text, among Bokeh's own templates, which ``source`` draws on."""
    return FILE.environment.from_string(source)


def served_page() -> Viewable:
    """The page for one session: the document, and a bridge that keeps this session's acts in step with it."""
    # Panel's own Template would make rows, columns and a theme that this page has no use for, for every viewer.
    session = pn.state.curdoc
    # Panel would read the link's key of this name too, and fail where it is no text.
    pn.config.theme = "default"
    session.template_variables.update(shared_markup(), unused=UNUSED_BUNDLES)
    if pn.state.session_args.get("embed") in ([b"1"], [b"true"]):
        session.template = session_template(EMBEDDED)
        return pn.Spacer()
    session.template = session_template(SERVED)
    pn.state.on_session_destroyed(sweeper.closed)
    acts = make_acts()
    bridge = Bridge()
    link(bridge, acts)
    return bridge
