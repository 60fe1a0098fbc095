"""The built page behind nginx, as the container has it: headers, what is kept and what is not there, refusals."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from app.build import build_site
from tests.conftest import ROOT
from tests.hosting import Hosted, nginx_missing, open_folder, without_rights

needs_nginx = pytest.mark.skipif(nginx_missing(), reason="nginx is not installed")


def html(built: Path) -> str:
    """The document that was built."""
    return (built / "site" / "index.html").read_text(encoding="utf-8")


def answer(url: str, **headers: str):
    """Status, headers and body of a GET."""
    try:
        reply = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10)
    except urllib.error.HTTPError as error:
        reply = error
    return reply.status, reply.headers, reply.read()


@needs_nginx
def test_page_headers(hosted, built):
    status, headers, body = answer(hosted.url, **{"Accept-Encoding": "gzip"})
    assert status == 200
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    policy = headers["Content-Security-Policy"]
    assert policy == "frame-ancestors *"
    own = re.search(r'<meta http-equiv="Content-Security-Policy" content="(.*?)">', html(built))[1]
    assert own.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert not re.search(r"https?:|\w\.\w", own)
    assert "unsafe-eval" not in own
    assert "connect-src 'self';" in own
    assert "X-Frame-Options" not in headers
    assert not re.search(r"\d", headers["Server"])
    assert len(body) < 90_000


@needs_nginx
def test_assets_are_kept_and_the_page_is_asked_for_anew(hosted):
    _, headers, body = answer(hosted.url)
    assets = sorted(set(re.findall(r"assets/[\w.-]+", body.decode())))
    assert len(assets) == 6
    for asset in assets:
        status, kept, _ = answer(hosted.url + asset)
        assert status == 200
        assert kept["Cache-Control"] == "public, max-age=31536000, immutable"
        assert kept["Access-Control-Allow-Origin"] == "*"
        assert kept["Content-Type"] in ("text/javascript; charset=utf-8", "font/woff2")
    assert answer(hosted.url, **{"If-None-Match": headers["ETag"]})[0] == 304


def test_a_first_visit_is_small_and_has_what_reads_files_left_out(built):
    """Half of the code reads configs and logs; it comes when a reader opens its part."""
    site = built / "site"
    page_js, tools_js = (next(site.glob(f"assets/{name}-*.js")) for name in ("page", "tools"))
    for name in ("read_shape", "read_log", "read_gguf", "class OwnModel"):
        assert name not in page_js.read_text(encoding="utf-8")
        assert name in tools_js.read_text(encoding="utf-8")
    assert f'id="tools" data-src="assets/{tools_js.name}"' in html(built)
    fetched = [
        file.with_name(f"{file.name}.br") if file.suffix in (".js", ".html") else file
        for file in (site / "index.html", *site.glob("assets/*"))
        if file.suffix in (".js", ".html", ".woff2") and not file.name.startswith(("tools-", "decoder-"))
    ]
    assert len(fetched) == 5
    assert sum(file.stat().st_size for file in fetched) <= 465_000


@needs_nginx
def test_what_is_not_there(hosted):
    assert answer(hosted.url + "healthz")[0] == 200
    for path in ("nginx.conf", "../nginx.conf", "%2e%2e/nginx.conf", "assets/", ".git/config"):
        status, headers, _ = answer(hosted.url + path)
        assert status in (400, 403, 404)
        assert status == 400 or headers["X-Content-Type-Options"] == "nosniff"


@needs_nginx
def test_a_document_brings_the_policy_it_is_meant_for(tmp_path, monkeypatch):
    one, other = (document_with(script, tmp_path / script, monkeypatch) for script in ("a", "b"))
    policies = [
        re.search(r'http-equiv="Content-Security-Policy" content="(.*?)">', text)[1] for text in (one, other)
    ]
    assert policies[0] != policies[1]
    assert all(text.index("Content-Security-Policy") < text.index("<script") for text in (one, other))


def document_with(script: str, folder: Path, monkeypatch) -> str:
    """What is built of a page with ``script`` in it."""
    monkeypatch.setattr(
        "app.build.document",
        lambda *_, **__: f'<html><head>\n<meta charset="utf-8">\n<script>{script}</script>\n<body>',
    )
    monkeypatch.setattr("app.build.brotli.compress", bytes)  # which takes seconds, for other tests
    build_site(folder)
    return html(folder)


@needs_nginx
def test_health_is_the_page_s():
    folder = open_folder()
    (folder / "site").mkdir()
    page = folder / "site" / "index.html"
    page.write_text("<!DOCTYPE html>", encoding="utf-8")
    server = Hosted(folder)
    assert answer(f"{server.url}healthz")[::2] == (200, b"<!DOCTYPE html>")
    server.stop()
    server = Hosted(folder)
    page.unlink()
    assert answer(f"{server.url}healthz")[0] == 503
    server.stop()
    shutil.rmtree(folder)


@needs_nginx
@pytest.mark.parametrize("name", ["out", "a folder", "this & that", "x|y'z\"$1"])
def test_a_relative_folder_of_any_name(built, name):
    place = open_folder()
    (place / name).symlink_to(built)
    server = Hosted(Path(name), cwd=place)
    assert answer(server.url)[0] == 200
    server.stop()
    shutil.rmtree(place)


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root starts workers without its rights"
)
@pytest.mark.parametrize(("closed", "mode"), [(".", 0o700), ("site", 0o750), ("site/index.html", 0o600)])
def test_a_folder_that_the_workers_may_not_read_is_said_at_the_start(closed, mode):
    folder = open_folder()
    (folder / "site").mkdir()
    (folder / "site" / "index.html").touch()
    (folder / closed).chmod(mode)
    done = subprocess.run(
        ["sh", ROOT / "deploy" / "start.sh"],
        env=os.environ | {"PAGE_FOLDER": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    shutil.rmtree(folder)
    assert done.returncode == 2
    assert f"may not read {(folder / closed).resolve()};" in done.stderr


@needs_nginx
def test_server_has_no_rights(hosted):
    status = Path(f"/proc/{hosted.process.pid}/status").read_text()
    assert int(re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)[1]) != 0 or not without_rights()


@needs_nginx
def test_allowed_origins(built):
    server = Hosted(built, ALLOWED_ORIGINS="'self' https://course.example https://*.school.example:8443")
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
