"""The base of an act: its parameters, its frame, its markup, and the component that shows it anywhere.

Python draws the first frame; every later one is drawn in the browser by the compiled frame function.
"""

from __future__ import annotations

import re
import weakref
from dataclasses import asdict
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import param
from panel.viewable import Layoutable, Viewer

from .bundle import shared_environment
from .deployed import deployed_line
from .own_model import OWN_MODEL, OWN_NAME_LONGEST, own_text
from .result import Result, result_value, set_each
from .scenario import Catalog, Scenario, catalog_with
from .still import still_picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bokeh.models import Plot
    from panel.viewable import Viewable

    from .contracts import Draw, Frame, Table, Tabulate

#: Models with which every outcome comes about.
EXTREME_MODELS = ("llama-3.1-405b", "deepseek-v3", "llama-3-8b", "llama-2-7b", "falcon-7b")


def long_named(model: str) -> str:
    """The text of a model of the catalog under the longest name a model of one's own can have."""
    row = Catalog().models[model]
    words = "A model of your own with a name as long as any may be" * 2
    return own_text(words[:OWN_NAME_LONGEST], asdict(row.shape), row.max_context)


def sources_beside(html: str) -> str:
    """Lets every source open in a window of its own: an act may stand in a frame or a notebook, which would be left."""
    return re.sub(r'<a (?=href="https?:)', '<a target="_blank" rel="noopener" ', html)


