"""Predicts what llama.cpp, and Ollama on top of it, printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from acts.engines import llamacpp
from acts.sizing import LayerGroup, ValueType

from . import llamacpp_rules, others
from .check import (
    BYTES_ALONE,
    Check,
    count_check,
    layer_bytes,
    one_side,
    size_check,
    sum_layer_bytes,
)
from .rows import Row, read_groups, read_linear, read_types


def llamacpp_checks(row: Row) -> Iterator[Check]:
    """Buffers, cells and state that llama.cpp prints, in MiB."""
    if read_linear(row) is not None:
        yield from _llamacpp_state_checks(row)
    if not row.has("kv_heads", "kv_heads_used", "heads", "kv_lora_rank", "n_embd_k_gqa", "full"):
        return
    types = read_types(row.dtype)
    groups = read_groups(row)
    if "full_MiB" in row.observed:
        yield from _llamacpp_window_checks(row, groups, types)
        return
    seen = row.observed
    shown = _llamacpp_shown(row, groups)
    cells = row.tokens or 0
    if row.own.get("sliding_window") and shown[0].window is not None and "cells" in seen:
        yield count_check("cells", seen["cells"], _llamacpp_cells(row, shown[0], cells), "llamacpp_swa_cells")
    slots = cells * _llamacpp_streams(row)
    for key, printed in seen.items():
        found = re.match(r"(K|V|KV|total|target)?_?(MiB|GiB)$", key)
        if found and found[1] in ("K", "V"):
            side = _llamacpp_side_check(
                row, shown, types, found[1], unit=found[2], printed=printed, cells=slots
            )
            yield side
        elif found:
            yield _llamacpp_whole_check(row, shown, types, found[2], printed)
    if "draft_MiB" in seen:
        draft = read_groups(replace(row, facts=row.own["draft"]))
        held = sum_layer_bytes(draft, read_types(row.dtype.split("draft ")[-1])) * cells
        yield size_check("draft's KV buffer", "MiB", seen["draft_MiB"], held)
    for which, key in (("K", "k_gqa"), ("V", "v_gqa")):
        if key in seen:
            width = sum(g.num_kv_heads * (g.key_width if which == "K" else g.value_width) for g in shown)
            yield count_check(f"{which} row", seen[key], width, unit="values")
    yield from _llamacpp_split_checks(row, shown, types, cells)


def _llamacpp_streams(row: Row) -> int:
    """Slots whose cells add to a row's: all that do not share (kv_unified false), unless n_ctx is their total."""
    return (
        row.number("n_seq", default=1) if row.own.get("kv_unified") is False and "n_ctx" not in row.own else 1
    )


def _llamacpp_whole_check(
    row: Row, groups: list[LayerGroup], types: tuple[ValueType, ValueType], unit: str, printed: float
) -> Check:
    """K and V together: windows in cells of their own, slots that do not share, latents stored again as V."""
    slots = row.number("n_seq", default=1) if row.own.get("kv_unified") is False else 1
    cells = (row.tokens or 0) // (slots if "n_ctx" in row.own else 1)
    rule = BYTES_ALONE
    held = 0
    for group in groups:
        if group.window is None or not row.own.get("sliding_window"):
            held += layer_bytes(group, types) * cells * slots
        else:
            rule = "llamacpp_swa_cells"
            ubatch = row.number("n_ubatch", "ubatch", default=llamacpp.LLAMACPP_UBATCH)
            held += (
                layer_bytes(group, types)
                * slots
                * llamacpp.llamacpp_swa_cells(cells, group.window, 1, ubatch)
            )
        if group.kind == "latent" and "V_MiB" in row.observed:
            rule = "llamacpp_latent_v"
            rank = llamacpp_rules.llamacpp_latent_v(row.number("kv_lora_rank"), True)
            held += layer_bytes(replace(group, key_width=0, value_width=rank), types) * cells * slots
    return size_check("KV buffer", unit, printed, held, rule)


def _llamacpp_shown(row: Row, groups: list[LayerGroup]) -> list[LayerGroup]:
    """The groups one printed line is about: those whose layers the row itself counts, else all."""
    names = [name for name in ("full_own", "swa_own") if name in row.own]
    if len(names) == 1:
        windowed = names == ["swa_own"]
        return [group for group in groups if (group.window is not None) == windowed]
    return groups


