"""What the README tells people to run does run."""

from __future__ import annotations

import re
import shlex
from io import BytesIO, TextIOWrapper

import pytest

from app.cli import main
from tests.conftest import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```(sh|python)\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
#: The two set-up commands; continuous integration runs the second one itself.
SET_UP = "python3 .ci/dev.py"
COMMANDS = [
    line
    for kind, text in SNIPPETS
    if kind == "sh"
    for line in text.splitlines()
    if not line.startswith(SET_UP)
]


@pytest.mark.parametrize("code", [text for kind, text in SNIPPETS if kind == "python"])
def test_python_snippets(code):
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command, tmp_path, monkeypatch):
    # A command that reads what another program prints is given a line of it here.
    program, *arguments = shlex.split(command.split(" | ")[-1])
    assert program == "kv-cache"
    monkeypatch.chdir(tmp_path)
    line = b"INFO [kv_cache_utils.py] GPU KV cache size: 421,056 tokens\n"
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(line)))
    monkeypatch.setattr("app.build.brotli.compress", bytes)  # which takes seconds, for other tests
    assert main(arguments) == 0


def test_links_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_the_table_of_places_leaves_nothing_out():
    table = TEXT.split("## Where things are")[1].split("\n## ")[0]
    named = set(re.findall(r"[\w./]+", "".join(re.findall(r"`[^`]+`", table)).replace("`", " ")))
    named = {name.rstrip("/").split("/")[-1] for name in named}
    own = [
        path for folder in ("acts", "app") for path in (ROOT / folder).iterdir() if path.name[:1] not in "_."
    ]
    top = [
        path
        for path in ROOT.iterdir()
        if (path / "__init__.py").exists() and path.name not in ("acts", "app")
    ]
    assert [str(path.relative_to(ROOT)) for path in own + top if path.name not in named] == []
