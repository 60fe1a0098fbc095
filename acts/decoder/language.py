"""The language the small decoder is trained on: sentences whose last words can only be known by looking back.

A text states facts ("Ada has the red key ."), in any order and among other sentences, and then says some of
them again. The first time, nothing tells which colour and thing will follow; the second time the only way to
know is to find the statement. Texts are drawn from a seeded generator, so that a seed and a recipe name them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

START = "<s>"
# fmt: off
NAMES = [
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivan", "Judy", "Kai", "Lena",
    "Milo", "Nora", "Omar", "Pia", "Quin", "Rosa", "Sam", "Tara", "Uma", "Vera", "Will", "Zoe",
]
COLOURS = ["red", "blue", "green", "black", "white", "gold", "pink", "grey", "brown", "silver"]
THINGS = [
    "key", "box", "lamp", "book", "coin", "map", "ring", "rope", "bell", "cup", "hat", "pen",
    "drum", "kite", "vase", "comb",
]
PLACES = ["kitchen", "garden", "attic", "cellar", "garage", "hall", "tower", "shed", "office", "library"]
SUBJECTS = ["moon", "road", "river", "clock", "wind", "door"]
STATES = ["cold", "bright", "quiet", "long", "slow", "old"]
VOCABULARY = [
    START, ".", "has", "likes", "is", "in", "the",
    *NAMES, *COLOURS, *THINGS, *PLACES, *SUBJECTS, *STATES,
]
# fmt: on
WORD_IDS = {word: index for index, word in enumerate(VOCABULARY)}

# Sentences by kind, as templates over the words of one statement: name, colour, thing, place, subject, state.
TEMPLATES = {
    "has": ("NAME", "has", "the", "COLOUR", "THING", "."),
    "likes": ("NAME", "likes", "the", "COLOUR", "THING", "."),
    "in": ("NAME", "is", "in", "the", "PLACE", "."),
    "filler": ("the", "SUBJECT", "is", "STATE", "."),
}
_CLASSES = {
    "NAME": NAMES,
    "COLOUR": COLOURS,
    "THING": THINGS,
    "PLACE": PLACES,
    "SUBJECT": SUBJECTS,
    "STATE": STATES,
}
_IDS = {kind: np.array([WORD_IDS[word] for word in words]) for kind, words in _CLASSES.items()}
# Words of a repeated sentence that only its statement tells.
_ANSWERS = ("COLOUR", "THING", "PLACE")


class UnknownWord(ValueError):
    """A text holds a word that is not in the vocabulary."""


@dataclass(frozen=True)
class Recipe:
    """What a text is made of: how many statements of each kind, and how many of them are said again.

    ``once``: only statements of "has" are said again, the rest is there to distract, and none twice: each question
    has one place to look for its answer.
    """

    has: int
    likes: int = 0
    places: int = 0
    fillers: int = 0
    questions: int = 8
    once: bool = False

    def words(self) -> int:
        """Words of a text, about: all sentences counted as whole ones of six."""
        return 1 + 6 * (self.has + self.likes + self.places + self.fillers + self.questions)


@dataclass(frozen=True)
class Batch:
    """Texts of one length: word ids (texts, tokens), where answers stand, and how far back each was stated.

    ``answers`` is True at a word that only looking back tells, ``first`` at the first such word of its sentence, and
    ``distance`` is, at an answer, how many tokens back its sentence was said last, else 0.
    """

    words: np.ndarray
    answers: np.ndarray
    first: np.ndarray
    distance: np.ndarray


def text_ids(text: str) -> list[int]:
    """The word ids of a text, its words parted by spaces, full stops by themselves or at a word's end.

    Raises :class:`UnknownWord`, which names the first words that are not in the vocabulary.
    """
    words = text.replace(".", " . ").split()
    unknown = [word for word in words if word not in WORD_IDS or word == START]
    if unknown:
        raise UnknownWord(
            f"{', '.join(dict.fromkeys(unknown))}: not in this model's vocabulary, which is "
            + " ".join(VOCABULARY[1:])
        )
    return [WORD_IDS[START], *(WORD_IDS[word] for word in words)]


def draw_texts(rng: np.random.Generator, count: int, recipe: Recipe) -> Batch:
    """``count`` texts of ``recipe``: names, colours, things, order and questions drawn anew for each."""
    drawn = [_draw_text(rng, recipe) for _ in range(count)]
    words, answers, first, distance = (np.array(column) for column in zip(*drawn, strict=True))
    return Batch(words, answers, first, distance)


def subjects(words: np.ndarray) -> np.ndarray:
    """For each word after a sentence's name that name's id, else -1; ``words`` is (texts, tokens)."""
    found = np.full(words.shape, -1)
    for place in range(1, words.shape[1]):
        before = words[:, place - 1]
        carried = np.where(np.isin(before, _IDS["NAME"]), before, found[:, place - 1])
        found[:, place] = np.where(before == WORD_IDS["."], -1, carried)
    return found


def _draw_text(rng: np.random.Generator, recipe: Recipe) -> tuple[list, list, list, list]:
    """One text: its word ids, and for each word whether it is an answer, a first answer, and its distance."""
    facts = _draw_facts(rng, recipe)
    if recipe.once:
        asked = rng.permutation(recipe.has)[: recipe.questions]
    else:
        asked = rng.integers(0, len(facts), recipe.questions)
    fillers = [_fill(rng, TEMPLATES["filler"], 0) for _ in range(recipe.fillers)]
    split = recipe.fillers * len(facts) // (len(facts) + recipe.questions)
    stated = [(fact, False) for fact in facts] + [(filler, False) for filler in fillers[:split]]
    again = [(facts[index], True) for index in asked] + [(filler, False) for filler in fillers[split:]]
    order = [stated[index] for index in rng.permutation(len(stated))]
    order += [again[index] for index in rng.permutation(len(again))]

    words, answers, first, distance = [WORD_IDS[START]], [False], [False], [0]
    stood: dict[int, int] = {}
    for (ids, mask), repeated in order:
        back = len(words) - stood.setdefault(id(ids), len(words))
        opened = False
        for word, tells in zip(ids, mask, strict=True):
            told = repeated and tells
            words.append(word)
            answers.append(told)
            first.append(told and not opened)
            distance.append(back if told else 0)
            opened = opened or told
        stood[id(ids)] = len(words) - len(ids)
    return words, answers, first, distance


def _draw_facts(rng: np.random.Generator, recipe: Recipe) -> list[tuple[list[int], list[bool]]]:
    """The statements of a text: within a kind no name twice, so that a question has one answer."""
    facts = []
    for kind, count in (("has", recipe.has), ("likes", recipe.likes), ("in", recipe.places)):
        names = rng.choice(_IDS["NAME"], count, replace=False)
        facts += [_fill(rng, TEMPLATES[kind], name) for name in names]
    return facts


def _fill(rng: np.random.Generator, template: tuple[str, ...], name: int) -> tuple[list[int], list[bool]]:
    """A sentence's word ids, and which of them only the statement tells."""
    ids = []
    for part in template:
        if part == "NAME":
            ids.append(int(name))
        elif part in _IDS:
            ids.append(int(_IDS[part][rng.integers(len(_IDS[part]))]))
        else:
            ids.append(WORD_IDS[part])
    return ids, [part in _ANSWERS for part in template]
