"""The answer to a log: what the engine holds, what stood in the way, what would change it, and where memory went."""

from types import SimpleNamespace

import pytest

from acts.logs import read_log
from acts.logs.answer import log_answer, log_report
from acts.logs.budget import log_bars, log_budget
from acts.logs.compare import log_job
from acts.logs.settings import log_settings
from acts.scenario import Catalog, Scenario

from .test_logs_compare import SHORT, V0, V1

CATALOG = Catalog()
GIB = 2**30


def asked(text, **state):
    log = read_log(text)
    scenario = Scenario(**(log_settings(log) | state))
    values = SimpleNamespace(**{name: getattr(scenario, name) for name in scenario.param if name != "name"})
    return log, CATALOG.models[scenario.model].shape, values, CATALOG


def answer(text, **state):
    return log_answer(*asked(text, **state))


def test_what_the_cache_holds_comes_first():
    said = answer(V0 + SHORT, gpu="h100-80gb")["sentences"]
    assert said[0] == (
        "vLLM's cache holds 421,056 tokens in 51.4 GiB: 51 requests of 8,192 tokens at once, or more that are shorter."
    )
    assert said[1].startswith(
        "Of the card's 79.2 GiB the rest went to: weights 15.0 GiB, outside PyTorch 0.09 GiB"
    )
    assert said[2].startswith("What would change it: Context 4,096: 102 requests; FP8 cache: 102 requests;")


def test_each_way_can_be_set_and_holds_what_it_says():
    """The requests a way promises are those that the sizing model finds once the way is taken."""
    ways = answer(V0 + SHORT, gpu="h100-80gb")["ways"]
    assert [list(way["set"]) for way in ways] == [
        ["context"], ["cache"], ["utilisation"], ["gpus"], ["weights", "weights_gib"], ["weights", "weights_gib"],
    ]  # fmt: skip
    for way in ways:
        Scenario(**way["set"])


