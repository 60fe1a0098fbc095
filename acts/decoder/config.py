"""Shapes of the small decoders: one budget of parameters, four ways to keep a cache."""

from __future__ import annotations

from dataclasses import dataclass

from .language import VOCABULARY


@dataclass(frozen=True)
class Config:
    """What the weights' sizes follow from. ``window``: tokens a query sees, itself included; None for all."""

    num_kv_heads: int
    mlp_width: int
    window: int | None = None
    num_heads: int = 8
    head_dim: int = 32
    rotary_dim: int = 16
    num_layers: int = 2
    width: int = 64
    vocabulary: int = len(VOCABULARY)
    rope_base: float = 500.0
    epsilon: float = 1e-5


# Fewer KV heads leave parameters over; the MLP gets them.
CONFIGS = {
    "mha": Config(num_kv_heads=8, mlp_width=32),
    "gqa": Config(num_kv_heads=2, mlp_width=160),
    "mqa": Config(num_kv_heads=1, mlp_width=181),
    "window": Config(num_kv_heads=2, mlp_width=160, window=32),
}
