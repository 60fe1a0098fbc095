"""Act three: the concurrency wall. Weights plus every user's cache against the cards' memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..act import Act
from ..deployment import deploy, deploy_sequence
from ..result import Result
from ..sizing import max_users
from .figure import memory_bar, users_curve
from .frame import wall_frame
from .table import wall_figure_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bokeh.models import Plot


class Wall(Act):
    """How many users fit beside the weights, and what stands in the way of more."""

    id = "wall"
    title = "The concurrency wall"
    short = "Wall"
    draw_frame = staticmethod(wall_frame)
    draw_table = staticmethod(wall_figure_table)

    max_users = Result("max-users", "Users that fit with no activation reserve but the scenario's, a count.")
    max_users_typical = Result(
        "max-users-typical", "Users that fit with a typical activation reserve, a count."
    )
    cache_demanded = Result("cache-demanded", "Cache of all users on all cards, bytes.")
    cache_per_user = Result("cache-per-user", "Cache of one user on all cards, bytes.")
    free_memory = Result(
        "free-memory", "Memory left for the cache on all cards, bytes; 0 if the weights do not fit."
    )
    weights_memory = Result("weights-memory", "Weights on all cards, bytes.")
    verdict = Result("verdict", "The outcome in a few words.")

    def figures(self) -> dict[str, Plot]:
        """``memory``, the bar, and ``curve``, users against context."""
        frame = self.frame()
        return {"memory": memory_bar(frame), "curve": users_curve(frame)}

    def users_by_context(self, contexts: Sequence[int]) -> np.ndarray:
        """Users that fit at each of ``contexts`` (tokens), as an array of counts of the same length."""
        scenario = self.scenario
        sizes = deploy(scenario, scenario.catalog)
        # The same functions that size one deployment, over an array of contexts at once.
        tokens: Any = np.asarray(contexts, dtype=np.int64)
        counts = max_users(sizes["free"], deploy_sequence(scenario, scenario.catalog, tokens))
        return np.zeros_like(tokens) + counts * scenario.data_parallel
