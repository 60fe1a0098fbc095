"""A small generator of numbers that looks random and is the same in both languages, and what the quiz does with it.

The minimal standard generator of Park and Miller with the multiplier 48271 (Communications of the ACM, 1993):
every product stays below 2**53, so both languages compute it exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acts.contracts import Dice, Item

QUIZ_MODULUS = 2147483647
QUIZ_MULTIPLIER = 48271
# Seeds a class can be given.
QUIZ_SEED_LOW = 1
QUIZ_SEED_HIGH = 999999


def quiz_dice(seed: int, place: int) -> Dice:
    """A generator for the ``place``-th use of ``seed``; both are whole numbers >= 0."""
    dice = {"at": (seed * 1009 + place * 9176 + 1) % (QUIZ_MODULUS - 1) + 1}
    for _ in range(4):
        quiz_roll(dice, 2)
    return dice


def quiz_roll(dice: Dice, sides: int) -> int:
    """A whole number from 0 to ``sides`` - 1; moves the generator on."""
    dice["at"] = dice["at"] * QUIZ_MULTIPLIER % QUIZ_MODULUS
    return dice["at"] % sides


def quiz_between(dice: Dice, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``."""
    return low + quiz_roll(dice, high - low + 1)


def quiz_pick(dice: Dice, choices: list[Item]) -> Item:
    """One of ``choices``."""
    return choices[quiz_roll(dice, len(choices))]


def quiz_shuffled(dice: Dice, items: list[Item]) -> list[Item]:
    """The items in another order."""
    left = list(items)
    shuffled = []
    while len(left) > 0:
        index = quiz_roll(dice, len(left))
        shuffled.append(left[index])
        left = left[:index] + left[index + 1 :]
    return shuffled


def quiz_next_seed(seed: int) -> int:
    """The seed of the draw after this one: a retry asks something else, and a class that retries the same again."""
    return quiz_between(quiz_dice(seed, 977), QUIZ_SEED_LOW, QUIZ_SEED_HIGH)
