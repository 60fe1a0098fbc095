"""Least and most of each number, and what stands where nothing was chosen.

Pure, compiled by :mod:`acts.twin`: parameters, command line, templates and the browser's controls all ask here.
"""

from __future__ import annotations

from typing import Any

#: Whole numbers below 2**53 are exact in both languages; every byte count must be one.
EXACT_LIMIT = 9007199254740992

#: More parameters than any model has.
MOST_PARAMETERS = 100000000000000

#: Least and most of each number of a scenario: cards, ranks, tokens, sequences, GiB, GB/s, TFLOP/s, percent.
BOUNDS: dict[str, tuple[int, int]] = {
    "gpus": (1, 16),
    "pipeline": (1, 16),
    "context_parallel": (1, 16),
    "data_parallel": (1, 16),
    "context": (256, 1048576),
    "users": (1, 1024),
    "reserve": (0, 64),
    "utilisation": (1, 100),
    "weights_gib": (0, 16384),
    "card_gib": (1, 4096),
    "card_bandwidth": (1, 100000),
    "card_flops": (1, 100000),
}

#: Those of them that need not be whole.
AMOUNTS = ["reserve", "utilisation", "weights_gib", "card_gib", "card_bandwidth", "card_flops"]

#: What stands where nothing was chosen.
DEFAULTS: dict[str, Any] = {
    "model": "llama-3-8b",
    "gpu": "80gb",
    "gpus": 1,
    "pipeline": 1,
    "context_parallel": 1,
    "data_parallel": 1,
    "weights": "bf16",
    "weights_gib": 0.0,
    "cache": "bf16",
    "cache_v": "",
    "context": 8192,
    "users": 8,
    "reserve": 0.0,
    "utilisation": 90.0,
    "card_gib": 24.0,
    "card_bandwidth": 1000.0,
    "card_flops": 100.0,
}
