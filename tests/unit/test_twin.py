"""Which modules are compiled, and what is said when one cannot be."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import acts
from acts import ACTS, twin
from acts.bundle import entries
from app import script

ROOT = Path(acts.__file__).resolve().parent.parent
COMPILED = twin.closure([*entries(), *script.ENTRIES, *script.TOOLS_ENTRIES])
#: Folders of which all is compiled but __init__.py and figure.py, see the docstring of acts/twin.py.
FOLDERS = {
    *(f"acts.{act.id}" for act in ACTS),
    "acts.config",
    "acts.engines",
    "acts.logs",
    "app.quiz",
    "app.yours",
}


def compiled_by_rule(path: Path) -> bool:
    """Whether the rule that acts/twin.py states says that the module at ``path`` is compiled."""
    if ".".join(path.relative_to(ROOT).parent.parts) in FOLDERS:
        return path.name not in ("__init__.py", "figure.py")
    return "compiled by :mod:`acts.twin`" in (
        ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    )


def test_the_rule_says_which_modules_are_compiled():
    files = [path for folder in ("acts", "app") for path in (ROOT / folder).rglob("*.py")]
    by_rule = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files if compiled_by_rule(path)
    }
    assert by_rule == set(COMPILED)


def test_callees_come_first():
    for place, name in enumerate(COMPILED):
        for _, source, _ in twin.read_module(name).imports():
            assert source in COMPILED[:place]


def test_an_act_s_script_holds_no_more_than_it_needs():
    compiled = twin.closure(entries())
    assert "acts.wall.frame" in compiled
    assert "acts.config.reader" not in compiled
    assert "app.quiz.frame" not in compiled


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes modules of a package ``acts`` of which nothing else is there."""
    folder = tmp_path / "acts"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.setattr(acts, "__path__", [str(folder)])
    for cached in (twin.read_module, twin.classes, twin.checked):
        cached.cache_clear()

    def write(**modules: str) -> None:
        for name, source in modules.items():
            (folder / f"{name}.py").write_text(source, encoding="utf-8")

    yield write
    for cached in (twin.read_module, twin.classes, twin.checked):
        cached.cache_clear()
    for name in [name for name in sys.modules if name.startswith("acts.zz_")]:
        del sys.modules[name]


def refusal(*modules: str) -> str:
    with pytest.raises(SyntaxError) as error:
        twin.compile_modules(modules)
    return str(error.value)


def test_a_fault_names_file_line_and_importer(package):
    package(
        zz_frame="from .zz_pace import pace\n\n\ndef frame():\n    return pace(1)\n",
        zz_pace='"""Text."""\n\n\ndef pace(a):\n    return round(a)\n',
    )
    assert refusal("acts.zz_frame") == (
        "acts/zz_pace.py:5: `round(a)`: halves are rounded otherwise there; use the functions of acts/text.py\n"
        "(acts.zz_pace is compiled because acts.zz_frame imports it)"
    )


def test_what_is_imported_must_be_compiled(package):
    package(
        zz_a="from .zz_b import Row\n\n\ndef f(x: Row):\n    return Row(1)\n", zz_b="class Row:\n    pass\n"
    )
    assert refusal("acts.zz_a") == "acts/zz_a.py:5: `Row`: no compiled module defines this name"
    package(zz_c="from . import MODELS\n\n\ndef f():\n    return MODELS\n")
    assert refusal("acts.zz_c").startswith(
        "acts/zz_c.py:1: `from . import MODELS`: acts/__init__.py is not compiled"
    )
    package(zz_d="from .zz_nowhere import f\n")
    assert "there is no module acts.zz_nowhere" in refusal("acts.zz_d")


def test_one_name_twice_is_refused(package):
    package(zz_a="def same():\n    return 1\n", zz_b="same = 2\n")
    assert "same is defined in both acts.zz_a and acts.zz_b" in refusal("acts.zz_a", "acts.zz_b")


def test_types_are_not_followed(package):
    package(
        zz_a="from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .zz_b import Row\n\n\n"
        "def f(x: Row):\n    return 1\n",
        zz_b="import math\n",
    )
    assert twin.closure(["acts.zz_a"]) == ("acts.zz_a",)


def test_an_imported_class_is_dropped(package):
    package(
        zz_a="from .zz_b import Row\n\n\ndef f(x):\n    y: Row = x\n    return y\n",
        zz_b="import math\n\n\nclass Row:\n    pass\n",
    )
    assert twin.closure(["acts.zz_a"]) == ("acts.zz_a",)
    assert "Row" not in twin.compile_modules(["acts.zz_a"])


def test_an_act_left_out_is_named(monkeypatch):
    monkeypatch.setattr(
        acts, "_ACTS", {name: folder for name, folder in acts._ACTS.items() if name != "Wall"}
    )
    with pytest.raises(
        ImportError, match=r"acts/wall/frame\.py draws an act that _ACTS in acts/__init__\.py leaves out"
    ):
        acts._acts()


def test_every_act_can_be_imported_by_name():
    assert {act.__name__ for act in ACTS} <= set(acts.__all__)


def test_what_can_be_imported_has_a_type():
    """Without an import under TYPE_CHECKING a name is of any type, and mypy says nothing."""
    tree = ast.parse(Path(acts.__file__).read_text(encoding="utf-8"))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    names = [alias.name for node in typed.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert {*names, "ACTS"} == set(acts.__all__), "acts/__init__.py imports them under TYPE_CHECKING"
