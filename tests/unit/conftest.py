"""The long runs of random inputs are taken only by name."""

from __future__ import annotations


def pytest_collection_modifyitems(config, items):
    """Leaves out what is marked fuzz unless the run asks for it."""
    if "fuzz" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("fuzz")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
