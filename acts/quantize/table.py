"""The act's three figures as tables, to be saved: users by cache type, a block of values, numbers being rounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .picture import QUANTIZE_VALUES, quantize_block
from .rounding import quantize_round
from .value import quantize_sizes

if TYPE_CHECKING:
    from ..catalog import Catalog
    from ..contracts import QuantizeState, Table


def quantize_figure_table(name: str, state: QuantizeState, catalog: Catalog) -> Table:
    """The rows of the figure ``name``, names of the columns first: "users", "block" or "rounding".

    The first two have every cache type, keys and values alike; a type that the card cannot keep has no users.
    """
    if name == "rounding":
        values = quantize_round(state, catalog.caches[state.cache])["values"]
        rows: Table = [["number", "value", "rounded"]]
        for index, place in enumerate(values["x"]):
            rows.append([place, values["y"][index], values["rounded"][index]])
        return rows
    if name == "block":
        shape = catalog.models[state.model].shape
        rows = [["cache_type", "values", "bits_per_value", "bits_with_scales"]]
        for cache in catalog.caches:
            row = catalog.caches[cache]
            bits = quantize_block(shape, row, 0, "cache")["bits"]
            rows.append([cache, QUANTIZE_VALUES, row.bits, bits])
        return rows
    rows = [["cache_type", "users_that_fit", "bytes_per_user", "weights_bytes", "usable_bytes"]]
    for cache in catalog.caches:
        sizes = quantize_sizes(state, catalog, cache)
        rows.append([cache, sizes["max_users"], sizes["user"], sizes["weights"], sizes["wall"]])
    return rows
