"""What an allocation that failed asked for, what was missing, and what would make it fit.

Pure functions, compiled by :mod:`acts.twin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bounds import BOUNDS
from ..deployed import deployed_type
from ..deployment import OWN_CARD, deploy_card, deploy_heads_fault
from ..sizing import GIB, typed_weights
from ..text import text_count, text_fixed, text_gib, text_whole
from .budget import log_gpu_names, log_is_host, log_part_of, log_placed
from .compare import log_gpus, log_weights
from .layout import LOG_COMMON_WEIGHTS, log_cells_bytes, log_finding, log_says, log_value

if TYPE_CHECKING:
    from ..catalog import WeightType
    from ..contracts import Job, Log, Way

# Cards whose memory differs by less are the same: drivers hand out a little less than the label says.
LOG_SAME_CARD = 0.02

# Weights of a device that differ by less are the scenario's: embeddings may lie in host memory.
LOG_SAME_WEIGHTS = 0.15

# How many layers lie on the GPU, as each engine's option is called.
LOG_LAYERS_OPTION = {"llama.cpp": "--n-gpu-layers", "ollama": "num_gpu"}


def log_each(job: Job) -> str:
    """ " on each GPU" where there are several."""
    if job["state"].gpus > 1 or log_gpus(job["log"]) > 1:
        return " on each GPU"
    return ""


def log_out_of_memory(sentences: list[str], job: Job) -> None:
    """What an allocation that failed asked for, and what was missing."""
    log = job["log"]
    short = log_value(log, "short_bytes")
    if short > 0:
        there = log_value(log, "free_bytes")
        sentences.append(
            f"{text_gib(int(short))} of host memory were wanted and {text_gib(int(there))} are free: "
            f"{text_gib(int(max(0, short - there)))} are missing."
        )
    tried = log_value(log, "tried_bytes")
    if tried == 0:
        what = " as the engine started" if log_says(log, "failed") else log_failed_part(log)
        if what != "":
            sentences.append(f"Memory ran out{what}; how much was wanted is not in these lines.")
        return
    wanted = f"{text_gib(int(tried))} more were wanted{log_failed_part(log)}{log_tried_device(log)}"
    free = log_value(log, "free_bytes", log_spare_where_tried(log))
    if free <= 0 or free >= tried:
        sentences.append(f"{wanted} and refused: out of memory.")
        return
    card = log_value(log, "card_bytes")
    sized = f" on a card of {text_gib(int(card))}" if card > 0 else ""
    missing = text_gib(int(tried - free))
    sentences.append(
        f"{wanted} while {text_gib(int(free))} were free: at least {missing} are missing{sized}."
    )


def log_tried_device(log: Log) -> str:
    """The device on which memory was refused, if the log says so."""
    tried = log_finding(log, "tried_bytes")
    if tried is None or len(tried["parts"]) == 0 or tried["parts"][0][0] == "":
        return ""
    device = tried["parts"][0][0]
    return f" on device {device}" if "0123456789".find(device[0]) >= 0 else f" on {device.upper()}"


def log_spare_where_tried(log: Log) -> float:
    """Bytes that the log's buffers leave on the GPU where memory was refused; 0 if it does not tell."""
    tried = log_finding(log, "tried_bytes")
    start = log_finding(log, "start_bytes")
    if tried is None or len(tried["parts"]) == 0 or start is None:
        return 0
    device = tried["parts"][0][0]
    for part in start["parts"]:
        if log_is_device(part[0], device):
            placed = 0.0
            for buffer in log_placed(log, part[0]):
                placed += buffer[2]
            return part[1] - placed
    return 0


def log_is_device(name: str, device: str) -> bool:
    """Whether a device's name is that of ``device``, which an allocator may give by its number alone."""
    return name in (device, "cuda" + device, "rocm" + device)


def log_failed_part(log: Log) -> str:
    """What the memory was for, if the log says so."""
    if log_says(log, "failed_kv"):
        return " for the KV cache"
    if log_says(log, "aiter") and log_says(log, "tried_bytes"):
        return " for the workspace of AITER's attention, which comes on top of the cache,"
    if log_says(log, "failed_compute"):
        return " for the compute buffers"
    if log_says(log, "failed_model"):
        return " for the weights"
    return ""


def log_unknown_use(sentences: list[str], ways: list[Way], job: Job) -> None:
    """What can be said of an allocation that failed in PyTorch, where no line tells what it was for: the weights."""
    if job["shape"].parameters == 0:
        return
    weights = log_own_weights(job)
    sentences.append(
        f"What it was for is not in these lines; the weights of the model set here take {text_gib(int(weights))}"
        f"{log_each(job)}, by this page."
    )
    log_weights_less_ways(ways, job)
    log_card_way(ways, job)