@pytest.mark.parametrize(
    ("text", "state", "said", "setting"),
    [
        (
            "The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache"
            " (7344). Try increasing `gpu_memory_utilization`",
            {"model": "llama-2-7b"},
            "needs 16 GiB of cache, and 3.59 GiB are left (7,344 tokens): 12.4 GiB are missing.",
            {"context": 7168},
        ),
        (
            "To serve at least one request with the models's max seq len (32768), (4.50 GiB KV cache is needed, which"
            " is larger than the available KV cache memory (3.58 GiB). the estimated maximum model length is 26032.",
            {"model": "qwen3-8b"},
            "needs 4.5 GiB of cache, and 3.58 GiB are left: 0.92 GiB are missing.",
            {"context": 25856},
        ),
        (
            "Available KV cache memory: -0.94 GiB",
            {},
            "Nothing is left for the cache: the rest takes 0.94 GiB more than the engine may use.",
            {"gpus": 2},
        ),
        (
            "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`",
            {"model": "llama-3-70b"},
            "Nothing is left for the cache beside weights and activations. One request of 8,192 tokens needs 2.5 GiB",
            {"gpus": 2},
        ),
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of"
            " 23.65 GiB of which 1.20 GiB is free. Of the allocated memory 20.1 GiB is allocated by PyTorch",
            {},
            "1.5 GiB more were wanted while 1.2 GiB were free: at least 0.3 GiB are missing on a card",
            None,
        ),
        (
            "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 20480.00 MiB on device 0: cudaMalloc failed: out"
            " of memory\nllama_init_from_model: failed to allocate buffer for kv cache",
            {},
            "20 GiB more were wanted for the KV cache on device 0 and refused: out of memory.",
            {"cache": "q8_0", "cache_v": ""},
        ),
        (
            "[TM][WARNING] `session_len` truncated to 4928 due to limited KV cache memory",
            {},
            "The cache holds 4,928 tokens (0.6 GiB), so no request may be longer.",
            None,
        ),
        (
            "max_total_num_tokens=2086558, chunked_prefill_size=8192, context_len=256000",
            {"model": "llama-3.1-8b"},
            "SGLang's cache holds 2,086,558 tokens: 8 requests of 256,000 tokens at once, or more that are shorter.",
            {"context": 128000},
        ),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_missing_and_what_would_fit(text, state, said, setting):
    found = answer(text, **state)
    assert any(said in sentence for sentence in found["sentences"]), found["sentences"]
    assert setting is None or setting in [way["set"] for way in found["ways"]], found["ways"]


def test_llama_cpp_s_answer_is_of_slots():
    text = """llama_context: n_ctx = 8192
llama_kv_cache:      CUDA0 KV buffer size =   640.00 MiB
llama_kv_cache:        CPU KV buffer size =   384.00 MiB
llama_kv_cache: size = 1024.00 MiB (  2048 cells,  32 layers,  4/4 seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB
load_tensors: offloaded 20/33 layers to GPU"""
    said = answer(text, model="llama-3.1-8b")["sentences"]
    assert said[0] == "llama.cpp's cache takes 1 GiB: 4 slots of 2,048 tokens each, 8,192 in all."
    assert said[1] == "384 MiB of the cache lie in host memory, not on a GPU."
    assert said[2] == "20 of 33 layers lie on the GPU."
    assert "q8_0 cache: 544 MiB" in said[3]


def test_ollama_s_estimate_tells_why_layers_stayed_away():
    text = """msg=offload library=cuda layers.requested=-1 layers.model=41 layers.offload=0 layers.split=""
 memory.available="[22.9 GiB 22.9 GiB]" memory.required.full="33.9 GiB" memory.required.kv="20.0 GiB"
 memory.weights.total="13.1 GiB" memory.graph.full="13.3 GiB" projector.weights="769.3 MiB" projector.graph="8.8 GiB"
cmd="ollama runner --ctx-size 131072 --parallel 1\""""
    said = " ".join(answer(text, model="mistral-small-24b")["sentences"])
    assert "0 of 41 layers lie on the GPU: the whole model was estimated at 33.9 GiB" in said
    assert "graph 13.3 GiB, projector 0.75 GiB, projector's graph 8.8 GiB" in said
    assert "2 × 22.9 GiB are available; graph and projector must fit on every GPU" in said


def test_the_runner_s_command_line_alone_is_answered():
    said = answer("/usr/bin/ollama runner --ctx-size 40960 --parallel 5 --port 1", model="qwen3-8b")[
        "sentences"
    ]
    assert said[0].endswith("5 slots share 40,960 tokens, up to 8,192 each.")


def test_the_start_that_is_meant_is_named():
    said = answer(V1 + V1)["sentences"]
    assert said[-1] == "The text holds 2 starts; this is of number 2, from line 7 on."


def test_a_budget_adds_up_to_the_card():
    budget = log_budget(log_job(*asked(V0)))
    assert budget["total"] == 7920 * GIB // 100
    assert [part[:2] for part in budget["parts"]] == [
        ["weights", "weights"], ["reserve", "outside PyTorch"], ["reserve", "activations"], ["cache", "cache"],
        ["held", "not for the engine"],
    ]  # fmt: skip
    assert sum(part[2] for part in budget["parts"]) == pytest.approx(budget["total"], abs=2)


def test_the_words_of_2026_are_a_whole_budget():
    text = """Free memory on device (31.23/31.86 GiB) on startup. Desired GPU memory utilization is (0.97, 30.9 GiB). \
Actual usage is 24.58 GiB for consumed memory (weights + non-torch), 1.46 GiB for peak activation, and 0.49 GiB for \
CUDAGraph memory. Replace gpu_memory_utilization config with --kv-cache-memory=4536913634 (4.23 GiB) to fit
Available KV cache memory: 4.87 GiB"""
    parts = log_budget(log_job(*asked(text)))["parts"]
    assert [(part[1], round(part[2] / GIB, 2)) for part in parts] == [
        ("weights and outside PyTorch", 24.58), ("activations", 1.46), ("CUDA graphs", 0.49), ("cache", 4.87),
        ("not for the engine", 0.46),
    ]  # fmt: skip
    assert log_settings(read_log(text))["reserve"] == 1.46


def test_the_wall_s_bar_stands_on_the_same_scale():
    told, wall = log_bars(log_job(*asked(V0 + SHORT, gpu="h100-80gb", users=8)))
    assert told["words"].startswith("One card, as the log tells it: 79.2 GiB, of them weights 15.0 GiB")
    assert "cache of 8 users 8 GiB" in wall["words"]
    assert float(told["card"]) == pytest.approx(100 * 79.2 / 79.65, abs=0.1)
    for bar in (told, wall):
        ends = [float(part["start"]) + float(part["width"]) for part in bar["parts"]]
        assert ends == sorted(ends)
        assert ends[-1] == pytest.approx(float(bar["card"]), abs=0.05)


def test_too_many_users_do_not_make_the_log_s_bar_vanish():
    told, wall = log_bars(log_job(*asked(V0 + SHORT, gpu="h100-80gb", users=1000)))
    assert float(told["card"]) == pytest.approx(50)
    assert float(wall["parts"][-1]["start"]) + float(wall["parts"][-1]["width"]) == pytest.approx(100)


def test_a_report_has_what_programs_need():
    report = log_report(*asked(V1 + V1))
    assert list(report) == ["engine", "starts", "start", "answer", "rows", "set"]
    assert (report["engine"], report["starts"], report["start"], report["set"]) == (
        "vllm",
        2,
        2,
        {"context": 8192},
    )
    for row in report["rows"]:
        assert list(row) == ["what", "printed", "predicted", "unit", "verdict", "reason"]
        assert row["verdict"] in ("equal", "explained", "differs", "unknown")
    nothing = log_report(*asked("hello"))
    assert (nothing["engine"], nothing["starts"], nothing["start"], nothing["rows"]) == (None, 0, 0, [])


def test_a_raised_block_size_alone_is_explained():
    said = answer("INFO Setting attention block size to 672 tokens")["sentences"]
    assert said[0].startswith("A block holds 672 tokens, as in hybrid models")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "worker.py:241] the current vLLM instance can use total_gpu_memory (15.77GiB) x gpu_memory_utilization"
            " (0.90) = 14.20GiB",
            "Of the card's 15.8 GiB the engine may use 14.2 GiB, for weights, activations and the cache together.",
        ),
        (
            "Free memory on device (31.23/31.86 GiB) on startup. Desired GPU memory utilization is (0.97, 30.9 GiB)."
            " Actual usage is 24.58 GiB for consumed memory (weights + non-torch), 1.46 GiB for peak activation, and"
            " 0.49 GiB for CUDAGraph memory.",
            "The engine's figures leave 4.86 GiB for the cache: 4 requests of 8,192 tokens at once by the model set",
        ),
        (
            "Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.34GiB"
            " peak_torch_memory=17.06GiB memory_usage_post_profile=15.35GiB non_torch_memory=0.35GiB"
            " kv_cache_size=3.81GiB gpu_memory_utilization=0.90",
            "weights and activations 17.1 GiB, outside PyTorch 0.35 GiB, not for the engine 2.36 GiB.",
        ),
        ("Available KV cache memory: 6.67 GiB", "6 requests of 8,192 tokens at once by the model set here"),
        (
            "[MemUsage] Memory usage when calculating max tokens in paged kv cache: total: 39.39 GiB, available: 21.89"
            " GiB",
            "At 0.9 of the 21.9 GiB that were free TensorRT-LLM's cache takes 19.7 GiB",
        ),
        ("Estimated CUDA graph memory: 0.36 GiB total", "Read from these lines: CUDA graphs, estimated: 0.36 GiB."),
        ("graph pool memory: 2.51 GiB (actual), 2.44 GiB (estimated)", "CUDA graphs: 2.51 GiB"),
        ("The available memory for KV cache is 17.67 GB.", "SGLang's cache holds 17.7 GiB"),
        ("[TM][INFO] [BlockManager] block_size = 8 MB", "Read from these lines: Bytes per block: 8 MB."),
        ("sched_reserve: CUDA1 compute buffer size = 808.02 MiB", "Compute buffers on CUDA1: 808.02 MiB"),
        ("graph_reserve: failed to allocate compute buffers", "Memory ran out for the compute buffers; how much"),
        (
            "common_memory_breakdown_print: |   - Host  |   25094 =  1502 +   21504 +    2088   |",
            "By its memory breakdown 21 GiB of cache and states lie in host memory.",
        ),
        (
            "llama_kv_cache:      CUDA11 KV buffer size =   144.00 MiB",
            "These lines show 144 MiB of llama.cpp's cache, on CUDA11. If that is all of it, the model set here would"
            " keep 1,152 tokens in it.",
        ),
        (
            "llama_new_context_with_model: KV self size  =    2.12 MiB, K (q8_0): 1.06 MiB, V (q8_0): 1.06 MiB",
            "the model set here would keep about 32 tokens in it.",  # 2.125 MiB print so
        ),
        ("layers.requested=-1 layers.model=41 layers.split=", "Read from these lines: Layers of the model: 41"),
        ("Initializing an LLM engine (v0.6.4) with config: max_seq_len=8192,", "Longest request: 8192"),
    ],
)  # fmt: skip
def test_a_single_line_is_answered(text, said):
    sentences = answer(text)["sentences"]
    assert any(said in sentence for sentence in sentences), sentences


