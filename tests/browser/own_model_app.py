"""Served by a test: an act, a Python callback that reads a config, and a text that shows what Python has."""

import panel as pn

from acts import Scenario, Wall

CONFIG = {
    "model_type": "llama",
    "num_hidden_layers": 48,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}
wall = Wall(Scenario())


def read(_):
    wall.scenario.add_config(CONFIG, name="My model")


def told(model, shape):
    if not shape:
        return "python has nothing of its own"
    return f"python has {wall.scenario.catalog.models['custom'].name if model == 'custom' else model}"


button = pn.widgets.Button(label="read", on_click=read)
text = pn.bind(told, wall.scenario.param.model, wall.scenario.param.shape)
pn.Column(wall, button, pn.pane.Str(text)).servable()
