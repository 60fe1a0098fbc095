"""Files are written whole or not at all, with their rights, wherever they lie and whatever ends the program."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading

import pytest

from app.cli import main
from app.files import orderly_end, write_file
from tests.conftest import ROOT

posix = pytest.mark.skipif(os.name != "posix", reason="about POSIX files and signals")


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_write_that_fails_leaves_the_old_file(monkeypatch, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.files.os.replace", full)
    with pytest.raises(OSError, match="No space"):
        write_file(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_link_stays_and_its_target_is_written(tmp_path):
    target, link, beyond = (tmp_path / name for name in ("target.html", "link.html", "beyond.html"))
    target.write_text("old")
    link.symlink_to(target)
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    beyond.symlink_to(tmp_path / "not-yet.html")
    write_file(beyond, b"new")
    assert beyond.is_symlink()
    assert beyond.read_bytes() == b"new"


@posix
def test_a_circle_of_links_is_refused(capsys, tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert main(["build", str(tmp_path / "a")]) == 2
    with pytest.raises(OSError, match="symbolic links"):
        write_file(tmp_path / "a", b"new")


@posix
def test_a_pipe_gets_the_page_and_nothing_else(capsys, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert main(["export", str(pipe), "--act", "wall"]) == 0
    reader.join()
    assert read[0].endswith(b"</html>\n")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert capsys.readouterr().out == ""


@posix
def test_standard_output_may_be_the_file():
    command = [sys.executable, "-m", "app", "export", "/dev/stdout", "--act", "wall"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.endswith(b"</html>\n")


@posix
def test_what_is_neither_file_nor_stream_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "disk"
    path.write_bytes(b"disk")
    monkeypatch.setattr("app.files.stat.S_ISREG", lambda _: False)  # as of a disk or a socket
    with pytest.raises(OSError, match="neither file nor stream"):
        write_file(path, b"new")
    assert path.read_bytes() == b"disk"


@posix
def test_rights_are_kept_and_the_umask_is_followed(tmp_path):
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.touch()
    old.chmod(0o640)
    before = os.umask(0o077)
    try:
        write_file(old, b"new")
        write_file(new, b"new")
    finally:
        os.umask(before)
    assert (mode(old), mode(new)) == (0o640, 0o600)


@posix
@pytest.mark.parametrize("name", ["n" * 255, "ü" * 127, "a b&c|d'e\"f\n.html", "-.html", b"\xff.html"])
def test_any_legal_name_is_written(tmp_path, name):
    path = tmp_path / os.fsdecode(name)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@posix
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_program_told_to_end_leaves_no_rest(monkeypatch, tmp_path, ending):
    path = tmp_path / "page.html"
    path.write_text("old")
    # Whoever started the tests may ignore the signal.
    before = signal.signal(ending, signal.SIG_DFL)
    monkeypatch.setattr("app.files.os.replace", lambda *_: signal.raise_signal(ending))
    with pytest.raises(SystemExit) as left, orderly_end():
        write_file(path, b"new")
    assert left.value.code == 128 + ending
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    assert signal.getsignal(ending) is signal.SIG_DFL
    signal.signal(ending, before)


@posix
def test_a_signal_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with orderly_end():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_interruption_is_one_line(capsys, monkeypatch, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("app.cli.write_file", interrupt)
    assert main(["export", str(tmp_path / "page.html"), "--act", "wall"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "kv-cache: interrupted"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
@pytest.mark.parametrize("arguments", [["size", "llama-3-8b"], ["size", "llama-3-8b", "--json"], ["types"]])
def test_output_in_any_encoding(encoding, arguments):
    done = subprocess.run(
        [sys.executable, "-m", "acts", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "?" not in done.stdout.decode(encoding)


def test_a_name_that_the_output_cannot_show_is_written_all_the_same(tmp_path):
    command = [sys.executable, "-m", "app", "export", os.fsdecode("ü\udcff.html"), "--act", "wall"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("wrote ??.html")
    assert len(list(tmp_path.iterdir())) == 1
