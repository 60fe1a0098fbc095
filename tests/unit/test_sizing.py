"""The sizing model: check values to the byte, what engines printed, and properties of any shape."""

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from acts import sizing
from acts.catalog import CACHE_TYPES, GPUS, MODELS
from acts.sizing import (
    GIB,
    KIB,
    MIB,
    LayerGroup,
    Shape,
    ValueType,
    attention_intensity,
    batch_bytes,
    bytes_per_sequence,
    bytes_per_sequence_gpu,
    bytes_per_token,
    crossover_tokens,
    entries_held,
    fixed_bytes_per_sequence,
    forwarded_tokens,
    free_bytes,
    growth_bytes_per_token,
    heads_per_gpu,
    max_context,
    max_users,
    recompute_avoided,
    ridge_point,
    step_seconds,
    usable_bytes,
    vectors_stored,
    weight_intensity,
    weights_bytes,
)

BF16 = CACHE_TYPES["bf16"]
FP8 = CACHE_TYPES["fp8"]
Q4_0 = CACHE_TYPES["q4_0"]
BARE_4_BITS = ValueType(2, 1)

LLAMA_8B = MODELS["llama-3-8b"].shape
LLAMA_70B = MODELS["llama-3-70b"].shape
LLAMA_2 = MODELS["llama-2-7b"].shape
CARD = GPUS["80gb"].memory


def sequence(shape, tokens, cache=BF16):
    return bytes_per_sequence(shape, tokens, cache, cache)


def all_heads(shape):
    """``shape`` as multi-head attention: one KV head for each query head."""
    groups = tuple(dataclasses.replace(g, num_kv_heads=shape.num_attention_heads) for g in shape.groups)
    return dataclasses.replace(shape, groups=groups)


