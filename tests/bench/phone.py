"""``python -m tests.bench.phone``: the hosted page on a phone, as Markdown tables.

Bytes on the wire by file; Lighthouse's figures (npm's lighthouse, mobile and desktop, the median of several runs),
which need a quiet machine; what does not depend on how busy the machine is: the processor time of the page's main
thread until it rests, and its longest task; and how long a reader's hand waits for the next paint at a quarter of this
machine's speed. Without Node.js the rest is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.bench.crowd import built_page
from tests.conftest import ROOT, browser_path
from tests.hosting import Hosted

TOOL = ROOT / ".ci" / "lighthouse"
#: Lighthouse's own phone.
PHONE: dict[str, Any] = {
    "viewport": {"width": 412, "height": 823},
    "device_scale_factor": 1.75,
    "is_mobile": True,
    "has_touch": True,
}
SLOWDOWN = 4
#: Milliseconds from which a task holds up whoever touches the page.
LONG_TASK = 50

METRICS = {
    "first-contentful-paint": "FCP",
    "largest-contentful-paint": "LCP",
    "total-blocking-time": "TBT",
    "cumulative-layout-shift": "CLS",
    "speed-index": "Speed Index",
}
CATEGORIES = {
    "performance": "perf.",
    "accessibility": "a11y",
    "best-practices": "best practices",
    "seo": "SEO",
}


def load() -> str:
    """How busy the machine is: its load average of a minute beside its processors."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def wire_table(site: Path) -> list[str]:
    """Rows of what a first visit fetches, and what only some readers do: file, bytes as they are and compressed."""
    rows = []
    total = dict.fromkeys(("", ".gz", ".br"), 0)
    later = ("tools-", "decoder-")
    files = [site / "index.html", *sorted((site / "assets").glob("*"))]
    for file in [file for file in files if file.suffix not in (".gz", ".br")]:
        sizes = {}
        for ending in total:
            small = file.with_name(file.name + ending)
            sizes[ending] = (small if small.exists() else file).stat().st_size
        on_demand = file.name.startswith(later)
        if not on_demand:
            total = {ending: total[ending] + size for ending, size in sizes.items()}
        cells = " | ".join(f"{size / 1000:.1f} KB" for size in sizes.values())
        rows.append(f"| {file.name}{', when asked for' if on_demand else ''} | {cells} |")
    cells = " | ".join(f"{size / 1000:.1f} KB" for size in total.values())
    return ["| file | as it is | gzip | brotli |\n|---|---|---|---|", *rows, f"| a first visit | {cells} |"]


def lighthouse() -> Path | None:
    """Lighthouse's command, installed at first use; None where there is no Node.js."""
    npm = shutil.which("npm")
    command = TOOL / "node_modules" / ".bin" / "lighthouse"
    if npm and not command.exists():
        quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
        subprocess.run([npm, "install", "--prefix", TOOL, *quiet], check=True)
    return command if npm else None


