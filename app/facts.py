"""Every number the prose prints: worked out from the sizing model and the catalog, or quoted with its source.

Templates see one :class:`Facts` as ``facts``. Bytes are bytes, counts are whole numbers, times are seconds;
how a number is written is the template's business (the ``text_`` functions of :mod:`acts.text`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from acts import sizing
from acts.deployment import TYPICAL_RESERVE
from acts.scenario import Catalog

from .terms import TERMS


@dataclass(frozen=True)
class Source:
    """Something the prose rests on: its ``name`` in the list, what it is cited for, its address."""

    name: str
    about: str
    url: str


@dataclass(frozen=True)
class Quote:
    """A figure as its source gives it, not worked out here."""

    text: str
    source: str


def _arxiv(number: str, name: str, about: str) -> Source:
    return Source(name, about, f"https://arxiv.org/abs/{number}")


SOURCES: dict[str, Source] = {
    "transformer": _arxiv(
        "1706.03762", "Vaswani and others, Attention Is All You Need (2017)", "queries, keys and values"
    ),
    "mqa": _arxiv("1911.02150", "Shazeer, One Write-Head Is All You Need (2019)", "multi-query attention"),
    "gqa": _arxiv(
        "2305.13245", "Ainslie and others, GQA (2023)", "grouped heads, and how to retrain for them"
    ),
    "mla": _arxiv("2405.04434", "DeepSeek-AI, DeepSeek-V2 (2024)", "multi-head latent attention"),
    "window": _arxiv("2310.06825", "Jiang and others, Mistral 7B (2023)", "sliding-window attention"),
    "paged": _arxiv("2309.06180", "Kwon and others, PagedAttention (2023)", "the cache in blocks"),
    "roofline": _arxiv(
        "2402.16363", "Yuan and others, LLM Inference Unveiled (2024)", "the roofline of prefill and decode"
    ),
    "nanovlm": Source(
        "Hugging Face, KV Cache from scratch in nanoVLM (2025)",
        "what a cache does to the clock",
        "https://huggingface.co/blog/kv-cache",
    ),
    "scaling": Source(
        "Austin and others, How to Scale Your Model (2025), chapter on inference",
        "arithmetic intensity of decode",
        "https://jax-ml.github.io/scaling-book/inference/",
    ),
    "kivi": _arxiv(
        "2402.02750", "Liu and others, KIVI (2024)", "why keys and values are quantised differently"
    ),
    "kvquant": _arxiv("2401.18079", "Hooper and others, KVQuant (2024)", "caches below 4 bits per value"),
    "speculative": _arxiv(
        "2211.17192", "Leviathan and others, Speculative Decoding (2022)", "drafts and acceptance"
    ),
    "specquant": _arxiv(
        "2505.22179",
        "Zhang and others, Speculative Decoding Meets Quantization (2025)",
        "where the two collide",
    ),
    "quantspec": _arxiv("2502.10424", "Tiwari and others, QuantSpec (2025)", "drafting from a 4-bit cache"),
    "streaming": _arxiv(
        "2309.17453", "Xiao and others, StreamingLLM (2023)", "keeping the first tokens and the newest"
    ),
    "h2o": _arxiv(
        "2306.14048", "Zhang and others, H2O (2023)", "keeping the tokens that received most attention"
    ),
    "quest": _arxiv("2406.10774", "Tang and others, Quest (2024)", "reading only the pages a query needs"),
    "fp8": Source(
        "vLLM, The State of FP8 KV-Cache and Attention Quantization (2026)",
        "measured quality of an FP8 cache",
        "https://vllm.ai/blog/fp8-kvcache",
    ),
    "vllm-args": Source(
        "vLLM documentation, Engine Arguments",
        "the knobs and their defaults",
        "https://docs.vllm.ai/en/stable/configuration/engine_args/",
    ),
    "vllm-preemption": Source(
        "vLLM documentation, Optimization and Tuning",
        "what happens when the cache runs out",
        "https://docs.vllm.ai/en/stable/configuration/optimization/",
    ),
    "vllm-prefix": Source(
        "vLLM documentation, Automatic Prefix Caching",
        "blocks found again by their hash",
        "https://docs.vllm.ai/en/latest/design/prefix_caching/",
    ),
    "vllm-concurrency": Source(
        "vLLM issue 8031",
        "what the logged maximum concurrency counts",
        "https://github.com/vllm-project/vllm/issues/8031",
    ),
    "vllm-cache": Source(
        "vLLM documentation, CacheConfig",
        "defaults of the cache: share of the card, block size, prefix caching, types",
        "https://docs.vllm.ai/en/stable/api/vllm/config/cache/",
    ),
    "vllm-share": Source(
        "vLLM pull request 38284",
        "the share of the card raised to 92%, CUDA graphs taken off before the cache",
        "https://github.com/vllm-project/vllm/pull/38284",
    ),
    "vllm-length": Source(
        "vLLM issue 8185",
        "why a lower maximum length used to leave more blocks",
        "https://github.com/vllm-project/vllm/issues/8185",
    ),
    "vllm-hybrid": Source(
        "vLLM issue 40696",
        "blocks of 528 tokens in a hybrid model",
        "https://github.com/vllm-project/vllm/issues/40696",
    ),
    "vllm-auto": Source(
        "vLLM pull request 29980",
        "a cache type that comes with the checkpoint",
        "https://github.com/vllm-project/vllm/pull/29980",
    ),
    "vllm-context": Source(
        "vLLM documentation, Context Parallel Deployment",
        "one sequence's cache split over GPUs by tokens",
        "https://docs.vllm.ai/en/latest/serving/context_parallel_deployment/",
    ),
    "sglang-context": Source(
        "SGLang documentation, Decode Context Parallelism",
        "a latent split over GPUs by tokens",
        "https://docs.sglang.io/docs/advanced_features/dcp.md",
    ),
    "vllm-drafts": Source(
        "vLLM documentation, Speculative Decoding",
        "ways to draft, with and without a model",
        "https://docs.vllm.ai/en/latest/features/speculative_decoding/",
    ),
    "eagle": _arxiv("2401.15077", "Li and others, EAGLE (2024)", "drafting with a single layer"),
    "llm-d": Source(
        "llm-d, vLLM Empirical Test Results",
        "what vLLM set aside for activations, model by model",
        "https://github.com/llm-d/llm-d-benchmark/blob/main/config_explorer/empirical-vllm-memory-results.md",
    ),
    "sglang-gib": Source(
        "vLLM issue 21348",
        "an SGLang log that prints GB and means GiB",
        "https://github.com/vllm-project/vllm/issues/21348",
    ),
    "mlx-keys": Source(
        "mlx-lm pull request 1550",
        "8-bit keys with 4-bit values, measured",
        "https://github.com/ml-explore/mlx-lm/pull/1550",
    ),
    "llamacpp-cpu": Source(
        "llama.cpp issue 28633",
        "cache types that move attention to the CPU without a word",
        "https://github.com/ggml-org/llama.cpp/issues/28633",
    ),
    "llamacpp-slots": Source(
        "llama.cpp pull request 17997",
        "slots on one unified cache unless their number is given",
        "https://github.com/ggml-org/llama.cpp/pull/17997",
    ),
    "llamacpp-flash": Source(
        "llama.cpp issue 28524",
        "a quantised value cache needs flash attention, and which pairs of types a default build has",
        "https://github.com/ggml-org/llama.cpp/issues/28524",
    ),
    "llamacpp-server": Source(
        "llama.cpp, server manual",
        "slots and their share of the context",
        "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    ),
    "gemini-prices": Source(
        "Google, Gemini API pricing",
        "a provider that charges more per token for long prompts",
        "https://ai.google.dev/gemini-api/docs/pricing",
    ),
    "deepseek-v3": _arxiv(
        "2412.19437", "DeepSeek-AI, DeepSeek-V3 (2024)", "experts, and how many a token is sent to"
    ),
    "head-dim": Source(
        "LMCache issue 688",
        "a calculator that guessed the head dimension",
        "https://github.com/LMCache/LMCache/issues/688",
    ),
}

QUOTES: dict[str, Quote] = {
    "uptraining": Quote("5% of the original pre-training compute", "gqa"),
    "paging": Quote("two to four times the throughput", "paged"),
    "fp8": Quote("94 to 99% of the 16-bit scores", "fp8"),
    "long-prompts": Quote("beyond 200,000 tokens of prompt", "gemini-prices"),
    "nanovlm": Quote("38% faster", "nanovlm"),
    "activations": Quote("4.8 to 7.4 GiB", "llm-d"),
    "attention-cpu": Quote("from about 34 tokens per second to between 659 and 1,094", "llamacpp-cpu"),
    "keys": Quote("about 0.5% of perplexity against 8 bits for both", "mlx-keys"),
    "drafts": Quote("more than 90% of drafts accepted", "quantspec"),
}


class Facts:
    """The prose's numbers; its examples ``prompt``, ``answer``, ``context``, ... are in tokens."""

    gib = sizing.GIB
    gb = 10**9
    thousand = 1000
    prompt = 1024
    answer = 256
    context = 8192
    short_context = 2048
    long_context = 131072
    long_model = "llama-3.1-8b"  # made for long_context; otherwise of the same shape as Llama 3 8B
    batch = 32
    odd_request = 1000
    block = 16  # vLLM's default block size, tokens: SOURCES["vllm-args"]
    slots = 4
    usable_percent = sizing.UTILISATION_PERCENT
    vllm_percent = 92  # vLLM's default since v0.21: SOURCES["vllm-share"]
    vllm_percent_before = 90
    hybrid_block = 528  # tokens, as vLLM set it for Qwen3.5 4B: SOURCES["vllm-hybrid"]
    reserve = TYPICAL_RESERVE  # GiB per card
    sources = SOURCES
    quotes = QUOTES
    terms = TERMS
    experts = 256  # of which each token of DeepSeek-V3 is sent to 8: SOURCES["deepseek-v3"]
    experts_chosen = 8
    expert_batch = 32

    def __init__(self) -> None:
        self.catalog = Catalog()

    def name(self, model: str) -> str:
        """The model's name."""
        return self.catalog.models[model].name

    def shape(self, model: str) -> sizing.Shape:
        """The model's shape."""
        return self.catalog.models[model].shape

    def group(self, model: str) -> sizing.LayerGroup:
        """The model's first group of layers: all of them in a plain model."""
        return self.shape(model).groups[0]

    def value_bytes(self, cache: str = "bf16") -> float:
        """Bytes one cached value takes, scales included: 2 for 16 bits, 0.5625 for q4_0."""
        kind = self.catalog.caches[cache]
        return kind.block_bytes / kind.block_values

    def smaller_by(self, cache: str) -> float:
        """How many times smaller than 16 bits a cache type is, scales included."""
        return self.value_bytes() / self.value_bytes(cache)

    def token_bytes(self, model: str, cache: str = "bf16") -> int:
        """Bytes one more token adds while every window still has room."""
        kind = self.catalog.caches[cache]
        return sizing.bytes_per_token(self.shape(model), kind, kind)

    def held_at_end(self, model: str) -> int:
        """Bytes the example request holds when its last token is written, which itself is never run or cached."""
        return self.sequence_bytes(model, self.passes(True))

    def all_heads_token_bytes(self, model: str) -> int:
        """Bytes a token would add at 16 bits if every query head had a key and a value of its own."""
        shape = self.shape(model)
        groups = tuple(
            replace(
                group,
                num_kv_heads=shape.num_attention_heads,
                key_width=group.full_key_width or group.key_width,
                value_width=group.full_value_width or group.value_width,
            )
            for group in shape.groups
        )
        kind = self.catalog.caches["bf16"]
        return sizing.bytes_per_token(replace(shape, groups=groups), kind, kind)

    def saving(self, model: str) -> float:
        """Times smaller a token's cache is than with a key and a value for every query head."""
        return self.all_heads_token_bytes(model) / self.token_bytes(model)

    def sequence_bytes(self, model: str, tokens: int, cache: str = "bf16") -> int:
        """Bytes one sequence of ``tokens`` tokens holds."""
        kind = self.catalog.caches[cache]
        return sizing.bytes_per_sequence(self.shape(model), tokens, kind, kind)

    def growth_bytes(self, model: str) -> int:
        """Bytes one more token adds at 16 bits once every window is full."""
        kind = self.catalog.caches["bf16"]
        return sizing.growth_bytes_per_token(self.shape(model), kind, kind)

    def fixed_bytes(self, model: str) -> int:
        """Bytes a sequence holds at 16 bits that do not grow: full windows and recurrent state."""
        kind = self.catalog.caches["bf16"]
        return sizing.fixed_bytes_per_sequence(self.shape(model), kind, kind)

    def vectors_per_token(self, model: str) -> int:
        """Head vectors (keys and values of all layers and KV heads) one token leaves."""
        return sizing.vectors_stored(self.shape(model), 1)

    def window(self, model: str) -> int:
        """Tokens the model's windowed layers keep."""
        return max(group.window or 0 for group in self.shape(model).groups)

    def windowed_layers(self, model: str) -> int:
        """Layers that keep no more than a window."""
        return sum(group.layers for group in self.shape(model).groups if group.window is not None)

    def latent_width(self, model: str) -> int:
        """Values of the one latent a layer of the model caches for a token."""
        return self.group(model).key_width

    def passes(self, cached: bool) -> int:
        """Passes of a token through the model for the example request, with or without a cache."""
        return sizing.forwarded_tokens(self.prompt, self.answer, cached)

    def recompute_avoided(self) -> float:
        """Times fewer passes of a token with a cache, over the whole example request; not a gain in time."""
        return sizing.recompute_avoided(self.prompt, self.answer)

    def weights_bytes(self, model: str, weights: str = "bf16") -> int:
        """Bytes of the model's weights."""
        return sizing.weights_bytes(self.shape(model).parameters, self.catalog.weights[weights].bits)

    def times_larger(self, model: str, other: str) -> float:
        """Parameters of ``model`` over those of ``other``."""
        return self.shape(model).parameters / self.shape(other).parameters

    def card_bytes(self, gpu: str = "80gb") -> int:
        """Bytes of the card as its driver reports them."""
        return self.catalog.gpus[gpu].memory

    def usable_bytes(self, gpu: str = "80gb") -> int:
        """Bytes of the card an engine gives to weights and cache, no activation reserve taken off."""
        return sizing.usable_bytes(self.card_bytes(gpu))

    def free_bytes(self, model: str, gpu: str = "80gb", weights: str = "bf16", reserve: float = 0) -> int:
        """Bytes left for the cache on one card; ``reserve`` GiB set aside for activations."""
        usable = sizing.usable_bytes(self.card_bytes(gpu), int(reserve * sizing.GIB))
        return sizing.free_bytes(usable, self.weights_bytes(model, weights))

    def users(self, model: str, tokens: int, cache: str = "bf16", **deployment: Any) -> int:
        """Sequences of ``tokens`` tokens that fit on one card; ``deployment`` as for :meth:`free_bytes`."""
        return sizing.max_users(
            self.free_bytes(model, **deployment), self.sequence_bytes(model, tokens, cache)
        )

    def reaches(self, model: str, tokens: int) -> bool:
        """Whether the model itself is made for ``tokens`` tokens."""
        return self.max_context(model) >= tokens

    def max_context(self, model: str) -> int:
        """The longest context the model declares, in tokens."""
        return self.catalog.models[model].max_context

    def crossover(self, model: str, weights: str = "bf16", cache: str = "bf16") -> int:
        """Cached tokens, over all users, beyond which the cache outweighs the weights."""
        kind = self.catalog.caches[cache]
        return sizing.crossover_tokens(self.shape(model), self.weights_bytes(model, weights), kind, kind)

    def crossover_users(self, model: str, tokens: int = context, weights: str = "bf16") -> int:
        """Fewest users of ``tokens`` tokens whose 16-bit cache outweighs the weights."""
        return sizing.ceil_div(self.crossover(model, weights) + 1, tokens)

    def thousands(self, count: int) -> int:
        """``count`` to the nearest thousand, for a figure given as "about"."""
        return (count + 500) // 1000 * 1000

    def bits(self, weights: str) -> float:
        """Bits a weight takes."""
        return self.catalog.weights[weights].bits

    def bandwidth(self, gpu: str = "h100-80gb") -> int:
        """Bytes a second the card's memory delivers, as its vendor states it."""
        return self.catalog.gpus[gpu].bandwidth

    def step_seconds(self, model: str, tokens: int, users: int = 1, gpu: str = "h100-80gb") -> float:
        """Least time of a decode step: the weights and every user's cache read once."""
        read = self.weights_bytes(model) + users * self.sequence_bytes(model, tokens)
        return sizing.step_seconds(read, self.bandwidth(gpu))

    def experts_read(self, tokens: int) -> float:
        """Experts of a DeepSeek-V3 layer that a step of ``tokens`` tokens reads if each picks its own evenly."""
        missed = (1 - self.experts_chosen / self.experts) ** tokens
        return self.experts * (1 - missed)

    def ridge(self, gpu: str = "h100-80gb") -> float:
        """FLOP a byte from which on the card is limited by arithmetic."""
        card = self.catalog.gpus[gpu]
        return sizing.ridge_point(card.peak_flops, card.bandwidth)

    def weight_intensity(self, users: int) -> float:
        """FLOP a weight byte in a decode step of 16-bit weights."""
        return sizing.weight_intensity(users, 16)

    def attention_intensity(self, model: str) -> float:
        """FLOP a cache byte in a decode step at 16 bits, whatever the batch."""
        kind = self.catalog.caches["bf16"]
        return sizing.attention_intensity(self.shape(model), kind, kind)

    def blocks(self, tokens: int) -> int:
        """Blocks of the default size a sequence of ``tokens`` tokens takes."""
        return sizing.ceil_div(tokens, self.block)
