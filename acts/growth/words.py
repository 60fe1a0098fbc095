"""The request in words: sentence, figure labels, what the readouts are made of, the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sizing import entries_held, forwarded_tokens
from ..text import text_amount, text_bytes, text_count, text_whole
from .request import growth_bytes, growth_forgets, growth_steps

if TYPE_CHECKING:
    from ..catalog import CacheType, Model
    from ..contracts import GrowthState, Moment
    from ..sizing import Shape


def growth_sentence(state: GrowthState, model: Model, now: Moment, held: int) -> str:
    """The result in one or two sentences; ``held`` is the cache before a release, in bytes."""
    forgets = growth_forgets(model.shape, now["held"])
    if now["phase"] == "before":
        return (
            "Nothing is cached yet: "
            f"{text_count(state.prompt, 'prompt token')}{' waits' if state.prompt == 1 else ' wait'} for "
            f"one pass through {model.name}."
        )
    if not state.cached:
        return growth_sentence_uncached(state, now)
    run = forwarded_tokens(state.prompt, now["written"], True)
    again = forwarded_tokens(state.prompt, now["written"], False)
    if now["phase"] == "prefill":
        prompt = "the one prompt token" if run == 1 else f"all {text_count(run, 'prompt token')} at once"
        return (
            f"Prefill ran {prompt}, filled {text_bytes(held)} of cache and wrote the first token of the "
            "answer. Nothing is saved yet: this pass is needed either way."
        )
    work = growth_passes(run) + " of a token through the model; without a cache " + text_whole(again)
    if now["phase"] == "released":
        return (
            f"The request is over and its {text_bytes(held)} of cache are free for the next one. In all "
            f"{work}, {text_amount(again / run)} times as many."
        )
    return (
        "This step ran one token, read "
        f"{'what is kept of ' if forgets else 'keys and values of '}{text_count(now['held'] - 1, 'earlier one')} "
        f"and wrote the next. The cache holds {text_bytes(held)}. So far {work}."
    )


def growth_sentence_uncached(state: GrowthState, now: Moment) -> str:
    """The result of a request that keeps nothing, once it has begun."""
    if now["phase"] == "prefill":
        return (
            f"Prefill ran {text_count(state.prompt, 'prompt token')} and wrote the first token of the "
            "answer. Without a cache the keys and values are thrown away: the next step runs every token "
            "again."
        )
    run = forwarded_tokens(state.prompt, now["written"], True)
    again = forwarded_tokens(state.prompt, now["written"], False)
    work = growth_passes(again) + " of a token through the model; with a cache " + text_whole(run)
    if now["phase"] == "released":
        return (
            f"The request is over. Without a cache it took {work}. That is {text_amount(again / run)} times "
            "as many."
        )
    return (
        f"Without a cache this step ran all {text_count(now['held'], 'token')} again, to write one, and "
        f"kept nothing. So far {work}."
    )


def growth_passes(count: int) -> str:
    """Passes through the model with their noun: "1 pass", "84 passes"."""
    return text_whole(count) + (" pass" if count == 1 else " passes")


def growth_vectors_basis(shape: Shape, tokens: int) -> str:
    """What is multiplied to count the vectors, where every layer keeps the same."""
    if tokens == 0:
        return "nothing is stored"
    if len(shape.groups) != 1 or shape.groups[0].stride > 1:
        return "over all layers and KV heads"
    group = shape.groups[0]
    kinds = (1 if group.key_width > 0 else 0) + (1 if group.value_width > 0 else 0)
    entries = entries_held(group, tokens)
    if kinds == 1:
        return text_count(group.layers, "layer") + " × " + text_count(entries, "token") + ", one vector each"
    heads = text_count(group.num_kv_heads, "KV head")
    return f"K and V × {text_count(group.layers, 'layer')} × {heads} × {text_count(entries, 'token')}"


def growth_recompute_basis(state: GrowthState, now: Moment) -> str:
    """What is divided to give the recompute avoided: passes of a token, neither FLOP nor seconds."""
    if now["step"] == 0:
        return "no token run yet"
    again = forwarded_tokens(state.prompt, now["written"], False)
    if not state.cached:
        return "nothing is avoided: " + growth_passes(again) + " of a token"
    run = forwarded_tokens(state.prompt, now["written"], True)
    return growth_passes(again) + " of a token without a cache, " + text_whole(run) + " with"


def growth_cache_label(model: Model, shape: Shape, now: Moment) -> str:
    """The picture of the cache in words, for those who do not see it."""
    layers = 0
    for group in shape.groups:
        layers += group.layers
    held = "Cache of one request in " + text_count(layers, "caching layer") + " of " + model.name + ": "
    if now["tokens"] == 0:
        return held + ("empty, the request has ended." if now["phase"] == "released" else "empty.")
    if not now["cached"]:
        return (
            f"{held}empty. The keys and values of {text_count(now['tokens'], 'token')} were computed in "
            "this step and are thrown away."
        )
    return (
        f"{held}{text_count(now['prompt'], 'prompt token')} and "
        f"{text_count(now['done'], 'generated token')}, each with its keys and values in every layer; in "
        "each of them the newest query reads what is cached."
    )


def growth_table(
    state: GrowthState, shape: Shape, keys: CacheType, values: CacheType, now: Moment
) -> dict[str, str]:
    """The request's ledger: what a phase runs, what it would run without a cache, reads and leaves behind."""
    prompt = state.prompt
    last = max(1, growth_steps(state))
    present = min(max(1, now["done"]), last)
    texts = {
        "prefill-name": growth_ledger_name("Prefill", now["phase"] == "prefill"),
        "prefill-run": text_count(prompt, "token"),
        "prefill-held": text_bytes(growth_bytes(shape, prompt, keys, values)),
        "total-run": text_count(forwarded_tokens(prompt, state.generated, True), "token"),
        "total-without": text_count(forwarded_tokens(prompt, state.generated, False), "token"),
        "first-name": growth_step_name(1, now),
        "present-name": growth_step_name(present, now),
        "last-name": growth_step_name(last, now),
    }
    growth_table_row(texts, "first", shape, keys, values, prompt + 1)
    growth_table_row(texts, "present", shape, keys, values, prompt + present)
    growth_table_row(texts, "last", shape, keys, values, prompt + last)
    return texts


def growth_step_name(step: int, now: Moment) -> str:
    """A decode step's name in the ledger."""
    return growth_ledger_name(
        "Decode step " + text_whole(step), now["phase"] == "decode" and now["done"] == step
    )


def growth_ledger_name(name: str, present: bool) -> str:
    """A row's name, marked if the request stands there."""
    return name + (", now" if present else "")


def growth_table_shown(state: GrowthState, now: Moment) -> dict[str, bool]:
    """Which decode rows the ledger has: the first, the present and the last, each step in one row only."""
    steps = growth_steps(state)
    return {
        "ledger-first": steps > 0,
        "ledger-present": now["done"] > 1 and now["done"] < steps,
        "ledger-last": steps > 1,
    }


def growth_table_row(
    texts: dict[str, str], name: str, shape: Shape, keys: CacheType, values: CacheType, tokens: int
) -> None:
    """One decode step of the ledger, the one that ends with ``tokens`` tokens."""
    texts[name + "-without"] = text_count(tokens, "token")
    texts[name + "-read"] = text_bytes(growth_bytes(shape, tokens - 1, keys, values))
    texts[name + "-held"] = text_bytes(growth_bytes(shape, tokens, keys, values))
