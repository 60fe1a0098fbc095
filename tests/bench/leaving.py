"""``python -m tests.bench.leaving``: how long `panel serve` holds an answer up while viewers come and go together.

A small answer is asked for all the time, as a new visitor would; the longest wait for it is what the table tells. All
on loopback and on this machine, the viewers' work included.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tornado.httpclient import AsyncHTTPClient

from tests.bench.crowd import memory
from tests.bench.sessions import join_session
from tests.conftest import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tornado.websocket import WebSocketClientConnection

#: Seconds between two small answers.
ASKING = 0.05
#: Milliseconds between the server's looks for closed sessions, and until one counts as closed.
SOON = "1000"
#: Seconds in which all that was closed is thrown away.
SETTLING = 8


@dataclass
class Waits:
    """The longest wait for a small answer, in seconds, and the server's time in between."""

    longest: float = 0
    answers: int = 0
    seconds: float = 0


def spent(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def asking(server: Server) -> AsyncIterator[Waits]:
    """Asks for a small answer all the while."""
    waits = Waits()
    before = spent(server.process.pid)

    async def ask() -> None:
        while True:
            start = time.perf_counter()
            await AsyncHTTPClient().fetch(f"{server.url}app/metadata", request_timeout=300)
            waits.longest = max(waits.longest, time.perf_counter() - start)
            waits.answers += 1
            await asyncio.sleep(ASKING)

    task = asyncio.create_task(ask())
    yield waits
    task.cancel()
    waits.seconds = spent(server.process.pid) - before


async def leave(server: Server, sockets: list[WebSocketClientConnection]) -> Waits:
    """All of ``sockets`` close at once."""
    async with asking(server) as waits:
        for socket in sockets:
            socket.close()
        await asyncio.sleep(SETTLING)
    return waits


async def come(server: Server, count: int, within: float, leaving: list[WebSocketClientConnection]) -> Waits:
    """``count`` sessions open evenly ``within`` seconds while the ones of ``leaving`` close one after another."""

    async def one(at: float) -> WebSocketClientConnection:
        await asyncio.sleep(at)
        if leaving:
            leaving.pop().close()
        return await join_session(server.url)

    async with asking(server) as waits:
        sockets = await asyncio.gather(*(one(within * number / count) for number in range(count)))
    for socket in sockets:
        socket.close()
    await asyncio.sleep(SETTLING)
    return waits


def row(name: str, waits: Waits, server: Server) -> str:
    """A row of the table."""
    return (
        f"| {name} | {waits.longest * 1000:.0f} ms | {waits.answers} | {waits.seconds:.1f} s "
        f"| {memory(server.process.pid):.0f} MB |"
    )


async def measure(server: Server, count: int, many: int, within: float) -> None:
    """Prints the table."""
    print("| what | longest wait | answers | server's time | memory after |\n|---|---|---|---|---|")
    async with asking(server) as waits:
        sockets = [await join_session(server.url) for _ in range(count)]
    print(row(f"{count} sessions open, one after another", waits, server), flush=True)
    print(row(f"{count} sessions close at once", await leave(server, sockets), server), flush=True)
    leaving = [await join_session(server.url) for _ in range(count)]
    waits = await come(server, many, within, leaving)
    print(row(f"{many} sessions open within {within:.0f} s while {count} close", waits, server), flush=True)


def main() -> None:
    """Serves the page and measures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--many", type=int, default=300)
    parser.add_argument("--within", type=float, default=10)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} before\n")
    server = Server(options=("--check-unused-sessions", SOON, "--unused-session-lifetime", SOON))
    try:
        asyncio.run(measure(server, options.sessions, options.many, options.within))
    finally:
        server.stop()


if __name__ == "__main__":
    main()
