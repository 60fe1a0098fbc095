"""What an engine's log says against what the sizing model says, and the likely reason where they differ.

Pure functions, compiled by :mod:`acts.twin`. ``log`` is what :func:`acts.logs.read_log` returns, ``shape``
the model's shape, ``state`` has the attributes of :class:`acts.scenario.Scenario` and ``catalog`` those of
:class:`acts.scenario.Catalog`. A reason is not looked up but tried: the one whose figure comes closest to
the log's, within one percent, is given.
"""

from __future__ import annotations

from typing import Any

from ..bounds import BOUNDS
from ..engines.llamacpp import LLAMACPP_UBATCH, llamacpp_swa_cells
from ..engines.types import engine_cache_id
from ..engines.vllm import (
    VLLM_BLOCK_TOKENS,
    vllm_block_bytes,
    vllm_blocks,
    vllm_plan,
    vllm_request_blocks,
    vllm_spec,
)
from ..sizing import (
    GIB,
    UTILISATION_PERCENT,
    ceil_div,
    entry_bytes,
    heads_per_gpu,
    vector_bytes,
    weights_bytes,
)
from ..text import text_bytes, text_count, text_fixed, text_whole
from .facts import LOG_ENGINES

# Differences up to this share need no reason: logs print two decimals, and blocks are whole.
LOG_CLOSE = 0.01

# A reason that meets the figure this closely goes before one that does so roughly.
LOG_CLOSEST = 0.002

# Weights tell the number of GPUs to within what a checkpoint holds besides plain parameters.
LOG_WEIGHTS_CLOSE = 0.03

# Activations and graphs seldom take more of a card than this; a larger gap has another cause.
LOG_ACTIVATION_PERCENT = 15

# Cache types to try first, as ids of the catalog.
LOG_TYPES = ["bf16", "fp8", "q8_0", "q4_0"]

# The largest prefill chunk vLLM's own default allows; a window's cache grows with it.
LOG_BATCHED_TOKENS = 8192

# vLLM V0's swap_space.
LOG_SWAP_BYTES = 4294967296

# Numbers of GPUs to try when the log's is not the scenario's.
LOG_GPUS = [1, 2, 4, 8, 16]

LOG_NO_WINDOWS = "The engine keeps every token in windowed layers too: it does not honour the windows."
LOG_TWO_LATENTS = "The engine counts a key and a value where the model keeps one latent."
LOG_DECIMAL = "Units: one side's GB are 10^9 bytes, the other's GiB 2^30."


def log_value(log: dict[str, Any], key: str, otherwise: float = 0) -> float:
    """The value of the finding ``key``, or ``otherwise`` if the log does not say."""
    for finding in log["findings"]:
        if finding["key"] == key:
            return finding["value"]
    return otherwise


def log_type_name(log: dict[str, Any], key: str) -> str:
    """The name of the type found under ``key``; empty if the log does not say."""
    for finding in log["findings"]:
        if finding["key"] == key:
            return finding["value"]
    return ""


# --- settings --------------------------------------------------------------------------------------------


