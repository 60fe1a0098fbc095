"""Pages of other tools that include an act, built as the documents say and opened in a browser."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import expect

from tests.documents import ROOT, blocks, run

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
    page.wait_for_function("document.querySelector('iframe').offsetHeight !== 900")


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
    shutil.copy(ROOT / "static/kv-cache-embed.js", tmp_path)
    document = blocks("quarto.md", "markdown")[0]
    raw = document.split("```{=html}\n")[1].split("```")[0]
    (tmp_path / "page.html").write_text(f"<!doctype html><title>page</title>{raw}")
    check_frame(watched.open((tmp_path / "page.html").as_uri(), wait="iframe", offline=True))
