"""Tells the starts in one text apart: restarts, data-parallel copies, draft and second models.

Pure functions, compiled by :mod:`acts.twin`. Hits are what :mod:`acts.logs.reader` finds line by line. A start
is {"engine", "findings", "others", "whole", "line"}: others are {"name", "findings"} of what started with it and
has a cache of its own, line is the number of the start's first line. Nothing is added up or mixed across starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .facts import LOG_LABELS, LOG_WHOLE

if TYPE_CHECKING:
    from ..contracts import Finding, Gathered, Hit, Other, Pool, Segment, Start

# More bytes than anything has: sums stay whole numbers in the browser.
LOG_MAX_SUM = 1125899906842624

# Characters of a sum's figures that are shown.
LOG_SUMMED = 300

# What vLLM V0's processes but the first are called, which alone prints no name before its lines.
LOG_WORKER = "process "

# Figures of one rank, which together are its budget: those of the rank that decides are taken, not the largest of all.
LOG_OF_ONE_RANK = [
    "weights_bytes", "activation_bytes", "peak_bytes", "other_bytes", "consumed_bytes", "graph_bytes",
    "graph_estimate_bytes", "card_bytes", "usable_bytes", "start_bytes", "loaded_bytes", "free_bytes",
]  # fmt: skip

# Engines whose lines an engine's own runner repeats.
LOG_RUNNERS: dict[str, str] = {"ollama": "llama.cpp"}


def log_starts(hits: list[Hit], engine: str) -> list[Start]:
    """The starts of ``engine`` in the order of the text."""
    runner = LOG_RUNNERS.get(engine, "")
    copies: list[str] = []
    runs: dict[str, list[Segment]] = {}
    for hit in hits:
        if hit["engine"] not in (engine, runner, "pytorch"):
            continue
        copy = hit["copy"]
        if copy not in copies:
            copies.append(copy)
            runs[copy] = []
        log_take(runs[copy], hit)
    joined = []
    for copy in copies:
        joined.append(log_join(runs[copy]))
    return log_companions(log_copies(joined), engine)


def log_take(run: list[Segment], hit: Hit) -> None:
    """Adds a hit to the last segment of a run, or to a new one where the engine begins anew."""
    if len(run) == 0 or log_begins_anew(run[len(run) - 1], hit):
        run.append({"hits": [], "whole": False, "ranks": [], "line": hit["place"]})
    segment = run[len(run) - 1]
    segment["hits"].append(hit)
    if hit["key"] in LOG_WHOLE:
        segment["whole"] = True
    if hit["rank"] != "" and hit["rank"] not in segment["ranks"]:
        segment["ranks"].append(hit["rank"])


def log_begins_anew(segment: Segment, hit: Hit) -> bool:
    """Whether a hit is of another start: printed before memory is known, and the segment knows it already.

    A rank that was not heard of yet belongs to the same start.
    """
    if hit["begin"] == 0 or not segment["whole"]:
        return False
    return hit["rank"] == "" or hit["rank"] in segment["ranks"]


def log_join(run: list[Segment]) -> list[Segment]:
    """The run's segments, those joined that only say more of the one before: lines pasted out of order."""
    joined: list[Segment] = []
    for segment in run:
        if len(joined) > 0 and log_adds(joined[len(joined) - 1], segment):
            before = joined[len(joined) - 1]
            for hit in segment["hits"]:
                before["hits"].append(hit)
            before["whole"] = before["whole"] or segment["whole"]
        else:
            joined.append(segment)
    return joined


def log_adds(before: Segment, segment: Segment) -> bool:
    """Whether a segment repeats nothing that the one before says, unless it is the same setting."""
    said: dict[str, Any] = {}
    for hit in before["hits"]:
        said[hit["engine"] + " " + hit["key"]] = [hit["value"]]
    for hit in segment["hits"]:
        old = said.get(hit["engine"] + " " + hit["key"], [])
        if len(old) > 0 and (hit["begin"] == 0 or old[0] != hit["value"] or hit["weak"] == 0):
            return False
    return True


def log_copies(runs: list[list[Segment]]) -> list[Gathered]:
    """Starts from the runs of all data-parallel copies: the n-th of each belong together.

    Lines of no copy, as the front end's are, say more of each start.
    """
    starts: list[Gathered] = []
    most = 0
    for run in runs:
        most = max(most, len(run))
    for place in range(most):
        start: Gathered = {"hits": [], "whole": False, "line": 0, "copies": []}
        for run in runs:
            if place < len(run):
                log_add_copy(start, run[place])
        starts.append(start)
    return starts


def log_add_copy(start: Gathered, segment: Segment) -> None:
    """Adds a copy's segment to a start: the first whole one is the start itself, further ones stand beside it."""
    if start["whole"] and segment["whole"]:
        start["copies"].append(segment)
        return
    for hit in segment["hits"]:
        start["hits"].append(hit)
    start["whole"] = start["whole"] or segment["whole"]
    start["line"] = segment["line"] if start["line"] == 0 else min(start["line"], segment["line"])


