"""Where a card's memory went, as a log tells it and as the wall draws it for the same deployment.

Pure functions, compiled by :mod:`acts.twin`. A budget is {"title", "total", "parts"}: bytes of one card (of all for
engines that place whole layers), and its parts [kind, name, bytes] from the left. Kinds are the palette's: weights,
reserve (activations, graphs), cache, rest (what the log does not tell apart), held (what the engine leaves
untouched), free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..deployment import deploy, deploy_card
from ..sizing import ceil_div
from ..text import text_bytes, text_count, text_fixed, text_gib
from .compare import log_card
from .layout import (
    log_activation,
    log_beside,
    log_finding,
    log_pool,
    log_pool_by_engine,
    log_says,
    log_usable_said,
    log_value,
)

if TYPE_CHECKING:
    from ..contracts import Bar, BarPart, Budget, Job, Log

# What llama.cpp and Ollama lay out on a device: kind, name, and the findings that tell it, the first that does.
LOG_BUFFERS: list[list[Any]] = [
    ["weights", "weights", ["model_buffer_bytes", "file_bytes"]],
    ["reserve", "compute buffers", ["compute_bytes", "output_bytes"]],
    ["cache", "cache", ["kv_buffer_bytes", "kv_cache_bytes"]],
]

# Bytes that two decimals of a GiB, in a handful of figures, may leave over.
LOG_ROUNDING = 33554432


def log_budget(job: Job) -> Budget | None:
    """The budget the log tells; None if it tells too little of it."""
    log = job["log"]
    fullest = log_fullest(log_devices(log))
    if fullest is None:
        fullest = log_placed_budget(log)
    if fullest is not None and log["engine"] in ("llama.cpp", "ollama"):
        return fullest
    if log_says(log, "breakdown"):
        return log_table_budget(log, "")
    if log["engine"] == "llama.cpp" or log["engine"] == "ollama":
        return log_devices_budget(job)
    if log["engine"] is None:
        return None
    return log_pool_budget(job)


def log_part(parts: list[list[Any]], kind: str, name: str, count: float) -> None:
    """Adds a part that is there."""
    if count > 0:
        parts.append([kind, name, count])


def log_parts_sum(parts: list[list[Any]]) -> float:
    """Bytes of all parts."""
    total = 0
    for part in parts:
        total += part[2]
    return total


def log_closed(title: str, total: float, parts: list[list[Any]], kind: str, name: str) -> Budget:
    """A budget whose last part is what the others leave of ``total``."""
    log_part(parts, kind, name, int(total - log_parts_sum(parts)))
    return {"title": title, "total": max(total, log_parts_sum(parts)), "parts": parts}


def log_pool_budget(job: Job) -> Budget | None:
    """The budget of an engine that gives one pool on each card to the cache."""
    log = job["log"]
    parts: list[list[Any]] = []
    if log_says(log, "consumed_bytes"):
        log_part(parts, "weights", "weights and outside PyTorch", log_value(log, "consumed_bytes"))
    else:
        log_part(parts, "weights", "weights", log_value(log, "weights_bytes"))
        if not log_says(log, "weights_bytes"):
            log_part(parts, "weights", "weights and activations", log_value(log, "peak_bytes"))
        log_part(parts, "reserve", "outside PyTorch", log_value(log, "other_bytes"))
    log_part(parts, "reserve", "activations", log_activation(log)[0])
    log_part(
        parts, "reserve", "CUDA graphs", log_value(log, "graph_bytes", log_value(log, "graph_estimate_bytes"))
    )
    states = log_value(log, "state_bytes") + log_value(log, "conv_bytes")
    log_part(parts, "cache", "recurrent states", states)
    log_part(parts, "cache", "cache", max(0, log_pool(log)[0]))
    if log_pool(log)[0] == 0 and not log_says(log, "kv_cache_bytes"):
        log_part(parts, "cache", "cache", log_pool_by_engine(log)[0])
    if len(parts) < 2:
        return None
    total = log_card(job)
    title = "One card, as the log tells it"
    if not log_says(log, "card_bytes"):
        title = title + ", its size the scenario's"
    if log["engine"] == "sglang":
        total = max(total, log_parts_sum(parts))
    usable = log_usable_said(log)[0]
    if usable > 0:
        rest = usable - log_parts_sum(parts)
        # Less is what rounding leaves.
        if rest > LOG_ROUNDING:
            log_part(parts, "rest", "not told apart", int(rest))
        return log_closed(title, total, parts, "held", "not for the engine")
    log_part(parts, "free", "left free", log_value(log, "free_bytes"))
    return log_closed(title, total, parts, "rest", "not told apart")


def log_is_host(device: str) -> bool:
    """Whether a device is the host's memory: "CPU", "CPU_Mapped", "CUDA_Host"."""
    return device.startswith("cpu") or device.endswith("host")


