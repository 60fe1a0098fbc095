"""Least and most of each number, what stands where nothing was chosen, and the sentence that refuses another number.

Pure, compiled by :mod:`acts.twin`: parameters, command line, templates and the browser's controls all ask here.
"""

from __future__ import annotations

from typing import Any

from .text import text_whole

#: Whole numbers below 2**53 are exact in both languages; every byte count must be one.
EXACT_LIMIT = 9007199254740992

#: More parameters than any model has.
MOST_PARAMETERS = 100000000000000

#: Least and most of each number of a scenario: cards, tokens, sequences, GiB a card.
BOUNDS: dict[str, tuple[int, int]] = {
    "gpus": (1, 16),
    "context": (256, 1048576),
    "users": (1, 1024),
    "reserve": (0, 64),
}

#: What stands where nothing was chosen.
DEFAULTS: dict[str, Any] = {
    "model": "llama-3-8b",
    "gpu": "80gb",
    "gpus": 1,
    "weights": "bf16",
    "cache": "bf16",
    "context": 8192,
    "users": 8,
    "reserve": 0.0,
}


def number_allowed(whole: bool, low: int, high: int) -> str:
    """What a number may be, in words: "a whole number from 256 to 1,048,576"."""
    kind = "a whole number" if whole else "a number"
    return kind + " from " + text_whole(low) + " to " + text_whole(high)


def number_refusal(name: str, shown: str, whole: bool, low: int, high: int) -> str:
    """The sentence for a number out of bounds: its name, what was given, what is allowed."""
    return name + " cannot be " + shown + "; give " + number_allowed(whole, low, high)
