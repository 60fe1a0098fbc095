"""Only a run that names the marker collects this group: it needs libraries that the other tests do not."""

from __future__ import annotations


def pytest_ignore_collect(config):
    return None if "oracle" in config.option.markexpr else True
