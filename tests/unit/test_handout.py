"""The sheet for a class: what stands on it, on whose deployment, and that the key follows the seed."""

from __future__ import annotations

import re
from html import escape
from types import SimpleNamespace

import pytest

from acts import Scenario
from acts.bounds import DEFAULTS
from acts.scenario import Catalog
from app.cli import main
from app.handout import handout_html
from app.quiz import drawn
from app.quiz.frame import quiz_answer_text


def test_sheet_and_key():
    html = handout_html(Scenario(model="llama-3.1-8b"), 7)
    pages, key = html.split('<section class="key">')
    state = SimpleNamespace(**(DEFAULTS | {"model": "llama-3.1-8b"}))
    for question in drawn(state, Catalog(), 7):
        assert escape(question["question"], quote=False) in pages
        assert escape(quiz_answer_text(question), quote=False) in key
        assert escape(question["reasons"][0], quote=False) not in pages
    assert "It is 57 users, as 57.0 GiB are left beside the weights" in key
    assert "how many users fit?" in pages
    assert "Llama 3.1 8B on one 80 GB card" in pages
    assert "<script" not in html
    assert "break-before: page" in html
    assert not re.search(r"\{[a-z-]+\}", html)


def test_by_the_command(tmp_path, capsys):
    path = tmp_path / "handout.html"
    assert main(["export", str(path), "--questions", "blocks,why-kept", "--users", "3"]) == 0
    assert path.read_text(encoding="utf-8") == handout_html(Scenario(users=3), 1, ("blocks", "why-kept"))
    other = tmp_path / "class.html"
    assert main(["export", str(other), "--handout", "--seed", "9"]) == 0
    assert other.read_text(encoding="utf-8") == handout_html(seed=9)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "7"], "--handout"),
        (["--handout", "--seed", "0"], "seed cannot be 0"),
        (["--handout", "--questions", "encore"], "no question 'encore'"),
        (["--handout", "--act", "wall"], "--act"),
    ],
)
def test_refusals(tmp_path, capsys, arguments, said):
    assert main(["export", str(tmp_path / "page.html"), *arguments]) == 2
    assert said in capsys.readouterr().err
