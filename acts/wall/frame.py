"""The wall as data: one memory bar to scale, the curve of users against context, and the verdict in words."""

from __future__ import annotations

from typing import Any

from ..deployment import TYPICAL_RESERVE, deploy, deploy_as
from ..sizing import GIB, bytes_per_sequence_gpu, max_users
from ..text import text_bytes, text_context, text_count, text_fixed, text_gib, text_whole

# Context lengths at which the curve is drawn: powers of two and the points half way (tokens).
CURVE_CONTEXTS = [
    256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
    65536, 98304, 131072, 196608, 262144, 393216, 524288, 786432, 1048576,
]  # fmt: skip

# Slices are not drawn one by one beyond the most users a scenario can ask for.
WALL_MOST_SLICES = 1024

# The bar shows this much of what lies beyond the cards before it is cut off, as a multiple of their memory.
BEYOND = 0.6


def wall_frame(state: Any, catalog: Any) -> dict[str, Any]:
    """Frame of the wall: see :class:`acts.wall.Wall` for the readouts' units."""
    sizes = deploy(state, catalog)
    fits = sizes["free"] > 0
    typical = deploy_as(state, catalog, state.weights, state.gpus, max(TYPICAL_RESERVE, state.reserve))
    verdict = wall_verdict(state, sizes)
    end = wall_bar_end(sizes)
    return {
        "readouts": {
            "max-users": {
                "text": text_whole(sizes["max_users"]) if fits else "none",
                "value": sizes["max_users"],
            },
            "max-users-typical": {
                "text": text_whole(typical["max_users"]) if typical["free"] > 0 else "none",
                "value": typical["max_users"],
            },
            "cache-demanded": {"text": text_gib(sizes["demanded"]), "value": sizes["demanded"]},
            "free-memory": {
                "text": text_gib(sizes["room"]) if fits else "none: weights do not fit",
                "value": sizes["room"],
            },
            "weights-memory": {"text": text_gib(sizes["weights"]), "value": sizes["weights"]},
            "cache-per-user": {"text": text_bytes(sizes["user"]), "value": sizes["user"]},
            "verdict": {"text": WALL_VERDICTS[verdict], "value": None},
        },
        "sentence": wall_sentence(state, catalog, sizes, verdict),
        "texts": {"typical-reserve": text_fixed(max(TYPICAL_RESERVE, state.reserve), 1)},
        "sources": {
            "parts": wall_parts(sizes),
            "slices": wall_slices(sizes, state.users, end),
            "labels": wall_labels(state, sizes),
            "edges": {
                "x": [sizes["wall"] / GIB, sizes["card"] / GIB],
                "text": [text_gib(sizes["wall"]) + " usable", text_gib(sizes["card"]) + " in all"],
                "offset": [0, 17],
            },
            "wall": {"x": [sizes["wall"] / GIB], "text": [wall_flag(sizes)]},
            "curve": wall_curve(state, catalog, sizes),
            "point": wall_points(state, sizes),
        },
        "ranges": {"memory-x": {"start": 0, "end": end}},
        "figures": {
            "memory": wall_memory_label(state, catalog, sizes),
            "curve": "Users that fit against context, both on logarithmic scales. At "
            + text_context(state.context)
            + " tokens: "
            + text_count(sizes["max_users"], "user")
            + "; wanted: "
            + text_whole(state.users)
            + ".",
        },
        "shown": {},
    }


# A verdict's name and the word the readout prints.
WALL_VERDICTS = {
    "fits": "fits",
    "over": "does not fit",
    "weights": "weights do not fit",
    "one": "not even one user fits",
}


def wall_verdict(state: Any, sizes: dict[str, Any]) -> str:
    """Which of the four outcomes holds: weights, one, over or fits."""
    if sizes["free"] <= 0:
        return "weights"
    if sizes["max_users"] == 0:
        return "one"
    if state.users > sizes["max_users"]:
        return "over"
    return "fits"


def wall_cards(state: Any, catalog: Any) -> str:
    """The cards in words: "the 80 GB card", "8 × NVIDIA H200 141 GB"."""
    name = catalog.gpus[state.gpu].name
    if state.gpus == 1:
        return "one " + name
    return text_whole(state.gpus) + " × " + name


