"""What an act computes, as parameters: read-only, taken from its frame, and told to whoever depends on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import param
from param.parameterized import batch_call_watchers

if TYPE_CHECKING:
    from .act import Act
    from .contracts import Readout


class _Written:
    """A number with the words the page writes for it, which Markdown panes and notebooks show in its place."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text

    @classmethod
    def of(cls, value: Any, text: str) -> Self:
        """The number ``value``, written as ``text``."""
        number = cls(value)  # type: ignore[call-arg]
        number.text = text
        return number


class WrittenCount(_Written, int):
    """A count or a number of bytes."""


class WrittenAmount(_Written, float):
    """A ratio, or a fraction of a byte."""


def result_value(entry: Readout) -> Any:
    """The raw number of a frame's readout, with its text; the text itself where there is no number."""
    value, text = entry["value"], entry["text"]
    if value is None:
        return text
    return WrittenCount.of(value, text) if isinstance(value, int) else WrittenAmount.of(value, text)


class Result(param.Parameter):
    """A number (or text) that follows from an act's state: the readout called ``readout`` in its frame.

    It is computed when it is asked for. Where something watches it, the act draws its frame at every change of what it
    follows from and tells of the values that changed; where nothing does, a change costs nothing.
    """

    __slots__ = ("readout",)

    def __init__(self, readout: str, doc: str, **settings: Any) -> None:
        super().__init__(doc=doc, constant=True, **settings)
        self.readout = readout

    def __get__(self, obj: Act | None, objtype: type[Act]) -> Any:
        return self if obj is None else obj.result(self.name)


def set_each(owner: param.Parameterized, values: dict[str, Any]) -> None:
    """Sets parameters of ``owner``; watchers hear of all at once. Unlike ``param.update`` it reads none of them."""
    with batch_call_watchers(owner):
        for name, value in values.items():
            setattr(owner, name, value)
