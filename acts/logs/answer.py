"""The answer first: what the engine holds, what stood in the way, and what would change it.

Pure functions, compiled by :mod:`acts.twin`. An answer is {"sentences", "ways", "change"}, change
being that one of the sentences which names the ways; a way is {"text", "set"}: what
would change the outcome and by how much, computed by the sizing model, and the scenario's values that do so (empty
where the scenario has none).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bounds import BOUNDS
from ..deployed import deployed_type
from ..deployment import deploy_heads_fault
from ..engines.vllm import VLLM_BLOCK_TOKENS
from ..sizing import GIB, ceil_div, smaller, typed_weights
from ..text import text_bytes, text_count, text_fixed, text_gib, text_number, text_whole
from .budget import (
    log_budget,
    log_devices,
    log_devices_budget,
    log_fullest,
    log_host_words,
    log_on_gpus,
    log_part_of,
    log_spare,
    log_table_budget,
)
from .compare import (
    LOG_ABSENT_RANK,
    LOG_CLOSE,
    LOG_NEED_LABEL,
    LOG_TOKENS_ALONE,
    compare_log,
    log_all_weights,
    log_card,
    log_cells_held,
    log_cells_refused,
    log_gpus,
    log_has_groups,
    log_is_sharp,
    log_job,
    log_job_at,
    log_kind_layers,
    log_meets,
    log_need,
    log_rank_guess,
    log_set_by_hand,
    log_share,
    log_stage_factor,
    log_summary,
    log_tokens_alone,
    log_tokens_of,
    log_tokens_taken,
    log_tokens_within,
    log_usable,
)
from .facts import LOG_ENGINE_TYPES, LOG_ENGINES, LOG_MARKS, LOG_PLAIN_WEIGHTS
from .layout import (
    LOG_FREE_PERCENT,
    log_beside,
    log_caching_layers,
    log_cells_bytes,
    log_finding,
    log_free_pool,
    log_laid,
    log_layouts,
    log_length,
    log_needed,
    log_pool,
    log_pool_by_engine,
    log_range,
    log_says,
    log_slots,
    log_stages,
    log_stream_cells,
    log_streams,
    log_tokens,
    log_value,
    log_window_tokens,
)
from .refused import (
    LOG_SAME_CARD,
    log_card_way,
    log_each,
    log_failed_part,
    log_layers_way,
    log_lighter,
    log_more_cards,
    log_out_of_memory,
    log_own_weights,
    log_unknown_use,
    log_weights_refused,
)
from .settings import log_settings

if TYPE_CHECKING:
    from ..catalog import CacheType, Catalog
    from ..contracts import Answer, Budget, Finding, Job, Log, State, Way
    from ..sizing import Shape

# The share of a card that is proposed where an engine takes less; the rest is the driver's and other programs'.
LOG_HIGH_SHARE = 95

# Cache types of an engine that are proposed, those in wide use.
LOG_TYPES_OFFERED = 3

# What is said where ways would be worked out from figures that are not the log's.
LOG_OTHER_SET = (
    "As this page is set it does not give the log's figures, so what would change them is not said: set the log's "
    "model, types and GPUs; the table says what would fit."
)

# Facts that are named there without the phrase that tells them.
LOG_NAMED_ALONE = ["draft", "aiter"]

# Figures that are named where the lines come to no answer.
LOG_LISTED = 6

# Ways that the sentence names; the list has them all.
LOG_WAYS_NAMED = 4

# Contexts are proposed in whole steps of so many tokens.
LOG_CONTEXT_STEP = 256


def log_answer(log: Log, shape: Shape, state: State, catalog: Catalog) -> Answer:
    """The answer to a log for the scenario."""
    if log["engine"] is None:
        return {"sentences": [log_summary(log)], "ways": [], "change": ""}
    job = log_job(log, shape, state, catalog)
    sentences: list[str] = []
    ways: list[Way] = []
    log_out_of_memory(sentences, job)
    if log["engine"] == "llama.cpp" or log["engine"] == "ollama":
        log_cells_answer(sentences, ways, job)
    elif log["engine"] != "pytorch":
        log_pool_answer(sentences, ways, job)
    elif len(sentences) > 0:
        log_unknown_use(sentences, ways, job)
    change = log_ways_words(ways)
    if change != "":
        sentences.append(change)
    if len(log["starts"]) > 1:
        sentences.append(log_starts_words(log))
    if len(sentences) == 0:
        sentences.append(log_listed_words(log))
    return {"sentences": sentences, "ways": ways, "change": change}


def log_starts_words(log: Log) -> str:
    """Which of several starts the answer is of."""
    line = text_whole(log["starts"][log["start"]]["line"])
    starts = text_count(len(log["starts"]), "start")
    return f"The text holds {starts}; this is of number {text_whole(log['start'] + 1)}, from line {line} on."


def log_listed_words(log: Log) -> str:
    """What the lines say, where it does not come to an answer: no figure that they carry is passed over."""
    named = []
    for finding in log["findings"]:
        if finding["key"] in LOG_NAMED_ALONE:
            named.append(finding["label"])
        elif finding["key"] not in LOG_MARKS:
            devices: list[str] = []
            for part in finding["parts"]:
                if part[0] != "" and part[0].upper() not in devices:
                    devices.append(part[0].upper())
            placed = len(devices) > 0 and finding["keep"] in ("sum", "device")
            where = " on " + " and ".join(devices) + ": " if placed else ": "
            named.append(finding["label"].replace(", all devices", "") + where + finding["text"])
    listed = "; ".join(named[:LOG_LISTED])
    if len(named) > LOG_LISTED:
        listed = f"{listed}; {text_whole(len(named) - LOG_LISTED)} more stand in the table"
    if len(named) == 0:
        return "These lines say that an engine starts, but not what its cache came to."
    return f"Read from these lines: {listed}. What the cache came to is not among them."


def log_requests_words(count: float, length: int) -> str:
    """Requests of one length in words: whole ones, or what share of one."""
    requests = text_count(int(count), "request") if count >= 1 else f"{text_fixed(count, 2)} requests"
    return f"{requests} of {text_whole(length)} tokens"


# --- engines with a pool of blocks ------------------------------------------------------------------------


def log_left(job: Job) -> float:
    """Bytes on each GPU for the cache: as printed, as the printed tokens take, or as the scenario leaves them."""
    log = job["log"]
    if log_window_tokens(log) > 0:
        # Of two pools that of the layers which keep all decides.
        layout = log_layouts(job, job["cache"], job["state"].gpus)[0]
        return log_tokens(log) / log_length(job) * log_needed(layout)
    if log_says(log, "kv_cache_bytes") or log_pool(log)[0] > 0:
        if log_tokens(log) > 0 and (log_rank_guess(job) != "" or log_says(log, "block_override")):
            return log_tokens_taken(job)
        return log_pool(log)[0]
    if log_says(log, "concurrency") or log_tokens(log) > 0:
        return log_tokens_taken(job)
    if log_pool_by_engine(log)[0] > 0:
        return log_pool_by_engine(log)[0]
    left = log_usable(job) - log_own_weights(job)
    # Activations, which no line tells here, took what seems to be left.
    return min(0, left) if log_says(log, "no_blocks") else left


def log_need_said(job: Job) -> float:
    """Bytes on each GPU that the longest request needs: as printed, else as the sizing model says."""
    layout = log_layouts(job, job["cache"], job["state"].gpus)[0]
    return log_value(job["log"], "needed_bytes", log_needed(layout))


def log_is_refused(job: Job) -> bool:
    """Whether the engine did not start, or not with the length that it was asked for."""
    log = job["log"]
    for key in ["refused", "no_blocks", "cut", "needed_bytes", "tried_bytes"]:
        if log_says(log, key):
            return True
    return log_says(log, "kv_cache_bytes") and log_pool(log)[0] <= 0


def log_pool_answer(sentences: list[str], ways: list[Way], job: Job) -> None:
    """The answer for vLLM, SGLang, TensorRT-LLM and LMDeploy."""
    log = job["log"]
    known = log_says(log, "kv_cache_bytes") or log_pool(log)[0] > 0 or log_tokens(log) > 0
    known = known or log_says(log, "concurrency") or log_pool_by_engine(log)[0] > 0
    if not known and not log_is_refused(job):
        log_weights_words(sentences, job)
        log_block_words(sentences, log)
        log_card_way(ways, job)
        return
    if log_is_refused(job):
        log_refusal_words(sentences, job, known)
    else:
        sentences.append(log_holds_words(job))
    stood = log_stood_words(job)
    if stood != "":
        sentences.append(stood)
    log_uneven_heads(sentences, job)
    if log_of_another(job):
        sentences.append(LOG_OTHER_SET)
        log_said_way(ways, log)
    elif log_tokens_alone(job) and not log_is_refused(job):
        sentences.append(LOG_TOKENS_ALONE)
    elif known or log_is_unsaid(log):
        log_pool_ways(ways, job, log_left(job))
        if not known:
            for way in ways:
                way["text"] = way["text"].replace(": ", ": at most ")
        if not known and len(ways) == 0:
            log_need_ways(ways, job)
    elif not log_says(log, "aiter"):
        log_pool_ways(ways, job, log_left(job))
    log_card_way(ways, job)


def log_of_another(job: Job) -> bool:
    """Whether the log's tokens or requests, or the cache that one request needs, are not what the scenario gives, and
    no line of the log tells why: what would change them would be worked out from figures that are not the log's.
    """
    for row in compare_log(job["log"], job["shape"], job["state"], job["catalog"]):
        of_cache = row["unit"] in ("tokens", "requests") or row["label"].startswith(LOG_NEED_LABEL)
        if of_cache and row["verdict"] == "differs" and row["reason"].find(LOG_ABSENT_RANK) < 0:
            return True
    return False


def log_said_way(ways: list[Way], log: Log) -> None:
    """The longest request that the log itself says would fit, whatever model is set."""
    longest = int(log_value(log, "estimated_max_len", log_tokens(log)))
    if BOUNDS["context"][0] <= longest < log_value(log, "max_len"):
        text = f"Context {text_whole(longest)}, as the log says: 1 request"
        ways.append({"text": text, "set": {"context": longest}})


def log_block_words(sentences: list[str], log: Log) -> None:
    """What a block size means that vLLM raised for a hybrid model, where the log says nothing else."""
    block = log_value(log, "block_tokens")
    if log["engine"] == "vllm" and block > 4 * VLLM_BLOCK_TOKENS:
        sentences.append(
            f"A block holds {text_whole(int(block))} tokens, as in hybrid models: a page of attention is made as large "
            "as one of recurrent state, and a request takes whole blocks."
        )


def log_weights_words(sentences: list[str], job: Job) -> None:
    """What the weights leave, where the log breaks off before it says what the cache came to."""
    log = job["log"]
    weights = log_value(log, "weights_bytes")
    usable = log_value(log, "usable_bytes")
    card = log_value(log, "card_bytes")
    if weights == 0 and usable > 0 and card > 0:
        sentences.append(
            f"Of the card's {text_gib(int(card))} the engine may use {text_gib(int(usable))}, for weights, activations "
            "and the cache together. What the cache came to is not in these lines."
        )
    if weights == 0:
        return
    left = ""
    if log_says(log, "loaded_bytes"):
        left = f"; {text_gib(int(log_value(log, 'loaded_bytes')))} were free once they were loaded"
    elif usable > weights:
        left = (
            f"; of the {text_gib(int(usable))} that the engine may use, {text_gib(int(usable - weights))} "
            "are left for activations and the cache"
        )
    sentences.append(
        f"The weights take {text_gib(int(weights))} on each GPU{left}. What the cache came to is not in these lines."
    )


def log_holds_words(job: Job) -> str:
    """What the cache holds, for how many requests of which length."""
    log = job["log"]
    engine = LOG_ENGINES[log["engine"]]
    tokens = log_tokens(log)
    pool = log_pool(log)[0] if log_pool(log)[0] > 0 else log_pool_by_engine(log)[0]
    if log_says(log, "block_override"):
        pool = log_tokens_taken(job)
    bytes_held = text_gib(int(pool)) + log_each(job) if pool > 0 else ""
    if tokens > 0 and log_tokens_alone(job):
        return f"{engine}'s cache holds {text_whole(int(tokens))} tokens."
    held = "so much"
    if log_window_tokens(log) > 0:
        windowed = text_whole(int(log_window_tokens(log)))
        held = f"{text_whole(int(tokens))} tokens in the layers that keep all and {windowed} in those with a window"
    elif tokens > 0:
        held = f"{text_whole(int(tokens))} tokens" + (f" in {bytes_held}" if bytes_held != "" else "")
    elif bytes_held != "":
        held = bytes_held
    length = log_length(job)
    count = log_left(job) / max(1, log_needed_now(job))
    # Printed tokens tell whatever the model set, but for layers that need less of vLLM's.
    if tokens > 0 and (log["engine"] != "vllm" or not log_has_groups(job["shape"])):
        count = tokens / length
    ours = tokens == 0 or (log["engine"] == "vllm" and log_has_groups(job["shape"]))
    ours = ours and not log_says(log, "concurrency")
    count = log_value(log, "concurrency", count)
    shorter = ", or more that are shorter" if count >= 1 else ""
    requests = (
        f"{log_requests_words(count, length)} at once{' by the model set here' if ours else ''}{shorter}."
    )
    if tokens == 0 and not log_says(log, "concurrency") and log_pool_of_share(log):
        share = text_number(log_value(log, "free_share", LOG_FREE_PERCENT) / 100, 2)
        free = text_gib(int(log_value(log, "start_bytes")))
        return f"At {share} of the {free} that were free {engine}'s cache takes {bytes_held}: {requests}"
    if log_pool(log)[0] <= 0 and bytes_held != "":
        return f"The engine's figures leave {bytes_held} for the cache: {requests}"
    return f"{engine}'s cache holds {held}: {requests}"


def log_pool_of_share(log: Log) -> bool:
    """Whether the pool is TensorRT-LLM's share of the free memory, of which a line prints only the whole."""
    return not log_says(log, "kv_cache_bytes") and log_free_pool(log)[0] > 0


