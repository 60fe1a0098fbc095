"""The acts on the KV cache, one sizing model: what a notebook or another page imports.

Names are loaded when first asked for, so that what needs no figures (the command line, the sizing model, the
catalog) does not wait for Panel.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .act import Act
    from .config import ConfigError, read_config
    from .growth import Growth
    from .heads import Heads
    from .notebook import extension
    from .quantize import Quantize
    from .scenario import Scenario
    from .wall import Wall

    #: The acts in the order the page tells them.
    ACTS: tuple[type[Act], ...]

#: The acts' classes with their folders, in the order the page tells them.
_ACTS = {"Growth": "growth", "Heads": "heads", "Wall": "wall", "Quantize": "quantize"}
_MODULES = {
    "Act": "act",
    "ConfigError": "config",
    "Scenario": "scenario",
    "extension": "notebook",
    "read_config": "config",
    **_ACTS,
}

__all__ = [
    "ACTS",
    "Act",
    "ConfigError",
    "Growth",
    "Heads",
    "Quantize",
    "Scenario",
    "Wall",
    "extension",
    "read_config",
]


def _acts() -> tuple[type[Act], ...]:
    """The acts; raises ImportError if one has a folder and is left out."""
    folders = {path.parent.name for path in Path(__file__).parent.glob("*/frame.py")}
    for folder in sorted(folders.difference(_ACTS.values())):
        raise ImportError(
            f"acts/{folder}/frame.py draws an act that _ACTS in acts/__init__.py leaves out; add it there"
        )
    return tuple(__getattr__(act) for act in _ACTS)


def __getattr__(name: str) -> Any:
    if name == "ACTS":
        value: Any = _acts()
    elif name in _MODULES:
        value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
