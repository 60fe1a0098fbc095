"""One deployment sized: a scenario's model, cards, types and users, put through :mod:`acts.sizing`.

Pure functions, compiled by :mod:`acts.twin`. ``state`` has the attributes of
:class:`acts.scenario.Scenario`; ``catalog`` has ``models``, ``gpus``, ``caches`` and ``weights``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .sizing import (
    GIB,
    batch_bytes,
    bytes_per_sequence_gpu,
    ceil_div,
    free_bytes,
    max_users,
    stage_weights,
    step_seconds,
    step_weights,
    typed_weights,
    usable_bytes,
)
from .text import text_count, text_whole

if TYPE_CHECKING:
    from .catalog import Catalog, Model
    from .contracts import Card, Sizes, State, Step
    from .sizing import Shape

#: The id of a card whose figures the scenario itself holds.
OWN_CARD = "custom"

# What an engine set aside beside weights and cache for Llama 3 8B on an H100: 4.8 GiB for the activation
# peak and 0.1 GiB outside PyTorch, so that 57 users in theory were 51 in its log. Other models and
# batch sizes need more or less; it is the page's typical figure, in GiB a card.
TYPICAL_RESERVE = 4.9


def context_beyond(model: Model, tokens: int) -> str:
    """A sentence, with a space before it, where ``tokens`` tokens are more than the model declares; else nothing."""
    if model.max_context <= 0 or tokens <= model.max_context:
        return ""
    return " This model is made for at most " + text_whole(model.max_context) + " tokens."


def deploy(state: State, catalog: Catalog) -> Sizes:
    """Sizes of the deployment ``state`` describes, in bytes and counts.

    Per card, that of the largest pipeline stage: usable, free (negative by what the weights lack), sequence.
    Over all cards, every one counted as the fullest: card (their memory), reserve, weights, held_back (what the
    engine leaves untouched), room (for the cache), demanded (all users' cache), wall (usable memory); user is
    one user's cache on all cards of a replica. cards and max_users are counts, the latter of all replicas.
    """
    return deploy_as(state, catalog, state.weights, state.gpus, state.reserve)


def deploy_as(state: State, catalog: Catalog, weight_type: str, gpus: int, reserve: float) -> Sizes:
    """:func:`deploy` with another weight type, tensor-parallel degree or reserve (GiB a card)."""
    return deploy_typed(state, catalog, weight_type, gpus, reserve, state.cache, deploy_values(state))


def deploy_with(
    state: State, catalog: Catalog, weight_type: str, gpus: int, reserve: float, cache_type: str
) -> Sizes:
    """:func:`deploy_as` with another cache type as well, that of keys and values alike."""
    return deploy_typed(state, catalog, weight_type, gpus, reserve, cache_type, cache_type)


def deploy_values(state: State) -> str:
    """The type of cached values: the keys' unless one was chosen for them."""
    return state.cache_v if state.cache_v != "" else state.cache


def deploy_card(state: State, catalog: Catalog) -> Card:
    """The card: its name, memory in bytes, bandwidth in bytes/s and dense 16-bit FLOP/s, or those of one's own."""
    row = catalog.gpus[state.gpu]
    if state.gpu != OWN_CARD:
        return {
            "name": row.name,
            "memory": row.memory,
            "bandwidth": row.bandwidth,
            "peak_flops": row.peak_flops,
        }
    return {
        "name": row.name,
        "memory": int(state.card_gib * GIB),
        "bandwidth": int(state.card_bandwidth * 1000000000),
        "peak_flops": int(state.card_flops * 1000000000000),
    }


def deploy_weights(state: State, catalog: Catalog, weight_type: str) -> int:
    """Bytes of one copy of the weights: what a server or a file listing said, or parameters times bits."""
    if state.weights_gib > 0 and weight_type == state.weights:
        return int(state.weights_gib * GIB)
    kind = catalog.weights[weight_type]
    return typed_weights(catalog.models[state.model].shape, kind.bits, kind.kept)


def deploy_sequence(state: State, catalog: Catalog, tokens: int) -> int:
    """Bytes one sequence of ``tokens`` tokens (an array of them too) holds on each card of the largest stage."""
    shape = catalog.models[state.model].shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    return bytes_per_sequence_gpu(
        shape, tokens, keys, values, state.gpus, 1, state.pipeline, state.context_parallel
    )


def deploy_typed(
    state: State, catalog: Catalog, weight_type: str, gpus: int, reserve: float, k_type: str, v_type: str
) -> Sizes:
    """:func:`deploy_as` with other types of cached keys and values as well."""
    shape = catalog.models[state.model].shape
    keys = catalog.caches[k_type]
    values = catalog.caches[v_type]
    stages = state.pipeline
    split = state.context_parallel
    cards = gpus * stages * state.data_parallel
    card = deploy_card(state, catalog)["memory"]
    reserve_bytes = int(reserve * GIB)
    most = usable_bytes(card, 0, state.utilisation)
    usable = usable_bytes(card, reserve_bytes, state.utilisation)
    weights = stage_weights(deploy_weights(state, catalog, weight_type), shape.num_hidden_layers, stages)
    free = free_bytes(usable, weights, gpus)
    sequence = bytes_per_sequence_gpu(shape, state.context, keys, values, gpus, 1, stages, split)
    return {
        "usable": usable,
        "free": free,
        "sequence": sequence,
        "cards": cards,
        "card": card * cards,
        "wall": most * cards,
        "reserve": min(reserve_bytes, most) * cards,
        "weights": ceil_div(weights, gpus) * cards,
        "held_back": (card - most) * cards,
        "room": max(0, free) * cards,
        "user": sequence * gpus * stages,
        "demanded": batch_bytes(shape, state.context, state.users, keys, values, gpus, 1, stages, split),
        "max_users": max_users(free, sequence) * state.data_parallel,
    }


def deploy_step(state: State, catalog: Catalog, sizes: Sizes, users: int) -> Step:
    """A decode step of ``users`` users, shared out evenly over the replicas: bytes read and least seconds.

    users are those of the fullest replica, copy is one copy of the weights; weights and cache are what all replicas
    read. A token passes all stages one after another, and users may be split into as many batches as there are
    stages: so seconds, by memory bandwidth, are a lower bound however they are split (for a mixture of experts,
    by what :func:`acts.sizing.read_parameters` says).
    """
    shape = catalog.models[state.model].shape
    replica = ceil_div(users, state.data_parallel)
    copy = deploy_weights(state, catalog, state.weights)
    weights = step_weights(shape, copy, replica)
    bandwidth = deploy_card(state, catalog)["bandwidth"] * state.gpus
    cache = ceil_div(replica * sizes["user"], state.pipeline)
    return {
        "users": replica,
        "copy": copy,
        "weights": weights * state.data_parallel,
        "cache": users * sizes["user"],
        "seconds": step_seconds(weights + cache, bandwidth),
    }


def deploy_kept(state: State, catalog: Catalog, cache_type: str) -> bool:
    """Whether some engine keeps a cache of this type on the scenario's card."""
    chip = catalog.gpus[state.gpu].chip
    chips = catalog.caches[cache_type].chips
    return chip == "any" or len(chips) == 0 or chip in chips


def deploy_kept_fault(state: State, catalog: Catalog) -> str:
    """A sentence, with a space before it, where the card cannot keep the cache's type; else nothing."""
    for cache_type in [state.cache, deploy_values(state)]:
        if not deploy_kept(state, catalog, cache_type):
            name = catalog.caches[cache_type].name.split(" (")[0]
            return " No engine keeps an " + name + " cache on " + catalog.gpus[state.gpu].chip + " cards."
    return ""


def deploy_note(state: State, catalog: Catalog) -> str:
    """What engines say to the way cards share the work, each sentence with a space before it; else nothing.

    vLLM's ModelConfig.verify_with_parallel_config refuses query heads that the tensor-parallel degree does not divide,
    its QKVParallelLinear KV heads; docs/serving/context_parallel_deployment.md bounds decode-context parallelism.
    """
    shape = catalog.models[state.model].shape
    note = deploy_kept_fault(state, catalog)
    fault = deploy_heads_fault(shape, state.gpus)
    if fault == "":
        fault = deploy_context_fault(shape, state.gpus, state.context_parallel)
    if fault == "" and state.pipeline > shape.num_hidden_layers:
        layers = text_count(shape.num_hidden_layers, "layer")
        fault = text_whole(state.pipeline) + " stages need a layer each, and the model has " + layers
    if fault != "":
        note += " Engines refuse this: " + fault + "."
    if state.data_parallel > 1 and shape.active_parameters < shape.parameters:
        note += " Each replica is counted with all experts; engines can spread them over the replicas."
    return note


def deploy_heads_fault(shape: Shape, gpus: int) -> str:
    """Why the heads of a model cannot be shared out over ``gpus`` GPUs; "" if they can."""
    uneven = " cannot be shared out evenly over " + text_count(gpus, "GPU")
    if shape.num_attention_heads % gpus != 0:
        return text_count(shape.num_attention_heads, "query head") + uneven
    for group in shape.groups:
        heads = group.num_kv_heads
        if group.kind == "attention" and max(heads, gpus) % min(heads, gpus) != 0:
            return text_count(heads, "KV head") + uneven
    return ""


def deploy_context_fault(shape: Shape, gpus: int, context_parallel: int) -> str:
    """Why a sequence's tokens cannot be shared out over ``context_parallel`` of ``gpus`` GPUs; "" if they can."""
    if context_parallel == 1:
        return ""
    ranks = text_whole(context_parallel) + " ranks of decode-context parallelism"
    if gpus % context_parallel != 0:
        return ranks + " do not divide " + text_count(gpus, "GPU") + " of a tensor-parallel group"
    for group in shape.groups:
        if group.window is not None:
            return "decode-context parallelism does not split layers with a window"
        if group.kind == "attention" and group.num_kv_heads * context_parallel > gpus:
            most = text_count(max(1, gpus // group.num_kv_heads), "GPU")
            return ranks + " are more than the " + most + " that each KV head is stored on"
    return ""
