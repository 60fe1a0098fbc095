"""What the small decoder reads and writes as data: the words under Growth's picture, and where each step looks."""

from __future__ import annotations

from functools import cache
from typing import Any

import param

from .language import VOCABULARY, UnknownWord, text_ids
from .model import Decoder

#: The text that Growth opens with, and others to try.
TEXTS = (
    "Ada has the red key . Ben has the blue box . Ada has the",
    "Ada has the red key . Ben has the blue box . Cleo has the gold ring . Ben has the",
    "Ada has the red key . Ada likes the pink hat . Ada has the",
    "Cleo is in the garden . Dan is in the attic . Cleo is in the",
)
#: Words a text may have, so that a step of it stays quick in a browser.
LONGEST = 60
#: Tokens that Growth's picture has room for, words beneath: see acts.growth.picture.
SHOWN = 28
#: Words that a run with or without the cache writes.
RUN_WORDS = 12


class VocabularyText(param.String):
    """A text of words that the small decoder knows, at most :data:`LONGEST`; refused with the list of these words."""

    def _validate(self, val: Any) -> None:
        if not isinstance(val, str):
            raise ValueError(f"{self.name} must be text, not {val!r}")
        try:
            words = len(text_ids(val)) - 1
        except UnknownWord as error:
            raise ValueError(f"{self.name} cannot be used: {error}") from None
        if not 1 <= words <= LONGEST:
            raise ValueError(f"{self.name} has {words} words; give from 1 to {LONGEST}")


@cache
def written(text: str) -> dict[str, Any]:
    """What stands in Growth's picture for ``text``, already known to be of the vocabulary.

    ``text``; ``prompt``, its tokens with the mark of the start; ``words``, all of them and those written, as many
    as the picture has room for; ``reads``, per word written the attention of the newest query to each token,
    the mean over the last layer's heads.
    """
    ids = text_ids(text)
    words = [VOCABULARY[index] for index in ids]
    reads = []
    decoder = Decoder.load("gqa")
    for _ in range(max(1, SHOWN - len(ids))):
        run = decoder.generate(" ".join(words[1:]), 1)
        words.append(run.words[0])
        reads.append([round(float(share), 3) for share in run.attention[-1].mean(0)])
    return {"text": text, "prompt": len(ids), "words": words, "reads": reads}
