"""A model of one's own: read from a config.json in the page, alike in both languages, and carried by the link."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from acts import ACTS, Heads, Scenario, Wall
from acts.bounds import DEFAULTS
from acts.bundle import runtime_script
from acts.config import read_config, read_file, read_shape
from acts.own_model import own_name, own_read, own_text, own_title, own_with_parameters
from acts.scripts import join_module
from app.quiz.frame import quiz_draw
from app.script import page_twin, tools_twin
from app.yours.words import yours_rows, yours_sizes
from tests.browser.test_twin import first_difference
from tests.conftest import Server, check_looks, deployment, unfold
from tests.gguf_files import FILES, REFUSED, write
from tests.unit.test_config_families import LAYOUTS
from tests.unit.test_gguf import log

pytestmark = pytest.mark.browser

ROWS = json.loads((Path(__file__).parents[1] / "truth" / "models.json").read_text(encoding="utf-8"))
IDS = [row["model"] for row in ROWS]
LLAMA = {
    "_name_or_path": "/home/somebody/models/My <b>model</b>",
    "model_type": "llama",
    "num_hidden_layers": 48,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}
GIVEN = 7_000_000_000


def own_state(config, parameters=None, **values) -> dict:
    """The flat state of all acts on a scenario of this config."""
    scenario = Scenario.with_config(config, parameters=parameters, **values)
    state: dict = {}
    for act in ACTS:
        state.update(act(scenario).state())
    return state


def read_in(page, text: str) -> None:
    unfold(page)
    page.locator("#own-config").fill(text)
    page.locator("#your-model [data-action=read]").click()


def status(page):
    return page.locator("#your-model [data-status]")


def error(page):
    return page.locator("#own-error")


DRAW_ALL = """
window.drawAll = ([state, reference]) => {
  const { catalog } = worldWith(state.shape);
  const frames = Object.entries(FRAMES).map(([id, frame]) => [id, frame(state, catalog)]);
  return { ...Object.fromEntries(frames), quiz: quiz_draw(7, state, catalog, reference),
    sizes: yours_sizes(catalog.models.custom.shape, state, catalog) };
};
"""


@pytest.fixture(scope="module")
def twin(browser):
    """A blank page that holds the page's compiled functions."""
    page = browser.new_page()
    names = "read_shape, own_read, own_text, own_name, own_title, yours_rows, yours_sizes, quiz_draw"
    page.add_script_tag(
        content=f"{runtime_script()}\n{page_twin()}\n{tools_twin()}\n{join_module('link.js')}\n"
        f"Object.assign(window, {{ {names}, FRAMES, worldWith, readLink, linkQuery }});{DRAW_ALL}"
    )
    yield page
    page.close()


def test_the_browser_reads_what_python_reads(twin):
    for row in ROWS:
        reading = read_shape(row["config"])
        shape = own_with_parameters(reading["shape"], reading["shape"]["parameters"] or GIVEN)
        named = [row["model"], shape, reading["max_context"]]
        text = own_text(*named)
        said = [reading, yours_rows(reading), own_title(reading), text, own_read(text)]
        found = twin.evaluate(
            """([config, named]) => {
              const reading = read_shape(config);
              const text = own_text(...named);
              return [reading, yours_rows(reading), own_title(reading), text, own_read(text)];
            }""",
            [row["config"], named],
        )
        assert not first_difference(found, said, row["model"])


def test_every_act_draws_every_model(twin):
    for place, row in enumerate(ROWS):
        values = {"cache": "q8_0", "gpus": 8} if place % 2 else {}
        state = own_state(row["config"], GIVEN, context=32768, **values)
        catalog = Scenario(shape=state["shape"]).catalog
        python = {act.id: act.draw_frame(SimpleNamespace(**state), catalog) for act in ACTS}
        python["quiz"] = quiz_draw(7, SimpleNamespace(**state), catalog, SimpleNamespace(**DEFAULTS))
        shape = catalog.models["custom"].shape
        python["sizes"] = yours_sizes(shape, SimpleNamespace(**state), catalog)
        drawn = twin.evaluate("drawAll", [state, DEFAULTS])
        assert not first_difference(drawn, json.loads(json.dumps(python)), row["model"])


def test_a_link_carries_the_shape(twin):
    defaults = own_state(LLAMA) | {"shape": "", "model": "llama-3-8b"}
    for row in ROWS:
        state = own_state(row["config"], GIVEN)
        query, link, other = twin.evaluate(
            """([state, defaults]) => {
              const query = linkQuery(state, defaults, null);
              const catalogued = { ...state, model: "llama-3-8b" };
              return [query, readLink("?" + query, []), linkQuery(catalogued, defaults, null)];
            }""",
            [state, defaults],
        )
        assert link["faults"] == [], row["model"]
        assert defaults | link["state"] == state, row["model"]
        assert len(query) < 400, row["model"]
        assert "shape" not in other, row["model"]


