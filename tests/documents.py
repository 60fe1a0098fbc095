"""The code blocks of the documents in docs/, and a way to run their commands."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of docs/``document`` in ``language``, in their order."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    fences = re.findall(r"^(`{3,})(\w+)\n(.*?)^\1$", text, re.MULTILINE | re.DOTALL)
    return [body for _, name, body in fences if name == language]


def run(command: str, folder: Path) -> str:
    """Runs a document's shell commands in ``folder`` with this Python; returns what they print."""
    tools = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        # Neither the notebooks nor the settings of whoever runs the tests.
        "JUPYTER_CONFIG_DIR": str(folder / ".jupyter"),
        "IPYTHONDIR": str(folder / ".ipython"),
    }
    done = subprocess.run(
        re.sub(r"^kv-cache ", "python -m app ", command, flags=re.MULTILINE).replace(
            "python ", f"{shlex.quote(sys.executable)} "
        ),
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
