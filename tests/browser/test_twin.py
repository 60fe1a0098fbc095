"""The browser's compiled functions and Python's draw the same frame, to the last digit and letter."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acts import ACTS, Scenario
from acts.bundle import runtime_script
from acts.scenario import Amount, Catalog, Choice, ShapeText, Whole

pytestmark = pytest.mark.browser

CATALOG = Catalog()
#: How many states a twin is tried on; the same ones in each run.
RANDOM_STATES = settings(
    max_examples=2000,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)


def values(parameter):
    """Any legal value of a parameter; counts are drawn near their ends and near powers of two as often as anywhere."""
    if isinstance(parameter, Choice):
        return st.sampled_from(list(parameter.objects))
    if isinstance(parameter, Whole):
        low, high = parameter.bounds
        powers = [n for p in range(21) for n in (2**p - 1, 2**p, 2**p + 1) if low <= n <= high]
        return st.one_of(st.integers(low, high), st.sampled_from([low, high, *powers]))
    if isinstance(parameter, Amount):
        low, high = parameter.bounds
        return st.one_of(st.floats(low, high), st.integers(int(low), int(high)), st.sampled_from([0.5, 4.9]))
    if isinstance(parameter, ShapeText):
        return st.just(parameter.default)
    return st.booleans()


def states(act):
    owners = [(Scenario, [n for n in Scenario.param if n != "name"]), (act, act.own_parameters())]
    return st.fixed_dictionaries(
        {name: values(owner.param[name]) for owner, names in owners for name in names}
    )


def twin_script() -> str:
    """The compiled functions, and ``frameOf(act, state)`` to ask them for a frame."""
    return f"{runtime_script()}\nwindow.frameOf = (act, state) => FRAMES[act](state, CATALOG);"


def python_frame(act, state):
    """Python's frame of a state, as it comes out of JSON."""
    return json.loads(json.dumps(act.draw_frame(SimpleNamespace(**state), CATALOG)))


@pytest.fixture(scope="module")
def twin(browser):
    """A blank page that holds the compiled functions."""
    page = browser.new_page()
    page.add_script_tag(content=twin_script())
    yield page
    page.close()


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_frames_are_equal(act, twin):
    @RANDOM_STATES
    @given(states(act))
    def check(state):
        drawn = twin.evaluate("([act, state]) => frameOf(act, state)", [act.id, state])
        assert drawn == python_frame(act, state)

    check()
