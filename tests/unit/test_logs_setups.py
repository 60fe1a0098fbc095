"""Set-ups that change what a figure stands for: pipelines, blocks set by hand, packed latents, models side by side."""

from types import SimpleNamespace

import pytest

from acts.logs import read_log
from acts.logs.answer import log_answer
from acts.logs.compare import compare_log
from acts.scenario import Catalog, Scenario
from acts.sizing import LayerGroup, Shape

from .test_logs_answer import answer, asked

CATALOG = Catalog()

STAGES = """
(Worker_PP0 pid=576) INFO Available KV cache memory: 31.02 GiB
(Worker_PP1 pid=578) INFO Available KV cache memory: 28.57 GiB
To serve at least one request with the models's max seq len (202752), (61.88 GiB KV cache is needed, which is larger
than the available KV cache memory (28.57 GiB). pipeline_parallel_size=8
"""
BY_HAND = """
Available KV cache memory: 51.40 GiB
Overriding num_gpu_blocks=26316 with num_gpu_blocks_override=1024
GPU KV cache size: 16,384 tokens
"""
TWO_LOADS = "\n".join(
    f'msg="starting llama server" cmd="/usr/bin/ollama runner --ctx-size 32768 --parallel 1 --port {port}"\n'
    f"llama_kv_cache_unified: size = {mib}.00 MiB ( 32768 cells,  {layers} layers,  1 seqs),"
    f" K (f16): {mib // 2}.00 MiB, V (f16): {mib // 2}.00 MiB"
    for port, mib, layers in ((4001, 4096, 32), (4002, 3072, 24), (4003, 3072, 24))
)
POOLS = """
KV Cache is allocated. #tokens: 800000, K size: 9.16 GB, V size: 9.16 GB
KV Cache is allocated. #tokens: 1000000, K size: 11.44 GB, V size: 11.44 GB
"""
OFFLOAD = (
    'msg=offload library=cuda layers.model=33 layers.offload=30 memory.available="[7.0 GiB]"'
    ' memory.required.full="8.0 GiB" memory.required.kv="4.0 GiB"'
)
TEXTS = [STAGES, BY_HAND, TWO_LOADS, POOLS, OFFLOAD]


def rows_of(text, **state):
    return {row["label"].split(" of ")[0]: row for row in compare_log(*asked(text, **state))}


def ways_of(found):
    return {way["text"]: way["set"] for way in found["ways"]}


def test_a_pipeline_s_stages_are_ranks_and_split_no_layer():
    log = read_log(STAGES)
    assert log["findings"][0]["rank"] == "PP1"
    assert log["starts"][0]["ranks"] == 0
    tensor = read_log(STAGES.replace("PP0", "PP0_TP0").replace("PP1", "PP0_TP1"))
    assert tensor["starts"][0]["ranks"] == 2


def test_a_need_of_all_stages_is_told_apart_and_ways_meet_the_engine_s_own_check():
    found = answer(STAGES, model="llama-3-70b")
    assert (
        "vLLM counts the cache of all layers here; a stage of the pipeline keeps 7.73 GiB of it."
        in found["sentences"]
    )
    ways = ways_of(found)
    # Half the length still takes 30.9 GiB by the engine's count.
    assert {"context": 93440} in ways.values()
    assert not any(text.startswith(("FP8 cache", "Context 101,376")) for text in ways)


def test_blocks_set_by_hand_explain_the_tokens_and_are_what_there_is():
    rows = rows_of(BY_HAND)
    assert rows["Tokens in the logged cache memory"]["verdict"] == "explained"
    found = answer(BY_HAND)
    assert found["sentences"][0].startswith("vLLM's cache holds 16,384 tokens in 2 GiB: 2 requests")
    assert "Its blocks were set by hand (num_gpu_blocks_override)." in found["sentences"]
    assert ways_of(found) == {
        "Context 4,096: 4 requests": {"context": 4096},
        "Without num_gpu_blocks_override: 51 requests": {},
    }


def test_blocks_set_by_hand_in_a_list_of_arguments_are_read():
    log = read_log("non-default args: {'num_gpu_blocks_override': 512}\nGPU KV cache size: 8,192 tokens\n")
    assert {finding["key"]: finding["value"] for finding in log["findings"]}["block_override"] == 512


