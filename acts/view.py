"""How an act reaches a browser with Python behind it: a component for notebooks, a bridge for the served page.

Both keep the parameters and the page's state in step. A change coming from one side is never sent back to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import param
from bokeh.embed import json_item
from panel.custom import JSComponent
from rjsmin import jsmin

from .bundle import RUNTIME, entries, given_names, runtime_script, style_sheet
from .decoder.weights import weights_text
from .notebook import Kept
from .result import Result, set_each
from .scenario import shape_first
from .scripts import join_modules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .act import Act
    from .scenario import Scenario


@dataclass
class Displays:
    """What all displays of one scenario have in common."""

    #: Not the scenario's name: two notebooks in one window count their names alike.
    id: str = field(default_factory=lambda: uuid4().hex)
    count: int = 0
    #: Not empty while a browser's values are taken over. That browser shows them in every act of the scenario
    #: already; sent to its other acts once more they would undo what was moved since.
    applying: list[bool] = field(default_factory=list)
    kept: Kept = field(init=False)

    def __post_init__(self) -> None:
        self.kept = Kept(self.id)


_displays: WeakKeyDictionary[Scenario, Displays] = WeakKeyDictionary()


def displays_of(scenario: Scenario) -> Displays:
    """The displays of ``scenario``, made at first use."""
    return _displays.setdefault(scenario, Displays())


class Bridge(JSComponent):
    """Invisible: carries the served page's state between the browser and the acts' parameters."""

    state = param.Dict(default={}, doc="The browser's flat state.")

    def _handle_msg(self, data: Any) -> None:
        """Answers a page that asks for the small decoder's weights."""
        if data == "weights":
            self._send_msg({"decoder": weights_text()})

    _esm = """
    export function render({ model, view }) {
      globalThis.kvCacheConnect(model, view);
      const mark = document.createElement("span");
      mark.hidden = true;
      return mark;
    }
    """


class ActView(JSComponent):
    """One act with its controls and figures, for a notebook or a Panel layout."""

    act = param.String(doc="The act's id.")
    scenario_id = param.String(doc="Acts of one scenario share the browser's state under this name.")
    display = param.Integer(
        default=0,
        doc="Counts a scenario's displays: an old one shown again does not bring its old state back.",
    )
    markup = param.String(doc="The act's server-rendered HTML.")
    predict = param.Boolean(default=False, doc="Whether a guess is asked for before the act's answer.")
    state = param.Dict(default={}, doc="The browser's flat state.")
    figures = param.Dict(default={}, doc="The act's plots by name, each as the JSON text of a Bokeh item.")

    @classmethod
    def of(cls, act: Act) -> ActView:
        """The view of ``act``, linked to its parameters."""
        if not cls._esm:  # compiled at first use, not on import
            cls._esm = act_module()
        displays = displays_of(act.scenario)
        displays.count += 1
        view = cls(
            act=act.id,
            scenario_id=displays.id,
            display=displays.count,
            markup=act.markup(),
            predict=act.predict,
            state=act.state(),
            figures={name: json.dumps(json_item(plot)) for name, plot in act.figures().items()},
            sizing_mode="stretch_width",
            stylesheets=[style_sheet()],
        )
        link(view, [act])
        displays.kept.begin(act, displays.count)
        return view

    def _handle_msg(self, data: Any) -> None:
        """Answers a display that asks what holds now, or for the small decoder's weights."""
        self._send_msg({"decoder": weights_text()} if data == "weights" else {"state": self.state})


def act_script() -> str:
    """The ES module of an act shown alone, as it is written."""
    alone = join_modules(["alone.js"], given_names(*entries()), RUNTIME)
    return f"{runtime_script()}\n{alone}\nexport {{ render }};\n"


@cache
def act_module() -> str:
    """The ES module of an act shown alone, without comments and blanks."""
    return jsmin(act_script())


def own_names(owner: Any) -> list[str]:
    """The parameters a browser may set; which scenario an act shows, and what it computes, is Python's business."""
    parameters = type(owner).param
    computed = [name for name in parameters if isinstance(parameters[name], Result)]
    return [name for name in parameters if name not in ("name", "scenario", *computed)]


def link(component: Any, acts: Sequence[Act]) -> None:
    """Keeps ``component.state`` and the parameters of ``acts`` and their scenarios in step, both ways."""
    owners = [acts[0].scenario, *acts]
    applying = displays_of(acts[0].scenario).applying

    def collect() -> dict[str, Any]:
        state: dict[str, Any] = {}
        for act in acts:
            state.update({key: value for key, value in act.state().items() if key != "live"})
        return state

    def to_browser(*_: Any) -> None:
        state = collect()
        if not applying and state != component.state:
            component.state = state

    def to_parameters(event: Any) -> None:
        # Owners are updated one after another; nothing goes back until all have the new values.
        applying.append(True)
        try:
            for owner in owners:
                values = {name: event.new[name] for name in own_names(owner) if name in event.new}
                set_each(owner, shape_first(values))
        except ValueError:
            pass  # A page can be tampered with; what Python refuses is put back to what holds, below.
        finally:
            applying.pop()
        to_browser()

    for owner in owners:
        owner.param.watch(to_browser, own_names(owner))
    component.param.watch(to_parameters, "state")
    to_browser()
