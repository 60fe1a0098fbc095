"""One case from its config to the comparison of bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acts.config import read_config
from acts.sizing import Shape

from .cases import Case, inner_case
from .compare import Comparison, compare
from .configs import configuration, files_of, wrapped
from .measure import Layer, meta_model, run, small_model
from .real import real_case, real_config


@dataclass
class Result:
    """What was measured of one model, and its prediction from each file that describes it."""

    name: str
    shape: Shape
    comparisons: dict[tuple[str, int], Comparison]

    @property
    def last(self) -> Comparison:
        """The comparison after the last step."""
        return max(self.comparisons.values(), key=lambda comparison: comparison.tokens)


def quiet() -> None:
    """No notes of transformers' own, and one thread: the models are tiny."""
    import torch
    import transformers

    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()


def compared(name: str, files: dict[str, Any], whole: dict[str, Any], seen: dict[int, list[Layer]]) -> Result:
    """The comparison of each of ``files`` at each number of tokens; ``whole`` has every field."""
    found = {}
    for kind, file in files.items():
        shape = read_config(file)
        for tokens, layers in seen.items():
            found[kind, tokens] = compare(shape, whole, tokens, layers)
    return Result(name, shape, found)


def check_small(case: Case) -> Result:
    """A tiny model with random weights, read from all its fields and from those that a saved file has."""
    quiet()
    config = configuration(case.model_type, case.own)
    files = files_of(config)
    return compared(case.name, files, files["every field"], run(case, config, small_model(case, config)))


def check_wrapper(case: Case) -> Result:
    """A tiny language model inside a wrapper of full size, on the meta device."""
    quiet()
    inner = inner_case(case)
    config = wrapped(case.model_type, configuration(inner.model_type, inner.own))
    files = files_of(config)
    return compared(case.name, files, files["every field"], run(case, config, meta_model(case.head, config)))


def check_real(row: dict[str, Any]) -> Result:
    """A real model at full size on the meta device."""
    quiet()
    case = real_case(row, read_config(row["config"]))
    config = real_config(row)
    files = {"config.json": row["config"]}
    return compared(row["model"], files, row["config"], run(case, config, meta_model(case.head, config)))
