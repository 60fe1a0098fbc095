"""The reader of engines' start-up logs: :mod:`.facts` are the wordings, :mod:`.reader` reads a text, :mod:`.compare`
judges it against the sizing model.
"""

from .reader import read_log

__all__ = ["read_log"]
