"""The README's link and embed code, opened in a browser."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from acts import Heads, Scenario, Wall
from tests.conftest import ROOT

pytestmark = pytest.mark.browser
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_link_is_the_state_it_names(watched, page_url):
    query = re.search(r"`(\?act=wall[^`]*)`", TEXT)[1]
    values = {key: int(value) if value.isdigit() else value for key, value in parse_qsl(query[1:])}
    assert values.pop("act") == "wall"
    page = watched.open(page_url + query)
    sentence = Wall(Scenario(**values)).frame()["sentence"]
    expect(page.locator("#wall [data-sentence]")).to_have_text(sentence)
    expect(page.locator("#wall")).to_be_in_viewport()


def test_the_embed_code_shows_its_act(watched, exported, tmp_path):
    code = re.search(r"^```html\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)[1]
    host = tmp_path / "host.html"
    page_code = code.replace("https://example.org/kv-cache.html", exported)
    host.write_text(
        f"<!DOCTYPE html><html lang='en'><title>Course</title>{page_code}</html>", encoding="utf-8"
    )
    page = watched.open(host.as_uri(), wait=None)
    frame = page.frame_locator("iframe")
    ratio = Heads(Scenario(model="qwen2.5-7b")).frame()["readouts"]["head-ratio"]["text"]
    expect(frame.locator("#heads [data-readout=head-ratio]")).to_have_text(ratio)
    expect(frame.locator("#wall")).to_be_hidden()
