"""What a log says against the sizing model: settings taken over, figures compared, verdicts and reasons."""

from types import SimpleNamespace

import pytest

from acts.logs import read_log
from acts.logs.compare import compare_log, log_summary
from acts.logs.settings import log_settings
from acts.scenario import Catalog, Scenario

CATALOG = Catalog()
H100 = {"model": "llama-3-8b", "gpu": "h100-80gb"}

V1 = """
Model loading took 14.99 GiB memory and 5 seconds
Available KV cache memory: 51.40 GiB
GPU KV cache size: 421,056 tokens
Maximum concurrency for 8,192 tokens per request: 51.40x
"""
V0 = "\n".join(
    [
        "use total_gpu_memory (79.20GiB) x gpu_memory_utilization (0.90) = 71.28GiB",
        "model weights take 14.99GiB; non_torch_memory takes 0.09GiB; PyTorch activation peak memory takes"
        " 4.80GiB; the rest of the memory reserved for KV Cache is 51.40GiB.",
        "# GPU blocks: 26316, # CPU blocks: 2048",
        "",
    ]
)
SHORT = "Maximum concurrency for 8192 tokens per request: 51.40x\n"
WINDOWS = """
llama_context: n_seq_max     = 4
llama_context: n_ctx         = 8192
llama_context: n_ctx_seq     = 8192
llama_kv_cache: size =  192.00 MiB (  8192 cells,  12 layers,  4/1 seqs), K (f16):   96.00 MiB, V (f16): 96.00
llama_kv_cache: size =   24.00 MiB (  1024 cells,  12 layers,  4/1 seqs), K (f16):   12.00 MiB, V (f16): 12.00
"""


def compared(text, **state):
    scenario = Scenario(**{**H100, **state})
    values = SimpleNamespace(**{name: getattr(scenario, name) for name in scenario.param if name != "name"})
    shape = CATALOG.models[scenario.model].shape
    return {row["label"].split(" of ")[0]: row for row in compare_log(read_log(text), shape, values, CATALOG)}


TOKENS = "Tokens in the logged cache memory"
HELD = "Tokens the cache holds"
REQUESTS = "Requests"
POOL = "Memory for the cache, each GPU"
WEIGHTS = "Weights, each GPU"
SWAP = "Blocks in 4 GiB"
NEED = "Cache for one request"
CELLS = "KV cache, all devices"


def test_a_log_of_the_same_scenario_agrees():
    rows = compared(V1, reserve=4.9)
    assert set(rows) == {WEIGHTS, POOL, TOKENS, REQUESTS}
    assert {(row["verdict"], row["reason"]) for row in rows.values()} == {("equal", "")}
    assert rows[TOKENS]["logged"] == rows[TOKENS]["predicted"] == "421,056 tokens"
    assert rows[TOKENS]["figures"] == [421056, 421056]
    assert rows[REQUESTS]["unit"] == "requests"


@pytest.mark.parametrize(
    ("text", "state", "label", "ratio", "verdict", "said"),
    [
        # What the log shows is said as a fact, all else as what would have to be so.
        (V0, {}, POOL, 1, "equal", ""),
        (V1, {}, POOL, 0.9066, "unknown", "the engine measured 5.29 GiB for activations"),
        (V1, {"gpu": "b200-180gb"}, POOL, 0.35, "unknown", "does not print all parts"),
        (
            V1,
            {"cache": "fp8"},
            TOKENS,
            0.5,
            "differs",
            "Would fit if the cache held BF16 / FP16 values; the log",
        ),
        (V1, {"cache": "fp8"}, REQUESTS, 0.5, "differs", "Would fit if the cache held BF16 / FP16"),
        (
            V1 + "kv_cache_dtype=bfloat16",
            {"cache": "fp8"},
            TOKENS,
            0.5,
            "explained",
            "The log's cache holds bfloat16",
        ),
        (V1, {"gpus": 2}, TOKENS, 0.5, "differs", "the model were split over 1 GPU"),
        (
            V1 + "tensor_parallel_size=1",
            {"gpus": 2},
            TOKENS,
            0.5,
            "explained",
            "The log's model is split over 1 GPU",
        ),
        (V1, {"weights": "int8"}, WEIGHTS, 2.0043, "differs", "Would fit if the weights were BF16 / FP16"),
        (V1, {"model": "qwen3-0.6b"}, TOKENS, 0.875, "differs", "the model may not be the log's"),
        (V0.replace("2048", "3072"), {}, SWAP, 1.5, "differs", "swap space were set to 6 GiB"),
        (V0.replace("2048", "4096") + "kv_cache_dtype=fp8", {}, SWAP, 2.0, "explained", "holds fp8 values"),
        # A ratio near that of GB to GiB is no reason: the engine prints GiB.
        (V1.replace("421,056", "392,136"), {}, TOKENS, 0.9313, "differs", "the model may not be the log's"),
    ],
)
def test_a_difference_gets_the_verdict_that_the_log_proves(text, state, label, ratio, verdict, said):
    row = compared(text, **state)[label]
    assert row["ratio"] == pytest.approx(ratio, rel=0.03)
    assert (row["verdict"], said in row["reason"]) == (verdict, True), row["reason"]