def log_settings(log: dict[str, Any]) -> dict[str, Any]:
    """What of a scenario the log decides: context, cache, gpus, users, reserve. Legal values only.

    reserve is what the engine measured for activations and outside PyTorch, in GiB a card.
    """
    found: dict[str, Any] = {}
    log_set(found, "context", log_context(log))
    log_set(found, "gpus", log_value(log, "gpus"))
    log_set(found, "users", log_users(log))
    measured = log_value(log, "activation_bytes") + log_value(log, "other_bytes")
    if measured > 0:
        log_set(found, "reserve", measured * 100 // GIB / 100)
    for key in ["cache_type", "k_type"]:
        cache = engine_cache_id(log_type_name(log, key))
        if cache != "":
            found["cache"] = cache
    return found


def log_set(found: dict[str, Any], key: str, value: float) -> None:
    """Sets ``key`` if the scenario allows the value."""
    limits = BOUNDS[key]  # a setting that no scenario can have is left as it is
    if value > 0 and limits[0] <= value <= limits[1]:
        found[key] = value


def log_context(log: dict[str, Any]) -> float:
    """Tokens one request may hold: as configured, or a slot's share of llama.cpp's cells; 0 if not said."""
    length = log_value(log, "max_len")
    if length > 0:
        return length
    cells = log_value(log, "cells")
    return log_value(log, "sequence_tokens", cells // max(1, log_slot_share(log)))


def log_slot_share(log: dict[str, Any]) -> float:
    """Slots that divide the printed cells among them: none if each slot has its own cells or all share."""
    if log_value(log, "streams") > 0:
        return 1
    return max(1, log_value(log, "slots", 1))


def log_users(log: dict[str, Any]) -> float:
    """Sequences the cache is laid out for (llama.cpp and Ollama); 0 if the engine lays out blocks for any
    number.
    """
    cells = log_value(log, "cells")
    if cells == 0:
        return 0
    streams = log_value(log, "streams")
    if streams > 0:
        return streams
    sequence = log_value(log, "sequence_tokens")
    if sequence > 0:
        return max(1, cells // sequence)
    return log_value(log, "slots", 1)


# --- comparison -----------------------------------------------------------------------------------------


def compare_log(log: dict[str, Any], shape: Any, state: Any, catalog: Any) -> list[dict[str, Any]]:
    """Rows of what the log states and the sizing model predicts for the scenario.

    A row is {"label", "logged", "predicted", "ratio", "reason"}: texts, the ratio logged / predicted, and
    where they differ by more than 1 % the likely reason in one sentence, else "".
    """
    rows: list[dict[str, Any]] = []
    job = {
        "log": log,
        "shape": shape,
        "state": state,
        "catalog": catalog,
        "cache": catalog.caches[state.cache],
    }
    if log["engine"] is None:
        return rows
    if log["engine"] == "llama.cpp" or log["engine"] == "ollama":
        log_cells_rows(rows, job)
        log_state_row(rows, job)
    else:
        log_weights_row(rows, job)
        log_pool_row(rows, job)
        log_tokens_row(rows, job)
        log_requests_row(rows, job)
        log_need_row(rows, job)
        log_swap_row(rows, job)
    return rows


def log_row(rows: list[Any], label: str, kind: str, values: list[float], guesses: list[Any]) -> None:
    """Adds a row, if the log states its figure.

    ``values`` are logged and predicted, ``kind`` says how to write them, ``guesses`` are [figure, sentence].
    """
    logged = values[0]
    predicted = values[1]
    if logged <= 0 or predicted <= 0:
        return
    reason = ""
    if abs(logged / predicted - 1) > LOG_CLOSE:
        reason = log_reason(logged, guesses)
    rows.append(
        {
            "label": label,
            "logged": log_text(logged, kind),
            "predicted": log_text(predicted, kind),
            "ratio": logged / predicted,
            "reason": reason,
        }
    )


def log_text(value: float, kind: str) -> str:
    """A figure as the row shows it: bytes, times or a number of things."""
    if kind == "bytes":
        return text_bytes(int(value))
    if kind == "times":
        return text_fixed(value, 2)
    return text_whole(int(value)) + " " + kind


def log_reason(logged: float, guesses: list[Any]) -> str:
    """The sentence of the first guess that meets the logged figure closely, else of the first within 1 %.

    Guesses stand in the order of what is likely; one of figure 0 is what is said if none fits.
    """
    for close in [LOG_CLOSEST, LOG_CLOSE]:
        for guess in guesses:
            if guess[0] > 0 and abs(logged / guess[0] - 1) < close:
                return guess[1]
    for guess in guesses:
        if guess[0] <= 0:
            return guess[1]
    return ""


def log_types_to_try(job: dict[str, Any]) -> list[Any]:
    """Cache types other than the scenario's: the one the log names, or all, those in wide use first."""
    cache = job["cache"]
    caches = job["catalog"].caches
    names = []
    for key in LOG_TYPES:
        names.append(key)
    for key in caches:
        if key not in names:
            names.append(key)
    said = engine_cache_id(log_type_name(job["log"], "cache_type"))
    if said == "":
        said = engine_cache_id(log_type_name(job["log"], "k_type"))
    if said != "":
        names = [said]
    others = []
    for key in names:
        kind = caches[key]
        if (
            kind.block_values != cache.block_values
            or kind.block_bytes != cache.block_bytes
            or kind.vector_bytes != cache.vector_bytes
        ):
            others.append(kind)
    return others


def log_gpus_to_try(job: dict[str, Any]) -> list[int]:
    """Numbers of GPUs other than the scenario's: the one the log says, by its settings or weights, or all."""
    gpus = job["state"].gpus
    said = int(log_value(job["log"], "gpus"))
    weights = log_value(job["log"], "weights_bytes")
    kind = job["catalog"].weights[job["state"].weights]
    for count in LOG_GPUS:
        if said == 0 and weights > 0 and abs(weights / log_weights(job, kind, count) - 1) < LOG_WEIGHTS_CLOSE:
            said = count
    counts = LOG_GPUS
    if said > 0:
        counts = [said]
    others = []
    for count in counts:
        if count != gpus:
            others.append(count)
    return others


def log_told_first(job: dict[str, Any], guesses: list[Any]) -> list[Any]:
    """The guesses, types before GPUs, turned round if the log tells the number of GPUs and it is another."""
    if len(log_gpus_to_try(job)) == 1:
        guesses.reverse()
    return guesses


def log_has_latent(shape: Any) -> bool:
    """Whether the model keeps a latent instead of keys and values."""
    latents = 0
    for group in shape.groups:
        if group.kind == "latent":
            latents += group.layers
    return latents > 0


def log_type_reason(job: dict[str, Any], kind: Any) -> str:
    """The log's cache type is another."""
    return "The log's cache holds " + kind.name + " values, the scenario's " + job["cache"].name + "."


def log_gpus_reason(job: dict[str, Any], gpus: int) -> str:
    """The log's number of GPUs is another."""
    ours = text_whole(job["state"].gpus)
    return "The log is of a model split over " + text_count(gpus, "GPU") + ", the scenario has " + ours + "."


# --- engines with a pool of blocks ------------------------------------------------------------------------


def log_block(log: dict[str, Any]) -> int:
    """Tokens a block or page holds in the log's engine."""
    usual = 1
    if log["engine"] == "vllm":
        usual = VLLM_BLOCK_TOKENS
    if log["engine"] == "lmdeploy":
        usual = 64
    return int(max(1, log_value(log, "block_tokens", usual)))


def log_pool(log: dict[str, Any]) -> float:
    """Bytes of the cache on one GPU, as printed, or as keys and values, or as blocks."""
    pool = log_value(log, "kv_cache_bytes", log_value(log, "k_bytes") + log_value(log, "v_bytes"))
    if pool == 0:
        pool = log_value(log, "block_bytes") * log_value(log, "gpu_blocks")
    return pool


def log_tokens(log: dict[str, Any]) -> float:
    """Tokens the pool holds, as printed or as blocks times tokens a block."""
    return log_value(log, "kv_tokens", log_value(log, "gpu_blocks") * log_block(log))


def log_length(job: dict[str, Any]) -> int:
    """Tokens of the longest request: the log's, else the scenario's context."""
    return int(max(1, log_value(job["log"], "max_len", job["state"].context)))


def log_plan(job: dict[str, Any], kind: Any, gpus: int, windows: bool) -> dict[str, int]:
    """How the engine lays out the model: bytes a block, tokens a block, blocks the longest request needs.

    Only vLLM counts windows in its figures, in groups of layers that share a pool of equal pages; the others
    print a pool in which every layer holds every token.
    """
    log = job["log"]
    block = log_block(log)
    length = log_length(job)
    specs = log_specs(job, kind, gpus)
    if windows and log["engine"] == "vllm" and log_windowed(specs):
        return log_window_plan(specs, length, int(log_value(log, "batched_tokens", LOG_BATCHED_TOKENS)))
    return {
        "block_bytes": max(1, vllm_block_bytes(job["shape"], kind, kind, gpus, block)),
        "block": block,
        "request_blocks": ceil_div(length, block),
        "groups": 1,
    }


def log_specs(job: dict[str, Any], kind: Any, gpus: int) -> list[dict[str, Any]]:
    """The model's kinds of attention layers, as vLLM's plan takes them."""
    block = log_block(job["log"])
    specs = []
    for group in job["shape"].groups:
        if group.fixed_tokens is None and group.stride == 1 and group.layers > 0:
            page = entry_bytes(group, heads_per_gpu(group.num_kv_heads, gpus), kind, kind) * block
            specs.append(vllm_spec(group.layers, max(1, page), block, group.window, 0))
    return specs


def log_windowed(specs: list[dict[str, Any]]) -> bool:
    """Whether any kind of layer has a window."""
    widest = 0
    for spec in specs:
        if spec["window"] is not None:
            widest = max(widest, spec["window"])
    return widest > 0


def log_window_plan(specs: list[dict[str, Any]], length: int, batched: int) -> dict[str, int]:
    """The plan of a model with windows; one kind of layer alone needs no grouping."""
    if len(specs) > 1:
        return vllm_plan(specs, length, batched)
    spec = specs[0]
    return {
        "block_bytes": spec["page"] * spec["layers"],
        "block": spec["block"],
        "request_blocks": vllm_request_blocks(spec, spec["block"], length, batched),
        "groups": 1,
    }


def log_capacity(job: dict[str, Any], kind: Any, gpus: int, windows: bool) -> float:
    """Tokens the logged pool holds in requests of the full length: what engines print as its size."""
    plan = log_plan(job, kind, gpus, windows)
    length = log_length(job)
    blocks = vllm_blocks(int(log_pool(job["log"])), plan["block_bytes"])
    if plan["request_blocks"] == ceil_div(length, plan["block"]):
        return blocks * plan["block"]
    return blocks * length // max(1, plan["request_blocks"])


def log_need(job: dict[str, Any], kind: Any, gpus: int, windows: bool) -> int:
    """Bytes on each GPU that the longest request may hold."""
    plan = log_plan(job, kind, gpus, windows)
    return plan["block_bytes"] * plan["request_blocks"]


def log_tokens_row(rows: list[Any], job: dict[str, Any]) -> None:
    """Tokens that the logged pool holds."""
    gpus = job["state"].gpus
    values = [log_tokens(job["log"]), log_capacity(job, job["cache"], gpus, True)]
    log_row(rows, "Tokens in the logged cache memory", "tokens", values, log_token_guesses(job))


def log_requests_row(rows: list[Any], job: dict[str, Any]) -> None:
    """Requests of the full length at once: of the logged pool, or else of the logged tokens."""
    log = job["log"]
    length = log_length(job)
    label = "Requests of " + text_whole(length) + " tokens at once"
    guesses = []
    if log_pool(log) > 0:
        predicted = log_capacity(job, job["cache"], job["state"].gpus, True) / length
        for guess in log_token_guesses(job):
            guesses.append([guess[0] / length, guess[1]])
    else:
        predicted = log_tokens(log) / length
        fewer = "The printed tokens are the pool shared out evenly among groups of layers, but "
        guesses.append([0, fewer + "layers with a window or a recurrent state need less of it."])
    log_row(rows, label, "times", [log_value(log, "concurrency"), predicted], guesses)


def log_readings(job: dict[str, Any], measure: Any) -> list[Any]:
    """[what ``measure`` gives, what would have to be so], for other types and other numbers of GPUs.

    ``measure(job, cache type, GPUs, whether windows are honoured)`` is the figure that is looked for.
    """
    guesses = []
    for kind in log_types_to_try(job):
        guesses.append([measure(job, kind, job["state"].gpus, True), log_type_reason(job, kind)])
    for count in log_gpus_to_try(job):
        guesses.append([measure(job, job["cache"], count, True), log_gpus_reason(job, count)])
    return log_told_first(job, guesses)


def log_token_guesses(job: dict[str, Any]) -> list[Any]:
    """[tokens the logged pool would hold, what would have to be so], for every other reading of the pool."""
    guesses = log_readings(job, log_capacity)
    flat = log_capacity(job, job["cache"], job["state"].gpus, False)
    guesses.append([flat, LOG_NO_WINDOWS])
    if log_has_latent(job["shape"]):
        guesses.append([flat / 2, LOG_TWO_LATENTS])
    guesses.append([flat * 1000000000 / GIB, LOG_DECIMAL])
    if job["shape"].state_bytes > 0:
        log_state_guesses(guesses, job)
    guesses.append([0, "The model, its cache type or the number of GPUs is not the log's."])
    return guesses


def log_state_guesses(guesses: list[Any], job: dict[str, Any]) -> None:
    """How a hybrid model's recurrent layers may enter the count of tokens."""
    block = log_block(job["log"])
    length = log_length(job)
    plan = log_plan(job, job["cache"], job["state"].gpus, True)
    blocks = vllm_blocks(int(log_pool(job["log"])), plan["block_bytes"])
    groups = log_groups(job["shape"])
    even = "Hybrid accounting: the printed tokens are the pool shared out evenly among groups of layers."
    guesses.append([blocks // groups * block, even])
    for states in [1, 2, 3, 4]:
        needed = ceil_div(length, block) + (groups - 1) * states
        held = "Hybrid accounting: recurrent layers take " + text_count(states, "page")
        guesses.append(
            [blocks * length // needed, held + " of the pool for each request and group of layers."]
        )


def log_groups(shape: Any) -> int:
    """Groups of layers of a model with recurrent layers, which come in groups as large as the others."""
    caching = 0
    for group in shape.groups:
        caching += group.layers
    return max(1, ceil_div(shape.num_hidden_layers, max(1, caching)))


def log_need_row(rows: list[Any], job: dict[str, Any]) -> None:
    """The cache one request of the full length needs, from the error that refuses to start."""
    cache = job["cache"]
    gpus = job["state"].gpus
    guesses = log_readings(job, log_need)
    flat = log_need(job, cache, gpus, False)
    guesses.append([flat, LOG_NO_WINDOWS])
    if log_has_latent(job["shape"]):
        guesses.append([flat * 2, LOG_TWO_LATENTS])
    guesses.append([0, "The model or the engine's prefill chunk is not the scenario's."])
    label = "Cache for one request of " + text_whole(log_length(job)) + " tokens, each GPU"
    values = [log_value(job["log"], "needed_bytes"), log_need(job, cache, gpus, True)]
    log_row(rows, label, "bytes", values, guesses)


def log_weights(job: dict[str, Any], kind: Any, gpus: int) -> int:
    """Bytes of weights of the type ``kind`` on each of ``gpus`` GPUs."""
    return ceil_div(weights_bytes(job["shape"].parameters, kind.bits), gpus)


def log_weights_row(rows: list[Any], job: dict[str, Any]) -> None:
    """Weights on one GPU."""
    types = job["catalog"].weights
    ours = types[job["state"].weights]
    gpus = job["state"].gpus
    predicted = log_weights(job, ours, gpus)
    guesses = []
    for count in log_gpus_to_try(job):
        guesses.append([log_weights(job, ours, count), log_gpus_reason(job, count)])
    for key in types:
        other = "The log's weights are " + types[key].name + ", the scenario's " + ours.name + "."
        guesses.append([log_weights(job, types[key], gpus), other])
    guesses.append([predicted * GIB / 1000000000, LOG_DECIMAL])
    guesses.append(
        [0, "Checkpoints differ: some layers stay in 16 bits, scales and image or draft parts come on top."]
    )
    log_row(rows, "Weights, each GPU", "bytes", [log_value(job["log"], "weights_bytes"), predicted], guesses)


def log_pool_row(rows: list[Any], job: dict[str, Any]) -> None:
    """Memory left for the cache on one GPU: the card's share less weights and the scenario's reserve."""
    log = job["log"]
    state = job["state"]
    card = log_value(log, "card_bytes", job["catalog"].gpus[state.gpu].memory)
    percent = log_value(log, "utilisation", log_value(log, "static_share", UTILISATION_PERCENT))
    ours = log_weights(job, job["catalog"].weights[state.weights], state.gpus)
    left = int(card) * int(percent) // 100 - int(log_value(log, "weights_bytes", ours))
    reserve = int(state.reserve * GIB)
    predicted = left - reserve
    pool = log_pool(log)
    measured = int(log_value(log, "activation_bytes") + log_value(log, "other_bytes"))
    guesses = []
    if measured > 0:
        said = "Activations: the engine set " + text_bytes(measured) + " aside for them and outside PyTorch"
        guesses.append([left - measured, said + "; the scenario's reserve is " + text_bytes(reserve) + "."])
    missing = int(predicted - pool)
    if 0 < missing <= int(card) * LOG_ACTIVATION_PERCENT // 100:
        said = "Activations: the engine keeps another " + text_bytes(missing)
        guesses.append(
            [0, said + " for them and its graphs; the scenario's reserve is " + text_bytes(reserve) + "."]
        )
    else:
        guesses.append(
            [0, "The card, the share of it that the engine takes or the weights are not the log's."]
        )
    log_row(rows, "Memory for the cache, each GPU", "bytes", [pool, predicted], guesses)


def log_swap_blocks(job: dict[str, Any], kind: Any, gpus: int, windows: bool) -> int:
    """Blocks in vLLM's default swap space; windows never counted there."""
    return LOG_SWAP_BYTES // max(1, vllm_block_bytes(job["shape"], kind, kind, gpus, log_block(job["log"])))


def log_swap_row(rows: list[Any], job: dict[str, Any]) -> None:
    """Blocks in swap space: an exact check of one block's bytes, since no profiling enters it (vLLM V0)."""
    predicted = log_swap_blocks(job, job["cache"], job["state"].gpus, False)
    guesses = log_readings(job, log_swap_blocks)
    for space in [1, 2, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64]:
        said = "Swap space was set to " + text_whole(space) + " GiB; the default is 4 GiB."
        guesses.append([predicted * space * GIB // LOG_SWAP_BYTES, said])
    guesses.append([0, "The model, its cache type or the number of GPUs is not the log's."])
    values = [log_value(job["log"], "cpu_blocks"), predicted]
    log_row(rows, "Blocks in 4 GiB of swap space", "blocks", values, guesses)


# --- engines that lay out cells for every slot ------------------------------------------------------------


def log_cells_rows(rows: list[Any], job: dict[str, Any]) -> None:
    """llama.cpp and Ollama: the whole cache on all devices, and the estimate made before."""
    log = job["log"]
    predicted = log_cells_bytes(job, job["cache"], job["cache"], True)
    guesses = log_cells_guesses(job)
    held = log_value(log, "kv_cache_bytes", log_value(log, "kv_buffer_bytes"))
    log_row(rows, "KV cache, all devices", "bytes", [held, predicted], guesses)
    estimate = log_value(log, "kv_estimate_bytes")
    log_row(rows, "KV cache, the engine's estimate", "bytes", [estimate, predicted], guesses)


def log_cells_guesses(job: dict[str, Any]) -> list[Any]:
    """[bytes of the cache, what would have to be so] for other types, and for other ways to lay it out."""
    log = job["log"]
    caches = job["catalog"].caches
    cache = job["cache"]
    guesses = []
    k_name = engine_cache_id(log_type_name(log, "k_type"))
    v_name = engine_cache_id(log_type_name(log, "v_type"))
    if k_name != "" and v_name not in ("", k_name):
        said = "The log's keys are " + caches[k_name].name + " and its values " + caches[v_name].name
        both = log_cells_bytes(job, caches[k_name], caches[v_name], True)
        guesses.append([both, said + ", the scenario's " + cache.name + "."])
    for kind in log_types_to_try(job):
        guesses.append([log_cells_bytes(job, kind, kind, True), log_type_reason(job, kind)])
    guesses.append([log_cells_bytes(job, cache, cache, False), LOG_NO_WINDOWS])
    padded = "Without flash attention each layer's values are padded to the widest layer's."
    guesses.append([log_padded_bytes(job), padded])
    guesses.append([0, "The model, the context or the number of slots is not the log's."])
    return guesses


def log_group_cells(job: dict[str, Any], group: Any, windows: bool) -> int:
    """Cells one layer of the group holds, for all slots."""
    log = job["log"]
    state = job["state"]
    streams = int(max(1, log_value(log, "streams", 1)))
    if group.fixed_tokens is not None:
        return group.fixed_tokens * streams
    cells = int(log_value(log, "cells", state.context * state.users))
    if group.window is not None and windows:
        # Slots that share the cells share the window cache too.
        sharing = 1
        if streams == 1:
            sharing = int(max(1, log_value(log, "slots", 1)))
        ubatch = int(log_value(log, "ubatch", LLAMACPP_UBATCH))
        cells = llamacpp_swa_cells(cells, group.window, sharing, ubatch)
    return cells * streams // group.stride


def log_cells_bytes(job: dict[str, Any], k_type: Any, v_type: Any, windows: bool) -> int:
    """Bytes of all cells: full layers hold every token, windowed ones their window's."""
    total = 0
    for group in job["shape"].groups:
        entry = group.layers * entry_bytes(group, group.num_kv_heads, k_type, v_type)
        total += entry * log_group_cells(job, group, windows)
    return total


def log_padded_bytes(job: dict[str, Any]) -> int:
    """Bytes of all cells if every layer's V row is as wide as the widest one."""
    cache = job["cache"]
    widest = 0
    for group in job["shape"].groups:
        widest = max(widest, group.num_kv_heads * vector_bytes(group.value_width, cache))
    total = 0
    for group in job["shape"].groups:
        keys = group.num_kv_heads * vector_bytes(group.key_width, cache)
        total += group.layers * (keys + widest) * log_group_cells(job, group, True)
    return total


def log_state_row(rows: list[Any], job: dict[str, Any]) -> None:
    """Recurrent state of all slots; llama.cpp keeps the convolution's part at 32 bits."""
    state_bytes = job["shape"].state_bytes
    slots = int(max(1, log_value(job["log"], "slots", 1)))
    guesses = []
    for copies in [1, 2, 3, 4, 5, 6, 8, 16, 32]:
        said = "The log keeps " + text_count(copies, "state") + ", one for each slot or draft to roll back."
        guesses.append([state_bytes * copies, said])
    guesses.append(
        [0, "llama.cpp keeps the convolution's state in 32 bits, the scenario in the model's own type."]
    )
    values = [log_value(job["log"], "state_bytes"), state_bytes * slots]
    log_row(rows, "Recurrent state, all slots", "bytes", values, guesses)


def log_summary(log: dict[str, Any]) -> str:
    """What was recognised, in one sentence for the page's live region."""
    if log["engine"] is None:
        return "Nothing in this text was recognised as an engine's start-up log."
    return "A log of " + LOG_ENGINES[log["engine"]] + ": " + text_count(len(log["findings"]), "figure") + "."
