"""Local names of compiled functions become short, and nothing else changes."""

from __future__ import annotations

import ast

import pytest

from acts.shorten import short_names, shorten


def shortened(source: str) -> str:
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return ast.unparse(shorten(function))


@pytest.mark.parametrize(
    ("source", "short"),
    [
        (
            "def f(users, size):\n    room = users * size\n    return room",
            "def f(a, b):\n    c = a * b\n    return c",
        ),
        # Functions, attributes and keys are seen by others, and no short name hides one of them.
        (
            "def f(state):\n    return a(state.users, state['users'], GIB)",
            "def f(b):\n    return a(b.users, b['users'], GIB)",
        ),
        ("def f(xs):\n    return [one + 1 for one in xs]", "def f(a):\n    return [b + 1 for b in a]"),
        (
            "def f(xs):\n    return xs.sort(key=lambda one: one.name)",
            "def f(a):\n    return a.sort(key=lambda b: b.name)",
        ),
    ],
)
def test_what_a_function_keeps_to_itself(source, short):
    assert shortened(source) == short


def test_no_short_name_is_a_word_of_either_language():
    names = list(short_names())
    assert len(names) == len(set(names)) > 600
    assert not {"do", "if", "in", "is", "as", "or"} & set(names)
