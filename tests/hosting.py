"""The hosted page as its container runs it, without a container: built, laid out, served by a user without rights."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

#: The user the container runs as; only root can become another one here.
USER = 101


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def open_folder() -> Path:
    """A new folder that every user can look into."""
    folder = Path(tempfile.mkdtemp(prefix="kv-cache-host."))
    folder.chmod(0o755)
    return folder


def without_rights() -> dict[str, Any]:
    """Arguments that make a subprocess run as :data:`USER`, where that is possible."""
    return {"user": USER, "group": USER, "extra_groups": []} if os.geteuid() == 0 else {}


class Hosted:
    """A built page behind nginx; ``url`` ends with a slash. ``page`` is the folder that was built."""

    def __init__(
        self,
        page: Path,
        start: Path = ROOT / "deploy" / "start.sh",
        cwd: Path | None = None,
        **environment: str,
    ):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.run = open_folder()
        self.run.chmod(0o777)
        # A start script that the user cannot reach (a checkout in root's home) is run from a copy.
        if not os.access(start, os.X_OK) or os.geteuid() == 0:
            copy = self.run / "start"
            shutil.copytree(start.parent, copy)
            start = copy / start.name
        values = {"PATH": os.environ["PATH"], "PORT": str(self.port), "TMPDIR": str(self.run)}
        self.process = subprocess.Popen(
            ["sh", str(start)],
            cwd=cwd,
            env=values | {"PAGE_FOLDER": str(page)} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **without_rights(),
        )
        self._await_answer()

    def _await_answer(self) -> None:
        deadline = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                urllib.request.urlopen(self.url + "nothing-there", timeout=5).read()
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
        self.process.kill()
        raise RuntimeError(f"the server did not answer:\n{self.process.stdout.read()}")

    def stop(self) -> str:
        """Ends the server; returns what it printed."""
        self.process.terminate()
        try:
            printed, _ = self.process.communicate(timeout=10)
        finally:
            self.process.kill()
            shutil.rmtree(self.run, ignore_errors=True)
        return printed


def nginx_missing() -> bool:
    """Whether this machine cannot serve the page as the container does."""
    return shutil.which("nginx") is None