def log_on_gpus(log: Log, key: str) -> float:
    """Bytes of a finding that lie on GPUs; all of it where devices are not told."""
    finding = log_finding(log, key)
    if finding is None:
        return 0
    if len(finding["parts"]) == 0:
        return finding["value"]
    total = 0
    for part in finding["parts"]:
        if not log_is_host(part[0]):
            total += part[1]
    return total


def log_part_of(log: Log, key: str, device: str) -> float:
    """Bytes of a finding that lie on one device."""
    total = 0.0
    finding = log_finding(log, key)
    if finding is not None:
        for part in finding["parts"]:
            if part[0] == device:
                total += part[1]
    return total


def log_placed(log: Log, device: str) -> list[list[Any]]:
    """What llama.cpp's or Ollama's buffers take on one device, as parts of a budget."""
    parts: list[list[Any]] = []
    for kind, name, keys in LOG_BUFFERS:
        count = 0.0
        for key in keys:
            if count == 0 or key == "output_bytes":
                count += log_part_of(log, key, device)
        log_part(parts, kind, name, count)
    return parts


def log_devices(log: Log) -> list[Budget]:
    """One budget a GPU, where the log tells what was free on each of several; of the breakdown table all of it."""
    budgets: list[Budget] = []
    table = log_finding(log, "breakdown")
    names = log_gpu_names(log) if table is None else [row[0] for row in table["parts"] if row[4] > 0]
    for name in names:
        if table is not None:
            budgets.append(log_table_budget(log, name))
            continue
        parts = log_placed(log, name)
        for other in log["others"]:
            taken = log_parts_sum(log_placed(log_beside(other), name))
            log_part(parts, "reserve", other["name"], taken)
        free = log_part_of(log, "start_bytes", name)
        if free > 0:
            title = f"{name.upper()}, as the log tells it, of what was free"
            budgets.append(log_closed(title, free, parts, "free", "left free"))
    return budgets if len(budgets) == len(names) and len(names) > 1 else []


def log_spare(budget: Budget) -> float:
    """Bytes that a budget leaves free."""
    for part in budget["parts"]:
        if part[0] == "free":
            return part[2]
    return 0


def log_fullest(budgets: list[Budget]) -> Budget | None:
    """The budget of the GPU with the least left, which decides what else fits; None of none."""
    fullest: Budget | None = None
    for budget in budgets:
        if fullest is None or log_spare(budget) < log_spare(fullest):
            fullest = budget
    return fullest


def log_placed_budget(log: Log) -> Budget | None:
    """The fullest GPU by Ollama's estimate of what it takes on each; None where it does not tell of several."""
    placed = log_finding(log, "placed_bytes")
    available = log_finding(log, "start_bytes")
    if placed is None or available is None or len(placed["parts"]) < 2:
        return None
    budgets: list[Budget] = []
    for part in placed["parts"]:
        parts: list[list[Any]] = []
        free = log_part_of(log, "start_bytes", part[0])
        log_part(parts, "weights", "layers with their cache, graph and projector", part[1])
        if part[1] > 0:
            title = f"{part[0]}, as Ollama estimates it, of what was free"
            budgets.append(log_closed(title, free, parts, "free", "left free"))
    return log_fullest(budgets)


def log_gpu_names(log: Log) -> list[str]:
    """GPUs that hold something, as the log names them."""
    names: list[str] = []
    for finding in log["findings"]:
        if finding["key"] not in ("start_bytes", "breakdown", "tried_bytes", "placed_bytes"):
            for part in finding["parts"]:
                if not log_is_host(part[0]) and part[0] != "" and part[0] not in names:
                    names.append(part[0])
    return names


def log_devices_budget(job: Job) -> Budget | None:
    """The budget of llama.cpp and Ollama: what lies on all GPUs together."""
    log = job["log"]
    parts: list[list[Any]] = []
    weights = log_on_gpus(log, "model_buffer_bytes")
    if weights == 0:
        weights = log_on_gpus(log, "file_bytes")
    log_part(parts, "weights", "weights", weights)
    log_part(parts, "reserve", "projector", log_value(log, "projector_bytes"))
    log_part(parts, "reserve", "projector's graph", log_value(log, "projector_graph_bytes"))
    graph = log_on_gpus(log, "compute_bytes") + log_on_gpus(log, "output_bytes")
    if graph == 0:
        graph = log_value(log, "graph_full_bytes")
    log_part(parts, "reserve", "compute buffers", graph)
    log_part(parts, "cache", "recurrent states", log_value(log, "state_bytes"))
    held = log_on_gpus(log, "kv_buffer_bytes")
    if held == 0 and not log_says(log, "kv_buffer_bytes"):
        held = log_on_gpus(log, "kv_cache_bytes")
        if not log_says(log, "kv_cache_bytes"):
            held = log_value(log, "kv_estimate_bytes")
    log_part(parts, "cache", "cache", held)
    if len(parts) < 2:
        return None
    names = log_gpu_names(log)
    title = "All GPUs together, as the log tells it"
    start = log_value(log, "start_bytes")
    if start > 0:
        return log_closed(title, start, parts, "free", "left free")
    total = deploy_card(job["state"], job["catalog"])["memory"] * max(1, len(names))
    title = title + ", the size of a card the scenario's"
    return log_closed(title, total, parts, "rest", "free or not told apart")


