"""A whole decoder in numpy: read :meth:`Decoder.forward` from top to bottom.

Arrays are (texts, tokens, width), or (texts, heads, tokens, head_dim) inside attention. Everything is in
64-bit floats, so that what a cache type does to the answers is all that rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..catalog import CacheType, cache_type
from ..sizing import LayerGroup, Shape, bytes_per_sequence
from .config import CONFIGS, Config
from .language import VOCABULARY, text_ids
from .rounding import round_cache
from .weights import load_weights, parameters


@dataclass
class Cache:
    """Keys and values of the tokens seen so far, a layer each, as the chosen types read them back; None rounds nothing.

    ``window``: a query sees that many tokens, itself included; None for the model's own. ``budget``: tokens kept
    at most; those dropped are the oldest after the first ("age"), or those that have received least
    attention ("attention"), each KV head for itself.
    """

    keys_type: CacheType | None = None
    values_type: CacheType | None = None
    window: int | None = None
    budget: int | None = None
    by: str = "age"
    seen: int = 0
    layers: list[Held] = field(default_factory=list)


@dataclass
class Held:
    """What one layer holds: keys, values (texts, KV heads, held, head_dim), and per token its place and
    the attention it has received (texts, KV heads, held).
    """

    keys: np.ndarray
    values: np.ndarray
    places: np.ndarray
    received: np.ndarray

    def keep(self, kept: np.ndarray) -> None:
        """Drops all tokens but those at the indices ``kept`` (texts, KV heads, number)."""
        self.places = np.take_along_axis(self.places, kept, -1)
        self.received = np.take_along_axis(self.received, kept, -1)
        self.keys = np.take_along_axis(self.keys, kept[..., None], -2)
        self.values = np.take_along_axis(self.values, kept[..., None], -2)


@dataclass(frozen=True)
class Generated:
    """What a generation gave and what it took."""

    words: list[str]
    passes: int
    multiply_adds: int
    cache_bytes: int
    #: Logits of every generated word (tokens, vocabulary), and the last pass's attention (layers, heads, tokens).
    logits: np.ndarray = field(repr=False)
    attention: np.ndarray = field(repr=False)


class Decoder:
    """A decoder with weights: ``Decoder.load("gqa").generate("Ada has the red key . Ada has the", 2)``."""

    def __init__(self, config: Config, weights: dict[str, np.ndarray]) -> None:
        self.config = config
        self.weights = weights
        self.multiply_adds = 0
        self.attention: list[np.ndarray] = []

    @classmethod
    def load(cls, name: str = "gqa") -> Decoder:
        """The trained variant of that name: mha, gqa, mqa or window. KeyError if there is none."""
        return cls(CONFIGS[name], load_weights(name))

    def forward(self, ids: np.ndarray, cache: Cache) -> np.ndarray:
        """Passes new tokens (texts, tokens) through every layer and adds them to ``cache``.

        Returns the last states (texts, tokens, width), of which :meth:`logits` tells the next word.
        """
        config = self.config
        places = cache.seen + np.arange(ids.shape[1])
        x = self.weights["embedding"][ids]
        self.attention = []
        for layer in range(config.num_layers):
            y = self.norm(x, f"layers.{layer}.attention_norm")
            query = rotate(self.heads(y, layer, "query"), places, config)
            key = rotate(self.heads(y, layer, "key"), places, config)
            value = self.heads(y, layer, "value")
            held = self.store(layer, key, value, places, cache)
            x = x + self.times(self.attend(query, places, held, cache), f"layers.{layer}.output")

            y = self.norm(x, f"layers.{layer}.mlp_norm")
            gate = self.times(y, f"layers.{layer}.gate")
            hidden = gate / (1 + np.exp(-gate)) * self.times(y, f"layers.{layer}.up")
            x = x + self.times(hidden, f"layers.{layer}.down")
        cache.seen += ids.shape[1]
        return self.norm(x, "norm")

    def logits(self, states: np.ndarray) -> np.ndarray:
        """For each state, how likely each word of the vocabulary comes next, before a softmax."""
        return self.times(states, "logits")

    def attend(self, query: np.ndarray, places: np.ndarray, held: Held, cache: Cache) -> np.ndarray:
        """What each query head reads from the held tokens, heads side by side: (texts, tokens, width)."""
        texts, heads, tokens, head_dim = query.shape
        kv = held.keys.shape[1]
        query = query.reshape(texts, kv, heads // kv, tokens, head_dim)
        scores = query @ held.keys[:, :, None].swapaxes(-1, -2) / head_dim**0.5
        back = places[:, None] - held.places[:, :, None, None]
        unseen = back < 0
        window = cache.window or self.config.window
        if window is not None:
            unseen |= back >= window
        scores = np.where(unseen, -np.inf, scores)
        share = np.exp(scores - scores.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        self.multiply_adds += 2 * head_dim * (heads // kv) * int(np.count_nonzero(~unseen))
        self.attention.append(share[..., -1, -(window or 0) :].reshape(texts, heads, -1))
        read = share @ held.values[:, :, None]
        self.drop(held, share, cache, window)
        return read.reshape(texts, heads, tokens, head_dim).swapaxes(1, 2).reshape(texts, tokens, -1)

    def store(self, layer: int, key: np.ndarray, value: np.ndarray, places: np.ndarray, cache: Cache) -> Held:
        """Adds new keys and values to the layer's cache, rounded as their types do; returns all it holds."""
        if cache.keys_type is not None:
            key = round_cache(key, cache.keys_type)
        if cache.values_type is not None:
            value = round_cache(value, cache.values_type)
        places = np.broadcast_to(places, key.shape[:-1])
        if layer == len(cache.layers):
            cache.layers.append(Held(key, value, places, np.zeros(places.shape)))
        else:
            held = cache.layers[layer]
            held.keys = np.concatenate([held.keys, key], -2)
            held.values = np.concatenate([held.values, value], -2)
            held.places = np.concatenate([held.places, places], -1)
            held.received = np.concatenate([held.received, np.zeros(places.shape)], -1)
        return cache.layers[layer]

    def drop(self, held: Held, share: np.ndarray, cache: Cache, window: int | None) -> None:
        """Drops what the window has passed, and beyond the budget what ``cache.by`` says."""
        held.received += share.sum((-3, -2))
        count = held.places.shape[-1]
        if window is not None and count > window:
            held.keep(np.broadcast_to(np.arange(count - window, count), (*held.places.shape[:2], window)))
        if cache.budget is not None and count > cache.budget:
            # The first token and the newest half of the budget always stay, as published methods keep them.
            worth = held.received.copy() if cache.by == "attention" else held.places.astype(float)
            worth[..., 0] = worth[..., count - max(1, cache.budget // 2) :] = np.inf
            held.keep(np.sort(np.argsort(-worth, axis=-1, kind="stable")[..., : cache.budget], -1))

    def generate(
        self,
        text: str,
        tokens: int,
        cache: str = "bf16",
        cache_v: str | None = None,
        window: int | None = None,
        use_cache: bool = True,
        budget: int | None = None,
        by: str = "age",
    ) -> Generated:
        """The likeliest ``tokens`` words after ``text``, at least one, one at a time; the last is written and not run.

        ``cache`` and ``cache_v`` name the types of keys and values in the catalog (values as keys, if not said),
        ``window``, ``budget`` and ``by`` are those of :class:`Cache`. Without a cache every word passes the
        whole text through again, and nothing is stored, so no type rounds anything. Raises
        :class:`UnknownWord` for a word it does not know, KeyError for a type that there is not.
        """
        types = (cache_type(cache), cache_type(cache_v or cache))

        def empty() -> Cache:
            return Cache(*types, window, budget, by) if use_cache else Cache(None, None, window, budget, by)

        ids = text_ids(text)
        kept = empty()
        self.multiply_adds, passes, logits = 0, 0, []
        fresh = ids
        for _ in range(tokens):
            if not use_cache:
                kept, fresh = empty(), ids
            states = self.forward(np.array([fresh]), kept)
            passes += len(fresh)
            logits.append(self.logits(states[0, -1:])[0])
            ids = [*ids, int(logits[-1].argmax())]
            fresh = ids[-1:]
        return Generated(
            words=[VOCABULARY[index] for index in ids[len(ids) - tokens :]],
            passes=passes,
            multiply_adds=self.multiply_adds,
            cache_bytes=cache_bytes(self.config, kept) if use_cache else 0,
            logits=np.array(logits),
            attention=np.array([share[0] for share in self.attention]),
        )

    def heads(self, x: np.ndarray, layer: int, name: str) -> np.ndarray:
        """Queries, keys or values of the tokens, (texts, heads, tokens, head_dim)."""
        y = self.times(x, f"layers.{layer}.{name}")
        return y.reshape(*y.shape[:-1], -1, self.config.head_dim).swapaxes(1, 2)

    def times(self, x: np.ndarray, name: str) -> np.ndarray:
        """``x`` through a matrix of weights, its multiply-adds counted."""
        matrix = self.weights[name]
        self.multiply_adds += x.size // x.shape[-1] * matrix.size
        return x @ matrix.T

    def norm(self, x: np.ndarray, name: str) -> np.ndarray:
        """RMSNorm: divided by the root mean square, multiplied by a learnt weight a channel."""
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + self.config.epsilon) * self.weights[name]


def rotate(x: np.ndarray, places: np.ndarray, config: Config) -> np.ndarray:
    """RoPE: the first ``rotary_dim`` channels of each head turned in pairs by an angle that grows with the place."""
    half = config.rotary_dim // 2
    angles = places[:, None] * config.rope_base ** -(np.arange(half) / half)
    low, high, still = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    return np.concatenate([low * cos - high * sin, low * sin + high * cos, still], -1)


def decoder_shape(config: Config, window: int | None = None) -> Shape:
    """What the sizing model computes from: the decoder's layers as it describes any model's."""
    group = LayerGroup(
        config.num_layers, config.num_kv_heads, config.head_dim, config.head_dim, window or config.window
    )
    count = parameters(config)
    return Shape((group,), config.num_heads, config.num_layers, count, count)


def cache_bytes(config: Config, cache: Cache) -> int:
    """Bytes the held tokens take in the cache's types, as the sizing model counts them."""
    held = cache.layers[0].places.shape[-1]
    plain = cache_type("fp32")
    return bytes_per_sequence(
        decoder_shape(config, cache.window), held, cache.keys_type or plain, cache.values_type or plain
    )