HOSTILE_SHAPES = [
    "", "*", "1.1.1.1.1.0.0", "2.1.1.1.1.0.0*x", "1.1.1.0.0.0.0*x", "1.1.1.1.2.0.0*x", "1.1.1.1.1.0.0_*x",
    "1.1.1.1.1.0.0_4096.65536.1048576.1048576*x", "1.1.1.1.1.0.0_1.1.1.1.constructor*x", "1.1.1.1.1.0.0_1.1.1.1.w*x",
    "1.1.1.1.1.0.0_1.1.1.1.w0*x", "1.1.1.1.1.0.0_1.1.1.1.s0*x", "1.1.1.1.1.0.0_1.1.1.1.__proto__*x",
    "1.1.1.-1.1.0.0*x",
    "1.1.1.1.1.0.0_1.0.5.5*x", "1.1.1.1.1.0.0_1.1.0.5*x", "1.4097.1.1.1.0.0*x",
    "1.1.1.1e9.1.0.0*x", "1.1.1.9999999999999999.1.0.0*x", "x" * 5000,
]  # fmt: skip


def test_hostile_shapes_are_refused_alike(twin):
    refusals = [own_read(text) for text in HOSTILE_SHAPES]
    assert all(refusal["error"] for refusal in refusals)
    assert twin.evaluate("(texts) => texts.map((text) => own_read(text))", HOSTILE_SHAPES) == refusals
    for text in HOSTILE_SHAPES:
        with pytest.raises(ValueError, match="cannot be"):
            Scenario(shape=text, model="custom")


def test_names_are_one_visible_line_alike(twin):
    names = [
        "a\tb  c",
        "<b>x</b>",
        "\u202eevil\u202c",
        "日本 モデル",
        "😀😀x" * 40,
        "",
        "   ",
        "a" * 100,
        "x\u00ady",
    ]
    cleaned = [own_name(name) for name in names]
    assert twin.evaluate("(names) => names.map((name) => own_name(name))", names) == cleaned
    assert all(0 < len(name) <= 60 and name.isprintable() for name in cleaned)


def test_a_pasted_config_joins_the_catalog(watched, page_url):
    page = watched.open(page_url)
    read_in(page, json.dumps(LLAMA))
    scenario = Scenario.with_config(LLAMA)
    name = scenario.catalog.models["custom"].name
    assert "/home" not in name
    expect(status(page)).to_contain_text(f"{name} now stands in every list")
    expect(page.locator("#deployment-model option:checked")).to_have_text(name)
    assert page.locator("#deployment-model option[value=custom] *").count() == 0
    expect(page.locator("#wall [data-sentence]")).to_have_text(Wall(scenario).frame()["sentence"])
    expect(page.locator("#heads [data-readout=bytes-per-token]")).to_have_text(
        Heads(scenario).frame()["readouts"]["bytes-per-token"]["text"]
    )
    expect(page.locator("[data-text=deployed]").first).to_contain_text(name)
    rows = page.locator("#your-model [data-fields] tbody tr")
    expect(rows.filter(has_text="num_key_value_heads")).to_contain_text("8")
    expect(page.locator("[data-readout=own-linear]")).to_have_text("192 KiB × tokens")
    expect(page.locator("[data-text=own-token-sum]")).to_contain_text(
        "48 layers × 2 × 8 KV heads × 128 × 2 bytes"
    )
    page.wait_for_url("**shape=**")
    assert parse_qs(urlsplit(page.url).query)["shape"] == [scenario.shape]

    again = watched.open(page.url)
    expect(again.locator("#deployment-model option:checked")).to_have_text(name)
    expect(again.locator("#wall [data-sentence]")).to_have_text(Wall(scenario).frame()["sentence"])
    unfold(again)
    expect(again.locator("#own-name")).to_have_value(name)

    deployment(page).locator("[data-param=model]").select_option("llama-3-8b")
    deployment(page).locator("[data-param=model]").select_option("custom")
    page.get_by_role("button", name="8B on one 80 GB card").click()
    expect(page.locator("#deployment-model option:checked")).to_have_text("Llama 3 8B")
    expect(page.locator("#deployment-model option[value=custom]")).to_have_count(1)
    page.locator("#your-model [data-action=remove]").click()
    expect(page.locator("#deployment-model option[value=custom]")).to_have_count(0)


