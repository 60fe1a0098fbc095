"""Reads a Dockerfile's stages and instructions, as far as this project's uses the format."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Stage:
    """One stage: what it starts from, its name, and its other instructions as (word, argument) pairs."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def values(self, word: str) -> list[str]:
        """Arguments of every ``word`` instruction."""
        return [argument for step, argument in self.steps if step == word]

    def environment(self) -> dict[str, str]:
        """What ENV sets."""
        pairs = [pair for line in self.values("ENV") for pair in shlex.split(line)]
        return dict(pair.split("=", 1) for pair in pairs)

    def command(self) -> list[str]:
        """CMD in its list form."""
        return json.loads(self.values("CMD")[-1])


def read_stages(path: Path) -> list[Stage]:
    """The stages of the Dockerfile at ``path``."""
    stages: list[Stage] = []
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, argument = line.split(maxsplit=1)
        if word == "FROM":
            base, _, name = argument.partition(" AS ")
            stages.append(Stage(base, name))
        else:
            stages[-1].steps.append((word, argument))
    return stages
