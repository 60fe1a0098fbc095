"""Four acts on the KV cache, one sizing model: what a notebook or another page imports."""

from .act import Act
from .heads import Heads
from .quantize import Quantize
from .scenario import Scenario
from .wall import Wall

#: The acts in the order the page tells them.
ACTS: tuple[type[Act], ...] = (Heads, Wall, Quantize)

__all__ = ["ACTS", "Act", "Heads", "Quantize", "Scenario", "Wall"]
