"""Asks small decoders questions and counts the answers that are right.

A question is a sentence said again; it is right if every word that only looking back tells is the likeliest, given
the words before it. No fact is asked twice in a text, and every setting gets the same texts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .language import Batch, Recipe, draw_texts
from .model import Cache, Decoder

SEED = 13
#: Texts that pass together: more make arrays too large to be quick.
TEXTS = 12


def share_right(decoder: Decoder, facts: int, questions: int = 96, **settings: Any) -> float:
    """Share of right answers to about that many questions on texts of ``facts`` facts, under a cache's settings.

    ``settings`` are those of :class:`acts.decoder.Cache`: types, a window, a budget of tokens.
    """
    verdicts = [
        judge(batch, likeliest(decoder, batch, Cache(**settings))) for batch in texts_of(facts, questions)
    ]
    return float(np.concatenate(verdicts).mean())


def texts_of(facts: int, questions: int) -> list[Batch]:
    """Texts of ``facts`` facts among three quarters as many other sentences, with that many questions in all."""
    rng = np.random.default_rng([SEED, facts])
    count = max(1, questions // facts)
    sizes = [TEXTS] * (count // TEXTS) + ([count % TEXTS] if count % TEXTS else [])
    others = facts // 4
    recipe = Recipe(facts, likes=others, places=others, fillers=others, questions=facts, once=True)
    return [draw_texts(rng, size, recipe) for size in sizes]


def likeliest(decoder: Decoder, batch: Batch, cache: Cache) -> np.ndarray:
    """The likeliest word after each; where tokens are dropped on the way they pass one by one, else together."""
    if cache.budget is None:
        return decoder.logits(decoder.forward(batch.words, cache)).argmax(-1)
    steps = [
        decoder.logits(decoder.forward(batch.words[:, place : place + 1], cache)).argmax(-1)
        for place in range(batch.words.shape[1])
    ]
    return np.concatenate(steps, axis=1)


def judge(batch: Batch, likeliest: np.ndarray) -> np.ndarray:
    """For each question, in the order of texts and words, whether it is answered right."""
    wrong = np.zeros(batch.words.shape, dtype=bool)
    wrong[:, 1:] = (likeliest[:, :-1] != batch.words[:, 1:]) & batch.answers[:, 1:]
    verdicts = []
    for text, place in np.argwhere(batch.first):
        end = place
        while batch.answers[text, end]:
            end += 1
        verdicts.append(not wrong[text, place:end].any())
    return np.array(verdicts)
