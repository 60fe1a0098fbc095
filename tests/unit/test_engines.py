"""Engines' rules one by one, on figures their sources give."""

import pytest

from acts.engines import llamacpp, vllm
from acts.sizing import GIB, LayerGroup, Shape, ValueType
from tests.truth.engines import llamacpp_rules, others, sglang, vllm_rules
from tests.truth.engines.rows import read_row, read_types

BF16 = ValueType(1, 2)
LLAMA_3_8B = Shape((LayerGroup(32, 8, 128, 128),), 32, 32, 8_030_261_248, 8_030_261_248)


def test_a_vllm_block_of_llama_3_8b_is_two_mib():
    assert vllm.vllm_block_bytes(LLAMA_3_8B, BF16, BF16, 1, 16) == 2 * 2**20
    assert vllm.vllm_block_bytes(LLAMA_3_8B, BF16, BF16, 2, 16) == 2**20
    # More GPUs than KV heads: each keeps one head.
    assert vllm.vllm_block_bytes(LLAMA_3_8B, BF16, BF16, 16, 16) == 2**20 // 4
    assert vllm.vllm_blocks(4 * GIB, 2 * 2**20) == 2048
    assert vllm.vllm_blocks(-1, 2 * 2**20) == 0


def test_a_window_holds_a_prefill_chunk_and_a_block_more():
    assert vllm.vllm_window_blocks(4096, 8192, 16384, 16) == 769
    assert vllm.vllm_window_blocks(4096, 8192, 1024, 16) == 65


@pytest.mark.parametrize(
    ("fewest", "most", "size"), [(13, 36, 13), (12, 13, 13), (10, 15, 10), (10, 14, 14), (18, 18, 18)]
)
def test_layer_groups_follow_the_rarer_kind_unless_close(fewest, most, size):
    assert vllm.vllm_group_layers(fewest, most) == size


@pytest.mark.parametrize(
    ("state", "token", "block"),
    [(3_207_168, 4096, 784), (1_603_584, 1024, 1568), (1_085_440, 2048, 544), (4_292_608, 1024, 4192)],
)
def test_a_hybrid_block_covers_a_state_page(state, token, block):
    assert vllm.vllm_hybrid_block(state, token, 16) == block
    assert block * token >= state


def test_pages_of_two_kinds_are_made_equal():
    full = vllm.vllm_spec(10, 131_072, 16)
    window = vllm.vllm_spec(50, 262_144, 16, 1024)
    plan = vllm.vllm_plan([full, window], 262_144, 8192)
    assert plan == {"block_bytes": 2_621_440, "groups": 6, "block": 16, "request_blocks": 8192 + 5 * 577}


def test_a_hybrid_pool_counts_both_ways():
    assert vllm.vllm_tokens_by_groups(1487, 4, 784) == 290_864
    assert vllm.vllm_tokens_by_requests(208, 90, 131_072) == 302_921
    assert vllm.vllm_state_blocks(True, 0) == 2
    assert vllm.vllm_state_blocks(False, 0) == 1
    assert vllm.vllm_state_blocks(True, 1) == 3
    assert vllm_rules.vllm_conv_rows(4, 1) == 4


@pytest.mark.parametrize(("bits", "slot"), [((8, 4), 196), ((4, 4), 136), ((3, 4), 120), ((3, 3), 104)])
def test_turboquant_slots(bits, slot):
    assert vllm_rules.vllm_turboquant_slot(128, *bits, 4) == slot


def test_packed_latents_agree_between_engines():
    assert sglang.sglang_mla_record(512, 64) == vllm_rules.VLLM_FP8_DS_MLA_BYTES == 656
    assert sglang.sglang_index_record(128) == 132


@pytest.mark.parametrize(
    ("args", "cells"),
    [
        ((8192, 1024, 4, 512), 4608),
        ((8192, 4096, 4, 512), 8192),
        ((131_072, 128, 1, 512), 768),
        ((131_072, 128, 1, 2048), 2304),
        ((8192, 1024, 4, 2048), 6144),
        ((1_048_576, 512, 1, 512), 1024),
    ],
)
def test_window_cells(args, cells):
    assert llamacpp.llamacpp_swa_cells(*args) == cells


def test_llama_cpp_state_and_padding():
    assert llamacpp_rules.llamacpp_state_bytes(48, 48 * 128 * 128, 1, 0) == 144 * 2**20
    assert llamacpp_rules.llamacpp_state_bytes(48, 48 * 128 * 128, 1, 4) == 5 * 144 * 2**20
    assert llamacpp_rules.llamacpp_conv_values(4, 10_240) == 30_720
    assert llamacpp_rules.llamacpp_padded_v(512, 1024, False) == 1024
    assert llamacpp_rules.llamacpp_padded_v(512, 1024, True) == 512
    assert llamacpp_rules.llamacpp_split_bytes([41, 39], 16) == [656, 624]


def test_sglang_pages_and_slots():
    assert sglang.sglang_page(262_144, None) == 64
    assert sglang.sglang_page(367_404, None) == 4
    assert sglang.sglang_page(5, None) == 1
    assert sglang.sglang_page(262_144, 1) == 1
    assert sglang.sglang_slots(262_144, 64) == 262_208
    assert sglang.sglang_window_tokens(375_360, 80, 64) == 300_288
    assert sglang.sglang_state_slots(186) == 187


def test_other_engines():
    assert others.trtllm_tokens(8219, 32) == 263_008
    assert others.trtllm_pool(1000, 90) == 900
    assert others.lmdeploy_tokens(863, 64) == 55_232
    assert others.usable_blocks(5385, 1) == 5384
    assert others.sharded_blocks(814, 4) == 3256
    assert others.ollama_estimate_window(1024, False) is None
    assert others.ollama_estimate_window(1024, True) == 1024


@pytest.mark.parametrize(
    ("text", "k_bytes", "v_bytes"),
    [
        ("K q8_0 / V q4_0", 34, 18),
        ("fp8 kv (inferred)", 1, 1),
        ("bf16/fp16", 2, 2),
        ("bf16 (fp8 weights)", 2, 2),
        ("bf16, state fp32", 2, 2),
        ("f32", 4, 4),
    ],
)
def test_types_are_read_from_phrases(text, k_bytes, v_bytes):
    k_type, v_type = read_types(text)
    assert (k_type.block_bytes, v_type.block_bytes) == (k_bytes, v_bytes)


def test_a_row_takes_what_it_leaves_out_from_the_published_model():
    raw = {"id": "x", "source": "", "engine": "llama.cpp", "tokens": 1, "dtype": "f16", "observed": {}}
    row = read_row({**raw, "model": "google/gemma-4-E4B-it", "config": {"full_own": 4, "kv_heads": 3}})
    assert row.facts["global_head_dim"] == 512
    assert row.facts["kv_heads"] == 3
    assert read_row({**raw, "model": "unheard of", "config": {}}).facts == {}
