"""``kv-cache size`` and the lists: answers, refusals in one line, and nothing imported that draws."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import acts
from acts import Scenario, Wall
from acts.catalog import CACHE_TYPES, GPUS, MODELS, WEIGHT_TYPES
from acts.cli import main
from acts.config import read_config
from tests.gguf_files import FILES, PARAMETERS, write

ROOT = Path(__file__).parents[2]
LLAMA = {
    "model_type": "llama", "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "hidden_size": 4096, "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}  # fmt: skip
#: A hybrid: its parameters cannot be told from the config.
UNCOUNTED = {
    "model_type": "mamba2", "num_hidden_layers": 4, "hidden_size": 64, "state_size": 16, "num_heads": 4,
    "head_dim": 32, "expand": 2, "n_groups": 1, "conv_kernel": 4, "vocab_size": 100,
}  # fmt: skip


def run(capsys, *arguments):
    """Exit code and what was printed on either stream."""
    code = main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    return code, out if code == 0 else err


def answer(capsys, *arguments):
    code, out = run(capsys, "size", *arguments, "--json")
    assert code == 0
    return json.loads(out)


def refused(capsys, *arguments):
    code, err = run(capsys, *arguments)
    assert code == 2
    assert err.count("\n") == 1
    return err


@pytest.fixture
def config(tmp_path):
    def write(content, name="config.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def test_check_values(capsys):
    sized = answer(capsys, "llama-3-70b", "--weights", "int4", "--context", 32768)
    assert sized["bytes_per_token"] == 327_680
    assert sized["bytes_per_sequence"] == 10 * 2**30
    assert sized["max_users"] == 3
    assert answer(capsys, "llama-3-8b")["max_users"] == 57
    assert answer(capsys, "llama-3-8b", "--cache", "fp8")["max_users"] == 114
    assert answer(capsys, "llama-3-8b", "--cache", "FP16")["cache"] == "bf16"


@pytest.mark.parametrize("model", MODELS)
def test_every_model_agrees_with_the_wall(capsys, model):
    sized = answer(capsys, model, "--gpu", "h100-80gb", "--gpus", 8, "--cache", "q8_0", "--users", 3)
    wall = Wall(Scenario(model=model, gpu="h100-80gb", gpus=8, cache="q8_0", users=3))
    assert sized["max_users"] == wall.max_users
    assert sized["fits"] == (wall.max_users >= 3)
    assert sized["weights_bytes"] == wall.weights_memory
    if sized["fits"]:
        longest = Scenario(model=model, gpu="h100-80gb", gpus=8, cache="q8_0", context=sized["max_context"])
        assert Wall(longest).max_users >= 3


def test_text_holds_figures_and_formula(capsys):
    code, out = run(capsys, "size", "gemma-3-27b", "--context", 32768)
    assert code == 0
    assert "10 layers × 2 × 16 KV heads × 128 × 2 bytes × 32,768 tokens" in out
    assert "52 layers × 2 × 16 KV heads × 128 × 2 bytes × 1,024 tokens" in out
    assert "a + b × tokens" in out


def test_config_file(capsys, config):
    path = config(LLAMA)
    from_file = answer(capsys, path)
    built_in = answer(capsys, "llama-3-8b")
    for key in ("bytes_per_token", "bytes_per_sequence", "max_users", "weights_bytes"):
        assert from_file[key] == built_in[key]
    assert answer(capsys, path.parent)["max_users"] == 57
    assert answer(capsys, path, "--parameters", "16.06B")["weights_bytes"] == 32_120_000_000


def test_declared_cache_type_is_the_default(capsys, config):
    path = config({**LLAMA, "quantization_config": {"kv_cache_scheme": {"num_bits": 8, "type": "float"}}})
    assert answer(capsys, path)["cache"] == "fp8"
    assert answer(capsys, path, "--cache", "bf16")["cache"] == "bf16"


def test_a_gguf_file_and_a_checkpoint_s_folder_are_read(capsys, config, tmp_path):
    path = write(tmp_path / "model.gguf", *FILES["Llama 3 8B"][:2])
    assert answer(capsys, path)["bytes_per_token"] == 131_072
    folder = config(LLAMA).parent
    assert (
        answer(capsys, folder)["bytes_per_token"] == answer(capsys, folder / "config.json")["bytes_per_token"]
    )


def test_the_checkpoint_s_weight_type_is_the_default(capsys, config):
    path = config({**LLAMA, "quantization_config": {"quant_method": "fp8"}})
    assert answer(capsys, path)["weights"] == "fp8"
    assert answer(capsys, path, "--weights", "bf16")["weights"] == "bf16"


def test_unknown_parameters_leave_the_cache_to_be_told(capsys, config):
    path = config(UNCOUNTED)
    sized = answer(capsys, path)
    assert sized["bytes_per_sequence"] == read_config(path).bytes_per_sequence(sized["context"])
    assert (sized["max_users"], sized["weights_bytes"]) == (None, None)
    assert "--parameters" in sized["missing"]
    code, text = run(capsys, "size", path)
    assert code == 0
    assert "--parameters 8.03B" in text
    assert answer(capsys, path, "--parameters", "130M")["weights_bytes"] == 260_000_000
    assert answer(capsys, path, "--weights-gib", "1")["weights_bytes"] == 2**30
    assert run(capsys, "size", path, "--weights-gib", "1")[0] == 0


def test_the_bytes_of_a_file_s_weights_are_taken(capsys, tmp_path):
    path = write(tmp_path / "model.gguf", *FILES["Llama 3 8B"][:2])
    assert answer(capsys, path)["weights_bytes"] == PARAMETERS[2]
    assert answer(capsys, path, "--weights", "bf16")["weights_bytes"] == 2 * PARAMETERS[0]
    assert answer(capsys, path, "--weights-gib", "2")["weights_bytes"] == 2**31


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["size", "llama3-8b"], "did you mean llama-3-8b"),
        (["size", "llama-3-8b", "--gpu", "h100"], "did you mean h100-80gb"),
        (["size", "llama-3-8b", "--cache", "fp9"], "fp8"),
        (["size", "llama-3-8b", "--weights", "q2"], "did you mean q2_k"),
        (["size", "llama-3-8b", "--gpus", "0"], "1 to 16"),
        (["size", "llama-3-8b", "--users", "1e3"], "whole number"),
        (["size", "llama-3-8b", "--users", "1_0"], "users cannot be '1_0'"),
        (["size", "llama-3-8b", "--users", "١٦"], "whole number"),
        (["size", "llama-3-8b", "--reserve", "1_0"], "reserve cannot be '1_0'"),
        (["size", "llama-3-8b", "--context", "255"], "256 to 1,048,576"),
        (["size", "llama-3-8b", "--reserve", "nan"], "0 to 64"),
        (["size", "llama-3-8b", "--parameters", "-1"], "for example 8.03B"),
        (["size", "llama-3-8b", "--parameters", "inf"], "for example 8.03B"),
        (["size", "no/such/config.json"], "no file"),
        (["size", "x\n\x1b[31m"], "unknown model"),
        (["size"], "required"),
        (["fit"], "invalid choice"),
        ([], "required"),
    ],
)
def test_bad_input_is_refused_in_one_line(capsys, arguments, hint):
    error = refused(capsys, *arguments)
    assert hint in error
    assert "\x1b" not in error


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", "[" * 100_000, '{"a": NaN}', " " * 1_000_001, "\x00"]
)
def test_files_that_are_no_config(capsys, config, content):
    refused(capsys, "size", config(content))


@pytest.mark.parametrize(
    ("command", "ids"),
    [("models", MODELS), ("gpus", GPUS), ("types", {**CACHE_TYPES, **WEIGHT_TYPES})],
)
def test_lists_name_every_id_and_its_source(capsys, command, ids):
    code, out = run(capsys, command)
    assert code == 0
    for id, row in ids.items():
        assert id in out
        assert row.source in out
    assert json.loads(run(capsys, command, "--json")[1])


SCRIPT = """
import sys
from {module} import main
assert main(["size", "llama-3-70b", "--gpus", "2", "--json"]) == 0
print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize("module", ["acts.cli", "app.cli"])
def test_an_answer_imports_nothing_that_draws(module):
    command = [sys.executable, "-c", SCRIPT.format(module=module)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    modules = set(done.stderr.split())
    assert "acts.cli.size" in modules
    assert not modules & {"panel", "bokeh", "param", "numpy", "jinja2", "pscript", "tornado"}


def test_module_command_and_a_reader_that_stops(tmp_path):
    command = f"{shlex.quote(sys.executable)} -m acts models | head -n 1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("llama-3-8b")
    assert done.stderr == ""
    done = subprocess.run(
        [sys.executable, "-m", "acts", "size", "nope"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2


def test_names_of_the_package():
    for name in acts.__all__:
        assert getattr(acts, name) is not None or name == "Growth"
    assert set(acts.__all__) <= set(dir(acts))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = acts.nothing
