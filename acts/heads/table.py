"""The heads' two figures as tables, to be saved: which KV head a query head reads, and the bytes of each scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .choice import heads_view

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import HeadsState, Table


def heads_figure_table(name: str, state: HeadsState, catalog: Catalog) -> Table:
    """The rows of the figure ``name``, names of the columns first: "joins", heads counted from 0, or "bars"."""
    view = heads_view(state, catalog)
    if name == "bars":
        chosen = 1 if view["latent"] else view["kv"]
        rows: Table = [["what_is_cached", "heads", "bytes_per_token", "bytes_per_sequence"]]
        rows.append(
            ["latent" if view["latent"] else "kv_heads", chosen, view["token"], view["sequence"]],
        )
        if view["known"]:
            rows.append(["every_query_head", view["queries"], view["full_token"], view["full_sequence"]])
        return rows
    rows = [["query_head", "reads_latent" if view["latent"] else "reads_kv_head"]]
    for query in range(view["queries"]):
        rows.append([query, 0 if view["latent"] else query * view["kv"] // view["queries"]])
    return rows
