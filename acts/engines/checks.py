"""Predicts what an engine printed, row by row: the Shape and value types of :mod:`.rows`,
:mod:`acts.sizing`, and the engine's rules. One reader for each engine; each knows the quantities its engine
prints, none knows a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..sizing import GIB, MIB, LayerGroup, ValueType, bytes_per_token, entry_bytes, heads_per_gpu
from . import llamacpp, others, rows, sglang, vllm
from .rows import Row, Unreadable, head_widths, read_groups, read_linear, read_shape, read_type, read_types

BYTES_ALONE = "bytes alone"

_UNITS = {"GiB": GIB, "MiB": MIB, "GB": 10**9, "B": 1, "": 1, "x": 1, "values": 1}


@dataclass(frozen=True)
class Check:
    """One printed figure against the prediction.

    ``low`` and ``high`` are equal unless the prediction starts from another printed, hence rounded, figure;
    all three are in ``unit``. ``step`` is the printed figure's last digit. ``rule`` is what beyond the
    plain arithmetic reproduces it, :data:`BYTES_ALONE` if nothing is needed; ``note`` explains a
    difference.
    """

    quantity: str
    unit: str
    printed: float
    low: float
    high: float
    rule: str = BYTES_ALONE
    step: float = 0.0
    note: str = ""

    @property
    def exact(self) -> bool:
        """Whether the prediction, printed with the engine's digits, is the printed figure."""
        slack = self.step / 2 + 1e-9 * max(1.0, abs(self.printed))
        return self.low - slack <= self.printed <= self.high + slack

    @property
    def predicted(self) -> float:
        """The prediction, or the point of its range that lies closest to the printed figure."""
        return min(max(self.printed, self.low), self.high)

    @property
    def ratio(self) -> float:
        """Predicted over printed."""
        return self.predicted / self.printed if self.printed else 1.0


def _step(printed: float, digits: int) -> float:
    """One unit of the last printed digit; a figure kept as a number has lost its trailing zeros."""
    text = str(printed)
    written = len(text.split(".")[1]) if "." in text and "e" not in text else 0
    return 10.0 ** -max(digits, written)


def _size(
    quantity: str, unit: str, printed: float, count: float, rule: str = BYTES_ALONE, *, digits: int = 2
) -> Check:
    """A check of a printed size against ``count`` bytes."""
    predicted = count / _UNITS[unit]
    return Check(quantity, unit, printed, predicted, predicted, rule, _step(printed, digits))


def _count(quantity: str, printed: float, predicted: float, rule: str = BYTES_ALONE, unit: str = "") -> Check:
    """A check of a printed whole number, which must be met to the unit."""
    return Check(quantity, unit, printed, predicted, predicted, rule)


def _rounded(printed: float, unit: str, digits: int = 2) -> tuple[int, int]:
    """Fewest and most bytes that print as ``printed``."""
    half = _step(printed, digits) / 2
    return int((printed - half) * _UNITS[unit]), int((printed + half) * _UNITS[unit])


def _times(quantity: str, printed: float, value: float, rule: str) -> Check:
    return Check(quantity, "x", printed, value, value, rule, 0.01)


def _side(group: LayerGroup, which: str) -> LayerGroup:
    """The group's keys alone ("K") or values alone ("V")."""
    return replace(group, value_width=0) if which == "K" else replace(group, key_width=0)


def _layer_bytes(group: LayerGroup, types: tuple[ValueType, ValueType], gpus: int = 1) -> int:
    """Bytes of one entry in all layers of ``group``, on one GPU."""
    return group.layers * entry_bytes(group, heads_per_gpu(group.num_kv_heads, gpus), *types)


def _sum_layer_bytes(groups: Iterable[LayerGroup], types: tuple[ValueType, ValueType], gpus: int = 1) -> int:
    return sum(_layer_bytes(group, types, gpus) for group in groups)


# --- llama.cpp and what is built on it
# ------------------------------------------------------------------------------


