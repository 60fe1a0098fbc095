"""``python -m tests.bench.crowd``: many viewers of the hosted page, and many sessions of the served one.

A viewer has an empty cache: one connection for the document, then one for each of its assets, everything read to the
last byte. All on loopback, on this machine; the viewers' work is part of the load.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.sessions import join_session, open_sessions
from tests.conftest import Server
from tests.hosting import Hosted, free_port, open_folder

ASSET = re.compile(rb"assets/[\w.-]+")


@dataclass
class Crowd:
    """What happened to a number of viewers."""

    seconds: list[float] = field(default_factory=list)
    received: int = 0
    errors: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """A row of the crowd table."""
        times = sorted(self.seconds) or [float("nan")]
        p95 = times[int(len(times) * 0.95) - 1]
        each = self.received / max(1, len(self.seconds)) / 1e3
        return (
            f"| {name} | {len(self.seconds)} | {statistics.median(times) * 1000:.0f} ms | {p95 * 1000:.0f} ms "
            f"| {times[-1] * 1000:.0f} ms | {len(self.errors)} | {each:.0f} KB |"
        )


CROWD_HEAD = "| server | served | median | p95 | slowest | errors | a viewer |\n|---|---|---|---|---|---|---|"


async def fetch(port: int, path: str) -> tuple[bytes, int]:
    """The body of ``path``, still compressed, and the bytes received; raises OSError if it is not all there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    writer.write(request.encode())
    await writer.drain()
    answer = await reader.read(-1)
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    if not head.startswith(b"HTTP/1.1 200") or (length and int(length[1]) != len(body)):
        raise OSError(f"{path}: {head[:40]!r}, {len(body)} bytes")
    return body, len(answer)


async def view(port: int, paths: list[str], crowd: Crowd) -> None:
    """One viewer: the document, then all it loads at once."""
    start = time.perf_counter()
    try:
        _, size = await fetch(port, "/")
        sizes = [size] + [size for _, size in await asyncio.gather(*(fetch(port, path) for path in paths))]
    except OSError as error:
        crowd.errors.append(str(error))
        return
    crowd.seconds.append(time.perf_counter() - start)
    crowd.received += sum(sizes)


async def arrive(port: int, paths: list[str], viewers: int, within: float) -> Crowd:
    """``viewers`` come evenly ``within`` seconds, whether or not earlier ones are done."""
    crowd = Crowd()
    start = time.perf_counter()
    tasks = []
    for number in range(viewers):
        await asyncio.sleep(max(0.0, start + within * number / viewers - time.perf_counter()))
        tasks.append(asyncio.create_task(view(port, paths, crowd)))
    await asyncio.gather(*tasks)
    return crowd


def asset_paths(site: Path) -> list[str]:
    """What the built document loads."""
    found = ASSET.findall((site / "index.html").read_bytes())
    return sorted({f"/{path.decode()}" for path in found})


def memory(pid: int) -> float:
    """Proportional set size of a process and its children, MB."""
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    total = 0
    for one in [pid, *map(int, children.stdout.split())]:
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")
            total += int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1])
    return total / 1000


# --- the other candidate ------------------------------------------------------------------------


def serve_with_tornado(site: Path, port: int) -> None:
    """The same files by Tornado, compressed ones sent as they lie: what the choice of a server was measured against."""
    import tornado.ioloop
    import tornado.web

    class Files(tornado.web.StaticFileHandler):
        """Sends the .gz of a file to whoever takes it."""

        def set_extra_headers(self, path: str) -> None:
            if path.endswith(".gz"):
                self.set_header("Content-Encoding", "gzip")

        async def get(self, path: str, include_body: bool = True) -> None:
            path = path or "index.html"
            zipped = Path(self.root) / f"{path}.gz"
            await super().get(f"{path}.gz" if zipped.exists() else path, include_body)

    tornado.web.Application([(r"/(.*)", Files, {"path": str(site)})]).listen(port, "127.0.0.1")
    tornado.ioloop.IOLoop.current().start()