def test_half_the_weights_have_more_than_one_possible_cause():
    row = compared("Model loading took 7.51 GiB", model="llama-3.1-8b")[WEIGHTS]
    assert row["verdict"] == "differs"
    assert row["reason"] == (
        "Would fit if the weights were FP8, or if the weights were INT8, or if the model were split over 2 GPUs, or if"
        " 7.45 GiB of them stayed in host memory (--cpu-offload-gb); the log does not say which."
    )
    told = compared("Model loading took 7.51 GiB\nquantization=fp8,", model="llama-3.1-8b")[WEIGHTS]
    assert (told["verdict"], "The log names fp8 weights" in told["reason"]) == ("explained", True)
    host = compared("Model loading took 7.51 GiB\n--cpu-offload-gb 8", model="llama-3.1-8b")[WEIGHTS]
    assert (host["verdict"], "8 GiB of the weights may stay in host memory" in host["reason"]) == (
        "explained",
        True,
    )


@pytest.mark.parametrize(
    ("need", "verdict", "reason"),
    [("4.54", "equal", ""), ("9.00", "explained", "does not honour the windows"), ("2.27", "differs", "FP8")],
)
def test_windows_and_prefill_chunks_are_counted(need, verdict, reason):
    text = f"max seq len (131072), ({need} GiB KV cache is needed, max_num_batched_tokens=1024"
    row = compared(text, model="gpt-oss-120b")[NEED]
    assert (row["verdict"], reason in row["reason"]) == (verdict, True)
    assert bool(reason) == bool(row["reason"])


def test_a_prefill_chunk_that_the_log_does_not_tell_is_tried():
    text = "max seq len (131072), (4.54 GiB KV cache is needed"
    assert "chunks of 1,024 tokens" in compared(text, model="gpt-oss-120b")[NEED]["reason"]


HYBRID = """Available KV cache memory: 4.99 GiB
tensor_parallel_size=2, kv_cache_dtype=fp8
GPU KV cache size: 302,921 tokens
Maximum concurrency for 131,072 tokens per request: 2.31x"""


@pytest.mark.parametrize(
    "line", ["", "\nSetting attention block size to 1568 tokens to ensure that attention page"]
)
def test_a_hybrid_models_pages_are_counted_with_or_without_the_block_line(line):
    rows = compared(HYBRID + line, model="qwen3.5-27b", gpus=2, cache="fp8")
    assert rows[TOKENS]["verdict"] == rows[REQUESTS]["verdict"] == "equal"
    even = compared((HYBRID + line).replace("302,921", "81,536"), model="qwen3.5-27b", gpus=2, cache="fp8")
    assert "shared out evenly" in even[TOKENS]["reason"]
    assert even[TOKENS]["verdict"] == "explained"
    off = compared((HYBRID + line).replace("302,921", "312,000"), model="qwen3.5-27b", gpus=2, cache="fp8")
    assert off[TOKENS]["verdict"] == "explained"
    assert "holds 1 page of state" in off[TOKENS]["reason"]


