"""The deployment in words, and the room an act's sentence keeps."""

from __future__ import annotations

import pytest

from acts import ACTS, Scenario
from acts.deployed import deployed_line

EIGHT = {
    "model": "deepseek-v3",
    "gpu": "h200-141gb",
    "gpus": 8,
    "weights": "fp8",
    "cache": "q8_0",
    "users": 1,
}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "Llama 3 8B, 16-bit weights, one 80 GB card, 16-bit cache, 8,192 tokens, 8 users"),
        (EIGHT, "DeepSeek-V3, FP8 weights, 8 × NVIDIA H200 SXM 141 GB, q8_0 cache, 8,192 tokens, 1 user"),
        ({"gpus": 2}, "Llama 3 8B, 16-bit weights, 2 × 80 GB cards, 16-bit cache, 8,192 tokens, 8 users"),
        (
            {"weights": "int4", "reserve": 4.9},
            "Llama 3 8B, 4-bit weights, one 80 GB card, 16-bit cache, 8,192 tokens, 8 users, 4.9 GiB per card reserved",
        ),
    ],
)
def test_line(values, words):
    scenario = Scenario(**values)
    assert deployed_line(scenario, scenario.catalog) == words


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_no_model_of_the_catalog_has_a_longer_sentence_than_there_is_room_for(act):
    room = len(act.longest_sentence())
    for model in Scenario().catalog.models:
        for values in ({}, {"users": 1024}, {"context": 1048576, "users": 1024}, {"gpu": "rtx-5090-32gb"}):
            assert len(act(Scenario(model=model, **values)).frame()["sentence"]) <= room


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_markup_has_the_stage_and_the_deployment(act):
    markup = act(Scenario(users=5)).markup()
    assert markup.count("data-stage") == markup.count("data-question") == markup.count("data-deployment") == 1
    assert "5 users" in markup
    for name in (name for name in Scenario.param if name not in ("name", "shape")):
        assert f'data-param="{name}"' in markup
