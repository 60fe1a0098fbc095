"""Files opened from disk: one act alone, a start state, and nothing asked of anybody."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from acts import ACTS, Scenario, Wall
from app.cli import main
from tests.conftest import check_accessible, deployment

pytestmark = pytest.mark.browser


@pytest.fixture
def alone(tmp_path, watched):
    """Opens an act's own file, written with ``options``; fails if anything but the file is asked for."""

    def open_act(act: str, *options: str, query: str = ""):
        path = tmp_path / f"{act}.html"
        assert main(["export", str(path), "--act", act, *options]) == 0
        asked = []
        page = watched.open("about:blank", wait=None)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + query)
        page.wait_for_selector("html[data-ready]", state="attached")
        assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [path.as_uri() + query]
        return page

    return open_act


@pytest.mark.parametrize("act", ACTS)
def test_one_act_works_alone(alone, act):
    page = alone(act.id)
    expect(page).to_have_title(f"{act.title} · The KV cache")
    assert page.locator("main > section").count() == 1
    assert page.locator(".plot-area").count() == len(act().figures())
    expect(page.locator(".plot-area canvas").first).to_be_visible()
    sentence = page.locator("[data-sentence]").first
    before = sentence.text_content()
    deployment(page).locator("select[data-param=model]").select_option("llama-3-70b")
    expect(sentence).not_to_have_text(before)
    check_accessible(page)


def test_start_state_is_the_link_s_zero(alone):
    page = alone("wall", "--model", "llama-3-70b", "--gpus", "4", "--users", "3")
    fits = str(Wall(Scenario(model="llama-3-70b", gpus=4, users=3)).max_users)
    expect(page.locator("[data-readout=max-users]").first).to_have_attribute("data-value", fits)
    deployment(page).locator("#wall-gpus").press("ArrowRight")
    page.wait_for_function("location.search.includes('gpus=')")
    assert "model=" not in page.evaluate("location.search")


def test_links_and_embedding_of_an_act_s_file(alone):
    page = alone("heads", query="?embed=1&act=heads&model=llama-3-70b")
    expect(page.locator("[data-link-note]")).to_be_hidden()
    expect(page.locator("#heads [data-sentence]").first).to_be_visible()
    assert page.locator("[data-share]").is_hidden()
