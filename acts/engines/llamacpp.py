"""What llama.cpp does beyond the plain arithmetic: cells, window caches, state copies, V padding.

Pure functions, compiled by :mod:`acts.twin` with the log reader. Sources:
https://github.com/ggml-org/llama.cpp, src/llama-kv-cache.cpp, src/llama-kv-cache-iswa.cpp,
src/llama-memory-recurrent.cpp. Read 2026-11-29. One cell holds one token of one layer; every slot's tokens
share the cells.
"""

from __future__ import annotations

from ..sizing import ceil_div

# Cells of a window cache come in multiples of this: https://github.com/ggml-org/llama.cpp/issues/17037
LLAMACPP_CELL_PAD = 256

# Tokens a micro-batch holds unless -ub says otherwise.
LLAMACPP_UBATCH = 512


def llamacpp_swa_cells(cells: int, window: int, sequences: int, ubatch: int) -> int:
    """Cells of a sliding-window layer: every sequence's window and one micro-batch, padded, at most all
    ``cells``.
    """
    wanted = ceil_div(window * sequences + ubatch, LLAMACPP_CELL_PAD) * LLAMACPP_CELL_PAD
    return min(cells, wanted)
