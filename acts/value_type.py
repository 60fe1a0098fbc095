"""How a cached value is stored: the ground that the catalog's types and the sizing model stand on alike."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ValueType:
    """How a cached value is stored.

    ``block_values`` values share one block of ``block_bytes`` bytes, scales included; each head
    vector carries ``vector_bytes`` more (a scale and zero point per head).
    """

    block_values: int
    block_bytes: int
    vector_bytes: int = 0
