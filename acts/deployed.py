"""The deployment in words: one line that says what the acts share.

Pure functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import Any

from .text import text_count, text_number, text_whole


def deployed_line(state: Any, catalog: Any) -> str:
    """The scenario in a line: "Llama 3 8B, 16-bit weights, one 80 GB card, 16-bit cache, 8,192 tokens, 8 users"."""
    parts = [
        catalog.models[state.model].name,
        deployed_type(catalog.weights[state.weights].name, "weights"),
        deployed_cards(state, catalog),
        deployed_type(catalog.caches[state.cache].name, "cache"),
        text_count(state.context, "token"),
        text_count(state.users, "user"),
    ]
    if state.reserve > 0:
        parts.append(text_number(state.reserve, 2) + " GiB a card reserved")
    return ", ".join(parts)


def deployed_cards(state: Any, catalog: Any) -> str:
    """The cards in a few words: "one 80 GB card", "8 × NVIDIA H200 SXM 141 GB"."""
    name = catalog.gpus[state.gpu].name.split(" (")[0]
    if state.gpus == 1:
        return "one " + name
    return text_whole(state.gpus) + " × " + name


def deployed_type(name: str, what: str) -> str:
    """A type of weights or cache in a word: "16-bit weights", "FP8 cache"."""
    words = name.split(" (")
    short = words[0]
    if short == "BF16 / FP16":
        short = "16-bit"
    return short + " " + what
