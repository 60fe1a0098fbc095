"""Predicts what SGLang printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from acts.sizing import LayerGroup

from . import sglang
from .check import (
    Check,
    count_check,
    one_side,
    size_check,
    sum_layer_bytes,
)
from .rows import Row, Unreadable, read_groups, read_linear, read_types


def sglang_checks(row: Row) -> Iterator[Check]:
    """Pools that SGLang prints, in "GB" that are GiB; all have a page of slots more than the printed tokens.

    A row that does not state its page size has the default of one token, or the page its count is a
    multiple of.
    """
    pages = [row.number("page_size")] if row.has("page_size") else [1, None]
    yield from max((list(_sglang_under(row, page)) for page in pages), key=lambda c: sum(k.exact for k in c))


def _sglang_under(row: Row, page: int | None) -> Iterator[Check]:
    tokens = row.observed.get("tokens", row.tokens) or 0
    types = read_types(row.dtype)
    groups = read_groups(row)
    gpus = row.number("tp", default=1)
    for key, printed in row.observed.items():
        counted = re.match(r"(\d+)_tokens_", key)
        tokens = int(counted[1]) if counted else tokens
        slots = sglang.sglang_slots(tokens, sglang.sglang_page(tokens, page))
        side = re.search(r"(?:^|_)([KV])_GB$", key)
        if side:
            shown = _sglang_shown(groups, key)
            held = sum_layer_bytes([one_side(group, side[1]) for group in shown], types, gpus)
            yield size_check(f"{side[1]} pool", "GiB", printed, held * slots, "sglang_slots")
        elif key in ("conv_GB", "ssm_GB"):
            yield _sglang_state_check(row, key, printed, gpus)
        elif key == "swa_layer_tokens":
            full = row.observed["full_layer_tokens"]
            window = sglang.sglang_window_tokens(full, 80, sglang.sglang_page(full, page))
            yield count_check("sliding layers' tokens", printed, window, "sglang_window_tokens")
        elif key.endswith("_GB"):
            # "main" names the latent alone: the log line that forgot the indexer.
            latents = [group for group in groups if group.kind == "latent"]
            held = sum_layer_bytes(latents if "main" in key else groups, types, gpus)
            records = any(group.record_bytes for group in groups)
            rule = "sglang_mla_record, sglang_index_record, sglang_slots" if records else "sglang_slots"
            yield size_check(f"pool ({key})", "GiB", printed, held * slots, rule)


def _sglang_shown(groups: list[LayerGroup], key: str) -> list[LayerGroup]:
    """The groups a pool's line is about: the sliding or the full layers if it says so, else all."""
    if "swa" in key:
        return [group for group in groups if group.window is not None]
    if "full" in key:
        return [group for group in groups if group.window is None]
    return groups


def _sglang_state_check(row: Row, key: str, printed: float, gpus: int) -> Check:
    linear = read_linear(row)
    if linear is None:
        raise Unreadable("the row does not give the heads and widths of its recurrent layers")
    slots = sglang.sglang_state_slots(row.observed["mamba_slots"])
    if key == "ssm_GB":
        values, size = linear.state_values, linear.state_size
    else:
        values, size = linear.channels * (linear.kernel - 1), 2
    held = linear.layers * values * size // gpus * slots
    return size_check(f"{key[:-3]} state", "GiB", printed, held, "sglang_state_slots")