class TestCheckValues:
    """Figures that anyone can work out by hand."""

    def test_llama_3_8b(self):
        assert bytes_per_token(LLAMA_8B, BF16, BF16) == 131_072 == 128 * KIB
        assert sequence(LLAMA_8B, 8192) == GIB

    def test_the_same_with_32_kv_heads(self):
        assert bytes_per_token(all_heads(LLAMA_8B), BF16, BF16) == 512 * KIB
        assert sequence(all_heads(LLAMA_8B), 8192) == 4 * GIB
        assert bytes_per_token(LLAMA_2, BF16, BF16) == 512 * KIB
        assert sequence(LLAMA_2, 8192) == 4 * GIB

    def test_llama_3_70b(self):
        assert bytes_per_token(LLAMA_70B, BF16, BF16) == 327_680 == 320 * KIB
        assert sequence(LLAMA_70B, 8192) == 5 * GIB // 2
        assert sequence(LLAMA_70B, 131_072) == 40 * GIB
        assert batch_bytes(LLAMA_70B, 8192, 32, BF16, BF16) == 80 * GIB

    def test_grouping_saves_70b_eight_times(self):
        assert bytes_per_token(all_heads(LLAMA_70B), BF16, BF16) == 5 * MIB // 2
        assert sequence(all_heads(LLAMA_70B), 4096) == 8 * sequence(LLAMA_70B, 4096)

    def test_weights(self):
        assert weights_bytes(8_030_000_000, 16) / GIB == pytest.approx(15.0, abs=0.05)
        assert weights_bytes(70_600_000_000, 16) / GIB == pytest.approx(131.5, abs=0.05)
        assert weights_bytes(70_600_000_000, 4) == 35_300_000_000
        assert weights_bytes(70_600_000_000, 4) / GIB == pytest.approx(32.9, abs=0.05)

    def test_70b_at_16_bits_does_not_fit_90_percent_of_141(self):
        weights = weights_bytes(70_600_000_000, 16)
        read_as_gib = usable_bytes(141 * GIB)
        read_as_gb = usable_bytes(141 * 10**9)
        assert read_as_gib / GIB == pytest.approx(126.9)
        assert read_as_gb / GIB == pytest.approx(118.2, abs=0.05)
        assert weights > read_as_gib > read_as_gb
        assert free_bytes(usable_bytes(GPUS["h200-141gb"].memory), weights) < 0

    def test_70b_at_4_bits_fits_one_card_of_80(self):
        assert free_bytes(usable_bytes(CARD), weights_bytes(LLAMA_70B.parameters, 4)) > 0

    def test_users_of_8b_on_80_gib(self):
        assert usable_bytes(CARD) == 72 * GIB
        free = free_bytes(usable_bytes(CARD), weights_bytes(LLAMA_8B.parameters, 16))
        assert free / GIB == pytest.approx(57.0, abs=0.05)
        assert max_users(free, sequence(LLAMA_8B, 8192)) == 57
        assert max_users(free, sequence(LLAMA_8B, 131_072)) == 3
        assert max_users(free, sequence(LLAMA_8B, 8192, FP8)) == 114
        assert max_users(free, sequence(LLAMA_8B, 131_072, FP8)) == 7

    def test_users_of_8b_once_activations_are_reserved(self):
        seen_by_cuda = 792 * GIB // 10
        reserve = 49 * GIB // 10
        free = free_bytes(usable_bytes(seen_by_cuda, reserve), weights_bytes(LLAMA_8B.parameters, 16))
        assert free / GIB == pytest.approx(51.4, abs=0.05)
        assert max_users(free, sequence(LLAMA_8B, 8192)) == 51
        free = free_bytes(
            usable_bytes(GPUS["h100-80gb"].memory, reserve), weights_bytes(LLAMA_8B.parameters, 16)
        )
        assert max_users(free, sequence(LLAMA_8B, 8192)) == 51

    @pytest.mark.parametrize(
        ("cache", "users"), [(BF16, 3), (FP8, 7), (BARE_4_BITS, 15), (Q4_0, 13), (CACHE_TYPES["mxfp4"], 14)]
    )
    def test_users_of_70b_at_4_bits(self, cache, users):
        assert sequence(LLAMA_70B, 32_768) == 10 * GIB
        free = free_bytes(usable_bytes(CARD), weights_bytes(LLAMA_70B.parameters, 4))
        assert max_users(free, sequence(LLAMA_70B, 32_768, cache)) == users

    def test_cache_outweighs_weights_beyond_431_000_tokens(self):
        weights = weights_bytes(70_600_000_000, 16)
        tokens = crossover_tokens(LLAMA_70B, weights, BF16, BF16)
        assert tokens == pytest.approx(431_000, abs=500)
        assert sequence(LLAMA_70B, tokens) <= weights < sequence(LLAMA_70B, tokens + 1)
        assert crossover_tokens(MODELS["mistral-7b-v0.1"].shape, weights, BF16, BF16) == 0

    def test_each_gpu_loads_its_share_of_the_weights(self):
        assert free_bytes(100, 101, 2) == 49
        weights = weights_bytes(LLAMA_70B.parameters, 16)
        each = free_bytes(usable_bytes(CARD), weights, 4)
        assert each / GIB == pytest.approx(72 - 131.4 / 4, abs=0.02)
        # 2 of the 8 KV heads on each GPU: 640 MiB a user at 8K, whether counted on one card or on all four
        assert max_users(each, bytes_per_sequence_gpu(LLAMA_70B, 8192, BF16, BF16, 4)) == 62

    def test_latent_is_71_times_smaller_than_its_heads(self):
        shape = MODELS["deepseek-v3"].shape
        (group,) = shape.groups
        latent = bytes_per_token(shape, BF16, BF16)
        heads = 61 * shape.num_attention_heads * (group.full_key_width + group.full_value_width) * 2
        assert heads == 4_997_120
        assert latent == 70_272
        assert heads / latent == pytest.approx(71, abs=0.2)

    def test_latent_is_not_divided_by_tensor_parallelism(self):
        shape = MODELS["deepseek-v3"].shape
        assert bytes_per_sequence_gpu(shape, 1000, BF16, BF16, 8) == sequence(shape, 1000)
        assert batch_bytes(shape, 1000, 1, BF16, BF16, gpus=8) == 8 * sequence(shape, 1000)

    @pytest.mark.parametrize(
        ("heads", "gpus", "each"), [(8, 1, 8), (8, 4, 2), (8, 16, 1), (10, 4, 3), (1, 2, 1)]
    )
    def test_heads_per_gpu(self, heads, gpus, each):
        assert heads_per_gpu(heads, gpus) == each

    def test_shape_sizes_itself(self):
        assert LLAMA_8B.bytes_per_sequence(8192) == GIB
        assert LLAMA_8B.bytes_per_sequence(8192, "fp8") == GIB // 2
        assert LLAMA_8B.bytes_per_sequence(8192, "fp16") == GIB
        assert MODELS["mistral-7b-v0.1"].shape.bytes_per_sequence(32_768) == GIB // 2


