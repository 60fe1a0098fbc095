"""A closed session leaves nothing of ours behind."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.conftest import ROOT
from tests.hosting import free_port


def test_closed_sessions_are_forgotten():
    command = [sys.executable, "-m", "tests.bench.sessions", "8", str(free_port())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"failed": 0}
