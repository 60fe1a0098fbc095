"""Where trained weights are: the first seed's ship with the package, the others lie here, for the error bars."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from acts.decoder.config import CONFIGS
from acts.decoder.model import Decoder
from acts.decoder.weights import FOLDER, unpack_weights

OTHERS = Path(__file__).parent / "runs"
#: Seeds each variant was trained with.
SEEDS = {"mha": (0, 1, 2), "gqa": (0, 1, 2), "mqa": (0, 1, 2), "window": (0,)}


def run_path(variant: str, seed: int) -> Path:
    """The weights' file of a run; its record and curve lie beside it, as .json."""
    return FOLDER / f"{variant}.bin" if seed == 0 else OTHERS / f"{variant}-{seed}.bin"


def read_run(variant: str, seed: int) -> Decoder:
    """The decoder of a run, in 32-bit floats: thousands of questions take half the time."""
    config = CONFIGS[variant]
    weights = unpack_weights(config, run_path(variant, seed).read_bytes())
    return Decoder(config, {name: array.astype(np.float32) for name, array in weights.items()})