def log_companions(starts: list[Gathered], engine: str) -> list[Start]:
    """Starts with their findings; a further context of the same llama.cpp process stands beside the first."""
    found: list[Start] = []
    for start in starts:
        findings = log_findings(start["hits"], engine)
        others: list[Other] = []
        for copy in start["copies"]:
            name = "data-parallel copy " + copy["hits"][0]["copy"]
            others.append({"name": name, "findings": log_findings(copy["hits"], engine)})
        if len(found) > 0 and log_is_companion(found[len(found) - 1], findings, engine):
            before = found[len(found) - 1]
            if not log_same_as_last(before["others"], findings):
                before["others"].append({"name": log_companion_name(findings), "findings": findings})
            continue
        found.append(
            {
                "engine": engine,
                "findings": findings,
                "others": others,
                "pools": log_pools(start["hits"]),
                "ranks": log_ranks(start["hits"]),
                "whole": start["whole"],
                "line": start["line"],
            }
        )
    return found


def log_pools(hits: list[Hit]) -> list[Pool]:
    """SGLang's pools, a line each: tokens, bytes, and the worth of the bytes' last digits.

    Ranks repeat themselves; the same figures count once.
    """
    pools: list[Pool] = []
    places: dict[str, int] = {}
    for hit in hits:
        if hit["engine"] != "sglang" or hit["key"] not in (
            "kv_tokens",
            "k_bytes",
            "v_bytes",
            "kv_cache_bytes",
        ):
            continue
        line = str(hit["place"])
        if places.get(line, -1) < 0:
            places[line] = len(pools)
            pools.append({"tokens": 0, "bytes": 0, "step": 0})
        pool = pools[places[line]]
        if hit["key"] == "kv_tokens":
            pool["tokens"] = hit["value"]
        else:
            pool["bytes"] += hit["value"]
            pool["step"] += hit["step"]
    kept: list[Pool] = []
    for pool in pools:
        known = False
        for other in kept:
            known = known or (other["tokens"] == pool["tokens"] and other["bytes"] == pool["bytes"])
        if pool["bytes"] > 0 and pool["tokens"] > 0 and not known:
            kept.append(pool)
    return kept


def log_ranks(hits: list[Hit]) -> int:
    """How many ranks that share out layers the lines name, those of a pipeline's stages counted once, with the first
    process of vLLM V0, which has no name; 0 if they name none.
    """
    ranks: list[str] = []
    for hit in hits:
        rank = hit["rank"][hit["rank"].find(" ") + 1 :] if hit["rank"].startswith("PP") else hit["rank"]
        if rank != "" and not rank.startswith("PP") and rank not in ranks:
            ranks.append(rank)
    unnamed = len([rank for rank in ranks if rank.startswith(LOG_WORKER)])
    return len(ranks) + (1 if unnamed > 0 else 0)


def log_is_companion(start: Start, findings: list[Finding], engine: str) -> bool:
    """Whether findings are of a further context of the same process: a draft model, or one of other layers."""
    if (
        engine not in ("llama.cpp", "ollama")
        or log_has(findings, "restart")
        or log_has(start["findings"], "serving")
    ):
        return False
    if log_has(findings, "draft"):
        return True
    layers = log_found(start["findings"], "layers")
    others = log_found(findings, "layers")
    return layers > 0 and others > 0 and layers != others


def log_companion_name(findings: list[Finding]) -> str:
    """What stands beside the model: said by the log, or only that it is another."""
    if log_has(findings, "draft"):
        return "draft model"
    return "second context"


def log_same_as_last(others: list[Other], findings: list[Finding]) -> bool:
    """Whether the last companion is the same context set up once more."""
    if len(others) == 0:
        return False
    last = others[len(others) - 1]["findings"]
    return log_found(last, "kv_cache_bytes") == log_found(findings, "kv_cache_bytes")


def log_has(findings: list[Finding], key: str) -> bool:
    """Whether there is a finding ``key``."""
    return len([finding for finding in findings if finding["key"] == key]) > 0


def log_found(findings: list[Finding], key: str) -> float:
    """The value of the finding ``key``, 0 if there is none."""
    for finding in findings:
        if finding["key"] == key:
            return finding["value"]
    return 0


def log_used(starts: list[Start]) -> int:
    """The place of the start to use: the last that is whole, else the last; 0 where there is none."""
    used = max(0, len(starts) - 1)
    for place in range(len(starts)):
        if starts[place]["whole"]:
            used = place
    return used


