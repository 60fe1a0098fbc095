"""The browser's compiled log reader finds and says what Python's does, to the last digit and letter."""

from __future__ import annotations

import json
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acts.catalog import CACHE_NAMES
from acts.logs import read_log
from acts.logs.compare import compare_log, log_settings, log_summary
from acts.scenario import Catalog, Scenario
from acts.twin import javascript
from tests.browser.test_twin import RANDOM_STATES

from .test_logs import CORPUS, logs

pytestmark = pytest.mark.browser

CATALOG = Catalog()
TEXTS = ["\n".join(entry["lines"]) for entry in CORPUS.values()]

READ = """
window.read = (text, state) => {
    const log = read_log(text);
    const shape = CATALOG.models[state.model].shape;
    return [log, log_settings(log), log_summary(log), compare_log(log, shape, state, CATALOG)];
};
"""


@pytest.fixture(scope="module")
def twin(browser):
    page = browser.new_page()
    data = f"const CATALOG = {json.dumps(asdict(CATALOG))};const CACHE_NAMES = {json.dumps(CACHE_NAMES)};"
    code = f"{javascript(('acts.logs.reader', 'acts.logs.compare'))}\n{data}{READ}"
    page.add_script_tag(content=code)
    yield page
    page.close()


def python(text, state):
    log = read_log(text)
    shape = CATALOG.models[state["model"]].shape
    rows = compare_log(log, shape, SimpleNamespace(**state), CATALOG)
    return json.loads(json.dumps([log, log_settings(log), log_summary(log), rows]))


def states():
    return st.fixed_dictionaries(
        {
            "model": st.sampled_from(sorted(CATALOG.models)),
            "gpu": st.sampled_from(sorted(CATALOG.gpus)),
            "gpus": st.sampled_from([1, 2, 3, 4, 8, 16]),
            "weights": st.sampled_from(sorted(CATALOG.weights)),
            "cache": st.sampled_from(sorted(CATALOG.caches)),
            "context": st.sampled_from([256, 8192, 100_000, 131_072]),
            "users": st.integers(1, 1024),
            "reserve": st.sampled_from([0, 0.5, 4.9]),
        }
    )


@pytest.mark.parametrize("text", TEXTS)
def test_the_twin_reads_real_logs_alike(twin, text):
    for model in ("llama-3-8b", "gpt-oss-20b", "qwen3.5-27b", "deepseek-v3"):
        scenario = Scenario(model=model)
        state = {name: getattr(scenario, name) for name in scenario.param if name != "name"}
        assert twin.evaluate("([text, state]) => read(text, state)", [text, state]) == python(text, state)


def test_the_twin_reads_any_text_alike(twin):
    @settings(RANDOM_STATES, max_examples=600)
    @given(st.one_of(logs(), st.sampled_from(TEXTS), st.text()), states())
    def check(text, state):
        # A half of a surrogate pair does not survive the way into the browser.
        text = text.encode("utf-8", "ignore").decode("utf-8")
        assert twin.evaluate("([text, state]) => read(text, state)", [text, state]) == python(text, state)

    check()
