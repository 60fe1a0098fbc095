"""The work of the request as data: passes of a token through the model, with and without a cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sizing import forwarded_tokens
from ..text import text_count, text_whole
from .layers import growth_column
from .request import growth_phase, growth_steps

if TYPE_CHECKING:
    from ..contracts import Columns, GrowthState, Moment


def growth_work(state: GrowthState, now: Moment) -> dict[str, Columns]:
    """Passes of a token up to each decode step (0 is prefill): the whole request's lines, and the way so far."""
    stride = growth_column(growth_work_span(state))
    path = growth_path(state.prompt, growth_steps(state), stride)
    walked = (
        growth_path(state.prompt, now["done"], stride)
        if now["step"] > 0
        else {"x": [], "with": [], "without": []}
    )
    points: Columns = {"x": [], "y": [], "role": []}
    with_cache = "with a cache"
    without = "without a cache"
    if now["step"] > 0:
        last = len(walked["x"]) - 1
        points = {
            "x": [now["done"], now["done"]],
            "y": [walked["with"][last], walked["without"][last]],
            "role": ["cache", "muted"],
        }
        with_cache += ": " + text_whole(walked["with"][last])
        without += ": " + text_whole(walked["without"][last])
    most = forwarded_tokens(state.prompt, state.generated, False)
    least = forwarded_tokens(state.prompt, state.generated, True)
    names: Columns = {
        "x": [0.9 * growth_work_span(state), growth_work_span(state)],
        "y": [most, least],
        "text": [without, with_cache],
        "role": ["muted", "cache"],
        "baseline": ["middle", "bottom"],
    }
    if most == least:
        # Prefill alone answers the request: one line, and one name for it.
        names = {
            "x": [growth_work_span(state)],
            "y": [least],
            "text": [with_cache.replace("with ", "with or without ")],
            "role": ["cache"],
            "baseline": ["bottom"],
        }
    return {
        "path": path,
        "walked": walked,
        "points": points,
        "names": names,
        "ends": {
            "x": [0, growth_work_span(state)],
            "text": ["prefill", text_count(growth_steps(state), "decode step")],
            "align": ["left", "right"],
        },
    }


def growth_work_span(state: GrowthState) -> int:
    """Decode steps the plot has room for: those of the request, or one where prefill alone answers it."""
    return max(1, growth_steps(state))


def growth_path(prompt: int, steps: int, stride: int) -> Columns:
    """Passes of a token with and without a cache up to every ``stride``-th decode step and the last of ``steps``."""
    path: Columns = {"x": [], "with": [], "without": []}
    step = 0
    while step <= steps:
        path["x"].append(step)
        path["with"].append(forwarded_tokens(prompt, step + 1, True))
        path["without"].append(forwarded_tokens(prompt, step + 1, False))
        if step == steps:
            break
        step = min(step + stride, steps)
    return path


def growth_work_label(state: GrowthState, now: Moment) -> str:
    """The work plot in words."""
    run = forwarded_tokens(state.prompt, now["written"], True) if now["step"] > 0 else 0
    again = forwarded_tokens(state.prompt, now["written"], False) if now["step"] > 0 else 0
    return (
        f"Passes of a token through the model, added up over the request. After {growth_phase(state, now)}: "
        f"{text_whole(run)} with a cache, {text_whole(again)} without. At the end: "
        f"{text_whole(forwarded_tokens(state.prompt, state.generated, True))} and "
        f"{text_whole(forwarded_tokens(state.prompt, state.generated, False))}."
    )
