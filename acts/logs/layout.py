"""How each engine lays a model's cache out in memory, given what its log says: blocks, pages, cells, states.

Pure functions, compiled by :mod:`acts.twin`. ``job`` holds log, shape, state, catalog and cache (the scenario's
cache type). A layout is {"block_bytes", "block", "request_blocks", "groups", "even", "said"}: the bytes of one
block on one GPU, its tokens, the blocks a request of the full length may hold, the groups of layers that share
the blocks, whether the engine prints their tokens shared out evenly, and the layout in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engines.llamacpp import LLAMACPP_UBATCH, llamacpp_swa_cells
from ..engines.types import engine_cache_id
from ..engines.vllm import (
    VLLM_BLOCK_TOKENS,
    vllm_block_bytes,
    vllm_blocks,
    vllm_hybrid_block,
    vllm_packed_latent,
    vllm_plan,
    vllm_request_blocks,
    vllm_spec,
    vllm_state_blocks,
    vllm_tokens_by_groups,
    vllm_tokens_by_requests,
)
from ..sizing import ceil_div, entry_bytes, heads_per_gpu, vector_bytes
from ..text import text_whole

if TYPE_CHECKING:
    from ..catalog import CacheType
    from ..contracts import Finding, Job, Layout, Log, Other, Plan, Pool, Spec
    from ..sizing import LayerGroup, Shape
    from ..value_type import ValueType

# The largest prefill chunk vLLM's own default allows; a window's cache grows with it.
LOG_BATCHED_TOKENS = 8192

# TensorRT-LLM's default share of the free memory, in percent.
LOG_FREE_PERCENT = 90

# Values of a latent that carry positions, in every published model with one (qk_rope_head_dim).
LOG_LATENT_ROPE = 64

# The type of latents packed for sparse attention, as vLLM calls it.
LOG_PACKED = "fp8_ds_mla"

LOG_NOT_PACKED = "The build stores latents in plain FP8, not packed with scales and 16-bit positions."

# Percent of a recurrent layer's state that a draft's row of its convolution may take: 1.6 in Qwen3-Next (8,192 inputs
# beside 32 x 128 x 128 values), 1.0 in Nemotron-H (10,240 beside 128 x 64 x 128).
LOG_DRAFT_ROW = 2

# Names of types that take the bytes of another: engines' own, which the catalog does not list.
LOG_SAME_BYTES: dict[str, str] = {
    "iq4_nl": "q4_0",
    "int8_per_token_head": "int8",
    "fp8_per_token_head": "int8",
}


# Weight types that a log is tried with where it names none.
LOG_COMMON_WEIGHTS = ["bf16", "fp8", "int8", "int4"]


def log_beside(other: Other) -> Log:
    """What started beside a start, as a log of its own."""
    return {
        "engine": "",
        "findings": other["findings"],
        "others": [],
        "starts": [],
        "start": 0,
        "looked_for": [],
        "unread": 0,
    }


def log_finding(log: Log, key: str) -> Finding | None:
    """The finding ``key``; None if the log does not say."""
    for finding in log["findings"]:
        if finding["key"] == key:
            return finding
    return None


def log_value(log: Log, key: str, otherwise: float = 0) -> float:
    """The value of the finding ``key``, or ``otherwise`` if the log does not say."""
    finding = log_finding(log, key)
    if finding is None:
        return otherwise
    return finding["value"]


def log_says(log: Log, key: str) -> bool:
    """Whether the log says ``key``."""
    return log_finding(log, key) is not None


def log_type_name(log: Log, key: str) -> str:
    """The name found under ``key``; empty if the log does not say."""
    finding = log_finding(log, key)
    if finding is None:
        return ""
    return finding["value"]


def log_type_id(log: Log, key: str) -> str:
    """The catalog's cache type whose bytes the type named under ``key`` takes; empty if there is none."""
    name = log_type_name(log, key)
    same = LOG_SAME_BYTES.get(name, "")
    if same != "":
        return same
    if key == "quant_policy":
        return ""
    return engine_cache_id(name)


