"""GGUF files as the gguf package writes them: shape, weights and name, from the file and from llama.cpp's log."""

from __future__ import annotations

import io
import random

import pytest

from acts.config import ConfigError, read_config_fields, read_file, shape_of
from acts.config.gguf import GGUF_FAMILIES, GGUF_TENSOR_TYPES, read_gguf
from acts.config.gguf_log import read_gguf_log
from acts.gguf_header import BrokenGguf, read_header
from acts.sizing import ValueType, fixed_bytes_per_sequence, growth_bytes_per_token

from ..gguf_files import FILES, PARAMETERS, REFUSED, write

SIXTEEN_BIT = ValueType(1, 2)


def sizes(reading):
    shape = reading["shape"]
    return (
        growth_bytes_per_token(shape, SIXTEEN_BIT, SIXTEEN_BIT),
        fixed_bytes_per_sequence(shape, SIXTEEN_BIT, SIXTEEN_BIT),
    )


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_to_the_byte(name, tmp_path):
    architecture, keys, expected = FILES[name]
    reading = read_config_fields(write(tmp_path / "model.gguf", architecture, keys))
    assert sizes(reading) == expected
    parameters, active, size = PARAMETERS
    assert (reading["shape"].parameters, reading["shape"].active_parameters) == (parameters, active)
    assert (reading["weights_bytes"], reading["weights"]) == (size, "q4_k_m")
    assert (reading["name"], reading["model_type"]) == ("A model", architecture)
    assert reading["max_context"] == keys.get("context_length", 0)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_sized_is_refused_in_one_sentence(name, tmp_path):
    architecture, keys, words = REFUSED[name]
    with pytest.raises(ConfigError, match=words) as caught:
        read_config_fields(write(tmp_path / "model.gguf", architecture, keys))
    assert str(caught.value).endswith(".")


def test_tensors_tell_experts_and_what_no_step_reads():
    architecture, keys, _ = FILES["Llama 3 8B"]
    table = {"general.architecture": architecture} | {
        f"{architecture}.{key}": value for key, value in keys.items()
    }
    tensors = [
        ["token_embd.weight", 1000, 1],
        ["blk.0.ffn_up_exps.weight", 8000, 1],
        ["blk.0.attn_q.weight", 500, 1],
    ]
    table |= {f"{architecture}.expert_count": 8, f"{architecture}.expert_used_count": 2}
    tied = shape_of(read_gguf(table, tensors)["shape"])
    assert (tied.experts, tied.experts_per_token, tied.expert_parameters) == (8, 2, 8000)
    assert (tied.parameters, tied.active_parameters, tied.unread_parameters) == (9500, 3500, 0)
    apart = shape_of(read_gguf(table, [*tensors, ["output.weight", 1000, 1]])["shape"])
    assert (apart.parameters, apart.unread_parameters) == (10_500, 1000)


def test_at_least_eight_architectures_are_compared():
    assert len({architecture for architecture, _, _ in FILES.values()}) >= 8


def test_types_of_tensors_are_those_of_the_package():
    from gguf import GGML_QUANT_SIZES

    assert {(row[0], row[1], row[2]) for row in GGUF_TENSOR_TYPES} == {
        (kind.value, *sizes) for kind, sizes in GGML_QUANT_SIZES.items()
    }


def test_architectures_are_known_to_the_package():
    from gguf.constants import MODEL_ARCH_NAMES

    named = [name for row in GGUF_FAMILIES for name in row[0].split()]
    assert len(named) == len(set(named))
    assert set(named) <= set(MODEL_ARCH_NAMES.values())


LOG = """\
llama_model_loader: loaded meta data with 22 key-value pairs and 291 tensors from model.gguf (version GGUF V3 (latest))
llama_model_loader: - kv   0:                       general.architecture str              = llama
llama_model_loader: - kv   1:                               general.name str              = Meta-Llama-3-8B
llama_model_loader: - kv   2:                          llama.block_count u32              = 32
llama_model_loader: - kv   3:                       llama.context_length u32              = 8192
llama_model_loader: - kv   4:                     llama.embedding_length u32              = 4096
llama_model_loader: - kv   5:                 llama.attention.head_count u32              = 32
llama_model_loader: - kv   6:              llama.attention.head_count_kv {KV}
llama_model_loader: - kv   7:                          general.file_type u32              = 15
llama_model_loader: - kv   8:                      tokenizer.ggml.tokens arr[str,128256]  = ["!", "\\"", "#", ...
print_info: file size   = 4.58 GiB (4.89 BPW)
print_info: model params     = 8.03 B
"""


def log(kv="u32              = 8"):
    return LOG.replace("{KV}", kv)


def test_the_lines_of_a_log_are_read():
    reading = read_gguf_log(log())
    group = reading["shape"]["groups"][0]
    assert (group["layers"], group["num_kv_heads"], group["key_width"]) == (32, 8, 128)
    assert reading["shape"]["parameters"] == 8_030_000_000
    assert reading["weights_bytes"] == int(4.58 * 2**30)
    assert (reading["name"], reading["weights"]) == ("Meta-Llama-3-8B", "q4_k_m")


def test_lines_within_another_program_s_log_are_read():
    inside = "".join(f"time=2026-01-01 level=INFO msg={line}\n" for line in log().split("\n"))
    assert read_gguf_log(inside)["shape"] == read_gguf_log(log())["shape"]


def test_a_whole_list_is_read_and_one_cut_short_is_refused():
    whole = read_gguf_log(log(f"arr[i32,32] = {[8] * 32}"))
    assert whole["shape"]["groups"] == read_gguf_log(log())["shape"]["groups"]
    assert "cuts short" in read_gguf_log(log("arr[i32,32] = [8, 8, 8, 8, ..."))["error"]


@pytest.mark.parametrize("count", [1, 4, 8, 24, 100, 5000])
def test_a_header_cut_short_is_refused(count, tmp_path):
    content = write(tmp_path / "model.gguf", *FILES["Llama 3 8B"][:2]).read_bytes()
    with pytest.raises(BrokenGguf, match="cut short"):
        read_header(io.BytesIO(content[:count]))


def test_broken_headers_give_a_table_or_a_sentence(tmp_path):
    content = write(tmp_path / "model.gguf", *FILES["Qwen3-Next"][:2]).read_bytes()
    dice = random.Random(20260301)
    for _ in range(300):
        broken = bytearray(content)
        for _ in range(dice.choice([1, 2, 8])):
            broken[dice.randrange(min(len(broken), 1200))] = dice.randrange(256)
        path = tmp_path / "broken.gguf"
        path.write_bytes(broken)
        reading = read_file(path)
        if "error" in reading:
            assert reading["error"].endswith(".")
        else:
            assert reading["shape"]["num_hidden_layers"] > 0
