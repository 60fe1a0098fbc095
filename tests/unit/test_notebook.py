"""What a notebook holds of an act: scripts once, and values that follow."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from acts import Heads, Scenario, Wall, extension, notebook


class Kernel:
    """As much of a kernel's shell as a notebook's output needs; keeps what is published and runs nothing by itself."""

    def __init__(self):
        self.published, self.hooks, self.after_cell, self.later = [], [], [], []
        self.kernel = SimpleNamespace(io_loop=SimpleNamespace(add_callback=self.later_call, call_later=None))
        self.events = SimpleNamespace(register=lambda event, call: self.after_cell.append(call))
        self.display_pub = SimpleNamespace(
            publish=self.publish, register_hook=self.hooks.append, unregister_hook=self.hooks.remove
        )

    def later_call(self, wait, seconds, call):
        self.later.append(call)

    def publish(self, data, transient=None, update=False):
        self.published.append((data["text/html"], transient["display_id"], update))

    def kept(self) -> dict:
        return json.loads(re.search(r">(\{.*\})<", self.published[-1][0])[1])


@pytest.fixture
def kernel(monkeypatch):
    shell = Kernel()
    monkeypatch.setattr(notebook, "kernel_shell", lambda: shell)
    return shell


def test_values_follow_what_is_displayed(kernel):
    wall = Wall(Scenario())
    wall.__panel__()
    heads = Heads(wall.scenario)
    heads.__panel__()
    assert len(kernel.published) == 2
    wall.scenario.users = 33
    heads.kv_heads = 1
    assert len(kernel.published) == 2  # a hand on a slider does not fill the notebook
    for call in kernel.after_cell:
        call()
    _, name, update = kernel.published[-1]
    assert update
    assert name == kernel.published[0][1]
    assert kernel.kept()["display"] == 2
    assert kernel.kept()["state"]["users"] == 33
    assert kernel.kept()["state"]["kv_heads"] == 1
    kernel.later[0]()
    assert len(kernel.published) == 3  # nothing new
    wall.scenario.users = 34
    kernel.later[-1]()
    assert kernel.kept()["state"]["users"] == 34


def test_a_name_ends_no_script(kernel):
    shape = Scenario.with_config(
        {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 128,
         "intermediate_size": 256, "vocab_size": 100}, name="</script><b>"
    ).shape  # fmt: skip
    Wall(Scenario(shape=shape, model="custom")).__panel__()
    assert kernel.published[-1][0].count("</") == 1


def test_a_script_is_put_in_once(kernel, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        notebook.pn, "extension", lambda *names, **settings: asked.update(settings, hooks=[*kernel.hooks])
    )
    extension(theme="dark")
    assert asked["inline"] is True
    assert asked["theme"] == "dark"
    assert kernel.hooks == []
    (hook,) = asked["hooks"]
    long = "1" * 200_000
    for first, second, left in ((long, long, False), (long, long + "2", True), ("short", "short", True)):
        message = {"content": {"data": {"application/javascript": first, notebook.LOAD_MIME: second}}}
        assert (notebook.LOAD_MIME in hook(message)["content"]["data"]) == left


def test_outside_a_notebook_it_is_panel_s_extension(monkeypatch):
    asked = []
    monkeypatch.setattr(notebook.pn, "extension", lambda *names, **settings: asked.append((names, settings)))
    extension("tabulator")
    assert asked == [(("tabulator",), {"inline": True})]
