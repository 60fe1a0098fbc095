"""What the browser needs, put together once a process: style sheet, compiled twin, catalog, runtime."""

from __future__ import annotations

import re
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import param
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from . import text, twin
from .bounds import BOUNDS
from .catalog import CACHE_NAMES, CACHE_TYPES, Catalog
from .decoder import measured
from .decoder.config import CONFIGS
from .decoder.language import VOCABULARY
from .decoder.rounding import scale_size
from .decoder.weights import parameters
from .decoder.written import LONGEST, RUN_WORDS, SHOWN, TEXTS, VocabularyText, written
from .figure import PALETTE, STRONGER, palette_css
from .scenario import Amount, Choice, Scenario, ShapeText, Whole
from .scripts import STATIC, join_modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HERE = Path(__file__).parent

#: Runtime modules in the order they are joined; each may import from earlier ones only.
RUNTIME = (
    "start.js",
    "store.js",
    "controls.js",
    "figures.js",
    "growth.js",
    "decoder.js",
    "live.js",
    "heads.js",
    "save.js",
    "act.js",
    "predict.js",
)

#: Compiled modules that the runtime itself calls, beside the acts' frames.
ENTRIES = ("acts.own_model", "acts.predict")

#: Values a slider stops at. Everything between can be typed.
CONTEXT_STOPS = [step for power in range(8, 20) for step in (2**power, 3 * 2 ** (power - 1))] + [2**20]
USER_STOPS = sorted(
    {*range(1, 17), *range(20, 65, 4), *range(72, 129, 8), *range(160, 257, 32), 384, 512, 768, 1024}
)
GPU_STOPS = list(range(BOUNDS["gpus"][0], BOUNDS["gpus"][1] + 1))
PARALLEL_STOPS = [1, 2, 3, 4, 6, 8, 12, 16]
UTILISATION_STOPS = [*range(50, 85, 5), *range(85, 101)]
GIB_STOPS = [0, *(step * 2**power for power in range(2, 9) for step in (1, 1.25, 1.5, 1.75)), 512]
SPEED_STOPS = [step * 10**power for power in range(5) for step in (1, 1.5, 2, 3, 5, 7)] + [10**5]
RESERVE_STOPS = [step / 2 for step in range(17)] + [10, 12, 16, 24, 32, 48, 64]


