"""``kv-cache`` as it is installed: from a wheel, in a folder whose own app.py and app/ must not take its place."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from acts.cli.parser import make_parser
from app.about import TITLE
from app.cli import COMMANDS, main
from tests.conftest import ROOT
from tests.hosting import free_port

#: What a course author may have beside the course, each under a name of this project's.
HOSTILE = 'raise SystemExit("the folder\'s own file was run")\n'


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder into which a wheel of this checkout was installed."""
    pytest.importorskip("hatchling", reason="the wheel is built with it")
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--target", folder, ROOT], check=True, cwd=folder
    )
    return folder


@pytest.fixture
def hostile_folder(tmp_path) -> Path:
    """A working folder with files and folders of the names that the packages and their modules have."""
    for name in ("app", "acts", "main", "page", "static", "panel"):
        (tmp_path / f"{name}.py").write_text(HOSTILE, encoding="utf-8")
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(HOSTILE, encoding="utf-8")
        (tmp_path / name / "main.py").write_text(HOSTILE, encoding="utf-8")
    return tmp_path


def command(installed: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """The installed script with ``arguments``, and the environment in which it finds nothing but what is installed."""
    script = installed / "bin" / "kv-cache"
    return [sys.executable, str(script), *arguments], os.environ | {"PYTHONPATH": str(installed)}


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["--help"], "kv-cache export course.zip --scorm"),
        (["size", "llama-3-8b"], "57"),
        (["models"], "llama-3-70b"),
        (["export", "page.html", "--act", "wall"], "wrote page.html"),
        (["export", "kv-cache-embed.js"], "wrote kv-cache-embed.js"),
    ],
)
def test_a_folder_s_own_files_take_no_command_s_place(installed, hostile_folder, arguments, printed):
    words, environment = command(installed, *arguments)
    done = subprocess.run(
        words, cwd=hostile_folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout


def test_all_that_pages_are_made_of_is_installed(installed):
    def files(folder: Path) -> set[Path]:
        return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}

    assert files(ROOT / "static") <= files(installed / "acts" / "_static")


def test_the_installed_page_is_served(installed, hostile_folder):
    port = free_port()
    words, environment = command(installed, "serve", "--port", str(port), "--address", "127.0.0.1")
    with (hostile_folder / "log").open("w+") as log:
        server = subprocess.Popen(words, cwd=hostile_folder, env=environment, stdout=log, stderr=log)
        try:
            page = answer(server, f"http://127.0.0.1:{port}/")
        finally:
            server.terminate()
            server.wait()
        log.seek(0)
        assert f"<title>{TITLE}</title>".encode() in page, log.read()
        assert b'data-readout="max-users"' in page


def answer(server: subprocess.Popen, url: str) -> bytes:
    """What the server says at ``url`` as soon as it says anything; nothing if it ended."""
    deadline = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < deadline:
        try:
            return urllib.request.urlopen(url, timeout=60).read()
        except OSError:
            time.sleep(0.1)
    return b""


def test_one_help_text_names_every_command():
    text = make_parser(COMMANDS).format_help()
    for name, one in COMMANDS.items():
        assert f"{name} " in text
        assert one.help in " ".join(text.split())
    assert set(COMMANDS) >= {"export", "build", "serve", "size", "models"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "required"),
        (["dance"], "serve"),
        (["serve", "--port", "eighty"], "port cannot be 'eighty'"),
        (["serve", "--port", "70000"], "65,535"),
        (["serve", "--loudly"], "--loudly"),
    ],
)
def test_refusals_are_one_line(capsys, arguments, words):
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("kv-cache: ")
    assert said.count("\n") == 1
    assert words in said


@pytest.mark.parametrize("module", ["app", "acts"])
def test_the_packages_are_commands_too(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "size", "llama-3-8b", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"max_users": 57' in done.stdout
