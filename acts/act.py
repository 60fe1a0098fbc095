"""The base of an act: its parameters, its frame, its markup, and the component that shows it anywhere.

Python draws the first frame; every later one is drawn in the browser by the compiled frame function.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import param
from panel.viewable import Viewer

from .bundle import shared_environment
from .scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable

    from bokeh.models import Plot
    from panel.viewable import Viewable


def readout(name: str, doc: str) -> Any:
    """A read-only attribute: the raw number (or the text, where there is none) of the frame's readout ``name``."""

    def value(self: Act) -> Any:
        entry = self.frame()["readouts"][name]
        return entry["text"] if entry["value"] is None else entry["value"]

    value.__doc__ = doc
    return property(value)


class Act(Viewer):
    """One act: a view of a scenario with parameters of its own.

    Subclasses set ``id`` (section id and template name), ``title``, ``draw_frame`` (the pure frame function)
    and override :meth:`figures`. Their own parameters' names are unique over all acts, since the
    browser keeps one flat state.
    """

    scenario = param.ClassSelector(
        class_=Scenario, doc="The scenario shown; an act used alone makes its own."
    )

    id: ClassVar[str]
    title: ClassVar[str]
    #: The title in the navigation.
    short: ClassVar[str]
    draw_frame: Callable[[Any, Any], dict[str, Any]]
    #: The scenario an act makes for itself when none is given.
    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, scenario: Scenario | None = None, **values: Any) -> None:
        super().__init__(scenario=scenario or Scenario(**self.defaults), **values)

    @classmethod
    def own_parameters(cls) -> list[str]:
        """Names of the act's parameters beside the scenario's."""
        return [name for name in cls.param if name not in ("name", "scenario")]

    def state(self) -> dict[str, Any]:
        """The scenario's and the act's own values, flat: what a frame is drawn from."""
        values = {name: getattr(self.scenario, name) for name in Scenario.param if name != "name"}
        return values | {name: getattr(self, name) for name in self.own_parameters()}

    def frame(self) -> dict[str, Any]:
        """The act drawn as data: readouts, sentence, sources, ranges. The browser computes the same."""
        return type(self).draw_frame(SimpleNamespace(**self.state()), self.scenario.catalog)

    def figures(self) -> dict[str, Plot]:
        """The act's Bokeh plots by name, holding the present frame."""
        raise NotImplementedError

    @classmethod
    @cache
    def plot_heights(cls) -> dict[str, int]:
        """Heights of the act's plots in px, so that a page can keep their places before they are drawn."""
        return {name: plot.height for name, plot in cls().figures().items()}

    def options(self) -> dict[str, list[tuple[str, str]]]:
        """What the lists of models, GPUs and types offer: ids with their names."""
        catalog = self.scenario.catalog
        tables = {
            "models": catalog.models,
            "gpus": catalog.gpus,
            "caches": catalog.caches,
            "weights": catalog.weights,
        }
        return {kind: [(row.id, row.name) for row in table.values()] for kind, table in tables.items()}

    def markup(self) -> str:
        """The act as HTML: sentence, controls, places for figures, readouts, live sentence."""
        template = shared_environment().get_template(f"{self.id}/{self.id}.html")
        catalog = self.scenario.catalog
        return template.render(act=self, frame=self.frame(), options=self.options(), catalog=catalog)

    def __panel__(self) -> Viewable:
        from .view import ActView

        return ActView.of(self)