def test_what_was_refused_in_pytorch_alone_is_not_made_out_to_be_the_cache():
    found = answer("HIP out of memory. Tried to allocate 16.25 GiB.")
    assert found["sentences"][:2] == [
        "16.3 GiB more were wanted and refused: out of memory.",
        "What it was for is not in these lines; the weights of the model set here take 15.0 GiB, by this page.",
    ]
    assert [way["text"] for way in found["ways"]] == [
        "2 GPUs: weights 7.48 GiB on each", "FP8 weights: 7.48 GiB", "4-bit weights: 3.74 GiB",
    ]  # fmt: skip


def test_a_window_s_cache_alone_does_not_tell_how_long_a_request_may_be():
    line = "llama_kv_cache: size =  540.00 MiB ( 1536 cells,  52 layers,  1/1 seqs), K (f16): 270 MiB, V (f16): 270 MiB"
    said = answer(line, model="gemma-3-27b")["sentences"]
    assert said[0].startswith("This is the cache of the 52 layers with a window: 540 MiB in 1,536 cells.")
    cells = read_log("llama_kv_cache_iswa: creating     SWA KV cache, size = 4608 cells")
    assert [finding["key"] for finding in cells["findings"]] == ["window_cells"]


def test_tokens_that_groups_of_layers_share_do_not_tell_the_requests():
    found = answer("GPU KV cache size: 290,864 tokens", model="gemma-3-27b")
    assert found["sentences"][0] == "vLLM's cache holds 290,864 tokens."
    assert "do not tell how many requests fit" in found["sentences"][1]
    assert found["ways"] == []