class TestWhatEnginesPrinted:
    """Log lines that users of engines posted."""

    def test_vllm_8b_on_h100(self):
        # https://github.com/vllm-project/vllm/pull/10511: available_kv_cache_memory 53.29GiB
        reserve = round((1.79 + 1.26) * GIB)
        free = free_bytes(usable_bytes(round(79.22 * GIB), reserve), weights_bytes(LLAMA_8B.parameters, 16))
        assert free / GIB == pytest.approx(53.29, abs=0.01)

    def test_vllm_blocks_of_16_tokens(self):
        # Qwen2.5-7B, 4 GiB of swap: 4,681 blocks
        assert max_users(4 * GIB, sequence(MODELS["qwen2.5-7b"].shape, 16)) == 4681

    @pytest.mark.parametrize(("model_id", "gib"), [("llama-3.1-8b", 15.62), ("llama-3.1-70b", 39.06)])
    def test_published_table_that_means_gib_and_128_000_tokens(self, model_id, gib):
        # https://github.com/huggingface/blog/issues/2345
        assert sequence(MODELS[model_id].shape, 128_000) / GIB == pytest.approx(gib, abs=0.006)

    def test_tensorrt_llm_llama_2_7b(self):
        # https://github.com/NVIDIA/TensorRT-LLM/issues/1400
        assert sequence(LLAMA_2, 132_608) == 69_524_783_104

    @pytest.mark.parametrize(("cache_id", "mib"), [("bf16", 360), ("q8_0", 191.25), ("q4_0", 101.25)])
    def test_llama_cpp_with_the_shape_of_qwen3_8b(self, cache_id, mib):
        # https://github.com/ggml-org/llama.cpp/pull/21551
        assert sequence(MODELS["qwen3-8b"].shape, 2560, CACHE_TYPES[cache_id]) == mib * MIB

    def test_llama_cpp_with_two_types(self):
        keys, values = CACHE_TYPES["q8_0"], Q4_0
        assert bytes_per_sequence(MODELS["qwen3-8b"].shape, 32_768, keys, values) == (1224 + 648) * MIB

    def test_llama_cpp_full_layers_of_gpt_oss(self):
        shape = MODELS["gpt-oss-20b"].shape
        full = dataclasses.replace(shape, groups=shape.groups[:1])
        assert sequence(full, 8192, CACHE_TYPES["q8_0"]) == 102 * MIB

    @pytest.mark.parametrize(
        ("model_id", "tokens", "gib"),
        [("gemma-3-27b", 131_072, 10.41), ("deepseek-v3", 163_840, 10.72), ("qwen3-0.6b", 40_960, 4.38)],
    )
    def test_estimates_corrected_in_unsloth(self, model_id, tokens, gib):
        # https://github.com/unslothai/unsloth/pull/4757
        assert sequence(MODELS[model_id].shape, tokens) / GIB == pytest.approx(gib, abs=0.006)

    def test_hybrid_is_a_fixed_part_and_a_slope(self):
        shape = MODELS["qwen3.5-27b"].shape
        assert sequence(shape, 0) == shape.state_bytes == 153_944_064
        assert sequence(shape, 262_144) - shape.state_bytes == 16 * GIB


