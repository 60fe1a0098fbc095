"""Growth's two figures as tables, to be saved: what each kind of layer holds, and the work step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import deploy_values
from ..sizing import entries_held, entry_bytes
from .layers import growth_caching
from .request import growth_bytes, growth_moment, growth_steps
from .work import growth_path

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import GrowthState, Table


def growth_figure_table(name: str, state: GrowthState, catalog: Catalog) -> Table:
    """The rows of the figure ``name``, names of the columns first: "cache" at the present step, or "work"."""
    if name == "work":
        path = growth_path(state.prompt, growth_steps(state), 1)
        rows: Table = [["decode_step", "passes_with_cache", "passes_without_cache"]]
        for index, step in enumerate(path["x"]):
            rows.append([step, path["with"][index], path["without"][index]])
        return rows
    shape = catalog.models[state.model].shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    tokens = growth_moment(state)["kept"]
    rows = [["layers", "kind", "kv_heads", "window_tokens", "entries_held", "bytes"]]
    for group in growth_caching(shape):
        held = entries_held(group, tokens) if tokens > 0 else 0
        size = group.layers * held * entry_bytes(group, group.num_kv_heads, keys, values)
        window = "" if group.window is None else group.window
        rows.append([group.layers, group.kind, group.num_kv_heads, window, held, size])
    if shape.state_bytes > 0:
        rows.append(["", "state", "", "", "", shape.state_bytes if tokens > 0 else 0])
    rows.append(["", "all", "", "", "", growth_bytes(shape, tokens, keys, values)])
    return rows
