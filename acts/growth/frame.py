"""Growth as data: one request step by step, what it caches, what its newest query reads, what it saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import context_beyond, deploy_values
from ..sizing import forwarded_tokens, recompute_avoided, vectors_stored
from ..text import text_bytes, text_count, text_times, text_whole
from .layers import GROWTH_DRAWN, growth_bands, growth_bottom, growth_caching, growth_column
from .picture import growth_cells, growth_worded
from .request import growth_bytes, growth_forgets, growth_kept, growth_moment, growth_phase
from .words import (
    growth_cache_label,
    growth_recompute_basis,
    growth_sentence,
    growth_table,
    growth_table_shown,
    growth_vectors_basis,
)
from .work import growth_work, growth_work_label, growth_work_span

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import Frame, GrowthState


def growth_frame(state: GrowthState, catalog: Catalog) -> Frame:
    """Frame of the growing cache: see :class:`acts.growth.Growth` for the readouts' units."""
    model = catalog.models[state.model]
    shape = model.shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    now = growth_moment(state)
    size = growth_bytes(shape, now["kept"], keys, values)
    kept = growth_kept(shape, now["kept"])
    vectors = vectors_stored(shape, now["kept"]) if now["kept"] > 0 else 0
    ratio = recompute_avoided(state.prompt, now["written"]) if now["step"] > 0 and state.cached else 1
    total = state.prompt + state.generated
    column = growth_column(total)
    bands = growth_bands(shape)
    live = state.live if growth_worded(state) else None
    sources = growth_cells(shape, bands, now, total, column, live)
    work = growth_work(state, now)
    for name in work:
        sources[name] = work[name]
    texts = growth_table(state, shape, keys, values, now)
    texts["phase"] = growth_phase(state, now)
    texts["recompute-basis"] = growth_recompute_basis(state, now)
    texts["vectors-basis"] = growth_vectors_basis(shape, now["kept"])
    texts["column"] = "one token" if column == 1 else "up to " + text_count(column, "token")
    most = forwarded_tokens(state.prompt, state.generated, False)
    shown = growth_table_shown(state, now)
    shown["windows"] = growth_forgets(shape, total) and state.cached
    shown["uncached"] = not state.cached
    shown["words"] = live is not None
    shown["groups"] = len(growth_caching(shape)) > len(GROWTH_DRAWN)
    return {
        "readouts": {
            "tokens-cached": {"text": text_whole(kept), "value": kept},
            "vectors-stored": {"text": text_whole(vectors), "value": vectors},
            "recompute-avoided": {"text": text_times(ratio), "value": ratio},
            "cache-bytes": {"text": text_bytes(size), "value": size},
        },
        "sentence": growth_sentence(state, model, now, growth_bytes(shape, now["held"], keys, values))
        + context_beyond(model, total),
        "texts": texts,
        "sources": sources,
        "ranges": {
            "cache-x": {"start": 0, "end": total},
            "cache-y": {"start": growth_bottom(bands) + (90 if live is not None else 32), "end": 0},
            "work-x": {"start": -0.04 * growth_work_span(state), "end": 1.04 * growth_work_span(state)},
            "work-y": {"start": -0.13 * most, "end": 1.2 * most},
        },
        "figures": {
            "cache": growth_cache_label(model, shape, now),
            "work": growth_work_label(state, now),
        },
        "shown": shown,
    }
