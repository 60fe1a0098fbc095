"""The log reader on lines that engines printed, and on anything else."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from acts.catalog import CACHE_NAMES, CACHE_TYPES
from acts.engines.types import ENGINE_LAYOUTS, engine_cache_id
from acts.logs import read_log
from acts.logs.facts import LOG_ENGINE_TYPES, LOG_ENGINES, LOG_FACTS, LOG_LABELS, LOG_WHOLE
from acts.logs.reader import (
    LOG_MAX_BYTES,
    LOG_MAX_CHARACTERS,
    log_at,
    log_index,
    log_low,
    log_read_piece,
    log_reading,
    log_skip_piece,
    log_told,
)

GIB = 2**30
MIB = 2**20

#: Start-up logs quoted from public issues and documents: engine, lines, and the facts they state.
CORPUS = json.loads(
    (Path(__file__).parents[1] / "truth" / "engine_start_logs.json").read_text(encoding="utf-8")
)


def text_of(name):
    return "\n".join(CORPUS[name]["lines"])


def facts(log):
    return {finding["key"]: finding["value"] for finding in log["findings"]}


@pytest.mark.parametrize("name", CORPUS)
def test_what_engines_print_is_read(name):
    log = read_log(text_of(name))
    assert log["engine"] == CORPUS[name]["engine"]
    assert facts(log) == CORPUS[name]["facts"]


def test_a_cache_type_of_the_catalog_is_known_to_logs():
    unproposed = set(CACHE_TYPES) - {kind for kinds in LOG_ENGINE_TYPES.values() for kind in kinds}
    assert not unproposed, f"say in LOG_ENGINE_TYPES which engines have {unproposed}"
    for name, row in CACHE_TYPES.items():
        layout = [row.block_values, row.block_bytes, row.vector_bytes]
        assert ENGINE_LAYOUTS.get(name) != layout, (
            f"{name} is in the catalog now; drop it from ENGINE_LAYOUTS"
        )


@pytest.mark.parametrize("name", CORPUS)
def test_a_finding_quotes_its_line(name):
    for finding in read_log(text_of(name))["findings"]:
        assert finding["label"] == LOG_LABELS[finding["key"]]
        if " + " not in finding["text"]:
            assert finding["text"].lower() in finding["line"].lower()


@pytest.mark.parametrize(
    "prefix", ["", "ERROR ", "\x1b[32mINFO\x1b[0m | ", "| 2026-01-01T00:00:00Z  ", "日志: "]
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_prefixes_and_line_ends_do_not_matter(prefix, ending):
    entry = CORPUS["vllm v1"]
    log = read_log(ending.join(prefix + line for line in entry["lines"]))
    assert (log["engine"], facts(log)) == (entry["engine"], entry["facts"])


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("51.40 GiB", 5140 * GIB // 100),
        ("51.40GiB", 5140 * GIB // 100),
        ("51.40 GB", 5140 * GIB // 100),
        ("1,536 MiB", 1536 * MIB),
        ("1536.0 MB", 1536 * MIB),
        ("512 KiB", 512 * 1024),
        ("0.00 GiB", 0),
        ("-0.94 GiB", 0),
        ("14.98881234567 GiB", 149888 * GIB // 10000),
    ],
)
def test_sizes_are_read_in_binary_units(printed, expected):
    assert facts(read_log(f"Available KV cache memory: {printed}"))["kv_cache_bytes"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello world",
        "Available KV cache memory:",
        "Available KV cache memory: lots",
        "Available KV cache memory: 12",
        "Available KV cache memory: 99999999999999999999 GiB",
        "Available KV cache memory: 1,2345 GiB",
        "GPU KV cache size: 12.5 tokens",
        "MyAvailable KV cache memory: 3 GiB",
        "block_size=16, tensor_parallel_size=4",
        "\x00\x01\ud800",
    ],
)
def test_what_is_no_log_is_not_recognised(text):
    log = read_log(text)
    assert log["engine"] is None
    assert log["findings"] == []
    assert len(log["looked_for"]) == len(LOG_FACTS)


def test_a_start_far_down_a_long_paste_is_found():
    text = text_of("vllm v1")
    requests = "INFO 10-10 10:00:00 Avg prompt throughput: 12.0 tokens/s, GPU KV cache usage: 5.0%\n" * 25_000
    log = read_log(requests + text + "\n" + requests)
    assert facts(log) == CORPUS["vllm v1"]["facts"]
    assert log["starts"][0]["line"] == 25_001
    assert log["unread"] == 0
    assert read_log(text + "\n" + "x" * 5_000_000)["engine"] == "vllm"
    assert read_log("1," * 3_000_000)["engine"] is None
    assert read_log("\n" * 1_500_000)["engine"] is None


def test_of_a_text_too_long_both_ends_are_read_and_the_rest_is_told():
    text = text_of("vllm v1")
    log = read_log("x" * LOG_MAX_CHARACTERS + "\n" + text)
    assert facts(log) == CORPUS["vllm v1"]["facts"]
    assert log["unread"] == len(text) + 1


def test_the_table_of_facts_is_well_formed():
    assert set(LOG_FACTS) == set(LOG_ENGINES), (
        "an engine is named in LOG_ENGINES and has its lines in LOG_FACTS"
    )
    assert set(LOG_ENGINE_TYPES) == set(LOG_ENGINES), "LOG_ENGINE_TYPES says which cache types an engine has"
    unheard = set(LOG_ENGINES) - {entry["engine"] for entry in CORPUS.values()} - {"pytorch"}
    assert not unheard, f"put a start-up log of {unheard} into tests/truth/engine_start_logs.json"
    reads = {"size", "sizes", "bytes", "gib", "decimal", "count", "ratio", "share", "name", "word", "flag"}
    more_keys = {
        "before",
        "where",
        "also",
        "without",
        "keep",
        "joint",
        "weak",
        "then",
        "inner",
        "begin",
        "hint",
        "unit",
    }
    for rows in LOG_FACTS.values():
        for phrase, key, read, more in rows:
            assert phrase == " ".join(phrase.lower().split())
            assert key in LOG_LABELS
            assert read in reads | {"mark", "table"}
            assert set(more) <= more_keys | {"after", "device"}
            assert more.get("keep", "first") in ("first", "last", "sum", "device", "most", "least")
    assert set(LOG_WHOLE) <= set(LOG_LABELS)
    assert all(len(anchor) > 1 for anchor, _ in log_index())


@pytest.mark.parametrize(
    "line",
    [
        "\x1b[32mAvailable KV cache memory\x1b[0m: 5.98 GiB",
        "[0;36m(EngineCore pid=1)[0;0m Available KV cache memory: 5.98 GiB",
        'kv-server-1  | {"log":"INFO Available KV cache memory: 5.98 GiB\\n","stream":"stderr"}',
        r"start\nINFO Available KV cache memory: 5.98 GiB\nGPU KV cache",
        "Available   KV\tcache memory:  5.98 GiB",
    ],
)
def test_colours_containers_and_escapes_do_not_matter(line):
    assert facts(read_log(line)) == {"kv_cache_bytes": 598 * GIB // 100}


def test_quotes_escaped_in_json_do_not_matter():
    line = r'{"log":"time=x msg=\"kv cache\" device=CUDA0 size=\"1.5 GiB\""}'
    assert facts(read_log(line)) == {"kv_cache_bytes": 1536 * MIB}


@pytest.mark.parametrize(
    "text",
    ["GPU KV cache size: 270,3", "GPU KV cache size: 270", "tokens per request: 4.3", "# GPU blocks: 1,2",
     "# GPU blocks: 263",
     "Available KV cache memory: 5.9 Gi", "larger than the maximum number of tokens that can be stored in KV cache (73",
     "the estimated maximum model length is 182", "KV Cache is allocated. #tokens: 300", "max_total_num_tokens=466",
     "kv_cache_iswa: creating     SWA KV cache, size = 46", "Maximum concurrency for 40", "total capacity of 23.",
     "primary blocks=25", "tokens in paged KV cache (3731", "`session_len` truncated to 49"],
)  # fmt: skip
def test_a_number_that_the_paste_s_end_cuts_is_not_used(text):
    """Where an engine goes on after a figure; where it ends the line there, the whole and a part look alike."""
    assert [finding for finding in read_log(text)["findings"] if finding["text"][0].isdigit()] == []


@pytest.mark.parametrize(
    ("printed", "share"), [("0.826", 82.6), ("0.925", 92.5), ("0.9", 90), ("0.638", 63.8)]
)
def test_shares_keep_their_decimals(printed, share):
    line = f"Desired GPU memory utilization is ({printed}, 21.03 GiB). Actual usage is 10 GiB for weight"
    assert facts(read_log(line))["utilisation"] == share


def test_cache_types_are_the_catalogs():
    for name, id in CACHE_NAMES.items():
        assert engine_cache_id(name) == ("" if name in ENGINE_LAYOUTS else id)
    # LMDeploy's int8 has scales a head vector, TensorRT-LLM's has not.
    assert engine_cache_id("int8") == engine_cache_id("constructor") == engine_cache_id("") == ""


PIECES = [line for entry in CORPUS.values() for line in entry["lines"]]
PIECES += [phrase for rows in LOG_FACTS.values() for phrase, *_ in rows]
PIECES += [
    "=",
    ":",
    "(",
    " ",
    "-",
    "/",
    "1",
    "1,000",
    "0.9",
    "3.14 GiB",
    "7 MB",
    "12345678901234567890",
    ".",
    "'fp8'",
]


def logs():
    """Texts between a real log and noise: pieces of logs, numbers and arbitrary characters in any order."""
    return st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20), st.just("\n")), max_size=14).map(
        "".join
    )


@settings(max_examples=400, deadline=None)
@given(st.one_of(logs(), st.text()))
@example("size = ")
@example("kv cache is needed")
def test_any_text_is_read(text):
    log = read_log(text)
    assert log["engine"] is None or log["engine"] in LOG_ENGINES
    for finding in log["findings"]:
        assert finding["key"] in LOG_LABELS
        value = finding["value"]
        assert isinstance(value, str) or 0 <= value <= LOG_MAX_BYTES
    assert (log["start"] < len(log["starts"])) == (log["engine"] is not None)


# --- several starts, ranks and models -----------------------------------------------------------------------


def restarted(first, second):
    return read_log("\n".join([first, *["GET /health 200"] * 3, second]))


VLLM = """non-default args: {'max_model_len': 131072}
Model loading took 14.99 GiB memory and 5 seconds
Available KV cache memory: 51.40 GiB
GPU KV cache size: 421,056 tokens"""
AGAIN = """non-default args: {'max_model_len': 32768, 'kv_cache_dtype': 'fp8'}
Model loading took 14.99 GiB memory and 5 seconds
Available KV cache memory: 51.40 GiB
GPU KV cache size: 842,112 tokens"""
LLAMA = """llama_context: n_ctx         = 32768
llama_kv_cache: size = 4096.00 MiB ( 32768 cells,  32 layers,  1/1 seqs), K (f16): 2048.00 MiB, V (f16): 2048.00 MiB"""
DRAFT = """llama_context: n_ctx         = 32768
llama_kv_cache: size = 896.00 MiB ( 32768 cells,  28 layers,  1/1 seqs), K (f16): 448.00 MiB, V (f16): 448.00 MiB"""


@pytest.mark.parametrize(("first", "second", "length"), [(VLLM, AGAIN, 32768), (AGAIN, VLLM, 131072)])
def test_the_last_whole_start_is_used_and_nothing_mixes(first, second, length):
    log = restarted(first, second)
    assert len(log["starts"]) == 2
    assert facts(log)["max_len"] == length
    assert ("cache_type" in facts(log)) == (length == 32768)
    assert facts(log_at(log, 0))["max_len"] == 163840 - length
    assert log_at(log, 7) == log


def test_a_start_that_broke_off_does_not_count():
    log = restarted(VLLM, "\n".join(AGAIN.split("\n")[:2]))
    assert len(log["starts"]) == 2
    assert facts(log)["max_len"] == 131072


def test_a_second_start_of_llama_cpp_is_not_added_up():
    log = read_log(LLAMA + "\n" + LLAMA)
    assert (len(log["starts"]), facts(log)["kv_cache_bytes"]) == (2, 4096 * MIB)


@pytest.mark.parametrize("mark", ["srv load_model: loading draft model 'x.gguf'\n", ""])
def test_a_draft_model_stands_beside_its_target(mark):
    log = read_log(f"{LLAMA}\n{mark}{DRAFT}\n{mark}{DRAFT}")
    assert (len(log["starts"]), facts(log)["kv_cache_bytes"]) == (1, 4096 * MIB)
    assert [other["name"] for other in log["others"]] == ["draft model" if mark else "second context"]
    assert facts(log["others"][0])["kv_cache_bytes"] == 896 * MIB


def test_a_server_that_ran_before_is_no_target():
    log = read_log(f"{LLAMA}\nmain: server is listening on http://127.0.0.1:8080\n{DRAFT}")
    assert (len(log["starts"]), facts(log)["kv_cache_bytes"]) == (2, 896 * MIB)


def test_two_models_of_ollama_are_two_starts():
    one = 'msg="starting llama server" cmd="ollama runner --ctx-size 8192 --parallel 1"\n'
    log = read_log(one + LLAMA + "\n" + one + DRAFT)
    assert (log["engine"], len(log["starts"]), facts(log)["kv_cache_bytes"]) == ("ollama", 2, 896 * MIB)


def test_layouts_that_ollama_tries_are_not_added_up():
    tried = 'msg="kv cache" device=CUDA0 size="4.0 GiB"\nmsg="kv cache" device=CPU size="0 B"\n'
    taken = 'msg="kv cache" device=CUDA0 size="3.0 GiB"\nmsg="kv cache" device=CPU size="1.0 GiB"\n'
    log = read_log("KvSize:8192\n" + tried + "KvSize:8192\n" + taken)
    assert (len(log["starts"]), facts(log)["kv_cache_bytes"]) == (1, 4 * GIB)


def test_the_rank_with_least_memory_decides_and_is_named():
    text = """(Worker_TP0 pid=1) Available KV cache memory: 21.40 GiB
