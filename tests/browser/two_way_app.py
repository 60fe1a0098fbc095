"""Served by a test: an act beside a Python callback that changes its scenario and a text that shows it."""

import panel as pn

from acts import Scenario, Wall

wall = Wall(Scenario(users=20))


def double(_):
    wall.scenario.users *= 2


button = pn.widgets.Button(label="double", on_click=double)
text = pn.bind(lambda users: f"python has {users}", wall.scenario.param.users)
pn.Column(wall, button, pn.pane.Str(text)).servable()