def test_rows_that_drafts_keep_of_a_convolution_make_a_hybrids_block_larger():
    """Three rows more of 10,240 inputs: (48 x 128 x 128 x 4 + 6 x 10,240 x 2) / 2 bytes ask for 1,600 tokens of 1,024
    bytes, and 16 + 1 layers of them for 27,852,800 bytes; a request holds 6 + 3 x (2 + 3) blocks of the 771.
    """
    text = """Available KV cache memory: 20.00 GiB
tensor_parallel_size=2, kv_cache_dtype=fp8, num_spec_tokens=3
GPU KV cache size: 300,763 tokens
Maximum concurrency for 8,192 tokens per request: 36.71x"""
    row = compared(text, model="qwen3.5-27b", gpus=2, cache="fp8")[TOKENS]
    assert row["verdict"] == "explained"
    assert "in blocks of 1,600 tokens, a size that the log does not print" in row["reason"]
    line = "\nSetting attention block size to 1600 tokens to ensure that attention page"
    assert compared(text + line, model="qwen3.5-27b", gpus=2, cache="fp8")[TOKENS]["verdict"] == "equal"


def test_the_need_of_a_hybrid_counts_its_state_pages():
    text = "max seq len (131072), (2.15 GiB KV cache is needed"
    assert compared(text, model="qwen3.5-27b", gpus=2, cache="fp8")[NEED]["verdict"] == "equal"


def test_the_smallest_rank_decides():
    text = "tensor_parallel_size=4\n(Worker_TP0) Available KV cache memory: 21.40 GiB\n"
    told = text + "(Worker_TP1) Available KV cache memory: 21.12 GiB\nGPU KV cache size: 276,816 tokens"
    assert compared(told, model="llama-3.1-70b", gpus=4)[TOKENS]["verdict"] == "equal"
    one = compared(text + "GPU KV cache size: 276,816 tokens", model="llama-3.1-70b", gpus=4)[TOKENS]
    assert "a rank whose line is not here had 21.1 GiB" in one["reason"]


def test_a_row_stands_without_a_pool():
    text = "max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (7344)"
    row = compared(text, model="llama-2-7b")[HELD]
    assert row["verdict"] == "unknown"
    assert "take 3.59 GiB on each GPU and hold 0.22 requests of 32,768 tokens" in row["reason"]


def test_a_pool_below_nothing_says_what_is_missing():
    row = compared("Available KV cache memory: -0.94 GiB\nNo available memory for the cache blocks")[POOL]
    assert (row["logged"], row["verdict"]) == ("-0.94 GiB", "unknown")
    assert "0.94 GiB more than the engine may use" in row["reason"]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (
            "KV Cache is allocated. #tokens: 20480, K size: 0.12 GB, V size: 0.12 GB",
            {"model": "qwen3-30b-a3b", "gpus": 8, "cache": "fp8"},
        ),
        ("Available KV cache memory: 0.13 GiB\nGPU KV cache size: 1,088 tokens", {}),
    ],
)
def test_rounding_is_judged_over_the_printed_interval(text, state):
    assert compared(text, **state)[TOKENS]["verdict"] == "equal"


def test_sglang_s_window_pool_is_a_row_of_its_own():
    text = """Use sliding window memory pool. full_layer_tokens=1000000, swa_layer_tokens=800000
KV Cache is allocated. #tokens: 800000, K size: 9.16 GB, V size: 9.16 GB
KV Cache is allocated. #tokens: 1000000, K size: 11.44 GB, V size: 11.44 GB"""
    rows = compared(text, model="gpt-oss-20b")
    assert rows["Pool"]["verdict"] == "equal"
    assert [row["verdict"] for row in rows.values() if row["label"].startswith("Pool")] == ["equal"]
    scenario = Scenario(model="gpt-oss-20b")
    state = SimpleNamespace(**{name: getattr(scenario, name) for name in scenario.param if name != "name"})
    both = compare_log(read_log(text), CATALOG.models["gpt-oss-20b"].shape, state, CATALOG)
    pools = [(row["label"], row["verdict"]) for row in both if row["label"].startswith("Pool")]
    assert pools == [
        ("Pool of the layers that keep all, each GPU", "equal"),
        ("Pool of the layers with a window, each GPU", "equal"),
    ]


def test_sglang_s_pool_follows_from_its_static_share():
    text = """server_args=ServerArgs(mem_fraction_static=0.88)
Load weight begin. avail mem=78.50 GB
Load weight end. avail mem=63.40 GB, mem usage=15.10 GB.
KV Cache is allocated. #tokens: 442204, K size: 26.99 GB, V size: 26.99 GB"""
    rows = compared(text)
    assert (rows[POOL]["verdict"], rows[TOKENS]["verdict"]) == ("equal", "equal")