def test_a_new_file_replaces_the_model_and_declares_its_cache(watched, exported):
    page = watched.open(exported)
    read_in(page, json.dumps(LLAMA))
    expect(status(page)).to_contain_text("now stands")
    second = LLAMA | {
        "num_hidden_layers": 10,
        "_name_or_path": "two",
        "quantization_config": {"kv_cache_scheme": {"num_bits": 8, "type": "float"}},
    }
    read_in(page, json.dumps(second))
    expect(status(page)).to_contain_text("declares a cache of FP8")
    expect(page.locator("#deployment-model option[value=custom]")).to_have_text("two")
    expect(page.locator("#deployment-cache")).to_have_value("fp8")
    expect(page.locator("#wall [data-sentence]")).to_have_text(
        Wall(Scenario.with_config(second)).frame()["sentence"]
    )


def test_unknown_parameters_are_asked_for(watched, exported):
    page = watched.open(exported)
    config = next(row["config"] for row in ROWS if row["model"] == "google/gemma-3-27b-it")
    read_in(page, json.dumps(config))
    expect(status(page)).to_contain_text("Enter their number")
    expect(page.locator("[data-readout=own-weights]")).to_have_text("not known yet")
    expect(page.locator("[data-readout=own-linear]")).to_contain_text("once every window is full")
    assert page.locator("#deployment-model option[value=custom]").count() == 0
    field = page.locator("#own-parameters")
    for wrong in ("-1", "0", "1e9"):
        field.fill(wrong)
        field.press("Enter")
        field.blur()
    assert page.locator("#deployment-model option[value=custom]").count() == 0
    field.fill("27.4")
    field.blur()
    expect(status(page)).to_contain_text("now stands")
    scenario = Scenario.with_config(config, parameters=27_400_000_000)
    expect(page.locator("#wall [data-sentence]")).to_have_text(Wall(scenario).frame()["sentence"])


NO_CONFIGS = [
    ("", "Paste the text"),
    ("hello", "not valid JSON"),
    ('{"a": NaN}', "a is not understood"),
    ('{"a": 1,}', "line 1, column 9: a comma stands before the end"),
    ("{'a': 1}", "single one"),
    ("<!DOCTYPE html><title>404</title>", "web page"),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:1", "git-lfs pointer"),
    (json.dumps({"peft_type": "LORA", "base_model_name_or_path": "a/base", "r": 8}), "adapter"),
    ("[1, 2]", "object"),
    ("null", "object"),
    ("[" * 100_000 + "]" * 100_000, ""),
    (json.dumps(LLAMA | {"num_hidden_layers": -1}), "num_hidden_layers"),
    (json.dumps(LLAMA | {"num_hidden_layers": 10**9}), "num_hidden_layers"),
    (json.dumps(LLAMA | {"num_hidden_layers": "<img src=x onerror=alert(1)>"}), "whole number"),
    (json.dumps({"a": [{"b": 1}] * 10} | LLAMA | {"model_type": "<script>alert(1)</script>"}), ""),
    (json.dumps(LLAMA) + " " * 1_000_000, "larger than 1 MB"),
]


def test_what_is_no_config_is_refused_and_changes_nothing(watched, exported):
    page = watched.open(exported)
    before = page.locator("#wall [data-sentence]").inner_text()
    unfold(page)
    for text, said in NO_CONFIGS:
        # What was said of the text before must not pass for what is said of this one.
        page.evaluate(
            """(text) => {
              document.querySelector("#own-error").textContent = "";
              document.querySelector("#own-config").value = text;
            }""",
            text,
        )
        page.locator("#your-model [data-action=read]").click()
        expect(error(page)).to_contain_text(said)
        expect(error(page)).not_to_be_empty()
        assert page.locator("#own-error *").count() == 0
    assert page.locator("#deployment-model option[value=custom]").count() == 0
    assert page.locator("#wall [data-sentence]").inner_text() == before


def test_figures_of_an_earlier_model_do_not_pass_for_a_refused_file_s(watched, exported):
    page = watched.open(exported)
    read_in(page, json.dumps(LLAMA))
    expect(page.locator("[data-readout=own-token]")).to_be_visible()
    read_in(page, "hello")
    expect(error(page)).to_contain_text("not valid JSON")
    expect(page.locator("[data-readout=own-token]")).to_be_hidden()
    expect(status(page)).to_contain_text("stays in the lists")
    page.evaluate("() => document.querySelector('[data-preset]').click()")
    expect(page.locator("[data-readout=own-token]")).to_be_hidden()
    read_in(page, json.dumps(LLAMA))
    expect(page.locator("[data-readout=own-token]")).to_be_visible()
    expect(error(page)).to_be_hidden()


