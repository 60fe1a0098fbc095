"""Numbers at the ends of what a link can say: whole ones stay exact in both languages, and none is infinite."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as some

from acts import ACTS
from acts.bounds import BOUNDS, EXACT_LIMIT
from acts.own_model import OWN_ABSENT, OWN_BOUNDS, OWN_GROUP, OWN_HEAD, OWN_HEAD_MORE, own_fault, own_text
from acts.scenario import Catalog, Scenario

CATALOG = Catalog()
#: What stands where a number went wrong, or is too long to be written out.
NO_NUMBER = re.compile(r"\bnan\b|in,?f,?in|inf\b|undefined|\bNone\b|\d[eE][+-]?\d")


def at_ends(low: float, high: float) -> some.SearchStrategy:
    """A whole number, mostly one of the least and most there are, or a power of two between them."""
    powers = [2**power for power in range(41) if low <= 2**power <= high]
    return some.sampled_from([low, low + 1, *powers, high - 1, high]).filter(
        lambda value: low <= value <= high
    )


@some.composite
def groups(draw) -> dict:
    """A group of layers with numbers anywhere within their bounds."""
    group = {field: draw(at_ends(*OWN_BOUNDS[field])) for field in OWN_GROUP}
    for field, absent in OWN_ABSENT.items():
        group[field] = draw(some.just(absent) | at_ends(*OWN_BOUNDS[field]))
    return group | {"kind": draw(some.sampled_from(["attention", "latent", "cross", "indexer"]))}


@some.composite
def shapes(draw) -> str:
    """A model of one's own that a link may name, as its text."""
    shape = {field: draw(at_ends(*OWN_BOUNDS[field])) for field in OWN_HEAD}
    shape |= dict.fromkeys(OWN_HEAD_MORE.values(), 0)
    shape["active_parameters"] = min(shape["active_parameters"], shape["parameters"])
    shape["groups"] = draw(some.lists(groups(), min_size=1, max_size=3))
    # What is too large for any card is made smaller until it may be named.
    while own_fault(shape, 0) != "" and any(
        group["layers"] > 1 or group["key_width"] > 1 for group in shape["groups"]
    ):
        for group in shape["groups"]:
            group["layers"], group["key_width"] = (
                max(1, group["layers"] // 2),
                max(1, group["key_width"] // 2),
            )
            group["value_width"] //= 2
    assume(own_fault(shape, 0) == "")
    return own_text("Mine", shape, 0)


#: A scenario at the ends of its bounds, of a model at the ends of its own.
EXTREMES = some.fixed_dictionaries(
    {
        "shape": shapes(),
        "model": some.just("custom"),
        "gpu": some.sampled_from(list(CATALOG.gpus)),
        "weights": some.sampled_from(list(CATALOG.weights)),
        "cache": some.sampled_from(list(CATALOG.caches)),
        "cache_v": some.sampled_from(["", *CATALOG.caches]),
        **{name: at_ends(*bounds) for name, bounds in BOUNDS.items()},
    }
)


def walk(value, path="frame"):
    """Every number and text of a frame with its path."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from walk(one, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            yield from walk(one, f"{path}[{place}]")
    else:
        yield path, value


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_whole_numbers_are_exact_and_none_is_infinite(act):
    @settings(max_examples=25, derandomize=True, database=None)
    @given(EXTREMES)
    def check(values):
        for path, value in walk(act(Scenario(**values)).frame()):
            if isinstance(value, int):
                assert abs(value) <= EXACT_LIMIT, f"{path} is {value}"
            elif isinstance(value, float):
                assert math.isfinite(value), f"{path} is {value}"
            elif isinstance(value, str):
                assert not NO_NUMBER.search(value), f"{path}: {value}"

    check()
