"""Files as people have them: broken JSON, other files of a checkpoint, folders, and files that are too large."""

from __future__ import annotations

import json
import random
import struct

import pytest

from acts.config import ConfigError, read_config, read_config_fields, read_file, read_text
from acts.config.document import json_fault, text_fault

LLAMA = {
    "model_type": "llama", "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "hidden_size": 4096,
}  # fmt: skip

FAULTS = [
    ('{"a": 1,}', "line 1, column 9: a comma stands before the end"),
    ('{"a": [1, 2,]}', "column 13: a comma stands before the end"),
    ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma is missing"),
    ('{"a" 1}', "a colon is missing"),
    ('{"a": None}', "None is Python's; JSON writes null"),
    ('{"a": True}', "True is Python's; JSON writes true"),
    ("{'a': 1}", "JSON needs double quotes"),
    ("{a: 1}", "a name in double quotes"),
    ('{"a": 1} // that was all', "more text follows"),
    ('{"a": 1, // first\n"b": 2}', "JSON has no comments"),
    ('{"a": 1 # first\n}', "JSON has no comments"),
    ('{"a": "text\n"}', "not closed before its line ends"),
    ('{"a": "C:\\models"}', "a backslash must be written twice"),
    ('{"a": "\\u12"}', "four hexadecimal digits"),
    ('{"a": {"b": 1}', "the text ends too soon"),
    ('{"a": 1}\n{"a": 2}', "line 2, column 1: more text follows"),
    ("```json\n{}\n```", "remove the lines of ```"),
    ('{"a": 01}', "01 is no value of JSON"),
    ("", "empty"),
    ("model_type: llama\nhidden_size: 4096\n", "YAML"),
    ("<!DOCTYPE html>\n<html>", "web page"),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:4\nsize 654\n", "git-lfs pointer"),
    ("Access to model meta-llama/Llama-3.1-8B is restricted. You must have access to it.", "gated"),
    ("GGUF\x03\x00\x00", "GGUF file"),
]


@pytest.mark.parametrize(("text", "words"), FAULTS)
def test_a_text_that_is_no_json_is_told_where_and_why(text, words):
    sentence = read_text(text)["error"]
    assert words in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


WRONG = [
    ({"peft_type": "LORA", "base_model_name_or_path": "meta-llama/Llama-3.1-8B", "r": 8},
     "the config.json of meta-llama/Llama-3.1-8B"),
    ({"tokenizer_class": "LlamaTokenizer", "model_max_length": 8192, "add_bos_token": True}, "tokenizer's config"),
    ({"version": "1.0", "added_tokens": [], "model": {"type": "BPE"}}, "tokenizer.json"),
    ({"do_sample": True, "temperature": 0.6, "transformers_version": "4.40"}, "generation config"),
    ({"_from_model_config": True, "eos_token_id": 2}, "generation config"),
    ({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 32768}, "params.json"),
    ({"metadata": {"total_size": 16}, "weight_map": {"a": "b"}}, "safetensors index"),
    ({"_class_name": "FluxPipeline", "_diffusers_version": "0.30"}, "diffusion pipeline"),
    ({"image_processor_type": "CLIPImageProcessor", "size": 336}, "processor's config"),
    ({"error": "Access to model x is restricted"}, "error message of a download"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "words"), WRONG)
def test_another_file_of_a_checkpoint_is_named(config, words):
    for told in (read_text(json.dumps(config)), read_text(json.dumps(config, indent=2))):
        assert words in told["error"]
    with pytest.raises(ConfigError, match=words):
        read_config(config)


def test_the_numbers_that_json_lacks_are_read():
    assert "error" not in read_text(
        json.dumps(LLAMA | {"time_step_limit": [0.0, float("inf"), float("nan")]})
    )
    assert json_fault('{"a": [NaN, Infinity, -Infinity]}') == ""


