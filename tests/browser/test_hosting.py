"""The hosted page in a browser: under its policy, at `/`, and in other people's pages."""

from __future__ import annotations

import functools
import http.server
import threading

import pytest
from playwright.sync_api import expect

from tests.hosting import Hosted, nginx_missing

pytestmark = [pytest.mark.browser, pytest.mark.skipif(nginx_missing(), reason="nginx is not installed")]


def test_works_under_its_policy(watched, hosted):
    page = watched.open(hosted.url)
    expect(page.locator("#wall [data-readout='max-users']")).to_be_visible()
    for section in page.locator("main > .act").all():
        section.scroll_into_view_if_needed()
    page.locator("#wall .plot-area").first.scroll_into_view_if_needed()
    expect(page.locator("#wall canvas").first).to_be_visible(timeout=30_000)
    before = page.locator("#wall [data-sentence]").text_content()
    page.locator("#wall-users").press("End")
    expect(page.locator("#wall [data-sentence]")).not_to_have_text(before)
    page.get_by_role("button", name="Dark").click()
    loaded = "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)"
    families = page.evaluate(f"document.fonts.ready.then(() => {loaded})")
    # The machine's own faces, in the measure of these, may have stood in while they came.
    assert [name for name in families if "Sub" not in name] == ["Inter", "Source Serif"]


def test_the_small_decoder_s_weights_come_when_they_are_first_needed(watched, hosted):
    page = watched.open(hosted.url)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#growth [data-live] > summary").click()
    page.locator("#growth [data-live-heads] tr").first.wait_for()
    page.locator("#growth").get_by_role("button", name="With the cache").click()
    expect(page.locator("[data-live-passes-with]")).to_have_text("27")
    # BokehJS was fetched before, and a hand on the page has it run.
    (address,) = (url for url in asked if "/assets/bokeh-" not in url)
    assert "/assets/decoder-" in address


def test_what_reads_a_config_comes_when_its_part_is_opened(watched, hosted):
    page = watched.open(hosted.url)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#your-model summary").first.click()
    page.locator("#own-config").fill('{"model_type": "llama"}')
    page.locator("#your-model").get_by_role("button", name="Read it").click()
    expect(page.locator("#own-error")).to_be_visible()
    (address,) = (url for url in asked if "/assets/bokeh-" not in url)
    assert "/assets/tools-" in address


def test_what_cannot_be_loaded_is_said_and_tried_again(browser, hosted):
    page = browser.new_page()
    page.goto(hosted.url)
    page.wait_for_selector("html[data-ready]", state="attached")
    page.route("**/assets/tools-*", lambda route: route.abort())
    part = page.locator("#your-server summary").first
    part.click()
    note = page.locator("#your-server [data-tools-note]")
    expect(note).to_contain_text("could not be loaded")
    page.unroute("**/assets/tools-*")
    part.click()
    part.click()
    expect(page.locator("#server-log")).to_be_visible()
    expect(note).to_have_count(0)
    page.close()


#: When the page was painted, when its script ran and when BokehJS was asked for, in milliseconds.
ORDER = """() => {
  const asked = performance.getEntriesByType("resource").find(({ name }) => name.includes("/assets/bokeh-"));
  return asked && [
    performance.getEntriesByName("first-paint")[0].startTime,
    performance.getEntriesByName("kv-cache:live")[0].startTime,
    asked.startTime,
  ];
}"""


def test_the_page_is_painted_before_its_script_runs(watched, hosted):
    page = watched.open(hosted.url)
    painted, *after = page.wait_for_function(ORDER).json_value()
    assert painted < min(after)


def test_a_page_that_is_not_painted_starts_all_the_same(browser, hosted):
    page = browser.new_page()
    page.add_init_script("PerformanceObserver.prototype.observe = () => {}")
    page.goto(hosted.url)
    page.wait_for_selector("html[data-ready]", state="attached")
    page.locator("#wall-users").press("End")
    expect(page.locator("#wall [data-sentence]")).to_contain_text("1,024")
    page.close()


def test_policy_forbids_what_the_page_does_not_need(browser, hosted):
    page = browser.new_page()
    page.goto(hosted.url)
    refused = page.evaluate("""async () => {
      const held = [];
      addEventListener("securitypolicyviolation", (event) => held.push(event.effectiveDirective));
      // Later, since what the test runs at once is exempt.
      setTimeout(() => { try { eval("1"); held.push("eval ran"); } catch { /* as it should be */ } });
      const script = document.createElement("script");
      script.textContent = "globalThis.injected = true";
      document.body.append(script);
      await fetch("http://127.0.0.1:4999/").catch(() => {}); // another origin
      await new Promise((done) => setTimeout(done, 100));
      return { held, injected: globalThis.injected ?? false };
    }""")
    page.close()
    assert refused["injected"] is False
    assert set(refused["held"]) - {"script-src"} == {"script-src-elem", "connect-src"}


def host_page(folder, address: str):
    """A page of another origin that shows the wall in a sandboxed frame; its URL."""
    (folder / "index.html").write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><iframe src="{address}?embed=1&act=wall" '
        'sandbox="allow-scripts" width="900" height="900"></iframe>',
        encoding="utf-8",
    )

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


def test_an_embedded_act_works_under_the_policy(watched, hosted, tmp_path):
    server, url = host_page(tmp_path, hosted.url)
    page = watched.open("about:blank", wait=None)
    page.goto(url)
    frame = page.frame_locator("iframe")
    expect(frame.locator("html[data-ready]")).to_be_attached()
    expect(frame.locator("#wall canvas").first).to_be_visible()
    before = frame.locator("#wall [data-sentence]").text_content()
    frame.locator("#wall-users").press("End")
    expect(frame.locator("#wall [data-sentence]")).not_to_have_text(before)
    server.shutdown()
    watched.faults[:] = [fault for fault in watched.faults if "another host" not in fault]  # the host is one


def test_only_allowed_origins_may_embed(browser, built, tmp_path):
    closed = Hosted(built, ALLOWED_ORIGINS="'self' https://course.example")
    server, url = host_page(tmp_path, closed.url)
    page = browser.new_page()
    page.goto(url)
    page.wait_for_load_state("load")
    assert page.frames[1].url.startswith("chrome-error:")
    page.close()
    server.shutdown()
    closed.stop()
