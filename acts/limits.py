"""What a scenario may hold: its first values, the refusal of others, and other names of ids.

No framework: the parameters of :class:`acts.scenario.Scenario` and the command line both ask here.
"""

from __future__ import annotations

from typing import Any

from .bounds import BOUNDS

#: Other names people give a 16-bit type.
ALIASES = {"fp16": "bf16", "f16": "bf16", "float16": "bf16", "bfloat16": "bf16"}

#: What stands where nothing was chosen.
DEFAULTS: dict[str, Any] = {
    "model": "llama-3-8b",
    "gpu": "80gb",
    "gpus": 1,
    "weights": "bf16",
    "cache": "bf16",
    "context": 8192,
    "users": 8,
    "reserve": 0.0,
}


def refusal(name: str, value: object, whole: bool = True) -> str:
    """The sentence for a number out of bounds: its name, what was given, what is allowed."""
    low, high = BOUNDS[name]
    kind = "a whole number" if whole else "a number"
    return f"{name} cannot be {value!r}; give {kind} from {low:,} to {high:,}"
