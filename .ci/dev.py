"""Sets up and runs the project on a fresh machine: ``python3 .ci/dev.py serve`` or ``python3 .ci/dev.py test``.

Needs Python 3.11 or newer and nothing else. Makes .venv beside the project, installs it there and, for the
tests, finds a browser: the system's, Debian's package where that can be installed, else Playwright's own. The web
server that the hosted page is tested with is Debian's package too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = Path(os.environ.get("KV_CACHE_VENV", ROOT / ".venv"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def run(*command: str | Path) -> None:
    """Runs a command in the project's folder; ends this script with its exit code if it fails."""
    code = subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)


def python() -> Path:
    """The environment's interpreter, made at first use."""
    folder, name = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    path = ENVIRONMENT / folder / name
    if not path.exists():
        print(f"making {ENVIRONMENT}", flush=True)
        venv.create(ENVIRONMENT, with_pip=True)
    return path


def install(extra: str) -> None:
    """Installs the project, editable, with the optional dependencies ``extra`` ("" for none)."""
    run(python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", f".{extra}")


def find_browser() -> str | None:
    """A browser the tests can drive, or None."""
    named = os.environ.get("KV_CACHE_BROWSER")
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    return named or installed or (MAC_CHROME if Path(MAC_CHROME).exists() else None)


def provide_browser() -> None:
    """Leaves a browser for the tests to find: the system's, Debian's, or Playwright's own download."""
    if find_browser():
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("installing Debian's chromium", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], env=quiet, check=False)
    if not find_browser():
        run(python(), "-m", "playwright", "install", "--with-deps", "chromium")


def provide_web_server() -> None:
    """Leaves nginx for the tests of the hosted page, where Debian's package can be had; else they are skipped."""
    if shutil.which("nginx") or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print("installing Debian's nginx", flush=True)
    subprocess.run(["apt-get", "update", "-qq"], check=False)
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "nginx-light"], env=quiet, check=False
    )


def serve(arguments: list[str]) -> None:
    """Serves the page, by default at http://localhost:5006/."""
    install("")
    run(python(), "-m", "panel", "serve", "app", "--index", "app", *arguments)


def test(arguments: list[str]) -> None:
    """Runs the tests; arguments go to pytest."""
    install("[test]")
    provide_browser()
    provide_web_server()
    run(python(), "-m", "pytest", "-n", "auto", "--dist", "worksteal", *arguments)


def main() -> None:
    """Runs the command named on the command line."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the one place that meets an older Python
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    commands = {"serve": serve, "test": test}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit("usage: python3 .ci/dev.py serve|test [arguments]")
    commands[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
