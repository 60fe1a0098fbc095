"""pscript, imported so that it works without docstrings (``python -OO``) as well.

pscript (https://pscript.readthedocs.io) completes a docstring of its own while it is imported, and fails where Python
has left them out. Then its modules are compiled from their source with docstrings, without the cache of those without.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

__all__ = ["pscript"]


class _WithDocstrings(SourceFileLoader):
    """Loads a module from its source, as ``python -O`` would."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return compile(self.get_data(path), path, "exec", dont_inherit=True, optimize=1)


class _Finder:
    """Finds pscript's modules, for a loader that keeps docstrings."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, _target: Any = None) -> ModuleSpec | None:
        """The specification of a module of pscript; None for any other."""
        if name != "pscript" and not name.startswith("pscript."):
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.origin:
            spec.loader = _WithDocstrings(name, spec.origin)
        return spec


def _imported() -> ModuleType:
    if sys.flags.optimize < 2:
        import pscript

        return pscript
    sys.meta_path.insert(0, _Finder)
    try:
        import pscript

        return pscript
    finally:
        sys.meta_path.remove(_Finder)


pscript: Any = _imported()