def test_nothing_is_offered_from_figures_that_are_not_the_log_s():
    pool = "KV Cache is allocated. #tokens: 46611, K size: 1.42 GB, V size: 1.42 GB"
    found = answer(pool)
    assert found["ways"] == []
    assert found["sentences"][1].startswith("As this page is set it does not give the log's figures")
    refused = (
        "max seq len (32768), (8.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.46"
        " GiB). Based on the available memory, the estimated maximum model length is 18240. Try"
    )
    assert [way["set"] for way in answer(refused)["ways"]] == [{"context": 18240}]


def test_the_rank_whose_line_is_not_here_decides_what_is_left():
    found = answer("Available KV cache memory: 8.11 GiB\nGPU KV cache size: 100,000 tokens", gpus=2)
    ways = {tuple(way["set"]): way["text"] for way in found["ways"]}
    assert ways[("context",)] == "Context 4,096: 24 requests"  # 100,000 / 4,096, not 8.11 GiB / 0.25 GiB


UNEVEN = """llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3090) - 23836 MiB free
llama_model_load_from_file_impl: using device CUDA1 (NVIDIA GeForce RTX 3060) - 11907 MiB free
load_tensors:        CUDA0 model buffer size = 12322.63 MiB
load_tensors:        CUDA1 model buffer size =  6304.36 MiB
llama_context: n_ctx = 32768
llama_kv_cache:      CUDA0 KV buffer size =  5504.00 MiB
"""


def test_of_uneven_gpus_the_fullest_decides_with_its_own_memory():
    text = UNEVEN + (
        "llama_kv_cache:      CUDA1 KV buffer size =  2688.00 MiB\n"
        "llama_kv_cache: size = 8192.00 MiB ( 32768 cells, 64 layers, 1/1 seqs), K (f16): 4096 MiB, V (f16): 4096 MiB\n"
        "llama_context:      CUDA0 compute buffer size =   400.01 MiB\n"
        "llama_context:      CUDA1 compute buffer size =   600.02 MiB\n"
    )
    said = answer(text, model="qwen2.5-32b")["sentences"]
    assert "The fullest GPU is CUDA1, which decides what else fits: of 11.6 GiB free at the start" in said[1]
    told = log_budget(log_job(*asked(text, model="qwen2.5-32b")))
    assert told["total"] == 11907 * 2**20
    assert [part[1] for part in told["parts"]] == ["weights", "compute buffers", "cache", "left free"]