def test_tensorrt_llm_takes_a_share_of_the_free_memory():
    text = """[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: 39.39 GiB, available: 21.89 GiB
[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 631"""  # noqa: E501
    row = compared(text, model="llama-2-7b")[TOKENS]
    assert (row["logged"], row["verdict"]) == ("40,384 tokens", "equal")


def test_lmdeploy_s_types_are_its_own():
    text = "[TM][INFO] [BlockManager] block_size = 0.844 MB\n[TM][INFO] [BlockManager] max_block_count = 1740"
    reason = compared(text, model="gpt-oss-20b")[TOKENS]["reason"]
    assert "INT4 (LMDeploy)" in reason
    assert "llama.cpp" not in reason


def test_llama_cpp_counts_windows_slots_and_types():
    state = {"model": "gpt-oss-20b", "context": 8192, "users": 1}
    assert compared(WINDOWS, **state)[CELLS]["verdict"] == "equal"
    other = compared(WINDOWS, **state, cache="q8_0")[CELLS]
    assert (other["verdict"], "holds f16 values" in other["reason"]) == ("explained", True)
    full = WINDOWS.replace("24.00", "192.00")
    assert "does not honour the windows" in compared(full, **state)[CELLS]["reason"]


@pytest.mark.parametrize(
    ("slots", "context", "size"), [(2, 4096, 42), (4, 4096, 72), (2, 8192, 54), (1, 4096, 27)]
)
def test_slots_with_cells_of_their_own_share_n_ctx(slots, context, size):
    """gemma-3-270m, https://github.com/unslothai/unsloth/pull/5225: 3 full layers, 15 of a window of 512 tokens."""
    from acts.sizing import LayerGroup, Shape

    shape = Shape(
        (LayerGroup(3, 1, 256, 256), LayerGroup(15, 1, 256, 256, 512)), 4, 18, 268_098_176, 268_098_176
    )
    text = f"""llama_context: n_seq_max     = {slots}
llama_context: n_ctx         = {context}
llama_context: n_ctx_seq     = {context // slots}
llama_context: kv_unified    = false
llama_kv_cache: size = {size:7.2f} MiB ({context // slots:6d} cells,  18 layers,  {slots}/{slots} seqs), K (f16):"""
    values = Scenario()
    state = SimpleNamespace(**{name: getattr(values, name) for name in values.param if name != "name"})
    (row, *_) = compare_log(read_log(text), shape, state, CATALOG)
    assert row["verdict"] == "equal", row


@pytest.mark.parametrize("lines", ["", "llama_context: n_seq_max = 4\nllama_context: n_ctx = 8192\n"])
def test_the_cache_s_own_line_is_enough(lines):
    line = "llama_kv_cache: size = 1024.00 MiB (  2048 cells,  32 layers,  4/4 seqs), K (f16):  512.00 MiB, V (f16):"
    row = compared(lines + line, model="llama-3.1-8b")[CELLS]
    assert (row["predicted"], row["verdict"]) == ("1 GiB", "equal")


def test_mixed_types_of_keys_and_values():
    text = (
        "llama_kv_cache: size = 1872.00 MiB ( 32768 cells,  36 layers,  1/1 seqs), K (q8_0): 1224.00 MiB,"
        " V (q4_0):  648.00 MiB"
    )
    row = compared(text, model="qwen3-8b")[CELLS]
    assert row["verdict"] == "explained"
    assert "keys are q8_0 (llama.cpp) and its values q4_0" in row["reason"]


def test_a_type_of_the_same_bytes_keeps_its_own_name():
    text = "llama_kv_cache: size = 1296.00 MiB ( 32768 cells, 36 layers, 1/1 seqs), K (iq4_nl): 648.00 MiB, V (iq4_nl)"
    row = compared(text, model="qwen3-8b")[CELLS]
    assert row["verdict"] == "explained"
    assert "iq4_nl" in row["reason"]
    assert "q4_0" not in row["reason"]


def test_a_latent_stored_twice_is_recognised():
    text = "llama_kv_cache: size = 4148.00 MiB ( 32768 cells,  61 layers,  1/1 seqs), K (f16): 2196.00 MiB, V (f16)"
    row = compared(text, model="deepseek-v3")[CELLS]
    assert (row["verdict"], "stores the latent again" in row["reason"]) == ("explained", True)


