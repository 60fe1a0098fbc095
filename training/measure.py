"""Measures what each lever costs the small decoders: ``python -m training.measure`` writes acts/decoder/measured.json.

What a question is and which texts it stands in: see acts/decoder/answers.py. BLAS with one thread is quickest:
``OPENBLAS_NUM_THREADS=1``.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from acts.catalog import CACHE_TYPES
from acts.decoder.answers import SEED, judge, likeliest, texts_of
from acts.decoder.config import CONFIGS
from acts.decoder.model import Cache, Decoder
from acts.decoder.weights import parameters

from .runs import SEEDS, read_run

TARGET = Path(__file__).parent.parent / "acts" / "decoder" / "measured.json"
#: Questions a setting, for each length of text.
QUESTIONS = 700
FACTS = (4, 8, 16, 24)
LENGTHS = (4, 8, 16)
#: Edges of the distances that a window is measured at, tokens.
DISTANCES = (0, 16, 24, 32, 48, 64, 96, 144, 192)
#: Tokens kept when others are dropped, and the facts in the texts that this is measured on.
KEPT = (128, 96, 64, 48, 32, 16)
DROPPING_FACTS = 8
PARTS = ("both", "keys", "values")


def verdicts(decoder: Decoder, facts: int, questions: int, **settings: Any) -> np.ndarray:
    """Whether each question on texts of ``facts`` facts is answered right under a cache's settings."""
    batches = texts_of(facts, questions)
    return np.concatenate([judge(one, likeliest(decoder, one, Cache(**settings))) for one in batches])


def share(answers: np.ndarray) -> dict[str, Any]:
    """Share of right answers with its standard error, and the number of questions."""
    mean = float(answers.mean())
    error = (mean * (1 - mean) / answers.size) ** 0.5
    return {"right": round(mean, 4), "error": round(error, 4), "questions": int(answers.size)}


def over_seeds(shares: list[float]) -> dict[str, Any]:
    """Mean over training seeds with its standard error, and each."""
    error = float(np.std(shares, ddof=1)) / len(shares) ** 0.5
    return {"right": round(float(np.mean(shares)), 4), "error": round(error, 4), "seeds": shares}


def measure_sharing(questions: int) -> dict[str, Any]:
    """Answers right by number of facts, for each way to share heads, over the training seeds."""
    return {
        name: {
            str(facts): over_seeds(
                [share(verdicts(read_run(name, seed), facts, questions))["right"] for seed in SEEDS[name]]
            )
            for facts in FACTS
        }
        for name in ("mha", "gqa", "mqa")
    }


def measure_types(decoder: Decoder, questions: int) -> dict[str, Any]:
    """Answers right by cache type, of keys and values, keys alone and values alone, by number of facts."""
    return {
        cache: {
            part: {
                str(facts): share(verdicts(decoder, facts, questions, **types_of(part, cache)))
                for facts in LENGTHS
            }
            for part in PARTS
        }
        for cache in CACHE_TYPES
    }


def types_of(part: str, cache: str) -> dict[str, Any]:
    """The type ``cache`` for the part named, 16 bits for the other."""
    kind, plain = CACHE_TYPES[cache], CACHE_TYPES["bf16"]
    return {
        "keys_type": plain if part == "values" else kind,
        "values_type": plain if part == "keys" else kind,
    }


def measure_window(questions: int) -> dict[str, Any]:
    """Answers right by how far back the statement is, with the window it was trained with and without one."""
    table: dict[str, Any] = {}
    batches = [batch for facts in LENGTHS for batch in texts_of(facts, questions)]
    back = np.concatenate([batch.distance[batch.first] for batch in batches])
    for name in ("gqa", "window"):
        decoder = read_run(name, 0)
        answers = np.concatenate([judge(batch, likeliest(decoder, batch, Cache())) for batch in batches])
        table[name] = []
        for low, high in pairwise(DISTANCES):
            there = (back > low) & (back <= high)
            table[name].append({"from": low + 1, "to": high} | share(answers[there]))
    return {"tokens": CONFIGS["window"].window, "distances": table}


def measure_dropping(decoder: Decoder, questions: int) -> dict[str, Any]:
    """Answers right when only so many tokens are kept: the newest, or those that received most attention."""
    kept = {
        by: {
            str(tokens): share(verdicts(decoder, DROPPING_FACTS, questions, budget=tokens, by=by))
            for tokens in KEPT
        }
        for by in ("age", "attention")
    }
    return {"tokens": texts_of(DROPPING_FACTS, questions)[0].words.shape[1], "kept": kept}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="a setting and length of text")
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    decoder = read_run("gqa", 0)
    measured = {
        "seed": SEED,
        "parameters": {name: parameters(config) for name, config in CONFIGS.items()},
        "sharing": measure_sharing(options.questions),
        "types": measure_types(decoder, options.questions),
        "window": measure_window(options.questions),
        "dropping": measure_dropping(decoder, options.questions),
    }
    options.target.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