@contextlib.contextmanager
def tornado_server(site: Path):
    """Tornado in a process of its own; gives its port and process."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.crowd", "--tornado", str(site), str(port)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read()
            break
        except OSError:
            time.sleep(0.1)
    yield port, process
    process.kill()
    process.wait()


# --- the tables -------------------------------------------------------------------------------


def built_page() -> Path:
    """A folder with the built page, readable by every user."""
    from app.build import build_site

    folder = open_folder()
    build_site(folder)
    return folder


def arrivals(page: Path, viewers: int, within: float) -> list[str]:
    """The crowd table: the server of the container, and the other candidate."""
    paths = asset_paths(page / "site")
    hosted = Hosted(page)
    rows = [CROWD_HEAD, asyncio.run(arrive(hosted.port, paths, viewers, within)).row("nginx")]
    hosted.stop()
    with tornado_server(page / "site") as (port, _):
        rows.append(asyncio.run(arrive(port, paths, viewers, within)).row("Tornado"))
    return rows


def memory_of_many(page: Path, viewers: int, rate: float) -> list[str]:
    """Memory of the server while ``viewers`` come at ``rate`` a second."""
    paths = asset_paths(page / "site")
    hosted = Hosted(page)
    rows = [f"| 0 | {memory(hosted.process.pid):.1f} MB | 0 |"]
    seen = errors = 0
    for _ in range(5):
        crowd = asyncio.run(arrive(hosted.port, paths, viewers // 5, viewers / 5 / rate))
        seen += len(crowd.seconds)
        errors += len(crowd.errors)
        rows.append(f"| {seen:,} | {memory(hosted.process.pid):.1f} MB | {errors} |")
    hosted.stop()
    return ["| viewers so far | memory of nginx | errors |\n|---|---|---|", *rows]


#: Seconds until the last sessions are thrown away and what they held is with the system again.
SETTLING = 25


def memory_of_sessions(count: int, steps: int = 5) -> list[str]:
    """Memory of `panel serve` after each part of ``count`` sessions, all closed and thrown away."""
    server = Server(options=("--check-unused-sessions", "1000", "--unused-session-lifetime", "5000"))
    failed = asyncio.run(open_sessions(server.url, 50))  # what is made once
    time.sleep(SETTLING)
    rows = [f"| 50, to warm up | {memory(server.process.pid):.0f} MB | {failed} |"]
    for step in range(1, steps + 1):
        failed += asyncio.run(open_sessions(server.url, count // steps))
        time.sleep(SETTLING)
        rows.append(f"| {count * step // steps} | {memory(server.process.pid):.0f} MB | {failed} |")
    server.stop()
    return ["| sessions opened and closed | memory of `panel serve` | failed |\n|---|---|---|", *rows]


async def held_connections(hosted: Hosted, count: int) -> float:
    """Memory in KB that each of ``count`` viewers takes of nginx while all are there, connected and served."""
    before = memory(hosted.process.pid)
    open_ones = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
        open_ones.append(writer)
    grown = memory(hosted.process.pid) - before
    for writer in open_ones:
        writer.close()
    return grown * 1000 / count


async def held_sessions(server: Server, count: int) -> float:
    """Memory in KB that each of ``count`` sessions takes of `panel serve` while all are open."""
    await open_sessions(server.url, 10)
    before = memory(server.process.pid)
    sockets = [await join_session(server.url) for _ in range(count)]
    grown = memory(server.process.pid) - before
    for socket in sockets:
        socket.close()
    return grown * 1000 / count


def memory_a_viewer(page: Path) -> list[str]:
    """What one viewer who is there costs, hosted and with a session."""
    hosted, server = Hosted(page), Server()
    rows = [
        f"| hosted | {asyncio.run(held_connections(hosted, 500)):.0f} KB |",
        f"| `panel serve` | {asyncio.run(held_sessions(server, 30)):.0f} KB |",
    ]
    hosted.stop()
    server.stop()
    return ["| form | memory a viewer |\n|---|---|", *rows]


def main() -> int:
    """Measures everything and prints the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tornado", nargs=2, metavar=("SITE", "PORT"))
    parser.add_argument("--viewers", type=int, default=300)
    parser.add_argument("--within", type=float, default=10)
    parser.add_argument("--many", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--sessions", type=int, default=500)
    options = parser.parse_args()
    if options.tornado:
        serve_with_tornado(Path(options.tornado[0]), int(options.tornado[1]))
        return 0
    page = built_page()
    print(f"{options.viewers} viewers within {options.within:.0f} s, load {os.getloadavg()[0]:.1f} before:\n")
    print("\n".join(arrivals(page, options.viewers, options.within)), flush=True)
    print(f"\n{options.many} viewers:\n")
    print("\n".join(memory_of_many(page, options.many, options.rate)), flush=True)
    print(f"\n{options.sessions} sessions:\n")
    print("\n".join(memory_of_sessions(options.sessions)), flush=True)
    print("\nMemory while viewers are there:\n")
    print("\n".join(memory_a_viewer(page)), flush=True)
    shutil.rmtree(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