def log_said_type(log: Log) -> str:
    """The id of the cache type the log names, for keys at least; empty if it names none."""
    policy = log_value(log, "quant_policy")
    if policy == 8:
        return "int8"
    if policy == 4:
        return "int4"
    for key in ["cache_type", "k_type"]:
        found = log_type_id(log, key)
        if found != "":
            return found
    return ""


def log_said_name(log: Log) -> str:
    """The cache type as the log calls it; empty if it names none."""
    for key in ["cache_type", "k_type"]:
        if log_type_name(log, key) != "":
            return log_type_name(log, key)
    if log_says(log, "quant_policy"):
        return log_said_type(log)
    return ""


def log_range(log: Log, key: str) -> list[float]:
    """The printed figure, and the least and most that print so; zeros if the log does not say."""
    finding = log_finding(log, key)
    if finding is None:
        return [0, 0, 0]
    value = finding["value"] - finding["below"]
    # Figure and step are cut to whole bytes.
    half = finding["step"] / 2 + (1 if finding["step"] > 1 else 0)
    return [value, value - half, value + half]


def log_activation(log: Log) -> list[float]:
    """Bytes of the activation peak as a range: as printed, else PyTorch's peak less the weights; zeros if not said."""
    peak = log_range(log, "peak_bytes")
    if log_says(log, "activation_bytes") or peak[0] == 0:
        return log_range(log, "activation_bytes")
    weights = log_range(log, "weights_bytes")
    if weights[0] == 0 or weights[0] > peak[0]:
        return [0, 0, 0]
    return [peak[0] - weights[0], peak[1] - weights[2], peak[2] - weights[1]]


def log_usable_said(log: Log) -> list[float]:
    """Bytes of one card that vLLM may use as a range: as printed, else its share of the card where both are printed."""
    card = log_range(log, "card_bytes")
    if log_says(log, "usable_bytes") or log["engine"] != "vllm" or not log_says(log, "utilisation"):
        return log_range(log, "usable_bytes")
    share = log_value(log, "utilisation") / 100
    return [card[0] * share, card[1] * share, card[2] * share]


def log_exactly(value: float) -> list[float]:
    """A figure that nothing rounds, as a range."""
    return [value, value, value]


def log_values(job: Job, kind: CacheType) -> CacheType:
    """The type of values beside keys of ``kind``: the scenario's where the keys are its own, else the same."""
    return job["values"] if kind.id == job["cache"].id else kind


# --- engines with a pool of blocks ------------------------------------------------------------------------


def log_block(log: Log) -> int:
    """Tokens a block or page holds in the log's engine."""
    usual = 1
    if log["engine"] == "vllm":
        usual = VLLM_BLOCK_TOKENS
    if log["engine"] == "lmdeploy" or log["engine"] == "tensorrt-llm":
        usual = 64
    return int(max(1, log_value(log, "block_tokens", usual)))


def log_pool(log: Log) -> list[float]:
    """Bytes of the cache on one GPU, as printed, or as keys and values, or as blocks: the figure, least and most."""
    if log_says(log, "kv_cache_bytes"):
        return log_range(log, "kv_cache_bytes")
    pools = log_own_pools(log)
    if len(pools) > 0:
        # Beside a pool of windowed layers the other is not all of it; a draft model's is not the model's.
        size = pools[0]["bytes"]
        half = pools[0]["step"] / 2
        if len(pools) == 2 and log_window_tokens(log) > 0:
            size += pools[1]["bytes"]
            half += pools[1]["step"] / 2
        return [size, size - half, size + half]
    keys = log_range(log, "k_bytes")
    values = log_range(log, "v_bytes")
    if keys[0] > 0:
        return [keys[0] + values[0], keys[1] + values[1], keys[2] + values[2]]
    taken = log_pools_taken(log)
    if taken[0] > 0:
        return taken
    # LMDeploy shifts a block's bytes down to whole MiB.
    block = log_finding(log, "block_bytes")
    blocks = log_value(log, "gpu_blocks")
    if block is None or blocks == 0:
        return log_free_pool(log)
    return [block["value"] * blocks, block["value"] * blocks, (block["value"] + block["step"]) * blocks]


