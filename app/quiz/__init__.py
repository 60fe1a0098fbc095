"""The quiz at the end: four questions whose numbers follow the scenario."""

from __future__ import annotations

from typing import Any

from .frame import QUIZ_RIGHT, quiz_frame

OPTIONS = ("a", "b", "c", "d")


def quiz_context(state: Any, catalog: Any) -> dict[str, Any]:
    """What the template needs: the texts of ``state`` and which option of each question is right."""
    return {"right": QUIZ_RIGHT, "options": OPTIONS, "texts": quiz_frame(state, catalog)["texts"]}
