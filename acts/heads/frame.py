"""The heads as data: query heads joined to the KV heads they share, the bytes that saves, the formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import context_beyond
from ..formula import formula_sum, formula_term
from ..sizing import vector_bytes
from ..text import text_bytes, text_count, text_number, text_times, text_whole
from .choice import heads_mixed, heads_view
from .costs import heads_fixed_bytes, heads_growth_bytes, heads_quotient
from .picture import (
    heads_bars_label,
    heads_joins,
    heads_joins_label,
    heads_labels,
    heads_margin,
    heads_placed,
    heads_queries,
    heads_spans,
    heads_tiles,
    heads_titles,
)

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import Button, Frame, HeadsState, Option, Readout, View


def heads_frame(state: HeadsState, catalog: Catalog) -> Frame:
    """Frame of the heads: see :class:`acts.heads.Heads` for the readouts' units."""
    view = heads_placed(heads_view(state, catalog))
    return {
        "readouts": heads_readouts(view),
        "sentence": heads_sentence(view) + context_beyond(catalog.models[state.model], state.context),
        "texts": heads_texts(view),
        "shown": heads_shown(view),
        "choices": {"kv_heads": {"options": heads_options(view), "selected": heads_stored(view, view["kv"])}},
        "queries": view["queries"],
        "buttons": heads_buttons(view),
        "sources": {
            "queries": heads_queries(view),
            "tiles": heads_tiles(view),
            "joins": heads_joins(view),
            "labels": heads_labels(view),
            "spans": heads_spans(view),
            "titles": heads_titles(view),
        },
        "ranges": {
            "joins-x": {"start": 0 - heads_margin(view), "end": view["queries"] - 1 + heads_margin(view)},
            "bars-x": {"start": 0, "end": max(view["sequence"], view["full_sequence"], 1)},
        },
        "figures": {"joins": heads_joins_label(view), "bars": heads_bars_label(view)},
    }


def heads_stored(view: View, kv: int) -> int:
    """How a number of KV heads is kept in the state: 0 for the model's own, so that it follows the model."""
    return 0 if kv == view["own"] else kv


def heads_options(view: View) -> list[Option]:
    """The KV head counts on offer: those that divide the query heads, and the model's own whatever it is."""
    if view["latent"]:
        return [{"value": 0, "text": "1 latent"}]
    counts = []
    missing = view["own"] not in view["divisors"]
    for count in view["divisors"]:
        if missing and count > view["own"]:
            counts.append(view["own"])
            missing = False
        counts.append(count)
    return [{"value": heads_stored(view, count), "text": text_whole(count)} for count in counts]


def heads_grouped(view: View) -> int:
    """The GQA preset: 8 where that forms groups, else the model's own, else the nearest to 8; 0 if none."""
    between = [count for count in view["divisors"] if count > 1 and count < view["queries"]]
    if len(between) == 0:
        return 0
    if 8 in between:
        return 8
    if view["own"] in between:
        return view["own"]
    best = between[0]
    for count in between:
        if abs(count - 8) < abs(best - 8):
            best = count
    return best


def heads_buttons(view: View) -> dict[str, Button]:
    """The presets: what each sets, whether it holds, whether this model allows it."""
    grouped = heads_grouped(view)
    return {
        "mha": heads_button(view, "MHA", view["queries"]),
        "gqa": heads_button(view, "GQA", grouped),
        "mqa": heads_button(view, "MQA", 1),
        "own": heads_button(view, "as " + view["model"], view["own"]),
    }


def heads_button(view: View, text: str, kv: int) -> Button:
    """One preset of ``kv`` KV heads; 0 stands for none on this model."""
    return {
        "text": text,
        "set": {"kv_heads": heads_stored(view, kv)},
        "pressed": kv == view["kv"] and not view["latent"],
        "disabled": kv == 0 or view["latent"],
    }


def heads_shown(view: View) -> dict[str, bool]:
    """Which parts of the markup hold for this model."""
    terms = view["terms"]
    one = len(terms) == 1 and terms[0]["stride"] == 1 and not terms[0]["record"]
    equal = one and terms[0]["key"] == terms[0]["value"] and view["keys"].id == view["values"].id
    return {
        "heads": not view["latent"],
        "latent": view["latent"],
        "plain": equal,
        "one-latent": one and view["latent"],
        "sum": not equal and not (one and view["latent"]),
        "state": view["shape"].state_bytes > 0,
        "refused": view["refused"],
        "what-if": view["kv"] != view["own"] and not view["latent"],
        "fixed": heads_fixed_bytes(view["shape"], view["choice"], view["keys"], view["values"]) > 0,
    }


