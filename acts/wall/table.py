"""The wall's two figures as tables, to be saved: the spans of the memory bar, and users against context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deployment import deploy
from .picture import CURVE_CONTEXTS, wall_users_at

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import State, Table


def wall_figure_table(name: str, state: State, catalog: Catalog) -> Table:
    """The rows of the figure ``name``, names of the columns first: "memory" in bytes, or "curve"."""
    sizes = deploy(state, catalog)
    if name == "curve":
        rows: Table = [["context_tokens", "users_that_fit"]]
        for context in CURVE_CONTEXTS:
            rows.append([context, wall_users_at(state, catalog, sizes, context)])
        return rows
    rows = [["part", "users", "bytes", "from_byte", "to_byte"]]
    reserved = sizes["weights"] + sizes["reserve"]
    rows.append(["weights", "", sizes["weights"], 0, sizes["weights"]])
    rows.append(["activation_reserve", "", sizes["reserve"], sizes["weights"], reserved])
    rows.append(["cache", state.users, sizes["demanded"], reserved, reserved + sizes["demanded"]])
    rows.append(["usable", sizes["max_users"], sizes["wall"], 0, sizes["wall"]])
    rows.append(["in_all", "", sizes["card"], 0, sizes["card"]])
    return rows