def log_needed_now(job: Job) -> float:
    """Bytes a request of the full length takes by the layout the sizing model gives."""
    return log_needed(log_layouts(job, job["cache"], job["state"].gpus)[0])


def log_counts_stages(job: Job) -> bool:
    """Whether vLLM refused for the cache of all of a pipeline's layers, not of its fullest stage's: it sets them
    against the memory of one (https://github.com/vllm-project/vllm/issues/34076).
    """
    if log_stages(job) == 1 or not log_says(job["log"], "needed_bytes"):
        return False
    return log_meets(
        log_range(job["log"], "needed_bytes"), log_need(job, job["cache"], job["state"].gpus), LOG_CLOSE
    )


def log_counted(job: Job) -> float:
    """By how much more than what a GPU keeps of it the engine counts a request."""
    return log_stage_factor(job) if log_counts_stages(job) else 1


def log_refusal_words(sentences: list[str], job: Job, known: bool) -> None:
    """How much is missing for one request of the full length."""
    log = job["log"]
    length = log_length(job)
    need = log_need_said(job)
    each = log_each(job)
    left = log_left(job)
    asked = f"One request of {text_whole(length)} tokens needs {text_gib(int(need))} of cache{each}"
    missing = text_gib(int(max(0, need - left)))
    if log_says(log, "kv_cache_bytes") and left < 0:
        lacking = text_gib(int(-left))
        sentences.append(
            f"Nothing is left for the cache: the rest takes {lacking} more than the engine may use{each}."
        )
        sentences.append(f"{asked} besides: {missing} are missing.")
    elif not known and log_is_unsaid(log) and not log_says(log, "no_blocks"):
        log_unsaid_words(sentences, job, asked, need - left)
    elif not known and log_says(log, "tried_bytes") and not log_says(log, "no_blocks"):
        return  # an allocation failed, and no line says that the cache was it
    elif not known or left == 0:
        sentences.append("Nothing is left for the cache beside weights and activations. " + asked + ".")
    elif log_says(log, "cut"):
        sentences.append(
            f"The cache holds {text_whole(int(log_tokens(log)))} tokens ({text_gib(int(left))}{each}), "
            f"so no request may be longer. {asked}."
        )
    elif left < need:
        held = f" ({text_whole(int(log_tokens(log)))} tokens)" if log_tokens(log) > 0 else ""
        sentences.append(f"{asked}, and {text_gib(int(left))} are left{held}: {missing} are missing.")
    else:
        sentences.append(f"{asked}; {text_gib(int(left))} are there.")
    if log_counts_stages(job):
        stage = text_gib(int(log_needed_now(job)))
        sentences.append(
            f"vLLM counts the cache of all layers here; a stage of the pipeline keeps {stage} of it."
        )
    share = log_finding(log, "least_share")
    if share is not None:
        sentences.append(f"The engine asks for a mem_fraction_static above {share['text']}.")