JSON_SIGNS = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "1",
    "-",
    ".",
    "e",
    "true",
    "null",
    "NaN",
    "a",
    " ",
    "\n",
    "//",
]


def test_a_fault_is_found_exactly_where_the_parse_fails():
    dice = random.Random(20260401)
    text = json.dumps({"a": [1, -2.5e3, "b\\c", None], "d": {"e": [], "f": {}}}, indent=1)
    for _ in range(4000):
        signs = list(text)
        for _ in range(dice.choice([1, 1, 2, 3])):
            place = dice.randrange(len(signs))
            signs[place : place + dice.choice([0, 1])] = [dice.choice(JSON_SIGNS)]
        broken = "".join(signs)
        try:
            json.loads(broken)
        except ValueError:
            assert json_fault(broken).endswith("."), broken
        else:
            assert json_fault(broken) == "", broken


def test_text_of_any_kind_is_answered_by_a_sentence():
    dice = random.Random(20260402)
    for _ in range(2000):
        text = "".join(chr(dice.choice([10, 32, 34, 39, 44, 58, 91, 123, 125, 233, 8364])) for _ in range(30))
        assert text_fault(text).endswith(".") or json_fault(text) == ""


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA) + " " * 1_000_000)
    with pytest.raises(ConfigError, match="larger than 1,000,000 bytes"):
        read_config(path)
    path.write_text(json.dumps(LLAMA), encoding="utf-16")
    with pytest.raises(ConfigError, match="not UTF-8 text"):
        read_config(path)
    path.write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(ConfigError, match="nested too deep"):
        read_config(path)


def safetensors(path, size):
    """A safetensors file whose tensors take ``size`` bytes."""
    header = json.dumps({"weight": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(size))


def test_a_checkpoint_s_folder_gives_the_bytes_of_its_weights(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    assert read_config_fields(tmp_path)["weights_bytes"] == 0
    safetensors(tmp_path / "model-00001.safetensors", 1000)
    safetensors(tmp_path / "model-00002.safetensors", 234)
    assert read_config_fields(tmp_path)["weights_bytes"] == 1234
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 16_060_522_496}, "weight_map": {}}))
    assert read_config_fields(tmp_path)["weights_bytes"] == 16_060_522_496
    assert read_config_fields(index)["weights_bytes"] == 16_060_522_496
    index.write_text("broken")
    assert read_config_fields(tmp_path)["weights_bytes"] == 1234
    (tmp_path / "model-00003.safetensors").write_bytes(b"short")
    assert read_config_fields(tmp_path)["weights_bytes"] == 0


def test_a_folder_without_a_model_is_refused(tmp_path):
    assert "neither a config.json nor a GGUF file" in read_file(tmp_path)["error"]


QUANTISED = [
    ({"quant_method": "fp8", "fmt": "e4m3"}, "fp8"),
    ({"quant_method": "gptq", "bits": 4}, "gptq"),
    ({"quant_method": "gptq", "bits": 8}, "int8"),
    ({"quant_method": "awq", "bits": 4}, "awq"),
    ({"quant_method": "mxfp4"}, "mxfp4"),
    ({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}, "nvfp4"),
    ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "int4"),
    ({"quant_method": "compressed-tensors", "format": "float-quantized"}, None),
    ({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized"}, "nvfp4"),
    ({"quant_method": "compressed-tensors",
      "config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "float"}}}}, "fp8"),
    ({"quant_method": "compressed-tensors",
      "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "int"}}}}, "int4"),
    ({"quant_method": "compressed-tensors",
      "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "float"}}}}, "nvfp4"),
    ({"quant_method": "odd"}, None),
    (None, None),
]  # fmt: skip


@pytest.mark.parametrize(("quantization", "weights"), QUANTISED)
def test_the_type_of_the_weights_is_the_checkpoint_s(quantization, weights):
    assert read_config_fields({**LLAMA, "quantization_config": quantization})["weights"] == weights
