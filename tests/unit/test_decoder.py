"""The small decoder: its language, its forward pass with and without a cache, its rounding, its shipped weights."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from acts.bundle import decoder_facts
from acts.catalog import CACHE_TYPES
from acts.decoder import Decoder
from acts.decoder.config import CONFIGS
from acts.decoder.language import VOCABULARY, WORD_IDS, Recipe, UnknownWord, draw_texts, text_ids
from acts.decoder.model import Cache, decoder_shape
from acts.decoder.rounding import round_cache
from acts.decoder.weights import (
    FOLDER,
    pack_weights,
    parameters,
    unpack_weights,
    weight_shapes,
    weights_text,
)
from acts.quantize.rounding import quantize_round_block
from acts.scripts import STATIC
from acts.sizing import bytes_per_sequence, forwarded_tokens
from app.page import weights_holder

TEXT = "Ada has the red key . Ben has the blue box . Cleo is in the garden . Ada has the"
PLAIN = Recipe(4, likes=2, places=2, fillers=3, questions=6)


@pytest.mark.parametrize("seed", range(20))
def test_an_answer_is_what_its_statement_said(seed):
    rng = np.random.default_rng(seed)
    recipe = Recipe(*(int(number) for number in rng.integers(1, 6, 4)), questions=5)
    batch = draw_texts(rng, 3, recipe)
    for words, back in zip(batch.words, batch.distance, strict=True):
        for place in np.flatnonzero(back):
            assert words[place] == words[place - back[place]]
    assert (batch.first.sum(1) == 5).all()
    assert (batch.first <= batch.answers).all()


def test_a_seed_names_its_texts():
    first, second = (draw_texts(np.random.default_rng(7), 2, PLAIN).words for _ in range(2))
    assert (first == second).all()
    assert len(VOCABULARY) == len(set(VOCABULARY)) <= 128


def test_a_text_becomes_words_and_unknown_ones_are_refused_with_the_list():
    assert [VOCABULARY[index] for index in text_ids("Ada has the red key.")] == [
        "<s>", "Ada", "has", "the", "red", "key", ".",
    ]  # fmt: skip
    with pytest.raises(UnknownWord, match=r"^ada, quickly: not in .* Ada Ben .*slow old$"):
        text_ids("ada has quickly ada")
    with pytest.raises(UnknownWord, match="<s>"):
        text_ids("<s> Ada")


@pytest.mark.parametrize("name", CONFIGS)
def test_with_and_without_a_cache_it_says_the_same(name):
    decoder = Decoder.load(name)
    cached = decoder.generate(TEXT, 12, cache="fp32")
    plain = decoder.generate(TEXT, 12, use_cache=False)
    assert cached.words == plain.words
    assert np.abs(cached.logits - plain.logits).max() < 1e-5
    prompt = len(text_ids(TEXT))
    assert cached.passes == forwarded_tokens(prompt, 12, True)
    assert plain.passes == forwarded_tokens(prompt, 12, False)
    assert plain.multiply_adds > 5 * cached.multiply_adds
    assert plain.cache_bytes == 0


def test_multiply_adds_are_the_matrices_and_what_attention_reads():
    config = CONFIGS["gqa"]
    run = Decoder.load("gqa").generate("Ada has the", 2)
    matrices = sum(
        int(np.prod(shape))
        for name, shape in weight_shapes(config).items()
        if len(shape) == 2 and name not in ("embedding", "logits")
    )
    seen = 1 + 2 + 3 + 4 + 5
    attention = config.num_layers * 2 * config.num_heads * config.head_dim * seen
    assert run.multiply_adds == 5 * matrices + 2 * config.vocabulary * config.width + attention


@pytest.mark.parametrize("cache", CACHE_TYPES)
def test_cache_bytes_are_the_sizing_model_s(cache):
    run = Decoder.load("gqa").generate(TEXT, 3, cache=cache, cache_v="fp8")
    tokens = len(text_ids(TEXT)) + 2
    shape = decoder_shape(CONFIGS["gqa"])
    assert run.cache_bytes == bytes_per_sequence(shape, tokens, CACHE_TYPES[cache], CACHE_TYPES["fp8"])


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(sorted(CACHE_TYPES)),
    st.lists(st.floats(-300, 300, allow_subnormal=False), min_size=32, max_size=32),
)
def test_whole_arrays_round_as_single_blocks_do(cache, values):
    kind = CACHE_TYPES[cache]
    size = 32 if kind.vector_bytes else max(1, min(32, kind.block_values))
    alone = []
    for start in range(0, 32, size):
        block = values[start : start + size]
        assume(size == 1 or max(block) - min(block) > 1e-3)  # a block of equal values has no step
        alone += quantize_round_block(block, list(CACHE_TYPES[cache].rounding))["values"]
    assert round_cache(np.array([values]), kind)[0].tolist() == pytest.approx(alone, rel=1e-12, abs=1e-12)


def test_a_window_hides_what_lies_outside_and_bounds_the_cache():
    decoder = Decoder.load("gqa")
    run = decoder.generate(TEXT, 4, window=5)
    assert run.attention.shape[-1] == 5
    shape = decoder_shape(CONFIGS["gqa"], 5)
    tokens = len(text_ids(TEXT)) + 3
    assert run.cache_bytes == bytes_per_sequence(shape, tokens, CACHE_TYPES["bf16"], CACHE_TYPES["bf16"])
    # Two layers of window 5 see 8 words back; the statement is further.
    other = decoder.generate(TEXT.replace("red", "gold", 1), 4, window=5)
    assert np.array_equal(run.logits, other.logits)


@pytest.mark.parametrize("by", ["age", "attention"])
def test_a_budget_of_tokens_is_kept_and_the_first_stays(by):
    decoder = Decoder.load("gqa")
    kept = Cache(budget=8, by=by)
    for word in text_ids(TEXT):
        decoder.forward(np.array([[word]]), kept)
    for held in kept.layers:
        assert held.places.shape[-1] == 8
        assert (held.places[..., 0] == 0).all()
        assert (np.diff(held.places) > 0).all()
        if by == "age":
            assert (held.places[..., 1:] == np.arange(kept.seen - 7, kept.seen)).all()


@pytest.mark.parametrize("name", CONFIGS)
def test_weights_survive_their_file(name):
    rng = np.random.default_rng(3)
    config = CONFIGS[name]
    weights = {name: rng.normal(size=shape) for name, shape in weight_shapes(config).items()}
    content = pack_weights(config, weights)
    assert parameters(config) < len(content) < 200_000
    for key, value in unpack_weights(config, content).items():
        assert np.abs(value - weights[key]).max() <= np.abs(weights[key]).max() / 250
    with pytest.raises(ValueError, match="where the shape has"):
        unpack_weights(config, content + b"\0")


def test_variants_have_one_budget():
    counts = [parameters(config) for config in CONFIGS.values()]
    assert max(counts) - min(counts) < 0.002 * max(counts)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_shipped_weights_answer_as_their_record_says(name):
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    decoder = Decoder.load(name)
    batch = draw_texts(np.random.default_rng(2026), 40, Recipe(8, questions=8))
    likeliest = decoder.logits(decoder.forward(batch.words, Cache()))[:, :-1].argmax(-1)
    right = (likeliest == batch.words[:, 1:])[batch.answers[:, 1:]].mean()
    assert right == pytest.approx(record["accuracy"]["8 facts"], abs=0.03)
    assert WORD_IDS["Ada"] < len(VOCABULARY)


def test_the_weights_are_small_on_the_wire_and_in_the_file():
    """A variant is at most 200 KB compressed; with its scripts it makes the file at most 300 KB longer."""
    for name in CONFIGS:
        assert len(gzip.compress(weights_text(name).encode(), 9)) <= 200_000
    scripts = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("decoder.js", "live.js"))
    assert len(weights_holder()) + len(scripts) + len(json.dumps(decoder_facts())) <= 300_000
