"""Weights on disk: one byte a number, with a 16-bit scale a row, in the order that the shape gives.

The accuracy stated anywhere is that of these rounded weights. The browser reads the same bytes.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

import numpy as np

from .config import CONFIGS, Config

FOLDER = Path(__file__).parent / "weights"
#: Codes on either side of 0.
STEPS = 127


def weight_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Every array's name and shape, in the order they are stored; matrices are (outputs, inputs)."""
    queries, keys = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
    shapes: dict[str, tuple[int, ...]] = {"embedding": (config.vocabulary, config.width)}
    for layer in range(config.num_layers):
        part = {
            "attention_norm": (config.width,),
            "query": (queries, config.width),
            "key": (keys, config.width),
            "value": (keys, config.width),
            "output": (config.width, queries),
            "mlp_norm": (config.width,),
            "gate": (config.mlp_width, config.width),
            "up": (config.mlp_width, config.width),
            "down": (config.width, config.mlp_width),
        }
        shapes |= {f"layers.{layer}.{name}": shape for name, shape in part.items()}
    return shapes | {"norm": (config.width,), "logits": (config.vocabulary, config.width)}


def parameters(config: Config) -> int:
    """How many numbers a decoder of that shape has learnt."""
    return sum(int(np.prod(shape)) for shape in weight_shapes(config).values())


def pack_weights(config: Config, weights: dict[str, np.ndarray]) -> bytes:
    """The file's bytes: for each array its rows' scales (16-bit floats), then its rows (bytes), row after row."""
    parts = []
    for name, shape in weight_shapes(config).items():
        rows = np.asarray(weights[name], dtype=np.float64).reshape(-1, shape[-1])
        greatest = np.abs(rows).max(1, keepdims=True)
        scales = (greatest / STEPS).astype(np.float16)
        codes = (
            np.divide(rows, scales, out=np.zeros_like(rows), where=scales != 0).round().clip(-STEPS, STEPS)
        )
        parts += [scales.astype("<f2").tobytes(), codes.astype(np.int8).tobytes()]
    return b"".join(parts)


def unpack_weights(config: Config, content: bytes) -> dict[str, np.ndarray]:
    """The arrays that :func:`pack_weights` wrote. Raises ValueError if the length is not that of the shape."""
    weights, place = {}, 0
    for name, shape in weight_shapes(config).items():
        rows = int(np.prod(shape)) // shape[-1]
        scales = np.frombuffer(content, "<f2", rows, place).astype(np.float64)
        codes = np.frombuffer(content, np.int8, rows * shape[-1], place + 2 * rows)
        weights[name] = (codes.reshape(rows, -1) * scales[:, None]).reshape(shape)
        place += 2 * rows + codes.size
    if place != len(content):
        raise ValueError(f"weights of {len(content)} bytes, where the shape has {place}")
    return weights


@cache
def load_weights(name: str) -> dict[str, np.ndarray]:
    """The weights of a trained variant; KeyError if there is none of that name."""
    return unpack_weights(CONFIGS[name], (FOLDER / f"{name}.bin").read_bytes())


@cache
def weights_text(name: str = "gqa") -> str:
    """A variant's weights as the browser takes them: the file in base 64."""
    return base64.b64encode((FOLDER / f"{name}.bin").read_bytes()).decode()