(Worker_TP1 pid=2) Available KV cache memory: 21.12 GiB
(Worker_TP2 pid=3) Available KV cache memory: 21.40 GiB"""
    (pool,) = read_log(text)["findings"]
    assert (pool["value"], pool["rank"]) == (2112 * GIB // 100, "TP1")
    ranks = "\n".join(
        f"(Worker_TP{rank}) Model loading took 9.1 GiB\n(Worker_TP{rank}) Available KV cache memory: {size} GiB"
        for rank, size in enumerate(["3.0", "2.9"])
    )
    log = read_log(ranks)
    assert (len(log["starts"]), facts(log)["kv_cache_bytes"]) == (1, 29 * GIB // 10)


def test_data_parallel_copies_stand_beside_each_other():
    text = """(EngineCore_DP0 pid=1) Available KV cache memory: 20.00 GiB
(EngineCore_DP1 pid=2) Available KV cache memory: 19.00 GiB
(EngineCore_DP0 pid=1) GPU KV cache size: 163,840 tokens
(EngineCore_DP1 pid=2) GPU KV cache size: 155,648 tokens"""
    log = read_log(text)
    assert facts(log) == {"kv_cache_bytes": 20 * GIB, "kv_tokens": 163840}
    assert [other["name"] for other in log["others"]] == ["data-parallel copy 1"]
    assert facts(log["others"][0]) == {"kv_cache_bytes": 19 * GIB, "kv_tokens": 155648}


def test_lines_pasted_out_of_order_are_one_start():
    text = "GPU KV cache size: 53,312 tokens\nmax_model_len=32768, tensor_parallel_size=2\n"
    text += "Available KV cache memory: 6 GiB"
    log = read_log(text)
    assert len(log["starts"]) == 1
    assert facts(log) == {"kv_tokens": 53312, "max_len": 32768, "gpus": 2, "kv_cache_bytes": 6 * GIB}


def test_the_memory_breakdown_of_llama_cpp():
    text = """common_memory_breakdown_print: | memory breakdown [MiB] | total    free     self   model   context   compute    unaccounted |
