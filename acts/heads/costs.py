"""What one choice of KV heads costs, in bytes.

Pure functions, compiled by :mod:`acts.twin`.
``choice`` is a number of KV heads, 0 for the model's own, -1 for a key and a value for every query head.
"""

from __future__ import annotations

from typing import Any

from ..sizing import entries_held, entry_bytes, vector_bytes


def heads_entry_bytes(group: Any, choice: int, queries: int, cache: Any) -> int:
    """Bytes of one entry in one layer: with ``choice`` KV heads, the model's own for 0, all in full for -1.

    A latent in full is a key and a value for each query head, in the widths they are unfolded to.
    """
    if group.kind == "latent" and choice == -1 and group.full_key_width > 0:
        key = vector_bytes(group.full_key_width, cache)
        return queries * (key + vector_bytes(group.full_value_width, cache))
    heads = group.num_kv_heads
    if choice != 0 and group.kind in ["attention", "cross"]:
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