def wall_sentence(state: Any, catalog: Any, sizes: dict[str, Any], verdict: str) -> str:
    """The result in one or two sentences."""
    if verdict == "weights":
        return wall_weights_sentence(state, catalog, sizes)
    if verdict == "one":
        return (
            "The weights leave "
            + text_gib(sizes["room"])
            + ", but one user at "
            + text_whole(state.context)
            + " tokens needs "
            + text_gib(sizes["user"])
            + ": shorten the context, quantise the cache or add cards."
        )
    start = text_count(state.users, "user") + " at " + text_whole(state.context) + " tokens need "
    need = (
        text_gib(sizes["demanded"]) + " of cache; " + text_gib(sizes["room"]) + " are free beside the weights"
    )
    if verdict == "over":
        short = text_gib(sizes["demanded"] - sizes["room"])
        return (
            start
            + need
            + ". "
            + short
            + " too much: the wall stands at "
            + text_count(sizes["max_users"], "user")
            + "."
        )
    return start + need + ". It fits, and the wall stands at " + text_count(sizes["max_users"], "user") + "."


def wall_weights_sentence(state: Any, catalog: Any, sizes: dict[str, Any]) -> str:
    """Why nothing fits, and what would."""
    missing = (
        catalog.models[state.model].name
        + " needs "
        + text_gib(sizes["weights"])
        + " for its weights; "
        + wall_cards(state, catalog)
        + " offer"
        + ("s " if state.gpus == 1 else " ")
        + text_gib(sizes["usable"] * state.gpus)
        + ", so not one user can be served."
    )
    ways = []
    count = wall_cards_needed(state, catalog)
    if count > 0:
        ways.append(text_count(count, "card") + " at these weights")
    lighter = wall_lighter_weights(state, catalog)
    if lighter != "":
        ways.append(catalog.weights[lighter].name + " weights")
    smaller = wall_smaller_model(state, catalog)
    if smaller != "":
        ways.append("a smaller model such as " + catalog.models[smaller].name)
    if len(ways) == 0:
        return missing + " Nothing in the catalog fits here: lower the reserve or take a larger card."
    return missing + " What would fit: " + ", or ".join(ways) + "."


def wall_fits_one(state: Any, catalog: Any, weight_type: str, gpus: int) -> bool:
    """Whether at least one user fits with other weights or another number of cards."""
    return deploy_as(state, catalog, weight_type, gpus, state.reserve)["max_users"] > 0


def wall_cards_needed(state: Any, catalog: Any) -> int:
    """Fewest cards (up to 16) on which one user fits; 0 if there is none."""
    for count in range(state.gpus + 1, 17):
        if wall_fits_one(state, catalog, state.weights, count):
            return count
    return 0


def wall_lighter_weights(state: Any, catalog: Any) -> str:
    """The widest weight type below the present one with which one user fits; "" if there is none."""
    best = ""
    for name in catalog.weights.keys():
        bits = catalog.weights[name].bits
        lighter = bits < catalog.weights[state.weights].bits
        wider = best == "" or bits > catalog.weights[best].bits
        if lighter and wider and wall_fits_one(state, catalog, name, state.gpus):
            best = name
    return best


def wall_smaller_model(state: Any, catalog: Any) -> str:
    """The largest model of the catalog whose weights fit as they are; "" if there is none."""
    usable = deploy(state, catalog)["usable"] * state.gpus
    bits = catalog.weights[state.weights].bits
    best = ""
    for name in catalog.models.keys():
        parameters = catalog.models[name].shape.parameters
        larger = best == "" or parameters > catalog.models[best].shape.parameters
        if parameters > 0 and larger and parameters * bits // 8 < usable * 9 // 10:
            best = name
    return best


def wall_bar_end(sizes: dict[str, Any]) -> float:
    """Right end of the bar's scale, GiB: the cards, and as much of the overflow as still leaves them legible."""
    card = sizes["card"] / GIB
    filled = (sizes["weights"] + sizes["reserve"] + sizes["demanded"]) / GIB
    return min(max(card, filled), card * (1 + BEYOND)) * 1.01


