"""Every model of the catalog against its config.json, read by the project's own reader.

tests/truth/catalog_configs.json holds, by the model's id, the size-relevant part of the file that the model's source
names. A new row without its config fails here, and so does one whose numbers are not those of its file.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acts.catalog import MODELS
from acts.config import read_config_fields

CONFIGS = json.loads(
    (Path(__file__).parents[1] / "truth" / "catalog_configs.json").read_text(encoding="utf-8")
)


def test_every_model_has_its_config():
    assert set(CONFIGS) == set(MODELS), "add the model's config.json to tests/truth/catalog_configs.json"


def sized(shape):
    """What decides the size of the cache: the groups of layers in one order, heads, layers, bytes of state."""
    return (
        sorted(shape.groups, key=repr),
        shape.num_attention_heads,
        shape.num_hidden_layers,
        shape.state_bytes,
    )


@pytest.mark.parametrize("model", MODELS)
def test_a_model_s_shape_is_that_of_its_config(model):
    reading = read_config_fields(CONFIGS[model])
    row = MODELS[model]
    assert sized(row.shape) == sized(reading["shape"])
    assert row.max_context == reading["max_context"]


@pytest.mark.parametrize("model", MODELS)
def test_a_model_s_parameters_are_near_those_of_its_dimensions(model):
    shape = MODELS[model].shape
    estimate = read_config_fields(CONFIGS[model])["shape"]
    if estimate.parameters:
        assert shape.parameters == pytest.approx(estimate.parameters, rel=0.03)
        assert shape.active_parameters == pytest.approx(estimate.active_parameters, rel=0.2)
        assert shape.experts_per_token == estimate.experts_per_token
        assert shape.experts == estimate.experts
        assert shape.expert_parameters == pytest.approx(estimate.expert_parameters, rel=0.01)
        # StarCoder's learned positions and Gemma's vision tower are not estimated.
        if model not in ("starcoder", "gemma-3-27b"):
            assert shape.unread_parameters == estimate.unread_parameters
