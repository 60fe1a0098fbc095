"""Served by a test: acts of one scenario in a plain Panel layout, one twice; with ?in=grid or row, two side by side."""

import panel as pn

from acts import Growth, Heads, Scenario, Wall

scenario = Scenario(users=20)
growth = Growth(scenario)
acts = pn.Column(growth, growth, Wall(scenario), Heads(scenario), sizing_mode="stretch_width")
told = pn.bind(lambda users: f"python has {users}", scenario.param.users)
remove = pn.widgets.Button(label="remove", on_click=lambda _: acts.clear())
if pn.state.session_args.get("in") == [b"grid"]:
    pn.GridBox(Wall(), Heads(), ncols=2).servable()
elif pn.state.session_args.get("in") == [b"row"]:
    pn.Row(Wall(), Heads()).servable()
else:
    pn.Column(pn.pane.Str(told), remove, acts, sizing_mode="stretch_width").servable()