class TestSpeed:
    def test_one_sequence_is_about_one_flop_a_byte(self):
        assert weight_intensity(1, 16) == 1.0
        assert attention_intensity(LLAMA_2, BF16, BF16) == 1.0

    def test_a_batch_raises_the_weight_part_alone(self):
        assert weight_intensity(64, 16) == 64.0
        assert weight_intensity(1, 4) == 4.0

    def test_sharing_kv_heads_raises_the_attention_part(self):
        assert attention_intensity(LLAMA_8B, BF16, BF16) == 4.0
        assert attention_intensity(LLAMA_70B, FP8, FP8) == 16.0
        assert attention_intensity(Shape((), 32, 32, 1, 1), BF16, BF16) == 0.0

    @pytest.mark.parametrize("gpu_id", ["a100-80gb", "h100-80gb", "h200-141gb", "b200-180gb", "mi300x-192gb"])
    def test_ridge_of_datacentre_cards(self, gpu_id):
        gpu = GPUS[gpu_id]
        assert 150 <= ridge_point(gpu.peak_flops, gpu.bandwidth) <= 300

    def test_step_takes_as_long_as_its_bytes(self):
        read = weights_bytes(LLAMA_8B.parameters, 16) + 32 * GIB
        assert step_seconds(read, GPUS["80gb"].bandwidth) == pytest.approx(0.01505, abs=1e-5)


class TestRecompute:
    def test_after_prefill_alone_nothing_is_saved(self):
        assert recompute_avoided(1000, 0) == recompute_avoided(1000, 1) == 1.0

    @given(st.integers(0, 3000), st.integers(1, 300))
    def test_closed_form(self, prompt, generated):
        """Prefill writes the first token: of G generated, G - 1 take a step of their own."""
        summed = sum(prompt + i for i in range(generated))
        assert forwarded_tokens(prompt, generated, cached=False) == summed
        assert forwarded_tokens(prompt, generated, cached=True) == prompt + generated - 1

    def test_example_request(self):
        assert forwarded_tokens(1024, 256, cached=False) == 294_784
        assert forwarded_tokens(1024, 256, cached=True) == 1_279
        assert recompute_avoided(1024, 256) == pytest.approx(230.5, abs=0.05)

    def test_vectors(self):
        assert vectors_stored(LLAMA_8B, 10) == 2 * 32 * 8 * 10
        assert vectors_stored(MODELS["deepseek-v3"].shape, 10) == 61 * 10
        assert vectors_stored(MODELS["mistral-7b-v0.1"].shape, 5000) == 2 * 32 * 8 * 4096


class TestCurves:
    """A curve is one call with an array of tokens."""

    @pytest.mark.parametrize("model_id", MODELS)
    @pytest.mark.parametrize(("gpus", "block"), [(1, 1), (4, 16)])
    def test_array_agrees_with_each_point(self, model_id, gpus, block):
        shape = MODELS[model_id].shape
        tokens = np.array(
            [0, 1, 15, 16, 17, 127, 128, 129, 1024, 4096, 4097, 131_072, 1_048_576], dtype=np.int64
        )
        curve = bytes_per_sequence_gpu(shape, tokens, Q4_0, FP8, gpus, block)
        points = [bytes_per_sequence_gpu(shape, int(t), Q4_0, FP8, gpus, block) for t in tokens]
        assert curve.dtype == np.int64
        assert curve.tolist() == points

    def test_smaller(self):
        a, b = np.array([1, 5, 7]), np.array([3, 5, 2])
        assert sizing.smaller(a, b).tolist() == [1, 5, 2]


VALUE_TYPES = st.sampled_from([*CACHE_TYPES.values(), BARE_4_BITS])
TOKENS = st.integers(0, 300_000)


