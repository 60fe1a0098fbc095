"""Predict, then see: what each act asks before it shows its answer, and what to say to a guess.

Pure functions, compiled by :mod:`acts.twin`. A question is a dict: ``act``, ``key`` (what it is asked about; the
same question is asked once), ``kind`` (number or choice), ``question``, ``options`` (texts of a choice) and
``values`` (their numbers), ``answer`` (the number, or the option's index), ``unit`` and ``why``, half a sentence with
the reader's own numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .deployed import deployed_cards
from .deployment import deploy, deploy_values
from .heads.choice import heads_divides, heads_view
from .quantize.value import (
    QUANTIZE_BASE,
    QUANTIZE_HALF,
    quantize_chosen,
    quantize_mixed,
    quantize_sizes,
    quantize_value_bytes,
)
from .quantize.words import quantize_bytes_text, quantize_chosen_name, quantize_fit, quantize_name
from .sizing import forwarded_tokens
from .text import text_amount, text_bytes, text_count, text_gib, text_times, text_whole
from .typed import typed_read

if TYPE_CHECKING:
    from .catalog import Catalog
    from .contracts import PageState, Question, Verdict, View

# A guess this near the answer is right, as a share of it.
PREDICT_NEAR = 0.05
# Query heads that might share a KV head where none do: the first that divides them.
PREDICT_SHARES = [4, 2, 8, 3, 5, 7]


def predict_question(act: str, state: PageState, catalog: Catalog) -> Question:
    """The question of the act ``act`` about the present state."""
    if act == "growth":
        return predict_growth(state, catalog)
    if act == "heads":
        return predict_heads(state, catalog)
    if act == "wall":
        return predict_wall(state, catalog)
    return predict_quantize(state, catalog)


def predict_number(act: str, key: list[Any], question: str, answer: float, unit: str, why: str) -> Question:
    """A question with a number for an answer."""
    return {
        "act": act,
        "key": predict_key(act, key),
        "kind": "number",
        "question": question,
        "options": [],
        "values": [],
        "answer": answer,
        "unit": unit,
        "why": why,
    }


def predict_key(act: str, parts: list[Any]) -> str:
    """What a question is asked about, as a text."""
    return " ".join([act] + [str(part) for part in parts])


def predict_growth(state: PageState, catalog: Catalog) -> Question:
    """How many passes of a token the request would take without a cache."""
    cached = forwarded_tokens(state.prompt, state.generated, True)
    last = state.prompt + state.generated - 1
    why = (
        f"each of the {text_count(state.generated, 'token')} takes a pass over the whole text so far, from "
        f"{text_count(state.prompt, 'token')} up to {text_whole(last)}"
    )
    if state.generated == 1:
        why = "the one token is written by the prefill, which is needed either way"
    return predict_number(
        "growth",
        [state.model],
        f"{text_count(state.prompt, 'token')} in, {text_whole(state.generated)} out: with the cache that is "
        f"{text_whole(cached)} passes of a token through the model. How many without it?",
        forwarded_tokens(state.prompt, state.generated, False),
        "passes",
        why,
    )


def predict_heads(state: PageState, catalog: Catalog) -> Question:
    """How much smaller sharing makes the cache."""
    view = heads_view(state, catalog)
    if view["latent"]:
        return predict_latent(view, state)
    times = view["queries"] // max(1, view["kv"])
    asked = text_count(times, "query head") + " share each KV head"
    if times < 2:
        times = predict_share(view["queries"])
        asked = "each query head has its own KV head; let " + text_whole(times) + " share one"
    wrong = [1, 2, times, times * times]
    if times == 2:
        wrong = [1, 2, 4, view["queries"]]
    if times == 1:
        wrong = [1, 2, 4, 8]
    return predict_sizes(
        f"{view['model']}: {asked}. How much smaller is the cache than with a KV head for each query head?",
        state,
        wrong,
        times,
        f"one key and one value are held for every {text_count(times, 'query head')}, and each of them "
        "still reads both",
    )


def predict_share(heads: int) -> int:
    """Query heads that could share a KV head in a model that shares none."""
    for share in PREDICT_SHARES:
        if heads_divides(heads // share, heads):
            return share
    return heads


def predict_latent(view: View, state: PageState) -> Question:
    """How much smaller a latent makes the cache."""
    times = view["reduction"] if view["known"] else view["queries"]
    return predict_sizes(
        f"{view['model']}: all {text_whole(view['queries'])} query heads read one latent of "
        f"{text_whole(view['latent_width'])} values. How much smaller is the cache than with a key and a "
        "value for each head?",
        state,
        [1, 2, times, 2 * view["queries"]],
        times,
        "one latent is held in place of " + text_count(view["queries"], "key") + " and as many values",
    )


def predict_sizes(question: str, state: PageState, times: list[Any], right: float, why: str) -> Question:
    """A choice of how many times smaller, in rising order; ``right`` is among ``times``."""
    answer = 0
    options: list[str] = []
    for one in times:
        if one == right:
            answer = len(options)
        options.append("not at all" if one == 1 else text_times(one))
    return {
        "act": "heads",
        "key": predict_key("heads", [state.model]),
        "kind": "choice",
        "question": question,
        "options": options,
        "values": times,
        "answer": answer,
        "unit": "smaller",
        "why": why,
    }


def predict_wall(state: PageState, catalog: Catalog) -> Question:
    """How many users fit."""
    sizes = deploy(state, catalog)
    why = (
        f"{text_gib(sizes['room'])} are left beside the weights, and each user holds "
        f"{text_bytes(sizes['user'])}"
    )
    if sizes["free"] <= 0:
        why = (
            f"the weights alone take {text_gib(sizes['weights'])} of the "
            f"{text_gib(sizes['usable'] * sizes['cards'])} that are usable"
        )
    return predict_number(
        "wall",
        [state.model, state.gpu, state.gpus, state.weights],
        f"{catalog.models[state.model].name}, {text_whole(state.context)} tokens per user, "
        f"{deployed_cards(state, catalog)}: how many users fit?",
        sizes["max_users"],
        "users",
        why,
    )


def predict_next_type(state: PageState) -> str:
    """The cache type the last act asks about: the chosen one, or FP8 as long as none is."""
    return QUANTIZE_HALF if state.cache == QUANTIZE_BASE else state.cache


def predict_quantize(state: PageState, catalog: Catalog) -> Question:
    """How many users fit with the next cache type."""
    chosen = predict_next_type(state)
    keys = catalog.caches[chosen]
    values = keys
    before = quantize_sizes(state, catalog, QUANTIZE_BASE)
    after = quantize_sizes(state, catalog, chosen)
    name = quantize_name(keys)
    if quantize_mixed(state):
        keys = catalog.caches[state.cache]
        values = catalog.caches[deploy_values(state)]
        after = quantize_chosen(state, catalog)
        name = quantize_chosen_name(state, catalog)
    each = quantize_value_bytes(catalog.models[state.model].shape, keys, values)
    why = (
        f"a number takes {quantize_bytes_text(each)} instead of 2, so each user holds "
        f"{text_bytes(after['user'])} instead of {text_bytes(before['user'])}"
    )
    if after["free"] <= 0:
        why = "the weights leave nothing, and a cache type does not shrink them"
    return predict_number(
        "quantize",
        [state.model, state.gpu, state.gpus, state.weights],
        f"{predict_fit(before['max_users'])} with a 16-bit cache of {catalog.models[state.model].name}. "
        f"How many with {name}?",
        after["max_users"],
        "users",
        why,
    )


def predict_fit(users: int) -> str:
    """How many users fit: "No user fits", "1 user fits", "57 users fit"."""
    return "No user fits" if users < 1 else quantize_fit(users)


def predict_verdict(question: Question, given: str) -> Verdict:
    """What to say to a guess, an option's index or what was typed.

    ``read`` is whether it could be read, ``text`` one sentence, ``right`` whether it is the answer, ``guess`` what was
    meant and ``off`` how many times too large (above 1) or too small (below) it is; None where that says nothing.
    """
    answer = question["answer"]
    if question["kind"] == "choice":
        guess: Any = int(given)
        said = question["options"][int(answer)] + " smaller"
        text = (
            "Right, " + said
            if guess == answer
            else "You said " + question["options"][guess] + "; it is " + said
        )
        off = question["values"][guess] / question["values"][int(answer)]
        return predict_told(text, question, guess == answer, guess, off)
    guess = typed_read(given, question["unit"])["value"]
    if guess is None:
        return {
            "read": False,
            "text": "That is not a number; type one such as 12.",
            "right": False,
            "guess": None,
            "off": None,
        }
    right = abs(guess - answer) <= PREDICT_NEAR * answer
    said = predict_amount(answer, question["unit"])
    off = guess / answer if answer > 0 else None
    if right:
        text = "Right: " + said if guess == answer else "Near enough: it is " + said
    else:
        text = "You said " + text_amount(guess) + "; it is " + said + predict_off(off)
    return predict_told(text, question, right, guess, off)


def predict_told(text: str, question: Question, right: bool, guess: float, off: float | None) -> Verdict:
    """A verdict: the ``text`` with the reason behind it."""
    return {
        "read": True,
        "text": text + ", as " + question["why"] + ".",
        "right": right,
        "guess": guess,
        "off": off,
    }


def predict_amount(answer: float, unit: str) -> str:
    """The answer with its unit: "57", "none"."""
    if answer == 0:
        return "none"
    return text_whole(int(answer)) + (" " + unit if answer != 1 else " " + unit.rstrip("s"))


def predict_off(off: float | None) -> str:
    """How far off a guess is: ", 2.5 times as many as you said"."""
    if off is None:
        return ""
    if off > 1:
        return ", and you were " + text_amount(off) + " times too high"
    if off > 0:
        return ", and you were " + text_amount(1 / off) + " times too low"
    return ""


def predict_said(question: Question) -> str:
    """The answer and its reason for whoever does not guess."""
    if question["kind"] == "choice":
        said = question["options"][int(question["answer"])] + " smaller"
    else:
        said = predict_amount(question["answer"], question["unit"])
    return "It is " + said + ", as " + question["why"] + "."