def log_pools_taken(log: Log) -> list[float]:
    """Bytes that SGLang's pools took, as a range: free once the weights were loaded less free once they stood."""
    after = log_finding(log, "free_bytes")
    if log["engine"] != "sglang" or after is None or after["line"].lower().find("memory pool end") < 0:
        return [0, 0, 0]
    before = log_range(log, "loaded_bytes")
    left = log_range(log, "free_bytes")
    return [max(0, before[0] - left[0]), before[1] - left[2], before[2] - left[1]]


def log_free_pool(log: Log) -> list[float]:
    """The pool as TensorRT-LLM sizes it: a share of the memory that is FREE once the engine is loaded, 0.9 unless set
    (https://nvidia.github.io/TensorRT-LLM/, KvCacheConfig.free_gpu_memory_fraction).
    """
    free = log_range(log, "start_bytes")
    if log["engine"] != "tensorrt-llm":
        return [0, 0, 0]
    share = log_value(log, "free_share", LOG_FREE_PERCENT) / 100
    return [free[0] * share, free[1] * share, free[2] * share]


def log_pool_by_engine(log: Log) -> list[float]:
    """The pool as the engine's own printed budget gives it, as a range; 0 where the log does not print all of it."""
    if log["engine"] == "sglang":
        return log_static_pool(log)
    if log["engine"] == "tensorrt-llm":
        return log_free_pool(log)
    usable = log_usable_said(log)
    activation = log_activation(log)
    held = log_range(log, "consumed_bytes")
    if held[0] == 0 and activation[0] == 0 and log_says(log, "peak_bytes"):
        # Weights and activations in one figure.
        activation = log_range(log, "peak_bytes")
        held = log_range(log, "other_bytes")
    elif held[0] == 0:
        weights = log_range(log, "weights_bytes")
        other = log_range(log, "other_bytes")
        held = [weights[0] + other[0], weights[1] + other[1], weights[2] + other[2]]
        if weights[0] == 0 or not log_says(log, "other_bytes"):
            return log_exactly(0)
    if usable[0] == 0 or activation[0] == 0:
        return log_exactly(0)
    # vLLM V1 has taken its estimate of the graphs off the pool since 2026; what they came to is printed later.
    graphs = log_value(log, "graph_estimate_bytes")
    most = usable[2] - held[1] - activation[1] - graphs
    least = usable[1] - held[2] - activation[2] - graphs
    if graphs == 0 and log_says(log, "consumed_bytes"):
        least = least - log_value(log, "graph_bytes") * 3
    return [usable[0] - held[0] - activation[0] - graphs, least, most]


def log_static_pool(log: Log) -> list[float]:
    """SGLang's pool: what is free once the weights are loaded, less the share of the first free memory that it keeps
    for other things (model_runner.py, profile_max_num_token).
    """
    before = log_range(log, "start_bytes")
    after = log_range(log, "loaded_bytes")
    if before[0] == 0 or after[0] == 0 or not log_says(log, "static_share"):
        return log_exactly(0)
    kept = 1 - log_value(log, "static_share") / 100
    return [after[0] - before[0] * kept, after[1] - before[2] * kept, after[2] - before[1] * kept]


def log_own_pools(log: Log) -> list[Pool]:
    """SGLang's pools of the start in use, the largest in bytes first: a draft model's is smaller."""
    if len(log["starts"]) == 0:
        return []
    pools = log["starts"][log["start"]]["pools"]
    ordered: list[Pool] = []
    for pool in pools:
        place = 0
        while place < len(ordered) and ordered[place]["bytes"] >= pool["bytes"]:
            place += 1
        ordered.insert(place, pool)
    return ordered


