"""What a figure is saved as in a CSV file: rows that say what its readouts say."""

from __future__ import annotations

import pytest

from acts import ACTS, Growth, Heads, Quantize, Scenario, Wall

#: Weights that do not fit, a latent, windows, recurrent state, a type that the card cannot keep.
STATES = [
    {},
    {"model": "llama-3.1-405b", "gpu": "rtx-5090-32gb", "users": 1024, "context": 1048576},
    {"model": "deepseek-v3", "gpu": "h200-141gb", "gpus": 8, "cache": "nvfp4"},
    {"model": "gemma-3-27b", "cache": "q8_0", "cache_v": "q4_0"},
    {"model": "qwen3.5-27b", "reserve": 64},
]


def column(table, name):
    return [row[table[0].index(name)] for row in table[1:]]


@pytest.mark.parametrize("state", STATES, ids=str)
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_every_figure_has_a_table(act, state):
    shown = act(Scenario(**state))
    for name in act.plot_heights():
        table = shown.table(name)
        assert len(table) > 1
        assert {len(row) for row in table} == {len(table[0])}
        assert len(set(table[0])) == len(table[0])


@pytest.mark.parametrize("state", STATES, ids=str)
def test_tables_say_what_the_readouts_say(state):
    scenario = Scenario(**state)
    wall = Wall(scenario)
    memory = wall.table("memory")
    assert column(memory, "bytes")[0] == wall.weights_memory
    assert column(memory, "bytes")[2] == wall.cache_demanded
    assert column(memory, "users")[2:4] == [scenario.users, wall.max_users]
    contexts, users = (column(wall.table("curve"), name) for name in ("context_tokens", "users_that_fit"))
    assert users == list(wall.users_by_context(contexts))
    heads = Heads(scenario)
    bars = heads.table("bars")
    assert column(bars, "bytes_per_token")[0] == heads.bytes_per_token
    assert column(bars, "bytes_per_sequence")[0] == heads.bytes_per_sequence
    growth = Growth(scenario, step=5)
    assert column(growth.table("cache"), "bytes")[-1] == growth.cache_bytes
    assert sum(column(growth.table("cache"), "bytes")[:-1]) == growth.cache_bytes
    assert [column(growth.table("work"), name)[4] for name in growth.table("work")[0]] == [4, 20, 90]
    if not scenario.cache_v:
        act = Quantize(scenario)
        users = dict(
            zip(*(column(act.table("users"), name) for name in act.table("users")[0][:2]), strict=True)
        )
        assert users[scenario.cache] == act.max_users_quantized
        assert users["bf16"] == act.max_users_baseline


def test_a_query_head_reads_the_kv_head_it_is_joined_to():
    table = Heads(Scenario(), kv_heads=4).table("joins")
    assert table[0] == ["query_head", "reads_kv_head"]
    assert column(table, "reads_kv_head") == [head // 8 for head in range(32)]


def test_numbers_are_rounded_as_the_readout_measures():
    table = Quantize(Scenario(cache="fp8")).table("rounding")
    assert table[:2] == [["number", "value", "rounded"], [1, 0.31, 0.3125]]


def test_a_figure_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="has no figure 'bar'; it has memory, curve"):
        Wall(Scenario()).table("bar")