common_memory_breakdown_print: |   - CUDA0 (RTX 3090)   | 24124 =  7860 + (15946 = 15364 +     411 +     170) +         318 |
common_memory_breakdown_print: |   - Host               |                    804 =   682 +       0 +     122                |"""  # noqa: E501
    (table,) = read_log(text)["findings"]
    assert table["value"] == 411 * MIB
    parts = [[name, *(size // MIB for size in sizes)] for name, *sizes in table["parts"]]
    assert parts == [["cuda0", 411, 15364, 170, 24124, 7860], ["host", 0, 682, 122, 0, 0]]


def test_a_line_of_ollama_ps():
    text = "qwen3:8b    500a1f067a9f    11 GB    48%/52% CPU/GPU    32768    4 minutes from now"
    assert facts(read_log(text)) == {"total_bytes": 11 * 10**9, "gpu_percent": 52, "sequence_tokens": 32768}


@pytest.mark.parametrize("name", CORPUS)
def test_a_piece_without_an_anchor_says_nothing(name):
    """What the page does with a long log: it looks for the anchors at once, and reads only where one stands."""
    lines = CORPUS[name]["lines"]
    requests = ["INFO: 200 OK, \\n a request of nobody\n" * 900, "\n".join(lines), "more of them\n" * 5000]
    text = "\n".join([*requests, *requests])
    reading = log_reading(text)
    skipped = 0
    for piece in reading["pieces"]:
        if any(anchor in log_low(piece) for anchor, _ in reading["index"]):
            log_read_piece(reading, piece)
        else:
            log_skip_piece(reading, piece)
            skipped += 1
    assert skipped > 0
    assert log_told(reading) == read_log(text)


def test_a_long_sum_is_added_up_and_its_figures_are_shown_in_part():
    lines = [f"llama_kv_cache: CUDA{place} KV buffer size = 1.00 MiB" for place in range(500)]
    found = read_log("\n".join(lines))["findings"][0]
    assert (found["value"], len(found["parts"])) == (500 * MIB, 500)
    assert found["text"].endswith(" + …")
    assert len(found["text"]) < 320
