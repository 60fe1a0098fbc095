"""What was measured on the small decoders: the record is of the shipped weights, drawn and worded as it stands."""

from xml.etree import ElementTree

import pytest

from acts.catalog import CACHE_TYPES
from acts.decoder import Decoder, measured
from acts.decoder.answers import share_right
from acts.decoder.chart import APART, Line, chart
from training.measure import QUESTIONS, share, types_of, verdicts
from training.runs import SEEDS, read_run

RECORD = measured.measured()


@pytest.mark.parametrize(("cache", "part"), [("bf16", "both"), ("mxfp4", "both"), ("q4_0", "keys")])
def test_the_record_of_a_type_is_that_of_the_shipped_weights(cache, part):
    again = share(verdicts(read_run("gqa", 0), 4, QUESTIONS, **types_of(part, cache)))
    assert RECORD["types"][cache][part]["4"] == pytest.approx(again, abs=0.003)


def test_the_record_of_dropping_and_of_the_window_is_that_of_the_shipped_weights():
    kept = RECORD["dropping"]["kept"]["age"]
    assert share_right(read_run("gqa", 0), 8, 96, budget=64) == pytest.approx(kept["64"]["right"], abs=0.2)
    near = [row for row in RECORD["window"]["distances"]["window"] if row["to"] <= 32]
    far = [row for row in RECORD["window"]["distances"]["window"] if row["from"] > 32]
    assert min(row["right"] for row in near) > 0.99
    assert max(row["right"] for row in far) < 0.05


def test_the_shipped_decoder_answers_sixteen_facts_among_others():
    assert share_right(Decoder.load("gqa"), 16, 96) >= 0.99
    assert RECORD["types"]["bf16"]["both"]["16"]["right"] >= 0.995


def test_sharing_costs_less_than_the_luck_of_a_training_run():
    """As the page says beside the chart."""
    for facts in ("4", "8", "16"):
        rows = [RECORD["sharing"][name][facts] for name in ("mha", "gqa", "mqa")]
        between = max(row["right"] for row in rows) - min(row["right"] for row in rows)
        within = max(max(row["seeds"]) - min(row["seeds"]) for row in rows)
        assert between <= within
    longest = [RECORD["sharing"][name]["24"]["right"] for name in ("mha", "gqa", "mqa")]
    assert longest == sorted(longest)


def test_enough_was_asked():
    unmeasured = set(CACHE_TYPES) - set(RECORD["types"])
    assert not unmeasured, f"measure {unmeasured} on the small decoder: python -m training.measure"
    for parts in RECORD["types"].values():
        for lengths in parts.values():
            assert sum(entry["questions"] for entry in lengths.values()) >= 2000
    for name in ("mha", "gqa", "mqa"):
        assert all(len(entry["seeds"]) == len(SEEDS[name]) >= 3 for entry in RECORD["sharing"][name].values())


@pytest.mark.parametrize("draw", [measured.sharing_chart, measured.window_chart, measured.dropping_chart])
def test_a_chart_is_an_image_with_a_name(draw):
    svg = ElementTree.fromstring(draw())
    assert svg.get("role") == "img"
    assert svg.get("aria-label").startswith("Answers right ")


def test_a_chart_is_drawn_to_scale_and_its_names_stand_apart():
    lines = [Line("one", "key", [(0, 0.1), (1, 0)]), Line("two & three", "value", [(0.5, 0), (0.99, 0)])]
    svg = ElementTree.fromstring(chart("Answers", "facts", ["4", "8"], lines))
    (first, second) = svg.findall("g")
    assert [line.get("points") for line in svg.iter("polyline")] == [
        "44.0,170 364.0,12",
        "44.0,91.0 364.0,13.6",
    ]
    names = [group.findall("text")[-1] for group in (first, second)]
    assert [name.text for name in names] == ["one", "two & three"]
    assert float(names[1].get("y")) - float(names[0].get("y")) == APART


def test_the_types_table_gives_shares_in_words():
    rows = {row["id"]: row for row in measured.type_rows()}
    assert set(rows) == set(CACHE_TYPES)
    assert all(row["both"].endswith("%") for row in rows.values())
    assert [measured.percent(share) for share in (1.0, 0.9986, 0.5)] == ["100%", "99.9%", "50%"]
