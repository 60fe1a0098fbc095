"""The sheet for a class: what it is to learn, predictions and questions on its deployment, and the key apart."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

from acts import ACTS, Scenario
from acts.bounds import DEFAULTS
from acts.bundle import shared_environment

from .quiz import FIRST_SEED
from .quiz.frame import quiz_ids
from .sheet import sheet_html

if TYPE_CHECKING:
    from collections.abc import Iterable

#: What a learner can do afterwards.
OBJECTIVES = (
    "say why keys and values are kept and queries are not, and what a cache does not save",
    "work out the cache of a token and of a conversation from a model's layers, KV heads, width and type",
    "tell what grouped heads, windows and a latent change in that sum",
    "find how many users fit beside the weights, and what happens when one more comes",
    "say what a narrower cache type gains, and what it may cost",
)
#: What has to be known before.
BEFORE = (
    "what a token is, and that a model writes one at a time",
    "powers of two and of ten: GiB and GB",
    "multiplication and division",
)


@cache
def blank_sheet() -> str:
    """The sheet's document with slots for what depends on the class: see :func:`app.sheet.sheet_html`."""
    template = shared_environment().get_template("templates/handout.html")
    return template.render(acts=ACTS, objectives=OBJECTIVES, before=BEFORE)


def handout_html(scenario: Scenario | None = None, seed: int = FIRST_SEED, names: Iterable[str] = ()) -> str:
    """The sheet as one HTML document that needs no script, for ``scenario`` and the quiz's ``seed`` or ``names``."""
    scenario = scenario or Scenario()
    state = SimpleNamespace()
    for act in ACTS:
        vars(state).update(act(scenario).state())
    asked = list(names) or quiz_ids(seed)
    return sheet_html(blank_sheet(), state, scenario.catalog, seed, asked, SimpleNamespace(**DEFAULTS))
