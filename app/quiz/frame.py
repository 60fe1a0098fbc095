"""The quiz as data: four questions, four options each, a reason for each option.

Pure functions, compiled for the browser by :mod:`acts.twin`. Which option is right is fixed; the numbers are
the scenario's, and every wording holds for every scenario: grouped heads or not, a latent, windows, weights
that leave no room. What cannot be asked of the scenario's model is asked of ``QUIZ_REFERENCE``.
"""

from __future__ import annotations

from typing import Any

from acts.deployment import TYPICAL_RESERVE, deploy, deploy_as
from acts.sizing import (
    bytes_per_sequence_gpu,
    entries_held,
    entry_bytes,
    max_users,
    ridge_point,
    weight_intensity,
    weights_bytes,
)
from acts.text import (
    text_bytes,
    text_count,
    text_fixed,
    text_gib,
    text_number,
    text_percent,
    text_times,
    text_whole,
)

# Question -> its right option, in the page's order.
QUIZ_RIGHT = {"why": "b", "heads": "d", "wall": "a", "fp8": "c"}

# A plain grouped model, asked about when the scenario's own has no heads to group or nothing FP8 could halve.
QUIZ_REFERENCE = "llama-3-8b"

# Query heads that might share a KV head in a model whose heads are not grouped: the first that divides them.
QUIZ_SHARES = [4, 2, 8, 3, 5, 7]


def quiz_frame(state: Any, catalog: Any) -> dict[str, Any]:
    """Texts of the quiz: ``deployment``; each question's stem, options a to d, and the reason of each."""
    texts = {"deployment": quiz_deployment(state, catalog)}
    asked = {
        "why": quiz_why(state, catalog),
        "heads": quiz_heads(state, catalog),
        "wall": quiz_wall(state, catalog),
        "fp8": quiz_fp8(state, catalog),
    }
    for question in QUIZ_RIGHT:
        for part in asked[question]:
            texts[question + "-" + part] = asked[question][part]
    return {"texts": texts}


def quiz_cards(state: Any, catalog: Any) -> str:
    """The cards in a few words: "one 80 GiB card", "8 × NVIDIA H200 SXM 141 GB"."""
    name = catalog.gpus[state.gpu].name.split(" (")[0]
    if state.gpus == 1:
        return "one " + name
    return text_whole(state.gpus) + " × " + name


def quiz_deployment(state: Any, catalog: Any) -> str:
    """The scenario in a line."""
    return (
        catalog.models[state.model].name
        + " on "
        + quiz_cards(state, catalog)
        + ", "
        + catalog.weights[state.weights].name
        + " weights, "
        + text_whole(state.context)
        + " tokens a user"
    )


def quiz_why(state: Any, catalog: Any) -> dict[str, str]:
    """Why keys and values are kept, and queries are not."""
    asked = state.model if len(catalog.models[state.model].shape.groups) > 0 else QUIZ_REFERENCE
    model = catalog.models[asked]
    read = weights_bytes(model.shape.active_parameters, catalog.weights[state.weights].bits)
    held = 0
    for group in model.shape.groups:
        held = max(held, entries_held(group, state.context))
    return {
        "stem": model.name
        + " has read "
        + text_whole(state.context)
        + " tokens and writes the next one. Why are the keys and values of the earlier tokens "
        + "kept in memory?",
        "a": "So that a step need not read the weights again",
        "a-why": "Every step still reads each weight its token passes through, "
        + text_bytes(read)
        + " or more here. What the cache saves is pushing the old tokens through them.",
        "b": "Later tokens need them again, and they no longer change",
        "b-why": "Each new query is compared with them, and nothing that comes later can alter them. "
        + "Without them the model would run over all "
        + text_whole(state.context + 1)
        + " tokens to write a single one.",
        "c": "So that a step takes equally long at any length of text",
        "c-why": "The new query is still scored against every key that is held, up to "
        + text_whole(held)
        + " in a layer. "
        + (
            "If that number stops growing it is a window's doing, not the cache's."
            if held < state.context
            else "The step keeps growing with the text; only the recomputation is gone."
        ),
        "d": "Because a query would take more room than both of them",
        "d-why": "Size is not the reason. A query serves its own position, once, and no later token asks "
        + "for it; so there is no point in keeping it.",
    }


def quiz_group_model(state: Any, catalog: Any) -> str:
    """The scenario's model if all its layers cache heads that are or could be grouped, else the reference."""
    shape = catalog.models[state.model].shape
    heads = shape.num_attention_heads
    if len(shape.groups) == 0 or heads < 2:
        return QUIZ_REFERENCE
    kv_heads = shape.groups[0].num_kv_heads
    if kv_heads < 1 or kv_heads > heads or heads % kv_heads != 0:
        return QUIZ_REFERENCE
    for group in shape.groups:
        if group.kind != "attention" or group.record_bytes is not None or group.num_kv_heads != kv_heads:
            return QUIZ_REFERENCE
    return state.model


