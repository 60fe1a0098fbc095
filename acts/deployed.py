"""The deployment in words: one line that says what the acts share.

Pure functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deployment import OWN_CARD, deploy_values
from .sizing import UTILISATION_PERCENT
from .text import text_count, text_number, text_whole

if TYPE_CHECKING:
    from .catalog import Catalog
    from .contracts import State


def deployed_line(state: State, catalog: Catalog) -> str:
    """The scenario in a line: "Llama 3 8B, 16-bit weights, one 80 GB card, 16-bit cache, 8,192 tokens, 8 users"."""
    parts = [
        catalog.models[state.model].name,
        deployed_weights(state, catalog),
        deployed_cards(state, catalog),
        deployed_cache(state, catalog),
        text_count(state.context, "token"),
        text_count(state.users, "user"),
    ]
    if state.reserve > 0:
        parts.append(text_number(state.reserve, 2) + " GiB per card reserved")
    if state.utilisation != UTILISATION_PERCENT:
        parts.append(text_number(state.utilisation, 2) + "% of a card usable")
    return ", ".join(parts)


def deployed_weights(state: State, catalog: Catalog) -> str:
    """The weights in a few words: "16-bit weights", "11.7 GiB of weights"."""
    if state.weights_gib > 0:
        return text_number(state.weights_gib, 2) + " GiB of weights"
    return deployed_type(catalog.weights[state.weights].name, "weights")


def deployed_cache(state: State, catalog: Catalog) -> str:
    """The cache's type in a few words: "16-bit cache", "q8_0 keys, q4_0 values"."""
    values = deploy_values(state)
    if values == state.cache:
        return deployed_type(catalog.caches[state.cache].name, "cache")
    keys = deployed_type(catalog.caches[state.cache].name, "keys")
    return keys + ", " + deployed_type(catalog.caches[values].name, "values")


def deployed_cards(state: State, catalog: Catalog) -> str:
    """The cards in a few words: "one 80 GB card", "8 × 80 GB cards", "8 × NVIDIA H200 SXM 141 GB"."""
    name = catalog.gpus[state.gpu].name.split(" (")[0]
    if state.gpu == OWN_CARD:
        name = text_number(state.card_gib, 2) + " GiB card"
    cards = state.gpus * state.pipeline * state.data_parallel
    if cards == 1:
        return "one " + name
    return text_whole(cards) + " × " + name + ("s" if name.endswith("card") else "")


def deployed_type(name: str, what: str) -> str:
    """A type of weights or cache in a word: "16-bit weights", "FP8 cache"."""
    words = name.split(" (")
    short = words[0]
    if short == "BF16 / FP16":
        short = "16-bit"
    return short + " " + what
