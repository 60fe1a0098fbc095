"""What of a scenario an engine's log decides. Pure functions, compiled by :mod:`acts.twin`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bounds import BOUNDS
from ..sizing import GIB
from .layout import (
    LOG_SAME_BYTES,
    log_activation,
    log_said_name,
    log_said_type,
    log_says,
    log_slots,
    log_streams,
    log_type_id,
    log_type_name,
    log_value,
)

if TYPE_CHECKING:
    from ..contracts import Log


def log_settings(log: Log) -> dict[str, Any]:
    """What of a scenario the log decides: its types, cards, context, users, share and reserve. Legal values only.

    reserve is what the engine measured for activations, graphs and outside PyTorch, in GiB a card; utilisation is in
    percent.
    """
    found: dict[str, Any] = {}
    log_set(found, "context", log_context(log))
    for key in ["gpus", "pipeline", "context_parallel", "data_parallel"]:
        log_set(found, key, log_value(log, key))
    log_set(found, "users", log_users(log))
    log_set(found, "reserve", log_reserve(log))
    log_set(found, "utilisation", log_value(log, "utilisation", log_value(log, "static_share")))
    cache = log_said_type(log)
    # A type of an engine's own takes another's bytes, and is not that other.
    if cache != "" and log_said_name(log) not in LOG_SAME_BYTES:
        found["cache"] = cache
        values = log_type_id(log, "v_type")
        if values != "" and log_type_name(log, "v_type") not in LOG_SAME_BYTES:
            found["cache_v"] = "" if values == cache else values
    return found


def log_set(found: dict[str, Any], key: str, value: float) -> None:
    """Sets ``key`` if the scenario allows the value."""
    limits = BOUNDS[key]  # a setting that no scenario can have is left as it is
    if value > 0 and limits[0] <= value <= limits[1]:
        found[key] = value


def log_reserve(log: Log) -> float:
    """GiB a card that the engine measured for activations, graphs and outside PyTorch; 0 if it does not say."""
    measured = log_activation(log)[0] + log_value(log, "other_bytes")
    measured += log_value(log, "graph_estimate_bytes")
    return int(measured * 100 / GIB + 0.5) / 100


def log_context(log: Log) -> float:
    """Tokens one request may hold: as configured, or a slot's share of llama.cpp's cells; 0 if not said."""
    length = log_value(log, "max_len")
    if length > 0:
        return length
    if log_says(log, "sequence_tokens"):
        return log_value(log, "sequence_tokens")
    if log_says(log, "slot_cells"):
        return log_value(log, "slot_cells") // log_shares(log)
    return log_value(log, "cells") // max(log_streams(log), log_shares(log))


def log_shares(log: Log) -> int:
    """Slots that divide the printed cells among them: none if each slot has its own, or if all share them and the
    log counts one stream.
    """
    if log_says(log, "streams"):
        return 1
    return log_slots(log)


def log_users(log: Log) -> float:
    """Sequences the cache is laid out for (llama.cpp and Ollama); 0 if the engine lays out blocks for any
    number.
    """
    cells = log_value(log, "cells", log_value(log, "slot_cells"))
    if cells == 0 or log["engine"] not in ("llama.cpp", "ollama"):
        return 0
    if log_says(log, "streams"):
        return log_streams(log)
    sequence = log_value(log, "sequence_tokens")
    if sequence > 0:
        return max(1, cells // sequence)
    return max(log_streams(log), log_value(log, "slots", 1))
