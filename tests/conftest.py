"""Shared by all tests: the page, a real browser, and a guard against console errors and foreign requests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from hypothesis import settings

# A busy machine makes no example wrong.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

ROOT = Path(__file__).parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


#: What takes minutes runs only where it is asked for: ``pytest -m fuzz``.
LONG = ("fuzz", "sequences")
FORMS = ("served", "exported")


def pytest_addoption(parser):
    parser.addoption(
        "--every-form",
        action="store_true",
        help="tries the page both served and exported in each test of both",
    )


def pytest_collection_modifyitems(config, items):
    """Leaves out what takes minutes unless the run asks for it by its marker, and half of both forms' tests."""
    left_out = [
        item
        for item in items
        if any(item.get_closest_marker(mark) and mark not in config.option.markexpr for mark in LONG)
        or not (config.option.every_form or in_its_turn(item))
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def in_its_turn(item) -> bool:
    """Whether a test of the page's two forms is tried on this one: every other test, served and exported in turn."""
    form = getattr(item, "callspec", None) and item.callspec.params.get("page_url")
    return form is None or FORMS[crc32(item.originalname.encode()) % 2] == form


def browser_path(*first: str) -> str | None:
    """A browser of the system, one called ``first`` if there is one; None lets Playwright use its own."""
    named = os.environ.get("KV_CACHE_BROWSER")
    return named or next(filter(None, map(shutil.which, (*first, *BROWSERS))), None)


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            # Without windows a page takes a third of the work.
            executable_path=browser_path("chromium-headless-shell"),
            args=[
                "--no-sandbox",
                "--font-render-hinting=none",  # texts as wide as with windows
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield chromium
        chromium.close()


class Watched:
    """Opens pages and remembers what no page may do: console errors and requests to another host."""

    def __init__(self, browser):
        self.browser = browser
        self.contexts = []
        self.faults: list[str] = []

    def open(self, url: str, wait: str | None = "html[data-ready]", hosts: Sequence[str] = (), **options):
        """A new page at ``url``, once ``wait`` is there; it may ask its own host and ``hosts``, nobody else."""
        context = self.browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.contexts.append(context)
        page = context.new_page()
        allowed = {urlsplit(url).netloc, *hosts}
        page.on("console", lambda m: self.faults.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda e: self.faults.append(f"page error: {e}"))
        page.on("request", lambda r: self._check(r.url, allowed))
        page.goto(url)
        if wait:
            page.wait_for_selector(wait, state="attached")
        return page

    def _check(self, url: str, allowed: set[str]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "file", "about") and parts.netloc not in allowed:
            self.faults.append(f"request to another host: {url[:200]}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()


def deployment(place):
    """The deployment in sight of a page, a frame or an act, opened: the controls that all acts share."""
    part = place.locator("[data-deployment]:visible").first
    part.evaluate("(details) => { details.open = true; }")
    return part


def unfold(place) -> None:
    """Opens all that a page keeps folded: references and the reader's own figures."""
    place.locator("details.fold").evaluate_all("(parts) => parts.forEach((part) => { part.open = true; })")


def check_accessible(page, place: str | None = None) -> None:
    """axe finds nothing wrong with the page by WCAG 2.2 A and AA, or with ``place`` by any of its rules."""
    from axe_playwright_python.sync_playwright import Axe

    rules = {} if place else {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    found = Axe().run(page, context=place, options=rules | {"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


def check_looks(page, place: str, *looks: tuple[int, str]) -> None:
    """At each width and in each colour scheme the page is no wider, and axe finds nothing wrong with ``place``."""
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        check_accessible(page, place)


@pytest.fixture
def watched(browser):
    """A :class:`Watched`; the test fails if any page it opened did what none may do."""
    watch = Watched(browser)
    yield watch
    watch.close()
    assert not watch.faults, "\n".join(watch.faults)


class Server:
    """`panel serve TARGET` in a process of its own."""

    def __init__(self, target: str = "app", index: str = "app", options: tuple[str, ...] = ()):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"
        command = [sys.executable, "-m", "panel", "serve", target, "--index", index, "--port", str(port)]
        command += ["--allow-websocket-origin", f"127.0.0.1:{port}", *options]
        # Not a pipe: one that nobody reads stops the server once it is full.
        self.printed = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=self.printed, stderr=subprocess.STDOUT, text=True
        )
        self._await_answer()

    def _await_answer(self) -> None:
        deadline = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                urllib.request.urlopen(self.url, timeout=60).read()
                return
            except OSError:
                time.sleep(0.1)
        self.process.kill()
        self.printed.seek(0)
        raise RuntimeError(f"the server did not answer:\n{self.printed.read()}")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.printed.close()


@pytest.fixture(scope="session")
def server():
    """The served page; its ``url`` ends with a slash."""
    running = Server()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def exported(tmp_path_factory) -> str:
    """The exported page's file: URL."""
    from app.export import export_html

    path = tmp_path_factory.mktemp("export") / "page.html"
    path.write_text(export_html(), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def built():
    """A folder with the built page in it."""
    from app.build import build_site
    from tests.hosting import open_folder

    folder = open_folder()
    build_site(folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def hosted(built):
    """The built page behind nginx, see :class:`tests.hosting.Hosted`."""
    from tests.hosting import Hosted

    running = Hosted(built)
    yield running
    running.stop()


@pytest.fixture(params=FORMS)
def page_url(request) -> str:
    """The page in one of its two forms; ``--every-form`` tries each test on both."""
    if request.param == "served":
        return request.getfixturevalue("server").url
    return request.getfixturevalue("exported")