def log_tokens(log: Log) -> float:
    """Tokens the pool holds, as printed or as blocks times tokens a block."""
    printed = log_value(log, "kv_tokens", log_value(log, "gpu_blocks") * log_block(log))
    for pool in log_own_pools(log):
        # SGLang's pool of windowed layers holds fewer tokens than that of the others.
        printed = max(printed, pool["tokens"])
    return log_value(log, "full_tokens", printed)


def log_window_tokens(log: Log) -> float:
    """Tokens of SGLang's pool of layers with a window: as printed, else the fewer of two pools; 0 where it has none."""
    pools = log_own_pools(log)
    fewer = 0.0
    if len(pools) == 2 and pools[0]["tokens"] != pools[1]["tokens"]:
        fewer = min(pools[0]["tokens"], pools[1]["tokens"])
    return log_value(log, "window_tokens", fewer)


def log_length(job: Job) -> int:
    """Tokens of the longest request: the one asked about, else the log's, else the scenario's context."""
    if job["length"] > 0:
        return job["length"]
    return int(max(1, log_value(job["log"], "max_len", job["state"].context)))


def log_stages(job: Job) -> int:
    """Pipeline stages: the log's, else the scenario's."""
    return int(max(1, log_value(job["log"], "pipeline", job["state"].pipeline)))


def log_sequence_gpus(job: Job) -> int:
    """GPUs a sequence's tokens are split over, vLLM's decode context parallelism: the log's, else the scenario's."""
    return int(max(1, log_value(job["log"], "context_parallel", job["state"].context_parallel)))


def log_has_latent(shape: Shape) -> bool:
    """Whether the model keeps a latent instead of keys and values."""
    latents = 0
    for group in shape.groups:
        if group.kind == "latent":
            latents += group.layers
    return latents > 0


def log_caching_layers(shape: Shape) -> int:
    """Layers that cache."""
    layers = 0
    for group in shape.groups:
        if group.kind != "indexer" and group.fixed_tokens is None:
            layers += group.layers
    return layers


def log_state_layers(shape: Shape) -> int:
    """Layers that hold a recurrent state instead of a cache; 0 for a model without."""
    if shape.state_bytes == 0:
        return 0
    return max(1, shape.num_hidden_layers - log_caching_layers(shape))


def log_plan_layout(plan: Plan, even: bool, said: str) -> Layout:
    """A plan of :mod:`acts.engines.vllm` as a layout."""
    return {
        "block_bytes": max(1, plan["block_bytes"]),
        "block": plan["block"],
        "request_blocks": max(1, plan["request_blocks"]),
        "groups": max(1, plan["groups"]),
        "even": even,
        "said": said,
    }


def log_layouts(job: Job, kind: CacheType, gpus: int) -> list[Layout]:
    """Layouts the engine may have chosen, the likeliest first.

    Only vLLM counts windows and states in its figures, in groups of layers that share a pool of equal pages;
    the others print a pool in which every layer holds every token.
    """
    log = job["log"]
    flat = log_flat_layout(job, kind, gpus, False)
    if log_packs(job, kind):
        flat["said"] = LOG_NOT_PACKED
        return [log_flat_layout(job, kind, gpus, True), flat]
    if log["engine"] != "vllm":
        return [flat]
    if job["shape"].state_bytes > 0:
        return log_hybrid_layouts(job, kind, gpus)
    specs = log_specs(job, kind, gpus)
    if not log_windowed(specs):
        return [flat]
    batched = int(log_value(log, "batched_tokens", LOG_BATCHED_TOKENS))
    if job["chunk"] > 0:
        batched = job["chunk"]
    plan = log_window_plan(specs, log_length(job), batched)
    even = "The printed tokens are the pool shared out evenly among groups of layers."
    return [log_plan_layout(plan, False, ""), log_plan_layout(plan, True, even)]


