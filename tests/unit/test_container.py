"""The container: its file linted, its pins whole, and, where an engine is at hand, both images built and run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.hosting import free_port

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
ENGINE = next(filter(None, map(shutil.which, ("docker", "podman"))), None)


def engine_answers() -> bool:
    """Whether images can be built here: an engine is installed, and it runs."""
    return (
        ENGINE is not None
        and subprocess.run([ENGINE, "info"], capture_output=True, check=False).returncode == 0
    )


def test_linter_finds_nothing():
    linter = Path(sys.executable).with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint is not installed")
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


def test_images_are_pinned_by_their_digest():
    stages = re.findall(r"^FROM .* AS (\S+)$", DOCKERFILE, re.MULTILINE)
    bases = [base for base in re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) if base not in stages]
    assert bases
    assert all(re.fullmatch(r"[\w.-]+:[\w.-]+@sha256:[0-9a-f]{64}", base) for base in bases)


def test_requirements_are_pinned_and_cover_the_project():
    text = (ROOT / "deploy" / "requirements.txt").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", text, re.MULTILINE))
    unhashed = [
        name for name, rest in re.findall(r"^([\w-]+)==\S+(.*)$", text, re.MULTILINE) if rest != " \\"
    ]
    assert not unhashed, (
        f"deploy/requirements.txt has no hashes of {unhashed}; its head says how to write it anew"
    )
    assert "--require-hashes" in DOCKERFILE
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = re.search(r"^dependencies = \[(.*?)\]", project, re.DOTALL | re.MULTILINE)[1]
    assert {re.match(r"[\w-]+", name)[0] for name in re.findall(r'"(.*?)"', needed)} <= set(pins)


@pytest.mark.container
@pytest.mark.parametrize(("target", "user"), [((), "101"), (("--target", "live"), "10001")])
def test_the_image_serves_the_page(target, user):
    if not engine_answers():
        pytest.skip("no container engine answers")
    port = free_port()
    tag = f"kv-cache-test-{user}"
    subprocess.run([ENGINE, "build", "--quiet", *target, "--tag", tag, ROOT], check=True)
    run = ["run", "--detach", "--read-only", "--tmpfs", "/tmp", "--publish", f"127.0.0.1:{port}:8080", tag]
    name = said(*run)
    try:
        assert b"<title>The KV cache" in page(f"http://127.0.0.1:{port}/")
        assert said("exec", name, "id", "-u") == user
    finally:
        said("rm", "--force", name)


def said(*arguments: str) -> str:
    """What the engine prints."""
    done = subprocess.run([ENGINE, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def page(url: str) -> bytes:
    """The page at ``url`` once its server answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return urllib.request.urlopen(url, timeout=10).read()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
