"""One printed figure against its prediction, and the sums that all engines' checks share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from acts.sizing import GIB, MIB, LayerGroup, ValueType, entry_bytes, heads_per_gpu

BYTES_ALONE = "bytes alone"

_UNITS = {"GiB": GIB, "MiB": MIB, "GB": 10**9, "B": 1, "": 1, "x": 1, "values": 1}


@dataclass(frozen=True)
class Check:
    """One printed figure against the prediction.

    ``low`` and ``high`` are equal unless the prediction starts from another printed, hence rounded, figure;
    all three are in ``unit``. ``step`` is the printed figure's last digit. ``rule`` is what beyond the
    plain arithmetic reproduces it, :data:`BYTES_ALONE` if nothing is needed; ``note`` explains a
    difference.
    """

    quantity: str
    unit: str
    printed: float
    low: float
    high: float
    rule: str = BYTES_ALONE
    step: float = 0.0
    note: str = ""

    @property
    def exact(self) -> bool:
        """Whether the prediction, printed with the engine's digits, is the printed figure."""
        slack = self.step / 2 + 1e-9 * max(1.0, abs(self.printed))
        return self.low - slack <= self.printed <= self.high + slack

    @property
    def predicted(self) -> float:
        """The prediction, or the point of its range that lies closest to the printed figure."""
        return min(max(self.printed, self.low), self.high)

    @property
    def ratio(self) -> float:
        """Predicted over printed."""
        return self.predicted / self.printed if self.printed else 1.0


def last_digit(printed: float, digits: int) -> float:
    """One unit of the last printed digit; a figure kept as a number has lost its trailing zeros."""
    text = str(printed)
    written = len(text.split(".")[1]) if "." in text and "e" not in text else 0
    return 10.0 ** -max(digits, written)


def size_check(
    quantity: str, unit: str, printed: float, count: float, rule: str = BYTES_ALONE, *, digits: int = 2
) -> Check:
    """A check of a printed size against ``count`` bytes."""
    predicted = count / _UNITS[unit]
    return Check(quantity, unit, printed, predicted, predicted, rule, last_digit(printed, digits))


def count_check(
    quantity: str, printed: float, predicted: float, rule: str = BYTES_ALONE, unit: str = ""
) -> Check:
    """A check of a printed whole number, which must be met to the unit."""
    return Check(quantity, unit, printed, predicted, predicted, rule)


def rounded(printed: float, unit: str, digits: int = 2) -> tuple[int, int]:
    """Fewest and most bytes that print as ``printed``."""
    half = last_digit(printed, digits) / 2
    return int((printed - half) * _UNITS[unit]), int((printed + half) * _UNITS[unit])


def times_check(quantity: str, printed: float, value: float, rule: str) -> Check:
    """A check of a printed concurrency, which has two decimals."""
    return Check(quantity, "x", printed, value, value, rule, 0.01)


def one_side(group: LayerGroup, which: str) -> LayerGroup:
    """The group's keys alone ("K") or values alone ("V")."""
    return replace(group, value_width=0) if which == "K" else replace(group, key_width=0)


def layer_bytes(group: LayerGroup, types: tuple[ValueType, ValueType], gpus: int = 1) -> int:
    """Bytes of one entry in all layers of ``group``, on one GPU."""
    return group.layers * entry_bytes(group, heads_per_gpu(group.num_kv_heads, gpus), *types)


def sum_layer_bytes(groups: Iterable[LayerGroup], types: tuple[ValueType, ValueType], gpus: int = 1) -> int:
    """Bytes of one entry in all layers of all ``groups``, on one GPU."""
    return sum(layer_bytes(group, types, gpus) for group in groups)
