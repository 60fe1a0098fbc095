"""The stage: question, controls, picture and sentence stand together in a window, whatever is set, and never jump."""

from __future__ import annotations

import re
from dataclasses import asdict

import pytest
from playwright.sync_api import expect

from acts import ACTS
from acts.act import long_named
from acts.own_model import OWN_MODEL
from acts.scenario import Catalog

pytestmark = pytest.mark.browser

#: A telephone, a box in an LMS, a slide, a laptop.
WINDOWS = [(360, 640), (600, 600), (868, 552), (1366, 768)]
LONG = long_named("llama-3.1-405b")
#: Longest names, most users and tokens, weights that do not fit, most heads, many cards, requests of every length.
STATES = [
    {},
    {"users": 1024, "context": 256},
    {"users": 1024, "context": 1048576, "cache": "q8_0"},
    {"model": "llama-3.1-405b", "gpu": "rtx-5090-32gb", "weights": "bf16"},
    {"shape": LONG, "model": OWN_MODEL, "gpu": "mi355x-288gb", "gpus": 1, "context": 1048576},
    {"shape": LONG, "model": OWN_MODEL, "gpu": "mi355x-288gb", "gpus": 16, "users": 1023, "cache": "q5_1"},
    {
        "model": "deepseek-v3",
        "gpu": "h200-141gb",
        "gpus": 8,
        "weights": "fp8",
        "context": 1048575,
        "users": 63,
    },
    {"model": "gemma-3-27b", "context": 131071, "users": 17, "cache": "nvfp4"},
    {"model": "falcon-7b", "kv_heads": 71, "prompt": 4096, "generated": 1024, "step": 1024},
    {"model": "qwen3.5-27b", "step": 0, "users": 1, "context": 512},
    {"prompt": 1, "generated": 1, "step": 2},
    {"prompt": 4096, "generated": 1024, "step": 1025, "cached": False},
]

#: Sets a state as a host would and, once painted, gives the boxes of the stage's four parts and the window's height.
BOXES = """async ([id, state]) => {
    dispatchEvent(new MessageEvent("message", { source: parent, data: { type: "kv-cache:set", state } }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await new Promise((done) => requestIdleCallback(done, { timeout: 50 }));
    const stage = document.querySelector(`#${id} [data-stage]`);
    const box = (selector) => {
        const { top, bottom, left, right, height } = stage.querySelector(selector).getBoundingClientRect();
        return { top, bottom, left, right, height };
    };
    const parts = Object.fromEntries(
        [".task", ".controls", ".plot", ".sentence-box", ".sentence"].map((name) => [name, box(name)]));
    const { scrollHeight, scrollWidth } = document.documentElement;
    return { parts, scrollHeight, scrollWidth, inner: [innerWidth, innerHeight],
        clipped: stage.scrollHeight - stage.clientHeight };
}"""


def open_act(watched, exported, tmp_path, act, window, fit):
    """The act in a frame as large as ``window``; gives the frame."""
    width, height = window
    host = tmp_path / "host.html"
    query = f"embed=1&act={act.id}" + ("&fit=1" if fit else "")
    host.write_text(
        f"<!doctype html><title>host</title><style>* {{ margin: 0; border: 0 }}</style>"
        f'<iframe src="{exported}?{query}" style="width: {width}px; height: {height}px"></iframe>',
        encoding="utf-8",
    )
    page = watched.open(host.as_uri(), wait=None, viewport={"width": width + 20, "height": height + 20})
    frame = page.frames[1]
    frame.wait_for_selector("html[data-ready]", state="attached")
    return frame


def resize(frame, window) -> None:
    """Makes the frame as large as ``window``."""
    width, height = window
    frame.page.set_viewport_size({"width": width + 20, "height": height + 20})
    frame.frame_element().evaluate(
        "(frame, [width, height]) => { frame.style.width = `${width}px`; frame.style.height = `${height}px`; }",
        window,
    )
    frame.wait_for_function("(window) => innerWidth === window[0] && innerHeight === window[1]", arg=window)


@pytest.mark.parametrize("fit", [False, True], ids=["frame", "fit"])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_the_stage_is_seen_whole_in_every_state(act, fit, exported, tmp_path, watched):
    # Each act begins in another window, so that all of them are met by a page that loads as well.
    begin = ACTS.index(act)
    windows = WINDOWS[begin:] + WINDOWS[:begin]
    frame = open_act(watched, exported, tmp_path, act, windows[0], fit)
    for window in windows:
        resize(frame, window)
        check_stage(frame, act, window, fit)


def check_stage(frame, act, window, fit) -> None:
    """In every state the stage's parts are within the window and stay where they are."""
    places = set()
    for state in STATES:
        if "shape" in state:
            frame.evaluate(BOXES, [act.id, {"shape": state["shape"]}])
        seen = frame.evaluate(BOXES, [act.id, state])
        for name, part in seen["parts"].items():
            assert part["top"] >= 0, (state, name, part)
            assert part["bottom"] <= window[1], (state, name, part)
            assert part["left"] >= 0, (state, name, part)
            assert part["right"] <= window[0] + 0.5, (state, name, part)
        assert seen["parts"][".plot"]["height"] >= 80, state
        assert seen["parts"][".sentence"]["height"] <= seen["parts"][".sentence-box"]["height"]
        assert seen["scrollWidth"] <= window[0]
        assert seen["clipped"] <= 1, state
        if fit:
            assert seen["scrollHeight"] <= window[1]
        places.add((seen["parts"][".plot"]["top"], round(seen["parts"][".sentence-box"]["bottom"])))
    if act.id != "heads":  # a latent has no heads to choose
        assert len(places) == 1


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_more_opens_over_a_stage_that_fills_its_window(act, exported, tmp_path, watched):
    frame = open_act(watched, exported, tmp_path, act, (600, 600), fit=True)
    # The page's one deployment is the act's now: with the controls, and under the names, that the act has by itself.
    named = frame.locator(f"[data-act={act.id}] [id]").evaluate_all("(parts) => parts.map(({ id }) => id)")
    labelled = frame.locator(f"[data-act={act.id}] label[for]").evaluate_all(
        "(parts) => parts.map(({ htmlFor }) => htmlFor)"
    )
    markup = act().markup()
    assert sorted(named) == sorted(re.findall(r'\bid="([^"]+)"', markup))
    assert sorted(labelled) == sorted(re.findall(r'<label for="([^"]+)"', markup))
    more = frame.locator(f"#{act.id} [data-more]")
    more.locator("> summary").click()
    body = more.locator("> .more-body")
    expect(body.locator("[data-readout]").first).to_be_visible()
    box = body.bounding_box()
    assert box["height"] <= 600
    frame.locator(f"#{act.id} [data-deployment] > summary").click()
    expect(body).to_be_hidden()
    select = frame.locator(f"#{act.id} [data-deployment] select").first
    expect(select).to_be_visible()
    select.press("Escape")
    expect(select).to_be_hidden()
    assert frame.evaluate("document.documentElement.scrollHeight") <= 600


def test_the_long_named_model_is_that_of_the_catalog():
    assert asdict(Catalog().models["llama-3.1-405b"].shape)["num_hidden_layers"] == int(LONG.split(".")[2])