def lighthouse_report(command: Path, url: str, preset: str) -> dict[str, Any]:
    """One run's report on ``url``; ``preset`` is mobile or desktop."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = [
            "--quiet",
            "--output=json",
            f"--output-path={report}",
            "--chrome-flags=--headless=new --no-sandbox",
        ]
        if preset != "mobile":
            options.append(f"--preset={preset}")
        chrome = {"CHROME_PATH": path} if (path := browser_path()) else {}
        subprocess.run([command, url, *options], env=os.environ | chrome, check=True, capture_output=True)
        return json.loads(report.read_text(encoding="utf-8"))


def lighthouse_table(command: Path, url: str, runs: int) -> list[str]:
    """A row for each preset: the median of ``runs`` runs, and how busy the machine was at the last."""
    names = [*CATEGORIES.values(), *METRICS.values()]
    rows = [f"| Lighthouse | {' | '.join(names)} | machine |\n|---{'|---' * len(names)}|---|"]
    for preset in ("mobile", "desktop"):
        reports = [lighthouse_report(command, url, preset) for _ in range(runs)]
        scores = [
            f"{statistics.median(report['categories'][name]['score'] for report in reports) * 100:.0f}"
            for name in CATEGORIES
        ]
        cells = []
        for name in METRICS:
            audits = [report["audits"][name] for report in reports]
            value = statistics.median(audit["numericValue"] for audit in audits)
            cells.append(f"{value:.3f}" if name == "cumulative-layout-shift" else f"{value:.0f} ms")
        rows.append(f"| {preset} | {' | '.join([*scores, *cells])} | {load()} |")
    return rows


class Trace:
    """What Chromium's main thread of a page did, in milliseconds of processor time."""

    def __init__(self, session: CDPSession):
        self.session = session
        self.events: list[dict[str, Any]] = []
        self.complete = False
        session.on("Tracing.dataCollected", lambda event: self.events.extend(event["value"]))
        session.on("Tracing.tracingComplete", self.end)
        session.send(
            "Tracing.start",
            {
                "traceConfig": {"includedCategories": ["toplevel", "devtools.timeline"]},
                "transferMode": "ReportEvents",
            },
        )

    def end(self, _: object) -> None:
        """Everything was received."""
        self.complete = True

    def tasks(self, page: Page) -> list[float]:
        """The main thread's tasks, the longest first."""
        self.session.send("Tracing.end")
        while not self.complete:
            page.wait_for_timeout(20)
        threads = {
            (event["pid"], event["tid"])
            for event in self.events
            if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"
        }
        # The browser's own surfaces are pages too; the one asked for is known by its address.
        process = next(
            event["pid"]
            for event in self.events
            if event["name"] == "ParseHTML" and event["args"].get("beginData", {}).get("url", "") == page.url
        )
        return sorted(
            (
                event.get("tdur", 0) / 1000
                for event in self.events
                if event.get("ph") == "X"
                and event["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
                and event["pid"] == process
                and (event["pid"], event["tid"]) in threads
            ),
            reverse=True,
        )


def main_thread_row(browser: Browser, url: str, runs: int) -> list[str]:
    """The median of ``runs`` first visits: the main thread's time until the page rests, its longest task, TBT."""
    seen = []
    for _ in range(runs):
        context = browser.new_context(**PHONE)
        page = context.new_page()
        trace = Trace(browser.new_browser_cdp_session())
        page.goto(url)
        page.wait_for_selector("html[data-ready]", state="attached")
        page.wait_for_timeout(1500)  # what follows by itself belongs to the load
        tasks = trace.tasks(page)
        blocking = sum(max(0.0, SLOWDOWN * task - LONG_TASK) for task in tasks)
        seen.append((sum(tasks), tasks[0], blocking))
        context.close()
    total, longest, blocking = (statistics.median(values) for values in zip(*seen, strict=True))
    return [
        f"| main thread at load, processor time | longest task | blocking at {SLOWDOWN}× |\n|---|---|---|",
        f"| {total:.0f} ms | {longest:.0f} ms | {blocking:.0f} ms |",
    ]


#: Keeps how long each of a reader's actions waited for the next paint.
WATCH_ACTIONS = """() => {
  window.waits = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.waits.set(interactionId, Math.max(duration, window.waits.get(interactionId) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}"""

#: What a hand does in each act: the act's control, and the keys pressed on it.
ACTIONS = (
    ("#growth-prompt", ["ArrowRight"] * 8),
    ("#growth [data-do=step]", ["Enter"] * 8),
    ("#heads [data-choices=kv_heads]", ["ArrowLeft"] * 4 + ["ArrowRight"] * 4),
    ("#wall-users", ["ArrowRight"] * 8),
    ("#wall-context", ["ArrowRight"] * 8),
    ("#quantize [data-param=cache]:checked", ["ArrowRight"] * 6),
)


def action_rows(browser: Browser, url: str) -> list[str]:
    """How long the acts' controls wait for the next paint at a quarter of the speed: p50, p95, the longest."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("html[data-ready]", state="attached")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.evaluate(WATCH_ACTIONS)
    pressed = 0
    for selector, keys in ACTIONS:
        control = page.locator(selector).first
        control.scroll_into_view_if_needed()
        control.locator("xpath=ancestor::section").locator("canvas").first.wait_for()
        control.focus()
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(150)
            pressed += 1
    # Shorter waits than the browser reports are taken for its shortest.
    waits = sorted(page.evaluate("[...window.waits.values()]"))
    waits = [16.0] * (pressed - len(waits)) + waits
    context.close()
    p95 = waits[min(len(waits) - 1, int(len(waits) * 0.95))]
    return [
        f"| actions at {SLOWDOWN}× | median | p95 | longest | machine |\n|---|---|---|---|---|",
        f"| {len(waits)} | {statistics.median(waits):.0f} ms | {p95:.0f} ms | {waits[-1]:.0f} ms | {load()} |",
    ]


def main() -> int:
    """Measures everything and prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median is taken (3)")
    parser.add_argument("--page", type=Path, help="folder that `kv-cache build` wrote; built anew without it")
    parser.add_argument("--no-lighthouse", action="store_true", help="measure the rest alone")
    asked = parser.parse_args()
    folder = asked.page or built_page()
    print("\n".join(wire_table(folder / "site")), flush=True)
    hosted = Hosted(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
            print("", *main_thread_row(browser, hosted.url, asked.runs), sep="\n", flush=True)
            print("", *action_rows(browser, hosted.url), sep="\n", flush=True)
            browser.close()
        command = None if asked.no_lighthouse else lighthouse()
        if command:
            print("", *lighthouse_table(command, hosted.url, asked.runs), sep="\n", flush=True)
    finally:
        hosted.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
