"""The small decoder in the browser: the same words as numpy's, the same counts, and quick enough to watch."""

import base64
from dataclasses import asdict

import numpy as np
import pytest

from acts import twin
from acts.bundle import entries
from acts.catalog import CACHE_TYPES
from acts.decoder import Decoder
from acts.decoder.config import CONFIGS
from acts.decoder.language import VOCABULARY, Recipe, draw_texts, text_ids
from acts.decoder.rounding import scale_size
from acts.decoder.weights import FOLDER
from acts.scripts import join_module

pytestmark = pytest.mark.browser

SETUP = """([config, weights]) => {
  const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
  globalThis.decoder = new SmallDecoder(config, decoderWeights(config, bytes), quantize_round_block);
}"""
RUN = """([prompts, tokens, keysType, valuesType, window, useCache]) => prompts.map((ids) => {
  const steps = [...decoder.generate(ids, tokens, { keysType, valuesType, window, useCache })];
  const last = steps.at(-1);
  return {
    words: steps.map((step) => step.id), passes: last.passes, multiplyAdds: last.multiplyAdds,
    held: last.held, logits: Array.from(last.logits),
    attention: last.attention.map((lines) => lines.map((line) => Array.from(line))),
  };
})"""


@pytest.fixture(scope="module")
def blank(browser):
    """A page that holds the twin and the decoder's script, and nothing else."""
    page = browser.new_page()
    page.add_script_tag(content=twin.javascript(entries()) + join_module("decoder.js"))
    page.add_script_tag(
        content="globalThis.SmallDecoder = SmallDecoder; globalThis.decoderWeights = decoderWeights;"
    )
    yield page
    page.close()


def load(page, name):
    weights = base64.b64encode((FOLDER / f"{name}.bin").read_bytes()).decode()
    page.evaluate(SETUP, [asdict(CONFIGS[name]), weights])


def browser_type(name):
    return {"rule": list(CACHE_TYPES[name].rounding), "size": scale_size(CACHE_TYPES[name], 32)}


def prompts(count, recipe):
    """Texts cut just before a word that only looking back tells."""
    batch = draw_texts(np.random.default_rng(11), count, recipe)
    return [
        words[: np.flatnonzero(first)[-1]].tolist()
        for words, first in zip(batch.words, batch.first, strict=True)
    ]


@pytest.mark.parametrize("name", CONFIGS)
def test_the_browser_says_numpy_s_words_on_500_prompts(blank, name):
    load(blank, name)
    decoder = Decoder.load(name)
    texts = prompts(125, Recipe(5, likes=1, places=1, fillers=1, questions=2))
    runs = blank.evaluate(RUN, [texts, 4, browser_type("bf16"), browser_type("bf16"), None, True])
    for ids, run in zip(texts, runs, strict=True):
        text = " ".join(VOCABULARY[index] for index in ids[1:])
        assert text_ids(text) == ids
        expected = decoder.generate(text, 4)
        assert [VOCABULARY[index] for index in run["words"]] == expected.words
        assert (run["passes"], run["multiplyAdds"]) == (expected.passes, expected.multiply_adds)
        assert run["logits"] == pytest.approx(expected.logits[-1].tolist(), abs=1e-9)


@pytest.mark.parametrize("cache", sorted(CACHE_TYPES))
def test_every_cache_type_rounds_the_same(blank, cache):
    load(blank, "gqa")
    decoder = Decoder.load("gqa")
    texts = prompts(12, Recipe(6, questions=2))
    runs = blank.evaluate(RUN, [texts, 3, browser_type(cache), browser_type("q8_0"), 40, True])
    for ids, run in zip(texts, runs, strict=True):
        text = " ".join(VOCABULARY[index] for index in ids[1:])
        expected = decoder.generate(text, 3, cache=cache, cache_v="q8_0", window=40)
        assert [VOCABULARY[index] for index in run["words"]] == expected.words
        assert np.array(run["attention"]).shape == expected.attention.shape
        assert np.abs(np.array(run["attention"]) - expected.attention).max() < 1e-9
        assert run["held"] == expected.attention.shape[-1]


def test_without_a_cache_the_words_are_the_same_and_the_passes_more(blank):
    load(blank, "gqa")
    ids = text_ids("Ada has the red key . Ben has the blue box . Ada has the")
    cached, plain = (blank.evaluate(RUN, [[ids], 6, None, None, None, use])[0] for use in (True, False))
    assert cached["words"] == plain["words"]
    assert cached["logits"] == pytest.approx(plain["logits"], abs=1e-9)
    expected = Decoder.load("gqa").generate(
        "Ada has the red key . Ben has the blue box . Ada has the", 6, use_cache=False
    )
    assert (plain["passes"], plain["multiplyAdds"]) == (expected.passes, expected.multiply_adds)
