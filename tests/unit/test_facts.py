"""The prose: its numbers are the sizing model's, its markup is sound, nothing in it is typed in by hand."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from acts import ACTS
from acts.bundle import shared_environment
from app.facts import QUOTES, SOURCES, Facts

PROSE = Path(__file__).parents[2] / "app" / "prose"
PARTIALS = ("intro", *(f"after_{act.id}" for act in ACTS[:-1]), "reference")

# Digits that are part of a name, not a number the model could work out.
NAMES = r"Qwen3|DeepSeek-V3\.2|H[12]00|FP8|INT[48]|q[48]_0|(?:4|8|16)-bit|30B|16 bits|since v0\.21|to v0\.20"


def markup(partial: str) -> str:
    return shared_environment().get_template(f"prose/{partial}.html").render(facts=Facts())


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", re.sub(r"</t[hd]>", " ", html)).split())


@pytest.fixture(scope="module")
def prose() -> str:
    return words("".join(markup(partial) for partial in PARTIALS))


@pytest.fixture(scope="module")
def facts() -> Facts:
    return Facts()


@pytest.mark.parametrize(
    "sentence",
    [
        "sets aside 128 KiB for every token (a KiB is a power of two); a conversation of 8,192 tokens, a dozen pages, "
        "occupies 1 GiB",
        "an answer of 256 that makes 294,784 passes of a token through the model instead of 1,279, 230.5 times as many",
        "A GiB is 1,073,741,824 bytes, a GB 1,000,000,000: 7.4% apart",
        "a key and a value per KV head and token, 128 MiB in all",
        "appends 512 vectors, a key and a value for each KV head of each layer: 128 KiB",
        "takes 5.1 ms to deliver both",
        "at 131,072 tokens, which Llama 3.1 8B can hold, it is 9.9 ms",
        "the cache ends at 1,279 tokens, 159.9 MiB",
        "32 tokens that choose evenly keep 163 of them busy",
        "Llama 3.1 70B GQA 320 KiB 2.5 MiB 2.5 GiB 40 GiB",
        "Llama 2 7B MHA 512 KiB 512 KiB limit 4K limit 4K",
        "32 requests of 8,192 tokens fill 80 GiB",
        "stays at 70,272 bytes; with a key and a value for every head it would take 71 times as much",
        "An 80 GiB card with 90% of it usable offers 72 GiB",
        "takes 15.0 GiB and leaves 57.0 GiB. Ideally that is 57 users at 8,192 tokens. Llama 3.1 8B, "
        "of the same shape but made for 131,072 tokens, has room for 3 users of that length",
        "choice. vLLM took 90% by default for years and takes 92% since v0.21",
        "set 4.9 GiB aside for Llama 3.1 8B; the same sum then gives 51",
        "If yours stop at 2,048, 4 times as many fit: the 57 become 228",
        "131.4 GiB ÷ 320 KiB, about 431,000 tokens",
        "Llama 3 70B 4 bits 32.9 GiB",
        "q8_0 1.88× and q4_0 3.56×",
        "8× for Llama 3 70B, 71× for Falcon 7B",
        "1,000 tokens take 63 blocks of 16, room for 1,008",
    ],
)
def test_numbers_in_print(prose, sentence):
    assert sentence in prose


def test_numbers_by_hand(facts):
    """The same figures from first principles, without the sizing model."""
    assert facts.token_bytes("llama-3-70b") == 80 * 8 * (128 + 128) * 2
    assert facts.token_bytes("deepseek-v3") == 61 * (512 + 64) * 2
    assert facts.all_heads_token_bytes("deepseek-v3") == 61 * 128 * (128 + 64 + 128) * 2
    assert facts.all_heads_token_bytes("llama-3-8b") == facts.token_bytes("llama-2-7b") == 512 * 1024
    assert facts.fixed_bytes("gemma-3-27b") == 52 * 1024 * 16 * (128 + 128) * 2
    assert facts.passes(False) == sum(1024 + written for written in range(256))
    assert facts.crossover("llama-3-70b") == 70_553_706_496 * 2 // (80 * 8 * 256 * 2)
    assert facts.thousands(430_625) == 431_000
    assert facts.step_seconds("llama-3-8b", 8192) == pytest.approx((8_030_261_248 * 2 + 2**30) / 3.35e12)
    assert facts.users("llama-3-8b", 8192, cache="fp8") == 114
    assert facts.users("llama-3-8b", 131072, cache="fp8") == 7
    assert [
        facts.users("llama-3-70b", 32768, cache, weights="int4") for cache in ("bf16", "fp8", "q4_0")
    ] == [3, 7, 13]
    assert facts.attention_intensity("llama-2-7b") == 1
    assert facts.attention_intensity("llama-3-8b") == 4


@pytest.mark.parametrize(("users", "outweighs"), [(52, False), (53, True)])
def test_crossover_is_where_the_cache_outweighs_the_weights(facts, users, outweighs):
    assert facts.crossover_users("llama-3-70b") == 53
    cache = users * facts.sequence_bytes("llama-3-70b", 8192)
    assert (cache > facts.weights_bytes("llama-3-70b")) is outweighs


@pytest.mark.parametrize("path", sorted(PROSE.glob("*.html")), ids=lambda path: path.stem)
def test_no_number_is_typed_in(path):
    text = re.sub(
        r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^>]*>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert re.findall(r"\S*\d\S*", re.sub(rf"\b(?:{NAMES})\b", "", text)) == []


def test_every_partial_is_known():
    assert {path.stem for path in PROSE.glob("*.html")} == {*PARTIALS, "parts", "terms"}


def test_length():
    """What is read from top to bottom; what is folded is opened by whoever wants to know."""
    walk = re.sub(
        r"<details.*?</details>", "", "".join(markup(partial) for partial in PARTIALS), flags=re.DOTALL
    )
    assert 700 <= len(words(walk).split()) <= 1200


def test_no_false_promise(prose):
    assert "O(1)" not in prose
    assert "Ideally" in prose


class Outline(HTMLParser):
    """Headings and tables of a fragment."""

    def __init__(self, html: str):
        super().__init__()
        self.levels: list[int] = []
        self.tables = self.captions = self.regions = 0
        self.loose_headers: list[str] = []
        self.ids: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        self.tables += tag == "table"
        self.captions += tag == "caption"
        scrolls = (
            given.get("class") == "table-scroll"
            and given.get("tabindex") == "0"
            and given.get("role") == "region"
        )
        self.regions += scrolls and bool(given.get("aria-label"))
        if tag == "th" and given.get("scope") not in ("row", "col"):
            self.loose_headers.append(str(attrs))
        if "id" in given:
            self.ids.append(given["id"])


@pytest.mark.parametrize("partial", PARTIALS)
def test_markup(partial):
    outline = Outline(markup(partial))
    assert outline.levels[0] == 2
    assert all(after - before <= 1 for before, after in zip(outline.levels, outline.levels[1:], strict=False))
    assert outline.tables == outline.captions == outline.regions
    assert outline.loose_headers == []
    assert len(outline.ids) == len(set(outline.ids))


def test_sources():
    addresses = [source.url for source in SOURCES.values()]
    assert len(addresses) == len(set(addresses))
    assert all(address.startswith("https://") for address in addresses)
    assert {quote.source for quote in QUOTES.values()} <= set(SOURCES)
    cited = "".join(markup(partial) for partial in PARTIALS).split('id="sources"')[0]
    assert [address for address in addresses if address not in cited] == []
