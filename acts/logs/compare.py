"""What an engine's log says against what the sizing model says, and why they differ as far as the log shows it.

Pure functions, compiled by :mod:`acts.twin`. ``log`` is what :func:`acts.logs.read_log` returns, ``shape``
the model's shape, ``state`` has the attributes of :class:`acts.scenario.Scenario` and ``catalog`` those of
:class:`acts.scenario.Catalog`.

A row's verdict is equal (the prediction lies within what prints so), explained (it does not, and lines of the
log or the engine's own rule tell why, in figures that meet the printed one), differs (what would have to be so
is named, if anything tried meets it) or unknown (bytes do not decide the figure, or the log does not print what
would be needed).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..deployment import deploy_card, deploy_values
from ..engines.sglang import SGLANG_REQUESTS, sglang_aiter_workspace
from ..engines.vllm import vllm_block_bytes
from ..sizing import GIB, ceil_div, entry_bytes, heads_per_gpu, stage_weights, typed_weights
from ..text import text_bytes, text_count, text_fixed, text_gib, text_whole
from .facts import LOG_ENGINE_TYPES, LOG_ENGINES
from .layout import (
    LOG_COMMON_WEIGHTS,
    log_activation,
    log_beside,
    log_block,
    log_caching_layers,
    log_cells_bytes,
    log_exactly,
    log_finding,
    log_groups_bytes,
    log_has_latent,
    log_held_range,
    log_laid,
    log_latent_bytes,
    log_layouts,
    log_length,
    log_needed,
    log_own_pools,
    log_padded_bytes,
    log_plan_layout,
    log_pool,
    log_pool_by_engine,
    log_range,
    log_said_name,
    log_said_type,
    log_says,
    log_stages,
    log_tokens,
    log_type_id,
    log_type_name,
    log_value,
    log_values,
    log_window_tokens,
)

if TYPE_CHECKING:
    from ..catalog import CacheType, Catalog, WeightType
    from ..contracts import Comparison, Job, Log, Other, Pool, State
    from ..sizing import Shape

# Differences up to this share need no reason: blocks are whole, and checkpoints hold a little besides.
LOG_CLOSE = 0.01

# A reason must meet the figure this closely, beyond what rounding allows.
LOG_CLOSEST = 0.002

# Weights tell a type or a number of GPUs to within what a checkpoint holds besides plain parameters.
LOG_WEIGHTS_CLOSE = 0.03

# Activations and graphs seldom take more of a card than this; a larger gap has another cause.
LOG_ACTIVATION_PERCENT = 25

# vLLM V0's swap_space.
LOG_SWAP_BYTES = 4294967296

# Numbers of GPUs to try when the log's is not said.
LOG_GPUS = [1, 2, 4, 8, 16]

LOG_NO_WINDOWS = "The engine keeps every token in windowed layers too: it does not honour the windows."
LOG_TWO_LATENTS = (
    "The engine counts a key and a value where the model keeps one latent, as vLLM 0.7 and 0.8 did."
)

# Prefill chunks to try where the log does not say.
LOG_CHUNKS = [512, 1024, 2048, 4096, 16384, 32768]

# Tokens of the largest page SGLang has.
LOG_LARGEST_PAGE = 64

# Verdict on a row of which no figure was met, by the kind of guess that then speaks.
LOG_VERDICTS: dict[str, str] = {"fact": "explained", "unknown": "unknown", "else": "differs"}

# More tokens than a slot has.
LOG_MOST_TOKENS = 16777216

# llama.cpp lays out cells in whole steps of so many.
LOG_CELLS_STEP = 32

# Other models that Ollama loaded, of which a row is shown.
LOG_LOADS = 3

# How many of what would have to be so are named.
LOG_NAMED = 4


LOG_ABSENT_RANK = "a rank whose line is not here had "
LOG_NEED_LABEL = "Cache for one request of "
LOG_TOKENS_ALONE = (
    "Layers with a window or a recurrent state share the tokens out in groups: without the log's concurrency or the "
    "bytes of its pool they do not tell how many requests fit."
)

# What is said of a figure that nothing gives which is tried.
LOG_OTHER_MODEL = (
    "No cache type of the engine and no number of GPUs gives this figure: the model may not be the log's."
)


def log_job(log: Log, shape: Shape, state: State, catalog: Catalog) -> Job:
    """What the rows, the answer and the budget are worked out from."""
    return {
        "log": log,
        "shape": shape,
        "state": state,
        "catalog": catalog,
        "cache": catalog.caches[state.cache],
        "values": catalog.caches[deploy_values(state)],
        "length": 0,
        "chunk": 0,
    }


def log_job_at(job: Job, length: int) -> Job:
    """The same job asked about requests of ``length`` tokens."""
    other = log_job(job["log"], job["shape"], job["state"], job["catalog"])
    other["length"] = length
    other["chunk"] = job["chunk"]
    return other


def compare_log(log: Log, shape: Shape, state: State, catalog: Catalog) -> list[Comparison]:
    """Rows of what the log states and the sizing model predicts for the scenario.

    A row is {"label", "logged", "predicted", "ratio", "verdict", "reason", "figures", "unit"}: texts, the ratio logged
    / predicted (0 where nothing is predicted), and the two figures in ``unit`` (bytes, tokens, requests, blocks).
    """
    rows: list[Comparison] = []
    if log["engine"] is None:
        return rows
    job = log_job(log, shape, state, catalog)
    if log["engine"] == "llama.cpp" or log["engine"] == "ollama":
        log_cells_rows(rows, job)
        log_state_row(rows, job)
        log_file_row(rows, job)
    else:
        log_weights_row(rows, job)
        log_pool_row(rows, job)
        log_tokens_rows(rows, job)
        log_requests_row(rows, job)
        log_need_row(rows, job)
        log_longest_row(rows, job)
        log_swap_row(rows, job)
        log_slots_row(rows, job)
        log_workspace_row(rows, job)
    for other in log["others"]:
        log_other_row(rows, other)
    log_projector_row(rows, log)
    if log["engine"] == "ollama":
        log_loads_rows(rows, log)
    return rows


# --- a row ------------------------------------------------------------------------------------------------


def log_row(
    rows: list[Comparison],
    label: str,
    unit: str,
    printed: list[float],
    predicted: list[float],
    guesses: list[Any],
) -> None:
    """Adds a row, if the log states its figure.

    ``printed`` and ``predicted`` are [figure, least, most]; a prediction of 0 says that bytes do not decide it.
    ``guesses`` are [figures, sentence, kind]: kind is fact (lines of the log say so) or rule (the engine's own) for
    what explains; would, or weights where they meet roughly, for what would have to be so, with also for what could
    be so as well; unknown and else for what is said if none meets.
    """
    if printed[0] <= 0:
        return
    verdict = "unknown"
    reason = ""
    ratio = 0.0
    if predicted[0] > 0:
        ratio = printed[0] / predicted[0]
        if log_meets(printed, predicted, LOG_CLOSE):
            verdict = "equal"
        else:
            found = log_reason(printed, guesses)
            verdict = found[0]
            reason = found[1]
    else:
        for guess in guesses:
            if guess[2] in ("else", "unknown") and reason == "":
                reason = guess[1]
    rows.append(
        {
            "label": label,
            "logged": log_text(printed[0], unit),
            "predicted": log_text(predicted[0], unit) if predicted[0] > 0 else "not decided by bytes",
            "ratio": ratio,
            "verdict": verdict,
            "reason": reason,
            "figures": [log_rounded(printed[0], unit), log_rounded(max(0, predicted[0]), unit)],
            "unit": unit,
        }
    )


def log_rounded(value: float, unit: str) -> float:
    """A figure for programs: whole, but for requests, which have two decimals."""
    if unit == "requests":
        return int(value * 100 + 0.5) / 100
    return int(value + 0.5)


def log_text(value: float, unit: str) -> str:
    """A figure as the row shows it: bytes, requests or a number of things."""
    if unit == "bytes":
        return text_bytes(int(value))
    if unit == "requests":
        return text_fixed(value, 2)
    return text_whole(int(value)) + " " + unit


def log_meets(printed: list[float], figures: list[float], close: float) -> bool:
    """Whether two ranges meet, give or take a share of the printed figure."""
    slack = printed[0] * close
    return figures[1] - slack <= printed[2] and figures[2] + slack >= printed[1]


def log_reason(printed: list[float], guesses: list[Any]) -> list[str]:
    """[verdict, sentence]: the first proven guess that meets the figure, else what would have to be so, else what is
    said if nothing meets.
    """
    for close in [LOG_CLOSEST, LOG_CLOSE]:
        for guess in guesses:
            if guess[2] in ("fact", "rule") and guess[0][0] > 0 and log_meets(printed, guess[0], close):
                return ["explained", guess[1]]
    for close in [LOG_CLOSEST, LOG_CLOSE, LOG_WEIGHTS_CLOSE]:
        named = log_named(printed, guesses, close)
        if len(named) > 0:
            return ["differs", log_would(named)]
    for kind in ["fact", "unknown", "else"]:
        for guess in guesses:
            if guess[2] == kind and guess[0][0] <= 0:
                return [LOG_VERDICTS[kind], guess[1]]
    return ["differs", ""]


def log_named(printed: list[float], guesses: list[Any], close: float) -> list[str]:
    """What would have to be so, of all that meets the figure; weights are only roughly what their type makes them."""
    kind = "weights" if close == LOG_WEIGHTS_CLOSE else "would"
    named: list[str] = []
    for guess in guesses:
        if (
            guess[2] == kind
            and guess[0][0] > 0
            and guess[1] not in named
            and log_meets(printed, guess[0], close)
        ):
            named.append(guess[1])
    for guess in guesses:
        if guess[2] == "also" and kind == "weights" and len(named) > 0:
            named.append(guess[1])
    return named


def log_would(named: list[str]) -> str:
    """What would have to be so, the likeliest first and the others named."""
    text = "Would fit if " + named[0]
    for other in named[1:LOG_NAMED]:
        text = text + ", or if " + other
    return text + "; the log does not say which." if len(named) > 1 else text + "; the log does not say so."


# --- what else could be so --------------------------------------------------------------------------------


def log_types_to_try(job: Job) -> list[CacheType]:
    """Cache types other than the scenario's: the one the log names, or all that its engine has."""
    log = job["log"]
    names = LOG_ENGINE_TYPES[log["engine"]]
    said = log_said_type(log)
    if said != "":
        names = [said]
    cache = job["cache"]
    others = []
    for key in names:
        kind = job["catalog"].caches[key]
        if (
            kind.block_values != cache.block_values
            or kind.block_bytes != cache.block_bytes
            or kind.vector_bytes != cache.vector_bytes
        ):
            others.append(kind)
    return others


def log_gpus_to_try(job: Job) -> list[int]:
    """Numbers of GPUs other than the scenario's: the one the log says, or all."""
    said = log_gpus(job["log"])
    counts = LOG_GPUS
    if said > 0:
        counts = [said]
    others = []
    for count in counts:
        if count != job["state"].gpus:
            others.append(count)
    return others


def log_gpus(log: Log) -> int:
    """GPUs the log says that layers are split over: its setting, or the ranks that speak; 0 if it does not say."""
    said = int(log_value(log, "gpus"))
    if said > 0 or len(log["starts"]) == 0:
        return said
    ranks = log["starts"][log["start"]]["ranks"]
    return ranks if ranks > 1 else 0


def log_type_guess(job: Job, figures: list[float], kind: CacheType) -> list[Any]:
    """A guess that the cache holds values of ``kind``: a fact if the log says so."""
    if log_said_type(job["log"]) != "":
        held = log_said_name(job["log"])
        said = f"The log's cache holds {held} values, the scenario's {job['cache'].name}."
        return [figures, said, "fact"]
    return [figures, f"the cache held {kind.name} values", "would"]


def log_gpus_guess(job: Job, figures: list[float], gpus: int) -> list[Any]:
    """A guess that the model is split over ``gpus`` GPUs: a fact if the log says so."""
    if log_gpus(job["log"]) > 0:
        ours = text_whole(job["state"].gpus)
        said = f"The log's model is split over {text_count(gpus, 'GPU')}, the scenario's over {ours}."
        return [figures, said, "fact"]
    return [figures, f"the model were split over {text_count(gpus, 'GPU')}", "would"]


def log_readings(job: Job, measure: Any) -> list[Any]:
    """Guesses for other cache types and other numbers of GPUs.

    ``measure(job, cache type, GPUs)`` is the figure that is looked for, as a range.
    """
    log = job["log"]
    guesses = []
    for kind in log_types_to_try(job):
        guesses.append(log_type_guess(job, measure(job, kind, job["state"].gpus), kind))
    for count in log_gpus_to_try(job):
        guesses.append(log_gpus_guess(job, measure(job, job["cache"], count), count))
    if log_said_type(log) != "" and log_gpus(log) > 0:
        for kind in log_types_to_try(job):
            for count in log_gpus_to_try(job):
                held = f"{log_said_name(log)} values on {text_count(count, 'GPU')}"
                both = f"The log's cache holds {held}, the scenario's does not."
                guesses.append([measure(job, kind, count), both, "fact"])
    return guesses


def log_scaled(figures: list[float], factor: float) -> list[float]:
    """A range, ``factor`` times as large."""
    return [figures[0] * factor, figures[1] * factor, figures[2] * factor]


def log_extra_layer(job: Job) -> list[Any]:
    """[sentence, kind] of one more layer that caches: a draft head's, proven where the log says that it drafts."""
    if log_value(job["log"], "drafts") > 0:
        return ["One more layer caches: the draft head's (the log drafts tokens).", "fact"]
    return ["one more layer cached, as a draft head's (MTP, EAGLE) does", "would"]


# --- engines with a pool of blocks ------------------------------------------------------------------------


def log_capacity(job: Job, kind: CacheType, gpus: int) -> list[float]:
    """Tokens the logged pool holds in requests of the full length: what engines print as its size."""
    return log_held_range(job, log_layouts(job, kind, gpus)[0], 1)


def log_token_guesses(job: Job) -> list[Any]:
    """Guesses at the tokens of the logged pool, for every other reading of it."""
    log = job["log"]
    gpus = job["state"].gpus
    guesses: list[Any] = []
    layouts = log_layouts(job, job["cache"], gpus)
    for layout in layouts[1:]:
        guesses.append([log_held_range(job, layout, 1), layout["said"], "rule"])
    if log_says(log, "block_override"):
        by_hand = "The number of blocks was set by hand (num_gpu_blocks_override)."
        guesses.append([log_exactly(log_value(log, "block_override") * log_block(log)), by_hand, "fact"])
    for guess in log_readings(job, log_capacity):
        guesses.append(guess)
    log_chunk_guesses(guesses, job, log_capacity)
    flat = log_capacity(job, job["cache"], gpus)
    if log_has_latent(job["shape"]) and log["engine"] == "vllm":
        guesses.append([log_scaled(flat, 0.5), LOG_TWO_LATENTS, "would"])
    layers = log_caching_layers(job["shape"])
    guess = log_extra_layer(job)
    guesses.append([log_scaled(flat, layers / (layers + 1)), guess[0], guess[1]])
    for window in [True, False]:
        if log["engine"] == "sglang" and log_kind_layers(job["shape"], not window) > 0:
            token = log_split_bytes(job, 1, job["cache"], gpus, window)[0]
            pool = log_pool(log)
            kept = "with a window" if window else "that keep all"
            only = f"this were the pool of the layers {kept} alone, and the other's line is not here"
            guesses.append([log_scaled(pool, 1 / max(1, token)), only, "would"])
    rank = log_rank_guess(job)
    if rank != "":
        guesses.append([log_exactly(log_tokens(log)), rank, "would"])
    guesses.append([log_exactly(0), LOG_OTHER_MODEL, "else"])
    return guesses


def log_rank_guess(job: Job) -> str:
    """What the deciding rank would have had if its line is not here; "" if every token could lie on this rank.

    All ranks hold as many tokens as the one with least memory has room for.
    """
    log = job["log"]
    if job["state"].gpus == 1 and log_stages(job) == 1:
        return ""
    layout = log_layouts(job, job["cache"], job["state"].gpus)[0]
    had = log_tokens(log) / max(1, layout["block"]) * layout["block_bytes"]
    share = had / max(1, log_pool(log)[0])
    if share >= 1 or share < 0.5:
        return ""
    return LOG_ABSENT_RANK + text_bytes(int(had)) + " for its cache"


def log_tokens_rows(rows: list[Comparison], job: Job) -> None:
    """Tokens that the logged pool holds; SGLang's window pool and a draft model's have rows of their own."""
    log = job["log"]
    pools = log_own_pools(log)
    windows = log_window_tokens(log)
    if windows > 0 and len(pools) > 0:
        for pool in pools:
            log_split_pool_row(rows, job, pool, pool["tokens"] == windows)
        return
    if log_pool(log)[0] <= 0:
        printed = log_exactly(log_tokens(log))
        log_row(rows, "Tokens the cache holds", "tokens", printed, log_exactly(0), log_held_guesses(job))
        return
    predicted = log_capacity(job, job["cache"], job["state"].gpus)
    printed = log_exactly(log_tokens(log))
    log_row(rows, "Tokens in the logged cache memory", "tokens", printed, predicted, log_token_guesses(job))
    if log["engine"] == "sglang":
        for pool in pools[1:]:
            half = pool["step"] / 2
            figures = [pool["bytes"], pool["bytes"] - half, pool["bytes"] + half]
            said = "A second pool for as many tokens is a draft model's, or of other layers; it is not added."
            log_row_beside(rows, "Second pool, each GPU", "bytes", figures, said)


def log_held_guesses(job: Job) -> list[Any]:
    """What printed tokens come to in bytes and requests, where the log does not print the pool's bytes."""
    if log_tokens_alone(job):
        return [[log_exactly(0), LOG_TOKENS_ALONE, "else"]]
    length = log_length(job)
    count = log_tokens(job["log"]) / length
    if log_has_groups(job["shape"]):
        count = log_value(job["log"], "concurrency", count)
    taken = log_tokens_taken(job)
    said = (
        f"Their bytes are not in the log; as the scenario is set they take {text_bytes(int(taken))} on each GPU and "
        f"hold {text_fixed(count, 2)} requests of {text_whole(length)} tokens."
    )
    return [[log_exactly(0), said, "else"]]


def log_tokens_alone(job: Job) -> bool:
    """Whether vLLM prints tokens that layers share out in groups, and nothing that tells how."""
    log = job["log"]
    if log["engine"] != "vllm" or log_says(log, "concurrency") or log_pool(log)[0] > 0:
        return False
    return log_has_groups(job["shape"])


def log_tokens_taken(job: Job) -> float:
    """Bytes on each GPU that the printed tokens or requests take as the scenario is set; 0 where none are printed."""
    log = job["log"]
    tokens = log_tokens(log)
    layout = log_layouts(job, job["cache"], job["state"].gpus)[0]
    # Tokens shared out among groups of layers say less than the requests that fit.
    if log_says(log, "concurrency") and (tokens == 0 or log_has_groups(job["shape"])):
        return log_value(log, "concurrency") * log_needed(layout)
    return tokens / max(1, layout["block"]) * layout["block_bytes"]


def log_split_pool_row(rows: list[Comparison], job: Job, pool: Pool, window: bool) -> None:
    """One of SGLang's two pools: the bytes its tokens take in the layers with a window, or in the others."""
    half = pool["step"] / 2
    printed = [pool["bytes"], pool["bytes"] - half, pool["bytes"] + half]
    name = f"Pool of the layers {'with a window' if window else 'that keep all'}, each GPU"
    figures = log_split_bytes(job, pool["tokens"], job["cache"], job["state"].gpus, window)
    guesses = []
    for kind in log_types_to_try(job):
        other = log_split_bytes(job, pool["tokens"], kind, job["state"].gpus, window)
        guesses.append(log_type_guess(job, other, kind))
    for count in log_gpus_to_try(job):
        other = log_split_bytes(job, pool["tokens"], job["cache"], count, window)
        guesses.append(log_gpus_guess(job, other, count))
    log_row(rows, name, "bytes", printed, figures, guesses)


def log_split_bytes(job: Job, tokens: float, kind: CacheType, gpus: int, window: bool) -> list[float]:
    """Bytes of ``tokens`` tokens, and of a page more at most, in the layers with or without a window."""
    token = 0
    for group in job["shape"].groups:
        if (group.window is not None) == window:
            heads = heads_per_gpu(group.num_kv_heads, gpus)
            token += group.layers * entry_bytes(group, heads, kind, log_values(job, kind))
    return [token * tokens, token * tokens, token * (tokens + LOG_LARGEST_PAGE)]


def log_requests_row(rows: list[Comparison], job: Job) -> None:
    """Requests of the full length at once: of the logged pool, or else of the logged tokens."""
    log = job["log"]
    length = log_length(job)
    label = "Requests of " + text_whole(length) + " tokens at once"
    guesses: list[Any] = []
    if log_pool(log)[0] > 0:
        predicted = log_scaled(log_capacity_by_requests(job, 0), 1 / length)
        layouts = log_layouts(job, job["cache"], job["state"].gpus)
        for place in range(1, len(layouts)):
            guesses.append(
                [log_scaled(log_capacity_by_requests(job, place), 1 / length), layouts[place]["said"], "rule"]
            )
        for guess in log_token_guesses(job):
            guesses.append([log_scaled(guess[0], 1 / length), guess[1], guess[2]])
    else:
        predicted = log_scaled(log_exactly(log_tokens(log)), 1 / length)
        log_even_guesses(guesses, job)
        fewer = (
            "The printed tokens are the pool shared out evenly among groups of layers, but layers with a window or a "
            "recurrent state need less of it."
        )
        if log_has_groups(job["shape"]):
            guesses.append([log_exactly(0), fewer, "else"])
        guesses.append(
            [log_exactly(0), "The log prints neither the pool nor the tokens that it holds.", "else"]
        )
    log_row(rows, label, "requests", log_range(log, "concurrency"), predicted, guesses)


def log_has_groups(shape: Shape) -> bool:
    """Whether layers are of more than one kind, so that vLLM groups them."""
    return len(shape.groups) > 1 or shape.state_bytes > 0


def log_capacity_by_requests(job: Job, place: int) -> list[float]:
    """Tokens in requests of the full length, whichever way the engine prints its tokens."""
    layout = log_layouts(job, job["cache"], job["state"].gpus)[place]
    return log_held_range(job, log_plan_layout(layout, False, ""), 1)


def log_even_guesses(guesses: list[Any], job: Job) -> None:
    """Requests that the printed tokens stand for if they are the pool shared out evenly among groups of layers."""
    for layout in log_layouts(job, job["cache"], job["state"].gpus):
        if layout["even"] and layout["groups"] > 1:
            blocks = log_tokens(job["log"]) // layout["block"] * layout["groups"]
            low = blocks / layout["request_blocks"]
            high = (blocks + layout["groups"] - 1) / layout["request_blocks"]
            guesses.append([[low, low, high], layout["said"], "rule"])


def log_need(job: Job, kind: CacheType, gpus: int) -> list[float]:
    """Bytes on each GPU that the longest request may hold; the error counts all stages of a pipeline."""
    return log_exactly(log_needed(log_layouts(job, kind, gpus)[0]) * log_stage_factor(job))


def log_stage_factor(job: Job) -> float:
    """All layers over those of a pipeline's fullest stage."""
    layers = max(1, log_caching_layers(job["shape"]))
    return layers / max(1, ceil_div(layers, log_stages(job)))


def log_chunk_guesses(guesses: list[Any], job: Job, measure: Any) -> None:
    """Adds other prefill chunks, which windowed layers make room for, where the log does not say."""
    log = job["log"]
    if log["engine"] != "vllm" or log_says(log, "batched_tokens") or log_kind_layers(job["shape"], True) == 0:
        return
    for chunk in LOG_CHUNKS:
        other = log_job_at(job, log_length(job))
        other["chunk"] = chunk
        said = "prompts were read in chunks of " + text_whole(chunk) + " tokens (max_num_batched_tokens)"
        guesses.append([measure(other, job["cache"], job["state"].gpus), said, "would"])


def log_kind_layers(shape: Shape, window: bool) -> int:
    """How many layers keep only a window, or how many keep every token."""
    layers = 0
    for group in shape.groups:
        if (group.window is not None) == window:
            layers += group.layers
    return layers


def log_need_row(rows: list[Comparison], job: Job) -> None:
    """The cache one request of the full length needs, from the error that refuses to start."""
    cache = job["cache"]
    gpus = job["state"].gpus
    log = job["log"]
    guesses: list[Any] = []
    layouts = log_layouts(job, cache, gpus)
    for layout in layouts[1:]:
        if not layout["even"]:
            guesses.append([log_exactly(log_needed(layout)), layout["said"], "rule"])
    if log_stages(job) > 1:
        stage = "The error counts one stage of the pipeline."
        guesses.append([log_exactly(log_needed(layouts[0])), stage, "fact"])
    for guess in log_readings(job, log_need):
        guesses.append(guess)
    log_chunk_guesses(guesses, job, log_need)
    if gpus > 1 and log_stages(job) == 1:
        whole = "no head were split over GPUs, as with pipeline stages, whose layers this error counts all"
        guesses.append([log_need(job, cache, 1), whole, "would"])
    flat = log_flat_need(job)
    if log_has_groups(job["shape"]):
        guesses.append([flat, LOG_NO_WINDOWS, "rule"])
    if log_has_latent(job["shape"]):
        guesses.append([log_scaled(flat, 2), LOG_TWO_LATENTS, "would"])
    layers = log_caching_layers(job["shape"])
    extra = log_extra_layer(job)
    guesses.append([log_scaled(log_need(job, cache, gpus), (layers + 1) / layers), extra[0], extra[1]])
    none = (
        "No cache type of the engine and no number of GPUs gives this figure: the model or the prefill chunk may not "
        "be the log's."
    )
    guesses.append([log_exactly(0), none, "else"])
    label = LOG_NEED_LABEL + text_whole(log_length(job)) + " tokens, each GPU"
    log_row(rows, label, "bytes", log_range(log, "needed_bytes"), log_need(job, cache, gpus), guesses)


def log_flat_need(job: Job) -> list[float]:
    """Bytes of a request of the full length if every layer held every token."""
    block = log_block(job["log"])
    gpus = job["state"].gpus
    block_bytes = vllm_block_bytes(job["shape"], job["cache"], job["cache"], gpus, block)
    return log_exactly(block_bytes * ceil_div(log_length(job), block))


def log_longest_row(rows: list[Comparison], job: Job) -> None:
    """The longest request that the engine says would fit, against what its pool holds."""
    log = job["log"]
    said = log_range(log, "estimated_max_len")
    if said[0] == 0 or log_pool(log)[0] <= 0 or log_has_groups(job["shape"]):
        return
    predicted = log_capacity(job, job["cache"], job["state"].gpus)
    log_row(rows, "Longest request that would fit", "tokens", said, predicted, log_token_guesses(job))


def log_weights(job: Job, kind: WeightType, gpus: int) -> int:
    """Bytes of weights of the type ``kind`` on each of ``gpus`` GPUs, in as many pipeline stages as the log says."""
    weights = log_all_weights(job, kind)
    return ceil_div(stage_weights(weights, job["shape"].num_hidden_layers, log_stages(job)), gpus)


def log_all_weights(job: Job, kind: WeightType) -> int:
    """Bytes of one copy of the weights in the type ``kind``; the scenario's own GiB where that is its type."""
    if job["state"].weights_gib > 0 and kind.id == job["state"].weights:
        return int(job["state"].weights_gib * GIB)
    return typed_weights(job["shape"], kind.bits, kind.kept)


def log_weight_names(log: Log) -> list[str]:
    """Ids of the catalog's weight types that the quantisation named in the log may mean; empty for none or unknown."""
    said = log_type_name(log, "quantization")
    if said == "":
        return []
    for name in ["fp8", "int8", "awq", "gptq", "nvfp4", "mxfp4"]:
        if said.find(name) >= 0:
            return [name]
    if said.find("bitsandbytes") >= 0:
        return ["int4"]
    return ["fp8", "int8", "int4"]


def log_weights_row(rows: list[Comparison], job: Job) -> None:
    """Weights on one GPU; nothing is said of a model whose number of parameters is not known."""
    log = job["log"]
    if job["shape"].parameters == 0:
        return
    types = job["catalog"].weights
    ours = types[job["state"].weights]
    gpus = job["state"].gpus
    predicted = log_weights(job, ours, gpus)
    printed = log_range(log, "weights_bytes")
    guesses: list[Any] = []
    named = log_weight_names(log)
    for key in types:
        if types[key].bits == ours.bits:
            continue
        if key in named:
            name = log_type_name(log, "quantization")
            came = types[key].name
            said = (
                f"The log names {name} weights; {came} is what this comes to, the scenario has {ours.name}."
            )
            guesses.append([log_near(log_weights(job, types[key], gpus)), said, "fact"])
        elif len(named) == 0 and key in LOG_COMMON_WEIGHTS:
            guesses.append([log_exactly(log_weights(job, types[key], gpus)), "the weights were " + types[key].name,
                            "weights"])  # fmt: skip
    offload = log_value(log, "offload_bytes")
    missing = predicted - printed[0]
    if missing > 0 and missing <= offload:
        said = (
            f"{text_bytes(int(offload))} of the weights may stay in host memory (cpu_offload_gb); "
            f"{text_bytes(int(missing))} are not on the GPU."
        )
        guesses.append([printed, said, "fact"])
    for count in log_gpus_to_try(job):
        guess = log_gpus_guess(job, log_exactly(log_weights(job, ours, count)), count)
        if guess[2] == "would":
            guess[2] = "weights"
        guesses.append(guess)
    if missing > 0 and log["engine"] == "vllm" and offload == 0:
        host = text_bytes(int(missing)) + " of them stayed in host memory (--cpu-offload-gb)"
        guesses.append([printed, host, "also"])
    if printed[0] > predicted:
        more = (
            f"{text_bytes(int(-missing))} more than the model's parameters take in this type: a checkpoint may hold "
            "scales, layers left in 16 bits, image or draft parts besides."
        )
        guesses.append([log_exactly(0), more, "else"])
    less = (
        f"{text_bytes(int(max(0, missing)))} less than the model's parameters take in this type: other weights, "
        "more GPUs, layers in host memory or another model."
    )
    guesses.append([log_exactly(0), less, "else"])
    log_row(rows, "Weights, each GPU", "bytes", printed, log_exactly(predicted), guesses)


def log_near(value: float) -> list[float]:
    """A figure of weights as a range: scales and layers left in 16 bits come on top."""
    return [value, value * (1 - LOG_WEIGHTS_CLOSE), value * 1.25]


def log_card(job: Job) -> float:
    """Bytes of one card: as the log prints them, else the scenario's card."""
    return log_value(job["log"], "card_bytes", deploy_card(job["state"], job["catalog"])["memory"])


def log_share(job: Job) -> float:
    """Percent of a card the engine may use: as the log says, else the scenario's."""
    log = job["log"]
    return log_value(log, "utilisation", log_value(log, "static_share", job["state"].utilisation))


def log_usable(job: Job) -> float:
    """Bytes of one card the engine may use: as printed, else its share of the card."""
    return log_value(job["log"], "usable_bytes", log_card(job) * log_share(job) / 100)


def log_pool_row(rows: list[Comparison], job: Job) -> None:
    """Memory left for the cache on one GPU: what the engine may use less what it says it keeps for other things."""
    log = job["log"]
    pool = log_pool(log)
    said = log_pool_by_engine(log)
    label = "Memory for the cache, each GPU"
    if not log_says(log, "kv_cache_bytes") and len(log_own_pools(log)) == 0:
        return
    if pool[0] < 0:
        log_missing_row(rows, label, -pool[0])
        return
    if said[0] > 0:
        log_row(rows, label, "bytes", pool, said, log_pool_guesses(job))
        return
    state = job["state"]
    ours = log_weights(job, job["catalog"].weights[state.weights], state.gpus)
    reserve = int(state.reserve * GIB)
    left = log_usable(job) - log_value(log, "weights_bytes", ours) - reserve
    log_row(rows, label, "bytes", pool, log_exactly(left), log_pool_guesses(job))


def log_missing_row(rows: list[Comparison], label: str, missing: float) -> None:
    """The row of a pool that is negative: by how much the rest does not fit."""
    lacking = text_gib(int(missing))
    rows.append(
        {
            "label": label,
            "logged": "-" + lacking,
            "predicted": "not decided by bytes",
            "ratio": 0.0,
            "verdict": "unknown",
            "reason": "Weights, activations and graphs take " + lacking + " more than the engine may use.",
            "figures": [-missing, 0],
            "unit": "bytes",
        }
    )


def log_pool_guesses(job: Job) -> list[Any]:
    """What may lie between the predicted pool and the printed one."""
    log = job["log"]
    state = job["state"]
    pool = log_pool(log)
    ours = log_weights(job, job["catalog"].weights[state.weights], state.gpus)
    weights = log_value(log, "weights_bytes", ours)
    left = log_usable(job) - weights
    reserve = int(state.reserve * GIB)
    guesses: list[Any] = []
    measured = log_activation(log)[0] + log_value(log, "other_bytes")
    if measured > 0:
        said = (
            f"Activations: the engine set {text_bytes(int(measured))} aside for them and outside PyTorch; "
            f"the scenario's reserve is {text_bytes(reserve)}."
        )
        guesses.append([log_exactly(left - measured), said, "fact"])
    if log_set_by_hand(log):
        guesses.append([log_exactly(0), "The size was set by hand (kv_cache_memory_bytes).", "fact"])
    missing = left - reserve - pool[0]
    most = log_card(job) * LOG_ACTIVATION_PERCENT / 100
    if log["engine"] == "vllm" and log_says(log, "weights_bytes") and missing > 0 and missing <= most:
        said = (
            "If the card and the engine's share of it are the scenario's, the engine measured "
            f"{text_bytes(int(missing + reserve))} for activations, graphs and outside PyTorch; the log does not print "
            "them."
        )
        guesses.append([log_exactly(0), said, "unknown"])
    none = (
        "The log does not print all parts of its budget; the card, the share that the engine takes or the weights may "
        "not be the scenario's."
    )
    guesses.append([log_exactly(0), none, "unknown"])
    return guesses


def log_set_by_hand(log: Log) -> bool:
    """Whether vLLM's pool was set in bytes, whatever share of the card it may use."""
    finding = log_finding(log, "kv_cache_bytes")
    return finding is not None and finding["line"].lower().find("as specified") >= 0


def log_swap_blocks(job: Job, kind: CacheType, gpus: int) -> list[float]:
    """Blocks in vLLM's swap space, as the log sets it or 4 GiB; windows never counted there."""
    space = log_value(job["log"], "swap_bytes", LOG_SWAP_BYTES)
    values = log_values(job, kind)
    block_bytes = max(1, vllm_block_bytes(job["shape"], kind, values, gpus, log_block(job["log"])))
    return log_exactly(space // block_bytes)


def log_swap_row(rows: list[Comparison], job: Job) -> None:
    """Blocks in swap space: an exact check of one block's bytes, since no profiling enters it (vLLM V0)."""
    predicted = log_swap_blocks(job, job["cache"], job["state"].gpus)
    guesses = log_readings(job, log_swap_blocks)
    space = log_value(job["log"], "swap_bytes", LOG_SWAP_BYTES)
    if not log_says(job["log"], "swap_bytes"):
        for other in [1, 2, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64]:
            said = "swap space were set to " + text_whole(other) + " GiB (the default is 4)"
            guesses.append([log_scaled(predicted, other * GIB / LOG_SWAP_BYTES), said, "would"])
    guesses.append([log_exactly(0), LOG_OTHER_MODEL, "else"])
    label = "Blocks in " + text_bytes(int(space)) + " of swap space"
    log_row(rows, label, "blocks", log_range(job["log"], "cpu_blocks"), predicted, guesses)


def log_slots_row(rows: list[Comparison], job: Job) -> None:
    """SGLang's pool of recurrent states: one slot more than it prints, which padding writes to."""
    log = job["log"]
    slots = log_value(log, "state_slots")
    conv = log_range(log, "conv_bytes")
    states = log_range(log, "state_bytes")
    if slots == 0 or states[0] == 0:
        return
    printed = [conv[0] + states[0], conv[1] + states[1], conv[2] + states[2]]
    each = ceil_div(job["shape"].state_bytes, job["state"].gpus)
    guesses: list[Any] = []
    for count in log_gpus_to_try(job):
        other = ceil_div(job["shape"].state_bytes, count) * (slots + 1)
        guesses.append(log_gpus_guess(job, log_exactly(other), count))
    none = "The model's recurrent layers or the type of their state may not be the log's."
    guesses.append([log_exactly(0), none, "else"])
    label = "Recurrent states of " + text_count(int(slots), "slot") + ", each GPU"
    log_row(rows, label, "bytes", printed, log_exactly(each * (slots + 1)), guesses)


def log_workspace_row(rows: list[Comparison], job: Job) -> None:
    """What AITER's attention wanted in vain beside SGLang's pools, where the log shows that it was this."""
    log = job["log"]
    shape = job["shape"]
    tokens = int(log_value(log, "max_len", job["catalog"].models[job["state"].model].max_context))
    if not log_says(log, "aiter") or tokens <= 0 or len(shape.groups) == 0:
        return
    heads = ceil_div(shape.num_attention_heads, job["state"].gpus)
    requests = int(log_value(log, "most_requests", SGLANG_REQUESTS))
    predicted = sglang_aiter_workspace(requests, heads, tokens, shape.groups[0].value_width)
    none = "The model, its longest request or the most requests at once may not be the log's."
    label = "Workspace of AITER's attention, each GPU"
    printed = log_range(log, "tried_bytes")
    log_row(rows, label, "bytes", printed, log_exactly(predicted), [[log_exactly(0), none, "else"]])


# --- engines that lay out cells for every slot ------------------------------------------------------------


def log_cells_held(log: Log) -> list[float]:
    """Bytes of the whole cache as llama.cpp or Ollama print it."""
    if log_says(log, "kv_cache_bytes"):
        return log_range(log, "kv_cache_bytes")
    return log_range(log, "kv_buffer_bytes")


def log_cells_refused(log: Log) -> bool:
    """Whether a device had no memory for its part of the cache: what other devices print is not all of it."""
    return log_says(log, "failed_kv") and not log_says(log, "kv_cache_bytes")


def log_cells_rows(rows: list[Comparison], job: Job) -> None:
    """llama.cpp and Ollama: the whole cache on all devices, and the estimate made before."""
    log = job["log"]
    predicted = log_exactly(log_cells_bytes(job, job["cache"], job["values"], True))
    guesses = log_cells_guesses(job)
    if not log_cells_refused(log):
        log_row(rows, "KV cache, all devices", "bytes", log_cells_held(log), predicted, guesses)
    estimate = log_range(log, "kv_estimate_bytes")
    log_row(rows, "KV cache, the engine's estimate", "bytes", estimate, predicted, guesses)
    table = log_range(log, "breakdown")
    if log_cells_held(log)[0] == 0:
        state = log_state_predicted(job)
        both = log_exactly(predicted[0] + state)
        log_row(rows, "Cache and states, by the memory breakdown", "bytes", table, both, guesses)


def log_cells_guesses(job: Job) -> list[Any]:
    """Guesses at the bytes of the cache: other types, and other ways to lay it out."""
    log = job["log"]
    caches = job["catalog"].caches
    cache = job["cache"]
    guesses: list[Any] = []
    k_name = log_type_id(log, "k_type")
    v_name = log_type_id(log, "v_type")
    if k_name != "" and v_name not in ("", k_name):
        keys = caches[k_name]
        values = caches[v_name]
        said = f"The log's keys are {keys.name} and its values {values.name}, the scenario's {cache.name}."
        guesses.append([log_exactly(log_cells_bytes(job, keys, values, True)), said, "fact"])
    for kind in log_types_to_try(job):
        guesses.append(log_type_guess(job, log_exactly(log_cells_bytes(job, kind, kind, True)), kind))
    # Ways to lay a cache out are tried with the log's own types alone.
    if log_said_type(log) in ("", job["state"].cache):
        log_layout_guesses(guesses, job)
    layers = max(1, log_caching_layers(job["shape"]))
    ours = log_cells_bytes(job, cache, job["values"], True)
    said_layers = log_value(log, "layers")
    if said_layers > 0 and said_layers != layers:
        said = (
            f"The log's cache has {text_count(int(said_layers), 'layer')}, the scenario's model {text_whole(layers)}: "
            "one for a draft head, or another model."
        )
        guesses.append([log_exactly(ours / layers * said_layers), said, "fact"])
    log_kind_guesses(guesses, job)
    held = log_cells_held(log)
    tokens = 0 if log_laid(log) or not log_is_sharp(held) else log_tokens_within(job, held)
    if tokens > 0 and tokens % LOG_CELLS_STEP == 0:
        at = log_job_at(job, tokens)
        fitting = log_exactly(log_cells_bytes(at, cache, job["values"], True))
        guesses.append([fitting, "the context were " + text_whole(tokens) + " tokens", "would"])
    extra = log_extra_layer(job)
    guesses.append([log_exactly(ours / layers * (layers + 1)), extra[0], extra[1]])
    guesses.append(
        [log_exactly(0), "The model, the context or the number of slots may not be the log's.", "else"]
    )
    return guesses


def log_tokens_of(job: Job, held: float) -> int:
    """Tokens of each slot that the model set keeps in ``held`` bytes of cells, up to a context that no log has."""
    low = 0
    high = LOG_MOST_TOKENS
    while low < high:
        middle = (low + high + 1) // 2
        if log_cells_bytes(log_job_at(job, middle), job["cache"], job["values"], True) <= held:
            low = middle
        else:
            high = middle - 1
    return low


def log_is_sharp(held: list[float]) -> bool:
    """Whether a figure is printed with digits enough to tell the tokens that take so much."""
    return held[2] - held[1] <= held[0] * LOG_CLOSEST


def log_tokens_within(job: Job, held: list[float]) -> int:
    """Tokens of each slot that the model set keeps in a range of bytes: of those that print so, the roundest."""
    most = log_tokens_of(job, held[2])
    step = LOG_MOST_TOKENS
    while step >= LOG_CELLS_STEP:
        tokens = most - most % step
        if tokens > 0 and (
            log_cells_bytes(log_job_at(job, tokens), job["cache"], job["values"], True) >= held[1]
        ):
            return tokens
        step = step // 2
    return log_tokens_of(job, held[0])


def log_layout_guesses(guesses: list[Any], job: Job) -> None:
    """Adds the ways in which llama.cpp lays out a cache other than the plain one."""
    cache = job["cache"]
    if log_has_groups(job["shape"]):
        flat = log_cells_bytes(job, cache, job["values"], False)
        guesses.append([log_exactly(flat), LOG_NO_WINDOWS, "rule"])
    if log_has_latent(job["shape"]):
        stored = "The build stores the latent again as values, as llama.cpp did before 2026."
        guesses.append([log_exactly(log_latent_bytes(job, cache, False)), stored, "rule"])
        unfolded = "The file keeps whole keys and values for every head instead of the latent."
        guesses.append([log_exactly(log_latent_bytes(job, cache, True)), unfolded, "rule"])
    padded = "Without flash attention each layer's values are padded to the widest layer's."
    guesses.append([log_exactly(log_padded_bytes(job, cache)), padded, "rule"])


def log_kind_guesses(guesses: list[Any], job: Job) -> None:
    """Adds the cache of one kind of layers alone, where the log counts just these: the other's line is not here."""
    for window in [False, True]:
        layers = log_kind_layers(job["shape"], window)
        groups = [group for group in job["shape"].groups if (group.window is not None) == window]
        others = log_kind_layers(job["shape"], not window)
        if layers == 0 or others == 0 or layers != log_value(job["log"], "layers"):
            continue
        kept = "with a window" if window else "that keep every token"
        said = (
            f"The log's line is of the {text_count(layers, 'layer')} {kept}; the other cache's is not here."
        )
        guesses.append([log_exactly(log_groups_bytes(job, groups, job["cache"], window)), said, "fact"])


def log_state_predicted(job: Job) -> int:
    """Bytes of recurrent state of all slots, in the model's own types."""
    return job["shape"].state_bytes * int(max(1, log_value(job["log"], "slots", 1)))


def log_state_row(rows: list[Comparison], job: Job) -> None:
    """Recurrent state of all slots; llama.cpp keeps the convolution's part at 32 bits."""
    state_bytes = job["shape"].state_bytes
    printed = log_range(job["log"], "state_bytes")
    guesses: list[Any] = []
    # The convolution's part is a twentieth or less; at 32 bits instead of 16 it doubles.
    for copies in [1, 2, 3, 4, 5, 6, 8, 16, 32]:
        least = state_bytes * copies
        said = (
            f"The log keeps {text_count(copies, 'state')}, one for each slot or draft to roll back, and llama.cpp the "
            "convolution's part in 32 bits."
        )
        guesses.append([[least, least, least * 1.05], said, "rule"])
    none = "The model's recurrent layers, or the number of slots, may not be the log's."
    guesses.append([log_exactly(0), none, "else"])
    predicted = log_exactly(log_state_predicted(job))
    log_row(rows, "Recurrent state, all slots", "bytes", printed, predicted, guesses)


def log_file_row(rows: list[Comparison], job: Job) -> None:
    """The weights as the file holds them, or as they were loaded."""
    log = job["log"]
    printed = log_range(log, "file_bytes")
    if printed[0] == 0:
        printed = log_range(log, "model_buffer_bytes")
    parameters = job["shape"].parameters
    if printed[0] == 0 or parameters == 0:
        return
    ours = job["catalog"].weights[job["state"].weights]
    bits = text_fixed(printed[0] * 8 / parameters, 2)
    said = f"That is {bits} bits per parameter of the scenario's model, whose weights are set to {ours.name}."
    predicted = log_exactly(log_all_weights(job, ours))
    log_row(rows, "Weights, all devices", "bytes", printed, predicted, [[log_exactly(0), said, "fact"]])


def log_other_row(rows: list[Comparison], other: Other) -> None:
    """What else started with the model: a draft, a second context, a data-parallel copy."""
    beside = log_beside(other)
    said = "Its cache is its own and is not added to the model's."
    name = other["name"]
    log_row_beside(rows, "KV cache, " + name, "bytes", log_cells_held(beside), said)
    if name.find("data-parallel") >= 0:
        log_row_beside(rows, "Tokens, " + name, "tokens", log_range(beside, "kv_tokens"), said)


def log_row_beside(rows: list[Comparison], label: str, unit: str, printed: list[float], said: str) -> None:
    """A row of what the scenario does not size; ``said`` is why it is there."""
    log_row(rows, label, unit, printed, log_exactly(0), [[log_exactly(0), said, "else"]])


def log_projector_row(rows: list[Comparison], log: Log) -> None:
    """A vision projector's weights and graph, which llama.cpp and Ollama keep beside the model."""
    weights = log_range(log, "projector_bytes")
    graph = log_range(log, "projector_graph_bytes")
    printed = [weights[0] + graph[0], weights[1] + graph[1], weights[2] + graph[2]]
    said = "It is a file of its own and is not added to the model's weights."
    label = "Vision projector, weights and graph" if graph[0] > 0 else "Vision projector, weights"
    log_row_beside(rows, label, "bytes", printed, said)


def log_loads_rows(rows: list[Comparison], log: Log) -> None:
    """The caches of other models that Ollama loaded in the same text, the latest LOG_LOADS of them."""
    known = [log_cells_held(log)[0]]
    place = len(log["starts"]) - 1
    while place >= 0 and len(known) <= LOG_LOADS:
        beside = log_beside({"name": "", "findings": log["starts"][place]["findings"]})
        held = log_cells_held(beside)
        if held[0] > 0 and held[0] not in known:
            known.append(held[0])
            said = "Another load of Ollama's, not added; whether it was still loaded these lines do not say."
            label = "KV cache, start " + text_whole(place + 1)
            log_row_beside(rows, label, "bytes", held, said)
        place -= 1


def log_summary(log: Log) -> str:
    """What was recognised, in one or two sentences for the page's live region."""
    if log["engine"] is None:
        return "Nothing in this text was recognised as an engine's start-up log." + log_unread(log)
    said = "A log of " + LOG_ENGINES[log["engine"]] + ": " + text_count(len(log["findings"]), "figure")
    starts = len(log["starts"])
    if starts > 1:
        said = said + " of start " + text_whole(log["start"] + 1) + " of " + text_whole(starts)
    return said + "." + log_unread(log)


def log_unread(log: Log) -> str:
    """How much of a text too long was left out, in a sentence; "" if nothing."""
    if log["unread"] == 0:
        return ""
    return " The text is too long: " + text_whole(log["unread"]) + " characters in its middle were not read."
