"""Trains a small decoder from scratch: ``python -m training.train gqa --seed 0``, on one CPU core.

Looking back does not emerge by itself in a few hundred steps: the second layer can only find a statement by its
name once the first has put the name where it is needed. So training, and training alone, also asks a readout of
the first layer at each word whose sentence it stands in. Texts begin with few facts; more, and other sentences,
come when nearly all answers are right. Every variant gets the same number of steps.

It writes the weights, one byte a number, and beside them a JSON file: seed, curve, and the accuracy of these rounded
weights. A run that is stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from acts.decoder.config import CONFIGS, Config
from acts.decoder.language import Batch, Recipe, draw_texts, subjects
from acts.decoder.weights import pack_weights, unpack_weights

from .model import TorchDecoder

RUNS = Path(__file__).parent / "runs"
# Texts a step in the first lesson; later, as many as make about this many words.
TEXTS = 12
WORDS = 800
PEAK = 2e-3
WARM_UP = 50
# Share of the steps over which the rate falls to 0.
FALL = 0.35
# The other words are mostly chance, and learning them is not what takes the time.
OTHER_WORDS = 0.02
# Weight of the question whose sentence it is.
SUBJECT = 1.0
# A lesson is over when this share of its answers, averaged over about ten steps, is right.
LEARNT = 0.85
LAST_LESSON = 3
# A window closes only when looking back has been learnt; until then its variant sees every word.
WINDOW_FROM = 600
CHECKPOINT_STEPS = 50


class Run:
    """A decoder in training, with all that a checkpoint has to hold."""

    def __init__(self, config: Config, seed: int, steps: int) -> None:
        torch.manual_seed(seed)
        self.config, self.seed, self.steps = config, seed, steps
        self.rng = np.random.default_rng(seed)
        self.model = TorchDecoder(config)
        self.model.window = None
        self.subject = nn.Linear(config.width, config.vocabulary, bias=False)
        self.optimiser = torch.optim.AdamW(
            [*self.model.parameters(), *self.subject.parameters()],
            lr=PEAK,
            weight_decay=0.01,
            betas=(0.9, 0.95),
        )
        self.step, self.lesson, self.right = 0, 0, 0.0
        self.curve: list[dict] = []
        self.seconds = 0.0

    def advance(self) -> None:
        """One step of training; records loss and share of right answers every tenth."""
        started = time.process_time()
        if self.step >= WINDOW_FROM:
            self.model.window = self.config.window
        recipe = lesson_recipe(self.rng, self.lesson)
        texts = TEXTS if self.lesson == 0 else max(3, WORDS // recipe.words())
        batch = draw_texts(self.rng, texts, recipe)
        words = torch.tensor(batch.words)
        answers = torch.tensor(batch.answers[:, 1:])
        logits, following = self.model(words)[:, :-1], words[:, 1:]
        losses = F.cross_entropy(logits.flatten(0, 1), following.flatten(), reduction="none")
        weights = torch.where(answers, 1.0, OTHER_WORDS).flatten()
        loss = (losses * weights).sum() / weights.sum()
        whose = self.subject(self.model.after_first).flatten(0, 1)
        whose_loss = F.cross_entropy(whose, torch.tensor(subjects(batch.words)).flatten(), ignore_index=-1)
        for group in self.optimiser.param_groups:
            group["lr"] = PEAK * rate(self.step, self.steps)
        self.optimiser.zero_grad()
        (loss + SUBJECT * whose_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        right = float((logits.detach().argmax(-1) == following)[answers].float().mean())
        self.right = 0.9 * self.right + 0.1 * right
        if self.step % 10 == 0:
            self.curve.append(
                {
                    "step": self.step,
                    "lesson": self.lesson,
                    "loss": round(loss.item(), 4),
                    "whose_loss": round(whose_loss.item(), 4),
                    "right": round(right, 4),
                }
            )
        if self.right > LEARNT and self.lesson < LAST_LESSON:
            self.lesson, self.right = self.lesson + 1, 0.0
        self.step += 1
        self.seconds += time.process_time() - started

    def save(self, path: Path) -> None:
        """Writes a checkpoint."""
        torch.save(
            {
                "model": self.model.state_dict(),
                "subject": self.subject.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "rng": self.rng.bit_generator.state,
                "rest": (self.step, self.lesson, self.right, self.curve, self.seconds),
            },
            path,
        )

    def load(self, path: Path) -> None:
        """Goes on from a checkpoint of the same variant and seed."""
        kept = torch.load(path, weights_only=False)
        self.model.load_state_dict(kept["model"])
        self.subject.load_state_dict(kept["subject"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.rng.bit_generator.state = kept["rng"]
        self.step, self.lesson, self.right, self.curve, self.seconds = kept["rest"]


def lesson_recipe(rng: np.random.Generator, lesson: int) -> Recipe:
    """What a text of a lesson is made of: few facts, then many among other sentences."""
    facts = ((2, 3, 4), (4, 6, 8), (4, 8, 12), (4, 8, 12, 16, 16))[lesson]
    most = (0, 2, 3, 4)[lesson]
    has = int(rng.choice(facts))
    likes, places, fillers = (int(number) for number in rng.integers(0, most + 1, 3))
    return Recipe(has, likes, places, fillers, questions=3 * has if lesson == 0 else 12)


def rate(step: int, steps: int) -> float:
    """Share of the peak learning rate at a step: up over the first, level, down to 0 over the last."""
    return min(1.0, (step + 1) / WARM_UP, (steps - step) / (FALL * steps))


def accuracy(model: TorchDecoder, batch: Batch) -> float:
    """Share of sentences said again whose every answer word comes first."""
    words = torch.tensor(batch.words)
    with torch.no_grad():
        likeliest = model(words)[:, :-1].argmax(-1).numpy()
    right = likeliest == batch.words[:, 1:]
    return float(right[batch.answers[:, 1:]].mean())


def rounded(run: Run) -> tuple[bytes, TorchDecoder]:
    """The weights' file, and a decoder that has just these weights."""
    content = pack_weights(run.config, run.model.weights())
    model = TorchDecoder(run.config)
    model.set_weights(unpack_weights(run.config, content))
    return content, model


