"""Models, GPUs and value types: data, each figure with its source and the date it was checked.

Ids are stable, lower-case and safe in a URL. Nothing here computes: see :mod:`acts.sizing`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from .gpus import GPUS, Gpu
from .models import MODELS, Model
from .types import CACHE_ALIASES, CACHE_TYPES, WEIGHT_TYPES, CacheType, WeightType, cache_type

__all__ = [
    "CACHE_ALIASES",
    "CACHE_TYPES",
    "GPUS",
    "MODELS",
    "WEIGHT_TYPES",
    "CacheType",
    "Catalog",
    "Gpu",
    "Model",
    "WeightType",
    "browser_catalog",
    "cache_type",
]


@dataclass(frozen=True)
class Catalog:
    """What ids stand for; the browser holds the same as JSON."""

    models: dict[str, Model] = field(default_factory=lambda: dict(MODELS))
    gpus: dict[str, Gpu] = field(default_factory=lambda: dict(GPUS))
    caches: dict[str, CacheType] = field(default_factory=lambda: dict(CACHE_TYPES))
    weights: dict[str, WeightType] = field(default_factory=lambda: dict(WEIGHT_TYPES))


def browser_catalog() -> dict[str, dict[str, dict[str, Any]]]:
    """The whole catalog as plain dicts, lists, strings and whole numbers: what the compiled twin gets.

    Sources and dates stay out: the page prints them, nothing in the browser reads them.
    """
    tables: dict[str, dict[str, Any]] = {
        "models": MODELS,
        "gpus": GPUS,
        "caches": CACHE_TYPES,
        "weights": WEIGHT_TYPES,
    }
    return {name: {id: _plain(asdict(row)) for id, row in rows.items()} for name, rows in tables.items()}


def _plain(value: Any) -> Any:
    """``value`` with tuples made lists and the provenance left out, as JSON would bring it back."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key not in ("source", "checked")}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
