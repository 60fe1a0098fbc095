"""The wall as data: one memory bar to scale, the curve of users against context, and the verdict in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import TYPICAL_RESERVE, context_beyond, deploy, deploy_as, deploy_note
from ..sizing import GIB
from ..text import text_bytes, text_fixed, text_gib, text_whole
from .pace import wall_pace
from .picture import (
    wall_bar_end,
    wall_curve,
    wall_curve_range,
    wall_cut,
    wall_edges,
    wall_labels,
    wall_parts,
    wall_points,
    wall_side,
    wall_slices,
)
from .words import WALL_VERDICTS, wall_curve_label, wall_flag, wall_memory_label, wall_sentence, wall_verdict

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import Frame, State


def wall_frame(state: State, catalog: Catalog) -> Frame:
    """Frame of the wall: see :class:`acts.wall.Wall` for the readouts' units."""
    sizes = deploy(state, catalog)
    fits = sizes["free"] > 0
    typical = deploy_as(state, catalog, state.weights, state.gpus, max(TYPICAL_RESERVE, state.reserve))
    verdict = wall_verdict(state, catalog, sizes)
    end = wall_bar_end(sizes)
    side = wall_side(sizes["wall"] / GIB, end, 8)
    curve = wall_curve(state, catalog, sizes)
    texts = wall_pace(state, catalog, sizes)
    texts["typical-reserve"] = text_fixed(max(TYPICAL_RESERVE, state.reserve), 1)
    return {
        "readouts": {
            "max-users": {
                "text": text_whole(sizes["max_users"]) if fits else "none",
                "value": sizes["max_users"],
            },
            "max-users-typical": {
                "text": text_whole(typical["max_users"]) if typical["free"] > 0 else "none",
                "value": typical["max_users"],
            },
            "cache-demanded": {"text": text_gib(sizes["demanded"]), "value": sizes["demanded"]},
            "free-memory": {
                "text": text_gib(sizes["room"]) if fits else "none: weights do not fit",
                "value": sizes["room"],
            },
            "weights-memory": {"text": text_gib(sizes["weights"]), "value": sizes["weights"]},
            "cache-per-user": {"text": text_bytes(sizes["user"]), "value": sizes["user"]},
            "verdict": {"text": WALL_VERDICTS[verdict], "value": None},
        },
        "sentence": wall_sentence(state, catalog, sizes, verdict)
        + (context_beyond(catalog.models[state.model], state.context) if fits else "")
        + deploy_note(state, catalog),
        "texts": texts,
        "sources": {
            "parts": wall_parts(sizes),
            "slices": wall_slices(sizes, state.users, end),
            "labels": wall_labels(state, sizes, end),
            "edges": wall_edges(sizes, end),
            "cut": wall_cut(sizes, end),
            "wall": {
                "x": [sizes["wall"] / GIB],
                "text": [wall_flag(sizes)],
                "align": [side["align"]],
                "dx": [side["dx"]],
            },
            "curve": curve,
            "point": wall_points(state, sizes),
        },
        "ranges": {"memory-x": {"start": 0, "end": end}, "curve-y": wall_curve_range(curve)},
        "figures": {
            "memory": wall_memory_label(state, catalog, sizes),
            "curve": wall_curve_label(state, sizes),
        },
        "shown": {},
    }
