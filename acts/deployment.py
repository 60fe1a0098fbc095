"""One deployment sized: a scenario's model, cards, types and users, put through :mod:`acts.sizing`.

Pure functions, compiled by :mod:`acts.twin`. ``state`` has the attributes of
:class:`acts.scenario.Scenario`; ``catalog`` has ``models``, ``gpus``, ``caches`` and ``weights``.
"""

from __future__ import annotations

from typing import Any

from .sizing import (
    GIB,
    batch_bytes,
    bytes_per_sequence_gpu,
    ceil_div,
    free_bytes,
    max_users,
    usable_bytes,
    weights_bytes,
)
from .text import text_whole

# What an engine set aside beside weights and cache for Llama 3 8B on an H100: 4.8 GiB for the activation
# peak and 0.1 GiB outside PyTorch, so that 57 users in theory were 51 in its log. Other models and
# batch sizes need more or less; it is the page's typical figure, in GiB a card.
TYPICAL_RESERVE = 4.9


def context_beyond(model: Any, tokens: int) -> str:
    """A sentence, with a space before it, where ``tokens`` tokens are more than the model declares; else nothing."""
    if model.max_context <= 0 or tokens <= model.max_context:
        return ""
    return " This model is made for at most " + text_whole(model.max_context) + " tokens."


def deploy(state: Any, catalog: Any) -> dict[str, Any]:
    """Sizes of the deployment ``state`` describes, in bytes and counts.

    Per card: usable, free (negative by what the weights lack), sequence. Over all cards: card
    (their memory), reserve, weights, held_back (what the engine leaves untouched), room (for the cache),
    user (one user's cache), demanded (all users' cache), wall (usable memory). max_users is a count.
    """
    return deploy_as(state, catalog, state.weights, state.gpus, state.reserve)


def deploy_as(state: Any, catalog: Any, weight_type: str, gpus: int, reserve: float) -> dict[str, Any]:
    """:func:`deploy` with another weight type, card count or reserve (GiB a card)."""
    return deploy_with(state, catalog, weight_type, gpus, reserve, state.cache)


def deploy_with(
    state: Any, catalog: Any, weight_type: str, gpus: int, reserve: float, cache_type: str
) -> dict[str, Any]:
    """:func:`deploy_as` with another cache type as well."""
    shape = catalog.models[state.model].shape
    cache = catalog.caches[cache_type]
    card = catalog.gpus[state.gpu].memory
    reserve_bytes = int(reserve * GIB)
    usable = usable_bytes(card, reserve_bytes)
    weights = weights_bytes(shape.parameters, catalog.weights[weight_type].bits)
    free = free_bytes(usable, weights, gpus)
    sequence = bytes_per_sequence_gpu(shape, state.context, cache, cache, gpus)
    return {
        "usable": usable,
        "free": free,
        "sequence": sequence,
        "card": card * gpus,
        "wall": usable_bytes(card) * gpus,
        "reserve": min(reserve_bytes, usable_bytes(card)) * gpus,
        "weights": ceil_div(weights, gpus) * gpus,
        "held_back": (card - usable_bytes(card)) * gpus,
        "room": max(0, free) * gpus,
        "user": sequence * gpus,
        "demanded": batch_bytes(shape, state.context, state.users, cache, cache, gpus),
        "max_users": max_users(free, sequence),
    }
