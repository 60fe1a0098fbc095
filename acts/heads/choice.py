"""What is chosen on which model, and what that costs: all a frame is drawn from.

Pure functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import deploy_values
from ..formula import formula_terms
from .costs import heads_counts, heads_entry_sizes, heads_quotient, heads_sequence_bytes, heads_token_bytes

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import HeadsState, View
    from ..sizing import Shape


def heads_view(state: HeadsState, catalog: Catalog) -> View:
    """The choice and its costs in bytes; "full" is every query head with a key and a value of its own."""
    model = catalog.models[state.model]
    shape = model.shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    latent = heads_latent(shape)
    queries = max(1, shape.num_attention_heads)
    own = heads_own(shape)
    valid = not latent and heads_divides(state.kv_heads, queries)
    kv = state.kv_heads if valid else own
    choice = 0 if kv == own else kv
    token = heads_token_bytes(shape, choice, keys, values)
    full_token = heads_token_bytes(shape, -1, keys, values)
    return {
        "model": model.name,
        "shape": shape,
        "keys": keys,
        "values": values,
        "cache_id": state.cache,
        "latent": latent,
        "latent_width": heads_latent_width(shape),
        "queries": queries,
        "own": own,
        "kv": kv,
        "asked": state.kv_heads,
        "refused": state.kv_heads != 0 and not valid and not latent,
        "choice": choice,
        "context": state.context,
        "token": token,
        "full_token": full_token,
        "known": not latent or heads_full_known(shape),
        "reduction": heads_quotient(full_token, token),
        "sequence": heads_sequence_bytes(shape, choice, state.context, keys, values),
        "full_sequence": heads_sequence_bytes(shape, -1, state.context, keys, values),
        "terms": formula_terms(
            shape, heads_counts(shape, choice), heads_entry_sizes(shape, choice, keys, values)
        ),
        "divisors": heads_divisors(queries),
    }


def heads_latent(shape: Shape) -> bool:
    """Whether the model keeps one latent a layer instead of keys and values a head (MLA)."""
    return heads_latent_width(shape) > 0


def heads_latent_width(shape: Shape) -> int:
    """Values of the latent: kv_lora_rank + qk_rope_head_dim."""
    for group in shape.groups:
        if group.kind == "latent":
            return group.key_width + group.value_width
    return 0


def heads_full_known(shape: Shape) -> bool:
    """Whether it is known what a head unfolds from a latent, and so what all heads would cost in full."""
    latents = [group for group in shape.groups if group.kind == "latent"]
    return len([group for group in latents if group.full_key_width > 0]) == len(latents)


def heads_own(shape: Shape) -> int:
    """KV heads of the model itself; where its layers differ, those of its most frequent attention layer."""
    own = 1
    layers = 0
    for group in shape.groups:
        if group.kind == "attention" and group.layers > layers:
            layers = group.layers
            own = group.num_kv_heads
    return own


def heads_mixed(shape: Shape) -> bool:
    """Whether attention layers of the model differ in their number of KV heads."""
    own = heads_own(shape)
    other = [group for group in shape.groups if group.kind == "attention" and group.num_kv_heads != own]
    return len(other) > 0


def heads_divides(kv_heads: int, queries: int) -> bool:
    """Whether ``queries`` query heads can be shared out evenly over ``kv_heads`` KV heads."""
    return kv_heads > 0 and kv_heads <= queries and queries % kv_heads == 0


def heads_divisors(queries: int) -> list[int]:
    """Every number of KV heads that ``queries`` query heads can be shared out over."""
    return [count for count in range(1, queries + 1) if heads_divides(count, queries)]