def log_packs(job: Job, kind: CacheType) -> bool:
    """Whether the engine packs latents for sparse attention: those of a model with an indexer, in FP8."""
    if job["log"]["engine"] not in ("vllm", "sglang"):
        return False
    if kind.id != "fp8" and log_said_name(job["log"]) != LOG_PACKED:
        return False
    return len([group for group in job["shape"].groups if group.kind == "indexer"]) > 0


def log_packed_more(job: Job, kind: CacheType, block: int) -> int:
    """Bytes by which a block of packed latents is larger than one of plain ones."""
    more = 0
    for group in job["shape"].groups:
        if group.kind == "latent" and group.record_bytes is None:
            record = vllm_packed_latent(group.key_width - LOG_LATENT_ROPE, LOG_LATENT_ROPE)
            plain = entry_bytes(group, 1, kind, log_values(job, kind))
            more += group.layers * (record - plain) * block // group.stride
    return more


def log_flat_layout(job: Job, kind: CacheType, gpus: int, packed: bool) -> Layout:
    """Every layer holds every token of a request, in whole blocks."""
    log = job["log"]
    block = log_block(log)
    layer_bytes = vllm_block_bytes(job["shape"], kind, log_values(job, kind), gpus, block)
    if packed:
        layer_bytes += log_packed_more(job, kind, block)
    layers = max(1, log_caching_layers(job["shape"]))
    # A pipeline's fullest stage decides.
    stage_bytes = layer_bytes * ceil_div(layers, log_stages(job)) // layers
    held = block * log_sequence_gpus(job)
    plan: Plan = {
        "block_bytes": stage_bytes,
        "block": held,
        "request_blocks": ceil_div(log_length(job), held),
        "groups": 1,
    }
    return log_plan_layout(plan, False, "")


def log_specs(job: Job, kind: CacheType, gpus: int) -> list[Spec]:
    """The model's kinds of attention layers, as vLLM's plan takes them."""
    block = log_block(job["log"])
    values = log_values(job, kind)
    specs = []
    for group in job["shape"].groups:
        if group.fixed_tokens is None and group.stride == 1 and group.layers > 0:
            page = entry_bytes(group, heads_per_gpu(group.num_kv_heads, gpus), kind, values) * block
            specs.append(vllm_spec(group.layers, max(1, page), block, group.window, 0))
    return specs


def log_windowed(specs: list[Spec]) -> bool:
    """Whether any kind of layer has a window."""
    widest = 0
    for spec in specs:
        if spec["window"] is not None:
            widest = max(widest, spec["window"])
    return widest > 0


def log_window_plan(specs: list[Spec], length: int, batched: int) -> Plan:
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


def log_hybrid_layouts(job: Job, kind: CacheType, gpus: int) -> list[Layout]:
    """A hybrid model in vLLM: pages that hold a state or a block of attention, in groups of equal size.

    Whether prefix caching was on, whether a draft layer caches too, and which of two definitions of the token
    count the version prints, logs seldom say; what they say goes first.
    """
    log = job["log"]
    layouts: list[Layout] = []
    if log_caching_layers(job["shape"]) == 0:
        return [log_flat_layout(job, kind, gpus, False)]
    drafts = int(log_value(log, "drafts"))
    caching = [True, False]
    if log_value(log, "prefix_caching", 1) == 0:
        caching = [False, True]
    extra = [1, 0] if drafts > 0 else [0]
    for block in log_hybrid_blocks(job, kind, gpus, drafts):
        for more in extra:
            for cached in caching:
                counts = [vllm_state_blocks(cached, drafts), more, block]
                for even in [False, True]:
                    layouts.append(log_hybrid_layout(job, kind, gpus, counts, even))
    return layouts


def log_hybrid_token(job: Job, kind: CacheType, gpus: int) -> int:
    """Bytes of a token in a hybrid's widest attention layer on one GPU."""
    token = 1
    for group in job["shape"].groups:
        if group.fixed_tokens is None and group.layers > 0:
            heads = heads_per_gpu(group.num_kv_heads, gpus)
            token = max(token, entry_bytes(group, heads, kind, log_values(job, kind)))
    return token


