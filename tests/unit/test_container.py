"""The container without a container engine: its file linted, its steps done in a folder, its servers run.

One test does every step, the pinned requirements in a new environment included. The others use an image built with what
this environment has.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.dockerfile import Stage, read_stages
from tests.hosting import Hosted, free_port, nginx_missing, open_folder, without_rights

STAGES = {stage.name: stage for stage in read_stages(ROOT / "Dockerfile")}
LAST = list(STAGES.values())[-1]
needs_nginx = pytest.mark.skipif(nginx_missing(), reason="nginx is not installed")


def test_linter_finds_nothing():
    linter = Path(sys.executable).with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint is not installed")
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


def test_images_are_pinned_and_nobody_is_root():
    for stage in STAGES.values():
        assert stage.base in STAGES or re.fullmatch(r"[\w.-]+:[\w.-]+@sha256:[0-9a-f]{64}", stage.base)
    for stage in (LAST, STAGES["live"]):
        assert stage.values("USER")[-1].isdigit()
        assert stage.values("USER") != ["0"]
        assert stage.values("HEALTHCHECK")
        assert stage.environment()["PORT"] == "8080"
    assert not LAST.values("RUN")
    assert "python" not in LAST.base


def test_requirements_are_pinned_and_cover_the_project():
    lines = (ROOT / "deploy" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = re.search(r"^dependencies = \[(.*?)\]", project, re.DOTALL | re.MULTILINE)[1]
    assert {re.match(r"[\w-]+", name)[0] for name in re.findall(r'"(.*?)"', needed)} <= set(pins)


def build(stage: Stage, root: Path, folder: Path, python: Path | None = None) -> None:
    """Does a stage's COPY and RUN steps with ``root`` in place of /; ``folder`` is where the build starts.

    ``python`` is the image's; without it this environment's is used, which has the requirements already.
    """

    def place(path: str) -> Path:
        return root / path.removeprefix("/") if path.startswith("/") else folder / path

    for word, argument in stage.steps:
        words = shlex.split(argument)
        if word == "WORKDIR":
            folder = place(argument)
            folder.mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            *sources, target = [one for one in words if not one.startswith("--from=")]
            origin = root if any(one.startswith("--from=") for one in words) else ROOT
            for source in sources:
                copy_one(origin / source.removeprefix("/"), place(target), target.endswith("/"))
        elif word == "RUN" and (python or "pip" not in words):
            command = [str(python or sys.executable) if one == "python" else one for one in words]
            command = [str(place(one)) if one.startswith("/srv") else one for one in command]
            done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


def copy_one(source: Path, target: Path, inside: bool) -> None:
    if source == target:
        return
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        return
    target.mkdir(parents=True, exist_ok=True)
    assert inside
    shutil.copy(source, target)


@pytest.fixture(scope="module")
def image():
    """The last stage's files, in a folder that stands for /."""
    root = open_folder()
    source = root / "srv" / "source"
    build(STAGES["python"], root, source)
    build(STAGES["build"], root, source)
    shutil.rmtree(source)
    build(LAST, root, root)
    yield root
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def running(image):
    server = start(image)
    yield server
    server.stop()


def start(image: Path, **environment: str) -> Hosted:
    """The image's command, as its user, with its environment."""
    assert LAST.command() == ["sh", "/srv/start.sh"]
    given = {**LAST.environment(), **environment}
    del given["PORT"]  # a free one
    return Hosted(image / "srv" / "page", image / "srv" / "start.sh", **given)


def answer(url: str, **headers: str):
    """Status, headers and body of a GET."""
    try:
        reply = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10)
    except urllib.error.HTTPError as error:
        reply = error
    return reply.status, reply.headers, reply.read()


def rights_for(python: Path) -> dict:
    """Those of the image's user, unless that user may not run this machine's Python."""
    try:
        subprocess.run([python, "-c", ""], check=True, capture_output=True, **without_rights())
    except (OSError, subprocess.CalledProcessError):
        return {}
    return without_rights()


