"""The browser's compiled functions and Python's draw the same frame, to the last digit and letter."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acts import ACTS, Scenario, Wall
from acts.bundle import runtime_script
from acts.decoder.written import TEXTS, VocabularyText, written
from acts.deployed import deployed_line
from acts.scenario import Amount, Catalog, Choice, ShapeText, Whole
from tests.unit.test_bad_numbers import EXTREMES

pytestmark = pytest.mark.browser

CATALOG = Catalog()
#: How many states a twin is tried on; the same ones in each run.
RANDOM_STATES = settings(
    max_examples=500,
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
    if isinstance(parameter, VocabularyText):
        return st.sampled_from(TEXTS)
    return st.booleans()


def states(act):
    owners = [(Scenario, [n for n in Scenario.param if n != "name"]), (act, act.own_parameters())]
    drawn = {name: values(owner.param[name]) for owner, names in owners for name in names}
    return st.fixed_dictionaries(drawn).map(read_by_decoder)


def read_by_decoder(state):
    """A state with what its act has beside parameters: what the small decoder writes after the text."""
    return state | ({"live": written(state["text"])} if "text" in state else {})


def twin_script() -> str:
    """The compiled functions, and ``frameOf(act, state)`` and ``deployedOf(state)`` to ask them."""
    return (
        f"{runtime_script()}\nwindow.frameOf = (act, state) => FRAMES[act](state, CATALOG);"
        "window.deployedOf = (state) => deployed_line(state, CATALOG);"
    )


def python_frame(act, state):
    """Python's frame of a state, as it comes out of JSON."""
    return json.loads(json.dumps(act.draw_frame(SimpleNamespace(**state), CATALOG)))


def first_difference(drawn, expected, path="frame"):
    """Where two values out of JSON first differ and how, in the second's order; "" if they are equal."""
    if type(drawn) is not type(expected) or not isinstance(expected, dict | list):
        same = drawn == expected and isinstance(drawn, bool) == isinstance(expected, bool)
        return "" if same else f"{path}: the browser has {drawn!r}, Python {expected!r}"
    keys = expected if isinstance(expected, dict) else range(len(expected))
    if len(drawn) != len(expected) or (isinstance(expected, dict) and drawn.keys() != expected.keys()):
        return f"{path}: the browser has {list(drawn)!r}, Python {list(expected)!r}"
    parts = (first_difference(drawn[key], expected[key], f"{path}[{key!r}]") for key in keys)
    return next(filter(None, parts), "")


def test_a_difference_names_its_path():
    assert first_difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2.0}]}) == ""
    frame = {"readouts": {"pace": {"text": "8 ms"}}, "x": [1, None]}
    other = {"readouts": {"pace": {"text": "NaN ms"}}, "x": [1, None]}
    told = "frame['readouts']['pace']['text']: the browser has 'NaN ms', Python '8 ms'"
    assert first_difference(other, frame) == told
    assert first_difference([1], [1, 2]) == "frame: the browser has [1], Python [1, 2]"
    assert first_difference([True], [1]) == "frame[0]: the browser has True, Python 1"


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
        difference = first_difference(drawn, python_frame(act, state))
        assert not difference, f"{act.id}, {difference}, for {state}"

    check()


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_frames_at_the_ends_of_what_a_link_can_say_are_equal(act, twin):
    @settings(RANDOM_STATES, max_examples=100)
    @given(EXTREMES)
    def check(values):
        shown = act(Scenario(**values))
        drawn = twin.evaluate(
            "([act, state]) => FRAMES[act](state, worldWith(state.shape).catalog)", [act.id, shown.state()]
        )
        difference = first_difference(drawn, json.loads(json.dumps(shown.frame())))
        assert not difference, f"{act.id}, {difference}, for {values}"

    check()


def test_the_deployment_in_words_is_equal(twin):
    @RANDOM_STATES
    @given(states(Wall))
    def check(state):
        said = twin.evaluate("deployedOf", state)
        assert said == deployed_line(SimpleNamespace(**state), CATALOG)

    check()
