"""Predicted bytes against the tensors of transformers' own caches, layer by layer.

    pip install -e ".[test,oracle]"
    python -m pytest -m oracle tests/oracle

See tests/oracle/README.md; ``python -m tests.oracle`` writes the table docs/oracle.md.
"""

from __future__ import annotations

import importlib.util

import pytest

from .cases import CASES, WRAPPERS
from .check import check_real, check_small, check_wrapper
from .real import real_rows

pytestmark = pytest.mark.oracle


@pytest.fixture(autouse=True)
def installed():
    """The group is only run by name, so a missing library is an error and no skip."""
    for name in ("torch", "transformers"):
        if importlib.util.find_spec(name) is None:
            pytest.fail(f'{name} is missing: pip install -e ".[test,oracle]"', pytrace=False)


def assert_equal(result):
    for source, found in result.comparisons.items():
        assert found.measured > 0, source
        assert found.measured_layers == found.predicted_layers, source
        assert found.measured_state == found.predicted_state, source
        assert found.measured + sum(found.allowed.values()) == found.predicted, (source, found.allowed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tiny_models(case):
    assert_equal(check_small(case))


@pytest.mark.parametrize("case", WRAPPERS, ids=lambda case: case.name)
def test_models_around_a_language_model(case):
    assert_equal(check_wrapper(case))


@pytest.mark.parametrize("row", real_rows(), ids=lambda row: row["model"])
def test_real_models_at_full_size(row):
    assert_equal(check_real(row))


def test_enough_families_are_compared():
    assert len({case.model_type for case in CASES}) >= 25
