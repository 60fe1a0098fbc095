"""What the deployment does to speed: bytes a decode step reads, its least time, and which roof limits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bounds import BOUNDS
from ..deployment import deploy_card, deploy_step, deploy_values
from ..sizing import (
    attention_intensity,
    crossover_tokens,
    experts_read,
    max_context,
    ridge_point,
    step_intensity,
)
from ..text import text_amount, text_fixed, text_gib, text_percent, text_whole

if TYPE_CHECKING:
    from ..catalog import CacheType, Catalog
    from ..contracts import Sizes, State
    from ..sizing import Shape


def wall_pace(state: State, catalog: Catalog, sizes: Sizes) -> dict[str, str]:
    """The texts of the speed table, or that nothing can be served."""
    if sizes["max_users"] == 0:
        return wall_no_pace()
    shape = catalog.models[state.model].shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    card = deploy_card(state, catalog)
    users = min(state.users, sizes["max_users"])
    step = deploy_step(state, catalog, sizes, users)
    crossover = crossover_tokens(shape, step["copy"], keys, values)
    return {
        "pace-users": text_whole(users),
        "pace-experts": wall_experts(shape, step["users"]),
        "pace-read": text_gib(step["weights"] + step["cache"]),
        "pace-share": text_percent(step["cache"] / (step["weights"] + step["cache"])),
        "pace-time": text_amount(step["seconds"] * 1000) + " ms",
        "pace-rate": (
            f"{text_whole(int(1 / step['seconds']))} per user, {text_whole(int(users / step['seconds']))} "
            "in all"
        ),
        "pace-longest": wall_longest(state, catalog, sizes, step["users"]),
        "pace-crossover": text_whole(crossover) + " tokens"
        if crossover > 0
        else "never: the cache stops growing",
        "pace-weights": text_amount(step_intensity(shape, step["copy"], step["users"])),
        "pace-attention": wall_attention(shape, keys, values),
        "pace-ridge": text_whole(int(ridge_point(card["peak_flops"], card["bandwidth"]))),
    }


def wall_experts(shape: Shape, tokens: int) -> str:
    """How many of a layer's experts a step of ``tokens`` tokens reads; a dense layer is read whole."""
    if shape.experts > 0:
        read = text_amount(experts_read(shape, tokens))
        return read + " of " + text_whole(shape.experts) + " on average, if tokens choose evenly"
    if shape.active_parameters < shape.parameters:
        return "at least those of one token"
    return "none: every step reads every layer whole"


def wall_attention(shape: Shape, keys: CacheType, values: CacheType) -> str:
    """Arithmetic on the cache; a bound where a latent's part that is read as the value is not known."""
    unknown = [group for group in shape.groups if group.kind == "latent" and group.latent_value_width == 0]
    bound = "at least " if len(unknown) > 0 else ""
    return bound + text_fixed(attention_intensity(shape, keys, values), 1)


def wall_longest(state: State, catalog: Catalog, sizes: Sizes, users: int) -> str:
    """The longest context that ``users`` of one replica can have."""
    shape = catalog.models[state.model].shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    most = BOUNDS["context"][1]
    longest = max_context(
        shape,
        sizes["free"],
        users,
        keys,
        values,
        state.gpus,
        most,
        1,
        state.pipeline,
        state.context_parallel,
    )
    return text_whole(longest) + " tokens" + (" or more" if longest == most else "")


# The names of the texts above, for when there is nothing to say.
WALL_PACE = [
    "pace-users",
    "pace-experts",
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
