"""Firefox and WebKit, driven alike: open a document, run a script in it, press a key.

Both are browsers of the system: Debian's packages firefox-esr and webkit2gtk-driver, the latter with xvfb.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

RIGHT = "\ue014"  # WebDriver's code for the right arrow key
MINI_BROWSERS = "usr/lib/*/webkit2gtk-4*/MiniBrowser"
#: Keeps what goes wrong in a document from then on, for a test to see. That an observer hears of a size one frame
#: later, which browsers report like an error, is nothing wrong.
WATCHING = """if (!globalThis.faults) {
    globalThis.faults = [];
    const told = (message) => message.startsWith("ResizeObserver loop") || faults.push(message);
    addEventListener("error", (event) => told(event.message));
    addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
    const complain = console.error;
    console.error = (...words) => { faults.push(words.join(" ")); complain(...words); };
}"""
#: In front of everything else in a document.
WATCH = f"<script>{WATCHING}</script>"


class Driven:
    """What both have in common; ``driver`` has the methods that WebDriver's clients share."""

    driver: Any

    def run(self, script: str, *arguments: Any) -> Any:
        """The value that a function's body gives in the page."""
        raise NotImplementedError

    def press(self, selector: str, key: str) -> None:
        """A key pressed with the focus on an element."""
        self.driver.find_element("css selector", selector).send_keys(key)

    def until(self, expression: str, *arguments: Any) -> Any:
        """The value of an expression once it is true; fails after 30 s."""
        deadline = time.monotonic() + 30
        while not (value := self.run(f"return {expression}", *arguments)):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.05)
        return value


class Firefox(Driven):
    """Firefox over its own protocol."""

    def __init__(self):
        client = pytest.importorskip("marionette_driver.marionette")
        binary = shutil.which("firefox-esr") or shutil.which("firefox") or pytest.skip("there is no Firefox")
        self.folder = tempfile.TemporaryDirectory()
        log = str(Path(self.folder.name) / "firefox.log")
        # A page that does not answer fails its test within a minute.
        self.driver = client.Marionette(bin=binary, headless=True, gecko_log=log, socket_timeout=60)
        self.driver.start_session()

    def run(self, script: str, *arguments: Any) -> Any:
        # Left to itself it runs in a sandbox of its own: what a script sets there, not even the next script sees.
        in_page = "return new window.Function('...arguments', arguments[0])(...arguments[1]);"
        return self.driver.execute_script(in_page, [script, list(arguments)], sandbox=None)

    def open(self, url: str) -> None:
        self.driver.navigate(url)

    def close(self) -> None:
        self.driver.cleanup()
        self.folder.cleanup()


class WebKit(Driven):
    """WebKitGTK's small browser, on a screen of its own."""

    def __init__(self):
        webdriver = pytest.importorskip("selenium.webdriver")
        browsers = sorted(Path("/").glob(MINI_BROWSERS))
        if not browsers or not shutil.which("WebKitWebDriver") or not shutil.which("Xvfb"):
            pytest.skip("there is no WebKitGTK driver, or no Xvfb")
        self.screen = self._open_screen()
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(browsers[-1])
        options.add_argument("--automation")
        service = webdriver.WebKitGTKService(shutil.which("WebKitWebDriver"))
        self.driver = webdriver.WebKitGTK(options=options, service=service)

    def _open_screen(self) -> subprocess.Popen:
        with tempfile.TemporaryFile("w+") as told:
            screen = subprocess.Popen(["Xvfb", "-displayfd", str(told.fileno())], pass_fds=[told.fileno()])
            deadline = time.monotonic() + 30
            while not (number := told.seek(0) or told.read().strip()):
                assert time.monotonic() < deadline, "Xvfb does not start"
                time.sleep(0.05)
        os.environ["DISPLAY"] = f":{number}"
        return screen

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def open(self, url: str) -> None:
        self.driver.get(url)

    def close(self) -> None:
        self.driver.quit()
        self.screen.terminate()
        self.screen.wait()
