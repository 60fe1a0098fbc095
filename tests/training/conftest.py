"""Only a run that names the marker collects this group: it needs PyTorch, which the other tests do not."""

from __future__ import annotations


def pytest_ignore_collect(config):
    return None if "training" in config.option.markexpr else True
