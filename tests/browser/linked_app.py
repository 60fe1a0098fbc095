"""The page with a Python side that answers: a 70B model gets a second card."""

from acts.view import link
from app import page


def link_and_answer(component, acts):
    link(component, acts)
    scenario = acts[0].scenario

    def answer(event):
        if event.new == "llama-3-70b":
            scenario.gpus = 2

    scenario.param.watch(answer, "model")


page.link = link_and_answer
page.served_page().servable()
