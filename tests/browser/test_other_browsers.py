"""The page in Firefox and in WebKit, where the browsers and the extra ``browsers`` are installed."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import Phase, given, settings

from acts import ACTS, Scenario, Wall
from tests.conftest import ROOT
from tests.hosting import nginx_missing
from tests.other_browsers import RIGHT, WATCH, Firefox, WebKit

from .test_twin import RANDOM_STATES, python_frame, states, twin_script

pytestmark = pytest.mark.browsers

READY = "document.documentElement.dataset.ready"
DEMANDED = """document.querySelector('#wall [data-readout="cache-demanded"]').textContent"""
#: Whether the wall's bar is painted; Bokeh's canvases lie in shadow trees.
PAINTED = """(function painted(node) {
    if (node.localName === "canvas") return node.getContext("2d").getImageData(0, 0, 200, 100).data.some(Boolean);
    return [...node.children, ...(node.shadowRoot?.children ?? [])].some(painted);
})(document.querySelector("[data-plot='wall:memory']"))"""
CONFIG = {
    "model_type": "llama",
    "num_hidden_layers": 3,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "vocab_size": 99,
}


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def other(request):
    driven = request.param()
    yield driven
    driven.close()


@pytest.fixture(scope="module")
def watched_page(exported, tmp_path_factory) -> str:
    """The exported page with a watch on it: its file: URL."""
    text = Path(urlsplit(exported).path).read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("other") / "page.html"
    path.write_text(text.replace("<head>", f"<head>{WATCH}", 1), encoding="utf-8")
    return path.as_uri()


def demanded(**state) -> str:
    return Wall(Scenario(**state)).frame()["readouts"]["cache-demanded"]["text"]


def test_scripts_run_in_the_page_itself(other, watched_page):
    """Else nobody hears of a fault, and a press that opens another window puts the page behind it."""
    other.open(watched_page)
    other.run("globalThis.open = () => 'the one set here'")
    assert other.run("return [globalThis === window, window.open()]") == [True, "the one set here"]


def test_page_works(other, watched_page):
    other.open(f"{watched_page}?act=wall&users=16&context=32768")
    other.until(READY)
    assert other.run(f"return {DEMANDED}") == demanded(users=16, context=32768)
    assert other.until("innerHeight / 2 > document.getElementById('wall').getBoundingClientRect().top")
    other.until(PAINTED)

    other.press("#wall input[type=range]", RIGHT)
    users = int(other.until("new URL(location).searchParams.get('users').replace(/^16$/, '')"))
    assert other.run(f"return {DEMANDED}") == demanded(users=users, context=32768)

    other.run("document.querySelector('[data-action=theme]').click()")
    assert other.run("return document.documentElement.dataset.theme") == "dark"

    for act in ("heads", "quantize"):
        other.run("document.querySelector(`.nav a[href='#${arguments[0]}']`).click()", act)
        other.until("location.search.includes(`act=${arguments[0]}`)", act)
    other.run("history.back()")
    other.until("location.search.includes('act=heads')")

    other.run("document.querySelector('#quiz input[type=radio]').click()")
    other.run("document.querySelector('#quiz form:has(:checked) button').click()")
    other.until("document.querySelector('#quiz').textContent.includes('5 to go')")

    other.run("document.getElementById('own-config').value = arguments[0]", json.dumps(CONFIG))
    other.run("document.querySelector('#your-model [data-action=read]').click()")
    other.until("location.search.includes('model=custom')")
    assert other.run("return faults") == []


@pytest.mark.skipif(nginx_missing(), reason="nginx is not installed")
def test_the_hosted_page_is_painted_before_its_script_runs(other, hosted, monkeypatch):
    # Its policy runs no code made of text, as scripts are in Firefox's page; the browser's own look at it will do.
    monkeypatch.setattr(other, "run", other.driver.execute_script)
    other.open(f"{hosted.url}?act=wall")
    other.until(READY)
    other.until(PAINTED)
    first = "performance.getEntriesByType('paint')[0].startTime"
    assert other.run(f"return {first} < performance.getEntriesByName('kv-cache:live')[0].startTime")
    assert other.run(f"return {DEMANDED}") == demanded()


def test_act_works_in_a_sandboxed_frame(other, watched_page, tmp_path):
    script = (ROOT / "static" / "kv-cache-embed.js").read_text(encoding="utf-8")
    page = Path(urlsplit(watched_page).path)
    (page.parent / "host.html").write_text(
        f"""<!doctype html><title>host</title><script>heard = [];
        document.addEventListener("kv-cache:state", (event) => heard.push(event.detail));</script>
        <iframe data-kv-cache src="page.html?embed=1&amp;act=heads" sandbox="allow-scripts" height="100"></iframe>
        <script>{script}</script>""",
        encoding="utf-8",
    )
    other.open((page.parent / "host.html").as_uri())
    other.until("heard.length > 0 && parseInt(document.querySelector('iframe').style.height) > 500")
    other.run("kvCacheEmbed.set(document.querySelector('iframe'), { context: 4096 })")
    other.until("heard.at(-1).state.context === 4096")


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_frames_are_equal(act, other, tmp_path):
    blank = tmp_path / "twin.html"
    blank.write_text(f"<!doctype html><meta charset=utf-8><script>{twin_script()}</script>", encoding="utf-8")
    other.open(blank.as_uri())

    @settings(RANDOM_STATES, max_examples=200, phases=[Phase.generate])
    @given(states(act))
    def check(state):
        drawn = json.loads(other.run("return JSON.stringify(frameOf(...arguments))", act.id, state))
        assert drawn == python_frame(act, state)

    check()