def llamacpp_checks(row: Row) -> Iterator[Check]:
    """Buffers, cells and state that llama.cpp prints, in MiB."""
    if row.has("v_heads", "linear") and not row.has("kv_heads"):
        yield from _llamacpp_state_checks(row)
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
        yield _count("cells", seen["cells"], _llamacpp_cells(row, shown[0], cells), "llamacpp_swa_cells")
    for key, printed in seen.items():
        found = re.match(r"(K|V|KV|total)?_?(MiB|GiB)$", key)
        if found and found[1] in ("K", "V"):
            yield _llamacpp_side_check(
                row, shown, types, found[1], unit=found[2], printed=printed, cells=cells
            )
        elif found:
            yield _size("KV buffer", found[2], printed, _sum_layer_bytes(shown, types) * cells)
    for which, key in (("K", "k_gqa"), ("V", "v_gqa")):
        if key in seen:
            width = sum(g.num_kv_heads * (g.key_width if which == "K" else g.value_width) for g in shown)
            yield _count(f"{which} row", seen[key], width, unit="values")
    yield from _llamacpp_split_checks(row, shown, types, cells)


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
    plain = _size(
        f"{which} buffer", unit, printed, _sum_layer_bytes([_side(g, which) for g in groups], types) * cells
    )
    if which == "K" or plain.exact:
        return plain
    widest = max(group.num_kv_heads * group.value_width for group in read_groups(row))
    padded = 0
    for group in groups:
        width = llamacpp.llamacpp_padded_v(group.num_kv_heads * group.value_width, widest, False)
        padded += _layer_bytes(replace(_side(group, "V"), num_kv_heads=1, value_width=width), types) * cells
    return _size("V buffer", unit, printed, padded, "llamacpp_padded_v")


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
        yield _count(f"{name} layers", row.observed[f"{name}_layers"], group.layers)
        yield _count(f"{name} cells", row.observed[f"{name}_cells"], cells, rule)
        yield _size(
            f"{name} buffer", "MiB", row.observed[f"{name}_MiB"], _layer_bytes(group, types) * cells, rule
        )


def _llamacpp_state_checks(row: Row) -> Iterator[Check]:
    """R (convolution) and S (recurrent) state, and their sum for so many sequences and rollback copies."""
    linear = read_linear(row)
    if linear is None:
        raise Unreadable("the row does not give the heads and widths of its recurrent layers")
    values = {
        "R": llamacpp.llamacpp_conv_values(linear.kernel, linear.channels),
        "S": linear.state_values,
    }
    for key, printed in row.observed.items():
        part = re.match(r"([RS])_MiB", key)
        counts = re.match(r"(\d+)_seqs?(?:\+(\d+)_rollback)?_MiB", key)
        if part:
            count = llamacpp.llamacpp_state_bytes(linear.layers, values[part[1]], 1, 0)
            yield _size(f"{part[1]} state", "MiB", printed, count, "llamacpp_state_bytes")
        elif counts:
            sequences, rollbacks = int(counts[1]), int(counts[2] or 0)
            count = llamacpp.llamacpp_state_bytes(linear.layers, sum(values.values()), sequences, rollbacks)
            label = f"state of {sequences} sequences, {rollbacks} rollback copies"
            yield _size(label, "MiB", printed, count, "llamacpp_state_bytes")


def _llamacpp_split_checks(
    row: Row, groups: list[LayerGroup], types: tuple[ValueType, ValueType], cells: int
) -> Iterator[Check]:
    """Parts on several devices: "656.00+624.00 MiB (41+39 layers)"."""
    found = re.match(r"([\d.+]+) MiB \(([\d+]+) layers\)", str(row.own.get("split", "")))
    if not found:
        return
    counts = [int(count) for count in found[2].split("+")]
    layer = _sum_layer_bytes([replace(group, layers=1) for group in groups], types) * cells
    parts = llamacpp.llamacpp_split_bytes(counts, layer)
    for number, (printed, part) in enumerate(zip(found[1].split("+"), parts, strict=True), start=1):
        yield _size(f"buffer on device {number}", "MiB", float(printed), part, "llamacpp_split_bytes")


def ollama_checks(row: Row) -> Iterator[Check]:
    """Ollama's estimate: all layers at full length in the versions that did not know of windows."""
    types = read_types(row.dtype)
    tokens = row.tokens or 0
    for key, printed in row.observed.items():
        if not key.startswith("memory.required.kv"):
            continue
        for honours in (False, True):
            held = 0
            for group in read_groups(row):
                window = others.ollama_estimate_window(group.window, honours)
                held += _layer_bytes(group, types) * (tokens if window is None else min(tokens, window))
            check = _size("estimate", "MiB", printed, held, "ollama_estimate_window")
            if check.exact:
                break
        yield check