def test_numbers_that_json_lacks_are_read_as_python_reads_them(watched, exported):
    page = watched.open(exported)
    # A press that comes before a hand, as from a reader's assistive software, is answered once.
    page.evaluate("() => document.querySelector('#your-model [data-action=read]').click()")
    expect(error(page)).to_have_text("Paste the text of a config.json first.")
    limits = '"time_step_limit": [0.0, Infinity], "a": [-Infinity, NaN], "b": "Infinity, NaN"'
    read_in(page, json.dumps(LLAMA | {"model_type": "olmo"})[:-1] + f", {limits}}}")
    expect(status(page)).to_contain_text("48 layers")
    read_in(page, json.dumps(LLAMA).replace("48", "Infinity"))
    expect(error(page)).to_contain_text("num_hidden_layers must be a whole number")


def test_a_gguf_file_gives_its_model_whatever_its_size(watched, exported, tmp_path):
    page = watched.open(exported)
    unfold(page)
    expect(page.locator("#own-config")).to_be_visible()
    other = write(tmp_path / "other.gguf", *REFUSED["an encoder"][:2])
    for size in (0, 40_000_000):
        path = write(tmp_path / "model.gguf", *FILES["Gemma 3 27B"][:2])
        with path.open("ab") as file:
            file.truncate(path.stat().st_size + size)
        page.locator("#your-model [name=file]").set_input_files(path)
        expect(status(page)).to_contain_text("A model now stands in every list")
        expect(page.locator("[data-readout=own-token]")).to_contain_text("496")
        expect(page.locator("#your-model [data-fields]")).to_contain_text("gemma3.attention.sliding_window")
        page.locator("#your-model [name=file]").set_input_files(other)
        expect(error(page)).to_contain_text("it is an encoder")


def test_the_lines_of_a_log_give_its_model(watched, exported):
    page = watched.open(exported)
    read_in(page, log())
    expect(status(page)).to_contain_text("Meta-Llama-3-8B now stands in every list")
    expect(page.locator("#your-model [data-fields]")).to_contain_text("llama.block_count")
    expect(page.locator("[data-readout=own-weights]")).to_have_text("4.58 GiB")
    page.evaluate("() => document.querySelector('[data-preset]').click()")
    page.wait_for_function("() => !location.search.includes('weights_gib')")


def test_the_types_that_no_file_decides_can_be_chosen(watched, exported):
    page = watched.open(exported)
    config = LAYOUTS["MiniMax M1: lightning attention"][0]
    read_in(page, json.dumps(config))
    page.locator("#own-parameters").fill("456")
    page.locator("#own-parameters").blur()
    expect(status(page)).to_contain_text("now stands")
    for kind in ("", "bfloat16"):
        page.locator("#own-state-type").select_option(kind)
        scenario = Scenario.with_config(config, parameters=456_000_000_000, state_type=kind)
        expect(page.locator("[data-readout=own-sequence]")).to_have_text(
            Heads(scenario).frame()["readouts"]["bytes-per-sequence"]["text"]
        )
        expect(page.locator("#own-parameters")).to_have_value("456")
        page.wait_for_function(
            "(shape) => new URLSearchParams(location.search).get('shape') === shape", arg=scenario.shape
        )
    config = LAYOUTS["GLM 5: an indexer in every layer by default"][0]
    read_in(page, json.dumps(config))
    expect(page.locator("#own-state-type")).to_be_hidden()
    for kind in ("mxfp4", "bf16"):
        page.locator("#own-indexer-type").select_option(kind)
        if kind == "mxfp4":
            page.locator("#own-parameters").fill("744")
            page.locator("#own-parameters").blur()
        scenario = Scenario.with_config(config, parameters=744_000_000_000, indexer_type=kind)
        page.wait_for_function(
            "(shape) => new URLSearchParams(location.search).get('shape') === shape", arg=scenario.shape
        )
    read_in(page, json.dumps(LLAMA))
    expect(page.locator("#own-indexer-type")).to_be_hidden()


@pytest.fixture(scope="module")
def parser(browser):
    """A blank page that holds the page's compiled functions and its reader of GGUF headers."""
    page = browser.new_page()
    page.add_script_tag(
        content="\n".join([runtime_script(), page_twin(), tools_twin(), join_module("gguf.js"), PARSE])
    )
    yield page
    page.close()


