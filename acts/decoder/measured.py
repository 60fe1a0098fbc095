"""What each lever costs the small decoders, as training/measure.py wrote it, and the page's charts and words of it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..catalog import CACHE_TYPES
from .chart import Line, chart

if TYPE_CHECKING:
    from markupsafe import Markup


@cache
def measured() -> dict[str, Any]:
    """The whole record."""
    return json.loads((Path(__file__).parent / "measured.json").read_text(encoding="utf-8"))


def percent(share: float) -> str:
    """A share in words: "98.4%", "100%"."""
    return f"{share * 100:.1f}".removesuffix(".0") + "%"


def sharing_chart() -> Markup:
    """Answers right by number of facts for MHA, GQA and MQA, with standard errors over the seeds."""
    table = measured()["sharing"]
    facts = list(table["mha"])
    lines = [
        Line(
            name.upper(),
            colour,
            [(table[name][count]["right"], table[name][count]["error"]) for count in facts],
        )
        for name, colour in (("mha", "query"), ("gqa", "cache"), ("mqa", "value"))
    ]
    return chart(sharing_words(), "facts in the text", facts, lines)


def sharing_words() -> str:
    """The same in a sentence, for the longest texts like those of training and for longer ones."""
    table = measured()["sharing"]
    longest, longer = list(table["mha"])[-2:]

    def shares(facts: str) -> str:
        return ", ".join(f"{name.upper()} {percent(table[name][facts]['right'])}" for name in table)

    return (
        f"Answers right with {longest} facts: {shares(longest)}; with {longer}, more than any training text had: "
        f"{shares(longer)}."
    )


def window_chart() -> Markup:
    """Answers right by how far back the fact stands, with a window and without."""
    record = measured()["window"]
    rows = record["distances"]
    places = [str(row["to"]) for row in rows["gqa"]]
    lines = [
        Line(name, colour, [(row["right"], row["error"]) for row in rows[variant]])
        for variant, name, colour in (
            ("gqa", "no window", "cache"),
            ("window", f"window {record['tokens']}", "key"),
        )
    ]
    label = f"Answers right by distance to the fact, with a window of {record['tokens']} tokens and without."
    return chart(label, "tokens back to the fact, up to", places, lines)


def dropping_chart() -> Markup:
    """Answers right by tokens kept, when the oldest or the least attended are dropped."""
    table = measured()["dropping"]["kept"]
    places = list(table["age"])
    lines = [
        Line(name, colour, [(table[by][place]["right"], table[by][place]["error"]) for place in places])
        for by, name, colour in (("age", "oldest go", "key"), ("attention", "least read go", "query"))
    ]
    return chart(
        "Answers right by tokens kept, for two rules of what is dropped.", "tokens kept", places, lines
    )


def type_rows() -> list[dict[str, Any]]:
    """Per cache type its name, and answers right with keys and values, keys alone, values alone, over all lengths."""
    rows = []
    for name, parts in measured()["types"].items():
        row: dict[str, Any] = {"id": name, "name": CACHE_TYPES[name].name}
        for part, lengths in parts.items():
            row[part] = percent(_together(lengths))
            row[f"{part}_by_length"] = ", ".join(percent(entry["right"]) for entry in lengths.values())
        rows.append(row)
    return rows


def _together(lengths: dict[str, dict[str, Any]]) -> float:
    """The share over all questions, whatever the text's length."""
    asked = sum(entry["questions"] for entry in lengths.values())
    return sum(entry["right"] * entry["questions"] for entry in lengths.values()) / asked


def questions() -> int:
    """Questions behind each cell of the types' table."""
    return sum(entry["questions"] for entry in measured()["types"]["bf16"]["both"].values())


def lengths() -> str:
    """The texts' lengths in words: "4, 8 and 16"."""
    counts = list(measured()["types"]["bf16"]["both"])
    return ", ".join(counts[:-1]) + " and " + counts[-1]


def seeds() -> int:
    """Training runs behind each point of the sharing chart."""
    return min(len(entry["seeds"]) for row in measured()["sharing"].values() for entry in row.values())
