"""Measures what each lever costs the small decoders: ``python -m training.measure`` writes acts/decoder/measured.json.

A question is a sentence said again; it is right if every word that only looking back tells is the likeliest one, given
those before it. Texts are drawn from seeds, no fact is asked twice in one, and every setting gets the same texts.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from acts.catalog import CACHE_TYPES, CacheType
from acts.decoder.config import CONFIGS
from acts.decoder.language import Batch, Recipe, draw_texts
from acts.decoder.model import Cache, Decoder
from acts.decoder.weights import parameters

from .runs import SEEDS, read_run

TARGET = Path(__file__).parent.parent / "acts" / "decoder" / "measured.json"
SEED = 13
#: In all, over the lengths of text.
QUESTIONS = 2100
#: Texts that pass together.
TEXTS = 90
FACTS = (4, 8, 16, 24)
LENGTHS = (4, 8, 16)
#: Edges of the distances that a window is measured at, tokens.
DISTANCES = (0, 16, 24, 32, 48, 64, 96, 144, 192)
#: Tokens kept when others are dropped, in percent of those that the text has before its first question.
KEPT = (75, 50, 35, 25, 15)
PARTS = ("both", "keys", "values")


def texts_of(facts: int, questions: int) -> list[Batch]:
    """Texts of ``facts`` facts among three quarters as many other sentences, with that many questions in all."""
    rng = np.random.default_rng([SEED, facts])
    count = max(1, questions // facts)
    sizes = [TEXTS] * (count // TEXTS) + ([count % TEXTS] if count % TEXTS else [])
    return [
        draw_texts(rng, size, Recipe(facts, facts // 4, facts // 4, facts // 4, facts, once=True))
        for size in sizes
    ]


def right(decoder: Decoder, batch: Batch, cache: Cache) -> tuple[np.ndarray, np.ndarray]:
    """For each question whether it is answered right, and how many tokens back its statement is."""
    return judge(batch, decoder.logits(decoder.forward(batch.words, cache)).argmax(-1))


def judge(batch: Batch, likeliest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same, of the word that was likeliest after each."""
    wrong = np.zeros(batch.words.shape, dtype=bool)
    wrong[:, 1:] = (likeliest[:, :-1] != batch.words[:, 1:]) & batch.answers[:, 1:]
    # A question's answer words stand together: it has as many as until the next full stop.
    places = np.argwhere(batch.first)
    verdicts = []
    for text, place in places:
        end = place
        while batch.answers[text, end]:
            end += 1
        verdicts.append(not wrong[text, place:end].any())
    return np.array(verdicts), batch.distance[batch.first]


def share(verdicts: list[np.ndarray]) -> dict[str, Any]:
    """Share of right answers with its standard error, and the number of questions."""
    answers = np.concatenate(verdicts)
    mean = float(answers.mean())
    error = (mean * (1 - mean) / answers.size) ** 0.5
    return {"right": round(mean, 4), "error": round(error, 4), "questions": int(answers.size)}


def over_seeds(shares: list[float]) -> dict[str, Any]:
    """Mean over seeds with its standard error, and each."""
    mean = sum(shares) / len(shares)
    error = float(np.std(shares, ddof=1)) / len(shares) ** 0.5 if len(shares) > 1 else 0.0
    return {"right": round(mean, 4), "error": round(error, 4), "seeds": [round(one, 4) for one in shares]}


def measure_sharing(questions: int) -> dict[str, Any]:
    """Answers right by number of facts, for each way to share heads, over the training seeds."""
    table: dict[str, Any] = {}
    for name in ("mha", "gqa", "mqa"):
        decoders = [read_run(name, seed) for seed in SEEDS[name]]
        table[name] = {}
        for facts in FACTS:
            batches = texts_of(facts, questions)
            shares = [
                share([right(decoder, batch, Cache())[0] for batch in batches])["right"]
                for decoder in decoders
            ]
            table[name][str(facts)] = over_seeds(shares)
    return table


def measure_types(decoder: Decoder, questions: int) -> dict[str, Any]:
    """Answers right by cache type, of keys and values, keys alone and values alone, by number of facts."""
    table: dict[str, Any] = {}
    batches = {facts: texts_of(facts, questions) for facts in LENGTHS}
    for cache in CACHE_TYPES:
        table[cache] = {
            part: {
                str(facts): share([right(decoder, batch, typed(part, cache))[0] for batch in batches[facts]])
                for facts in LENGTHS
            }
            for part in PARTS
        }
    return table


def typed(part: str, cache: str) -> Cache:
    """A cache with the type ``cache`` for the part named, 16 bits for the other."""
    kind, plain = CACHE_TYPES[cache], CACHE_TYPES["bf16"]
    keys: CacheType = plain if part == "values" else kind
    values: CacheType = plain if part == "keys" else kind
    return Cache(keys, values)


def measure_window(questions: int) -> dict[str, Any]:
    """Answers right by how far back the statement is, with the window it was trained with and without one."""
    table: dict[str, Any] = {}
    for name in ("gqa", "window"):
        decoder = read_run(name, 0)
        verdicts, distances = [], []
        for facts in LENGTHS:
            for batch in texts_of(facts, questions):
                found, back = right(decoder, batch, Cache())
                verdicts.append(found)
                distances.append(back)
        answers, back = np.concatenate(verdicts), np.concatenate(distances)
        table[name] = []
        for low, high in pairwise(DISTANCES):
            there = (back > low) & (back <= high)
            if there.any():
                table[name].append({"from": low + 1, "to": high} | share([answers[there]]))
    return table


def measure_dropping(decoder: Decoder, questions: int) -> dict[str, Any]:
    """Answers right when only some tokens are kept: the newest, or those that received most attention."""
    table: dict[str, Any] = {}
    for by in ("age", "attention"):
        table[by] = {}
        for percent in KEPT:
            verdicts = []
            for batch in texts_of(8, questions):
                stated = int(np.argwhere(batch.first)[:, 1].min()) - 3
                verdicts.append(step_by_step(decoder, batch, Cache(budget=stated * percent // 100, by=by)))
            table[by][str(percent)] = share(verdicts)
    return table


def step_by_step(decoder: Decoder, batch: Batch, cache: Cache) -> np.ndarray:
    """Whether each question is right when tokens pass one by one, as they do where some are dropped on the way."""
    likeliest = [
        decoder.logits(decoder.forward(batch.words[:, place : place + 1], cache)).argmax(-1)
        for place in range(batch.words.shape[1])
    ]
    return judge(batch, np.concatenate(likeliest, axis=1))[0]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    decoder = read_run("gqa", 0)
    each = options.questions // len(LENGTHS)
    measured = {
        "seed": SEED,
        "questions": options.questions,
        "parameters": {name: parameters(config) for name, config in CONFIGS.items()},
        "sharing": measure_sharing(each),
        "types": measure_types(decoder, each),
        "window": {"tokens": CONFIGS["window"].window, "distances": measure_window(each)},
        "dropping": measure_dropping(decoder, each),
    }
    options.target.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
