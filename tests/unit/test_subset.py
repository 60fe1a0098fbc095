"""What a compiled module may hold: what differs between the languages is refused, what is allowed means the same."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess

import pytest

from acts import subset, twin
from acts.compiler import pscript

#: Bodies of functions that Python and the compiled text answer alike.
ALIKE = {
    "equal lists": "return [1, 2] == [1, 2]",
    "truth of a dict": "return 1 if {} else 0",
    "truth of a list": "return 1 if [] else 0",
    "member of a list": "return [1, 2] in [[1, 2]]",
    "member of a dict": "return 'a' in {'a': 1}",
    "member of a text": "return 'b' in 'abc'",
    "not a member": "return 3 not in [1, 2]",
    "floor of a negative": "return -3 // 2",
    "whole part of a negative": "return int(-1.5)",
    "number of digits": "return int('12')",
    "sorted by a key": "return sorted([10, 9, 1], key=lambda v: -v)",
    "sort by a key": "a = [10, 9, 1]\na.sort(key=lambda v: v)\nreturn a",
    "last by a literal": "return [1, 2, 3][-1]",
    "slices": "return [[1, 2, 3][1:], [1, 2, 3][:-1], 'abc'[1:2]]",
    "repeated text": "return 'ab' * 2",
    "repeated list": "return [0] * 3",
    "joined lists": "return [1] + [2]",
    "quotient": "return 4 / 2",
    "power": "return 2 ** 10",
    "remainder": "return 17 % 5",
    "items in order": "return [k for k, v in {'b': 1, 'a': 2}.items()]",
    "keys and values": "d = {'b': 1, 'a': 2}\nreturn [list(d.keys()), list(d.values()), list(d)]",
    "loop over a dict": "out = []\nfor key in {'b': 1, 'a': 2}:\n    out.append(key)\nreturn out",
    "nested comprehension": "return [a * b for a in [1, 2] for b in [3, 4] if a < b]",
    "chained comparison": "x = 3\nreturn 1 < x < 5",
    "compared texts": "return ['a' < 'b', 'a' == 'a', 'a' != 'b']",
    "identity of None": "x = None\nreturn [x is None, x is not None]",
    "for and else": "for i in [1]:\n    pass\nelse:\n    return 'e'",
    "while, break, continue": "n = 0\nwhile True:\n    n += 1\n    if n < 3:\n        continue\n    break\nreturn n",
    "deleted key": "d = {'a': 1}\ndel d['a']\nreturn d",
    "lambda": "g = lambda x: x + 1\nreturn g(1)",
    "lambdas see the last": "out = []\nfor i in [1, 2]:\n    out.append(lambda: i)\nreturn [g() for g in out]",
    "truth is a number": "return True + 1",
    "and, or, not": "return [0 or 'x', 1 and 'y', not 0]",
    "unpacked pair": "a, b = [1, 2]\nreturn b",
    "changed in place": "d = {'a': [1]}\nd['a'].append(2)\nd['b'] = 3\nreturn d",
    "text of whole numbers": "x = 5\nreturn str(12) + f'{x} of {x + 1}'",
    "texts of whole numbers": "x = 5\nreturn [f'{x}', f'{x}{x}', f'{x}{x + 1} of {x}', f'{x} of {x}{x}']",
    "types": (
        "return [[isinstance(v, str), isinstance(v, list), isinstance(v, dict), isinstance(v, bool), "
        "isinstance(v, (int, float))] for v in ['a', [1], {'a': 1}, 1, 1.5]]"
    ),
    "functions": "return [abs(-2), min(3, 2), max([1, 4]), len('abc'), chr(65), ord('A'), list(range(1, 7, 2))]",
    "enumerated": "return [[i, x] for i, x in enumerate(['a', 'b'])]",
    "methods of lists": (
        "a = [1]\na.extend([2, 3])\na.insert(0, 9)\na.reverse()\nb = a.pop(0)\nreturn [a, b]"
    ),
    "methods of dicts": "return [{'a': 1}.get('a'), {'a': 1}.get('b'), {'a': 1}.get('b', 7)]",
    "methods of texts": (
        "return ['aXb'.lower(), 'ab'.upper(), 'a,b'.split(','), '-'.join(['a', 'b']), 'aab'.replace('a', 'c'), "
        "'abc'.find('c'), 'abc'.find('x'), 'abca'.find('a', 1), ' a '.strip(), 'a0'.rstrip('0'), 'ab'.startswith('a'), "
        "'ab'.endswith('b'), '7'.zfill(3)]"
    ),
}

#: Bodies whose compiled text would answer otherwise, or that cannot be compiled, with a word of the refusal.
REFUSED = {
    "remainder of a negative": ("return -3 % 5", "-3 % 5"),
    "remainder of a difference": ("a = 1\nreturn (a - 2) % 5", "max("),
    "remainder of a negative name": ("a = -3\nreturn a % 5", "a % 5"),
    "remainder in place": ("a = -3\na %= 5\nreturn a", "remainder"),
    "halves": ("return round(2.5)", "acts/text.py"),
    "rounded digits": ("return round(2.675, 2)", "acts/text.py"),
    "grouped digits": ("return f'{1234567:,}'", "acts/text.py"),
    "fixed digits": ("return f'{1.25:.1f}'", "acts/text.py"),
    "representation": ("x = 'a'\nreturn f'{x!r}'", "acts/text.py"),
    "sum of a generator": ("return sum(x * x for x in [1, 2, 3])", "loop"),
    "sum of a list": ("return sum([0.1, 0.2, 0.3])", "loop"),
    "greatest by a key": ("return max([1, 3, 2], key=lambda v: -v)", "loop"),
    "greatest text": ("return max('a', 'b')", "numbers"),
    "sorted numbers": ("return sorted([10, 9, 1])", "key="),
    "sorted backwards": ("return sorted([10, 9, 1], key=lambda v: v, reverse=True)", "key="),
    "sort numbers": ("a = [10, 9, 1]\na.sort()\nreturn a", "key="),
    "set": ("return len({1, 1, 2})", "list"),
    "set comprehension": ("return len({x for x in [1]})", "list"),
    "try": ("try:\n    return {}['a']\nexcept KeyError:\n    return 'ke'", "ask first"),
    "raise": ("raise ValueError", "return"),
    "assert": ("assert True", "return"),
    "with": ("with open('x') as f:\n    return f", "plain statements"),
    "missing key": ("return {'a': 1}['b'] is None", "no such key"),
    "missing key of a constant": ("return TABLE['b'] is None", "no such key"),
    "negative index": ("i = -1\nreturn [1, 2, 3][i]", "len(x) - 1"),
    "step of a slice": ("return [1, 2, 3, 4][::2]", "range"),
    "assigned slice": ("a = [1, 2]\na[0:1] = [3]\nreturn a", "slices"),
    "keyword argument": ("return g(1, b=5)", "in their order"),
    "any": ("return any(x > 1 for x in [1, 2])", "loop"),
    "all": ("return all([1, 2])", "loop"),
    "start of enumerate": ("return [i for i, x in enumerate(['a', 'b'], 1)]", "enumerate"),
    "zip": ("return [a + b for a, b in zip([1, 2], [3, 4], strict=True)]", "index both"),
    "walrus": ("if (n := 3) > 2:\n    return n", "a line of its own"),
    "match": ("match 3:\n    case 3:\n        return 'x'", "if and elif"),
    "text of a float": ("return str(1.0)", "acts/text.py"),
    "text of a quotient": ("x = 4\nreturn 'a' + str(x / 2)", "acts/text.py"),
    "text of a truth": ("return str(True)", "written otherwise"),
    "text of a comparison": ("x = 1\nreturn f'{x > 2}'", "written otherwise"),
    "text of None": ("return str(None)", "written otherwise"),
    "beyond 2**53": ("return 2 ** 53 + 1", "2**53"),
    "beyond 2**53, written out": ("return 9007199254740993", "2**53"),
    "number as a key": ("return [k for k in {10: 1, 9: 2}]", "text keys"),
    "number as a new key": ("d = {}\nd[1] = 2\nreturn d", "text keys"),
    "dict comprehension": ("return {k: 1 for k in ['a']}", "loop"),
    "starred argument": ("a = [1, 2]\nreturn max(*a)", "list"),
    "starred target": ("a, *b = [1, 2, 3]\nreturn b", "each value"),
    "dict in a dict": ("d = {'a': 1}\nreturn {**d}", "key by key"),
    "joined generator": ("return ','.join(str(x) for x in [1, 2])", "comprehension"),
    "int alone": ("return isinstance(True, int)", "(int, float)"),
    "text and number": ("return '8' == 8", "one type"),
    "tuple and list": ("return (1, 2) == [1, 2]", "one type"),
    "order of lists": ("return [9] < [10]", "one by one"),
    "formatting with %": ("return '%d%%' % 5", "join the texts"),
    "unknown method": ("return 'abc'.removeprefix('a')", "slice"),
    "split at blanks": ("return 'a  b'.split()", "split"),
    "module": ("return math.ceil(1.2)", "defines this name"),
    "unknown name": ("return nobody(1)", "defines this name"),
    "class": ("return Shape(1)", "defines this name"),
    "union of dicts": ("return {'a': 1} | {'b': 2}", "key by key"),
    "bits": ("return 5 & 3", "32"),
    "shifted bits": ("return 1 << 3", "power of two"),
    "reserved word": ("new = 1\nreturn new", "word of JavaScript"),
    "length of a dict": ("return len({'a': 1, 'b': 2})", "len(list("),
    "length of a named dict": ("d = {'length': 5}\nreturn len(d)", "len(list("),
    "length of an annotated dict": ("d: dict[str, int] = g(1)\nreturn len(d)", "len(list("),
    "length of a record": ("d: Sizes = g(1)\nreturn len(d)", "len(list("),
    "list grown in place": ("a = [1]\na += [2]\nreturn a", "append"),
    "assigned attribute": ("x = g(1)\nx.a = 1\nreturn x", "return a dict"),
    "identity of values": ("x = [1]\nreturn x is [1]", "=="),
    "function in a function": ("def h():\n    return 1\nreturn h()", "module's level"),
    "import in a function": ("import math\nreturn 1", "module's head"),
    "generator": ("yield 1", "list"),
    "global": ("global TABLE\nreturn 1", "plain statements"),
}

#: Statements of a module, with a word of the refusal.
REFUSED_IN_MODULES = {
    "import math": "from .module import name",
    "from numpy import sqrt": "from .module import name",
    "from .text import text_whole as whole": "import it plainly",
    "from .text import *": "import it plainly",
    "A = B = 1": "one plain name",
    "a, b = 1, 2": "one plain name",
    "A: int": "needs a value",
    "A = {x for x in [1]}": "list",
    "A = frozenset(['a'])": "defines this name",
    "if True:\n    A = 1": "functions, constants and imports",
    "@cache\ndef f():\n    return 1": "decorators",
    "def f(*values):\n    return values": "plain parameters",
    "def f(*, a):\n    return a": "plain parameters",
    "def f(new):\n    return new": "word of JavaScript",
    "async def f():\n    return 1": "functions, constants and imports",
}


def module(body: str) -> str:
    """A module around the body of ``f``: on line 8 it begins."""
    lines = "\n".join("    " + line for line in body.split("\n"))
    return f'"""Text."""\n\nTABLE = {{"a": 1}}\n\ndef g(a, b=2):\n    return a + b\ndef f():\n{lines}\n'


@pytest.mark.parametrize("body", ALIKE.values(), ids=ALIKE)
def test_what_means_the_same_is_allowed(body):
    subset.check(ast.parse(module(body)), "acts/example.py")


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_what_is_allowed_means_the_same_in_javascript():
    python, scripts = [], []
    for body in ALIKE.values():
        names: dict = {}
        exec(module(body), names)
        python.append(json.loads(json.dumps(names["f"]())))
        script = twin._compiled(twin.Module("example", "acts/example.py", module(body)))
        scripts.append(f"(function() {{{script}\nreturn f();}})()")
    code = f"{pscript.get_full_std_lib()}\nconsole.log(JSON.stringify([{','.join(scripts)}]))"
    run = subprocess.run(["node", "-"], input=code, capture_output=True, text=True, check=True)
    assert dict(zip(ALIKE, json.loads(run.stdout), strict=True)) == dict(zip(ALIKE, python, strict=True))


@pytest.mark.parametrize(("body", "word"), REFUSED.values(), ids=REFUSED)
def test_what_differs_is_refused_with_its_place(body, word):
    with pytest.raises(SyntaxError) as refusal:
        subset.check(ast.parse(module(body)), "acts/example.py")
    lines = str(refusal.value).split("\n")
    assert any(word in line for line in lines)
    last = 7 + len(body.split("\n"))
    for line in lines:
        place, number, rest = line.split(":", 2)
        assert place == "acts/example.py"
        assert 8 <= int(number) <= last
        assert rest.count("`") >= 2


@pytest.mark.parametrize(("source", "word"), REFUSED_IN_MODULES.items())
def test_what_a_module_cannot_hold_is_refused(source, word):
    with pytest.raises(SyntaxError, match=r"acts/example\.py:1: ") as refusal:
        subset.check(ast.parse(source), "acts/example.py")
    assert word in str(refusal.value)


def test_types_cost_nothing():
    source = (
        "from typing import TYPE_CHECKING, Any\nfrom dataclasses import dataclass\n"
        "if TYPE_CHECKING:\n    import numpy\n"
        "@dataclass\nclass Row:\n    a: int = sum([1])\n"
        "class Size(TypedDict):\n    bytes: int\n"
        "A: dict[str, Any] = {}\n"
        "def f(x: Any | None, y: list[Row]) -> set[int]:\n    z: Row | None = y[0]\n    return z\n"
    )
    subset.check(ast.parse(source), "acts/example.py")


def test_every_fault_is_told_at_once():
    with pytest.raises(SyntaxError) as refusal:
        subset.check(ast.parse(module("a = round(1.5)\nreturn g(a, b=1)")), "acts/example.py")
    assert str(refusal.value) == (
        "acts/example.py:8: `round(1.5)`: halves are rounded otherwise there; use the functions of acts/text.py\n"
        "acts/example.py:9: `g(a, b=1)`: a compiled function takes no keyword arguments; pass the values in their order"
    )
