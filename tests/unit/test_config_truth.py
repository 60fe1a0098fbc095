"""Real models: growth and fixed bytes of every row of tests/truth/models*.json, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acts.config import ConfigError, read_config, read_config_fields
from acts.config.families import FAMILIES, family_name
from acts.sizing import ValueType, fixed_bytes_per_sequence, growth_bytes_per_token

from .test_config_families import LAYOUTS

TRUTH = Path(__file__).parents[1] / "truth"
ROWS = json.loads((TRUTH / "models.json").read_text(encoding="utf-8"))
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


#: Rows of which no released file is at hand, by their first family: the configuration class alone holds them.
UNRELEASED = {
    "xglm", "phi4_multimodal", "starcoder2", "smollm3", "dots1", "gemma2", "kolibri1", "beam", "afmoe", "cohere2_moe",
    "flint", "hy_v4", "olmo_hybrid", "lara_mini", "zamba", "lfm3",
}  # fmt: skip


def test_no_family_goes_unproved():
    configs = [row["config"] for row in [*ROWS, *WHOLE, *WITHOUT] if row["kv"] is not None]
    configs += [config for config, _ in LAYOUTS.values()]
    proved = {family_name(read_config_fields(config)["model_type"]) for config in configs}
    families = [names.split() for names, rule in FAMILIES if "refuse" not in rule]
    unproved = {names[0] for names in families if proved.isdisjoint(names)}
    assert unproved == UNRELEASED, (
        "put a released file of the family, with its sizes, into tests/truth/models.json"
    )


WHOLE = json.loads((TRUTH / "models_whole.json").read_text(encoding="utf-8"))
WITHOUT = json.loads((TRUTH / "models_missing_keys.json").read_text(encoding="utf-8"))
# Rows that give no answer: what the refusal says.
REASONS = {
    "MiniMaxAI/MiniMax-M3": "an index key",
    "sgl-project/DeepSeek-V4-Flash-FP8": 'its architectures name "deepseek_v4"',
    "baichuan-inc/Baichuan-M1-14B": "KV heads of their own",
    "pfnet/plamo-2-8b": "not modelled here",
}


@pytest.mark.parametrize("row", WHOLE + WITHOUT, ids=[row["model"] for row in WHOLE + WITHOUT])
def test_whole_files_are_read_to_the_byte_or_refused_for_their_reason(row):
    if row["kv"] is None:
        with pytest.raises(ConfigError, match=REASONS[row["model"]]):
            read_config(row["config"])
        return
    shape = read_config(row["config"])
    growth = growth_bytes_per_token(shape, SIXTEEN_BIT, SIXTEEN_BIT)
    fixed = fixed_bytes_per_sequence(shape, SIXTEEN_BIT, SIXTEEN_BIT)
    assert growth == row["kv"]["growth_bytes_per_token_bf16"]
    assert fixed == row["kv"]["fixed_bytes_per_sequence"]