def log_hybrid_blocks(job: Job, kind: CacheType, gpus: int, drafts: int) -> list[int]:
    """Tokens a block of a hybrid may hold: as printed, else as few as a state needs.

    A state keeps a row of the convolution's inputs more for each draft. A shape does not tell how wide they are,
    so that without the engine's line every block is tried up to LOG_DRAFT_ROW percent of the state a draft.
    """
    token = log_hybrid_token(job, kind, gpus)
    state = ceil_div(ceil_div(job["shape"].state_bytes, log_state_layers(job["shape"])), gpus)
    usual = vllm_hybrid_block(state, token, VLLM_BLOCK_TOKENS)
    block = int(log_value(job["log"], "block_tokens", usual))
    if block >= usual // 2 and log_says(job["log"], "block_tokens"):
        return [block]
    # What else the log says is the setting, before the engine raised it.
    widest = vllm_hybrid_block(state + state * drafts * LOG_DRAFT_ROW // 100, token, VLLM_BLOCK_TOKENS)
    return list(range(usual, widest + 1, VLLM_BLOCK_TOKENS))


def log_hybrid_layout(job: Job, kind: CacheType, gpus: int, counts: list[int], even: bool) -> Layout:
    """One layout of a hybrid; ``counts`` are the state pages a request holds, the layers a draft head adds and the
    tokens of a block.
    """
    states = counts[0]
    block = counts[2]
    shape = job["shape"]
    page = block * log_hybrid_token(job, kind, gpus)
    specs = [
        vllm_spec(log_caching_layers(shape) + counts[1], page, block, None, 0),
        vllm_spec(log_state_layers(shape), page, block, None, states),
    ]
    said = "vLLM's layout of a hybrid: a request holds " + str(states)
    said = said + (" page" if states == 1 else " pages") + " of state in each group of recurrent layers"
    if states > 1:
        said = said + ", as with prefix caching"
    if counts[1] > 0:
        said = said + ", and the draft layer caches too"
    if block != log_value(job["log"], "block_tokens"):
        said = said + ", in blocks of " + text_whole(block) + " tokens, a size that the log does not print"
    said = said + "."
    if even:
        said = "Hybrid accounting: the printed tokens are the pool shared out evenly among groups of layers."
    return log_plan_layout(vllm_plan(specs, log_length(job), 0), even, said)


def log_held(layout: Layout, pool: float, length: int) -> float:
    """Tokens a pool of ``pool`` bytes holds in a layout, as the engine prints them."""
    blocks = vllm_blocks(int(pool), layout["block_bytes"])
    if layout["even"]:
        return vllm_tokens_by_groups(blocks, layout["groups"], layout["block"])
    if layout["request_blocks"] == ceil_div(length, layout["block"]):
        return blocks * layout["block"]
    return vllm_tokens_by_requests(blocks, layout["request_blocks"], length)


def log_held_range(job: Job, layout: Layout, share: float) -> list[float]:
    """Tokens the logged pool holds in a layout: of the printed figure, of the least and the most that print so.

    ``share`` of the pool is what the layout has for itself.
    """
    pool = log_pool(job["log"])
    length = log_length(job)
    held = []
    for size in pool:
        held.append(log_held(layout, max(0, size * share), length))
    # A page more than the printed tokens is kept for padding by SGLang; TensorRT-LLM rounds blocks up.
    if job["log"]["engine"] == "sglang":
        held[1] = held[1] - 64
    if job["log"]["engine"] == "tensorrt-llm":
        held[2] = held[2] + layout["block"]
    return held


def log_needed(layout: Layout) -> int:
    """Bytes on each GPU that a request of the full length may hold."""
    return layout["block_bytes"] * layout["request_blocks"]


# --- engines that lay out cells for every slot ------------------------------------------------------------


def log_streams(log: Log) -> int:
    """Slots that have cells of their own: all of them unless the log says that they share."""
    if log_says(log, "streams"):
        return int(max(1, log_value(log, "streams")))
    if log_value(log, "unified", 1) == 0:
        return int(max(1, log_value(log, "slots", 1)))
    return 1


def log_slots(log: Log) -> int:
    """Slots that share one set of cells."""
    return int(max(1, log_value(log, "slots", 1))) if log_streams(log) == 1 else 1


def log_stream_cells(job: Job) -> int:
    """Cells of one stream in a layer that keeps every token. n_ctx is the total of all slots, what the cache's own
    line prints is one slot's.
    """
    log = job["log"]
    if job["length"] > 0:
        return job["length"] * log_slots(log)
    if log_says(log, "slot_cells"):
        return int(log_value(log, "slot_cells"))
    streams = log_streams(log)
    if log_says(log, "cells"):
        return int(log_value(log, "cells")) // streams
    if log_says(log, "sequence_tokens"):
        # One cache for all slots: each may take it whole.
        shared = 1 if log_value(log, "unified") == 1 else log_slots(log)
        return int(log_value(log, "sequence_tokens")) * shared
    return job["state"].context * job["state"].users // streams


def log_laid(log: Log) -> bool:
    """Whether llama.cpp's or Ollama's log says for how many tokens its cache is laid out."""
    return log_says(log, "slot_cells") or log_says(log, "cells") or log_says(log, "sequence_tokens")


def log_group_cells(job: Job, group: LayerGroup, windows: bool) -> int:
    """Cells one layer of the group holds, for all slots."""
    log = job["log"]
    streams = log_streams(log)
    if group.fixed_tokens is not None:
        return group.fixed_tokens * streams
    cells = log_stream_cells(job)
    if group.window is not None and windows:
        # Slots that share the cells share the window cache too.
        ubatch = int(log_value(log, "ubatch", LLAMACPP_UBATCH))
        cells = llamacpp_swa_cells(cells, group.window, log_slots(log), ubatch)
    return cells * streams // group.stride


def log_cells_bytes(job: Job, k_type: ValueType, v_type: ValueType, windows: bool) -> int:
    """Bytes of all cells: full layers hold every token, windowed ones their window's."""
    total = 0
    for group in job["shape"].groups:
        entry = group.layers * entry_bytes(group, group.num_kv_heads, k_type, v_type)
        total += entry * log_group_cells(job, group, windows)
    return total


def log_groups_bytes(job: Job, groups: list[LayerGroup], kind: CacheType, windows: bool) -> int:
    """Bytes of the cells of some groups of layers."""
    total = 0
    for group in groups:
        entry = group.layers * entry_bytes(group, group.num_kv_heads, kind, log_values(job, kind))
        total += entry * log_group_cells(job, group, windows)
    return total


def log_padded_bytes(job: Job, kind: CacheType) -> int:
    """Bytes of all cells if every layer's V row is as wide as the widest one."""
    widest = 0
    for group in job["shape"].groups:
        widest = max(widest, group.num_kv_heads * vector_bytes(group.value_width, kind))
    total = 0
    for group in job["shape"].groups:
        keys = group.num_kv_heads * vector_bytes(group.key_width, kind)
        total += group.layers * (keys + widest) * log_group_cells(job, group, True)
    return total


def log_latent_bytes(job: Job, kind: CacheType, unfolded: bool) -> int:
    """Bytes of all cells of a latent model whose values are stored again beside the latent, as llama.cpp did before
    2026 (https://github.com/ggml-org/llama.cpp/pull/19067), or ``unfolded`` into whole keys and values.
    """
    total = 0
    for group in job["shape"].groups:
        heads = 1
        keys = group.key_width
        values = group.value_width
        if group.kind == "latent" and unfolded:
            heads = job["shape"].num_attention_heads
            keys = group.full_key_width
            values = group.full_value_width
        elif group.kind == "latent":
            values = max(0, group.key_width - LOG_LATENT_ROPE)
        entry = heads * (vector_bytes(keys, kind) + vector_bytes(values, kind))
        total += group.layers * entry * log_group_cells(job, group, True)
    return total