def log_is_unsaid(log: Log) -> bool:
    """Whether the engine says that its cache is too small, or that none is left."""
    return log_says(log, "refused") or log_says(log, "no_blocks")


def log_unsaid_words(sentences: list[str], job: Job, asked: str, missing: float) -> None:
    """What is missing, as the scenario has it, where a lone line without figures says that the cache is too small."""
    sentences.append(f"{asked}, and the cache is too small for it: by how much is not in these lines.")
    left = log_left(job)
    room = f"up to {text_gib(int(left))} could be left" if left > 0 else "nothing is left"
    ours = f"By this page {room}{log_each(job)} beside the weights"
    if missing > 0:
        sentences.append(f"{ours}: at least {text_gib(int(missing))} are missing.")
    elif job["shape"].parameters > 0:
        sentences.append(f"{ours}: activations, other programs or a setting took the rest.")


def log_uneven_heads(sentences: list[str], job: Job) -> None:
    """That no engine splits the scenario's model over so many GPUs: it is not the log's, then."""
    gpus = log_gpus(job["log"])
    if gpus == 0:
        gpus = job["state"].gpus
    fault = deploy_heads_fault(job["shape"], gpus)
    if fault != "":
        sentences.append(f"Engines refuse the model set here on so many GPUs: {fault}.")


