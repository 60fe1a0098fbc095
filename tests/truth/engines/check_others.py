"""Predicts what TensorRT-LLM, LMDeploy, smaller engines and published tables printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from acts.engines import vllm
from acts.sizing import GIB, MIB, bytes_per_token

from . import others, rows
from .check import (
    Check,
    count_check,
    layer_bytes,
    rounded,
    size_check,
    sum_layer_bytes,
)
from .rows import Row, read_groups, read_shape, read_types


def trtllm_checks(row: Row) -> Iterator[Check]:
    """ "Allocated ... GiB for max tokens in paged KV cache (N)", per GPU."""
    types = read_types(row.dtype)
    gpus = row.number("tp", default=1)
    seen = row.observed
    tokens = seen.get("tokens", row.tokens) or 0
    per_token = sum_layer_bytes(read_groups(row), types, gpus)
    if "primary_blocks" in seen:
        percent = round(row.own["free_fraction"] * 100)
        block = per_token * row.number("tokens_per_block")
        low, high = (
            -(-others.trtllm_pool(c, percent) // block) for c in rounded(seen["available_GiB"], "GiB")
        )
        yield Check("primary blocks", "", seen["primary_blocks"], low, high, "trtllm_pool")
    if row.has("blocks"):
        blocks = others.trtllm_tokens(row.number("blocks"), row.number("tokens_per_block"))
        yield count_check("tokens", tokens, blocks, "trtllm_tokens")
    if "GiB" in seen:
        yield size_check("pool", "GiB", seen["GiB"], per_token * tokens)
    if "bytes" in seen:
        yield count_check("pool", seen["bytes"], per_token * tokens, unit="B")
    if row.has("available_GiB", "free_fraction") and "GiB" in seen:
        percent = round(row.own["free_fraction"] * 100)
        low, high = (others.trtllm_pool(c, percent) / GIB for c in rounded(row.own["available_GiB"], "GiB"))
        # Whole blocks are taken out of that share.
        low -= per_token * row.number("tokens_per_block") / GIB
        yield Check("pool from free memory", "GiB", seen["GiB"], low, high, "trtllm_pool", 0.01)
    if "user_formula_GB" in seen:
        # What a reader computed with every head cached; the engine stores the KV heads only.
        every_head = [replace(group, num_kv_heads=row.number("heads")) for group in read_groups(row)]
        held = sum_layer_bytes(every_head, types) * tokens
        label = "reader's estimate, all heads"
        yield size_check(label, "GB", seen["user_formula_GB"], held, "all heads cached", digits=0)


def lmdeploy_checks(row: Row) -> Iterator[Check]:
    """TurboMind's "block_size = ... MB" (MiB, rounded down) and its blocks in tokens."""
    block = row.number("block_tokens", default=64)
    types = read_types(row.dtype)
    if row.dtype.startswith("int"):
        # quant_policy 8 and 4 keep a 16-bit scale and zero point for each head vector.
        types = (replace(types[0], vector_bytes=4), replace(types[1], vector_bytes=4))
    count = sum_layer_bytes(read_groups(row), types, row.number("tp", default=1)) * block
    yield size_check("block", "MiB", row.observed["block_MB"], count // MIB * MIB, "lmdeploy_tokens")
    yield count_check(
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
    yield size_check("pool", "MiB", seen["pool_MiB"], seen["physical_blocks"] * block_bytes, digits=0)
    usable = others.usable_blocks(seen["physical_blocks"], 1)
    yield count_check("usable blocks", seen["usable_blocks"], usable, "usable_blocks")
    yield count_check("tokens", seen["tokens"], usable * block, "usable_blocks")


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
        held += layer_bytes(group, types) * (tokens if group.window is None else min(tokens, group.window))
    return size_check(f"{model} at {tokens:,}", "GiB", printed, held)