def test_what_is_left_on_the_gpu_that_refused_is_that_gpu_s():
    text = UNEVEN + (
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 12688.00 MiB on device 1: cudaMalloc failed: out\n"
        "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache"
    )
    found = answer(text, model="qwen2.5-32b")
    assert found["sentences"][0] == (
        "12.4 GiB more were wanted for the KV cache on device 1 while 5.47 GiB were free: at least 6.92 GiB are "
        "missing."
    )
    assert "takes 8 GiB by this page" in found["sentences"][1]
    assert "KV cache, all devices" not in [row["what"] for row in log_report(*asked(text))["rows"]]


def rank_lines(*ranks):
    """vLLM's lines of ranks: name, card, weights and what else they hold, activations, cache in GiB."""
    return "\n".join(
        f"({name} pid=1) Free memory on device ({card - 0.25}/{card} GiB) on startup. Desired GPU memory utilization is"
        f" (0.9, {card * 0.9:.2f} GiB). Actual usage is {held} GiB for consumed memory (weights + non-torch),"
        f" {peak} GiB for peak activation.\n({name} pid=1) Available KV cache memory: {pool} GiB"
        for name, card, held, peak, pool in ranks
    )


def test_unequal_cards_are_told_and_the_smallest_one_s_budget_is_its_own():
    text = rank_lines(("Worker_TP0", 23.56, 9.9, 0.8, 10.5), ("Worker_TP1", 11.76, 7.8, 0.7, 2.08))
    found = answer(text, model="llama-3.1-8b", gpus=2)
    assert "The rank with the least memory decides for all: TP1." in found["sentences"][1]
    assert "The cards are not alike (TP0 23.6 GiB, TP1 11.8 GiB)" in found["sentences"][1]
    told = log_budget(log_job(*asked(text, gpus=2)))
    assert (round(told["total"] / GIB, 2), round(told["parts"][0][2] / GIB, 2)) == (11.76, 7.8)
    row = next(row for row in log_report(*asked(text, gpus=2))["rows"] if row["what"].startswith("Memory"))
    assert row["verdict"] == "equal"
    assert {"gpu": "custom", "card_gib": 11.76} in [way["set"] for way in found["ways"]]
    alike = answer(text.replace("23.56", "11.76"), gpus=2)
    assert not any("not alike" in sentence for sentence in alike["sentences"])


def test_vllm_v0_s_processes_are_ranks():
    line = (
        "INFO worker.py:241] model weights take {}GiB; non_torch_memory takes 0.2GiB; PyTorch activation peak memory"
        " takes 0.2GiB; the rest of the memory reserved for KV Cache is {}GiB."
    )
    text = line.format(7.51, 9.0) + "\n(VllmWorkerProcess pid=17) " + line.format(7.52, 3.0)
    log = read_log(text)
    assert log["starts"][0]["ranks"] == 2
    assert "decides for all: process 17." in " ".join(answer(text)["sentences"])


def test_ollama_s_estimate_is_told_gpu_by_gpu():
    text = """msg=offload layers.model=49 layers.offload=37 layers.split=37,0 memory.available="[11.5 GiB 4.6 GiB]" \
memory.required.full="14.9 GiB" memory.required.kv="2.0 GiB" memory.required.allocations="[11.4 GiB 0 B]" \
memory.weights.total="7.5 GiB" memory.graph.full="1.3 GiB\""""
    said = " ".join(answer(text, model="gemma-3-27b")["sentences"])
    assert "GPU 0 takes 11.4 GiB of 11.5 GiB, GPU 1 takes 0 GiB of 4.6 GiB" in said
    assert log_budget(log_job(*asked(text)))["title"].startswith("GPU 0, as Ollama estimates it")


def test_nothing_is_offered_where_the_requests_are_not_the_log_s():
    """A hybrid's log beside a model without states: tokens meet, requests do not."""
    text = (
        "Setting attention block size to 1568 tokens\nAvailable KV cache memory: 6.67 GiB\n"
        "GPU KV cache size: 53,312 tokens\nMaximum concurrency for 32,768 tokens per request: 5.15x"
    )
    found = answer(text, model="llama-3-8b")
    assert found["sentences"][0].startswith("vLLM's cache holds 53,312 tokens in 6.67 GiB: 5 requests")
    assert found["ways"] == []


WEIGHTS_REFUSED = """llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3060) - 11800 MiB free
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 14500.04 MiB on device 0: cudaMalloc failed: out of memory
alloc_tensor_range: failed to allocate CUDA0 buffer of size 15204393984
llama_model_load: error loading model: unable to allocate CUDA0 buffer"""