PARSE = """
window.parsed = (text) => {
  const buffer = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;
  try {
    const { table, tensors } = parseGguf(buffer);
    return JSON.stringify(read_gguf(table, tensors));
  } catch (error) {
    return JSON.stringify({ error: error instanceof GgufNeedsMore ? GGUF_BROKEN : error.message });
  }
};
"""


def parsed(parser, content: bytes):
    """What the browser makes of a file's bytes."""
    return json.loads(parser.evaluate("(text) => parsed(text)", base64.b64encode(content).decode()))


def test_a_gguf_header_is_read_alike(parser, tmp_path):
    for name, (architecture, keys, _) in {**FILES, **REFUSED}.items():
        path = write(tmp_path / "model.gguf", architecture, keys)
        assert parsed(parser, path.read_bytes()) == read_file(path), name


def test_broken_gguf_headers_are_read_alike(parser, tmp_path):
    content = write(tmp_path / "model.gguf", *FILES["Qwen3-Next"][:2]).read_bytes()
    dice = random.Random(20260302)
    path = tmp_path / "broken.gguf"
    for _ in range(100):
        broken = bytearray(content[: dice.choice([60, 600, len(content)])])
        for _ in range(dice.choice([0, 1, 2, 8])):
            broken[dice.randrange(4, min(len(broken), 1200))] = dice.randrange(256)
        path.write_bytes(broken)
        assert parsed(parser, bytes(broken)) == read_file(path)


def test_a_file_by_keyboard_and_by_drop(watched, exported, tmp_path):
    page = watched.open(exported)
    path = tmp_path / "config.json"
    path.write_text("\ufeff" + json.dumps(LLAMA), encoding="utf-8")
    unfold(page)
    page.locator("#own-config").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "file"
    page.locator("#your-model input[type=file]").set_input_files(path)
    expect(status(page)).to_contain_text("now stands")
    big = tmp_path / "big.json"
    big.write_text(" " * 1_000_001)
    page.locator("#your-model input[type=file]").set_input_files(big)
    expect(error(page)).to_contain_text("larger than 1 MB")
    page.locator("#your-model [data-action=remove]").click()
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "config.json"));
          const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
          document.querySelector("h1").dispatchEvent(drop);
        }""",
        json.dumps(LLAMA),
    )
    expect(status(page)).to_contain_text("now stands")


def test_a_hostile_link_leaves_defaults_and_says_so(watched, exported):
    page = watched.open(f"{exported}?model=custom&shape=1.1.1.1_<script>&users=12")
    note = page.locator("[data-link-note] [role=status]")
    expect(note).to_contain_text("shape")
    expect(note).to_contain_text("model")
    expect(page.locator("#deployment-model option:checked")).to_have_text("Llama 3 8B")
    expect(page.locator("#wall input[type=number][data-param=users]")).to_have_value("12")


def test_python_follows_the_page(watched):
    server = Server("tests/browser/own_model_app.py", "own_model_app")
    try:
        page = watched.open(server.url, wait="[data-readout=max-users]")
        expect(page.get_by_text("python has nothing of its own")).to_be_visible()
        page.get_by_role("button", name="read").click()
        expect(page.get_by_text("python has My model")).to_be_visible()
        expect(page.locator("#wall-model option:checked")).to_have_text("My model")
        deployment(page).locator("[data-param=model]").select_option("llama-3-70b")
        expect(page.get_by_text("python has llama-3-70b")).to_be_visible()
        deployment(page).locator("[data-param=model]").select_option("custom")
        expect(page.get_by_text("python has My model")).to_be_visible()
    finally:
        server.stop()


def test_the_reading_is_accessible_and_fits(watched, exported):
    page = watched.open(exported)
    read_in(page, json.dumps(ROWS[IDS.index("Qwen/Qwen3-8B")]["config"]))
    expect(status(page)).to_contain_text("now stands")
    check_looks(page, "#your-model", (320, "light"), (1280, "dark"))


def test_with_config_takes_a_path_and_values(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA), encoding="utf-8")
    scenario = Scenario.with_config(path, users=3, gpu="h100-80gb")
    shape = scenario.catalog.models["custom"].shape
    assert shape.groups == read_config(LLAMA).groups
    assert (scenario.users, scenario.gpu, scenario.model) == (3, "h100-80gb", "custom")
    scenario.shape = ""
    assert scenario.model == "llama-3-8b"
    with pytest.raises(ValueError, match="number of parameters"):
        Scenario.with_config(ROWS[IDS.index("google/gemma-3-27b-it")]["config"])
    with pytest.raises(ValueError, match=r"Scenario\.with_config"):
        Scenario(model="custom")
