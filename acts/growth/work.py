"""The work of the request as data: tokens run with and without a cache."""

from __future__ import annotations

from typing import Any

from ..sizing import forwarded_tokens
from ..text import text_count, text_whole
from .layers import growth_column
from .request import growth_phase


def growth_work(state: Any, now: dict[str, Any]) -> dict[str, Any]:
    """Tokens run up to each decode step (0 is prefill): the whole request's lines, and the way so far."""
    stride = growth_column(state.generated)
    path = growth_path(state.prompt, state.generated, stride)
    walked = (
        growth_path(state.prompt, now["done"], stride)
        if now["step"] > 0
        else {"x": [], "with": [], "without": []}
    )
    points: dict[str, Any] = {"x": [], "y": [], "role": []}
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
    return {
        "path": path,
        "walked": walked,
        "points": points,
        "names": {
            "x": [0.9 * state.generated, state.generated],
            "y": [most, forwarded_tokens(state.prompt, state.generated, True)],
            "text": [without, with_cache],
            "role": ["muted", "cache"],
            "baseline": ["middle", "bottom"],
        },
        "ends": {
            "x": [0, state.generated],
            "text": ["prefill", text_count(state.generated, "decode step")],
            "align": ["left", "right"],
        },
    }


def growth_path(prompt: int, generated: int, stride: int) -> dict[str, Any]:
    """Tokens run with and without a cache up to every ``stride``-th decode step and the last one."""
    path: dict[str, Any] = {"x": [], "with": [], "without": []}
    step = 0
    while step <= generated:
        path["x"].append(step)
        path["with"].append(forwarded_tokens(prompt, step, True))
        path["without"].append(forwarded_tokens(prompt, step, False))
        if step == generated:
            break
        step = min(step + stride, generated)
    return path


def growth_work_label(state: Any, now: dict[str, Any]) -> str:
    """The work plot in words."""
    return (
        "Tokens run through the model, added up over the request. After "
        + growth_phase(state, now)
        + ": "
        + text_whole(forwarded_tokens(state.prompt, now["done"], True) if now["step"] > 0 else 0)
        + " with a cache, "
        + text_whole(forwarded_tokens(state.prompt, now["done"], False) if now["step"] > 0 else 0)
        + " without. At the end: "
        + text_whole(forwarded_tokens(state.prompt, state.generated, True))
        + " and "
        + text_whole(forwarded_tokens(state.prompt, state.generated, False))
        + "."
    )
