"""``kv-cache export`` and ``build``: what it writes, and what it says when it cannot."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import time

import pytest
from jinja2 import TemplateNotFound

from acts import ACTS, Scenario
from acts.decoder.weights import weights_text
from app.cli import main, progress
from app.export import bokeh_script
from tests.conftest import ROOT


def refusal(capsys, *arguments: str) -> str:
    """The one line with which the command refuses ``arguments``."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    said = [line for line in lines if line.startswith("kv-cache: ")]
    assert len(said) == 1
    assert all(line.endswith(" ...") or line.startswith("done in") for line in lines if line not in said)
    assert captured.out == ""
    return said[0]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "page.html"
    assert main(["export", str(path)]) == 0
    return path


def test_size_of_the_file(page):
    content = page.read_bytes()
    assert len(content) <= 3_500_000
    assert len(gzip.compress(content)) <= 960_000  # 160,000 of them the small decoder's weights
    told = re.search(r"\(([\d.]+) MB, ([\d.]+) MB gzipped\)", (ROOT / "docs/hosting.md").read_text("utf-8"))
    sizes = [len(content) / 1e6, len(gzip.compress(content)) / 1e6]
    assert [float(size) for size in told.groups()] == pytest.approx(sizes, rel=0.1)


def test_one_bokeh_bundle_and_no_other(page):
    markup, bokeh = page.read_text(encoding="utf-8").rsplit('<script type="text/plain" data-bokeh>', 1)
    assert bokeh.startswith(bokeh_script()[:1000])
    assert bokeh.split("</script>")[0] == bokeh_script()
    assert "<script src" not in markup
    assert "<link" not in markup.replace('<link rel="icon" href="data:', "")
    assert len(markup) < 1_300_000 + len(weights_text())


def test_same_bytes_in_another_process(page, tmp_path):
    """In another folder and without docstrings, of which pscript wants one of its own."""
    command = [sys.executable, "-OO", "-m", "app", "export", "again.html"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


@pytest.mark.parametrize("act", ACTS)
def test_one_act_alone(act, tmp_path, page):
    path = tmp_path / "act.html"
    assert main(["export", str(path), "--act", act.id]) == 0
    text = path.read_text(encoding="utf-8")
    assert f'<section class="act" id="{act.id}"' in text
    for other in ACTS:
        assert (f'"{other.id}:' in text) == (other is act)
        assert (f'id="{other.id}-title"' in text) == (other is act)
    for absent in ("<nav", 'class="prose', "data-quiz", "data-preset="):
        assert absent not in text.split("<main>")[1].split("<script")[0]
    assert len(text) < len(page.read_text(encoding="utf-8"))


def test_start_state(tmp_path):
    path = tmp_path / "page.html"
    options = {"model": "llama-3-70b", "gpu": "h200-141gb", "gpus": "2", "users": "3", "reserve": "1.5"}
    given = [text for name, value in options.items() for text in (f"--{name}", value)]
    assert main(["export", str(path), "--act", "wall", *given]) == 0
    text = path.read_text(encoding="utf-8")
    assert re.search(r'"model": ?"llama-3-70b"', text)
    scenario = Scenario(model="llama-3-70b", gpu="h200-141gb", gpus=2, users=3, reserve=1.5)
    assert ACTS[2](scenario).frame()["sentence"] in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--act", "encore"], ["encore", "wall"]),
        (["--model", "gpt-9"], ["gpt-9", "llama-3-8b"]),
        (["--users", "0"], ["users", "1,024"]),
        (["--users", "many"], ["users", "many"]),
        (["--users", "1_0"], ["users", "1_0"]),
        (["--users", "١٦"], ["users", "1,024"]),
        (["--reserve", "1_0"], ["reserve", "1_0"]),
        (["--gpus", "1.5"], ["gpus", "1.5"]),
        (["--reserve", "nan"], ["reserve"]),
        (["--model", "custom"], ["custom"]),
        (["--mastery", "80"], ["--scorm"]),
        (["--scorm", "--act", "wall"], ["--act"]),
        (["--scorm", "--mastery", "101"], ["101", "100"]),
        (["--nonsense"], ["--nonsense"]),
    ],
)
def test_refusals(capsys, tmp_path, arguments, words):
    path = tmp_path / "page.html"
    path.write_text("old")
    line = refusal(capsys, "export", str(path), *arguments)
    assert all(word in line for word in words)
    assert path.read_text() == "old"


def test_unwritable_paths(capsys, tmp_path):
    assert "No such file" in refusal(capsys, "export", str(tmp_path / "missing" / "page.html"))
    assert "directory" in refusal(capsys, "export", str(tmp_path))
    (tmp_path / "file").write_text("")
    assert "irectory" in refusal(capsys, "export", str(tmp_path / "file" / "page.html"))
    assert "cannot write" in refusal(capsys, "build", str(tmp_path / "file"))


def test_a_template_that_is_missing_is_named(monkeypatch, tmp_path):
    def draw(*_, **__):
        raise TemplateNotFound("prose/after_speed.html")

    monkeypatch.setattr("app.export.export_html", draw)
    with pytest.raises(TemplateNotFound, match=r"after_speed\.html"):
        main(["export", str(tmp_path / "page.html")])


def test_progress_only_for_what_takes_long(capsys, monkeypatch):
    with progress("quick"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("app.cli.PATIENCE", 0.01)
    with progress("slow"):
        time.sleep(0.1)
    assert capsys.readouterr().err.splitlines() == ["slow ...", "done in 0 s"]
