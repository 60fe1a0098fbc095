"""The request: where it stands at a step, and what it holds there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sizing import bytes_per_sequence
from ..text import text_whole

if TYPE_CHECKING:
    from ..catalog import CacheType
    from ..contracts import GrowthState, Moment
    from ..sizing import Shape


def growth_steps(state: GrowthState) -> int:
    """Decode steps of the whole request: one fewer than the tokens it generates."""
    return state.generated - 1


def growth_last_step(state: GrowthState) -> int:
    """The step at which the request is over and its cache released."""
    return state.generated + 1


def growth_moment(state: GrowthState) -> Moment:
    """Where the request stands.

    ``step`` 0 is before prefill, 1 prefill, 1 + i decode step i, the last one release; a step beyond it
    counts as the last. ``done`` counts decode steps taken, ``written`` the tokens generated, one more since prefill
    writes the first, ``held`` the tokens run before a release, ``tokens`` those whose keys and values there are now,
    ``kept`` those of them that are ``cached``: all, or none without a cache. The newest token written is not run
    yet: that is the next step's work.
    """
    last = growth_last_step(state)
    step = min(state.step, last)
    done = max(0, min(step - 1, growth_steps(state)))
    phase = "decode"
    if step == 0:
        phase = "before"
    elif step == 1:
        phase = "prefill"
    elif step == last:
        phase = "released"
    held = state.prompt + done if step > 0 else 0
    tokens = 0 if phase == "released" else held
    return {
        "cached": state.cached,
        "step": step,
        "phase": phase,
        "prompt": state.prompt,
        "done": done,
        "written": done + 1 if step > 0 else 0,
        "held": held,
        "tokens": tokens,
        "kept": tokens if state.cached else 0,
    }


def growth_phase(state: GrowthState, now: Moment) -> str:
    """The step in words: "decode step 7 of 11"."""
    if now["phase"] == "before":
        return "before the request"
    if now["phase"] == "prefill":
        return "prefill"
    if now["phase"] == "released":
        return "released"
    return "decode step " + text_whole(now["done"]) + " of " + text_whole(growth_steps(state))


def growth_bytes(shape: Shape, tokens: int, keys: CacheType, values: CacheType) -> int:
    """Bytes the request holds at ``tokens`` tokens; nothing, not even fixed state, before it starts."""
    if tokens == 0:
        return 0
    return bytes_per_sequence(shape, tokens, keys, values)


def growth_forgets(shape: Shape, tokens: int) -> bool:
    """Whether any layer's window is shorter than ``tokens`` tokens."""
    return len([group for group in shape.groups if group.window is not None and group.window < tokens]) > 0


def growth_kept(shape: Shape, tokens: int) -> int:
    """Tokens of ``tokens`` that at least one layer still holds."""
    kept = 0
    for group in shape.groups:
        if group.fixed_tokens is None and group.num_kv_heads > 0:
            kept = max(kept, tokens if group.window is None else min(tokens, group.window))
    return kept