def log_weights_less_ways(ways: list[Way], job: Job) -> None:
    """What would make the weights on each GPU smaller: twice the GPUs, and types of fewer bits."""
    weights = log_own_weights(job)
    cards = log_more_cards(job)
    if cards > 0:
        taken = text_gib(int(weights / 2))
        ways.append({"text": f"{text_count(cards, 'GPU')}: weights {taken} on each", "set": {"gpus": cards}})
    for kind in log_lighter(job):
        taken = text_gib(typed_weights(job["shape"], kind.bits, kind.kept) // job["state"].gpus)
        setting = {"weights": kind.id, "weights_gib": 0}
        ways.append(
            {"text": f"{deployed_type(kind.name, 'weights')}: {taken}{log_each(job)}", "set": setting}
        )


def log_weights_refused(sentences: list[str], ways: list[Way], job: Job) -> None:
    """What would make the weights fit that llama.cpp was refused memory for, where they are the scenario's."""
    weights = log_own_weights(job)
    if weights == 0:
        return
    wanted = log_value(job["log"], "tried_bytes", weights)
    if abs(wanted / weights - 1) > LOG_SAME_WEIGHTS:
        sentences.append(
            f"The weights of the model set here take {text_gib(int(weights))}{log_each(job)}, by this page: what would "
            "change it follows once the log's model and the type of its weights are set."
        )
        return
    log_layers_way(ways, job)
    log_weights_less_ways(ways, job)


def log_layers_way(ways: list[Way], job: Job) -> None:
    """Fewer layers on the one GPU of llama.cpp's or Ollama's that refused memory: as many as it has room for.

    Weights and cache go with their layers, by equal shares; what the rest of the buffers take comes on top.
    """
    log = job["log"]
    device = log_tried_gpu(log)
    if device == "":
        return
    total = log_value(log, "layers_model", job["shape"].num_hidden_layers + 1)
    there = log_value(log, "layers_offload", total)
    refused = log_value(log, "tried_bytes")
    weights = log_part_of(log, "model_buffer_bytes", device)
    if log_says(log, "failed_model"):
        weights = refused
    elif weights == 0:
        weights = log_own_weights(job) * there / total
    cache = log_part_of(log, "kv_buffer_bytes", device)
    if log_says(log, "failed_kv"):
        cache = refused
    elif cache == 0:
        cache = log_cells_bytes(job, job["cache"], job["values"], True) * there / total
    beside = refused if log_says(log, "failed_compute") else 0
    free = log_part_of(log, "start_bytes", device)
    where = "the GPU"
    if free == 0:
        free = deploy_card(job["state"], job["catalog"])["memory"]
        where = "the card set here"
    fit = int((free - beside) * there / max(1, weights + cache))
    kept = int(weights / max(1, there) * fit * 100 / GIB) / 100
    if fit < 1 or fit >= there or kept <= 0:
        return
    layers = f"{text_whole(fit)} of {text_count(int(total), 'layer')}"
    text = f"{LOG_LAYERS_OPTION[log['engine']]} {text_whole(fit)}: at most {layers} fit on {where}"
    ways.append({"text": text, "set": {"weights_gib": kept}})


def log_tried_gpu(log: Log) -> str:
    """The only GPU that the lines name, where it is the one that refused memory, as they name it; else ""."""
    tried = log_finding(log, "tried_bytes")
    if tried is None or len(tried["parts"]) == 0 or log_is_host(tried["parts"][0][0]):
        return ""
    device = tried["parts"][0][0]
    names = log_gpu_names(log)
    start = log_finding(log, "start_bytes")
    if start is not None:
        names = names + [part[0] for part in start["parts"]]
    for name in names:
        if not log_is_device(name, device):
            return ""
        device = name
    return device


def log_own_weights(job: Job) -> float:
    """Bytes of weights on each GPU: the log's, else the scenario's."""
    kind = job["catalog"].weights[job["state"].weights]
    return log_value(job["log"], "weights_bytes", log_weights(job, kind, job["state"].gpus))


def log_more_cards(job: Job) -> int:
    """Twice the GPUs, where the scenario may have so many and engines share the model out over them; else 0."""
    cards = job["state"].gpus * 2
    legal = cards <= BOUNDS["gpus"][1] and deploy_heads_fault(job["shape"], cards) == ""
    return cards if legal else 0


def log_lighter(job: Job) -> list[WeightType]:
    """Weight types in wide use of fewer bits than the log's weights take, each width once."""
    bits = log_own_weights(job) * job["state"].gpus * 8 / job["shape"].parameters
    tried: list[float] = []
    lighter = []
    for key in LOG_COMMON_WEIGHTS:
        kind = job["catalog"].weights[key]
        if kind.bits not in tried and kind.bits < bits * 0.9:
            tried.append(kind.bits)
            lighter.append(kind)
    return lighter


def log_card_way(ways: list[Way], job: Job) -> None:
    """The log's own card, where it is not the scenario's: to be set, since a log seldom names it."""
    card = log_value(job["log"], "card_bytes")
    ours = deploy_card(job["state"], job["catalog"])["memory"]
    if card == 0 or abs(card / ours - 1) <= LOG_SAME_CARD:
        return
    size = int(card * 100 / GIB + 0.5) / 100
    limits = BOUNDS["card_gib"]
    if limits[0] <= size <= limits[1]:
        text = f"A card of {text_fixed(size, 2)} GiB, as the log says"
        ways.append({"text": text, "set": {"gpu": OWN_CARD, "card_gib": size}})
