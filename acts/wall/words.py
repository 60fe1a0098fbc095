"""The wall in words: the verdict, what would fit, and what the figures say to those who do not see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bounds import BOUNDS
from ..deployed import deployed_cards, deployed_type
from ..deployment import deploy, deploy_as, deploy_kept_fault
from ..sizing import GIB, typed_weights
from ..text import text_bytes, text_context, text_count, text_gib, text_whole
from .picture import wall_bar_end, wall_cut

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import Sizes, State

# A verdict's name and the word the readout prints.
WALL_VERDICTS = {
    "fits": "fits",
    "type": "no engine keeps the type",
    "over": "does not fit",
    "weights": "weights do not fit",
    "one": "not even one user fits",
}


def wall_verdict(state: State, catalog: Catalog, sizes: Sizes) -> str:
    """Which of the outcomes holds: weights, one, over, type (it would fit, but no engine keeps it so) or fits."""
    if sizes["free"] <= 0:
        return "weights"
    if sizes["max_users"] == 0:
        return "one"
    if state.users > sizes["max_users"]:
        return "over"
    return "fits" if deploy_kept_fault(state, catalog) == "" else "type"


def wall_sentence(state: State, catalog: Catalog, sizes: Sizes, verdict: str) -> str:
    """The result in one or two sentences."""
    if verdict == "weights":
        return wall_weights_sentence(state, catalog, sizes)
    if verdict == "one":
        return (
            f"The weights leave {text_gib(sizes['room'])}, but one user at {text_whole(state.context)} "
            f"tokens needs {text_gib(sizes['user'])}: shorten the context, quantise the cache or add "
            "cards."
        )
    start = text_count(state.users, "user") + " at " + text_whole(state.context) + " tokens"
    start = start + (" needs " if state.users == 1 else " need ")
    demanded = sizes["demanded"]
    need = text_gib(demanded) if demanded >= GIB else text_bytes(demanded)
    need = need + " of cache; " + text_gib(sizes["room"]) + " are free beside the weights"
    kept = deploy_kept_fault(state, catalog) == ""
    stands = (
        ("the wall stands at " if kept else "the wall would stand at ")
        + text_count(sizes["max_users"], "user")
        + "."
    )
    if verdict in ("fits", "type"):
        return start + need + (". It fits, and " if kept else ". It would fit, and ") + stands
    short = sizes["demanded"] - sizes["room"]
    if short > 0:
        return start + need + ". " + text_gib(short) + " too much: " + stands
    # Each replica has room for a part of a user, and a user's cache stays on one.
    return start + need + ", but no replica has room for another whole user: " + stands


def wall_weights_sentence(state: State, catalog: Catalog, sizes: Sizes) -> str:
    """Why nothing fits, and what would."""
    missing = (
        f"{catalog.models[state.model].name} needs {text_gib(sizes['weights'])} for its weights; "
        f"{deployed_cards(state, catalog)} "
        f"offer{'s ' if sizes['cards'] == 1 else ' '}{text_gib(sizes['usable'] * sizes['cards'])}: not "
        "one user fits."
    )
    ways = []
    count = wall_cards_needed(state, catalog)
    if count > 0:
        ways.append(text_count(count * state.pipeline * state.data_parallel, "card"))
    lighter = wall_lighter_weights(state, catalog)
    if lighter != "":
        ways.append(deployed_type(catalog.weights[lighter].name, "weights"))
    smaller = wall_smaller_model(state, catalog)
    if smaller != "":
        ways.append("a smaller model such as " + catalog.models[smaller].name)
    if len(ways) == 0:
        return missing + " Nothing in the catalog fits here: lower the reserve or take a larger card."
    return missing + " What would: " + wall_either(ways) + "."


def wall_either(ways: list[str]) -> str:
    """Alternatives in words: "a", "a or b", "a, b or c"."""
    if len(ways) == 1:
        return ways[0]
    return ", ".join(ways[: len(ways) - 1]) + " or " + ways[len(ways) - 1]


def wall_fits_one(state: State, catalog: Catalog, weight_type: str, gpus: int) -> bool:
    """Whether at least one user fits with other weights or another number of cards."""
    return deploy_as(state, catalog, weight_type, gpus, state.reserve)["max_users"] > 0


def wall_cards_needed(state: State, catalog: Catalog) -> int:
    """Least tensor-parallel degree with which one user fits; 0 if there is none."""
    for count in range(state.gpus + 1, BOUNDS["gpus"][1] + 1):
        if wall_fits_one(state, catalog, state.weights, count):
            return count
    return 0


def wall_lighter_weights(state: State, catalog: Catalog) -> str:
    """The widest of the common weight types below the present one with which one user fits; "" if there is none."""
    for name in ["fp8", "int4"]:
        lighter = catalog.weights[name].bits < catalog.weights[state.weights].bits
        if lighter and wall_fits_one(state, catalog, name, state.gpus):
            return name
    return ""


def wall_smaller_model(state: State, catalog: Catalog) -> str:
    """The largest model of the catalog whose weights fit as they are; "" if there is none."""
    usable = deploy(state, catalog)["usable"] * state.gpus * state.pipeline
    kind = catalog.weights[state.weights]
    best = ""
    for name in catalog.models:
        shape = catalog.models[name].shape
        larger = best == "" or shape.parameters > catalog.models[best].shape.parameters
        fits = typed_weights(shape, kind.bits, kind.kept) < usable * 9 // 10
        if shape.parameters > 0 and larger and fits:
            best = name
    return best


def wall_flag(sizes: Sizes) -> str:
    """What stands written at the wall."""
    if sizes["max_users"] == 0:
        return "the wall"
    return "the wall: " + text_count(sizes["max_users"], "user")


def wall_memory_label(state: State, catalog: Catalog, sizes: Sizes) -> str:
    """The memory bar in words, for those who do not see it."""
    return (
        f"Memory of {deployed_cards(state, catalog)}, {text_gib(sizes['card'])}: weights "
        f"{text_gib(sizes['weights'])}, activation reserve {text_gib(sizes['reserve'])}, cache of "
        f"{text_count(state.users, 'user')} {text_gib(sizes['demanded'])}, usable up to "
        f"{text_gib(sizes['wall'])}.{wall_cut_words(sizes)}"
    )


def wall_cut_words(sizes: Sizes) -> str:
    """That the bar is cut off, where it is."""
    for words in wall_cut(sizes, wall_bar_end(sizes))["text"]:
        return " The bar is cut off: " + words + "."
    return ""


def wall_curve_label(state: State, sizes: Sizes) -> str:
    """The curve in words."""
    return (
        f"Users that fit against context, both on logarithmic scales. At {text_context(state.context)} "
        f"tokens: {text_count(sizes['max_users'], 'user')}; wanted: {text_whole(state.users)}."
    )
