"""The small decoder on the page: its words and lines, a text of the reader's own, runs with and without a cache."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def growth(page_url, watched):
    """Growth's section with the small model's part open, in every form of the page."""
    page = watched.open(page_url)
    act = page.locator("#growth .act-body")
    act.locator("[data-live] > summary").click()
    act.locator("[data-live-heads] tr").first.wait_for()
    return act


def test_a_text_is_read_and_every_head_is_shown(growth):
    box = growth.locator("[data-live]")
    box.get_by_label("Text it reads").fill("Ben has the blue box . Ada has the red key . Ben has the")
    box.get_by_label("Text it reads").press("Enter")
    heads = growth.locator("[data-live-heads] tr")
    expect(heads.first.locator("th").nth(-3)).to_have_text("Ben")
    assert heads.first.locator("th").all_inner_texts()[-4:] == [".", "Ben", "has", "the"]
    expect(heads).to_have_count(1 + 2 * 8)
    assert growth.locator("[data-param=prompt]").first.input_value() == "16"
    # The last layer's newest query finds what Ben has: its darkest squares are there.
    shares = heads.last.locator("td").evaluate_all(
        "squares => squares.map((square) => Number(square.style.getPropertyValue('--share')))"
    )
    assert sum(shares) == pytest.approx(1, abs=0.01)


def test_words_it_does_not_know_are_refused_and_named(growth):
    box = growth.locator("[data-live]")
    field = box.get_by_label("Text it reads")
    field.fill("Ada has the purple key")
    field.press("Enter")
    assert box.get_by_role("alert").inner_text() == (
        "purple: not among the words this model knows, which are listed below."
    )
    expect(box.locator("#growth-text-words")).to_be_visible()
    assert field.get_attribute("aria-invalid") == "true"
    assert "purple" not in box.locator("#growth-text-words").text_content()


def test_both_runs_write_the_same_words_and_are_compared(growth):
    box = growth.locator("[data-live]")
    box.get_by_role("button", name="With the cache").click()
    box.get_by_role("button", name="Without it").click()
    result = box.get_by_role("status")
    result.filter(has_text="The same words both times").wait_for()
    assert "red key" in result.inner_text()
    assert box.locator("[data-live-passes-with]").inner_text() == "27"
    assert box.locator("[data-live-passes-without]").inner_text() == "258"


def test_a_cache_type_s_rounding_is_tried_on_the_text(page_url, watched):
    page = watched.open(page_url)
    page.evaluate("for (const more of document.querySelectorAll('#quantize details')) more.open = true")
    box = page.locator("[data-rounded]")
    page.locator("#quantize [data-param=cache][value=q4_0]").check(force=True)
    box.get_by_role("button", name="Run it here").click()
    box.get_by_role("status").filter(has_text="The logits move by at most").wait_for()
    assert box.get_by_role("status").inner_text().startswith("q4_0 (llama.cpp): ")
