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
from acts.logs.answer import log_answer, log_report
from acts.logs.budget import log_bars
from acts.logs.compare import compare_log, log_job, log_summary
from acts.scenario import Catalog, Scenario
from acts.twin import javascript
from tests.browser.test_twin import RANDOM_STATES
from tests.truth.test_logs import CASES

from .test_logs import CORPUS, logs
from .test_logs_setups import TEXTS as SETUPS

pytestmark = pytest.mark.browser

CATALOG = Catalog()
TEXTS = ["\n".join(entry["lines"]) for entry in [*CORPUS.values(), *CASES]] + SETUPS

READ = """
window.read = (text, state) => {
    const log = read_log(text);
    const shape = CATALOG.models[state.model].shape;
    const bars = log.engine === null ? [] : log_bars(log_job(log, shape, state, CATALOG));
    return [log, log_summary(log), log_report(log, shape, state, CATALOG), log_answer(log, shape, state, CATALOG),
            compare_log(log, shape, state, CATALOG), bars];
};
"""


@pytest.fixture(scope="module")
def twin(browser):
    page = browser.new_page()
    data = f"const CATALOG = {json.dumps(asdict(CATALOG))};const CACHE_NAMES = {json.dumps(CACHE_NAMES)};"
    code = f"{javascript(('acts.logs.reader', 'acts.logs.answer'))}\n{data}{READ}"
    page.add_script_tag(content=code)
    yield page
    page.close()


def python(text, state):
    log = read_log(text)
    asked = (log, CATALOG.models[state["model"]].shape, SimpleNamespace(**state), CATALOG)
    bars = log_bars(log_job(*asked)) if log["engine"] else []
    said = [log, log_summary(log), log_report(*asked), log_answer(*asked), compare_log(*asked), bars]
    return json.loads(json.dumps(said))


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
            "pipeline": st.sampled_from([1, 1, 2, 5]),
            "context_parallel": st.sampled_from([1, 1, 2]),
            "data_parallel": st.sampled_from([1, 2]),
            "utilisation": st.sampled_from([90, 92.5, 100]),
            "cache_v": st.sampled_from(["", "bf16", "q4_0"]),
            "weights_gib": st.sampled_from([0, 17.25]),
            "card_gib": st.just(23.65),
            "card_bandwidth": st.just(1000),
            "card_flops": st.just(100),
        }
    )


def test_the_twin_reads_real_logs_alike(twin):
    states = []
    for model in ("llama-3-8b", "gpt-oss-20b", "qwen3.5-27b", "deepseek-v3"):
        scenario = Scenario(model=model)
        states.append({name: getattr(scenario, name) for name in scenario.param if name != "name"})
    for place, text in enumerate(TEXTS):
        state = states[place % len(states)]
        assert twin.evaluate("([text, state]) => read(text, state)", [text, state]) == python(text, state), (
            text
        )


def test_the_twin_reads_any_text_alike(twin):
    @settings(RANDOM_STATES, max_examples=150)
    @given(st.one_of(logs(), st.sampled_from(TEXTS), st.text()), states())
    def check(text, state):
        # A half of a surrogate pair does not survive the way into the browser.
        text = text.encode("utf-8", "ignore").decode("utf-8")
        assert twin.evaluate("([text, state]) => read(text, state)", [text, state]) == python(text, state)

    check()