@st.composite
def groups(draw):
    kind = draw(st.sampled_from(["full", "window", "latent", "cross", "compressed", "record"]))
    layers, heads = draw(st.integers(1, 64)), draw(st.integers(1, 64))
    width = draw(st.sampled_from([64, 80, 96, 128, 256]))
    if kind == "window":
        return LayerGroup(layers, heads, width, width, window=draw(st.integers(1, 8192)))
    if kind == "latent":
        return LayerGroup(layers, 1, 576, 0, kind="latent")
    if kind == "cross":
        return LayerGroup(layers, heads, width, width, fixed_tokens=draw(st.integers(0, 8000)), kind="cross")
    if kind == "compressed":
        return LayerGroup(layers, heads, width, width, stride=draw(st.sampled_from([4, 128])))
    if kind == "record":
        return LayerGroup(layers, 1, 128, 0, record_bytes=132, kind="indexer")
    return LayerGroup(layers, heads, width, draw(st.sampled_from([width, 64])))


@st.composite
def shapes(draw):
    drawn = tuple(draw(st.lists(groups(), min_size=1, max_size=4)))
    state = draw(st.sampled_from([0, 153_944_064, 1_000_003]))
    return Shape(drawn, 64, sum(group.layers for group in drawn), 10**9, 10**9, state_bytes=state)


