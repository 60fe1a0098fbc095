"""Writes docs/oracle.md: the bytes of every model type compared, and what is refused or left out.

``python -m tests.oracle``
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from acts.config import ConfigError, read_config
from acts.config.families import family_rule

from .cases import CASES, WRAPPERS
from .check import Result, check_real, check_small, check_wrapper, quiet
from .configs import configuration_class, files_of
from .real import real_rows

TARGET = Path(__file__).parents[2] / "docs" / "oracle.md"
HEAD = (
    "| model | layers | tokens | measured | predicted | conventions (bytes added to the measurement) |\n"
    "|---|--:|--:|--:|--:|---|"
)


def row(name: str, outcome: Result | str) -> str:
    """One row of a table; an outcome in words is why there is no comparison."""
    if isinstance(outcome, str):
        return f"| {name} | | | | | {outcome} |"
    found = outcome.last
    words = ", ".join(f"{what} {difference:+,}" for what, difference in found.allowed.items())
    equal = all(comparison.equal for comparison in outcome.comparisons.values())
    note = words if equal else f"**differs** {words}"
    layers = outcome.shape.num_hidden_layers
    return f"| {name} | {layers} | {found.tokens:,} | {found.measured:,} | {found.predicted:,} | {note} |"


def table(cases: Iterable[Any], check: Callable[[Any], Result], name: Callable[[Any], str]) -> list[str]:
    """The rows of all ``cases``; a case that fails says so in its row and stops no other."""
    rows = [HEAD]
    for case in cases:
        try:
            outcome: Result | str = check(case)
        except Exception as error:
            outcome = f"**failed**: {type(error).__name__}"
        rows.append(row(name(case), outcome))
        print(rows[-1], flush=True)
    return rows


def left_out() -> list[str]:
    """Decoders in transformers that are not compared, with the reader's sentence where it refuses them."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    known = {case.model_type for case in [*CASES, *WRAPPERS]}
    rows = ["| model type | what the reader says of its default config |", "|---|---|"]
    for model_type in sorted(set(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES) - known):
        rows.append(f"| {model_type} | {reading(model_type)} |")
    return rows


def reading(model_type: str) -> str:
    """The reader's sentence on a family's default config, or that it reads it."""
    try:
        read_config(files_of(configuration_class(model_type)())["every field"])
    except ConfigError as error:
        return str(error)
    except Exception as error:
        return f"no default config ({type(error).__name__})"
    return "read" if family_rule(model_type) is not None else "read as a plain decoder"


def main() -> None:
    """Write the page."""
    import transformers

    quiet()
    small = table(CASES, check_small, lambda case: case.name)
    wrappers = table(WRAPPERS, check_wrapper, lambda case: f"{case.model_type} around {case.inner}")
    real = table(real_rows(), check_real, lambda case: case["model"])
    lines = ["# Predicted and measured cache", ""]
    lines += [f"Measured in the caches of transformers {transformers.__version__}; written by"]
    lines += [
        "`python -m tests.oracle`, explained in [tests/oracle/README.md](../tests/oracle/README.md).",
        "",
    ]
    lines += ["## Tiny models with the layout of their family", "", *small, ""]
    lines += ["## Models around a language model", "", *wrappers, ""]
    lines += ["## Real models at full size", "", *real, ""]
    lines += ["## Decoders in transformers that are not compared", "", *left_out(), ""]
    TARGET.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