def log_stood_words(job: Job) -> str:
    """What took the memory, as far as the log tells, and which rank decides; "" if it tells nothing."""
    log = job["log"]
    said: list[str] = []
    budget = log_budget(job)
    if budget is not None:
        told = log_says(log, "card_bytes") or log_says(log, "usable_bytes")
        named = []
        for part in budget["parts"]:
            if part[1] != "cache" and (told or part[0] in ("weights", "reserve")):
                named.append(part[1] + " " + text_gib(int(part[2])))
        if len(named) > 0 and told:
            card = text_gib(int(log_value(log, "card_bytes", budget["total"])))
            said.append(f"Of the card's {card} the rest went to: {', '.join(named)}.")
        elif len(named) > 0:
            said.append(f"Beside it the log tells of: {', '.join(named)}.")
    if log_set_by_hand(log):
        said.append("Its size was set by hand (kv_cache_memory_bytes).")
    if log_says(log, "block_override"):
        said.append("Its blocks were set by hand (num_gpu_blocks_override).")
    pool = log_finding(log, "kv_cache_bytes")
    if pool is not None and len(pool["ranks"]) > 1:
        said.append(f"The rank with the least memory decides for all: {log_rank_name(pool['rank'])}.")
    uneven = log_uneven_words(log)
    if uneven != "":
        said.append(uneven)
    return " ".join(said)


def log_rank_name(rank: str) -> str:
    """A rank as a sentence names it; vLLM V0's first process has no name of its own."""
    return "the first process" if rank == "" else rank


def log_uneven_words(log: Log) -> str:
    """That the ranks' cards are of unequal memory, and what follows from it; "" where they are alike."""
    cards = log_finding(log, "card_bytes")
    if cards is None or len(cards["parts"]) < 2 or log["engine"] not in LOG_PLAIN_WEIGHTS:
        return ""
    least = cards["parts"][0][1]
    most = cards["parts"][0][1]
    told = []
    for part in cards["parts"]:
        least = min(least, part[1])
        most = max(most, part[1])
        told.append(f"{log_rank_name(part[0])} {text_gib(int(part[1]))}")
    if most / max(1, least) - 1 <= LOG_SAME_CARD:
        return ""
    return f"The cards are not alike ({', '.join(told)}); all ranks keep as many tokens as the smallest has room for."


def log_fits(job: Job, left: float, kind: CacheType, gpus: int) -> float:
    """Requests of the full length that ``left`` bytes on each of ``gpus`` GPUs hold, as the engine counts them."""
    return max(0, left) / max(1, log_needed(log_layouts(job, kind, gpus)[0]) * log_counted(job))