def test_a_draft_head_s_layer_is_counted_by_the_log_s_own_layers():
    text = "llama_kv_cache: size = 132.00 MiB (  1024 cells,  33 layers,  1/1 seqs), K (f16):   66.00 MiB, V (f16)"
    row = compared(text)[CELLS]
    assert (row["verdict"], "33 layers" in row["reason"]) == ("explained", True)


def test_one_of_two_caches_alone_is_recognised():
    row = compared(WINDOWS.rsplit("\n", 2)[0], model="gpt-oss-20b")[CELLS]
    assert (row["verdict"], "12 layers that keep every token" in row["reason"]) == ("explained", True)


def test_ollamas_estimate_did_not_know_of_windows():
    text = 'memory.required.kv="992.0 MiB" KvSize:2048'
    row = compared(text, model="gemma-3-27b")["KV cache, the engine's estimate"]
    assert row["ratio"] == pytest.approx(992 / 784, rel=0.01)
    assert "does not honour the windows" in row["reason"]


def test_a_draft_model_has_a_row_of_its_own():
    text = """llama_kv_cache: size = 4096.00 MiB ( 32768 cells,  32 layers,  1/1 seqs), K (f16): 2048.00 MiB, V (f16)
srv load_model: loading draft model 'x'
llama_kv_cache: size = 896.00 MiB ( 32768 cells,  28 layers,  1/1 seqs), K (f16): 448.00 MiB, V (f16): 448.00 MiB"""
    rows = compared(text)
    assert rows[CELLS]["verdict"] == "equal"
    assert rows["KV cache, draft model"]["logged"] == "896 MiB"


def test_nothing_is_compared_without_an_engine():
    assert compared("hello") == {}
    assert (
        log_summary(read_log("hello")) == "Nothing in this text was recognised as an engine's start-up log."
    )
    assert log_summary(read_log("GPU KV cache size: 1 tokens")) == "A log of vLLM: 1 figure."
    assert log_summary(read_log(V1 + V1)) == "A log of vLLM: 5 figures of start 2 of 2."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (V1, {"context": 8192}),
        (V0, {"reserve": 4.89, "utilisation": 90}),
        (
            "GPU KV cache size: 5 tokens\nmax_seq_len=32768, tensor_parallel_size=4, kv_cache_dtype=fp8_e4m3",
            {"context": 32768, "gpus": 4, "cache": "fp8"},
        ),
        ("GPU KV cache size: 5 tokens\nmax_seq_len=99999999, tensor_parallel_size=64", {}),
        ("GPU KV cache size: 5 tokens\nkv_cache_dtype=auto", {}),
        ("GPU KV cache size: 5 tokens\nkv_cache_dtype=int8_per_token_head", {}),
        (WINDOWS, {"context": 8192, "users": 1, "cache": "bf16", "cache_v": ""}),
        (
            "llama_context: n_ctx = 8192\nllama_context: n_seq_max = 4\nllama_context: n_ctx_per_seq = 2048",
            {"context": 2048, "users": 4},
        ),
        ("llama_kv_cache: size = 64.00 MiB ( 2048 cells, 4 layers, 4/4 seqs)", {"context": 2048, "users": 4}),
        (
            "llama_context: n_ctx = 8192\nllama_context: n_seq_max = 4\nkv_unified = false",
            {"context": 2048, "users": 4},
        ),
        ("Parallel:2 KvSize:8192 KvCacheType:q8_0", {"context": 4096, "users": 2, "cache": "q8_0"}),
        ("ollama runner --ctx-size 40960 --parallel 5", {"context": 8192, "users": 5}),
        (
            "llama_memory_recurrent: size = 50.25 MiB ( 1 cells, 32 layers, 1 seqs), R (f32): 2.25 MiB, S (f32): 48",
            {},
        ),
        ("", {}),
    ],
)
def test_settings_are_taken_over(text, expected):
    found = log_settings(read_log(text))
    assert found == expected
    Scenario(**found)


def test_values_of_another_type_count_in_a_pool_of_blocks_too():
    text = "GPU KV cache size: 16,384 tokens\nAvailable KV cache memory: 1.50 GiB\n"
    row = compared(text, cache="bf16", cache_v="fp8")[TOKENS]
    assert row["verdict"] == "equal", row