def test_weights_refused_say_what_is_missing_and_how_many_layers_fit():
    found = answer(WEIGHTS_REFUSED, model="llama-3-8b")
    assert found["sentences"][0] == (
        "14.2 GiB more were wanted for the weights on CUDA0 while 11.5 GiB were free: at least 2.64 GiB are missing."
    )
    # 14,500 MiB of weights and 1,024 MiB of cache lie in 33 layers: 470.4 MiB each, of which 11,800 MiB hold 25.
    layers = {
        "text": "--n-gpu-layers 25: at most 25 of 33 layers fit on the GPU",
        "set": {"weights_gib": 10.72},
    }
    assert layers in found["ways"]
    assert {"text": "2 GPUs: weights 7.48 GiB on each", "set": {"gpus": 2}} in found["ways"]
    assert {"text": "4-bit weights: 3.74 GiB", "set": {"weights": "int4", "weights_gib": 0}} in found["ways"]


def test_weights_refused_of_another_model_bring_no_ways_of_the_one_set():
    found = answer(WEIGHTS_REFUSED, model="llama-3.1-70b")
    assert found["ways"] == []
    assert "the weights of the model set here take" in found["sentences"][1].lower()
    assert "once the log's model and the type of its weights are set" in found["sentences"][1]


def test_a_cache_refused_says_how_many_layers_fit_with_their_share_of_it():
    text = """llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3060) - 11800 MiB free
load_tensors: offloaded 33/33 layers to GPU
load_tensors:        CUDA0 model buffer size =  8000.00 MiB
llama_context: n_ctx = 65536
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory
alloc_tensor_range: failed to allocate CUDA0 buffer of size 8589934592
llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache"""
    found = answer(text, model="llama-3-8b")
    assert "while 3.71 GiB were free: at least 4.29 GiB are missing." in found["sentences"][0]
    # (8,000 + 8,192) MiB / 33 layers = 490.7 MiB each, of which 11,800 MiB hold 24.
    assert "--n-gpu-layers 24: at most 24 of 33 layers fit on the GPU" in [
        way["text"] for way in found["ways"]
    ]
    two = text.replace(
        "load_tensors:        CUDA0", "load_tensors: CUDA1 model buffer size = 100 MiB\nload_tensors: CUDA0"
    )
    assert not any("--n-gpu-layers" in way["text"] for way in answer(two, model="llama-3-8b")["ways"])


def test_compute_buffers_refused_alone_are_answered_by_what_lies_beside_them():
    text = """ggml_backend_cuda: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of memory
graph_reserve: failed to allocate compute buffers"""
    found = answer(text, model="llama-3-8b", gpu="rtx-4090-24gb")
    assert "its weights 15.0 GiB." in found["sentences"][1]
    # 24,576 MiB less 9,000 are 15,576; (15,317 + 1,024) MiB / 33 layers are 495.2 each.
    text = "--n-gpu-layers 31: at most 31 of 33 layers fit on the card set here"
    assert text in [way["text"] for way in found["ways"]]


LARGE_ENOUGH = (
    "[TensorRT-LLM] maxTokensInPagedKvCache must be large enough to process at least 1 sequence to completion"
)


def test_a_refusal_without_figures_is_answered_by_what_the_scenario_leaves():
    found = answer(LARGE_ENOUGH, model="llama-3-70b", context=131072)
    assert found["sentences"][1].startswith("By this page nothing is left beside the weights: at least ")
    assert {"text": "FP8 cache: a request needs 20 GiB", "set": {"cache": "fp8"}} in found["ways"]
    found = answer(LARGE_ENOUGH, model="llama-3.1-8b")
    assert "activations, other programs or a setting took the rest" in found["sentences"][1]
    assert [way for way in found["ways"] if ": at most " in way["text"]] == found["ways"] != []


def test_heads_that_no_engine_shares_out_are_named():
    text = "tensor_parallel_size=3\nAvailable KV cache memory: 10.00 GiB"
    said = " ".join(answer(text, model="llama-3.1-70b", gpus=3)["sentences"])
    assert "64 query heads cannot be shared out evenly over 3 GPUs" in said
    assert "shared out evenly" not in " ".join(
        answer(text.replace("3", "4"), model="llama-3.1-70b", gpus=4)["sentences"]
    )
