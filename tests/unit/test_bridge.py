"""What a browser sends its session: legal values are taken over, the rest is put back, nothing piles up."""

from __future__ import annotations

import pytest

from acts import Scenario, Wall
from acts.scenario import OWN_ROWS, own_row
from acts.view import ActView, Bridge, link
from app.page import make_acts


@pytest.fixture
def session():
    """A session's acts and its bridge."""
    acts, bridge = make_acts(), Bridge()
    link(bridge, acts)
    return acts, bridge


@pytest.mark.parametrize(
    "crafted",
    [
        {"scenario": None}, {"scenario": {}}, {"scenario": "wall", "users": 9}, {"name": "x"}, {"model": None},
        {"users": []}, {"shape": None}, {"shape": "1.2.3"}, {"param": {}}, {"__class__": "dict"}, {"": 1},
    ],
)  # fmt: skip
def test_a_crafted_message_never_breaks_its_session(session, crafted):
    acts, bridge = session
    scenario = acts[0].scenario
    bridge.state = {**bridge.state, **crafted}
    assert [act.scenario for act in acts] == [scenario] * len(acts)
    bridge.state = {**bridge.state, "users": 11}
    assert scenario.users == 11
    scenario.users = 12
    assert bridge.state["users"] == 12
    assert "scenario" not in bridge.state


def test_models_of_viewers_do_not_pile_up():
    own_row.cache_clear()
    text = Scenario.with_config(
        {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 128,
         "intermediate_size": 256, "vocab_size": 100}
    ).shape  # fmt: skip
    for number in range(OWN_ROWS + 20):
        assert Scenario(shape=f"{text}{number}", model="custom").catalog.models["custom"].name
    assert own_row.cache_info().currsize == OWN_ROWS


def test_what_a_display_is_answered_is_told_apart(monkeypatch):
    told = []
    monkeypatch.setattr(ActView, "_send_msg", lambda self, message: told.append(message))
    view = Wall("llama-3-8b").__panel__()
    view._handle_msg("state")
    view._handle_msg("weights")
    # The state has a key "weights" too: the type of the model's.
    assert told[0] == {"state": view.state}
    assert list(told[1]) == ["decoder"]
