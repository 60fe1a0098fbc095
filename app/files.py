"""Files written whole or not at all, with the rights the reader of the old one had."""

from __future__ import annotations

import os
import signal
import stat
import threading
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Signals that end a program at once, unless it looks after its files first.
ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def is_stream(path: Path) -> bool:
    """Whether what is written to ``path`` goes on to somebody: a pipe, or a device such as a terminal or /dev/null."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def write_file(path: Path, content: bytes) -> None:
    """Writes ``path`` whole or not at all; raises OSError if it cannot.

    A link's target is written, and the link stays; an old file's mode is kept, a new one's follows the umask. A
    stream, see :func:`is_stream`, is written through, and whatever else is no file is left alone.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        if not is_stream(path):
            raise OSError(EINVAL, "Is a directory" if stat.S_ISDIR(mode) else "Is neither file nor stream")
        path.write_bytes(content)
        return
    target = Path(os.path.realpath(path))
    # Not named after the target, whose name may be as long as names can be.
    temporary = target.parent / f".{uuid4().hex[:12]}.part"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def orderly_end() -> Iterator[None]:
    """Lets what is within tidy up when the program is told to end: the signals that kill raise SystemExit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # One that is ignored, as under nohup, stays so.
    taken = [ending for ending in ENDINGS if signal.getsignal(ending) is signal.SIG_DFL]
    for ending in taken:
        signal.signal(ending, _end)
    try:
        yield
    finally:
        for ending in taken:
            signal.signal(ending, signal.SIG_DFL)


def _end(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)  # what a shell reports of a program that a signal ended
