"""Closed sessions leave nothing of ours behind, and are freed together; what all share is there once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from app.page import shared_markup
from app.sessions import Sweeper
from tests.conftest import ROOT
from tests.hosting import free_port


def test_closed_sessions_are_forgotten():
    command = [sys.executable, "-m", "tests.bench.sessions", "8", str(free_port())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"failed": 0}


def test_sessions_that_close_together_are_freed_together(monkeypatch):
    collections = []
    monkeypatch.setattr("app.sessions.gc.collect", lambda: collections.append(1))
    monkeypatch.setattr("app.sessions.GATHERING", 0)
    sweeper = Sweeper()

    async def leave(count: int) -> None:
        for _ in range(count):
            sweeper.closed(None)
        assert len(collections) == before
        while len(collections) == before:
            await asyncio.sleep(0)

    # In a thread, since a browser test of the same run may have left an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        for wave in (100, 1, 30):
            before = len(collections)
            thread.submit(asyncio.run, leave(wave)).result()
        assert len(collections) == 3
        thread.submit(sweeper.closed, None).result()  # where no event loop runs
    assert len(collections) == 4


SERVED = """
import gc, sys
from bokeh.application import Application
from panel.io.handlers import PanelCodeHandler  # noqa: F401 - Panel's server, as `panel serve` sets it up
from bokeh.application.handlers.directory import DirectoryHandler
handler = DirectoryHandler(filename=sys.argv[1])
handler.on_server_loaded(None)
assert not handler.failed, handler.error
print(gc.get_freeze_count(), "app.page" in sys.modules and sys.modules["app.page"].shared_markup.cache_info().currsize)
"""


def test_the_server_starts_with_what_all_viewers_share():
    done = subprocess.run(
        [sys.executable, "-c", SERVED, str(ROOT / "app")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    frozen, pages = map(int, done.stdout.split())
    assert frozen > 50_000
    assert pages == 1


def test_all_sessions_hold_one_text_of_the_page():
    from bokeh.document import Document
    from panel.io.state import set_curdoc

    from app.page import served_page

    documents = [Document(), Document()]
    for document in documents:
        with set_curdoc(document):
            served_page()
    texts = [document.template_variables["document"] for document in documents]
    assert texts[0] is texts[1] is shared_markup()["document"]
