"""What functions hand one another is typed: a misspelt key is found before anything runs."""

from __future__ import annotations

import re
import subprocess
import sys

from acts import ACTS, Scenario, contracts
from tests.conftest import ROOT

#: Each line misspells one key, with mypy's word for it.
MISSPELT = {
    "state.modle": '"modle"; maybe "model"',
    'wall_frame(state, catalog)["readout"]': '"Frame" has no key "readout"',
    'wall_frame(state, catalog)["ranges"]["x"]["begin"]': '"Range" has no key "begin"',
    'deploy(state, catalog)["max_user"]': '"Sizes" has no key "max_user"',
    'read_shape({})["shap"]': '"Reading" has no key "shap"',
    'read_shape({})["shape"]["group"]': '"PlainShape" has no key "group"',
    'read_log("")["finding"]': '"Log" has no key "finding"',
    'read_log("")["findings"][0]["vale"]': '"Finding" has no key "vale"',
    'compare_log(read_log(""), shape, state, catalog)[0]["verdikt"]': '"Comparison" has no key "verdikt"',
}

HEAD = """
from acts.catalog import Catalog
from acts.config.reader import read_shape
from acts.contracts import State
from acts.deployment import deploy
from acts.logs.compare import compare_log
from acts.logs.reader import read_log
from acts.sizing import Shape
from acts.wall.frame import wall_frame

def use(state: State, catalog: Catalog, shape: Shape) -> None:
"""


def test_a_misspelt_key_is_found(tmp_path):
    snippet = tmp_path / "snippet.py"
    snippet.write_text(HEAD + "".join(f"    {line}\n" for line in MISSPELT), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--no-pretty", snippet]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    first = HEAD.count("\n") + 1
    for number, word in enumerate(MISSPELT.values(), first):
        assert re.search(rf"snippet\.py:{number}: error: .*{re.escape(word)}", run.stdout), (
            run.stdout + run.stderr
        )
    assert run.stdout.count(": error: ") == len(MISSPELT), run.stdout


def attributes(protocol: type) -> set[str]:
    """The names that a Protocol declares, those of its bases included."""
    return {name for base in protocol.__mro__ for name in vars(base).get("__annotations__", {})}


def test_the_state_is_typed_whole():
    assert attributes(contracts.State) == set(Scenario.param) - {"name"}
    assert attributes(contracts.PageState) == {name for act in ACTS for name in act().state()}