def _llamacpp_side_check(
    row: Row,
    groups: list[LayerGroup],
    types: tuple[ValueType, ValueType],
    which: str,
    *,
    unit: str,
    printed: float,
    cells: int,
) -> Check:
    """K or V. V is padded to the widest layer unless flash attention runs, which rows seldom say: see which
    fits.
    """
    plain = size_check(
        f"{which} buffer", unit, printed, sum_layer_bytes([one_side(g, which) for g in groups], types) * cells
    )
    if which == "K" or plain.exact:
        return plain
    if all(group.kind == "latent" for group in groups):
        rank = llamacpp_rules.llamacpp_latent_v(row.number("kv_lora_rank"), True)
        latents = [replace(group, key_width=0, value_width=rank) for group in groups]
        held = sum_layer_bytes(latents, types) * cells
        return size_check("V buffer", unit, printed, held, "llamacpp_latent_v")
    widest = max(group.num_kv_heads * group.value_width for group in read_groups(row))
    padded = 0
    for group in groups:
        width = llamacpp_rules.llamacpp_padded_v(group.num_kv_heads * group.value_width, widest, False)
        padded += layer_bytes(replace(one_side(group, "V"), num_kv_heads=1, value_width=width), types) * cells
    return size_check("V buffer", unit, printed, padded, "llamacpp_padded_v")


def _llamacpp_cells(row: Row, group: LayerGroup, cells: int) -> int:
    if group.window is None:
        return cells
    ubatch = row.number("n_ubatch", default=llamacpp.LLAMACPP_UBATCH)
    return llamacpp.llamacpp_swa_cells(cells, group.window, row.number("n_seq", default=1), ubatch)


def _llamacpp_window_checks(
    row: Row, groups: list[LayerGroup], types: tuple[ValueType, ValueType]
) -> Iterator[Check]:
    """The two caches of a model with sliding layers: one with all cells, one with the windows'."""
    for name, group in (("full", groups[0]), ("swa", groups[1])):
        cells = _llamacpp_cells(row, group, row.tokens or 0)
        rule = "llamacpp_swa_cells" if name == "swa" else BYTES_ALONE
        yield count_check(f"{name} layers", row.observed[f"{name}_layers"], group.layers)
        yield count_check(f"{name} cells", row.observed[f"{name}_cells"], cells, rule)
        yield size_check(
            f"{name} buffer", "MiB", row.observed[f"{name}_MiB"], layer_bytes(group, types) * cells, rule
        )


def _llamacpp_state_checks(row: Row) -> Iterator[Check]:
    """R (convolution) and S (recurrent) state, and their sum for so many sequences and rollback copies."""
    linear = read_linear(row)
    assert linear is not None
    slots = row.number("n_seq", default=1)
    values = {
        "R": llamacpp_rules.llamacpp_conv_values(linear.kernel, linear.channels),
        "S": linear.state_values,
    }
    for key, printed in row.observed.items():
        part = re.match(r"([RS])_MiB", key)
        counts = re.match(r"(\d+)_seqs?(?:\+(\d+)_rollback)?_MiB", key)
        if part:
            count = llamacpp_rules.llamacpp_state_bytes(linear.layers, values[part[1]], slots, 0)
            yield size_check(f"{part[1]} state", "MiB", printed, count, "llamacpp_state_bytes")
        elif counts:
            sequences, rollbacks = int(counts[1]), int(counts[2] or 0)
            count = llamacpp_rules.llamacpp_state_bytes(
                linear.layers, sum(values.values()), sequences, rollbacks
            )
            label = f"state of {sequences} sequences, {rollbacks} rollback copies"
            yield size_check(label, "MiB", printed, count, "llamacpp_state_bytes")


def _llamacpp_split_checks(
    row: Row, groups: list[LayerGroup], types: tuple[ValueType, ValueType], cells: int
) -> Iterator[Check]:
    """Parts on several devices: "656.00+624.00 MiB (41+39 layers)"."""
    found = re.match(r"([\d.+]+) MiB \(([\d+]+) layers\)", str(row.own.get("split", "")))
    if not found:
        return
    counts = [int(count) for count in found[2].split("+")]
    layer = sum_layer_bytes([replace(group, layers=1) for group in groups], types) * cells
    parts = llamacpp_rules.llamacpp_split_bytes(counts, layer)
    for number, (printed, part) in enumerate(zip(found[1].split("+"), parts, strict=True), start=1):
        yield size_check(f"buffer on device {number}", "MiB", float(printed), part, "llamacpp_split_bytes")


def ollama_checks(row: Row) -> Iterator[Check]:
    """Ollama's own figures, one decimal in its newer lines; else its runner's, which are llama.cpp's.

    The estimate counts all layers at full length in the versions that did not know of windows.
    """
    types = read_types(row.dtype)
    tokens = row.tokens or 0
    groups = read_groups(row)
    estimates = [key for key in row.observed if re.match(r"(memory\.required\.)?kv(_cache)?_(MiB|GiB)$", key)]
    for key in estimates:
        unit = key[-3:]
        for honours in (False, True):
            held = 0
            for group in groups:
                window = others.ollama_estimate_window(group.window, honours)
                held += layer_bytes(group, types) * (tokens if window is None else min(tokens, window))
            check = size_check("estimate", unit, row.observed[key], held, "ollama_estimate_window", digits=1)
            if check.exact:
                break
        yield check
    if not estimates:
        yield from llamacpp_checks(row)
