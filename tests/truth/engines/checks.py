"""Predicts what an engine printed, row by row: the Shape and value types of :mod:`.rows`,
:mod:`acts.sizing`, and the engine's rules. There is one reader for each engine; each knows the quantities
its engine prints, none knows a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .check import BYTES_ALONE, Check
from .check_llamacpp import llamacpp_checks, ollama_checks
from .check_others import (
    lmdeploy_checks,
    pegainfer_checks,
    published_checks,
    transformers_checks,
    trtllm_checks,
)
from .check_sglang import sglang_checks
from .check_vllm import vllm_checks
from .rows import Row, Unreadable, read_row

#: (word in the engine's name, reader), tried in order.
READERS: tuple[tuple[str, Callable[[Row], Iterator[Check]]], ...] = (
    ("vllm", vllm_checks),
    ("sglang", sglang_checks),
    ("tensorrt", trtllm_checks),
    ("lmdeploy", lmdeploy_checks),
    ("ollama", ollama_checks),
    ("llama", llamacpp_checks),
    ("pegainfer", pegainfer_checks),
    ("transformers", transformers_checks),
    ("table", published_checks),
)


@dataclass(frozen=True)
class Result:
    """A row and its checks, or the reason why it is not modelled."""

    row: Row
    checks: tuple[Check, ...]
    reason: str = ""

    @property
    def status(self) -> str:
        """exact (bytes alone), by rule, differs or not modelled."""
        if self.reason or not self.checks:
            return "not modelled"
        if not all(check.exact for check in self.checks):
            return "differs"
        return "exact" if all(check.rule == BYTES_ALONE for check in self.checks) else "by rule"


def check_row(raw: dict[str, Any]) -> Result:
    """Predicts every figure of a row that its engine's rules reach; says what is missing if they reach
    none.
    """
    row = read_row(raw)
    for word, reader in READERS:
        if word in row.engine.lower():
            try:
                checks = tuple(reader(row))
            except (Unreadable, KeyError, ValueError) as missing:
                return Result(row, (), f"{missing}")
            return Result(row, checks, "" if checks else "the row prints nothing that bytes decide")
    return Result(row, (), f"no rules for {row.engine}")