def log_add_way(ways: list[Way], text: str, count: float, now: float, setting: dict[str, Any]) -> None:
    """Adds what would hold more requests than now, and one at least."""
    if count < 1 or int(count) <= int(now):
        return
    ways.append({"text": text + ": " + text_count(int(count), "request"), "set": setting})


def log_pool_ways(ways: list[Way], job: Job, left: float) -> None:
    """What would change how many requests of the full length fit; ``left`` is what there is for the cache now."""
    log = job["log"]
    state = job["state"]
    if job["shape"].parameters == 0:
        return
    now = log_fits(job, left, job["cache"], state.gpus)
    log_context_way(ways, job, left, now)
    if log_says(log, "block_override"):
        free = log_fits(job, log_pool(log)[0], job["cache"], state.gpus)
        log_add_way(ways, "Without num_gpu_blocks_override", free, now, {})
        return
    for key in LOG_ENGINE_TYPES[log["engine"]][:LOG_TYPES_OFFERED]:
        kind = job["catalog"].caches[key]
        fit = log_fits(job, left, kind, state.gpus)
        log_add_way(ways, deployed_type(kind.name, "cache"), fit, now, {"cache": key})
    log_share_way(ways, job, left, now)
    weights = log_own_weights(job)
    cards = log_more_cards(job)
    if cards > 0:
        more = left + weights - weights / 2
        log_add_way(
            ways, text_count(cards, "GPU"), log_fits(job, more, job["cache"], cards), now, {"gpus": cards}
        )
    if log["engine"] in LOG_PLAIN_WEIGHTS:
        log_weights_ways(ways, job, left, now)
    if log["engine"] == "vllm" and now < 1:
        log_offload_way(ways, job, left, now)


def log_need_ways(ways: list[Way], job: Job) -> None:
    """What would make one request of the full length smaller, where the log does not say what there is for it."""
    half = log_length(job) // 2
    if half >= BOUNDS["context"][0]:
        need = log_needed_now(log_job_at(job, half))
        text = f"Context {text_whole(half)}: a request needs {text_gib(int(need))}"
        ways.append({"text": text, "set": {"context": half}})
    for key in LOG_ENGINE_TYPES[job["log"]["engine"]][:LOG_TYPES_OFFERED]:
        kind = job["catalog"].caches[key]
        need = log_needed(log_layouts(job, kind, job["state"].gpus)[0])
        if need < log_needed_now(job):
            text = f"{deployed_type(kind.name, 'cache')}: a request needs {text_gib(int(need))}"
            ways.append({"text": text, "set": {"cache": key}})


def log_context_way(ways: list[Way], job: Job, left: float, now: float) -> None:
    """A shorter context: the longest of which one request fits, or half of it where requests fit already."""
    length = log_length(job)
    if now >= 1:
        half = length // 2
        if half >= BOUNDS["context"][0]:
            at = log_job_at(job, half)
            fit = log_fits(at, left, job["cache"], job["state"].gpus)
            log_add_way(ways, "Context " + text_whole(half), fit, now, {"context": half})
        return
    longest = log_longest(job, left)
    if longest >= BOUNDS["context"][0]:
        ways.append({"text": "Context " + text_whole(longest) + ": 1 request", "set": {"context": longest}})


def log_longest(job: Job, left: float) -> int:
    """The longest request, in whole steps, that ``left`` bytes on each GPU hold."""
    counted = log_counted(job)
    low = 0
    high = log_length(job) // LOG_CONTEXT_STEP
    while low < high:
        middle = (low + high + 1) // 2
        at = log_job_at(job, middle * LOG_CONTEXT_STEP)
        if log_needed_now(at) * counted <= left:
            low = middle
        else:
            high = middle - 1
    return low * LOG_CONTEXT_STEP


def log_share_way(ways: list[Way], job: Job, left: float, now: float) -> None:
    """A larger share of the card for the engine."""
    log = job["log"]
    share = log_share(job)
    if log["engine"] not in ("vllm", "sglang") or share >= LOG_HIGH_SHARE or log_set_by_hand(log):
        return
    option = "gpu_memory_utilization" if log["engine"] == "vllm" else "mem_fraction_static"
    more = left + log_card(job) * (LOG_HIGH_SHARE - share) / 100
    text = option + " " + text_number(LOG_HIGH_SHARE / 100, 2)
    setting = {"utilisation": LOG_HIGH_SHARE}
    log_add_way(ways, text, log_fits(job, more, job["cache"], job["state"].gpus), now, setting)


def log_weights_ways(ways: list[Way], job: Job, left: float, now: float) -> None:
    """Weights of fewer bits, each width once."""
    state = job["state"]
    weights = log_own_weights(job)
    for kind in log_lighter(job):
        more = left + weights - ceil_div(typed_weights(job["shape"], kind.bits, kind.kept), state.gpus)
        fit = log_fits(job, more, job["cache"], state.gpus)
        setting = {"weights": kind.id, "weights_gib": 0}
        log_add_way(ways, deployed_type(kind.name, "weights"), fit, now, setting)