def report(run: Run, model: TorchDecoder) -> dict:
    """What stands beside the weights."""
    texts = np.random.default_rng([run.seed, 1])
    tasks = {
        "4 facts": Recipe(4),
        "8 facts": Recipe(8),
        "16 facts": Recipe(16),
        "16 facts among 12 others": Recipe(16, likes=4, places=4, fillers=4),
    }
    return {
        "seed": run.seed,
        "steps": run.step,
        "total_steps": run.steps,
        "cpu_seconds": round(run.seconds),
        "accuracy": {
            name: round(accuracy(model, draw_texts(texts, 64, recipe)), 4) for name, recipe in tasks.items()
        },
        "curve": run.curve,
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("variant", choices=CONFIGS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=RUNS, help="where weights and checkpoints go")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.folder.mkdir(parents=True, exist_ok=True)
    place = options.folder / f"{options.variant}-{options.seed}"
    run = Run(CONFIGS[options.variant], options.seed, options.steps)
    if place.with_suffix(".pt").exists():
        run.load(place.with_suffix(".pt"))
    while run.step < run.steps:
        run.advance()
        if run.step % CHECKPOINT_STEPS == 0:
            run.save(place.with_suffix(".pt"))
            print(run.step, run.lesson, round(run.right, 3), round(run.seconds), flush=True)
    content, model = rounded(run)
    facts = report(run, model)
    place.with_suffix(".bin").write_bytes(content)
    place.with_suffix(".json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    print(facts["accuracy"])


if __name__ == "__main__":
    main()
