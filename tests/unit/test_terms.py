"""Words a software engineer may not know: each is explained where it first stands, by a card or in a phrase."""

from __future__ import annotations

import re

import pytest

from app.page import page_html
from app.terms import TERMS

#: How each term is written, and how it is explained where a phrase does so; else a button that opens its card does.
FIRST = {
    "token": (r"tokens?", ""),
    "layer": (r"layers?", ""),
    "weights": (r"weights", ""),
    "projection": (r"projections?", ""),
    "softmax": (r"softmax", ""),
    "logits": (r"logits", ""),
    "head": (r"heads?", ""),
    "head-dimension": (r"head dimension", ""),
    "hidden-size": (r"hidden size", ""),
    "prefill": (r"prefill", ""),
    "decode": (r"decode", ""),
    "ttft": (r"time to first token|TTFT", ""),
    "compute-bound": (r"compute-bound", ""),
    "memory-bound": (r"memory-bound", ""),
    "flop": (r"FLOP", r"A FLOP is one addition or one multiplication"),
    "units": (r"GB|[KMG]iB", ""),
    "activations": (r"activations", r"activations \(what a pass works out on the way\)"),
    "engine": (r"engines?", ""),
    "batch": (r"batch\w*", ""),
    "pool": (r"pool", ""),
    "block": (r"blocks?", ""),
    "tensor-parallel": (r"tensor.parallel\w*", r"tensor-parallel group, over which every layer is split"),
    "latent": (r"latent", r"latent, one vector per layer into which keys and values are squeezed"),
    "recurrent": (r"recurrent", ""),
    "scales": (r"a scale", r"keep a scale, a factor, for each few values"),
    "channel": (r"channels?", r"channels \(places in a head.s vector\)"),
    "draft": (r"draft\w*", ""),
    "schemes": (r"MHA has", r"MHA has a KV head for every query head"),
}
#: Words that a phrase explains and no card does.
PHRASES = {
    "key and value": (r"a key and a value", r"keeps two vectors, a key and a value"),
    "KV cache": (r"KV cache is", r"The KV cache is the memory in which a language model"),
    "query": (r"quer(?:y|ies)", r"give a query, a key and a value\. The query is scored"),
    "quadratic": (
        r"quadratic",
        r"quadratic in the length of the text \(twice the text, four times the work\)",
    ),
    "linear": (r"linear", r"instead of linear"),
}
# Not read on the way: navigation, what a deployment's panel sets, pictures' lettering, buttons of an act.
_ASIDE = re.compile(
    r'<nav.*?</nav>|<details class="(?:more )?deployment.*?</details>\s*</div>\s*</details>|<svg.*?</svg>'
    r"|<script.*?</script>|<style.*?</style>|<head>.*?</head>",
    re.DOTALL,
)


@pytest.fixture(scope="module")
def walk():
    """The page's text in reading order, with a mark before each button that opens a card."""
    html = _ASIDE.sub(" ", page_html())
    html = re.sub(r'<button type="button" class="term" popovertarget="term-([\w-]+)">', r"⟦\1⟧", html)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace(" ,", ",").replace(" .", ".")


def test_every_term_is_known_here():
    assert set(FIRST) == set(TERMS)


@pytest.mark.parametrize("term", [*FIRST, *PHRASES])
def test_a_term_is_explained_where_it_first_stands(walk, term):
    written, phrase = (FIRST | PHRASES)[term]
    first = re.search(rf"(?<![\w⟦-])(?:{written})(?![\w⟧-])", walk, re.IGNORECASE)
    assert first, f"{term} does not stand on the page"
    around = walk[max(0, first.start() - 90) : first.end() + 90]
    if phrase:
        assert re.search(phrase, around), around
    else:
        assert walk[: first.start()].endswith(f"⟦{term}⟧"), around