def log_offload_way(ways: list[Way], job: Job, left: float, now: float) -> None:
    """As many GiB of weights in host memory as one request of the full length lacks."""
    gpus = job["state"].gpus
    lacking = log_needed_now(job) * log_counted(job) - left
    moved = ceil_div(int(lacking), GIB)
    kept = log_own_weights(job) - moved * GIB
    if kept <= 0:
        return
    setting = {"weights_gib": int(kept * gpus * 100 / GIB) / 100}
    text = f"cpu_offload_gb {text_whole(moved)}"
    fit = log_fits(job, left + moved * GIB, job["cache"], gpus)
    log_add_way(ways, text, fit, now, setting)


def log_ways_words(ways: list[Way]) -> str:
    """The ways in one sentence; "" if there are none."""
    if len(ways) == 0:
        return ""
    named = []
    for way in ways[:LOG_WAYS_NAMED]:
        if "gpu" not in way["set"]:
            named.append(way["text"])
    if len(named) == 0:
        return ""
    return "What would change it: " + "; ".join(named) + "."


# --- engines that lay out cells for every slot ------------------------------------------------------------


def log_cells_answer(sentences: list[str], ways: list[Way], job: Job) -> None:
    """The answer for llama.cpp and Ollama."""
    log = job["log"]
    held = 0.0 if log_cells_refused(log) else log_held_printed(log)[0]
    laid = log_laid(log)
    alone = log_windows_alone(job)
    if alone != "":
        sentences.append(alone)
    elif held > 0 and not laid:
        tokens = log_tokens_within(job, log_held_printed(log))
        sentences.append(log_unlaid_words(log, log_held_printed(log), tokens))
        job = log_job_at(job, tokens // log_slots(log))
    elif laid and log_caching_layers(job["shape"]) > 0:
        sentences.append(log_slots_words(job, held))
    elif held == 0 and log_refused_alone(log):
        job = log_refused_job(sentences, job)
    if log_says(log, "failed_model"):
        log_weights_refused(sentences, ways, log_job_at(job, job["state"].context))
    states = log_value(log, "state_bytes")
    recurrent = f"Recurrent states take {text_bytes(int(states))}, however long the texts are."
    for said in [log_host_words(log), recurrent if states > 0 else "", log_beside_words(job)]:
        if said != "":
            sentences.append(said)
    if held == 0:
        log_table_words(sentences, log)
    log_offload_words(sentences, job)
    for other in log["others"]:
        kept = log_value(log_beside(other), "kv_cache_bytes")
        if kept > 0:
            sentences.append(f"Beside it, a {other['name']} keeps {text_bytes(int(kept))} of its own.")
    ours = log_cells_bytes(job, job["cache"], job["values"], True)
    if alone == "" and ours > 0 and (held > 0 or laid or log_refused_alone(log)):
        log_all_layers_way(ways, job, held)
        log_cells_ways(ways, job, ours, held / ours if held > 0 else 1)
        log_layers_way(ways, job)


def log_refused_alone(log: Log) -> bool:
    """Whether memory was refused for the cache, for what comes after it, or for what no line tells."""
    if log_says(log, "failed_kv") or log_says(log, "failed_compute"):
        return True
    return log_says(log, "tried_bytes") and log_failed_part(log) == ""


def log_refused_job(sentences: list[str], job: Job) -> Job:
    """The job asked about the tokens that the cache refused would have held, and what the model set makes of it."""
    log = job["log"]
    wanted = log_range(log, "tried_bytes")
    if log_says(log, "failed_kv") and wanted[0] > 0 and not log_says(log, "kv_buffer_bytes"):
        tokens = log_tokens_within(job, wanted)
        kept = text_count(tokens, "token")
        sentences.append(f"If that is all of the cache, the model set here would keep {kept} in it.")
        return log_job_at(job, tokens // log_slots(log))
    job = log_job_at(job, job["state"].context)
    ours = text_bytes(log_cells_bytes(job, job["cache"], job["values"], True))
    cells = text_count(job["state"].context, "token")
    weights = log_all_weights(job, job["catalog"].weights[job["state"].weights])
    beside = f", and its weights {text_gib(int(weights))}" if weights > 0 else ""
    sentences.append(f"By this page the cache of the model set here takes {ours} for {cells}{beside}.")
    return job


def log_named_parts(budget: Budget, kinds: list[str]) -> str:
    """The parts of a budget of some kinds, each with its size."""
    named = []
    for part in budget["parts"]:
        if part[0] in kinds:
            named.append(part[1] + " " + text_gib(int(part[2])))
    return ", ".join(named)


def log_held_printed(log: Log) -> list[float]:
    """Bytes of the whole cache as printed, else as Ollama estimates them, as a range."""
    held = log_cells_held(log)
    return held if held[0] > 0 else log_range(log, "kv_estimate_bytes")


def log_unlaid_words(log: Log, held: list[float], tokens: int) -> str:
    """The bytes of a cache whose tokens the log does not print, and what the model that is set keeps in so many."""
    engine = LOG_ENGINES[log["engine"]]
    about = "" if log_is_sharp(held) else "about "
    kept = f"the model set here would keep {about}{text_count(tokens, 'token')} in it."
    took = text_bytes(int(held[0]))
    buffers = log_finding(log, "kv_cache_bytes")
    if buffers is None:
        buffers = log_finding(log, "kv_buffer_bytes")
    devices: list[str] = []
    if buffers is not None:
        devices = [part[0].upper() for part in buffers["parts"] if part[0] != ""]
    if len(devices) > 0:
        where = " and ".join(devices)
        return f"These lines show {took} of {engine}'s cache, on {where}. If that is all of it, {kept}"
    return f"{engine}'s cache takes {took}; for how many tokens is not in these lines, but {kept}"


def log_windows_alone(job: Job) -> str:
    """What a line of the layers with a window says where that of the others is not here; "" if it is here."""
    log = job["log"]
    windowed = log_kind_layers(job["shape"], True)
    others = log_kind_layers(job["shape"], False)
    if windowed == 0 or windowed != log_value(log, "layers") or others == 0 or log_cells_held(log)[0] == 0:
        return ""
    cells = text_whole(int(log_value(log, "slot_cells", log_value(log, "window_cells"))))
    return (
        f"This is the cache of the {text_count(windowed, 'layer')} with a window: "
        f"{text_bytes(int(log_cells_held(log)[0]))} in {cells} cells. The line of the layers that keep every token, "
        "which tells how long a request may be, is not here."
    )


def log_beside_words(job: Job) -> str:
    """What llama.cpp's or Ollama's buffers take beside the cache, on GPUs and in host memory; "" if not told."""
    log = job["log"]
    if log_says(log, "breakdown") or not log_says(log, "compute_bytes"):
        return ""
    said: list[str] = []
    budget = log_devices_budget(job)
    named = log_named_parts(budget, ["weights", "reserve"]) if budget is not None else ""
    if named != "":
        said.append(f"On the GPUs: {named}.")
    fullest = log_fullest(log_devices(log))
    if fullest is not None:
        name = fullest["title"].split(",")[0]
        said.append(
            f"The fullest GPU is {name}, which decides what else fits: of {text_gib(int(fullest['total']))} free at "
            f"the start, {log_named_parts(fullest, ['weights', 'reserve', 'cache'])}, left free "
            f"{text_gib(int(log_spare(fullest)))}."
        )
    host = log_value(log, "compute_bytes") - log_on_gpus(log, "compute_bytes")
    if host > GIB:
        said.append(f"{text_gib(int(host))} of compute buffers lie in host memory.")
    return " ".join(said)


def log_table_words(sentences: list[str], log: Log) -> None:
    """What llama.cpp's memory breakdown says: cache and states by place, what else lies there, which GPU is fullest."""
    finding = log_finding(log, "breakdown")
    budget = log_table_budget(log, "")
    if finding is None:
        return
    gpus = 0
    host = 0
    count = 0
    fullest: list[Any] = []
    for part in finding["parts"]:
        if part[4] > 0:
            gpus += part[1]
            count += 1
            left = min(part[5], part[4] - part[1] - part[2] - part[3])
            if len(fullest) == 0 or left < fullest[1]:
                fullest = [part[0], left]
        else:
            host += part[1]
    if count == 0:
        sentences.append(
            f"By its memory breakdown {text_bytes(int(host))} of cache and states lie in host memory."
        )
        return
    where = " on the GPUs" if count > 1 else " on the GPU"
    beside = f" and {text_bytes(int(host))} in host memory" if host > 0 else ""
    sentences.append(f"By its memory breakdown cache and states take {text_bytes(int(gpus))}{where}{beside}.")
    named = []
    for part in budget["parts"]:
        if part[1] != "cache and states":
            named.append(part[1] + " " + text_gib(int(part[2])))
    rest = f"Beside it, of {text_gib(int(budget['total']))}: {', '.join(named)}."
    if count > 1 and len(fullest) > 0:
        lacks = "left" if fullest[1] >= 0 else "too little"
        rest = (
            f"{rest} The fullest GPU is {fullest[0].upper()}, with {text_gib(int(abs(fullest[1])))} {lacks}."
        )
    sentences.append(rest)


def log_slots_words(job: Job, held: float) -> str:
    """What the cache takes, for how many slots of which length."""
    log = job["log"]
    slots = max(log_streams(log), log_slots(log))
    cells = log_stream_cells(job)
    took = text_bytes(int(held))
    if held <= 0:
        ours = log_cells_bytes(job, job["cache"], job["values"], True)
        took = f"{text_bytes(ours)} by this page, the log does not print it"
    said = f"{LOG_ENGINES[log['engine']]}'s cache takes {took}:"
    tokens = f"{text_whole(cells)} tokens"
    if slots == 1:
        return f"{said} one request of {tokens} at a time."
    if log_streams(log) > 1:
        return f"{said} {text_whole(slots)} slots of {tokens} each, {text_whole(cells * slots)} in all."
    each = smaller(int(log_value(log, "sequence_tokens", cells // slots)), cells)
    return f"{said} {text_whole(slots)} slots share {tokens}, up to {text_whole(int(each))} each."


def log_offload_words(sentences: list[str], job: Job) -> None:
    """How many layers lie on the GPU, and what kept the others away as far as the log tells."""
    log = job["log"]
    total = log_value(log, "layers_model")
    if total == 0:
        if log_says(log, "gpu_percent"):
            share = text_whole(int(log_value(log, "gpu_percent")))
            whole = text_fixed(log_value(log, "total_bytes") / 1000000000, 1)
            sentences.append(f"{share}% of {whole} GB lie on the GPU.")
        return
    if not log_says(log, "layers_offload"):
        return
    offload = log_value(log, "layers_offload")
    said = f"{text_whole(int(offload))} of {text_count(int(total), 'layer')} lie on the GPU"
    parts = []
    for pair in [
        ["file_bytes", "weights "],
        ["kv_estimate_bytes", "cache "],
        ["graph_full_bytes", "graph "],
        ["projector_bytes", "projector "],
        ["projector_graph_bytes", "projector's graph "],
    ]:
        size = log_value(log, pair[0])
        if size > 0:
            parts.append(pair[1] + text_gib(int(size)))
    required = log_value(log, "required_bytes")
    available = log_finding(log, "start_bytes")
    if required > 0 and available is not None and offload < total:
        there = log_free_words(available)
        said = (
            f"{said}: the whole model was estimated at {text_gib(int(required))} ({', '.join(parts)}), and {there} "
            "are available"
        )
        if len(available["parts"]) > 1:
            said += "; graph and projector must fit on every GPU that takes layers"
            placed = log_finding(log, "placed_bytes")
            if placed is not None and len(placed["parts"]) == len(available["parts"]):
                told = []
                for part in placed["parts"]:
                    free = text_gib(int(log_part_of(log, "start_bytes", part[0])))
                    told.append(f"{part[0]} takes {text_gib(int(part[1]))} of {free}")
                said += f". By Ollama's estimate {', '.join(told)}"
    sentences.append(f"{said}.")


def log_free_words(available: Finding) -> str:
    """What is free on each GPU, those alike counted together."""
    names: list[str] = []
    counts: dict[str, int] = {}
    for part in available["parts"]:
        size = text_gib(int(part[1]))
        if size not in names:
            names.append(size)
        counts[size] = counts.get(size, 0) + 1
    if len(names) == 0:
        return available["text"]
    told = []
    for size in names:
        told.append(size if counts[size] == 1 else f"{text_whole(counts[size])} × {size}")
    return " and ".join(told)


def log_all_layers_way(ways: list[Way], job: Job, held: float) -> None:
    """The context with which Ollama's estimate would put every layer on its one GPU: the cache gives way alone."""
    log = job["log"]
    available = log_finding(log, "start_bytes")
    missing = log_value(log, "required_bytes") - log_value(log, "start_bytes")
    if available is None or len(available["parts"]) != 1 or not 0 < missing < held:
        return
    room = log_cells_bytes(job, job["cache"], job["values"], True) * (1 - missing / held)
    tokens = log_tokens_of(job, room) // LOG_CONTEXT_STEP * LOG_CONTEXT_STEP
    if tokens >= BOUNDS["context"][0]:
        layers = text_count(int(log_value(log, "layers_model")), "layer")
        text = f"Context {text_whole(tokens)}: all {layers} on the GPU, by Ollama's estimate"
        ways.append({"text": text, "set": log_cells_setting(log, tokens)})


def log_cells_setting(log: Log, tokens: int) -> dict[str, Any]:
    """What sets a context of llama.cpp's or Ollama's; the slots too, where the log's cells did not set them."""
    return {"context": tokens} if log_laid(log) else {"context": tokens, "users": log_slots(log)}


def log_cells_ways(ways: list[Way], job: Job, now: int, share: float) -> None:
    """What would make the cache smaller: half the context, a smaller type, fewer slots.

    The log's cache is ``share`` times the ``now`` bytes of the plain layout, whatever the cause.
    """
    log = job["log"]
    slots = max(log_streams(log), log_slots(log))
    length = log_stream_cells(job) // log_slots(log)
    half = length // 2
    if half >= BOUNDS["context"][0]:
        at = log_cells_bytes(log_job_at(job, half), job["cache"], job["values"], True)
        shorter = text_bytes(int(at * share))
        setting = log_cells_setting(log, half)
        ways.append({"text": "Context " + text_whole(half) + ": " + shorter, "set": setting})
    for key in LOG_ENGINE_TYPES[log["engine"]][:LOG_TYPES_OFFERED]:
        kind = job["catalog"].caches[key]
        size = log_cells_bytes(job, kind, kind, True)
        if size < now:
            ways.append(
                {
                    "text": deployed_type(kind.name, "cache") + ": " + text_bytes(int(size * share)),
                    "set": {"cache": key, "cache_v": ""},
                }
            )
    if slots > 1 and log_streams(log) > 1:
        one = int(now * share) // slots
        ways.append({"text": "One slot of the same length: " + text_bytes(one), "set": {"users": 1}})


def log_report(log: Log, shape: Shape, state: State, catalog: Catalog) -> dict[str, Any]:
    """All of it for programs: engine, starts (how many), start (the one used, from 1), answer, rows, set.

    Figures of a row are in its unit; a prediction that bytes do not decide is None.
    """
    rows = []
    for row in compare_log(log, shape, state, catalog):
        predicted = row["figures"][1]
        rows.append(
            {
                "what": row["label"],
                "printed": row["figures"][0],
                "predicted": predicted if predicted > 0 else None,
                "unit": row["unit"],
                "verdict": row["verdict"],
                "reason": row["reason"],
            }
        )
    return {
        "engine": log["engine"],
        "starts": len(log["starts"]),
        "start": min(len(log["starts"]), log["start"] + 1),
        "answer": log_answer(log, shape, state, catalog)["sentences"],
        "rows": rows,
        "set": log_settings(log),
    }
