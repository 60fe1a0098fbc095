"""Four acts on the KV cache, one sizing model: what a notebook or another page imports.

Names are loaded when first asked for, so that what needs no figures (the command line, the sizing model, the
catalog) does not wait for Panel.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .act import Act
    from .config import ConfigError, read_config
    from .growth import Growth
    from .heads import Heads
    from .quantize import Quantize
    from .scenario import Scenario
    from .wall import Wall

    #: The acts in the order the page tells them.
    ACTS: tuple[type[Act], ...]

_MODULES = {
    "Act": "act",
    "ConfigError": "config",
    "Growth": "growth",
    "Heads": "heads",
    "Quantize": "quantize",
    "Scenario": "scenario",
    "Wall": "wall",
    "read_config": "config",
}
_ACTS = ("Growth", "Heads", "Wall", "Quantize")

__all__ = ["ACTS", "Act", "ConfigError", "Growth", "Heads", "Quantize", "Scenario", "Wall", "read_config"]


def __getattr__(name: str) -> Any:
    if name == "ACTS":
        value: Any = tuple(__getattr__(act) for act in _ACTS)
    elif name in _MODULES:
        value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
