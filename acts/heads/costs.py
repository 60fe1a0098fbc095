"""What one choice of KV heads costs, in bytes: the sizing model's sums over entries of the sizes chosen.

Pure functions, compiled by :mod:`acts.twin`.
``choice`` is a number of KV heads, 0 for the model's own, -1 for a key and a value for every query head.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sizing import countable, entry_bytes, sum_fixed, sum_growth, sum_held, sum_per_token, vector_bytes

if TYPE_CHECKING:
    from ..catalog import CacheType
    from ..sizing import Shape


def heads_counts(shape: Shape, choice: int) -> list[int]:
    """KV heads of each group of layers; a latent and an indexer stay as the model has them."""
    counts = []
    for group in shape.groups:
        heads = group.num_kv_heads
        if choice != 0 and group.kind in ["attention", "cross"]:
            heads = shape.num_attention_heads if choice == -1 else choice
        counts.append(heads)
    return counts


def heads_entry_sizes(shape: Shape, choice: int, keys: CacheType, values: CacheType) -> list[int]:
    """Bytes of one entry in one layer of each group.

    A latent in full (-1) is a key and a value for each query head, in the widths they are unfolded to.
    """
    sizes = []
    counts = heads_counts(shape, choice)
    for place, group in enumerate(shape.groups):
        if group.kind == "latent" and choice == -1 and group.full_key_width > 0:
            unfolded = vector_bytes(group.full_key_width, keys) + vector_bytes(group.full_value_width, values)
            sizes.append(shape.num_attention_heads * unfolded)
        else:
            sizes.append(entry_bytes(group, counts[place], keys, values))
    return sizes


def heads_token_bytes(shape: Shape, choice: int, keys: CacheType, values: CacheType) -> int:
    """Bytes a token adds while every window has room."""
    return sum_per_token(shape, heads_entry_sizes(shape, choice, keys, values))


def heads_sequence_bytes(shape: Shape, choice: int, tokens: int, keys: CacheType, values: CacheType) -> int:
    """Bytes one sequence of ``tokens`` tokens holds, windows honoured; at most 2**53."""
    return countable(
        shape.state_bytes + sum_held(shape, heads_entry_sizes(shape, choice, keys, values), tokens)
    )


def heads_growth_bytes(shape: Shape, choice: int, keys: CacheType, values: CacheType) -> int:
    """Bytes a token adds once every window is full: the b of a + b x tokens."""
    return sum_growth(shape, heads_entry_sizes(shape, choice, keys, values))


def heads_fixed_bytes(shape: Shape, choice: int, keys: CacheType, values: CacheType) -> int:
    """Bytes a sequence holds beside its growth once every window is full: the a."""
    return shape.state_bytes + sum_fixed(shape, heads_entry_sizes(shape, choice, keys, values))


def heads_quotient(whole: int, part: int) -> float:
    """``whole`` / ``part``, a whole number where it is one; 1 where nothing is cached."""
    if part == 0:
        return 1
    if whole % part == 0:
        return whole // part
    return whole / part
