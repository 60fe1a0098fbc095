"""What an act computes, as a Panel developer uses it: bound, watched, shown in panes; and what an act is made with."""

from __future__ import annotations

import gc
import weakref

import panel as pn
import pytest

from acts import ACTS, Act, Growth, Heads, Quantize, Scenario, Wall
from acts.view import Bridge, link
from app.page import make_acts

#: A change from which each of an act's results follows, some of them one after another.
CHANGES = [
    {"context": 4096, "users": 9},
    {"model": "gemma-3-27b"},
    {"cache": "q4_0"},
    {"gpu": "rtx-4090-24gb", "weights": "fp8"},
]
OWN = {"growth": {"step": 5}, "heads": {"kv_heads": 1}, "quantize": {"outlier": True}}


def results(act: Act) -> dict:
    return {name: getattr(act, name) for name in act.results()}


@pytest.mark.parametrize("act", [act() for act in ACTS], ids=lambda act: act.id)
def test_what_is_bound_follows_every_change(act):
    names = list(act.results())
    bound = {name: pn.bind(lambda value: value, act.param[name]) for name in names}
    doubled = {name: act.param[name].rx() for name in names}
    panes = {name: pn.pane.Markdown(act.param[name]) for name in names}
    told: dict = {}
    act.param.watch(lambda *events: told.update({event.name: event.new for event in events}), names)
    for change in CHANGES:
        before = results(act)
        act.scenario.param.update(**change)
        now = results(act)
        assert {name: told.get(name, before[name]) for name in names} == now
        assert {name: bound[name]() for name in names} == now
        assert {name: doubled[name].rx.value for name in names} == now
        assert {name: pane.object for name, pane in panes.items()} == now
    if act.id in OWN:
        act.param.update(**OWN[act.id])
        assert told == results(act)


def test_a_pane_writes_a_result_as_the_page_does():
    wall = Wall("llama-3-8b")
    pane = pn.pane.Markdown(wall.param.cache_demanded)
    shown = pane.get_root()
    assert "8 GiB" in shown.text
    wall.scenario.users = 16
    assert "16 GiB" in shown.text
    assert wall.cache_demanded == 16 * 2**30


def test_results_follow_what_a_browser_sends():
    acts, bridge = make_acts(), Bridge()
    link(bridge, acts)
    told = []
    for act in acts:
        act.param.watch(lambda event: told.append(event.name), next(iter(act.results())))
    bridge.state = {**bridge.state, "model": "llama-2-7b", "step": 4}
    assert set(told) == {next(iter(act.results())) for act in acts}


def test_results_are_only_read():
    wall = Wall()
    with pytest.raises(TypeError, match="max_users"):
        wall.max_users = 3
    with pytest.raises(TypeError, match=r"max_users is what Wall computes; set what it follows from"):
        Wall(max_users=3)
    assert wall.max_users == 57


def test_a_change_that_nobody_watches_draws_nothing(monkeypatch):
    acts, bridge = make_acts(), Bridge()
    link(bridge, acts)
    monkeypatch.setattr(Act, "frame_of", None)
    bridge.state = {**bridge.state, "users": 12, "step": 3}
    assert acts[0].scenario.users == 12


def test_another_scenario_is_followed_and_the_first_is_left():
    first, second = Scenario(), Scenario(model="llama-2-7b")
    wall = Wall(first)
    bound = pn.bind(lambda value: value, wall.param.max_users)
    told = []
    wall.param.watch(told.append, "max_users")
    wall.scenario = second
    assert told[-1].new == bound() == Wall(second).max_users
    second.context = 4096
    assert told[-1].new == bound() == Wall(second).max_users
    count = len(told)
    first.context = 512
    assert len(told) == count


def test_a_scenario_keeps_no_act_alive():
    scenario = Scenario()
    act = weakref.ref(Wall(scenario))
    gc.collect()
    assert act() is None
    scenario.users = 3  # and nothing is left that complains


def test_an_act_takes_a_models_id():
    assert Wall("llama-3-70b").scenario.model == "llama-3-70b"
    assert Growth("llama-3-70b", step=3).step == 3
    assert Quantize("llama-3-8b").scenario.weights == Quantize().scenario.weights
    with pytest.raises(ValueError, match="model cannot be 'gpt'; choose one of"):
        Wall("gpt")


@pytest.mark.parametrize(
    ("given", "values", "sentence"),
    [
        ({"model": "llama-3-8b"}, {}, r"Wall cannot show .*Wall\('llama-3-8b'\)"),
        (None, {"width": 500}, r"as in pn\.Column\(Wall\(\), width=\.\.\.\)"),
        (None, {"users": 40}, r"write Wall\(Scenario\(users=\.\.\.\)\)"),
        (None, {"user": 40}, "Wall has no parameter user; beside the scenario it has: predict"),
    ],
)
def test_what_an_act_does_not_take_is_answered_in_a_sentence(given, values, sentence):
    with pytest.raises(TypeError, match=sentence):
        Wall(given, **values)
    with pytest.raises(TypeError, match="kv_heads, predict"):
        Heads(head=1)
