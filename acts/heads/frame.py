"""The heads as data: query heads joined to the KV heads they share, what that saves, and the formula with its numbers."""

from __future__ import annotations

from typing import Any

from ..sizing import entries_held, entry_bytes, vector_bytes
from ..text import text_bytes, text_context, text_count, text_number, text_times, text_whole

# The picture of heads is laid out in these units: across, one query head; up, one pixel of the plot.
HEADS_HEIGHT = 250
HEADS_ACROSS = 32  # more heads than this stand in several rows, so that a telephone still separates them
HEADS_TOP = 214
HEADS_PITCH = 22
HEADS_FOOT = 28
HEADS_TILE_HEIGHTS = [34, 26, 20, 15, 12, 10, 8, 7]


def heads_frame(state: Any, catalog: Any) -> dict[str, Any]:
    """Frame of the heads: see :class:`acts.heads.Heads` for the readouts' units."""
    view = heads_view(state, catalog)
    return {
        "readouts": heads_readouts(view),
        "sentence": heads_sentence(view),
        "texts": heads_texts(view),
        "shown": heads_shown(view),
        "choices": {"kv_heads": {"options": heads_options(view), "selected": heads_stored(view, view["kv"])}},
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


# --- what is chosen, and what it costs ---------------------------------------------------------


def heads_view(state: Any, catalog: Any) -> dict[str, Any]:
    """The choice and its costs in bytes; "full" is every query head with a key and a value of its own."""
    model = catalog.models[state.model]
    shape = model.shape
    cache = catalog.caches[state.cache]
    latent = heads_latent(shape)
    queries = max(1, shape.num_attention_heads)
    rows = (queries + HEADS_ACROSS - 1) // HEADS_ACROSS
    own = heads_own(shape)
    valid = not latent and heads_divides(state.kv_heads, queries)
    kv = state.kv_heads if valid else own
    choice = 0 if kv == own else kv
    token = heads_token_bytes(shape, choice, cache)
    full_token = heads_token_bytes(shape, -1, cache)
    return {
        "model": model.name,
        "shape": shape,
        "cache": cache,
        "cache_id": state.cache,
        "latent": latent,
        "queries": queries,
        "own": own,
        "kv": kv,
        "asked": state.kv_heads,
        "refused": state.kv_heads != 0 and not valid and not latent,
        "choice": choice,
        "context": state.context,
        "token": token,
        "full_token": full_token,
        "known": not latent or heads_full_widths(shape),
        "reduction": heads_quotient(full_token, token),
        "sequence": heads_sequence_bytes(shape, choice, state.context, cache),
        "full_sequence": heads_sequence_bytes(shape, -1, state.context, cache),
        "terms": heads_terms(shape, choice, cache),
        "divisors": heads_divisors(queries),
        "rows": rows,
        "tile_rows": (kv * rows + queries - 1) // queries,
        "tile_width": min(0.84 * rows, queries / 30),
        "tile_height": HEADS_TILE_HEIGHTS[min(rows, len(HEADS_TILE_HEIGHTS)) - 1],
    }


def heads_latent(shape: Any) -> bool:
    """Whether the model keeps one latent a layer instead of keys and values a head (MLA)."""
    for group in shape.groups:
        if group.kind == "latent":
            return True
    return False


def heads_full_widths(shape: Any) -> bool:
    """Whether it is known what a head unfolds from the latent, and so what all heads would cost in full."""
    for group in shape.groups:
        if group.kind == "latent" and not group.full_key_width > 0:
            return False
    return True


def heads_own(shape: Any) -> int:
    """KV heads of the model itself; where its layers differ, those of its most frequent attention layer."""
    own = 1
    layers = 0
    for group in shape.groups:
        if group.kind == "attention" and group.layers > layers:
            layers = group.layers
            own = group.num_kv_heads
    return own


def heads_divides(kv_heads: int, queries: int) -> bool:
    """Whether ``queries`` query heads can be shared out evenly over ``kv_heads`` KV heads."""
    return kv_heads > 0 and kv_heads <= queries and queries % kv_heads == 0


def heads_divisors(queries: int) -> list[int]:
    """Every number of KV heads that ``queries`` query heads can be shared out over."""
    return [count for count in range(1, queries + 1) if heads_divides(count, queries)]


def heads_entry_bytes(group: Any, choice: int, queries: int, cache: Any) -> int:
    """Bytes of one entry in one layer: with ``choice`` KV heads, the model's own for 0, all in full for -1.

    A latent in full is a key and a value a query head, in the widths it is expanded to.
    """
    if group.kind == "latent":
        if choice == -1 and group.full_key_width > 0:
            return queries * (
                vector_bytes(group.full_key_width, cache) + vector_bytes(group.full_value_width, cache)
            )
        return entry_bytes(group, group.num_kv_heads, cache, cache)
    heads = group.num_kv_heads
    if choice != 0 and (group.kind == "attention" or group.kind == "cross"):
        heads = queries if choice == -1 else choice
    return entry_bytes(group, heads, cache, cache)


def heads_token_bytes(shape: Any, choice: int, cache: Any) -> int:
    """Bytes a token adds while every window has room, by ``choice`` as in :func:`heads_entry_bytes`."""
    total = 0
    for group in shape.groups:
        if group.fixed_tokens is None:
            entry = heads_entry_bytes(group, choice, shape.num_attention_heads, cache)
            total += group.layers * entry // group.stride
    return total


def heads_sequence_bytes(shape: Any, choice: int, tokens: int, cache: Any) -> int:
    """Bytes one sequence of ``tokens`` tokens holds, windows honoured, by ``choice``."""
    total = shape.state_bytes
    for group in shape.groups:
        entry = heads_entry_bytes(group, choice, shape.num_attention_heads, cache)
        total += group.layers * entry * entries_held(group, tokens)
    return total


def heads_growth_bytes(shape: Any, choice: int, cache: Any) -> int:
    """Bytes a token adds once every window is full, by ``choice``: the b of a + b x tokens."""
    total = 0
    for group in shape.groups:
        if group.fixed_tokens is None and group.window is None:
            entry = heads_entry_bytes(group, choice, shape.num_attention_heads, cache)
            total += group.layers * entry // group.stride
    return total


def heads_fixed_bytes(shape: Any, choice: int, cache: Any) -> int:
    """Bytes a sequence holds beside its growth once every window is full, by ``choice``: the a."""
    total = shape.state_bytes
    for group in shape.groups:
        if group.fixed_tokens is not None or group.window is not None:
            held = group.fixed_tokens if group.fixed_tokens is not None else group.window // group.stride
            total += group.layers * heads_entry_bytes(group, choice, shape.num_attention_heads, cache) * held
    return total


def heads_quotient(whole: int, part: int) -> float:
    """``whole`` / ``part``, a whole number where it is one; 1 where nothing is cached."""
    if part == 0:
        return 1
    if whole % part == 0:
        return whole // part
    return whole / part


# --- controls ------------------------------------------------------------------------------------


def heads_stored(view: dict[str, Any], kv: int) -> int:
    """How a number of KV heads is kept in the state: 0 for the model's own, so that it follows the model."""
    return 0 if kv == view["own"] else kv


def heads_options(view: dict[str, Any]) -> list[dict[str, Any]]:
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


def heads_grouped(view: dict[str, Any]) -> int:
    """The GQA preset: 8 where that is a grouping of these heads, else the model's own, else the nearest to 8; 0 if none."""
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


def heads_buttons(view: dict[str, Any]) -> dict[str, Any]:
    """The presets: what each sets, whether it holds, whether this model allows it."""
    grouped = heads_grouped(view)
    return {
        "mha": heads_button(view, "MHA", view["queries"]),
        "gqa": heads_button(view, "GQA", grouped),
        "mqa": heads_button(view, "MQA", 1),
        "own": heads_button(view, "as " + view["model"], view["own"]),
    }


def heads_button(view: dict[str, Any], text: str, kv: int) -> dict[str, Any]:
    """One preset of ``kv`` KV heads; 0 stands for none on this model."""
    return {
        "text": text,
        "set": {"kv_heads": heads_stored(view, kv)},
        "pressed": kv == view["kv"] and not view["latent"],
        "disabled": kv == 0,
    }


def heads_shown(view: dict[str, Any]) -> dict[str, bool]:
    """Which parts of the markup hold for this model."""
    terms = view["terms"]
    one = len(terms) == 1 and terms[0]["stride"] == 1 and not terms[0]["record"]
    equal = one and terms[0]["key"] == terms[0]["value"]
    return {
        "heads": not view["latent"],
        "latent": view["latent"],
        "plain": equal,
        "one-latent": one and view["latent"],
        "sum": not equal and not (one and view["latent"]),
        "refused": view["refused"],
        "what-if": view["kv"] != view["own"] and not view["latent"],
        "fixed": heads_fixed_bytes(view["shape"], view["choice"], view["cache"]) > 0,
    }


# --- words -----------------------------------------------------------------------------------------


def heads_readouts(view: dict[str, Any]) -> dict[str, Any]:
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


def heads_sentence(view: dict[str, Any]) -> str:
    """The result in a sentence."""
    length = text_whole(view["context"]) + " tokens"
    now = text_bytes(view["sequence"])
    if view["token"] == 0:
        return (
            "No layer of "
            + view["model"]
            + " keeps keys or values: a sequence holds "
            + now
            + " whatever its length."
        )
    cost = ": " + length + " cost " + now
    if view["known"]:
        cost = cost + " instead of " + text_bytes(view["full_sequence"])
    cost = cost + "."
    if view["latent"]:
        width = text_whole(heads_latent_width(view["shape"]))
        return (
            "All "
            + text_count(view["queries"], "query head")
            + " read one latent of "
            + width
            + " values a layer"
            + cost
        )
    if view["kv"] >= view["queries"]:
        return (
            "Every query head keeps a key and a value of its own, nothing is shared: "
            + length
            + " cost "
            + now
            + "."
        )
    if view["kv"] == 1:
        return "All " + text_count(view["queries"], "query head") + " share one KV head" + cost
    if view["queries"] % view["kv"] != 0:
        return (
            text_count(view["queries"], "query head") + " share " + text_count(view["kv"], "KV head") + cost
        )
    return "Each KV head serves " + text_count(view["queries"] // view["kv"], "query head") + cost


def heads_texts(view: dict[str, Any]) -> dict[str, str]:
    """The formula's factors and the notes."""
    shape = view["shape"]
    term = view["terms"][0] if len(view["terms"]) > 0 else heads_term(0, 0, 0, 0)
    layers = "num_hidden_layers"
    if term["layers"] != shape.num_hidden_layers:
        layers = (
            text_whole(term["layers"]) + " of " + text_whole(shape.num_hidden_layers) + " num_hidden_layers"
        )
    vector = vector_bytes(term["key"], view["cache"])
    return {
        "layers": text_whole(term["layers"]),
        "layers-field": layers,
        "kv-heads": text_whole(term["heads"]),
        "width": text_whole(term["key"]),
        "value-bytes": text_number(heads_quotient(vector, max(1, term["key"])), 5),
        "value-field": "torch_dtype" if view["cache_id"] == "bf16" else view["cache"].name,
        "token-bytes": text_whole(view["token"]),
        "sum": heads_sum(view),
        "context": text_whole(view["context"]),
        "refused": text_whole(view["asked"])
        + " does not divide the "
        + text_count(view["queries"], "query head")
        + " of "
        + view["model"]
        + ", so its own "
        + text_whole(view["own"])
        + (" is" if view["own"] == 1 else " are")
        + " shown.",
        "what-if": view["model"]
        + " itself has "
        + text_count(view["own"], "KV head")
        + (" in most layers." if heads_mixed(shape) else "."),
        "fixed": heads_fixed_text(view),
    }


def heads_mixed(shape: Any) -> bool:
    """Whether attention layers of the model differ in their number of KV heads."""
    for group in shape.groups:
        if group.kind == "attention" and group.num_kv_heads != heads_own(shape):
            return True
    return False


def heads_latent_width(shape: Any) -> int:
    """Values of the latent: kv_lora_rank + qk_rope_head_dim."""
    for group in shape.groups:
        if group.kind == "latent":
            return group.key_width + group.value_width
    return 0


def heads_fixed_text(view: dict[str, Any]) -> str:
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
    fixed = text_bytes(heads_fixed_bytes(shape, view["choice"], view["cache"]))
    growth = heads_growth_bytes(shape, view["choice"], view["cache"])
    end = fixed + " and stops growing." if windowed > 0 else fixed + " at any length."
    if growth > 0:
        end = fixed + " + " + text_bytes(growth) + " × tokens."
    when = "once the windows are full, a sequence holds " if windowed > 0 else "a sequence holds "
    return view["model"] + ": " + " and ".join(reasons) + ", so " + when + end


# --- the formula --------------------------------------------------------------------------------------


def heads_term(layers: int, heads: int, key: int, value: int) -> dict[str, Any]:
    """A term of the sum over layers: plain attention unless told otherwise."""
    return {
        "layers": layers,
        "heads": heads,
        "key": key,
        "value": value,
        "stride": 1,
        "record": False,
        "entry": 0,
        "kind": "attention",
    }


def heads_terms(shape: Any, choice: int, cache: Any) -> list[dict[str, Any]]:
    """The growing layers, those of one kind and size put together whatever their windows."""
    terms = []
    for group in shape.groups:
        if group.fixed_tokens is None:
            heads = group.num_kv_heads
            if choice > 0 and group.kind == "attention":
                heads = choice
            term = heads_term(group.layers, heads, group.key_width, group.value_width)
            term["stride"] = group.stride
            term["record"] = group.record_bytes is not None
            term["entry"] = heads_entry_bytes(group, choice, shape.num_attention_heads, cache)
            term["kind"] = group.kind
            same = [other for other in terms if heads_same_term(other, term)]
            if len(same) > 0:
                same[0]["layers"] = same[0]["layers"] + group.layers
            else:
                terms.append(term)
    return terms


def heads_same_term(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether layers of the two terms are the same in all but their number."""
    for field in ["heads", "key", "value", "stride", "record", "entry", "kind"]:
        if one[field] != other[field]:
            return False
    return True


def heads_sum(view: dict[str, Any]) -> str:
    """The formula of a model whose layers differ, term by term."""
    parts = [heads_term_text(term, view["cache"]) for term in view["terms"]]
    if len(parts) == 0:
        return "no layer caches anything a token"
    return " + ".join(parts)


def heads_term_text(term: dict[str, Any], cache: Any) -> str:
    """One term in words: its factors with their names."""
    text = text_count(term["layers"], "layer") + " × "
    if term["record"]:
        text = text + text_whole(term["entry"]) + " bytes"
    else:
        values = term["heads"] * (term["key"] + term["value"])
        width = text_whole(term["key"])
        if term["kind"] == "latent":
            width = width + " latent values"
        elif term["value"] == 0:
            width = text_count(term["heads"], "head") + " × " + width + " key values"
        elif term["key"] == term["value"]:
            width = "2 × " + text_count(term["heads"], "KV head") + " × " + width
        else:
            width = (
                text_count(term["heads"], "KV head")
                + " × ("
                + width
                + " + "
                + text_whole(term["value"])
                + ")"
            )
        text = text + width + " × " + text_number(heads_quotient(term["entry"], max(1, values)), 5) + " bytes"
    if term["stride"] > 1:
        text = text + " ÷ " + text_whole(term["stride"])
    return text


# --- the picture ---------------------------------------------------------------------------------------


def heads_margin(view: dict[str, Any]) -> float:
    """Space left and right of the outermost heads' middles."""
    return 0.5 * view["rows"] + 0.1


def heads_query_y(view: dict[str, Any], query: int) -> float:
    """Height of a query head's middle."""
    return HEADS_TOP - HEADS_PITCH * (query % view["rows"])


def heads_tile_x(view: dict[str, Any], kv: int) -> float:
    """The middle of a KV head: below the middle of the query heads it serves."""
    return (kv + 0.5) * view["queries"] / view["kv"] - 0.5


def heads_tile_top(view: dict[str, Any], kv: int) -> float:
    """Upper edge of a KV head's tiles."""
    below = view["tile_rows"] - 1 - kv % view["tile_rows"]
    return HEADS_FOOT + below * (view["tile_height"] + 3) + view["tile_height"]


def heads_queries(view: dict[str, Any]) -> dict[str, Any]:
    """The query heads as circles, staggered in rows so that each keeps a place of its own across."""
    heads = list(range(view["queries"]))
    radius = min(0.36 * view["rows"], view["queries"] / 80)
    return {
        "x": heads,
        "y": [heads_query_y(view, head) for head in heads],
        "radius": [radius for head in heads],
    }


def heads_tiles(view: dict[str, Any]) -> dict[str, Any]:
    """A key and a value tile a KV head; of a latent one bar, to the scale of the full heads it stands for."""
    left = []
    right = []
    top = []
    role = []
    width = view["tile_width"]
    height = view["tile_height"]
    if view["latent"]:
        half = width * heads_latent_scale(view["shape"]) / 2
        middle = (view["queries"] - 1) / 2
        return {
            "left": [middle - half],
            "right": [middle + half],
            "top": [HEADS_FOOT + HEADS_TILE_HEIGHTS[0]],
            "bottom": [HEADS_FOOT],
            "role": ["cache"],
        }
    for kv in range(view["kv"]):
        middle = heads_tile_x(view, kv)
        left.append(middle - width / 2)
        right.append(middle - width * 0.02)
        left.append(middle + width * 0.02)
        right.append(middle + width / 2)
        for kind in ["key", "value"]:
            top.append(heads_tile_top(view, kv))
            role.append(kind)
    return {"left": left, "right": right, "top": top, "bottom": [edge - height for edge in top], "role": role}


def heads_latent_scale(shape: Any) -> float:
    """Values of the latent over those of one full key and value; 2 where the full widths are not known."""
    for group in shape.groups:
        if group.kind == "latent" and group.full_key_width > 0:
            return group.key_width / (group.full_key_width + group.full_value_width)
    return 2


def heads_joins(view: dict[str, Any]) -> dict[str, Any]:
    """A curve from each query head to what it reads, leaving and arriving upright."""
    queries = view["queries"]
    x1 = []
    y1 = []
    for query in range(queries):
        if view["latent"]:
            half = view["tile_width"] * heads_latent_scale(view["shape"]) * 0.45
            x1.append((queries - 1) / 2 + half * (2 * (query + 0.5) / queries - 1))
            y1.append(HEADS_FOOT + HEADS_TILE_HEIGHTS[0])
        else:
            kv = query * view["kv"] // queries
            x1.append(heads_tile_x(view, kv))
            y1.append(heads_tile_top(view, kv))
    x0 = list(range(queries))
    y0 = [heads_query_y(view, query) for query in range(queries)]
    bend = [(y0[query] + y1[query]) / 2 for query in range(queries)]
    return {"x0": x0, "y0": y0, "x1": x1, "y1": y1, "cx0": x0, "cy0": bend, "cx1": x1, "cy1": bend}


def heads_labels(view: dict[str, Any]) -> dict[str, Any]:
    """What the two rows are, at their left."""
    kept = text_count(view["kv"], "KV head") + ("," if view["kv"] > 1 else ":")
    kept = kept + (" each a key and a value" if view["kv"] > 1 else " one key and one value")
    if view["latent"]:
        kept = "one latent of " + text_whole(heads_latent_width(view["shape"])) + " values"
    start = 0 - heads_margin(view)
    return {
        "x": [start, start],
        "y": [HEADS_HEIGHT - 16, 2],
        "text": [text_count(view["queries"], "query head"), kept],
        "role": ["query", "ink"],
    }


def heads_spans(view: dict[str, Any]) -> dict[str, Any]:
    """Two bars in bytes of one sequence: the choice above, all heads cached below; recurrent state in both."""
    left = []
    right = []
    role = []
    bottom = []
    alpha = []
    state = view["shape"].state_bytes
    full_key = heads_key_share(view, -1)
    for bar in [
        {"bytes": view["sequence"], "key": heads_key_share(view, view["choice"]), "bottom": 1, "alpha": 1},
        {
            "bytes": view["full_sequence"] if view["known"] else state,
            "key": full_key,
            "bottom": 0,
            "alpha": 0.42,
        },
    ]:
        shared = bar["bytes"] - state
        edges = [0, shared * bar["key"], shared, bar["bytes"]]
        roles = ["key", "value", "reserve"]
        if view["latent"] and bar["bottom"] == 1:
            roles[0] = "cache"
        for part in range(3):
            left.append(edges[part])
            right.append(edges[part + 1])
            role.append(roles[part])
            bottom.append(bar["bottom"])
            alpha.append(bar["alpha"])
    return {
        "left": left,
        "right": right,
        "bottom": bottom,
        "top": [edge + 0.44 for edge in bottom],
        "role": role,
        "alpha": alpha,
    }


def heads_key_share(view: dict[str, Any], choice: int) -> float:
    """The keys' part of what grows; all of it for a latent, which is neither key nor value."""
    key = 0
    both = 0
    for group in view["shape"].groups:
        wide = [group.key_width, group.value_width]
        if group.kind == "latent" and choice == -1 and group.full_key_width > 0:
            wide = [group.full_key_width, group.full_value_width]
        key += group.layers * vector_bytes(wide[0], view["cache"])
        both += group.layers * (vector_bytes(wide[0], view["cache"]) + vector_bytes(wide[1], view["cache"]))
    return key / max(1, both)


def heads_titles(view: dict[str, Any]) -> dict[str, Any]:
    """What each bar is and how long, above it."""
    chosen = "one latent a layer"
    if not view["latent"]:
        chosen = text_count(view["kv"], "KV head")
    return {
        "x": [0, 0],
        "y": [1.5, 0.5],
        "text": [
            chosen + ": " + text_bytes(view["sequence"]),
            "all "
            + text_count(view["queries"], "head")
            + " cached: "
            + (text_bytes(view["full_sequence"]) if view["known"] else "not known"),
        ],
        "role": ["ink", "muted"],
    }


def heads_joins_label(view: dict[str, Any]) -> str:
    """The picture of heads in words, for those who do not see it."""
    start = "In each layer of " + view["model"] + ", " + text_count(view["queries"], "query head")
    if view["latent"]:
        return (
            start
            + " all joined to one latent of "
            + text_whole(heads_latent_width(view["shape"]))
            + " values."
        )
    each = heads_quotient(view["queries"], view["kv"])
    return (
        start + " joined to " + text_count(view["kv"], "KV head") + ", " + text_number(each, 2) + " to each."
    )


def heads_bars_label(view: dict[str, Any]) -> str:
    """The two bars in words."""
    titles = heads_titles(view)["text"]
    return (
        "Cache of one sequence of "
        + text_context(view["context"])
        + " tokens, to scale. "
        + titles[0]
        + "; "
        + titles[1]
        + "."
    )
