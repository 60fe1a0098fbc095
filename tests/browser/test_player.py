"""Growth's player: buttons, slider and keyboard move the request; playing never floods a screen reader."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def growth(server, watched):
    def open_page(**options):
        page = watched.open(server.url + "app?prompt=6&generated=10&step=8", **options)
        return page, page.locator("#growth .act-body")

    return open_page


def cached(act):
    return int(act.locator("[data-readout=tokens-cached]").get_attribute("data-value"))


def press(act, name):
    act.get_by_role("button", name=name, exact=True).click()


def test_reset_then_step_by_step_to_the_release(growth):
    _, act = growth()
    press(act, "Reset")
    assert cached(act) == 0
    counts = []
    for _ in range(13):
        press(act, "Step")
        counts.append(cached(act))
    assert counts == [*range(6, 16), 0, 0, 0]
    assert act.locator("[data-readout=recompute-avoided]").get_attribute("data-value") == "7"
    press(act, "Back")
    assert cached(act) == 15


def test_play_runs_quietly_to_the_end_and_starts_again(growth):
    page, act = growth()
    said = act.locator("[data-said]")
    act.locator("[data-more] > summary").click()
    act.get_by_label("fast").check(force=True)
    act.get_by_role("button", name="Play").focus()
    page.keyboard.press("Enter")
    assert said.get_attribute("aria-live") == "off"
    act.get_by_role("button", name="Play", exact=True).wait_for(timeout=10_000)
    assert cached(act) == 0
    assert said.get_attribute("aria-live") == "polite"
    assert "over" in act.locator("[data-sentence]").inner_text()
    press(act, "Play")
    page.wait_for_function(
        "document.querySelector('#growth [data-readout=tokens-cached]').dataset.value === '8'"
    )
    press(act, "Pause")
    held = cached(act)
    page.wait_for_timeout(500)
    assert cached(act) == held


def test_the_slider_takes_the_step_over_from_play(growth):
    page, act = growth()
    press(act, "Play")
    slider = act.get_by_label("Step:")
    slider.focus()
    page.keyboard.press("Home")
    assert cached(act) == 0
    assert act.get_by_role("button", name="Play", exact=True).is_visible()
    assert slider.get_attribute("aria-valuetext") == "before the request"
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == "released"


def test_a_change_of_length_keeps_the_step_within_the_request(growth):
    _, act = growth()
    length = act.get_by_label("To generate, tokens, exact")
    length.fill("3")
    assert cached(act) == 8
    slider = act.get_by_label("Step:")
    assert slider.get_attribute("max") == "4"
    slider.fill("4")
    length.fill("30")
    assert slider.input_value() == "31"
    assert cached(act) == 0


def test_reduced_motion_goes_from_phase_to_phase(growth):
    page, act = growth(reduced_motion="reduce")
    press(act, "Reset")
    press(act, "Play")
    phases = []
    phase = act.locator("[data-text=phase]").first
    for _ in range(3):
        before = phase.inner_text()
        page.wait_for_function(
            "before => document.querySelector('#growth [data-text=phase]').textContent !== before", arg=before
        )
        phases.append(phase.inner_text())
    assert phases == ["prefill", "decode step 9 of 9", "released"]