class TestAnyShape:
    @given(shapes(), TOKENS, st.integers(0, 5000), VALUE_TYPES, st.integers(1, 16))
    def test_more_tokens_never_take_less(self, shape, tokens, more, cache, gpus):
        before = bytes_per_sequence_gpu(shape, tokens, cache, cache, gpus)
        assert 0 <= before <= bytes_per_sequence_gpu(shape, tokens + more, cache, cache, gpus)

    @given(shapes(), TOKENS, st.integers(0, 500), VALUE_TYPES)
    def test_users_add_up(self, shape, tokens, users, cache):
        one = batch_bytes(shape, tokens, 1, cache, cache)
        assert batch_bytes(shape, tokens, users, cache, cache) == users * one >= 0

    @given(shapes(), TOKENS, VALUE_TYPES, VALUE_TYPES, st.sampled_from([1, 16, 32, 64, 256]))
    def test_whole_blocks_take_no_less_and_less_than_a_block_more(self, shape, tokens, k, v, block):
        exact = bytes_per_sequence(shape, tokens, k, v)
        paged = bytes_per_sequence(shape, tokens, k, v, block)
        assert exact <= paged
        most = sum(
            g.layers * sizing.entry_bytes(g, g.num_kv_heads, k, v) * block
            for g in shape.groups
            if g.fixed_tokens is None
        )
        assert paged - exact <= most

    @given(shapes(), st.integers(8192, 300_000), VALUE_TYPES, VALUE_TYPES)
    def test_past_every_window_it_is_a_fixed_part_and_a_slope(self, shape, tokens, k, v):
        assume(all(group.stride == 1 for group in shape.groups))
        slope = growth_bytes_per_token(shape, k, v)
        fixed = fixed_bytes_per_sequence(shape, k, v)
        assert bytes_per_sequence(shape, tokens, k, v) == fixed + slope * tokens
        assert slope <= bytes_per_token(shape, k, v)

    @given(st.integers(1, 8192), TOKENS)
    def test_window_is_honoured(self, window, tokens):
        group = LayerGroup(1, 1, 128, 128, window=window)
        assert entries_held(group, tokens) == min(tokens, window)
        assert entries_held(group, tokens, 16) <= -(-window // 16) * 16

    @given(shapes(), TOKENS, VALUE_TYPES, VALUE_TYPES, st.integers(1, 64))
    def test_gpus_together_hold_at_least_the_whole(self, shape, tokens, k, v, gpus):
        assert gpus * bytes_per_sequence_gpu(shape, tokens, k, v, gpus) >= bytes_per_sequence(
            shape, tokens, k, v
        )

    @given(st.integers(1, 8), st.integers(1, 16), st.integers(1, 64), TOKENS, VALUE_TYPES)
    def test_gpus_that_divide_the_heads_share_without_loss(self, gpus, heads_each, layers, tokens, cache):
        group = LayerGroup(layers, gpus * heads_each, 128, 128)
        shape = Shape((group,), gpus * heads_each, layers, 1, 1, state_bytes=gpus * 1000)
        whole = bytes_per_sequence(shape, tokens, cache, cache)
        assert gpus * bytes_per_sequence_gpu(shape, tokens, cache, cache, gpus) == whole

    @given(
        shape=shapes(),
        free=st.integers(0, 200 * GIB),
        users=st.integers(1, 300),
        cache=VALUE_TYPES,
        gpus=st.integers(1, 8),
        block=st.sampled_from([1, 16]),
        limit=st.sampled_from([4096, 131_072, 1_048_576]),
    )
    def test_max_context_is_the_last_that_fits(self, *, shape, free, users, cache, gpus, block, limit):
        def taken(tokens):
            return users * bytes_per_sequence_gpu(shape, tokens, cache, cache, gpus, block)

        longest = max_context(shape, free, users, cache, cache, gpus, limit, block)
        assert 0 <= longest <= limit
        assert longest == 0 or taken(longest) <= free
        assert longest == limit or taken(longest + 1) > free

    @given(st.integers(-GIB, 300 * GIB), st.integers(1, 10 * GIB))
    def test_max_users_is_the_last_that_fits(self, free, each):
        users = max_users(free, each)
        assert users >= 0
        assert users * each <= max(free, 0) < (users + 1) * each

    @given(st.integers(0, 300 * GIB), st.integers(0, 20 * GIB), st.integers(0, 100))
    def test_usable_is_never_negative_nor_above_the_card(self, card, reserve, percent):
        assert 0 <= usable_bytes(card, reserve, percent) <= card

    @given(st.integers(0, 10**12), st.sampled_from([4, 8, 16]))
    def test_weights_round_up_to_whole_bytes(self, parameters, bits):
        assert 0 <= weights_bytes(parameters, bits) * 8 - parameters * bits < 8


class TestShapesOfTheirOwn:
    def test_cross_attention_is_held_whatever_the_length(self):
        image = LayerGroup(20, 8, 128, 128, fixed_tokens=4 * 1601, kind="cross")
        shape = Shape((LayerGroup(80, 8, 128, 128), image), 64, 100, 1, 1)
        assert growth_bytes_per_token(shape, BF16, BF16) == 327_680
        assert fixed_bytes_per_sequence(shape, BF16, BF16) == 524_615_680
        assert sequence(shape, 0) == 524_615_680

    def test_a_record_does_not_follow_the_cache_type(self):
        latent = LayerGroup(61, 1, 576, 0, kind="latent")
        indexer = LayerGroup(61, 1, 128, 0, record_bytes=132, kind="indexer")
        shape = Shape((latent, indexer), 128, 61, 1, 1)
        assert growth_bytes_per_token(shape, BF16, BF16) == 78_324
        assert growth_bytes_per_token(shape, FP8, FP8) == 61 * (576 + 132)

    def test_a_record_is_one_whatever_the_heads(self):
        group = LayerGroup(1, 4, 128, 128, record_bytes=132)
        assert sequence(Shape((group,), 4, 1, 1, 1), 10) == 1320

    def test_a_compressed_window_holds_its_entries(self):
        group = LayerGroup(1, 1, 512, 0, window=128, stride=4)
        shape = Shape((group,), 1, 1, 1, 1)
        assert fixed_bytes_per_sequence(shape, BF16, BF16) == sequence(shape, 10_000) == 32 * 1024

    def test_a_sequence_of_no_bytes_divides_nothing_by_zero(self):
        assert max_users(10, 0) == 10

    def test_compressed_attention_adds_an_entry_every_stride(self):
        group = LayerGroup(1, 1, 512, 0, stride=4)
        assert [entries_held(group, tokens) for tokens in (0, 3, 4, 7, 8)] == [0, 0, 1, 1, 2]
        assert bytes_per_token(Shape((group,), 1, 1, 1, 1), BF16, BF16) == 256
