"""Sets up and runs the project on a fresh machine: ``python3 .ci/dev.py serve``, ``test`` or ``lint``.

Needs Python 3.11 or newer and nothing else. Makes .venv beside the project, installs it there and, for the
tests, finds a browser: the system's, Debian's package where that can be installed, else Playwright's own. The web
server that the hosted page is tested with is Debian's package too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = Path(os.environ.get("KV_CACHE_VENV", ROOT / ".venv"))
SHELL = "chromium-headless-shell"
BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def run(*command: str | Path, folder: str | Path = ROOT) -> None:
    """Runs a command in ``folder``, by default the project's; ends this script with its exit code if it fails."""
    code = subprocess.run([str(part) for part in command], cwd=folder, check=False).returncode
    if code:
        sys.exit(code)


def apt_install(*packages: str) -> bool:
    """Installs Debian packages where that is possible; returns whether it was tried."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print("installing", *packages, flush=True)
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=False)
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    subprocess.run(command, env=quiet, check=False)
    return True


def make_environment() -> None:
    """Makes the environment; Debian's Python needs its python3-venv package for that."""
    print(f"making {ENVIRONMENT}", flush=True)
    links = os.name != "nt"  # as `python -m venv` does; a copied interpreter may miss its library
    try:
        venv.create(ENVIRONMENT, with_pip=True, clear=True, symlinks=links)
    except subprocess.CalledProcessError:
        if not apt_install("python3-venv"):
            sys.exit("This Python cannot make an environment; on Debian and Ubuntu: apt install python3-venv")
        venv.create(ENVIRONMENT, with_pip=True, clear=True, symlinks=links)


@cache
def python() -> Path:
    """The environment's interpreter, made at first use."""
    folder, name = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    path = ENVIRONMENT / folder / name
    has_pip = path.exists() and not subprocess.run([path, "-c", "import pip"], check=False).returncode
    if not has_pip:
        make_environment()
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
    """Leaves a browser for the tests to find: Debian's without windows, the system's, or Playwright's own download.

    The one without windows opens a page with a third of the work.
    """
    if not shutil.which(SHELL) and not os.environ.get("KV_CACHE_BROWSER"):
        apt_install(SHELL)
    if not find_browser():
        apt_install("chromium")
    if not find_browser():
        run(python(), "-m", "playwright", "install", "--with-deps", "chromium")


def provide_web_server() -> None:
    """Leaves nginx for the tests of the hosted page, where Debian's package can be had; else they are skipped."""
    if not shutil.which("nginx"):
        apt_install("nginx-light")


def install_node_packages(folder: Path, package: str) -> bool:
    """Installs what ``folder``/package.json names, unless ``package`` is there; returns whether it is now."""
    npm = shutil.which("npm")
    if npm and not (folder / "node_modules" / package).exists():
        quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
        subprocess.run([npm, "install", "--prefix", folder, *quiet], check=False)
    return (folder / "node_modules" / package).exists()


def provide_platform() -> None:
    """Leaves a learning platform's run-time for the tests of the SCORM package; without npm they are skipped."""
    install_node_packages(ROOT / ".ci" / "platform", "scorm-again")


def serve(arguments: list[str]) -> None:
    """Serves the page, by default at http://localhost:5006/."""
    install("")
    run(python(), "-m", "panel", "serve", "app", "--index", "app", *arguments)


def test(arguments: list[str]) -> None:
    """Runs the tests; arguments go to pytest."""
    install("[test]")
    provide_browser()
    provide_web_server()
    provide_platform()
    run(python(), "-m", "pytest", "-n", "auto", "--dist", "worksteal", *arguments)


def lint(_: list[str]) -> None:
    """Lint, format and types."""
    install("[test]")
    run(python(), "-m", "ruff", "check", ".")
    run(python(), "-m", "ruff", "format", "--check", ".")
    run(python(), "-m", "mypy")
    lint_scripts()


def lint_scripts() -> None:
    """Lints JavaScript as the browser gets it, where Node.js is there."""
    node = shutil.which("node")
    tool = ROOT / ".ci" / "eslint"
    if not node or not install_node_packages(tool, "eslint"):
        print("JavaScript is not linted: that needs Node.js 18 or newer, npm and its registry", flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(python(), tool / "scripts.py", folder)
        eslint = (node, tool / "node_modules" / "eslint" / "bin" / "eslint.js")
        run(*eslint, "--config", tool / "eslint.config.js", ".", folder=folder)


def main() -> None:
    """Runs the command named on the command line."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the one place that meets an older Python
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    commands = {"serve": serve, "test": test, "lint": lint}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit("usage: python3 .ci/dev.py serve|test|lint [arguments]")
    commands[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
