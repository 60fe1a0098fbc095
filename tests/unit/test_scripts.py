"""The browser's modules are joined in one scope: names are defined, and once."""

from __future__ import annotations

import param
import pytest

from acts import scripts, twin
from acts.bundle import RUNTIME, constants, entries, given_names, parameter_rules
from acts.scripts import code_of, join_modules
from acts.view import act_module
from app import scorm, script


@pytest.fixture
def static(tmp_path, monkeypatch):
    """Writes modules of a folder static/ of their own."""
    monkeypatch.setattr(scripts, "STATIC", tmp_path)

    def write(**modules: str) -> None:
        for name, source in modules.items():
            (tmp_path / f"{name}.js").write_text(source, encoding="utf-8")

    return write


def refusal(*names: str, given: dict[str, str] | None = None) -> str:
    with pytest.raises(SyntaxError) as error:
        join_modules(names, given or {})
    return str(error.value)


def test_modules_are_joined_without_imports_and_exports(static):
    static(
        a="export const one = 1;\nexport function* two() {}\n",
        b='import {\n  one,\n  two,\n} from "./a.js";\nconst three = one;\n',
    )
    assert join_modules(["a.js", "b.js"], {}) == "const one = 1;\nfunction* two() {}\n\nconst three = one;\n"
    assert join_modules(["b.js"], {}, ["a.js"]) == "const three = one;\n"


def test_a_name_twice_is_refused(static):
    static(a="function one() {}\n", b="export class one {}\n", c="const read_log = 1;\n")
    assert "one is defined in both static/a.js and static/b.js" in refusal("a.js", "b.js")
    told = refusal("c.js", given={"read_log": "acts.logs"})
    assert "read_log is defined in both acts.logs and static/c.js" in told


def test_an_import_of_what_is_not_there_is_refused(static):
    static(a="function one() {}\n", b='import { one } from "./a.js";\n')
    assert refusal("a.js", "b.js") == "static/b.js: it imports one from a.js, which does not export it"
    assert refusal("b.js", "a.js") == "static/b.js: it imports one from a.js, which does not come earlier"


def test_a_call_of_a_function_that_is_not_compiled_is_refused(static):
    static(a="const one = 1;\n\nexport const two = [read_log(one), CATALOG.models];\n")
    assert refusal("a.js", given={"CATALOG": "acts/bundle.py"}).startswith(
        "static/a.js:3: read_log is defined nowhere"
    )
    assert join_modules(["a.js"], {"CATALOG": "acts/bundle.py", "read_log": "acts.logs"})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a // don't\nb", "a  \nb"),
        ("a /* ` \n */ b", "a  \n b"),
        ("""f("it's", 'a"b', "\\"")""", "f( ,  ,  )"),
        ("f(`it's ${one({ a: `b${two}c` })} \\` $ {x}`, three)", "f( one({ a:  two }) , three)"),
        ('a = b / c; d = /["/]x/i.test(e) / f', "a = b / c; d = .test(e) / f"),
        ("`a\n${b}\n`", " \nb \n"),
    ],
)
def test_code_is_told_from_words(text, code):
    got = code_of(text)
    assert got.split() == code.split()
    assert got.count("\n") == code.count("\n")


def test_every_form_of_the_page_has_all_its_names():
    assert script.page_script(script.PAGE_MODULES, whole=True)
    assert script.page_script(scorm.MODULES, whole=True)
    assert script.tools_script()
    assert act_module().endswith("export{render};")


def test_every_constant_is_read():
    """What the bundle gives is read by a script or a compiled module."""
    modules = (*RUNTIME, *script.PAGE_MODULES, *script.TOOLS_MODULES)
    read = {name for module in modules for name, _ in scripts.shared_names(module)}
    assert twin.GIVEN <= set(constants()) <= read | twin.GIVEN
    assert set(constants()) <= given_names(*entries()).keys()


def test_a_parameter_that_the_browser_has_no_rule_for_is_named():
    class Fifth(param.Parameterized):
        shared = param.Integer(default=2048)

    with pytest.raises(TypeError, match=r"Fifth.shared is of Integer, .* make it a Whole, Amount or Choice"):
        parameter_rules([Fifth], {Fifth: ["shared"]})
