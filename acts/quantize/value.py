"""What a type does to a cached value: its bits, its bytes with the scales, the users they let in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import deploy_as, deploy_kept, deploy_values, deploy_with
from ..sizing import bytes_per_token, ceil_div, entry_bytes, max_users

if TYPE_CHECKING:
    from ..catalog import CacheType, Catalog
    from ..contracts import QuantizeState, Sizes
    from ..sizing import Shape

# The type every other one is measured against.
QUANTIZE_BASE = "bf16"
# The type that is offered as long as none is chosen: half as many bits.
QUANTIZE_HALF = "fp8"


def quantize_sizes(state: QuantizeState, catalog: Catalog, cache_type: str) -> Sizes:
    """The scenario's deployment with another cache type: see :func:`acts.deployment.deploy`.

    kept says whether the card can keep that type; where it cannot, nobody fits.
    """
    sizes = deploy_with(state, catalog, state.weights, state.gpus, state.reserve, cache_type)
    return quantize_withheld(sizes, deploy_kept(state, catalog, cache_type))


def quantize_chosen(state: QuantizeState, catalog: Catalog) -> Sizes:
    """The scenario's deployment with its own types of keys and values, as :func:`quantize_sizes` has it."""
    return quantize_reserved(state, catalog, state.reserve)


def quantize_reserved(state: QuantizeState, catalog: Catalog, reserve: float) -> Sizes:
    """:func:`quantize_chosen` with another reserve, GiB a card."""
    sizes = deploy_as(state, catalog, state.weights, state.gpus, reserve)
    kept = deploy_kept(state, catalog, state.cache) and deploy_kept(state, catalog, deploy_values(state))
    return quantize_withheld(sizes, kept)


def quantize_withheld(sizes: Sizes, kept: bool) -> Sizes:
    """``sizes`` with whether the card can keep the cache's type, and without users where it cannot."""
    sizes["kept"] = kept
    if not kept:
        sizes["max_users"] = 0
    return sizes


def quantize_mixed(state: QuantizeState) -> bool:
    """Whether keys and values have different types."""
    return deploy_values(state) != state.cache


def quantize_block_scale(cache: CacheType) -> int:
    """Bits of the scales that stand in each block; 0 for a type that has none there."""
    return cache.block_bytes * 8 - cache.block_values * cache.bits


def quantize_shrink(shape: Shape, keys: CacheType, values: CacheType, base: CacheType) -> float:
    """16-bit bytes a token over those of the types chosen; 1 for a model that keeps less than a byte a token."""
    chosen = bytes_per_token(shape, keys, values)
    full = bytes_per_token(shape, base, base)
    if chosen == 0 or full == 0:
        return 1
    return full / chosen


def quantize_value_bytes(shape: Shape, keys: CacheType, values: CacheType) -> float:
    """Bytes a cached value takes with its share of the scales, averaged over the model's head vectors."""
    count = 0
    size = 0
    for group in shape.groups:
        # Entries in a format of their own do not follow the cache type.
        if group.record_bytes is None:
            count += group.layers * group.num_kv_heads * (group.key_width + group.value_width)
            size += group.layers * entry_bytes(group, group.num_kv_heads, keys, values)
    if count == 0:
        return keys.block_bytes / keys.block_values
    return size / count


def quantize_vector_width(shape: Shape) -> int:
    """Values in one head vector: what a scale per vector is shared by."""
    for group in shape.groups:
        if group.record_bytes is None:
            return max(group.key_width, group.value_width)
    return 128


def quantize_bare_users(state: QuantizeState, catalog: Catalog, before: Sizes) -> int:
    """Users that bare bits, counted without any scale, would promise; 0 where keys and values differ in type.

    A sequence's bytes grow evenly with the bytes a value: 2 (16 bit) and 1 (FP8, no scales) give the rest.
    """
    bits = catalog.caches[state.cache].bits
    if quantize_mixed(state) or before["free"] <= 0 or not deploy_kept(state, catalog, state.cache):
        return 0
    eight = quantize_sizes(state, catalog, "fp8")["sequence"]
    bare = ceil_div(eight * 8 + (bits - 8) * (before["sequence"] - eight), 8)
    return max_users(before["free"], bare) * state.data_parallel


def quantize_second(state: QuantizeState, catalog: Catalog, before: Sizes) -> str:
    """The type drawn beside 16 bits: the chosen one, or FP8 as long as nothing is changed and it would make room.

    ``before`` are the sizes with 16 bits.
    """
    if state.cache != QUANTIZE_BASE or quantize_mixed(state):
        return state.cache
    half = quantize_sizes(state, catalog, QUANTIZE_HALF)
    return QUANTIZE_HALF if half["max_users"] > before["max_users"] else state.cache