def quiz_share(heads: int) -> int:
    """Query heads that are to share a KV head in a model of ``heads`` of each: a divisor above 1."""
    for share in QUIZ_SHARES:
        if heads % share == 0:
            return share
    return heads


def quiz_heads_bytes(shape: Any, heads: int, cache: Any) -> int:
    """Bytes a token adds if every caching layer keeps ``heads`` KV heads."""
    total = 0
    for group in shape.groups:
        if group.fixed_tokens is None:
            total += group.layers * entry_bytes(group, heads, cache, cache) // group.stride
    return total


def quiz_heads(state: Any, catalog: Any) -> dict[str, str]:
    """What sharing KV heads makes smaller."""
    asked = quiz_group_model(state, catalog)
    model = catalog.models[asked]
    heads = model.shape.num_attention_heads
    own = model.shape.groups[0].num_kv_heads
    grouped = own < heads
    kept = own if grouped else heads // quiz_share(heads)
    times = heads // kept
    cache = catalog.caches[state.cache]
    weights = weights_bytes(model.shape.parameters, catalog.weights[state.weights].bits)
    stem = ""
    if asked != state.model:
        stem = (
            "This one is about "
            + model.name
            + ", since "
            + catalog.models[state.model].name
            + " has no heads to group. "
        )
    if grouped:
        stem += (
            model.name
            + " has "
            + text_whole(heads)
            + " query heads in a layer and "
            + text_count(kept, "KV head")
            + ". What is "
            + text_times(times)
            + " smaller than if each query head had a KV head of its own?"
        )
    else:
        stem += (
            model.name
            + " keeps a KV head for each of its "
            + text_whole(heads)
            + " query heads. If "
            + text_whole(times)
            + " of them shared one, what would become "
            + text_times(times)
            + " smaller?"
        )
    return {
        "stem": stem,
        "a": "The weights a step reads: "
        + text_bytes(weights // times)
        + " instead of "
        + text_bytes(weights),
        "a-why": "Only the projections that make keys and values get smaller, a small part of the "
        + text_bytes(weights)
        + ". All other weights stay as they are.",
        "b": "The text it attends to: "
        + text_whole(max(1, state.context // times))
        + " tokens instead of "
        + text_whole(state.context),
        "b-why": "Sharing heads drops no token: each query head still sees what it saw. Keeping fewer tokens "
        + "is what a sliding window does.",
        "c": "The queries: " + text_whole(kept) + " a layer and token instead of " + text_whole(heads),
        "c-why": "All "
        + text_whole(heads)
        + " query heads stay. "
        + text_whole(times)
        + " at a time read the same key and value.",
        "d": "The keys and values held: "
        + text_bytes(quiz_heads_bytes(model.shape, kept, cache))
        + " a token instead of "
        + text_bytes(quiz_heads_bytes(model.shape, heads, cache)),
        "d-why": "One key and one value serve "
        + text_whole(times)
        + " query heads, so "
        + text_count(kept, "pair")
        + " a layer "
        + ("is" if kept == 1 else "are")
        + " held instead of "
        + text_whole(heads)
        + ". Fewer bytes to store, and fewer to read at each step.",
    }


def quiz_wall(state: Any, catalog: Any) -> dict[str, str]:
    """What caps the number of users held at once."""
    model = catalog.models[state.model]
    card = catalog.gpus[state.gpu]
    sizes = deploy(state, catalog)
    room = (
        text_gib(sizes["room"]) + " left beside the weights"
        if sizes["room"] > 0
        else "nothing left beside the weights"
    )
    return {
        "stem": model.name
        + " runs on "
        + quiz_cards(state, catalog)
        + " with "
        + text_whole(state.context)
        + " tokens a user. What sets how many users it can hold at once?",
        "a": "Memory: " + room + ", " + text_bytes(sizes["user"]) + " of cache a user",
        "a-why": quiz_wall_reason(state, catalog, sizes),
        "b": "Arithmetic: "
        + text_number(card.peak_flops * state.gpus / 1000000000000, 0)
        + " TFLOP/s to divide among the users",
        "b-why": "Arithmetic bounds how fast they are served, not how many are held. For a single user "
        + "a byte of weights brings "
        + text_number(weight_intensity(1, catalog.weights[state.weights].bits), 2)
        + " FLOP; in the time it takes to read, this card could do "
        + text_fixed(ridge_point(card.peak_flops, card.bandwidth), 0)
        + ".",
        "c": "Copies: " + text_bytes(sizes["weights"]) + " of weights for every user",
        "c-why": "All users share one copy of the weights, read once for the whole batch. Another user "
        + "adds cache, nothing else.",
        "d": "Context: " + text_whole(state.context) + " tokens to divide among the users",
        "d-why": "A context length holds for each sequence by itself: every user has all "
        + text_whole(state.context)
        + " tokens. What users share is memory.",
    }


def quiz_wall_reason(state: Any, catalog: Any, sizes: dict[str, Any]) -> str:
    """The division that gives the number of users, or why it gives none."""
    one = text_bytes(sizes["user"])
    if sizes["free"] <= 0:
        return (
            "The weights take "
            + text_gib(sizes["weights"])
            + " and an engine may use "
            + text_gib(sizes["usable"] * state.gpus)
            + ": nothing is left, so not one user fits, whatever the cache."
        )
    room = text_gib(sizes["room"])
    if sizes["max_users"] == 0:
        return "One user needs " + one + " and " + room + " are left: not even one fits."
    reserve = max(TYPICAL_RESERVE, state.reserve)
    typical = deploy_as(state, catalog, state.weights, state.gpus, reserve)
    return (
        room
        + " divided by "
        + one
        + ": ideally "
        + text_count(sizes["max_users"], "user")
        + ". With "
        + text_fixed(reserve, 1)
        + " GiB a card kept for activations, "
        + (text_whole(typical["max_users"]) if typical["max_users"] > 0 else "none")
        + "."
    )


def quiz_user_bytes(model: str, cache: str, state: Any, catalog: Any) -> int:
    """Cache of one user on all cards, with ``model`` and ``cache`` in place of the scenario's."""
    kind = catalog.caches[cache]
    return (
        bytes_per_sequence_gpu(catalog.models[model].shape, state.context, kind, kind, state.gpus)
        * state.gpus
    )


def quiz_fp8_model(state: Any, catalog: Any) -> str:
    """The scenario's model if an FP8 cache makes a difference that can be seen, else the reference."""
    wide = text_bytes(quiz_user_bytes(state.model, "bf16", state, catalog))
    narrow = text_bytes(quiz_user_bytes(state.model, "fp8", state, catalog))
    return QUIZ_REFERENCE if wide == narrow else state.model


def quiz_fp8(state: Any, catalog: Any) -> dict[str, str]:
    """What a cache of FP8 instead of 16 bits buys."""
    asked = quiz_fp8_model(state, catalog)
    model = catalog.models[asked]
    wide = quiz_user_bytes(asked, "bf16", state, catalog)
    narrow = quiz_user_bytes(asked, "fp8", state, catalog)
    weights = weights_bytes(model.shape.parameters, catalog.weights[state.weights].bits)
    about = ""
    if asked != state.model:
        about = "This one is about " + model.name + ", since FP8 changes next to nothing here. "
    return {
        "stem": about
        + "The cache of "
        + model.name
        + " goes from 16 bits a value to FP8, at "
        + text_whole(state.context)
        + " tokens a user; nothing else changes. What does that buy?",
        "a": "Weights of " + text_bytes(weights // 2) + " instead of " + text_bytes(weights),
        "a-why": "Weights and cache have types of their own. The weights stay at "
        + text_bytes(weights)
        + ", as quantised weights alone leave the cache as it is.",
        "b": "Speed alone: the cache stays at " + text_bytes(wide) + " a user",
        "b-why": "A step does get faster where reading the cache is what it waits for, but because there is "
        + "less to read: the cache itself has shrunk.",
        "c": "A cache of " + text_bytes(narrow) + " a user instead of " + text_bytes(wide),
        "c-why": quiz_fp8_reason(asked, wide, narrow, state, catalog),
        "d": "A cache of " + text_bytes(wide // 4) + " a user, as keys and values both halve",
        "d-why": "Every number that is cached takes half the room, so all of them together take half. "
        + "Halving keys and halving values does not multiply.",
    }


def quiz_fp8_reason(asked: str, wide: int, narrow: int, state: Any, catalog: Any) -> str:
    """What the smaller cache means for the scenario's users, and what it may cost."""
    reason = "One byte a value instead of two"
    if narrow * 2 != wide:
        reason += (
            ", though what is not stored as keys and values keeps its type: "
            + text_percent(1 - narrow / wide)
            + " less"
        )
    reason += ". "
    if asked == state.model:
        free = deploy(state, catalog)["free"]
        before = max_users(free, wide // state.gpus)
        after = max_users(free, narrow // state.gpus)
        if free <= 0:
            reason += "It cannot make room where the weights alone leave none. "
        elif after > before:
            reason += (
                "So "
                + text_count(after, "user")
                + (" fits" if after == 1 else " fit")
                + " instead of "
                + (text_whole(before) if before > 0 else "none")
                + ". "
            )
        elif after == 0:
            reason += "Even so, not one user fits here. "
        else:
            reason += "Not enough for one more user here, but each can hold a longer text. "
    return reason + "Most published tests find little loss, not all: check it on your own task."