def log_table_budget(log: Log, device: str) -> Budget:
    """The budget of llama.cpp's own memory breakdown: one device's, or for "" its GPUs together."""
    sums = [0, 0, 0, 0, 0]
    finding = log_finding(log, "breakdown")
    if finding is not None:
        for part in finding["parts"]:
            if part[4] > 0 and device in ("", part[0]):
                for place in range(5):
                    sums[place] += part[place + 1]
    parts: list[list[Any]] = []
    log_part(parts, "weights", "weights", sums[1])
    log_part(parts, "reserve", "compute buffers", sums[2])
    log_part(parts, "cache", "cache and states", sums[0])
    taken = log_parts_sum(parts)
    # A table printed before loading counts as free what is about to be taken.
    log_part(parts, "free", "left free", min(sums[4], max(0, sums[3] - taken)))
    title = (
        "All GPUs together, as the log tells it" if device == "" else f"{device.upper()}, as the log tells it"
    )
    return log_closed(title, sums[3], parts, "rest", "other programs, not told apart")


def log_wall_budget(job: Job) -> Budget:
    """What the wall draws for the scenario: one card, or all of them for engines that place whole layers."""
    state = job["state"]
    sizes = deploy(state, job["catalog"])
    cards = sizes["cards"]
    parts: list[list[Any]] = []
    log_part(parts, "weights", "weights", ceil_div(sizes["weights"], cards))
    log_part(parts, "reserve", "reserve", ceil_div(sizes["reserve"], cards))
    demanded = ceil_div(sizes["demanded"], cards)
    log_part(parts, "cache", "cache of " + text_count(state.users, "user"), demanded)
    room = ceil_div(sizes["wall"], cards) - log_parts_sum(parts)
    log_part(parts, "free", "free", int(room))
    total = ceil_div(sizes["card"], cards)
    log_part(parts, "held", "not for the engine", int(total - log_parts_sum(parts)))
    return {"title": "One card, as this page sizes the scenario", "total": total, "parts": parts}


def log_bar(budget: Budget | None, widest: float) -> list[BarPart]:
    """The parts of a bar: kind, name, size in words, and place and width in percent of ``widest`` bytes."""
    bar: list[BarPart] = []
    if budget is None or widest <= 0:
        return bar
    at = 0
    for part in budget["parts"]:
        seen = min(part[2], max(0, widest - at))
        bar.append(
            {
                "kind": part[0],
                "name": part[1],
                "size": text_gib(int(part[2])),
                "start": text_fixed(min(at, widest) * 100 / widest, 2),
                "width": text_fixed(seen * 100 / widest, 2),
            }
        )
        at += part[2]
    return bar


def log_bars(job: Job) -> list[Bar]:
    """The log's bar and the wall's on one scale: title, whole in words, where it ends in percent, parts, and all of
    it in one sentence.
    """
    told = log_budget(job)
    bars: list[Bar] = []
    if told is None:
        return bars
    wall = log_wall_budget(job)
    # Users who do not fit would make the log's own bar too small to see: the wall's is cut at twice the card.
    widest = max(told["total"], wall["total"], min(log_parts_sum(wall["parts"]), told["total"] * 2))
    for budget in [told, wall]:
        bars.append(
            {
                "title": budget["title"],
                "total": text_gib(int(budget["total"])),
                "card": text_fixed(budget["total"] * 100 / widest, 2),
                "parts": log_bar(budget, widest),
                "words": log_budget_words(budget),
            }
        )
    return bars


def log_budget_words(budget: Budget) -> str:
    """A budget in one sentence."""
    named = []
    for part in budget["parts"]:
        named.append(part[1] + " " + text_gib(int(part[2])))
    return budget["title"] + ": " + text_gib(int(budget["total"])) + ", of them " + ", ".join(named) + "."


def log_host_words(log: Log) -> str:
    """How much of the cache lies in host memory, in a sentence; "" if none."""
    finding = log_finding(log, "kv_buffer_bytes")
    if finding is None:
        finding = log_finding(log, "kv_cache_bytes")
    if finding is None or len(finding["parts"]) == 0:
        return ""
    host = 0
    for part in finding["parts"]:
        if log_is_host(part[0]):
            host += part[1]
    if host == 0:
        return ""
    return text_bytes(host) + " of the cache lie in host memory, not on a GPU."
