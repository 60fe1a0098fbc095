"""``python -m tests.bench``: speed of the page beside two baselines, measured in one run, as a Markdown table.

A key press is timed in the browser from the event's own time stamp to the first task after the frame that
painted the changed readout. The plain Panel page redraws in Python; the hand-written page is the least
JavaScript that gives the same answer.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import random
import statistics
import sys
import threading
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.crowd import built_page
from tests.bench.delay import DelayedProxy
from tests.conftest import Server, browser_path
from tests.hosting import Hosted

HERE = Path(__file__).parent
PRESSES = 300
#: Milliseconds between presses, about what a held key repeats at; drawn anew each time, so that presses
#: do not keep step with the display's frames.
PAUSES = (40, 60)

#: Times the presses of a key inside the page; looks for the readout through shadow roots.
TIMER = """
(selector) => {
  const find = (root) => {
    const hit = root.querySelector(selector);
    if (hit) return hit;
    for (const element of root.querySelectorAll("*")) {
      const inner = element.shadowRoot && find(element.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  // A display shows a frame every 16.7 ms; without this, headless Chromium paints an idle page at once.
  const tick = () => requestAnimationFrame(tick);
  tick();
  const readout = find(document);
  window.times = [];
  let pressed = null;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const root = readout.getRootNode();
  new MutationObserver(() => {
    if (pressed === null) return;
    const start = pressed;
    pressed = null;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.times.push(performance.now() - start);
      port2.postMessage(null);
    });
  }).observe(root, { subtree: true, childList: true, characterData: true });
}
"""


class Files:
    """A server for the hand-written page."""

    def __init__(self, folder: Path):
        handler = functools.partial(QuietHandler, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


def press_times(page: Page, slider: str, readout: str) -> list[float]:
    """Milliseconds from key to painted readout, for ``PRESSES`` presses of the right arrow."""
    pauses = random.Random(0)
    page.evaluate(TIMER, readout)
    page.locator(slider).first.focus()
    # The slider's own picture is drawn when it comes into view: what a first visit costs is measured elsewhere.
    page.wait_for_function("!document.querySelector('[data-act=wall] .view .still')")
    for count in range(1, PRESSES + 1):
        page.keyboard.press("ArrowRight" if count % 20 < 10 else "ArrowLeft")
        page.wait_for_function(f"window.times.length >= {count}")
        page.wait_for_timeout(pauses.uniform(*PAUSES))
    return page.evaluate("window.times")


def percentile(values: list[float], share: float) -> float:
    """The value below which ``share`` of ``values`` lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def key_table(browser: Browser, ours: int, plain: int, files: int) -> list[str]:
    """Rows of the key-press table: page, latency, median, p95, p95 against the hand-written page's."""
    pages = [
        ("hand-written HTML", files, "hand_written.html", "#users", "#readout"),
        ("this page", ours, "", "#wall-users", "#wall [data-readout='cache-demanded']"),
        ("plain Panel, redrawn in Python", plain, "", ".noUi-handle", "#readout"),
    ]
    rows = []
    for latency in (0, 100):
        baseline = None
        for name, port, path, slider, readout in pages:
            proxy = DelayedProxy(port, latency / 2000)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{proxy.port}/{path}")
            page.locator(slider).first.wait_for()
            page.locator(readout).first.wait_for()
            times = press_times(page, slider, readout)
            page.close()
            proxy.close()
            p95 = percentile(times, 0.95)
            baseline = baseline or p95
            rows.append(
                f"| {name} | {latency} ms | {statistics.median(times):.1f} ms | {p95:.1f} ms | {p95 / baseline:.2f} |"
            )
    return rows


def build_times(url: str, viewers: int = 20) -> list[float]:
    """Seconds the server takes to answer each of ``viewers`` viewers, one after another."""
    times = []
    for _ in range(viewers):
        start = time.perf_counter()
        urllib.request.urlopen(url).read()
        times.append(time.perf_counter() - start)
    return times


def load_row(browser: Browser, name: str, url: str) -> str:
    """A row on loading: first text, every figure drawn, bytes over the network."""
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    received = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(url)
    page.wait_for_selector("html[data-ready]", state="attached")
    first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    live = page.evaluate("performance.getEntriesByName('kv-cache:live')[0].startTime")
    ready = page.evaluate("performance.getEntriesByName('kv-cache:ready')[0].startTime")
    size = sum(received) or Path(urlsplit(url).path).stat().st_size
    page.close()
    return f"| {name} | {first:.0f} ms | {live:.0f} ms | {ready:.0f} ms | {size / 1e6:.2f} MB |"


def main() -> int:
    """Measures everything and prints the tables."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    from app.export import export_html

    exported = Path("dist/page.html")
    exported.parent.mkdir(exist_ok=True)
    exported.write_text(export_html(), encoding="utf-8")
    ours, plain, files = Server(), Server("tests/bench/plain_panel.py", "plain_panel"), Files(HERE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        print(
            "| page | latency | key to painted readout, median | p95 | p95 / hand-written |\n|---|---|---|---|---|"
        )
        ports = [urlsplit(server.url).port for server in (ours, plain)]
        print("\n".join(key_table(browser, *ports, files.port)))
        times = [1000 * seconds for seconds in build_times(ours.url)]
        print(f"\nServer time for one viewer's page: median {statistics.median(times):.0f} ms, "
              f"p95 {percentile(times, 0.95):.0f} ms.")  # fmt: skip
        print("\n| form | first text | controls answer | all figures drawn | bytes |\n|---|---|---|---|---|")
        print(load_row(browser, "panel serve", ours.url))
        hosted = Hosted(built_page())
        print(load_row(browser, "hosted", hosted.url))
        hosted.stop()
        print(load_row(browser, "file", exported.resolve().as_uri()))
        content = exported.read_bytes()
        print(f"\nThe file: {len(content) / 1e6:.2f} MB, {len(gzip.compress(content)) / 1e3:.0f} KB gzipped.")
        browser.close()
    ours.stop()
    plain.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