# --- vLLM
# -----------------------------------------------------------------------------------------------------------


def vllm_checks(row: Row) -> Iterator[Check]:
    """Blocks, tokens, concurrency and budgets that vLLM prints."""
    if row.dtype.startswith("turboquant"):
        yield from _vllm_turboquant_checks(row)
        return
    linear = read_linear(row)
    if linear is not None:
        yield from _vllm_hybrid_checks(row, linear)
        return
    groups = read_groups(row)
    if any(group.window is not None for group in groups):
        yield from _vllm_window_checks(row, groups)
        return
    for name, seen in _scenarios(row):
        yield from _vllm_uniform_checks(row, name, seen)


def _scenarios(row: Row) -> Iterator[tuple[str, dict[str, Any]]]:
    """The row's own figures, and those of each run it reports ("max_model_len_100000": {...})."""
    yield (
        "",
        {
            key: value
            for key, value in row.observed.items()
            if key == "concurrency" or not isinstance(value, dict)
        },
    )
    for name, value in row.observed.items():
        if isinstance(value, dict) and name != "concurrency":
            yield name, value


def _vllm_uniform_checks(row: Row, name: str, seen: dict[str, Any]) -> Iterator[Check]:
    """A model all of whose layers keep the same: one block size, everything in whole blocks."""
    block = row.number("block_size", default=vllm.VLLM_BLOCK_TOKENS)
    block_bytes = vllm.vllm_block_bytes(
        read_shape(row), *read_types(row.dtype), row.number("tp", default=1), block
    )
    told = re.search(r"\d+", name)
    max_len = int(told[0]) if told else (row.tokens or 0)
    pool = seen.get("kv_cache_GiB", seen.get("available_GiB"))
    yield from _vllm_budget_checks(seen)
    if "gpu_blocks" in seen and pool is not None:
        low, high = (vllm.vllm_blocks(count, block_bytes) for count in _rounded(pool, "GiB"))
        yield Check("GPU blocks", "", seen["gpu_blocks"], low, high, "vllm_blocks")
    if "cpu_blocks" in seen:
        swap = row.number("swap_space_GiB", default=4) * GIB
        yield _count(
            "CPU blocks", seen["cpu_blocks"], vllm.vllm_blocks(swap, block_bytes), "vllm_blocks (swap)"
        )
    if "blocks" in seen:
        # The CPU backend's pool is a setting, VLLM_CPU_KVCACHE_SPACE, 4 GiB unless set.
        space = row.number("cpu_kvcache_space_GiB", default=4) * GIB
        yield _count("blocks", seen["blocks"], vllm.vllm_blocks(space, block_bytes), "vllm_blocks (CPU pool)")
    if "tokens" in seen and pool is not None:
        low, high = (vllm.vllm_max_len(count, block_bytes, block) for count in _rounded(pool, "GiB"))
        yield Check("tokens", "", seen["tokens"], low, high, "vllm_blocks")
    if "gpu_blocks" in seen and row.tokens:
        yield _count("tokens", row.tokens, seen["gpu_blocks"] * block, "vllm_blocks")
    if "tokens_fixed" in seen:
        fixed = seen["tokens_fixed"] // block
        doubled = vllm.vllm_mla_kv_doubled(fixed) * block
        yield _count("tokens before the fix", seen["tokens_buggy"], doubled, "vllm_mla_kv_doubled")
    tokens = seen.get("tokens", seen.get("gpu_blocks", seen.get("blocks", 0)) * block)
    for length, printed in _concurrencies(seen, max_len):
        yield _times(f"concurrency at {length:,}", printed, tokens / length, "vllm_blocks")
    if "need_GiB" in seen:
        need = -(-max_len // block) * block_bytes
        yield _size(f"needed at {max_len:,}", "GiB", seen["need_GiB"], need, "vllm_blocks")
    if "estimated_max_len" in seen and pool is not None:
        low, high = (vllm.vllm_max_len(count, block_bytes, block) for count in _rounded(pool, "GiB"))
        yield Check("estimated longest request", "", seen["estimated_max_len"], low, high, "vllm_max_len")


def _concurrencies(seen: dict[str, Any], max_len: int) -> Iterator[tuple[int, float]]:
    """(length, concurrency) printed; a bare figure is at ``max_len``."""
    printed = seen.get("concurrency", {})
    if isinstance(printed, dict):
        for length, value in printed.items():
            yield int(length), value
    elif max_len:
        yield max_len, printed


def _vllm_budget_checks(seen: dict[str, Any]) -> Iterator[Check]:
    """The card's budget: card x utilisation, less weights, what is not torch's and the activation peak."""
    if "card_GiB" in seen and "util" in seen:
        # The share is printed with two decimals too: 0.78 may be 0.7764.
        low, high = ((seen["card_GiB"] + half) * (seen["util"] + half) for half in (-0.005, 0.005))
        yield Check("usable", "GiB", seen["usable_GiB"], low, high, "vllm budget", 0.01)
    parts = ("weights_GiB", "non_torch_GiB", "activation_peak_GiB")
    if "usable_GiB" in seen and all(part in seen for part in parts):
        left = seen["usable_GiB"] - sum(seen[part] for part in parts)
        slack = 0.005 * (1 + len(parts))
        yield Check(
            "cache pool", "GiB", seen["kv_cache_GiB"], left - slack, left + slack, "vllm budget", 0.01
        )


def _vllm_window_checks(row: Row, groups: list[LayerGroup]) -> Iterator[Check]:
    """Models with sliding layers: groups of layers share one pool of pages."""
    types = read_types(row.dtype)
    gpus = row.number("tp", default=1)
    block = row.number("block_size", default=vllm.VLLM_BLOCK_TOKENS)
    batched = row.number("max_num_batched_tokens", default=8192)
    max_len = row.number("max_model_len", default=row.observed.get("max_model_len", row.tokens))
    specs = []
    for group in groups:
        page = _layer_bytes(replace(group, layers=1), types, gpus) * block
        specs.append(vllm.vllm_spec(group.layers, page, block, group.window))
    plan = vllm.vllm_plan(specs, max_len, batched)
    for name, seen in _scenarios(row):
        label = f"{name}: " if name else ""
        if "kv_GiB" in seen:
            low, high = (
                vllm.vllm_tokens_by_requests(
                    vllm.vllm_blocks(count, plan["block_bytes"]), plan["request_blocks"], max_len
                )
                for count in _rounded(seen["kv_GiB"], "GiB")
            )
            yield Check(f"{label}tokens", "", seen["tokens"], low, high, "vllm_plan, vllm_window_blocks")
        if "need_GiB" in seen:
            need = plan["block_bytes"] * plan["request_blocks"]
            yield _size(
                f"needed at {max_len:,}", "GiB", seen["need_GiB"], need, "vllm_plan, vllm_window_blocks"
            )
        if "concurrency_before" in seen:
            blocks = seen["tokens"] // block
            uncapped = -(-max_len // block)
            before, after = seen["concurrency_before"], seen["concurrency_after"]
            yield _times(
                f"concurrency at {max_len:,}, windows ignored", before, blocks / uncapped, "vllm_blocks"
            )
            value = blocks / plan["request_blocks"]
            yield _times(f"concurrency at {max_len:,}", after, value, "vllm_window_blocks")


def _vllm_hybrid_checks(row: Row, linear: rows.Linear) -> Iterator[Check]:
    """Models with recurrent layers. Whether prefix caching was on, and which of two definitions of the
    token count the version prints, rows seldom say: the combination that reproduces most is taken, and
    named.
    """
    best: list[Check] = []
    for prefix_caching in (True, False):
        for by_requests in (True, False):
            checks = _vllm_hybrid_under(row, linear, prefix_caching, by_requests)
            if not best or sum(c.exact for c in checks) > sum(c.exact for c in best):
                best = checks
    yield from best


def _vllm_hybrid_under(row: Row, linear: rows.Linear, prefix_caching: bool, by_requests: bool) -> list[Check]:
    gpus = row.number("tp", default=1)
    drafts = row.number("num_spec", default=0)
    full = LayerGroup(row.number("full_layers", default=1), row.number("kv_heads"), *head_widths(row, True))
    token = _layer_bytes(replace(full, layers=1), read_types(row.dtype), gpus)
    rows_kept = vllm.vllm_conv_rows(linear.kernel, drafts)
    state = linear.state_values * linear.state_size // gpus + linear.channels * rows_kept * 2 // gpus
    block = vllm.vllm_hybrid_block(state, token, vllm.VLLM_BLOCK_TOKENS)
    seen = row.observed
    checks = []
    if "block" in seen:
        checks.append(_count("tokens a block", seen["block"], block, "vllm_hybrid_block"))
    max_len = row.number("max_model_len", default=0)
    printed: float | None = None
    for length, value in _concurrencies(seen, max_len):
        max_len, printed = length, value
    pool = seen.get("kv_GiB", seen.get("kv_GiB_per_rank", seen.get("available_GiB")))
    if max_len == 0 or (pool is None and printed is None):
        return checks
    states = vllm.vllm_state_blocks(prefix_caching, drafts)
    specs = [
        vllm.vllm_spec(full.layers, block * token, block),
        vllm.vllm_spec(linear.layers, block * token, block, None, states),
    ]
    plan = vllm.vllm_plan(specs, max_len, 0)
    request = plan["request_blocks"]
    cached = "prefix caching on" if prefix_caching else "prefix caching off"
    if pool is not None:
        low, high = (vllm.vllm_blocks(count, plan["block_bytes"]) for count in _rounded(pool, "GiB"))
        rule = f"vllm_plan, vllm_state_blocks ({cached})"
        if printed is not None:
            label = f"concurrency at {max_len:,}"
            checks.append(Check(label, "x", printed, low / request, high / request, rule, 0.01))
    else:
        # No pool printed: the blocks are those that print this concurrency.
        low, high = (round(((printed or 0) + half) * request) for half in (-0.0049, 0.0049))
    if by_requests:
        rule = f"vllm_plan, vllm_tokens_by_requests ({cached})"
        counts = [vllm.vllm_tokens_by_requests(blocks, request, max_len) for blocks in (low, high)]
    else:
        rule = f"vllm_plan, vllm_tokens_by_groups ({cached})"
        counts = [vllm.vllm_tokens_by_groups(blocks, plan["groups"], plan["block"]) for blocks in (low, high)]
    if "tokens" in seen:
        checks.append(Check("tokens", "", seen["tokens"], counts[0], counts[1], rule))
    return checks


def _vllm_turboquant_checks(row: Row) -> Iterator[Check]:
    """Slots by preset name: "k8v4", "4bit_nc" (both at 4), "k3v4_nc"; and the compression claimed against
    BF16.
    """
    width = row.number("head_dim")
    bf16 = 2 * width * 2
    for name, printed in row.observed.items():
        if name == "compression":
            for preset, claimed in printed.items():
                k_bits, v_bits = _preset_bits(preset)
                value = bf16 / vllm.vllm_turboquant_slot(width, k_bits, v_bits, 4)
                yield Check(f"compression {preset}", "x", claimed, value, value, "vllm_turboquant_slot", 0.1)
        else:
            slot = vllm.vllm_turboquant_slot(width, *_preset_bits(name), 4)
            yield _count(f"slot {name}", printed, slot, "vllm_turboquant_slot", "B")


def _preset_bits(name: str) -> tuple[int, int]:
    pair = re.match(r"k(\d)v(\d)", name)
    both = re.match(r"(\d)bit", name)
    if pair:
        return int(pair[1]), int(pair[2])
    if both:
        return int(both[1]), int(both[1])
    raise Unreadable(f"preset {name!r} is not one of TurboQuant's")


# --- SGLang
# ---------------------------------------------------------------------------------------------------------


def sglang_checks(row: Row) -> Iterator[Check]:
    """Pools that SGLang prints, in "GB" that are GiB; all have a page of slots more than the printed
    tokens.
    """
    tokens = row.observed.get("tokens", row.tokens) or 0
    types = read_types(row.dtype)
    groups = read_groups(row)
    gpus = row.number("tp", default=1)
    page = row.number("page_size") if row.has("page_size") else None
    shown = [group for group in groups if group.window is not None] or groups
    for key, printed in row.observed.items():
        counted = re.match(r"(\d+)_tokens_", key)
        tokens = int(counted[1]) if counted else tokens
        slots = sglang.sglang_slots(tokens, sglang.sglang_page(tokens, page))
        side = re.search(r"(?:^|_)([KV])_GB$", key)
        if side:
            held = _sum_layer_bytes([_side(group, side[1]) for group in shown], types, gpus)
            yield _size(f"{side[1]} pool", "GiB", printed, held * slots, "sglang_slots")
        elif key in ("conv_GB", "ssm_GB"):
            yield _sglang_state_check(row, key, printed, gpus)
        elif key == "swa_layer_tokens":
            full = row.observed["full_layer_tokens"]
            window = sglang.sglang_window_tokens(full, 80, sglang.sglang_page(full, page))
            yield _count("sliding layers' tokens", printed, window, "sglang_window_tokens")
        elif key.endswith("_GB"):
            # "main" names the latent alone: the log line that forgot the indexer.
            latents = [group for group in groups if group.kind == "latent"]
            held = _sum_layer_bytes(latents if "main" in key else groups, types, gpus)
            records = any(group.record_bytes for group in groups)
            rule = "sglang_mla_record, sglang_index_record, sglang_slots" if records else "sglang_slots"
            yield _size(f"pool ({key})", "GiB", printed, held * slots, rule)


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
    return _size(f"{key[:-3]} state", "GiB", printed, held, "sglang_state_slots")


# --- TensorRT-LLM, LMDeploy, smaller engines, published tables
# --------------------------------------------------------


def trtllm_checks(row: Row) -> Iterator[Check]:
    """ "Allocated ... GiB for max tokens in paged KV cache (N)", per GPU."""
    types = read_types(row.dtype)
    gpus = row.number("tp", default=1)
    seen = row.observed
    tokens = seen.get("tokens", row.tokens) or 0
    per_token = _sum_layer_bytes(read_groups(row), types, gpus)
    if row.has("blocks"):
        blocks = others.trtllm_tokens(row.number("blocks"), row.number("tokens_per_block"))
        yield _count("tokens", tokens, blocks, "trtllm_tokens")
    if "GiB" in seen:
        yield _size("pool", "GiB", seen["GiB"], per_token * tokens)
    if "bytes" in seen:
        yield _count("pool", seen["bytes"], per_token * tokens, unit="B")
    if row.has("available_GiB", "free_fraction") and "GiB" in seen:
        percent = round(row.own["free_fraction"] * 100)
        low, high = (others.trtllm_pool(c, percent) / GIB for c in _rounded(row.own["available_GiB"], "GiB"))
        # Whole blocks are taken out of that share.
        low -= per_token * row.number("tokens_per_block") / GIB
        yield Check("pool from free memory", "GiB", seen["GiB"], low, high, "trtllm_pool", 0.01)
    if "user_formula_GB" in seen:
        # What a reader computed with every head cached; the engine stores the KV heads only.
        every_head = [replace(group, num_kv_heads=row.number("heads")) for group in read_groups(row)]
        held = _sum_layer_bytes(every_head, types) * tokens
        label = "reader's estimate, all heads"
        yield _size(label, "GB", seen["user_formula_GB"], held, "all heads cached", digits=0)


def lmdeploy_checks(row: Row) -> Iterator[Check]:
    """TurboMind's "block_size = ... MB" (MiB, rounded down) and its blocks in tokens."""
    block = row.number("block_tokens", default=64)
    types = read_types(row.dtype)
    if row.dtype.startswith("int"):
        # quant_policy 8 and 4 keep a 16-bit scale and zero point for each head vector.
        types = (replace(types[0], vector_bytes=4), replace(types[1], vector_bytes=4))
    count = _sum_layer_bytes(read_groups(row), types, row.number("tp", default=1)) * block
    yield _size("block", "MiB", row.observed["block_MB"], count // MIB * MIB, "lmdeploy_tokens")
    yield _count(
        "tokens",
        row.observed["tokens"],
        others.lmdeploy_tokens(row.observed["blocks"], block),
        "lmdeploy_tokens",
    )


def pegainfer_checks(row: Row) -> Iterator[Check]:
    """A paged engine that prints its whole budget in MiB."""
    seen = row.observed
    block = row.number("block_size", default=16)
    block_bytes = bytes_per_token(read_shape(row), *read_types(row.dtype)) * block
    budget = seen["card_MiB"] * row.facts["util"]
    yield Check("budget", "MiB", seen["budget_MiB"], budget, budget, "budget", 1)
    left = seen["budget_MiB"] - seen["weights_MiB"] - seen["peak_increase_MiB"] - seen["margin_MiB"]
    # Four figures, each printed in whole MiB.
    low, high = (vllm.vllm_blocks((left + slack) * MIB, block_bytes) for slack in (-4, 4))
    yield Check("physical blocks", "", seen["physical_blocks"], low, high, "vllm_blocks")
    yield _size("pool", "MiB", seen["pool_MiB"], seen["physical_blocks"] * block_bytes, digits=0)
    usable = others.usable_blocks(seen["physical_blocks"], 1)
    yield _count("usable blocks", seen["usable_blocks"], usable, "usable_blocks")
    yield _count("tokens", seen["tokens"], usable * block, "usable_blocks")


def transformers_checks(row: Row) -> Iterator[Check]:
    """Continuous batching: blocks before and after it learned that tensor parallelism splits the heads."""
    gpus = row.number("tp", default=1)
    before, after = row.observed["blocks_before"], row.observed["blocks_after"]
    # The pool ended somewhere within its last block.
    low, high = (others.sharded_blocks(count, gpus) for count in (before, before + 1))
    yield Check("blocks once heads are split", "", after, low, high, "sharded_blocks")
    block = (row.tokens or 0) // after
    for name, blocks in (("before", before), ("after", after)):
        printed = int(row.observed[f"tokens_{name}"].rstrip("k"))
        yield Check(
            f"tokens {name} (thousands)", "", printed, blocks * block / 1000, blocks * block / 1000, step=1
        )


def published_checks(row: Row) -> Iterator[Check]:
    """Tables of sizes by model and context: "8B_128k": GiB under the name GB, and thousands that are not
    always 1,000.
    """
    if "right" in row.observed:
        for name, printed in row.observed["right"].items():
            model, tokens = name.split(" @")
            yield _published(model, int(tokens), printed, row.dtype, {})
        return
    for key, printed in row.observed.items():
        found = re.match(r"(\d+)B_(\d+)k$", key)
        if not found:
            continue
        family = row.model.split(" ")[0]
        own = row.own if f"{found[1]}B" == row.model.split("/")[-1] else {}
        plain = _published(f"{family} {found[1]}B", int(found[2]) * 1000, printed, row.dtype, own)
        binary = _published(f"{family} {found[1]}B", int(found[2]) * 1024, printed, row.dtype, own)
        yield plain if plain.exact or not binary.exact else replace(binary, rule="k = 1,024 in this cell")


def _published(model: str, tokens: int, printed: float, dtype: str, own: dict[str, Any]) -> Check:
    """A model's cache at ``tokens`` tokens, windows honoured, by its published figures and the row's own."""
    row = rows.read_row(
        {
            "id": "",
            "source": "",
            "engine": "",
            "model": model,
            "config": own,
            "tokens": tokens,
            "dtype": dtype,
            "observed": {},
        }
    )
    types = read_types(dtype)
    held = 0
    for group in read_groups(row):
        held += _layer_bytes(group, types) * (tokens if group.window is None else min(tokens, group.window))
    return _size(f"{model} at {tokens:,}", "GiB", printed, held)


# --- all rows
# -------------------------------------------------------------------------------------------------------

#: (word in the engine's name, reader), tried in order.
READERS: tuple[tuple[str, Callable[[Row], Iterator[Check]]], ...] = (
    ("vllm", vllm_checks),
    ("sglang", sglang_checks),
    ("tensorrt", trtllm_checks),
    ("lmdeploy", lmdeploy_checks),
    ("ollama", ollama_checks),
    ("llama", llamacpp_checks),
    ("pegainfer", pegainfer_checks),
    ("transformers", transformers_checks),
    ("table", published_checks),
)


@dataclass(frozen=True)
class Result:
    """A row and its checks, or the reason why it is not modelled."""

    row: Row
    checks: tuple[Check, ...]
    reason: str = ""

    @property
    def status(self) -> str:
        """exact (bytes alone), by rule, differs or not modelled."""
        if self.reason or not self.checks:
            return "not modelled"
        if not all(check.exact for check in self.checks):
            return "differs"
        return "exact" if all(check.rule == BYTES_ALONE for check in self.checks) else "by rule"


def check_row(raw: dict[str, Any]) -> Result:
    """Predicts every figure of a row that its engine's rules reach; says what is missing if they reach
    none.
    """
    row = rows.read_row(raw)
    for word, reader in READERS:
        if word in row.engine.lower():
            try:
                checks = tuple(reader(row))
            except (Unreadable, KeyError, ValueError) as missing:
                return Result(row, (), f"{missing}")
            return Result(row, checks, "" if checks else "the row prints nothing that bytes decide")
    return Result(row, (), f"no rules for {row.engine}")


__all__ = ["BYTES_ALONE", "READERS", "Check", "Result", "check_row", "read_type"]
