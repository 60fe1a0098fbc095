"""What the deployment does to speed: bytes a decode step reads, its least time, and which roof limits it."""

from __future__ import annotations

from typing import Any

from ..bounds import BOUNDS
from ..sizing import (
    attention_intensity,
    crossover_tokens,
    max_context,
    ridge_point,
    step_bytes,
    step_seconds,
    weight_intensity,
    weights_bytes,
)
from ..text import text_amount, text_fixed, text_gib, text_percent, text_whole


def wall_pace(state: Any, catalog: Any, sizes: dict[str, Any]) -> dict[str, str]:
    """The texts of the speed table, or that nothing can be served."""
    if sizes["max_users"] == 0:
        return wall_no_pace()
    shape = catalog.models[state.model].shape
    cache = catalog.caches[state.cache]
    gpu = catalog.gpus[state.gpu]
    bits = catalog.weights[state.weights].bits
    most = BOUNDS["context"][1]
    users = min(state.users, sizes["max_users"])
    read = step_bytes(weights_bytes(shape.active_parameters, bits), users, sizes["user"])
    seconds = step_seconds(read, gpu.bandwidth * state.gpus)
    longest = max_context(shape, sizes["free"], users, cache, cache, state.gpus, most)
    crossover = crossover_tokens(shape, sizes["weights"], cache, cache)
    return {
        "pace-users": text_whole(users),
        "pace-read": text_gib(read),
        "pace-share": text_percent(users * sizes["user"] / read),
        "pace-time": text_amount(seconds * 1000) + " ms",
        "pace-rate": text_whole(int(1 / seconds))
        + " a user, "
        + text_whole(int(users / seconds))
        + " in all",
        "pace-longest": text_whole(longest) + " tokens" + (" or more" if longest == most else ""),
        "pace-crossover": text_whole(crossover) + " tokens"
        if crossover > 0
        else "never: the cache stops growing",
        "pace-weights": text_amount(weight_intensity(users, bits)),
        "pace-attention": text_fixed(attention_intensity(shape, cache, cache), 1),
        "pace-ridge": text_whole(int(ridge_point(gpu.peak_flops, gpu.bandwidth))),
    }


# The names of the texts above, for when there is nothing to say.
WALL_PACE = [
    "pace-users",
    "pace-read",
    "pace-share",
    "pace-time",
    "pace-rate",
    "pace-longest",
    "pace-crossover",
    "pace-weights",
    "pace-attention",
    "pace-ridge",
]


def wall_no_pace() -> dict[str, str]:
    """The same texts when not one user fits."""
    texts = {}
    for name in WALL_PACE:
        texts[name] = "no user fits"
    return texts
