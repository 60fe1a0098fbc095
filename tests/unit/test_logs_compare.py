"""What a log says against the sizing model: settings taken over, figures compared, reasons tried."""

from types import SimpleNamespace

import pytest

from acts.logs import read_log
from acts.logs.compare import compare_log, log_settings, log_summary
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
REQUESTS = "Requests"
POOL = "Memory for the cache, each GPU"
WEIGHTS = "Weights, each GPU"
SWAP = "Blocks in 4 GiB"
NEED = "Cache for one request"
CELLS = "KV cache, all devices"


def test_a_log_of_the_same_scenario_agrees():
    rows = compared(V1, reserve=4.9)
    assert set(rows) == {WEIGHTS, POOL, TOKENS, REQUESTS}
    assert all(row["reason"] == "" and abs(row["ratio"] - 1) <= 0.01 for row in rows.values())
    assert rows[TOKENS]["logged"] == rows[TOKENS]["predicted"] == "421,056 tokens"


@pytest.mark.parametrize(
    ("text", "state", "label", "ratio", "said"),
    [
        (V1, {}, POOL, 0.9066, "Activations"),
        (V0, {}, POOL, 0.9131, "the engine set 4.89 GiB aside"),
        (V1, {"gpu": "b200-180gb"}, POOL, 0.35, "The card"),
        (V1, {"cache": "fp8"}, TOKENS, 0.5, "BF16 / FP16 values, the scenario's FP8"),
        (V1, {"cache": "fp8"}, REQUESTS, 0.5, "BF16 / FP16 values, the scenario's FP8"),
        (V1, {"gpus": 2}, TOKENS, 0.5, "split over 1 GPU, the scenario has 2"),
        (V1, {"gpus": 2}, WEIGHTS, 2.0043, "split over 1 GPU"),
        (V1, {"weights": "int8"}, WEIGHTS, 2.0043, "The log's weights are BF16 / FP16"),
        (V1, {"model": "qwen3-0.6b"}, TOKENS, 0.875, "The model, its cache type"),
        (V0.replace("2048", "3072"), {}, SWAP, 1.5, "Swap space was set to 6 GiB"),
        (V0.replace("2048", "4096") + "kv_cache_dtype=fp8", {}, SWAP, 2.0, "FP8 values"),
        (V1.replace("421,056", "392,136"), {}, TOKENS, 0.9313, "Units"),
    ],
)
def test_a_difference_gets_the_reason_that_reproduces_it(text, state, label, ratio, said):
    row = compared(text, **state)[label]
    assert row["ratio"] == pytest.approx(ratio, rel=0.03)
    assert said in row["reason"]


@pytest.mark.parametrize(
    ("need", "reason"), [("4.54", ""), ("9.00", "does not honour the windows"), ("2.27", "FP8")]
)
def test_windows_and_prefill_chunks_are_counted(need, reason):
    text = f"max seq len (131072), ({need} GiB KV cache is needed, max_num_batched_tokens=1024"
    row = compared(text, model="gpt-oss-120b")[NEED]
    assert reason in row["reason"]
    assert bool(reason) == bool(row["reason"])


def test_a_hybrid_models_pages_are_recognised():
    text = """Available KV cache memory: 4.99 GiB
    tensor_parallel_size=2, kv_cache_dtype=fp8
    Setting attention block size to 1568 tokens to ensure that attention page size is >= mamba page size
    GPU KV cache size: 302,921 tokens
    Maximum concurrency for 131,072 tokens per request: 2.31x"""
    rows = compared(text, model="qwen3.5-27b", gpus=2, cache="fp8")
    assert "recurrent layers take 2 pages" in rows[TOKENS]["reason"]
    assert "recurrent layers take 2 pages" in rows[REQUESTS]["reason"]
    even = compared(text.replace("302,921", "81,536"), model="qwen3.5-27b", gpus=2, cache="fp8")
    assert "shared out evenly" in even[TOKENS]["reason"]


def test_llama_cpp_counts_windows_slots_and_types():
    state = {"model": "gpt-oss-20b", "context": 8192, "users": 1}
    assert compared(WINDOWS, **state)[CELLS]["reason"] == ""
    assert "BF16" in compared(WINDOWS, **state, cache="q8_0")[CELLS]["reason"]
    full = WINDOWS.replace("24.00", "192.00")
    assert "does not honour the windows" in compared(full, **state)[CELLS]["reason"]


def test_mixed_types_of_keys_and_values():
    text = (
        "llama_kv_cache: size = 1872.00 MiB ( 32768 cells,  36 layers,  1/1 seqs), K (q8_0): 1224.00 MiB,"
        " V (q4_0):  648.00 MiB"
    )
    row = compared(text, model="qwen3-8b")[CELLS]
    assert "keys are q8_0 (llama.cpp) and its values q4_0" in row["reason"]


def test_ollamas_estimate_did_not_know_of_windows():
    text = 'memory.required.kv="992.0 MiB" KvSize:2048'
    row = compared(text, model="gemma-3-27b")["KV cache, the engine's estimate"]
    assert row["ratio"] == pytest.approx(992 / 784, rel=0.01)
    assert "does not honour the windows" in row["reason"]


def test_nothing_is_compared_without_an_engine():
    assert compared("hello") == {}
    assert (
        log_summary(read_log("hello")) == "Nothing in this text was recognised as an engine's start-up log."
    )
    assert log_summary(read_log("GPU KV cache size: 1 tokens")) == "A log of vLLM: 1 figure."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (V1, {"context": 8192}),
        (V0, {"reserve": 4.88}),
        (
            "GPU KV cache size: 5 tokens\nmax_seq_len=32768, tensor_parallel_size=4, kv_cache_dtype=fp8_e4m3",
            {"context": 32768, "gpus": 4, "cache": "fp8"},
        ),
        ("GPU KV cache size: 5 tokens\nmax_seq_len=99999999, tensor_parallel_size=64", {}),
        ("GPU KV cache size: 5 tokens\nkv_cache_dtype=auto", {}),
        ("GPU KV cache size: 5 tokens\nkv_cache_dtype=int8_per_token_head", {}),
        (WINDOWS, {"context": 8192, "users": 1, "cache": "bf16"}),
        (
            "llama_context: n_ctx = 8192\nllama_context: n_seq_max = 4\nllama_context: n_ctx_per_seq = 2048",
            {"context": 2048, "users": 4},
        ),
        ("llama_kv_cache: size = 64.00 MiB ( 2048 cells, 4 layers, 4/4 seqs)", {"context": 2048, "users": 4}),
        ("Parallel:2 KvSize:8192 KvCacheType:q8_0", {"context": 4096, "users": 2, "cache": "q8_0"}),
        ("", {}),
    ],
)
def test_settings_are_taken_over(text, expected):
    found = log_settings(read_log(text))
    assert found == expected
    Scenario(**found)
