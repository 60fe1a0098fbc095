"""The baseline a Panel tutorial would give: a slider, and a readout and figure that Python redraws at each tick."""

import panel as pn
from bokeh.plotting import figure

from acts import Scenario, Wall

wall = Wall(Scenario())
slider = pn.widgets.IntSlider(label="Users", start=1, end=1024, value=8)
plot = figure(height=128, sizing_mode="stretch_width", toolbar_location=None)
bars = plot.quad(left=[], right=[], bottom=0, top=1)


def readout(users):
    wall.scenario.users = users
    frame = wall.frame()
    slices = frame["sources"]["slices"]
    bars.data_source.data = {"left": slices["left"], "right": slices["right"]}
    return f"<p id='readout'>{frame['readouts']['cache-demanded']['text']}</p>"


pn.Column(slider, pn.pane.Bokeh(plot), pn.pane.HTML(pn.bind(readout, slider))).servable()
