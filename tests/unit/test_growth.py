"""Growth: the request's arithmetic at every step, and the picture drawn from it."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from acts import Growth, Scenario
from acts.growth.frame import growth_frame
from acts.growth.layers import growth_bands
from acts.scenario import Catalog
from acts.sizing import LayerGroup, Shape

CATALOG = Catalog()


def at(step, prompt=8, generated=12, **scenario):
    return Growth(Scenario(**scenario), prompt=prompt, generated=generated, step=step)


def frame_of(shape, **values):
    """The frame of a model of ``shape``."""
    model = replace(CATALOG.models["llama-3-8b"], shape=shape)
    catalog = replace(CATALOG, models={"mine": model})
    return growth_frame(SimpleNamespace(**(Growth().state() | {"model": "mine"} | values)), catalog)


def columns(shown, *kinds):
    return sum(len(shown["sources"][kind]["left"]) for kind in kinds)


def test_request_from_first_to_last_step():
    prompt, generated = 5, 7
    for step in range(generated + 2):
        act = at(step, prompt, generated)
        steps = min(max(step - 1, 0), generated - 1)
        held = prompt + steps if 1 <= step <= generated else 0
        assert act.tokens_cached == held
        assert act.vectors_stored == 2 * 32 * 8 * held
        assert act.cache_bytes == 131_072 * held
        if step > 0:
            without = prompt + sum(prompt + i for i in range(1, steps + 1))
            assert act.recompute_avoided == without / (prompt + steps)


def test_a_request_takes_one_decode_step_fewer_than_it_writes_tokens():
    """Prefill writes the first token, and the last one is never run: 1,024 in and 256 out leave 1,279 cached."""
    last = at(256, 1024, 256)
    assert last.frame()["texts"]["phase"] == "decode step 255 of 255"
    assert last.tokens_cached == 1279
    assert last.recompute_avoided == pytest.approx(230.5, abs=0.05)
    assert "1,279 passes of a token through the model; without a cache 294,784" in last.frame()["sentence"]
    assert at(257, 1024, 256).frame()["texts"]["phase"] == "released"


def test_one_token_takes_no_decode_step():
    act = at(1, 6, 1)
    shown = act.frame()
    assert act.tokens_cached == 6
    assert shown["sources"]["ends"]["text"] == ["prefill", "0 decode steps"]
    assert shown["ranges"]["work-x"]["end"] > 0
    assert not any(shown["shown"][row] for row in ("ledger-first", "ledger-present", "ledger-last"))
    assert at(2, 6, 1).frame()["texts"]["phase"] == "released"


@pytest.mark.parametrize("generated", [1, 2, 3, 4, 10])
def test_rows_of_the_ledger_never_share_a_name(generated):
    for step in range(generated + 2):
        shown = at(step, 6, generated).frame()
        rows = [row for row in ("first", "present", "last") if shown["shown"][f"ledger-{row}"]]
        names = [shown["texts"][f"{row}-name"].removesuffix(", now") for row in rows]
        assert len(names) == len(set(names)) == len(rows)
        now = [row for row in ("prefill", *rows) if shown["texts"][f"{row}-name"].endswith(", now")]
        assert len(now) == (1 if 1 <= step <= generated else 0)


def test_nothing_is_avoided_by_prefill_alone():
    for prompt in (1, 8, 4096):
        assert at(1, prompt).recompute_avoided == 1
    assert at(0).recompute_avoided == 1


def test_each_decode_step_avoids_more():
    ratios = [at(step).recompute_avoided for step in range(1, 13)]
    assert all(later > earlier for earlier, later in pairwise(ratios))
    assert at(13).recompute_avoided == ratios[-1]


@pytest.mark.parametrize("step", [0, 13])
def test_before_and_after_the_request_nothing_is_held(step):
    act = at(step, model="qwen3.5-27b")
    shown = act.frame()
    assert (act.tokens_cached, act.vectors_stored, act.cache_bytes) == (0, 0, 0)
    assert columns(shown, "prompt", "generated", "dropped", "strips", "queries") == 0
    assert shown["sources"]["reach"]["x0"] == []


def test_recurrent_state_is_held_while_the_request_lasts():
    growth = 16 * 2 * 4 * 256 * 2
    assert at(1, 8, model="qwen3.5-27b").cache_bytes == 153_944_064 + 8 * growth


def test_cells_are_tokens_times_rows_drawn():
    shown = at(6).frame()
    rows = 2 * 2
    assert columns(shown, "prompt") == 8 * rows
    assert columns(shown, "generated") == 5 * rows
    assert columns(shown, "dropped") == 0
    assert len(shown["sources"]["reach"]["x0"]) == 13
    assert shown["sources"]["labels"]["text"] == ["layer 1", "30 more", "layer 32"]


def test_prefill_asks_with_every_prompt_token_and_decode_with_one():
    assert columns(at(1).frame(), "queries") == 8
    assert columns(at(2).frame(), "queries") == 1


@pytest.mark.parametrize("model", CATALOG.models)
def test_the_longest_request_stays_a_small_picture(model):
    shown = at(1024, 4096, 1024, model=model).frame()
    assert columns(shown, "prompt", "generated", "dropped") < 600
    assert len(shown["sources"]["path"]["x"]) <= 61
    assert shown["sources"]["path"]["with"][-1] == 5119
    assert max(shown["sources"]["prompt"]["right"]) <= 4096


def test_work_lines_reach_the_present_step():
    shown = at(900, 100, 1000).frame()["sources"]
    assert shown["walked"]["x"][-1] == shown["points"]["x"][0] == 899
    assert shown["points"]["y"] == [999, 100 + sum(100 + i for i in range(1, 900))]
    assert shown["path"]["x"][-1] == 999


def test_windows_drop_the_oldest_tokens():
    act = at(101, 100, 200, model="gpt-oss-20b")
    shown = act.frame()
    assert act.tokens_cached == 200
    assert act.vectors_stored == 2 * 8 * (12 * 200 + 12 * 128)
    dropped = shown["sources"]["dropped"]
    assert max(dropped["right"]) < 200 - 128 < max(dropped["right"]) + 1
    assert shown["shown"]["windows"]
    # The topmost layer keeps everything, so the query reaches every column.
    assert shown["sources"]["note"]["text"] == ["the new query reads all 200 keys and values"]


def test_a_window_in_every_layer_limits_the_reach():
    act = at(1024, 4096, 1024, model="mistral-7b-v0.1")
    shown = act.frame()
    assert act.tokens_cached == 4096
    assert act.cache_bytes == 536_870_912
    assert "what is kept of 5,118 earlier ones" in shown["sentence"]
    assert shown["sources"]["note"]["text"] == ["the new query reads 4,096 keys and values"]
    assert min(shown["sources"]["reach"]["x1"]) > 1024


def test_a_latent_is_one_row_and_one_vector():
    act = at(1, 8, model="deepseek-v3")
    assert act.vectors_stored == 61 * 8
    assert act.frame()["sources"]["letters"]["text"] == ["Q", "KV", "KV"]


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 80])
def test_every_layer_is_drawn_or_counted(layers):
    labels = [
        band["label"] for band in growth_bands(Shape((LayerGroup(layers, 8, 128, 128),), 8, layers, 0, 0))
    ]
    drawn = [label for label in labels if label.startswith("layer")]
    assert labels[-1] == f"layer {layers}"
    assert len(drawn) == min(layers, 2)
    assert sum(int(label.split()[0]) for label in labels if "more" in label) == layers - len(drawn)


def test_unusual_layers_are_drawn_without_failing():
    cross = LayerGroup(8, 8, 128, 128, fixed_tokens=1601, kind="cross")
    compressed = LayerGroup(30, 1, 512, 0, stride=4, kind="latent")
    indexer = LayerGroup(30, 1, 128, 0, record_bytes=132, kind="indexer")
    shown = frame_of(Shape((cross, compressed, indexer), 32, 60, 0, 0), prompt=10, generated=4, step=3)
    assert shown["sources"]["labels"]["text"] == ["8 cross", "30 latent", "30 indexer"]
    # Twelve tokens fill three entries of four; cross-attention holds its entries over the whole width.
    cells = shown["sources"]["prompt"]
    latent = [x for x, role in zip(cells["right"], cells["role"], strict=True) if role == "cache"]
    assert max(latent) < 12
    five = frame_of(Shape((cross,) * 5, 32, 60, 0, 0), step=3)
    assert five["shown"]["groups"]
    mute = frame_of(Shape((LayerGroup(4, 0, 128, 128), LayerGroup(4, 8, 0, 0)), 32, 48, 0, 0), step=3)
    assert mute["readouts"]["vectors-stored"]["value"] == 0
    assert mute["sources"]["labels"]["text"] == []
    none = frame_of(Shape((), 32, 48, 0, 0, state_bytes=1000), step=3)
    assert none["readouts"]["cache-bytes"]["value"] == 1000
    assert none["sources"]["labels"]["text"] == []


def test_words_stand_under_the_text_that_the_small_decoder_reads_and_the_next_one_is_marked():
    act = Growth(text="Ada has the red key . Ada has the", generated=6, step=1)
    assert act.prompt == 10
    words = act.frame()["sources"]["words"]
    assert words["text"] == [*["<s>", "Ada", "has", "the", "red", "key", ".", "Ada", "has", "the", "red"]]
    for step in range(1, 7):
        act.step = step
        words = act.frame()["sources"]["words"]
        assert words["role"] == ["ink"] * (9 + step) + ["query"]
    act.step = 7
    assert act.frame()["sources"]["words"]["role"] == ["ink"] * 16
    act.prompt = 9
    assert act.frame()["sources"]["words"]["text"] == []


def test_the_newest_query_s_widest_line_goes_to_the_word_it_repeats():
    act = Growth(text="Ada has the red key . Ben has the blue box . Ada has the", step=1)
    widths = act.frame()["sources"]["reach"]["width"]
    assert widths.index(max(widths)) == 4
    assert max(widths) > 5 * sorted(widths)[-2]


def test_a_text_of_other_words_is_refused_with_the_list():
    with pytest.raises(
        ValueError, match="text cannot be used: quickly: not in this model's vocabulary, which is"
    ):
        Growth(text="Ada runs quickly".replace("runs", "has"))
    with pytest.raises(ValueError, match="text has 0 words; give from 1 to 60"):
        Growth(text=" ")


def test_a_shorter_request_is_shown_whole():
    act = at(13)
    act.generated = 4
    assert act.step == 4
    assert act.tokens_cached == 11
    assert Growth(prompt=6, generated=3, step=8).tokens_cached == 8


@pytest.mark.parametrize(
    ("name", "bad", "allowed"),
    [
        ("prompt", 0, "a whole number from 1 to 4,096"),
        ("prompt", 2.5, "a whole number from 1 to 4,096"),
        ("generated", 5000, "a whole number from 1 to 1,024"),
        ("step", -1, "a whole number from 0 to 1,026"),
        ("speed", "warp", "slow, normal, fast"),
    ],
)
def test_an_impossible_value_is_refused_by_name(name, bad, allowed):
    with pytest.raises(ValueError, match=f"{name} cannot be {bad!r}.*{allowed}"):
        Growth(**{name: bad})


def test_the_picture_takes_the_frame():
    act = Growth()
    figures = act.figures()
    assert set(figures) == set(act.frame()["figures"])
    named = {model.name for plot in figures.values() for model in plot.references() if model.name}
    assert {f"growth:{name}" for name in act.frame()["sources"]} <= named
    assert {f"growth:{name}" for name in act.frame()["ranges"]} <= named


def test_without_a_cache_every_token_is_run_again_and_nothing_is_kept():
    act = Growth(Scenario(), prompt=8, generated=12, step=4, cached=False)
    assert (act.tokens_cached, act.vectors_stored, act.cache_bytes, act.recompute_avoided) == (0, 0, 0, 1)
    frame = act.frame()
    with_cache = at(4).frame()
    # 8 + 3 tokens stand at decode step 3, of which a cache spares all but one.
    assert columns(frame, "queries") == 11
    assert columns(with_cache, "queries") == 1
    assert columns(frame, "prompt", "generated") == 0
    assert columns(frame, "dropped") == columns(with_cache, "prompt", "generated", "dropped") > 0
    assert len(frame["sources"]["reach"]["x0"]) == len(with_cache["sources"]["reach"]["x0"])
    assert "ran all 11 tokens again" in frame["sentence"]
    assert "So far 38 passes of a token through the model; with a cache 11." in frame["sentence"]
    assert frame["shown"]["uncached"]
    assert not with_cache["shown"]["uncached"]


@pytest.mark.parametrize("step", [0, 1, 13])
def test_without_a_cache_a_request_begins_and_ends_empty(step):
    act = Growth(Scenario(), prompt=8, generated=12, step=step, cached=False)
    assert act.cache_bytes == 0
    words = {0: "Nothing is cached yet", 1: "runs every token again", 13: "took 162 passes"}
    assert words[step] in act.frame()["sentence"]
