"""docs/hosting.md and docs/lms.md do what they say: their commands are run, their tables compared with the code."""

from __future__ import annotations

import re
import shlex
import urllib.request

import pytest

from app.cli import main
from tests.conftest import ROOT
from tests.hosting import nginx_missing

HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
LMS = (ROOT / "docs" / "lms.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for document in (HOSTING, LMS)
    for block in re.findall(r"^```sh\n(.*?)^```", document, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
#: What each stage's ENV sets; the last one is the image's.
ENVIRONMENTS = [
    dict(re.findall(r"(\w+)=(\S+)", line)) for line in re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)
]


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("kv-cache ")])
def test_command_writes_what_it_names(command, tmp_path, monkeypatch):
    words = shlex.split(command)
    monkeypatch.chdir(tmp_path)
    assert main(words[1:]) == 0
    assert (tmp_path / words[2]).exists()


def test_every_command_is_of_a_known_kind():
    kinds = ("kv-cache ", "docker build ", "docker run ", "PAGE_FOLDER=out PORT=8080 sh deploy/start.sh")
    assert [line for line in COMMANDS if not line.startswith(kinds)] == []


def test_docker_commands_name_what_the_dockerfile_has():
    docker = [line for line in COMMANDS if line.startswith("docker")]
    assert docker
    names = {name for environment in ENVIRONMENTS for name in environment}
    stages = set(re.findall(r"^FROM .* AS (\w+)$", DOCKERFILE, re.MULTILINE))
    for line in docker:
        assert set(re.findall(r"-e (\w+)=", line)) <= names
        assert set(re.findall(r"--target (\w+)", line)) <= stages
        assert all(port == ENVIRONMENTS[-1]["PORT"] for port in re.findall(r"-p \d+:(\d+)", line))
    assert re.search(r"^app_port: (\d+)$", HOSTING, re.MULTILINE)[1] == ENVIRONMENTS[-1]["PORT"]


def test_variables_and_their_defaults():
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| `(.*?)` \|", HOSTING, re.MULTILINE))
    assert rows == ENVIRONMENTS[-1]


@pytest.mark.skipif(nginx_missing(), reason="nginx is not installed")
def test_files_behind_a_server_of_your_own(built, hosted):
    written = {str(path.relative_to(built)) for path in built.rglob("*")}
    assert "site/index.html" in written
    assert all(f"{name}.gz" in written for name in written if name.endswith((".html", ".js")))
    headers = urllib.request.urlopen(hosted.url).headers
    table = HOSTING.split("## The headers")[1].split("## ")[0]
    for name in set(re.findall(r"`([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+)", table)):
        assert name in headers


def test_elements_reported_to_a_platform():
    script = (ROOT / "static" / "scorm.js").read_text(encoding="utf-8")
    used = set(re.findall(r'(?:set|put)\("(cmi[\w.]+)"', script))
    used |= {f"{name}.n" for name in re.findall(r"`(cmi\.\w+)\.\$\{", script)}
    table = LMS.split("## What is reported")[1].split("\n- ")[0]
    told = set(re.findall(r"cmi[\w.]+", table)) | {
        f"cmi.core.score{end}" for end in re.findall(r"`(\.\w+)`", table)
    }
    assert used == told
    answer = script.split("function interaction(")[1].split("\n}\n")[0].split("return {")[-1]
    fields = set(re.findall(r'^ +"?([\w.]+)"?[:,]', answer, re.MULTILINE))
    assert fields == set(
        re.findall(r"^\| `([\w.]+)` \|", LMS.split("### Each answer")[1].split("###")[0], re.M)
    )
