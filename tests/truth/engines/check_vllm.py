"""Predicts what vLLM printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from acts.engines import vllm
from acts.sizing import GIB, LayerGroup

from . import rows, vllm_rules
from .check import (
    Check,
    count_check,
    layer_bytes,
    rounded,
    size_check,
    times_check,
)
from .rows import Row, Unreadable, head_widths, read_groups, read_linear, read_shape, read_types


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
    max_len = int(told[0]) if told else row.number("max_model_len", default=row.tokens or 0)
    pool = _printed_pool(seen)
    yield from _vllm_budget_checks(seen)
    if "gpu_blocks" in seen and pool is not None:
        low, high = (vllm.vllm_blocks(count, block_bytes) for count in rounded(pool, "GiB"))
        yield Check("GPU blocks", "", seen["gpu_blocks"], low, high, "vllm_blocks")
    if "cpu_blocks" in seen:
        swap = row.number("swap_space_GiB", default=4) * GIB
        yield count_check(
            "CPU blocks", seen["cpu_blocks"], vllm.vllm_blocks(swap, block_bytes), "vllm_blocks (swap)"
        )
    if "blocks" in seen:
        # The CPU backend's pool is a setting, VLLM_CPU_KVCACHE_SPACE, 4 GiB unless set.
        space = row.number("cpu_kvcache_space_GiB", default=4) * GIB
        yield count_check(
            "blocks", seen["blocks"], vllm.vllm_blocks(space, block_bytes), "vllm_blocks (CPU pool)"
        )
    if "tokens" in seen and pool is not None:
        low, high = (vllm_rules.vllm_max_len(count, block_bytes, block) for count in rounded(pool, "GiB"))
        yield Check("tokens", "", seen["tokens"], low, high, "vllm_blocks")
    if "gpu_blocks" in seen and row.tokens:
        yield count_check("tokens", row.tokens, seen["gpu_blocks"] * block, "vllm_blocks")
    if "tokens_fixed" in seen:
        fixed = seen["tokens_fixed"] // block
        doubled = vllm_rules.vllm_mla_kv_doubled(fixed) * block
        yield count_check("tokens before the fix", seen["tokens_buggy"], doubled, "vllm_mla_kv_doubled")
    tokens = seen.get("tokens", seen.get("gpu_blocks", seen.get("blocks", 0)) * block)
    for length, printed in _concurrencies(seen, max_len):
        yield times_check(f"concurrency at {length:,}", printed, tokens / length, "vllm_blocks")
    if "need_GiB" in seen:
        need = -(-max_len // block) * block_bytes
        yield size_check(f"needed at {max_len:,}", "GiB", seen["need_GiB"], need, "vllm_blocks")
    if "estimated_max_len" in seen and pool is not None:
        low, high = (vllm_rules.vllm_max_len(count, block_bytes, block) for count in rounded(pool, "GiB"))
        yield Check("estimated longest request", "", seen["estimated_max_len"], low, high, "vllm_max_len")


def _printed_pool(seen: dict[str, Any]) -> float | None:
    """The cache's GiB on one GPU, under whichever name the row gives it."""
    for name in ("kv_cache_GiB", "kv_GiB", "kv_GiB_per_rank", "available_GiB", "pool_GiB"):
        if name in seen:
            return float(seen[name])
    return None


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
    if "kv_GiB_rank0" in seen:
        rest = seen["weights_GiB_per_rank"] + seen["non_torch_GiB"] + seen["activation_GiB"]
        left = seen["usable_GiB"] - rest
        yield Check(
            "cache pool of rank 0", "GiB", seen["kv_GiB_rank0"], left - 0.02, left + 0.02, "vllm budget", 0.01
        )
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
        page = layer_bytes(replace(group, layers=1), types, gpus) * block
        specs.append(vllm.vllm_spec(group.layers, page, block, group.window))
    plan = vllm.vllm_plan(specs, max_len, batched)
    for name, seen in _scenarios(row):
        label = f"{name}: " if name else ""
        pool = _printed_pool(seen)
        if pool is not None and "tokens" in seen:
            yield _vllm_pool_tokens(f"{label}tokens", seen["tokens"], pool, plan, max_len)
        for length, printed in _concurrencies(seen, max_len):
            if pool is not None:
                at = vllm.vllm_plan(specs, length, batched)["request_blocks"]
                low, high = (
                    vllm.vllm_blocks(count, plan["block_bytes"]) / at for count in rounded(pool, "GiB")
                )
                quantity = f"{label}concurrency at {length:,}"
                yield Check(quantity, "x", printed, low, high, "vllm_plan, vllm_window_blocks", 0.01)
        if "need_GiB" in seen:
            need = plan["block_bytes"] * plan["request_blocks"]
            yield size_check(
                f"needed at {max_len:,}", "GiB", seen["need_GiB"], need, "vllm_plan, vllm_window_blocks"
            )
        if "concurrency_before" in seen:
            blocks = seen["tokens"] // block
            uncapped = -(-max_len // block)
            before, after = seen["concurrency_before"], seen["concurrency_after"]
            yield times_check(
                f"concurrency at {max_len:,}, windows ignored", before, blocks / uncapped, "vllm_blocks"
            )
            value = blocks / plan["request_blocks"]
            yield times_check(f"concurrency at {max_len:,}", after, value, "vllm_window_blocks")


def _vllm_pool_tokens(quantity: str, printed: int, pool: float, plan: dict[str, int], max_len: int) -> Check:
    """The token count of a pool shared by groups of layers, by the newer definition or else the older one."""
    blocks = [vllm.vllm_blocks(count, plan["block_bytes"]) for count in rounded(pool, "GiB")]
    requests = [vllm.vllm_tokens_by_requests(count, plan["request_blocks"], max_len) for count in blocks]
    check = Check(quantity, "", printed, requests[0], requests[1], "vllm_plan, vllm_window_blocks")
    if check.exact:
        return check
    groups = [vllm.vllm_tokens_by_groups(count, plan["groups"], plan["block"]) for count in blocks]
    even = Check(quantity, "", printed, groups[0], groups[1], "vllm_plan, vllm_tokens_by_groups")
    return even if even.exact else check


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
    token = layer_bytes(replace(full, layers=1), read_types(row.dtype), gpus)
    rows_kept = vllm_rules.vllm_conv_rows(linear.kernel, drafts)
    state = linear.state_values * linear.state_size // gpus + linear.channels * rows_kept * 2 // gpus
    block = vllm.vllm_hybrid_block(state, token, vllm.VLLM_BLOCK_TOKENS)
    seen = row.observed
    checks = []
    if "block" in seen:
        checks.append(count_check("tokens a block", seen["block"], block, "vllm_hybrid_block"))
    max_len = row.number("max_model_len", default=0)
    printed: float | None = None
    for length, value in _concurrencies(seen, max_len):
        max_len, printed = length, value
    pool = _printed_pool(seen)
    if max_len == 0 or (pool is None and printed is None and "need_GiB" not in seen):
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
        low, high = (vllm.vllm_blocks(count, plan["block_bytes"]) for count in rounded(pool, "GiB"))
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
    if "need_GiB" in seen:
        need = plan["block_bytes"] * request
        checks.append(size_check(f"needed at {max_len:,}", "GiB", seen["need_GiB"], need, rule))
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
                value = bf16 / vllm_rules.vllm_turboquant_slot(width, k_bits, v_bits, 4)
                yield Check(f"compression {preset}", "x", claimed, value, value, "vllm_turboquant_slot", 0.1)
        else:
            slot = vllm_rules.vllm_turboquant_slot(width, *_preset_bits(name), 4)
            yield count_check(f"slot {name}", printed, slot, "vllm_turboquant_slot", "B")


def _preset_bits(name: str) -> tuple[int, int]:
    pair = re.match(r"k(\d)v(\d)", name)
    both = re.match(r"(\d)bit", name)
    if pair:
        return int(pair[1]), int(pair[2])
    if both:
        return int(both[1]), int(both[1])
    raise Unreadable(f"preset {name!r} is not one of TurboQuant's")