def heads_readouts(view: View) -> dict[str, Readout]:
    """Reduction and ratio as numbers, the two sizes in bytes."""
    ratio = heads_quotient(view["queries"], 1 if view["latent"] else view["kv"])
    readers = text_whole(view["queries"]) + ":"
    return {
        "cache-reduction": {
            "text": text_times(view["reduction"]) if view["known"] else "not known",
            "value": view["reduction"] if view["known"] else None,
        },
        "head-ratio": {
            "text": readers + ("1 latent" if view["latent"] else text_whole(view["kv"])),
            "value": ratio,
        },
        "bytes-per-token": {"text": text_bytes(view["token"]), "value": view["token"]},
        "bytes-per-sequence": {"text": text_bytes(view["sequence"]), "value": view["sequence"]},
    }


def heads_sentence(view: View) -> str:
    """The result in a sentence."""
    now = text_bytes(view["sequence"])
    if view["token"] == 0:
        return "No layer of " + view["model"] + " keeps keys or values: a sequence holds " + now + "."
    cost = ": " + text_whole(view["context"]) + " tokens cost " + now
    shared = view["latent"] or view["kv"] < view["queries"]
    if view["known"] and shared:
        cost = cost + " instead of " + text_bytes(view["full_sequence"])
    return heads_sharing(view) + cost + "."


def heads_sharing(view: View) -> str:
    """Who reads what, in words."""
    readers = text_count(view["queries"], "query head")
    if view["latent"]:
        return (
            "All " + readers + " read one latent of " + text_whole(view["latent_width"]) + " values per layer"
        )
    if view["kv"] >= view["queries"]:
        return "Every query head keeps a key and a value of its own, nothing is shared"
    if view["kv"] == 1:
        return "All " + readers + " share one KV head"
    if view["queries"] % view["kv"] != 0:
        return readers + " share " + text_count(view["kv"], "KV head")
    return "Each KV head serves " + text_count(view["queries"] // view["kv"], "query head")


def heads_texts(view: View) -> dict[str, str]:
    """The formula's factors and the notes."""
    shape = view["shape"]
    term = view["terms"][0] if len(view["terms"]) > 0 else formula_term(0, 0, 0, 0)
    layers = "num_hidden_layers"
    if term["layers"] != shape.num_hidden_layers:
        layers = text_whole(shape.num_hidden_layers) + " num_hidden_layers"
        layers = text_whole(term["layers"]) + " of " + layers
    vector = vector_bytes(term["key"], view["keys"])
    return {
        "layers": text_whole(term["layers"]),
        "layers-field": layers,
        "kv-heads": text_whole(term["heads"]),
        "width": text_whole(term["key"]),
        "value-bytes": text_number(heads_quotient(vector, max(1, term["key"])), 5),
        "value-field": "torch_dtype" if view["cache_id"] == "bf16" else view["keys"].name,
        "token-bytes": text_whole(view["token"]),
        "token-size": text_bytes(view["token"]),
        "sum": formula_sum(view["terms"], view["keys"], view["values"]),
        "context": text_whole(view["context"]),
        "kv-chosen": "1 latent" if view["latent"] else text_whole(view["kv"]),
        "refused": (
            f"{text_whole(view['asked'])} does not divide the {text_count(view['queries'], 'query head')} "
            f"of {view['model']}, so its own "
            f"{text_whole(view['own'])}{' is' if view['own'] == 1 else ' are'} shown."
        ),
        "what-if": (
            f"{view['model']} itself has "
            f"{text_count(view['own'], 'KV head')}{' in most layers.' if heads_mixed(shape) else '.'}"
        ),
        "fixed": heads_fixed_text(view),
    }


def heads_fixed_text(view: View) -> str:
    """Why bytes a token times tokens is not the whole story of a model with windows or recurrent state."""
    shape = view["shape"]
    windowed = 0
    window = 0
    for group in shape.groups:
        if group.window is not None:
            windowed += group.layers
            window = max(window, group.window)
    reasons = []
    if windowed > 0:
        reasons.append(
            text_whole(windowed) + " of its layers keep only the last " + text_whole(window) + " tokens"
        )
    if shape.state_bytes > 0:
        reasons.append("its recurrent layers keep " + text_bytes(shape.state_bytes) + " whatever the heads")
    if len(reasons) == 0:
        reasons.append("some of its layers hold a fixed number of entries")
    fixed = text_bytes(heads_fixed_bytes(shape, view["choice"], view["keys"], view["values"]))
    growth = heads_growth_bytes(shape, view["choice"], view["keys"], view["values"])
    end = fixed + " and stops growing." if windowed > 0 else fixed + " at any length."
    if growth > 0:
        end = fixed + " + " + text_bytes(growth) + " × tokens."
    when = "once the windows are full, a sequence holds " if windowed > 0 else "a sequence holds "
    return view["model"] + ": " + " and ".join(reasons) + ", so " + when + end
