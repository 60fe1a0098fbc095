"""Least and most of each number of a scenario, for Python and, compiled by :mod:`acts.twin`, for the browser."""

from __future__ import annotations

BOUNDS: dict[str, tuple[int, int]] = {
    "gpus": (1, 16),
    "context": (256, 1048576),
    "users": (1, 1024),
    "reserve": (0, 64),
}