@cache
def shared_environment() -> Environment:
    """The Jinja environment of all markup: everything is escaped unless a template is its author."""
    environment = Environment(
        loader=FileSystemLoader([HERE, HERE.parent / "app"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        {name: getattr(text, name) for name in dir(text) if name.startswith("text_")},
        CONTEXT_STOPS=CONTEXT_STOPS,
        USER_STOPS=USER_STOPS,
        GPU_STOPS=GPU_STOPS,
        PARALLEL_STOPS=PARALLEL_STOPS,
        UTILISATION_STOPS=UTILISATION_STOPS,
        GIB_STOPS=GIB_STOPS,
        SPEED_STOPS=SPEED_STOPS,
        RESERVE_STOPS=RESERVE_STOPS,
        measured=measured,
        decoder={
            "parameters": parameters(CONFIGS["gqa"]),
            "vocabulary": VOCABULARY,
            "texts": TEXTS,
            "run": RUN_WORDS,
        },
    )
    return environment


def parameter_rules(
    owners: Iterable[type[param.Parameterized]], names: Mapping[Any, list[str]]
) -> dict[str, Any]:
    """What the browser may set: for each parameter its kind, default and what is allowed."""
    rules: dict[str, Any] = {}
    for owner in owners:
        for name in names[owner]:
            rules[name] = _rule(owner.param[name])
    return rules


def _rule(parameter: param.Parameter) -> dict[str, Any]:
    if isinstance(parameter, Choice):
        choices = list(parameter.objects)
        names = {name: id for name, id in parameter.names.items() if name != id}
        return {"kind": "choice", "default": parameter.default, "choices": choices, "names": names}
    if isinstance(parameter, Whole | Amount):
        kind = "whole" if isinstance(parameter, Whole) else "amount"
        low, high = parameter.bounds
        return {"kind": kind, "default": parameter.default, "low": low, "high": high}
    if isinstance(parameter, VocabularyText):
        return {"kind": "words", "default": parameter.default, "most": LONGEST}
    if isinstance(parameter, ShapeText):
        return {"kind": "shape", "default": parameter.default}
    if not isinstance(parameter, param.Boolean):
        raise TypeError(
            f"{parameter.owner.__name__}.{parameter.name} is of {type(parameter).__name__}, for which the browser has "
            f"no rule; make it a Whole, Amount or Choice of acts/scenario.py, or a Boolean"
        )
    return {"kind": "flag", "default": parameter.default}


@cache
def entries() -> tuple[str, ...]:
    """Modules from which it follows what an act's script compiles: those of the frames, and what the runtime calls."""
    from . import ACTS

    drawn = [function.__module__ for act in ACTS for function in (act.draw_frame, act.draw_table)]
    return (*drawn, *ENTRIES)


@cache
def constants() -> dict[str, Any]:
    """What scripts and compiled modules read beside their own: each constant's name and value."""
    from . import ACTS

    names: dict[Any, list[str]] = {Scenario: [name for name in Scenario.param if name != "name"]}
    names.update({act: act.own_parameters() for act in ACTS})
    return {
        "CATALOG": browser_catalog(),
        "CACHE_NAMES": CACHE_NAMES,
        "RULES": parameter_rules([Scenario, *ACTS], names),
        "SCENARIO_KEYS": names[Scenario],
        "PALETTE": PALETTE,
        "STRONGER": STRONGER,
        "DECODER": decoder_facts(),
    }


def browser_catalog() -> dict[str, Any]:
    """The catalog as the browser takes it: whence a row has its figures stands in the page's tables and prose."""
    catalog = asdict(Catalog())
    for kind, rows in catalog.items():
        for row in rows.values():
            row.pop("spellings", None)
            if kind != "caches":  # whose source the act names
                del row["source"], row["checked"]
    return catalog


def decoder_facts() -> dict[str, Any]:
    """The small decoder as the browser takes it, but for its weights; ``written`` is what it says to the first text."""
    types = {
        name: {"rule": list(row.rounding), "size": scale_size(row, CONFIGS["gqa"].head_dim)}
        for name, row in CACHE_TYPES.items()
    }
    return {
        "config": asdict(CONFIGS["gqa"]),
        "vocabulary": VOCABULARY,
        "types": types,
        "shown": SHOWN,
        "run": RUN_WORDS,
        "written": written(TEXTS[0]),
    }


def given_names(*entries: str) -> dict[str, str]:
    """The names that the runtime's modules find in their scope, each with its place."""
    compiled = twin.defined_names(twin.closure(entries))
    return {**compiled, **dict.fromkeys([*constants(), "FRAMES", "TABLES"], "acts/bundle.py")}


@cache
def runtime_script() -> str:
    """The whole script of an act or a page, as one ES module's text without imports or exports."""
    from . import ACTS

    frames = ", ".join(f"{act.id}: {act.draw_frame.__name__}" for act in ACTS)
    tables = ", ".join(f"{act.id}: {act.draw_table.__name__}" for act in ACTS)
    values = [f"const {name} = {twin.script_json(value)};" for name, value in constants().items()]
    runtime = join_modules(RUNTIME, given_names(*entries()))
    functions = [f"const FRAMES = {{{frames}}};", f"const TABLES = {{{tables}}};"]
    return "\n".join([twin.javascript(entries()), *values, *functions, runtime])


@cache
def style_sheet() -> str:
    """The style sheet without its comments, the palette's custom properties in front."""
    text = (STATIC / "style.css").read_text(encoding="utf-8")
    return palette_css() + re.sub(r"/\*.*?\*/\s*", "", text, flags=re.DOTALL)
