"""Pages of other tools that include an act, built as the documents say and opened in a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.conftest import Server
from tests.documents import ROOT, blocks, run
from tests.hosting import free_port

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the Sphinx project in docs/sphinx.md, built."""
    pytest.importorskip("myst_nb", reason="needs the extra docs")
    folder = tmp_path_factory.mktemp("sphinx")
    export, build = blocks("sphinx.md", "bash")
    (folder / "conf.py").write_text(blocks("sphinx.md", "python")[0])
    (folder / "index.md").write_text(blocks("sphinx.md", "markdown")[0])
    shutil.copy(ROOT / "docs/examples/kv_cache.ipynb", folder)
    run(export, folder)
    run(build, folder)
    return folder / "_build"


def check_frame(page):
    """The framed act answers, its state is the address's, and the frame is as high as the act."""
    frame = page.frame_locator("iframe[data-kv-cache]")
    users = frame.locator("#wall input[type=number][data-param=users]")
    expect(users).to_have_value("40")
    users.fill("60")
    expect(frame.locator("#wall [data-readout=verdict]")).to_have_text("does not fit")
    page.wait_for_function("document.querySelector('iframe').offsetHeight !== 1000")


@pytest.mark.docs
def test_sphinx_page_with_a_framed_act(watched, site):
    check_frame(watched.open((site / "index.html").as_uri(), wait="iframe", offline=True))


@pytest.mark.docs
def test_sphinx_page_from_the_notebook(watched, site):
    page = watched.open((site / "kv_cache.html").as_uri(), wait="[data-readout=max-users]", offline=True)
    wall = page.locator(".act-body", has=page.locator("[data-plot='wall:memory']"))
    wall.locator("input[type=number][data-param=users]").fill("60")
    expect(wall.locator("[data-readout=verdict]")).to_have_text("does not fit")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_frame_of_the_quarto_document(watched, tmp_path):
    run(blocks("quarto.md", "bash")[0], tmp_path)
    document = blocks("quarto.md", "markdown")[0]
    raw = document.split("```{=html}\n")[1].split("```")[0]
    (tmp_path / "page.html").write_text(f"<!doctype html><title>page</title>{raw}")
    check_frame(watched.open((tmp_path / "page.html").as_uri(), wait="iframe", offline=True))


@pytest.mark.docs
def test_mkdocs_page_with_a_framed_act(watched, tmp_path):
    pytest.importorskip("material", reason="needs the extra docs")
    run(blocks("sites.md", "bash")[0], tmp_path)
    (tmp_path / "mkdocs.yml").write_text(blocks("sites.md", "yaml")[0])
    (tmp_path / "docs").mkdir()
    for name in ("kv.html", "kv-cache-embed.js"):
        (tmp_path / name).rename(tmp_path / "docs" / name)
    (tmp_path / "docs/index.md").write_text(blocks("sites.md", "markdown")[0])
    run("python -m mkdocs build --quiet", tmp_path)
    check_frame(watched.open((tmp_path / "site/index.html").as_uri(), wait="iframe", offline=True))


@pytest.fixture
def started(tmp_path):
    """Starts this Python with a module in the test's folder; gives the address once it answers there."""
    running = []

    def start(*arguments: str, port: int, **environment: str) -> str:
        log = (tmp_path / "log").open("w+")
        command = [sys.executable, "-m", *arguments]
        paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        known = os.environ | {"PYTHONPATH": paths} | environment
        running.append(subprocess.Popen(command, cwd=tmp_path, env=known, stdout=log, stderr=log))
        address = f"http://127.0.0.1:{port}/"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and running[-1].poll() is None:
            try:
                urllib.request.urlopen(address, timeout=10).read()
                return address
            except OSError:
                time.sleep(0.1)
        raise RuntimeError((tmp_path / "log").read_text())

    yield start
    for process in running:
        process.kill()
        process.wait()


def check_act(page):
    """The act of a served application answers, in the browser and in Python."""
    wall = page.locator(".act-body", has=page.locator("[data-plot='wall:memory']"))
    users = wall.locator("input[type=number][data-param=users]")
    expect(users).to_have_value("8")
    users.fill("60")
    expect(wall.locator("[data-readout=verdict]")).to_have_text("does not fit")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.docs
def test_act_in_a_fastapi_application(watched, started, tmp_path):
    pytest.importorskip("bokeh_fastapi", reason="needs the extra docs")
    (tmp_path / "main.py").write_text(blocks("sites.md", "python")[0])
    port = free_port()
    address = started("uvicorn", "main:app", "--port", str(port), port=port)
    check_act(watched.open(f"{address}wall", wait="[data-readout=max-users]"))
    # The application has no icon.
    watched.faults[:] = [fault for fault in watched.faults if "404" not in fault]


@pytest.mark.docs
def test_act_in_a_flask_page(watched, started, tmp_path):
    pytest.importorskip("flask", reason="needs the extra docs")
    site, act = blocks("sites.md", "python")[1:3]
    (tmp_path / "site_with_an_act.py").write_text(site)
    (tmp_path / "wall_app.py").write_text(act)
    port = free_port()
    server = Server(
        str(tmp_path / "wall_app.py"), "wall_app", ("--allow-websocket-origin", f"127.0.0.1:{port}")
    )
    try:
        address = started(
            "flask", "--app", "site_with_an_act", "run", "--port", str(port), port=port,
            ACT=f"{server.url}wall_app",
        )  # fmt: skip
        # Panel's own style sheets are looked for on its content network; the act does without.
        hosts = [server.url.split("/")[2], "cdn.holoviz.org"]
        check_act(watched.open(address, wait="[data-readout=max-users]", hosts=hosts))
        watched.faults[:] = [fault for fault in watched.faults if "net::ERR" not in fault]
        watched.close()  # before the server: a page complains of one that goes away
    finally:
        server.stop()
