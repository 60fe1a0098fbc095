"""Models, GPUs and value types: data, each figure with its source and the date it was checked.

Ids are stable, lower-case and safe in a URL. Nothing here computes: see :mod:`acts.sizing`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .gpus import GPUS, Gpu
from .models import MODELS, Model
from .types import CACHE_NAMES, CACHE_TYPES, WEIGHT_NAMES, WEIGHT_TYPES, CacheType, WeightType, cache_type

__all__ = [
    "CACHE_NAMES",
    "CACHE_TYPES",
    "GPUS",
    "MODELS",
    "WEIGHT_NAMES",
    "WEIGHT_TYPES",
    "CacheType",
    "Catalog",
    "Gpu",
    "Model",
    "WeightType",
    "cache_type",
]


@dataclass(frozen=True)
class Catalog:
    """What ids stand for; the browser holds the same as JSON."""

    models: dict[str, Model] = field(default_factory=lambda: dict(MODELS))
    gpus: dict[str, Gpu] = field(default_factory=lambda: dict(GPUS))
    caches: dict[str, CacheType] = field(default_factory=lambda: dict(CACHE_TYPES))
    weights: dict[str, WeightType] = field(default_factory=lambda: dict(WEIGHT_TYPES))
