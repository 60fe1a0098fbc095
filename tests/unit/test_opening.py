"""The opening's picture, and what the page says of itself."""

from __future__ import annotations

import json
import re

import pytest

from acts import Scenario, Wall
from app.about import AUTHOR, about, learning_resource
from app.opening import OPENING_STOPS, opening_frame
from app.page import document, make_acts


def drawn(context: int) -> dict:
    scenario = Scenario(context=context)
    return opening_frame(scenario, scenario.catalog)


@pytest.mark.parametrize("context", OPENING_STOPS)
def test_it_is_the_wall_s_own_count(context):
    frame = drawn(context)
    fit = Wall(Scenario(context=context)).max_users
    assert frame["users"] == str(fit)
    assert frame["bar"].count('class="is-cache" x') == fit + 1  # a slice each, and the word above them
    for x, width in re.findall(r'x="([\d.]+)%" width="([\d.]+)%"', frame["bar"]):
        assert 0 <= float(x) <= float(x) + float(width) <= 100.01


def test_from_57_users_down_to_3():
    assert [drawn(OPENING_STOPS[0])["users"], drawn(OPENING_STOPS[-1])["users"]] == ["57", "3"]
    assert drawn(OPENING_STOPS[0])["sentence"].endswith("57.0 GiB are left: 57 users fit.")


def test_the_page_says_what_it_is():
    assert learning_resource("")["author"]["name"] == AUTHOR
    assert "image" not in learning_resource("")
    assert learning_resource("https://example.org/")["image"] == "https://example.org/card.png"
    assert json.loads(about()["learning_resource"])["inLanguage"] == "en-GB"


def test_links_to_the_page_have_a_picture_once_its_address_is_known():
    unknown = document(make_acts())
    assert "og:title" in unknown
    assert "og:image" not in unknown
    known = document(make_acts(), address="https://example.org/kv/")
    assert '<meta property="og:image" content="https://example.org/kv/card.png">' in known
    assert '<link rel="canonical" href="https://example.org/kv/">' in known


def test_the_foot_says_where_the_source_is_once_that_is_known():
    source = "https://example.org/project"
    assert f'<a href="{source}">{source}</a>' in document(make_acts(), source=source)
    assert "Whoever\n    hosts this copy has its source" in document(make_acts())
