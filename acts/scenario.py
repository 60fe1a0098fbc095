"""The scenario all acts share: one model on one deployment with its users."""

from __future__ import annotations

from typing import Any

import param

from .catalog import CACHE_TYPES, GPUS, MODELS, WEIGHT_TYPES, Catalog
from .limits import ALIASES, BOUNDS, DEFAULTS


class Choice(param.Selector):
    """A Selector over ids that takes their other names too (``fp16`` is ``bf16``) and says what is allowed."""

    def __set__(self, obj: Any, val: Any) -> None:
        super().__set__(obj, ALIASES.get(val, val) if isinstance(val, str) else val)

    def _validate(self, val: Any) -> None:
        if val not in self.objects:
            raise ValueError(
                f"{self.name} cannot be {val!r}; choose one of: {', '.join(map(str, self.objects))}"
            )


class Whole(param.Integer):
    """An Integer whose refusal names the value and what is allowed."""

    def _validate(self, val: Any) -> None:
        low, high = self.bounds
        if isinstance(val, bool) or not isinstance(val, int) or not low <= val <= high:
            raise ValueError(f"{self.name} cannot be {val!r}; give a whole number from {low:,} to {high:,}")


class Amount(param.Number):
    """A Number whose refusal names the value and what is allowed."""

    def _validate(self, val: Any) -> None:
        low, high = self.bounds
        if isinstance(val, bool) or not isinstance(val, int | float) or not low <= val <= high:
            raise ValueError(f"{self.name} cannot be {val!r}; give a number from {low:,} to {high:,}")


class Scenario(param.Parameterized):
    """Model, cards, value types and users: the state every act reads and the URL holds.

    An impossible value raises ValueError naming the parameter, the value and what is allowed.
    """

    model = Choice(default=DEFAULTS["model"], objects=list(MODELS), doc="Model id, see catalog.MODELS.")
    gpu = Choice(default=DEFAULTS["gpu"], objects=list(GPUS), doc="Card id, see catalog.GPUS.")
    gpus = Whole(
        default=DEFAULTS["gpus"],
        bounds=BOUNDS["gpus"],
        doc="Cards the model is split over (tensor parallelism).",
    )
    weights = Choice(default=DEFAULTS["weights"], objects=list(WEIGHT_TYPES), doc="Type of the weights.")
    cache = Choice(
        default=DEFAULTS["cache"], objects=list(CACHE_TYPES), doc="Type of the cached keys and values."
    )
    context = Whole(
        default=DEFAULTS["context"], bounds=BOUNDS["context"], doc="Tokens each user's sequence holds."
    )
    users = Whole(default=DEFAULTS["users"], bounds=BOUNDS["users"], doc="Sequences held at once.")
    reserve = Amount(
        default=DEFAULTS["reserve"],
        bounds=BOUNDS["reserve"],
        doc="Memory set aside for activations, GiB a card.",
    )

    def __init__(self, **values: Any) -> None:
        unknown = sorted(set(values) - set(self.param))
        if unknown:
            known = ", ".join(name for name in self.param if name != "name")
            raise ValueError(f"{unknown[0]} is not part of a scenario; its parameters are: {known}")
        super().__init__(**values)

    @property
    def catalog(self) -> Catalog:
        """The catalog this scenario's ids refer to."""
        return Catalog()
