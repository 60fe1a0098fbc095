"""A context that the model was not made for is named beside the number it leads to, wherever that stands."""

from __future__ import annotations

import pytest

from acts import Growth, Heads, Quantize, Scenario, Wall
from acts.cli import main

BEYOND = "This model is made for at most 8,192 tokens."


@pytest.mark.parametrize("act", [Heads, Wall, Quantize])
@pytest.mark.parametrize(("context", "beyond"), [(8192, False), (8193, True)])
def test_in_an_act(act, context, beyond):
    said = act(Scenario(model="llama-3-8b", context=context)).frame()["sentence"]
    assert said.endswith(f" {BEYOND}") is beyond
    longer = act(Scenario(model="llama-3.1-8b", context=context)).frame()["sentence"]
    assert "is made for" not in longer


@pytest.mark.parametrize(("prompt", "beyond"), [(3072, False), (3073, True)])
def test_in_a_request(prompt, beyond):
    said = Growth(Scenario(model="llama-2-7b"), prompt=prompt, generated=1024, step=1).frame()["sentence"]
    assert said.endswith(" This model is made for at most 4,096 tokens.") is beyond


@pytest.mark.parametrize(("context", "beyond"), [(8192, False), (131072, True)])
def test_on_the_command_line(capsys, context, beyond):
    assert main(["size", "llama-3-8b", "--context", str(context)]) == 0
    assert (BEYOND in capsys.readouterr().out) is beyond