def log_findings(hits: list[Hit], engine: str) -> list[Finding]:
    """One finding a key, from the lines in ``engine``'s wording.

    Ollama's runner prints llama.cpp's lines, and PyTorch refuses memory to any engine; they say what the engine's
    own do not.
    """
    findings: list[Finding] = []
    log_collect(findings, hits, engine)
    log_decide(findings, hits, engine)
    for further in [LOG_RUNNERS.get(engine, ""), "pytorch"]:
        if further in ("", engine):
            continue
        more: list[Finding] = []
        log_collect(more, hits, further)
        own = [finding["key"] for finding in findings]
        for finding in more:
            if finding["key"] not in own:
                findings.append(finding)
    return findings


def log_decide(findings: list[Finding], hits: list[Hit], engine: str) -> None:
    """Takes the figures of one budget from one rank: the one with the least memory for its cache, which decides."""
    key = "loaded_bytes" if engine == "sglang" else "kv_cache_bytes"
    deciding = [finding for finding in findings if finding["key"] == key and len(finding["ranks"]) > 1]
    if len(deciding) == 0:
        return
    rank = deciding[0]["rank"]
    own: list[Finding] = []
    log_collect(own, [hit for hit in hits if hit["rank"] == rank and hit["key"] in LOG_OF_ONE_RANK], engine)
    for place in range(len(findings)):
        for finding in own:
            if finding["key"] == findings[place]["key"]:
                finding["ranks"] = findings[place]["ranks"]
                finding["parts"] = findings[place]["parts"]
                findings[place] = finding


def log_collect(findings: list[Finding], hits: list[Hit], engine: str) -> None:
    """Adds the findings of one engine's wording."""
    places: dict[str, int] = {}
    for hit in hits:
        if hit["engine"] != engine:
            continue
        place = places.get(hit["key"], -1)
        if place >= 0:
            log_merge(findings[place], hit)
            continue
        places[hit["key"]] = len(findings)
        parts = [part[:] for part in hit["parts"]]
        if hit["keep"] in ("least", "most"):
            parts = [[hit["rank"], hit["value"]]]
        findings.append(
            {
                "key": hit["key"],
                "label": LOG_LABELS[hit["key"]],
                "value": hit["value"],
                "text": hit["text"],
                "line": hit["line"],
                "keep": hit["keep"],
                "step": hit["step"],
                "below": hit["below"],
                "parts": parts,
                "rank": hit["rank"],
                "ranks": [hit["rank"]],
                "place": hit["place"],
            }
        )


def log_merge(finding: Finding, hit: Hit) -> None:
    """Takes a further line of the same fact into a finding, as the fact's ``keep`` says."""
    keep = hit["keep"]
    if hit["rank"] not in finding["ranks"]:
        finding["ranks"].append(hit["rank"])
        if finding["keep"] in ("least", "most"):
            finding["parts"].append([hit["rank"], hit["value"]])
    if keep != finding["keep"]:
        return
    if keep == "sum":
        finding["value"] = min(LOG_MAX_SUM, finding["value"] + hit["value"])
        finding["text"] = log_summed(finding["text"], hit["text"])
        finding["step"] = finding["step"] + hit["step"]
        for part in hit["parts"]:
            finding["parts"].append(part[:])
    elif keep == "device":
        log_merge_device(finding, hit)
    elif log_replaces(finding, hit):
        finding["value"] = hit["value"]
        finding["text"] = hit["text"]
        finding["line"] = hit["line"]
        finding["step"] = hit["step"]
        finding["below"] = hit["below"]
        finding["rank"] = hit["rank"]
        finding["place"] = hit["place"]
        if keep == "last":
            finding["parts"] = [part[:] for part in hit["parts"]]


def log_summed(text: str, more: str) -> str:
    """The figures of a sum as printed, as many as can be shown."""
    if text.endswith("…"):
        return text
    return text + " + " + (more if len(text) < LOG_SUMMED else "…")


def log_replaces(finding: Finding, hit: Hit) -> bool:
    """Whether a hit counts instead of what was found before: the latest, the most or the least."""
    if hit["keep"] == "last":
        return True
    # What differs by rounding alone is the same figure.
    slack = max(finding["step"], hit["step"]) / 2
    if hit["keep"] == "most":
        return hit["value"] > finding["value"] + slack
    if hit["keep"] == "least":
        return hit["value"] - hit["below"] + slack < finding["value"] - finding["below"]
    return False


def log_merge_device(finding: Finding, hit: Hit) -> None:
    """Takes a device's line into a finding: an engine that tries several layouts prints the same device again."""
    for part in hit["parts"]:
        known = False
        for place in range(len(finding["parts"])):
            if finding["parts"][place][0] == part[0]:
                finding["parts"][place] = part[:]
                known = True
        if not known:
            finding["parts"].append(part[:])
            finding["text"] = log_summed(finding["text"], hit["text"])
            finding["step"] = finding["step"] + hit["step"]
    total = 0
    for part in finding["parts"]:
        total = min(LOG_MAX_SUM, total + part[1])
    finding["value"] = total