@pytest.mark.parametrize(
    ("printed", "engine"),
    [("Available KV cache memory: 40.00 GiB\nGPU KV cache size: 893,504 tokens", "kv_cache_dtype=fp8_ds_mla"),
     ("Available KV cache memory: 40.00 GiB\nGPU KV cache size: 893,504 tokens", "kv_cache_dtype=fp8"),
     ("KV Cache is allocated. #tokens: 893504, KV size: 40.00 GB", "Using KV cache dtype: torch.float8_e4m3fn")],
)  # fmt: skip
def test_latents_of_sparse_attention_are_packed_in_fp8(printed, engine):
    """61 layers of 656 bytes, and 132 of an indexer's key beside each."""
    groups = (
        LayerGroup(61, 1, 576, 0, kind="latent"),
        LayerGroup(61, 1, 128, 0, kind="indexer", record_bytes=132),
    )
    shape = Shape(groups, 128, 61, 671_000_000_000, 37_000_000_000)
    log, _, state, _ = asked(f"{engine}\n{printed}", gpus=8)
    row = next(row for row in compare_log(log, shape, state, CATALOG) if row["unit"] == "tokens")
    assert row["verdict"] == "equal", row
    assert abs(row["figures"][1] - 40 * 2**30 // (61 * (656 + 132))) < 64


def test_a_second_load_of_ollama_s_has_a_row_of_its_own():
    rows = rows_of(TWO_LOADS, model="llama-3.1-8b")
    assert rows["KV cache, all devices"]["logged"] == "3 GiB"
    assert rows["KV cache, start 1"]["logged"] == "4 GiB"
    assert "KV cache, start 2" not in rows


def test_a_projector_has_a_row_of_its_own():
    row = rows_of('projector.weights="769.3 MiB" projector.graph="8.8 GiB"')[
        "Vision projector, weights and graph"
    ]
    assert (row["logged"], row["verdict"]) == ("9.55 GiB", "unknown")
    assert "Vision projector, weights" in rows_of("clip_model_loader: model size: 769.30 MiB")


def test_two_pools_of_different_tokens_are_those_with_and_without_a_window():
    rows = rows_of(POOLS, model="gpt-oss-20b")
    assert rows["Pool"]["verdict"] == "equal"
    assert "Tokens in the logged cache memory" not in rows
    assert rows["Memory for the cache, each GPU"]["logged"] == "41.2 GiB"
    assert (
        "1,000,000 tokens in the layers that keep all" in answer(POOLS, model="gpt-oss-20b")["sentences"][0]
    )


def test_where_nothing_is_left_what_seems_left_is_not_offered():
    """The weights of this model would leave 6.6 GiB of this card: activations took them, or the card is another."""
    found = answer(
        "ValueError: No available memory for the cache blocks.", model="llama-3.1-8b", gpu="rtx-4090-24gb"
    )
    ways = ways_of(found)
    assert not any(text.startswith(("Context", "FP8 cache")) for text in ways)
    assert all("at most" in text for text in ways)
    assert {"gpus": 2} in ways.values()


def test_gpus_that_heads_cannot_be_shared_over_are_not_offered():
    found = answer("tensor_parallel_size=3\nAvailable KV cache memory: 10.0 GiB", model="llama-3.1-70b")
    assert not any(text.startswith("6 GPUs") for text in ways_of(found))


def test_weights_in_host_memory_make_room_for_one_request():
    text = "max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (7344)."
    found = answer(text, model="qwen3-8b")
    assert ways_of(found)["cpu_offload_gb 4: 1 request"] == {"weights_gib": 11.25}


def test_ollama_s_estimate_tells_with_which_context_all_layers_fit():
    """Of 4 GiB 1 has to go: three quarters of 32,768 tokens are kept."""
    ways = ways_of(answer(OFFLOAD, model="llama-3.1-8b"))
    assert ways["Context 24,576: all 33 layers on the GPU, by Ollama's estimate"] == {
        "context": 24576,
        "users": 1,
    }
    two = OFFLOAD.replace("[7.0 GiB]", "[3.5 GiB 3.5 GiB]")
    assert not any("all 33" in text for text in ways_of(answer(two, model="llama-3.1-8b")))


@pytest.mark.parametrize(
    ("text", "said", "way"),
    [
        (
            "allocating 20480.00 MiB on device 0: cudaMalloc failed: out of memory\n"
            "llama_kv_cache_init: failed to allocate buffer for kv cache",
            "If that is all of the cache, the model set here would keep 163,840 tokens in it.",
            "Context 81,920: 10 GiB",
        ),
        (
            "allocating 20480.00 MiB on device 0: cudaMalloc failed: out of memory",
            "By this page the cache of the model set here takes 1 GiB for 8,192 tokens, and its weights 15.0 GiB.",
            "Context 4,096: 512 MiB",
        ),
        (
            "failed to initialize the context: failed to allocate buffer for kv cache",
            "By this page the cache of the model set here takes 1 GiB for 8,192 tokens, and its weights 15.0 GiB.",
            "Context 4,096: 512 MiB",
        ),
    ],
)
def test_a_refusal_of_llama_cpp_s_alone_says_what_the_cache_comes_to(text, said, way):
    found = answer(text, model="llama-3.1-8b")
    assert said in found["sentences"]
    assert way in ways_of(found)


def test_a_model_that_keeps_only_states_is_not_said_to_keep_a_cache():
    log = read_log(
        "llama_context: n_ctx = 4096\nllama_memory_recurrent: size =   22.50 MiB (     1 cells,  64 layers,  1 seqs),"
        " R (f32):    3.75 MiB, S (f32):   18.75 MiB\n"
    )
    scenario = Scenario()
    state = SimpleNamespace(**{name: getattr(scenario, name) for name in scenario.param if name != "name"})
    shape = Shape((), 1, 64, 0, 0, 64 * 5120 * (3 + 15) * 4)
    found = log_answer(log, shape, state, CATALOG)
    assert found == {
        "sentences": ["Recurrent states take 22.5 MiB, however long the texts are."],
        "ways": [],
        "change": "",
    }


def test_a_device_is_named_once():
    text = "load_tensors: CUDA0 model buffer size = 100.00 MiB\nload_tensors: CUDA0 model buffer size = 50.00 MiB"
    assert "on CUDA0: 100.00 MiB + 50.00 MiB" in answer(text)["sentences"][0]
