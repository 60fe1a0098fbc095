"""What the catalog holds, as tables for people or JSON for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..catalog import Catalog
from ..sizing import bytes_per_token
from ..text import text_amount, text_bytes, text_fixed, text_gib, text_whole
from .parser import to_json

if TYPE_CHECKING:
    import argparse


def run_models(options: argparse.Namespace) -> str:
    """The catalog's models."""
    catalog = Catalog()
    if options.json:
        return to_json([asdict(model) for model in catalog.models.values()])
    plain = catalog.caches["bf16"]
    rows = [
        [
            model.id,
            model.name,
            f"{text_fixed(model.shape.parameters / 1e9, 1)}B",
            model.attention,
            f"{text_bytes(bytes_per_token(model.shape, plain, plain))} per token at 16 bits",
            model.source,
        ]
        for model in catalog.models.values()
    ]
    return table(rows)


def run_gpus(options: argparse.Namespace) -> str:
    """The catalog's cards."""
    gpus = Catalog().gpus.values()
    if options.json:
        return to_json([asdict(gpu) for gpu in gpus])
    return table(
        [
            [
                gpu.id,
                gpu.name,
                text_gib(gpu.memory),
                f"{text_whole(gpu.bandwidth // 10**9)} GB/s",
                f"{text_amount(gpu.peak_flops / 1e12)} TFLOP/s",
                gpu.source,
            ]
            for gpu in gpus
        ]
    )


def run_types(options: argparse.Namespace) -> str:
    """The types for the cache and for the weights."""
    catalog = Catalog()
    if options.json:
        groups: dict[str, dict[str, Any]] = {"cache": catalog.caches, "weights": catalog.weights}
        return to_json({use: [asdict(row) for row in rows.values()] for use, rows in groups.items()})
    rows = [["cache", kind.id, kind.name, cache_bits(kind), kind.source] for kind in catalog.caches.values()]
    rows += [
        ["weights", kind.id, kind.name, f"{kind.bits} bits", kind.source] for kind in catalog.weights.values()
    ]
    return table(rows)


def cache_bits(kind: Any) -> str:
    """Bits a value takes, scales of its block included."""
    bits = text_amount(kind.block_bytes * 8 / kind.block_values) + " bits"
    return f"{bits} + {kind.vector_bytes} bytes per head vector" if kind.vector_bytes else bits


def table(rows: list[list[str]]) -> str:
    """Rows in columns as wide as they need; the last is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return "\n".join("  ".join(row).rstrip() for row in padded)
