"""A server's log in the page: what it states, what it sets, and how it compares, alike in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from acts import ACTS, Scenario
from acts.logs import read_log
from acts.logs.compare import compare_log, log_summary
from acts.logs.reader import log_looked_for
from acts.logs.settings import log_settings
from app.yours.words import yours_ratio, yours_set, yours_verdict
from tests.conftest import check_looks, deployment, unfold
from tests.unit.test_cli_log import CACHE
from tests.unit.test_gguf import log as gguf_log

pytestmark = pytest.mark.browser

LOGS = json.loads(
    (Path(__file__).parents[1] / "truth" / "engine_start_logs.json").read_text(encoding="utf-8")
)
#: Logs and the scenario that the reader would set beside them.
KNOWN = {"vllm v0": {}, "vllm v1": {"model": "qwen3-8b"}, "sglang": {}, "llama.cpp with windows": {}, "ollama": {},
         "tensorrt-llm": {}, "lmdeploy": {}}  # fmt: skip


def text_of(name: str) -> str:
    return "\n".join(LOGS[name]["lines"])


def paste(page, text: str) -> None:
    unfold(page)
    page.locator("#server-log").fill(text)
    page.locator("#your-server [data-action=read]").click()


def status(page):
    return page.locator("#your-server [data-status]")


def compared(page) -> list[list[str]]:
    rows = page.locator("#your-server [data-compared] tbody tr").all()
    return [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows]


def expected(text: str, **values) -> list[list[str]]:
    """The rows Python gives once the page has taken over what the log sets."""
    log = read_log(text)
    scenario = Scenario(**(values | log_settings(log)))
    state = SimpleNamespace(**ACTS[0](scenario).state())
    shape = scenario.catalog.models[scenario.model].shape
    rows = compare_log(log, shape, state, scenario.catalog)
    return [
        [
            r["label"],
            r["logged"],
            r["predicted"],
            yours_ratio(r["ratio"]),
            yours_verdict(r["verdict"]),
            r["reason"],
        ]
        for r in rows
    ]


def test_logs_are_read_set_and_compared_one_after_the_other(watched, exported):
    page = watched.open(exported)
    values: dict = {}
    for name, chosen in KNOWN.items():
        for key, value in chosen.items():
            deployment(page).locator(f"[data-param={key}]").select_option(value)
        paste(page, text_of(name))
        log = read_log(text_of(name))
        values |= chosen
        expect(status(page)).to_contain_text(log_summary(log))
        expect(status(page)).to_contain_text(yours_set(log_settings(log), [], Scenario().catalog).strip())
        assert compared(page) == expected(text_of(name), **values), name
        values |= log_settings(log)
        assert page.locator("#your-server [data-found] tr").count() == len(log["findings"])
    assert page.locator("#your-server [data-compared] thead th[scope=col]").count() == 6
    paste(page, gguf_log() + CACHE)
    expect(page.locator("#deployment-model option:checked")).to_have_text("Meta-Llama-3-8B")
    assert compared(page)[0][:3] == ["KV cache, all devices", "1 GiB", "1 GiB"]


def test_settings_reach_the_acts_and_later_choices_reach_the_table(watched, page_url):
    page = watched.open(page_url)
    text = (
        "GPU KV cache size: 53,312 tokens\nmax_model_len=32768, kv_cache_dtype=fp8, tensor_parallel_size=2\n"
        "Available KV cache memory: 6.67 GiB"
    )
    paste(page, text)
    expect(page.locator("#wall input[type=number][data-param=context]")).to_have_value("32768")
    expect(page.locator(".shared-deployment input[type=number][data-param=gpus]")).to_have_value("2")
    expect(page.locator("#deployment-cache")).to_have_value("fp8")
    assert compared(page) == expected(text)
    page.locator("#server-model").select_option("qwen3-8b")
    page.locator("#server-gpu").select_option("rtx-4090-24gb")
    expect(page.locator("#deployment-model")).to_have_value("qwen3-8b")
    rows = expected(text, model="qwen3-8b", gpu="rtx-4090-24gb")
    expect(page.locator("#your-server [data-compared] tbody tr").first).to_contain_text(rows[0][2])
    assert compared(page) == rows


def test_what_no_scenario_allows_is_left_alone(watched, exported):
    page = watched.open(exported)
    paste(
        page,
        "GPU KV cache size: 100 tokens\nmax_model_len=9999999, tensor_parallel_size=64, kv_cache_dtype=auto",
    )
    expect(status(page)).to_contain_text("A log of vLLM")
    expect(page.locator("#wall input[type=number][data-param=context]")).to_have_value("8192")
    expect(page.locator(".shared-deployment input[type=number][data-param=gpus]")).to_have_value("1")


def test_unknown_text_says_what_was_looked_for(watched, exported):
    page = watched.open(exported)
    for text in ("hello\nworld", "<img src=x onerror=alert(1)>", "\u0000\u202e", "{}", "KV cache"):
        paste(page, text)
        expect(status(page)).to_contain_text("Nothing in this text was recognised")
        items = page.locator("#your-server [data-looked-for] li")
        assert [item.inner_text() for item in items.all()] == log_looked_for()
        expect(page.locator("#your-server [data-result]")).to_be_hidden()
        paste(page, text_of("vllm v0"))
        expect(page.locator("#your-server [data-looked-for]")).to_be_hidden()


def test_markup_in_a_log_stays_text(watched, exported):
    page = watched.open(exported)
    paste(page, "<b>INFO</b> GPU KV cache size: 1,000 tokens <img src=x onerror=alert(1)>")
    page.locator("#your-server details.more > summary").click()
    expect(page.locator("#your-server [data-found]")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("#your-server [data-found] :is(b, img)").count() == 0


def test_empty_text_and_files(watched, exported, tmp_path):
    page = watched.open(exported)
    paste(page, "  ")
    expect(page.locator("#your-server [data-error]")).to_contain_text("Paste the lines")
    path = tmp_path / "server.log"
    path.write_text(text_of("vllm v0") + "\n" + "x" * 2_000_000, encoding="utf-8")
    page.locator("#your-server input[type=file]").set_input_files(path)
    expect(status(page)).to_contain_text("A log of vLLM")
    expect(page.locator("#your-server [data-error]")).to_be_hidden()


def test_a_sandboxed_page_without_storage_reads_logs_and_configs(watched, exported, tmp_path):
    host = tmp_path / "host.html"
    host.write_text(f'<iframe sandbox="allow-scripts" src="{exported}" width="1000" height="800"></iframe>')
    page = watched.open(host.as_uri(), wait=None)
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    unfold(frame)
    frame.locator("#server-log").fill(text_of("vllm v0"))
    frame.locator("#your-server [data-action=read]").click()
    expect(frame.locator("#your-server [data-status]")).to_contain_text("A log of vLLM")
    frame.locator("#own-config").fill("{}")
    frame.locator("#your-model [data-action=read]").click()
    expect(frame.locator("#own-error")).not_to_be_empty()


def test_the_comparison_is_accessible_and_fits(watched, exported):
    page = watched.open(exported)
    paste(page, TWICE)
    expect(status(page)).to_contain_text("A log of vLLM")
    page.locator("#your-server details.more > summary").click()
    check_looks(page, "#your-server", (320, "dark"), (1440, "light"))
    page.emulate_media(forced_colors="active")
    colours = "(parts) => new Set(parts.map((part) => getComputedStyle(part).backgroundColor)).size"
    assert page.locator("#your-server .log-bar").nth(1).locator(".log-part").evaluate_all(colours) >= 4


def test_by_keyboard_alone(watched, exported):
    page = watched.open(exported)
    page.locator(".nav a[href='#your-server']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#server-log")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#your-server summary')")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "server-log"
    page.keyboard.insert_text(TWICE)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(status(page)).to_contain_text("A log of vLLM")
    page.locator("#your-server [data-ways] button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#wall input[type=number][data-param=context]")).to_have_value("16384")


TWICE = """non-default args: {'max_model_len': 131072}
Model loading took 14.99 GiB memory and 5 seconds
Available KV cache memory: 51.40 GiB
GPU KV cache size: 421,056 tokens
non-default args: {'max_model_len': 32768, 'kv_cache_dtype': 'fp8'}
Model loading took 14.99 GiB memory and 5 seconds
Available KV cache memory: 51.40 GiB
GPU KV cache size: 842,112 tokens"""


def test_the_answer_comes_first_and_what_would_change_it_sets_the_page(watched, exported):
    page = watched.open(exported)
    paste(page, TWICE)
    part = page.locator("#your-server")
    answer = part.locator("[data-answer] p")
    expect(answer.first).to_contain_text(
        "vLLM's cache holds 842,112 tokens in 51.4 GiB: 25 requests of 32,768 tokens"
    )
    bars = part.locator("[data-bars] .log-bar")
    expect(bars).to_have_count(2)
    expect(bars.first).to_have_attribute(
        "aria-label", re.compile("^One card, as the log tells it.*cache 51.4 GiB")
    )
    part.get_by_role("button", name="2 GPUs: 58 requests").click()
    expect(answer.first).to_contain_text("51.4 GiB on each GPU")
    part.get_by_role("button", name="Context 16,384: 51 requests").click()
    expect(page.locator("#wall input[type=number][data-param=context]")).to_have_value("16384")
    expect(part.locator("[data-answer]")).not_to_contain_text("As this page is set")


def test_another_start_of_the_text_can_be_chosen(watched, exported):
    page = watched.open(exported)
    paste(page, TWICE)
    starts = page.locator("#server-start")
    expect(starts.locator("option")).to_have_text(["1, from line 1", "2, from line 5"])
    expect(starts).to_have_value("1")
    starts.select_option("0")
    expect(page.locator("#your-server [data-answer] p").first).to_contain_text("421,056 tokens")
    expect(status(page)).to_contain_text("of start 1 of 2")
    paste(page, text_of("vllm v0"))
    expect(starts).to_be_hidden()


PASTE = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def test_a_start_at_the_end_of_a_long_file_or_paste_is_found(watched, exported, tmp_path):
    page = watched.open(exported)
    path = tmp_path / "server.log"
    request = "INFO 10-10 10:00:00 Avg prompt throughput: 12.0 tokens/s, GPU KV cache usage: 5.0%\n"
    path.write_text(request * 20_000 + TWICE, encoding="utf-8")
    unfold(page)
    expect(page.locator("#server-log")).to_be_visible()
    page.locator("#your-server input[type=file]").set_input_files(path)
    expect(status(page)).to_contain_text("of start 2 of 2", timeout=30_000)
    expect(page.locator("#server-start option").last).to_have_text("2, from line 20,005")
    field = page.locator("#server-log")
    field.fill("what stood here before")
    field.evaluate(PASTE, request * 3000 + TWICE)
    expect(page.locator("#server-start option").last).to_have_text("2, from line 3,005")
    expect(field).to_have_value("")  # to lay it out would take the browser longer than to read it
    expect(field).to_have_attribute("placeholder", re.compile("^[0-9,]+ characters were pasted"))
    page.locator("#your-server [data-action=read]").click()
    expect(status(page)).to_contain_text("of start 2 of 2")
    paste(page, "nothing of a log")
    expect(status(page)).to_contain_text("Nothing in this text was recognised")
    expect(field).to_have_attribute("placeholder", "Available KV cache memory: 51.40 GiB")
