"""Memory of the served page: what stays is looked over once, and closed sessions are freed together.

A session's objects refer to one another, so that only Python's collector frees them, and a collection looks at
everything there is while every viewer waits. Left to itself Python lets closed sessions gather; a collection for each
holds the server up for half a minute when a hundred viewers leave at once.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from typing import Any

#: Seconds in which closed sessions gather before they are freed.
GATHERING = 1.0


class Sweeper:
    """Frees closed sessions, all that closed within a second in one go."""

    def __init__(self) -> None:
        self.waiting = False

    def closed(self, session_context: Any) -> None:  # Bokeh asks for this name
        """Has the session that was closed freed soon; at once where no event loop runs."""
        if self.waiting:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.sweep()
        else:
            self.waiting = True
            loop.call_later(GATHERING, self.sweep)

    def sweep(self) -> None:
        """Frees what is closed; memory goes back to the system where the C library can do that (glibc)."""
        self.waiting = False
        gc.collect()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
        if trim is not None:
            trim(0)


#: The one of this process.
sweeper = Sweeper()


def settle() -> None:
    """Takes all that is there out of every later collection: call it once everything is loaded, before any session."""
    gc.collect()
    gc.freeze()