class Act(Viewer):
    """One act: a view of a scenario with parameters of its own.

    Subclasses set ``id`` (section id and template name), ``title``, ``draw_frame`` and ``draw_table`` (the pure
    functions of a frame and of a figure's data) and override :meth:`figures`. Their own parameters' names are
    unique over all acts, since the browser keeps one flat state.
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
    draw_table: Tabulate
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

    def __init__(self, scenario: Scenario | str | None = None, **values: Any) -> None:
        """An act of ``scenario``, of the catalog's model with that id, or of :attr:`defaults`.

        ``values`` are its own parameters. Raises TypeError or ValueError in a sentence that says what to write.
        """
        for name in values:
            if name not in (*self.own_parameters(), "name", "predict"):
                raise TypeError(self._no_parameter(name))
        super().__init__(scenario=self._scenario_of(scenario), **values)
        self._drawn: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        self._told: dict[str, Any] = {}
        if own := self.own_parameters():
            self.param.watch(self._tell_results, own)
        self.param.watch(self._follow, "scenario")
        self._follow()

    @classmethod
    def _scenario_of(cls, given: Any) -> Scenario:
        if isinstance(given, Scenario):
            return given
        if given is None or isinstance(given, str):
            return Scenario(**cls.defaults | ({} if given is None else {"model": given}))
        raise TypeError(
            f"{cls.__name__} cannot show {given!r}; give it a scenario or a model's id, "
            f"such as {cls.__name__}(Scenario(model='llama-3-8b', users=16)) or {cls.__name__}('llama-3-8b')"
        )

    @classmethod
    def _no_parameter(cls, name: str) -> str:
        """What to write in place of a parameter that an act does not have."""
        act = cls.__name__
        if name in cls.results():
            return f"{name} is what {act} computes; set what it follows from, such as Scenario(users=16)"
        if name in Scenario.param:
            return f"{name} is part of the scenario: write {act}(Scenario({name}=...))"
        if name in Layoutable.param:
            return (
                f"{act} fills the layout it is in: write {name} there, as in pn.Column({act}(), {name}=...)"
            )
        own = ", ".join([*cls.own_parameters(), "predict"])
        return f"{act} has no parameter {name}; beside the scenario it has: {own}"

    @classmethod
    @cache
    def results(cls) -> dict[str, str]:
        """The parameters that the act computes: their names with those of the readouts they are taken from."""
        found = {name: cls.param[name] for name in cls.param}
        return {name: each.readout for name, each in found.items() if isinstance(each, Result)}

    @classmethod
    def own_parameters(cls) -> list[str]:
        """Names of the act's parameters beside the scenario's, without what it computes."""
        return [name for name in cls.param if name not in ("name", "scenario", "predict", *cls.results())]

    def state(self) -> dict[str, Any]:
        """The scenario's and the act's own values, flat: what a frame is drawn from."""
        return self.completed(self.values())

    def values(self) -> dict[str, Any]:
        """The values of the scenario's and the act's own parameters, by name."""
        values = {name: getattr(self.scenario, name) for name in Scenario.param if name != "name"}
        return values | {name: getattr(self, name) for name in self.own_parameters()}

    @classmethod
    def completed(cls, values: dict[str, Any]) -> dict[str, Any]:
        """``values`` of the parameters with what follows from them and no frame function can work out."""
        return values

    def frame(self) -> Frame:
        """The act drawn as data: readouts, sentence, sources, ranges. The browser computes the same."""
        return self.frame_of(self.values())

    @classmethod
    def frame_of(cls, values: dict[str, Any]) -> Frame:
        """The frame where the scenario's and the act's parameters have ``values``."""
        return cls.draw_frame(SimpleNamespace(**cls.completed(values)), catalog_with(values["shape"]))

    def keys_read(self) -> list[str]:
        """What of :meth:`state` the frame is drawn from: while the rest changes alone, the frame stays as it is."""
        state = self.state()
        read = set()

        class Watched(SimpleNamespace):
            def __getattribute__(self, name: str) -> Any:
                read.add(name)
                return super().__getattribute__(name)

        self.draw_frame(Watched(**state), catalog_with(state["shape"]))
        return sorted(read & state.keys())

    def result(self, name: str) -> Any:
        """The present value of the result ``name``."""
        return self._results_of(self.values())[name]

    def _results_of(self, values: dict[str, Any]) -> dict[str, Any]:
        """The results where the parameters have ``values``, kept for the next who asks: they are asked one by one."""
        if self._drawn[0] != values:
            readouts = self.frame_of(values)["readouts"]
            self._drawn = values, {name: result_value(readouts[key]) for name, key in self.results().items()}
        return self._drawn[1]

    def _follow(self, *_: Any) -> None:
        """Has the results told of as the scenario changes. A scenario keeps no act alive."""
        me = weakref.ref(self)
        scenario = self.scenario

        def tell(*_: Any) -> None:
            act = me()
            if act is None or act.scenario is not scenario:
                scenario.param.unwatch(watcher)
            else:
                act._tell_results()

        watcher = scenario.param.watch(tell, [name for name in Scenario.param if name != "name"])
        self._tell_results()

    def _tell_results(self, *_: Any) -> None:
        """Tells those who watch a result, if there are any, of its new value; the first time the old one is None."""
        watched = [name for name in self.results() if self.param.watchers.get(name, {}).get("value")]
        before, self._told = self._told, {}
        if not watched:
            return
        values = self._results_of(self.values())
        self._told = {name: values[name] for name in watched}
        with param.edit_constant(self):
            with param.discard_events(self):
                set_each(self, {name: before.get(name) for name in watched})
            set_each(self, self._told)

    def table(self, figure: str) -> Table:
        """What the figure of that name shows, as rows with the columns' names first: what it is saved as in a CSV file.

        Raises KeyError if the act has no such figure.
        """
        if figure not in self.plot_heights():
            raise KeyError(f"{self.title} has no figure {figure!r}; it has {', '.join(self.plot_heights())}")
        return type(self).draw_table(figure, SimpleNamespace(**self.state()), self.scenario.catalog)

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

    def markup(self, plots: Mapping[str, Plot] | None = None, *, alone: bool = True) -> str:
        """The act as HTML: the stage with question, controls, picture and sentence, and what comes after it.

        ``plots`` are its :meth:`figures` if they are there already: until they are drawn, still pictures stand there.
        An act that is not ``alone`` is on a page that has the deployment once for all its acts.
        """
        stills = {name: still_picture(plot) for name, plot in (plots or self.figures()).items()}
        template = shared_environment().get_template(f"{self.id}/{self.id}.html")
        catalog = self.scenario.catalog
        return sources_beside(
            template.render(
                act=self,
                frame=self.frame(),
                stills=stills,
                options=self.options(),
                catalog=catalog,
                alone=alone,
            )
        )

    def __panel__(self) -> Viewable:
        from .view import ActView

        return ActView.of(self)
