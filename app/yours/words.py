"""What the page says about a model read from a file, and about a log.

Pure functions, compiled by :mod:`acts.twin`. Texts alone come out; the page shows them as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acts.config.values import is_flag, is_whole
from acts.deployed import deployed_cache
from acts.deployment import deploy_values
from acts.formula import formula_linear, formula_sequence, formula_token
from acts.sizing import GIB, bytes_per_sequence, bytes_per_token, typed_weights
from acts.text import text_bytes, text_context, text_count, text_fixed, text_gib, text_number, text_whole

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Fields, Reading, State
    from acts.sizing import Shape

# The reader's names for what a field gives, in the page's words.
YOURS_FACTORS: dict[str, str] = {
    "num_hidden_layers": "layers",
    "num_attention_heads": "query heads",
    "num_kv_heads": "KV heads",
    "head_dim": "head width",
    "hidden_size": "hidden size",
    "max_context": "longest context",
}

# What each setting of the scenario is called where a log sets it.
YOURS_SETTINGS: dict[str, str] = {
    "context": "context",
    "users": "users",
    "gpus": "GPUs",
    "pipeline": "pipeline stages",
    "context_parallel": "GPUs a sequence is split over",
    "data_parallel": "replicas",
    "utilisation": "share of the card",
    "cache": "cache type",
    "cache_v": "type of the values",
    "reserve": "activation reserve",
}


def yours_sizes(shape: Shape, state: State, catalog: Catalog) -> dict[str, str]:
    """What the model's cache comes to with the scenario's types: a token, a sequence, a + b × tokens, weights."""
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    weights = catalog.weights[state.weights]
    token = bytes_per_token(shape, keys, values)
    sequence = bytes_per_sequence(shape, state.context, keys, values)
    loaded = "not known yet"
    if state.weights_gib > 0:
        loaded = text_gib(int(state.weights_gib * GIB))
    elif shape.parameters > 0:
        loaded = text_gib(typed_weights(shape, weights.bits, weights.kept))
    return {
        "own-token": text_bytes(token),
        "own-token-sum": formula_token(shape, keys, values),
        "own-sequence": text_bytes(sequence),
        "own-sequence-sum": formula_sequence(shape, state.context, keys, values),
        "own-context": text_whole(state.context),
        "own-cache": deployed_cache(state, catalog),
        "own-linear": formula_linear(shape, keys, values),
        "own-weights": loaded,
        "own-weight-type": "as given" if state.weights_gib > 0 else weights.name,
    }


def yours_rows(reading: Reading) -> list[list[str]]:
    """The reading's rows: what was told, its value, the field that told it."""
    rows = []
    for row in reading["fields"]:
        factor = row["factor"]
        for name, words in YOURS_FACTORS.items():
            factor = factor.replace(name, words)
        rows.append([factor, yours_value(row["value"]), row["field"]])
    if reading["weights_bytes"] > 0:
        rows.append(["weights", text_bytes(reading["weights_bytes"]), "tensors in the file"])
    return rows


def yours_value(value: Any) -> str:
    """A value as the table shows it."""
    if is_flag(value):
        return "yes" if value else "no"
    if is_whole(value) and value >= 0:
        return text_whole(value)
    return str(value)


def yours_joined(name: str, shape: Shape, cache: str, weights: str) -> str:
    """What happened, once a model was read and stands in the catalog.

    ``cache`` and ``weights`` are types its file declared, "" if none.
    """
    text = "Read: " + text_count(shape.num_hidden_layers, "layer") + ". " + name
    text = text + " now stands in every list of models and is chosen."
    if cache != "":
        text = text + " Its file declares a cache of " + cache + ", which is chosen too."
    if weights != "":
        text = text + " Its weights are kept as " + weights + ", which is chosen too."
    return text


def yours_unknown() -> str:
    """What to do where the file does not tell the number of parameters."""
    return (
        "The cache can be sized, but this file does not tell how many parameters the model has. "
        "Enter their number below and the model joins the lists."
    )


def yours_set(settings: Fields, refused: list[str], catalog: Catalog) -> str:
    """What a log set on the page, in a sentence; "" if nothing."""
    parts = []
    for key, words in YOURS_SETTINGS.items():
        if key in settings and key not in refused:
            parts.append(words + " " + yours_setting(key, settings[key], catalog))
    if len(parts) == 0:
        return ""
    return "Set on this page from the log: " + ", ".join(parts) + "."


def yours_setting(key: str, value: Any, catalog: Catalog) -> str:
    """The value of a setting as the sentence shows it."""
    if key in ("cache", "cache_v"):
        return catalog.caches[value].name if value != "" else "the keys'"
    if key == "utilisation":
        return text_number(value, 2) + "%"
    if key == "reserve":
        return text_fixed(value, 2) + " GiB per card"
    if key == "context":
        return text_context(value) + " tokens"
    return text_whole(value)


# What each verdict on a row is called.
YOURS_VERDICTS: dict[str, str] = {
    "equal": "equal",
    "explained": "explained",
    "differs": "differs",
    "unknown": "not known",
}


def yours_ratio(ratio: float) -> str:
    """Logged over predicted, two decimals; "none" where nothing is predicted."""
    if ratio <= 0:
        return "none"
    return text_fixed(ratio, 2)


def yours_verdict(verdict: str) -> str:
    """A row's verdict in words."""
    return YOURS_VERDICTS[verdict]


def yours_start(index: int, line: int) -> str:
    """A start in a list of them: its number and where it begins."""
    return text_whole(index + 1) + ", from line " + text_whole(line)
