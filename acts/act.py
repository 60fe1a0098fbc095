"""The base of an act: its parameters, its frame, its markup, and the component that shows it anywhere.

Python draws the first frame; every later one is drawn in the browser by the compiled frame function.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import param
from panel.viewable import Viewer

from .bundle import shared_environment
from .deployed import deployed_line
from .own_model import OWN_MODEL, OWN_NAME_LONGEST, own_text
from .scenario import Catalog, Scenario
from .still import still_picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bokeh.models import Plot
    from panel.viewable import Viewable

    from .contracts import Draw, Frame

#: Models with which every outcome comes about.
EXTREME_MODELS = ("llama-3.1-405b", "deepseek-v3", "llama-3-8b", "llama-2-7b", "falcon-7b")


def long_named(model: str) -> str:
    """The text of a model of the catalog under the longest name a model of one's own can have."""
    row = Catalog().models[model]
    words = "A model of your own with a name as long as any may be" * 2
    return own_text(words[:OWN_NAME_LONGEST], asdict(row.shape), row.max_context)


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

    predict = param.Boolean(
        default=False, doc="Whether a display asks for a guess before it shows the act's answer."
    )

    id: ClassVar[str]
    title: ClassVar[str]
    #: The title in the navigation.
    short: ClassVar[str]
    draw_frame: Draw
    #: The scenario an act makes for itself when none is given.
    defaults: ClassVar[dict[str, Any]] = {}
    #: Values that make the act's sentence long: each outcome, long names, numbers of many digits.
    extremes: ClassVar[dict[str, tuple[Any, ...]]] = {
        "gpu": ("rtx-5090-32gb", "mi355x-288gb"),
        "gpus": (1, 16),
        "context": (258, 1048575),
        "users": (1023,),
        "cache": ("bf16", "nvfp4"),
    }

    def __init__(self, scenario: Scenario | None = None, **values: Any) -> None:
        super().__init__(scenario=scenario or Scenario(**self.defaults), **values)

    @classmethod
    def own_parameters(cls) -> list[str]:
        """Names of the act's parameters beside the scenario's."""
        return [name for name in cls.param if name not in ("name", "scenario", "predict")]

    def state(self) -> dict[str, Any]:
        """The scenario's and the act's own values, flat: what a frame is drawn from."""
        values = {name: getattr(self.scenario, name) for name in Scenario.param if name != "name"}
        return values | {name: getattr(self, name) for name in self.own_parameters()}

    def frame(self) -> Frame:
        """The act drawn as data: readouts, sentence, sources, ranges. The browser computes the same."""
        return type(self).draw_frame(SimpleNamespace(**self.state()), self.scenario.catalog)

    def bounds(self, name: str) -> tuple[float, float]:
        """Least and most of a number among the scenario's or the act's own values."""
        owner = self.scenario if name in self.scenario.param else self
        return owner.param[name].bounds

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

    def deployed(self) -> str:
        """The scenario in a line of words."""
        return deployed_line(self.scenario, self.scenario.catalog)

    @classmethod
    @cache
    def longest_sentence(cls) -> str:
        """The longest of the act's sentences at the ends of what can be set: its box keeps room for that one."""
        sentences = []
        for model in EXTREME_MODELS:
            act = cls(Scenario(shape=long_named(model), model=OWN_MODEL))
            for values in product(*cls.extremes.values()):
                for name, value in zip(cls.extremes, values, strict=True):
                    setattr(act.scenario if name in act.scenario.param else act, name, value)
                sentences.append(act.frame()["sentence"])
        return max(sentences, key=len)

    def markup(self, plots: Mapping[str, Plot] | None = None) -> str:
        """The act as HTML: the stage with question, controls, picture and sentence, and what comes after it.

        ``plots`` are its :meth:`figures` if they are there already: until they are drawn, still pictures stand there.
        """
        stills = {name: still_picture(plot) for name, plot in (plots or self.figures()).items()}
        template = shared_environment().get_template(f"{self.id}/{self.id}.html")
        catalog = self.scenario.catalog
        return template.render(
            act=self, frame=self.frame(), stills=stills, options=self.options(), catalog=catalog
        )

    def __panel__(self) -> Viewable:
        from .view import ActView

        return ActView.of(self)