def wall_parts(sizes: dict[str, Any]) -> dict[str, Any]:
    """Weights, reserve, free and held-back memory as spans of the bar, GiB; an empty span where there is none."""
    weights = sizes["weights"] / GIB
    reserve = weights + sizes["reserve"] / GIB
    used = reserve + sizes["demanded"] / GIB
    wall = sizes["wall"] / GIB
    return {
        "role": ["weights", "reserve", "free", "held"],
        "left": [0, weights, min(used, wall), wall],
        "right": [weights, reserve, wall, sizes["card"] / GIB],
    }


def wall_slices(sizes: dict[str, Any], users: int, end: float) -> dict[str, Any]:
    """One span a user, GiB: cache up to the wall, overflow beyond it, and the slots that are still free.

    Spans beyond the bar's end are left out.
    """
    start = (sizes["weights"] + sizes["reserve"]) / GIB
    width = sizes["user"] / GIB
    fit = sizes["max_users"]
    count = min(max(users, fit), WALL_MOST_SLICES)
    share = 0.88 if width > end / 400 else 1
    left = []
    right = []
    role = []
    for user in range(count):
        begin = start + user * width
        if begin >= end:
            break
        left.append(begin)
        right.append(begin + width * share)
        role.append("slot" if user >= users else ("cache" if user < fit else "overflow"))
    return {"left": left, "right": right, "role": role}


def wall_labels(state: Any, sizes: dict[str, Any]) -> dict[str, Any]:
    """Words beside the bar: the users above their first slice, the weights below their span (x in GiB)."""
    start = (sizes["weights"] + sizes["reserve"]) / GIB
    beside = start < sizes["card"] / GIB
    return {
        "x": [start if beside else 0, 0],
        "y": [1.12, -0.16],
        "text": [
            text_count(state.users, "user") if beside else "no room for users",
            "weights " + text_gib(sizes["weights"]),
        ],
        "baseline": ["bottom", "top"],
        "role": ["cache" if beside else "overflow", "weights"],
    }


def wall_flag(sizes: dict[str, Any]) -> str:
    """What stands written at the wall."""
    if sizes["max_users"] == 0:
        return "the wall"
    return "the wall: " + text_count(sizes["max_users"], "user")


def wall_curve(state: Any, catalog: Any, sizes: dict[str, Any]) -> dict[str, Any]:
    """Users that fit at each of ``CURVE_CONTEXTS``; none is drawn at the figure's foot, 0.5."""
    shape = catalog.models[state.model].shape
    cache = catalog.caches[state.cache]
    users = []
    for context in CURVE_CONTEXTS:
        fit = max_users(sizes["free"], bytes_per_sequence_gpu(shape, context, cache, cache, state.gpus))
        users.append(max(0.5, fit))
    return {"x": CURVE_CONTEXTS, "y": users}


def wall_points(state: Any, sizes: dict[str, Any]) -> dict[str, Any]:
    """What fits and what is wanted at the present context; words lie where the curve does not."""
    over = state.users > sizes["max_users"]
    fit_left = state.context > 65536
    wanted_left = fit_left or (not over and state.context > 2048)
    return {
        "x": [state.context, state.context],
        "y": [max(0.5, sizes["max_users"]), state.users],
        "text": [text_whole(sizes["max_users"]) + " fit", text_whole(state.users) + " wanted"],
        "role": ["cache", "overflow" if over else "ink"],
        "align": ["right" if fit_left else "left", "right" if wanted_left else "left"],
        "dx": [-10 if fit_left else 10, -10 if wanted_left else 10],
        "dy": [-12, 0],
    }


def wall_memory_label(state: Any, catalog: Any, sizes: dict[str, Any]) -> str:
    """The memory bar in words, for those who do not see it."""
    return (
        "Memory of "
        + wall_cards(state, catalog)
        + ", "
        + text_gib(sizes["card"])
        + ": weights "
        + text_gib(sizes["weights"])
        + ", activation reserve "
        + text_gib(sizes["reserve"])
        + ", cache of "
        + text_count(state.users, "user")
        + " "
        + text_gib(sizes["demanded"])
        + ", usable up to "
        + text_gib(sizes["wall"])
        + "."
    )
