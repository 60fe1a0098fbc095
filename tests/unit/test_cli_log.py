"""``kv-cache log``: the same answer in a terminal and for programs, and its exit codes."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest

from acts.cli import main
from acts.logs import read_log
from acts.logs.model import log_model
from acts.logs.reader import LOG_MAX_CHARACTERS

from .test_gguf import log as gguf_log
from .test_logs_compare import SHORT, V0, V1


def run(capsys, *arguments):
    code = main(["log", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.fixture
def log(tmp_path):
    def write(content, encoding="utf-8"):
        path = tmp_path / "server.log"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def test_the_answer_comes_first(capsys, log):
    code, out, err = run(capsys, log(V0 + SHORT), "--gpu", "h100-80gb")
    assert (code, err) == (0, "")
    assert out.startswith(
        "vLLM's cache holds 421,056 tokens in 51.4 GiB: 51 requests of 8,192 tokens at once"
    )
    assert "Tokens in the logged cache memory: 421,056 tokens; this page 421,056 tokens: equal" in out
    assert "From the log: context 8192, reserve 4.89, utilisation 90." in out
    assert "Compared with: Llama 3 8B, 16-bit weights, 16-bit cache" in out


def test_what_the_log_does_not_tell_apart_is_not_listed_as_set(capsys, log):
    line = "llama_kv_cache: size = 1024.00 MiB ( 2048 cells,  32 layers,  4/4 seqs), K (f16): 512 MiB, V (f16): 512 MiB"
    _, out, _ = run(capsys, log(line))
    assert "From the log: context 2048, users 4, cache bf16.\n" in out


def test_json_is_for_programs(capsys, log):
    code, out, _ = run(capsys, log(V1 + V1), "--json")
    report = json.loads(out)
    assert code == 0
    assert list(report) == ["engine", "starts", "start", "answer", "rows", "set"]
    assert (report["starts"], report["start"]) == (2, 2)
    assert json.loads(run(capsys, log(V1 + V1), "--json", "--start", 1)[1])["start"] == 1


def test_standard_input_in_either_encoding(capsys, log, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(V1.encode())))
    assert run(capsys, "-")[0] == 0
    assert run(capsys, log(V1, "utf-16"))[0] == 0
    assert run(capsys, log(b"\xff\xff\x00" + V1.encode()))[0] == 0


def test_what_was_asked_goes_before_the_log_and_the_log_before_the_defaults(capsys, log):
    path = log(V1 + "tensor_parallel_size=2, kv_cache_dtype=fp8")
    _, out, _ = run(capsys, path, "--model", "llama-3.1-8b", "--weights", "int4", "--gpus", 4)
    assert "Compared with: Llama 3.1 8B, 4-bit weights, FP8 cache, 4 × 80 GB card" in out


def test_a_config_of_one_s_own(capsys, log, tmp_path):
    config = {"model_type": "llama", "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8,
              "hidden_size": 4096, "intermediate_size": 14336, "vocab_size": 128256}  # fmt: skip
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    code, out, _ = run(capsys, log(V1), "--model", path, "--parameters", "4B", "--json")
    assert code == 0
    tokens = next(row for row in json.loads(out)["rows"] if row["unit"] == "tokens")
    assert tokens["predicted"] == pytest.approx(2 * tokens["printed"], rel=1e-3)


def test_nothing_recognised_is_exit_code_1(capsys, log):
    code, out, err = run(capsys, log("hello"))
    assert (code, err) == (1, "")
    assert "What is looked for:\n- vLLM:" in out
    code, out, _ = run(capsys, log(""), "--json")
    assert (code, json.loads(out)["engine"]) == (1, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["nowhere.log"],
            "cannot read 'nowhere.log': No such file or directory; give a log's path, or - for stdin",
        ),
        (["LOG", "--start", "3"], "start cannot be '3'; the text holds 1"),
        (["LOG", "--gpus", "0"], "gpus cannot be"),
        (["LOG", "--model", "lama-3-8b"], "did you mean llama-3-8b"),
        ([], "the following arguments are required: FILE"),
    ],
)
def test_bad_input_is_refused_in_one_line(capsys, log, arguments, said):
    path = log(V1)
    code, out, err = run(capsys, *(path if argument == "LOG" else argument for argument in arguments))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


def test_a_log_too_long_is_read_at_both_ends(capsys, log):
    path = log("x" * 79 + "\n" * 1 + ("y" * 79 + "\n") * (LOG_MAX_CHARACTERS // 80) + V1)
    code, out, _ = run(capsys, path)
    assert code == 0
    assert "characters in its middle were not read" in out


CACHE = """\
llama_context: n_ctx         = 8192
llama_kv_cache: size = 1024.00 MiB (  8192 cells,  32 layers,  1/1 seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB
"""


def test_the_model_is_the_one_whose_file_the_log_prints(capsys, log):
    other = (
        gguf_log()
        .replace("Meta-Llama-3-8B", "Another")
        .replace("head_count_kv u32              = 8", "head_count_kv u32              = 32")
    )
    text = gguf_log() + CACHE + other  # loaded later, so that its cache is not here
    code, out, _ = run(capsys, log(text))
    assert code == 0
    assert "KV cache, all devices: 1 GiB; this page 1 GiB: equal" in out
    assert "Compared with: Meta-Llama-3-8B, 4.58 GiB of weights" in out
    assert "Weights, all devices: 4.58 GiB; this page 4.58 GiB: equal" in out
    code, out, _ = run(capsys, log(text), "--model", "llama-2-7b")
    assert "Compared with: Llama 2 7B, 16-bit weights" in out
    assert log_model(read_log(CACHE), CACHE) is None
    assert log_model(read_log(CACHE), CACHE + " - kv 0: general.architecture str = none\n") is None
