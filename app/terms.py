"""The words of the field that a software engineer may not know: each explained once, shown where it "
"first stands."""

from __future__ import annotations

from dataclasses import dataclass

from acts.sizing import GIB, KIB, MIB
from acts.text import text_whole


@dataclass(frozen=True)
class Term:
    """A word of the field: its ``name`` and what it means, in a sentence or two."""

    name: str
    meaning: str


TERMS: dict[str, Term] = {
    "token": Term("Token", "A word or a piece of one: what a model reads and writes one at a time."),
    "layer": Term(
        "Layer",
        "One of the equal stages a token passes through, each with weights of its own. Attention is the "
        "part of a layer "
        "in which tokens look at one another.",
    ),
    "weights": Term(
        "Weights",
        "The numbers a model has learnt. They are the same for every user and do not change while it serves.",
    ),
    "projection": Term(
        "Projection",
        "A multiplication of a token's vector with a matrix of weights. Three of them make its query, "
        "its key and its value.",
    ),
    "softmax": Term(
        "Softmax",
        "Turns any numbers into shares that add up to one, larger numbers getting far larger shares.",
    ),
    "logits": Term(
        "Logits",
        "The scores the last layer gives to every word that could come next; the next token is chosen "
        "by them.",
    ),
    "head": Term(
        "Head",
        "Attention in a layer is done several times side by side, each time with queries, keys and "
        "values of its own: "
        "each of these is a head. A query head asks; a KV head holds the key and the value that are read.",
    ),
    "head-dimension": Term(
        "Head dimension",
        "How many numbers a query, a key or a value of one head has, as the model declares it.",
    ),
    "hidden-size": Term(
        "Hidden size",
        "How many numbers describe a token between two layers. It decides nothing about the cache.",
    ),
    "prefill": Term(
        "Prefill",
        "The pass in which the whole prompt goes through the model at once. It ends with the first "
        "token written.",
    ),
    "decode": Term("Decode", "The steps after it, each of which runs one token and writes the next."),
    "ttft": Term(
        "Time to first token (TTFT)",
        "How long a user waits before the answer begins: queueing and prefill. What comes after is set "
        "by decode.",
    ),
    "compute-bound": Term(
        "Compute-bound", "Waiting for arithmetic: the data are there sooner than the card has worked on them."
    ),
    "memory-bound": Term(
        "Memory-bound",
        "Waiting for memory: the card would work faster if weights and cache were delivered faster. Its "
        "bandwidth decides.",
    ),
    "flop": Term(
        "FLOP",
        "A floating-point operation, one addition or one multiplication; FLOP/s counts them per second.",
    ),
    "units": Term(
        "KiB, MiB and GiB",
        f"{text_whole(KIB)}, {text_whole(MIB)} and {text_whole(GIB)} bytes: powers of two, as memory is "
        "built. KB, MB and GB "
        "are powers of ten.",
    ),
    "activations": Term(
        "Activations",
        "What a model works out on the way, needed for a moment and then overwritten. An engine keeps "
        "room for the largest.",
    ),
    "engine": Term(
        "Engine", "The program that serves a model: vLLM, SGLang, llama.cpp, TensorRT-LLM and others."
    ),
    "batch": Term(
        "Batch", "The requests that go through the model in one step, one token each while they decode."
    ),
    "pool": Term(
        "Pool",
        "The memory an engine has set aside for the caches of all requests, handed out as they need it.",
    ),
    "block": Term(
        "Block", "A piece of that memory for a fixed number of tokens, handed out and taken back whole."
    ),
    "tensor-parallel": Term(
        "Tensor parallelism",
        "Every layer is split over several GPUs, each of which holds a share of its weights and of its "
        "KV heads.",
    ),
    "latent": Term(
        "Latent", "One short vector from which every head of a layer works out its own key and value (MLA)."
    ),
    "recurrent": Term(
        "Recurrent state",
        "What some layers keep instead of a cache: a fixed amount of numbers, rewritten with every token.",
    ),
    "scales": Term(
        "Scales",
        "Factors stored beside a group of numbers of few bits, by which they are multiplied when they "
        "are read.",
    ),
    "channel": Term(
        "Channel", "One place in a head's vector, the same for every token; some channels of keys run large."
    ),
    "draft": Term(
        "Draft",
        "Tokens guessed ahead by something cheap, all of which the model then checks in a single step.",
    ),
    "schemes": Term(
        "MHA, GQA, MQA and MLA",
        "Multi-head attention has a KV head for every query head, grouped-query attention one for "
        "several, multi-query "
        "attention one for all; multi-head latent attention keeps a latent instead.",
    ),
}