@needs_nginx
def test_every_step_of_the_build():
    root = open_folder()
    source = root / "srv" / "source"
    venv.create(root / "python", with_pip=True, symlinks=True)
    python = root / "python" / "bin" / "python"
    for name in ("python", "build"):
        build(STAGES[name], root, source, python)
    build(LAST, root, root)
    server = start(root)
    assert b"<title>The KV cache" in answer(server.url)[2]
    server.stop()

    live = STAGES["live"]
    environment = {"PATH": f"{python.parent}:{os.environ['PATH']}", "HOME": str(root)} | live.environment()
    environment |= {
        "PORT": str(free_port()),
        "PYTHONPATH": environment["PYTHONPATH"].replace("/srv", f"{root}/srv"),
    }
    serving = subprocess.Popen(live.command(), cwd=source, env=environment, **rights_for(python))
    check = json.loads(live.values("HEALTHCHECK")[0].partition("CMD ")[2])
    try:
        deadline = time.monotonic() + 60
        while subprocess.run(check, env=environment, check=False, capture_output=True).returncode:
            assert serving.poll() is None
            assert time.monotonic() < deadline
        assert b"<title>The KV cache" in answer(f"http://127.0.0.1:{environment['PORT']}/")[2]
    finally:
        serving.terminate()
        serving.wait()
        shutil.rmtree(root)


@needs_nginx
def test_image_holds_files_and_nothing_else(image):
    files = {str(path.relative_to(image)) for path in image.rglob("*") if path.is_file()}
    kinds = {"nginx.conf", "start.sh", "policy.txt"}
    assert all(Path(name).name in kinds or re.search(r"\.(html|js|woff2|gz)$", name) for name in files)
    size = sum((image / name).stat().st_size for name in files)
    assert size < 4_000_000


@needs_nginx
def test_page_headers(running, image):
    status, headers, body = answer(running.url, **{"Accept-Encoding": "gzip"})
    assert status == 200
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    policy = headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors *")
    assert policy.startswith((image / "srv/page/policy.txt").read_text())
    assert not re.search(r"https?:|\w\.\w", policy)
    assert "unsafe-eval" not in policy
    assert "X-Frame-Options" not in headers
    assert not re.search(r"\d", headers["Server"])
    assert len(body) < 200_000


@needs_nginx
def test_assets_are_kept_and_the_page_is_asked_for_anew(running):
    _, headers, body = answer(running.url)
    assets = sorted(set(re.findall(r"assets/[\w.-]+", body.decode())))
    assert len(assets) == 3
    for asset in assets:
        status, kept, _ = answer(running.url + asset)
        assert status == 200
        assert kept["Cache-Control"] == "public, max-age=31536000, immutable"
        assert kept["Access-Control-Allow-Origin"] == "*"
        assert kept["Content-Type"] in ("text/javascript; charset=utf-8", "font/woff2")
    assert answer(running.url, **{"If-None-Match": headers["ETag"]})[0] == 304


@needs_nginx
def test_what_is_not_there(running):
    assert answer(running.url + "healthz")[0] == 200
    for path in ("policy.txt", "nginx.conf", "../policy.txt", "%2e%2e/policy.txt", "assets/", ".git/config"):
        status, headers, _ = answer(running.url + path)
        assert status in (400, 403, 404)
        assert status == 400 or headers["X-Content-Type-Options"] == "nosniff"


@needs_nginx
def test_health_check_of_the_image(running):
    if not shutil.which("wget"):
        pytest.skip("wget is not installed")
    command = json.loads(LAST.values("HEALTHCHECK")[0].partition("CMD ")[2])
    environment = {"PATH": os.environ["PATH"], "PORT": str(running.port)}
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    environment["PORT"] = "1"
    assert subprocess.run(command, env=environment, check=False).returncode != 0


@needs_nginx
def test_server_has_no_rights(running):
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    assert int(re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)[1]) != 0 or not without_rights()


@needs_nginx
def test_allowed_origins(image):
    server = start(image, ALLOWED_ORIGINS="'self' https://course.example https://*.school.example:8443")
    policy = answer(server.url)[1]["Content-Security-Policy"]
    server.stop()
    assert policy.endswith("frame-ancestors 'self' https://course.example https://*.school.example:8443")


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"PORT": "eighty"}, "PORT must be a number, not: eighty"),
        ({"ALLOWED_ORIGINS": "*; script-src *"}, "ALLOWED_ORIGINS must be origins"),
        ({"ALLOWED_ORIGINS": 'x" always; #'}, "ALLOWED_ORIGINS must be origins"),
        ({"PAGE_FOLDER": "/nowhere"}, "there is no page in /nowhere"),
    ],
)
def test_bad_environment_is_refused_in_one_line(environment, words, tmp_path):
    done = subprocess.run(
        ["sh", ROOT / "deploy" / "start.sh"],
        env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
