"""``python -m tests.bench.sessions COUNT``: sessions of the served page opened, closed and thrown away in one process.

Prints what is left of them as JSON: objects of ours by class, which must be none.
"""

from __future__ import annotations

import asyncio
import collections
import gc
import json
import re
import sys

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

#: Milliseconds after which a closed session is thrown away.
SOON = 500
#: Whose objects a closed session must not leave behind.
OURS = ("Scenario", "Growth", "Heads", "Wall", "Quantize", "Bridge")


async def join_session(url: str) -> WebSocketClientConnection:
    """One session as a browser has it: page, socket, first answer. Returns the socket."""
    answer = await AsyncHTTPClient().fetch(HTTPRequest(url, request_timeout=300, connect_timeout=300))
    token = re.search(rb'"token":"([^"]+)"', answer.body)[1].decode()
    address = url.replace("http:", "ws:") + "app/ws"
    request = HTTPRequest(address, headers={"Origin": url.rstrip("/")}, request_timeout=300)
    socket = await websocket_connect(request, subprotocols=["bokeh", token])
    while '"ACK"' not in (message := await socket.read_message() or ""):
        if not message:
            raise ConnectionError("the server closed the socket")
    return socket


async def open_session(url: str) -> None:
    """A session joined and left again."""
    socket = await join_session(url)
    socket.close()
    await asyncio.sleep(0.05)  # for the close to go out; its answer takes up to 5 s


async def open_sessions(url: str, count: int, together: int = 3) -> int:
    """Opens and closes ``count`` sessions, ``together`` at a time; returns how many failed."""
    places = asyncio.Semaphore(together)
    failures = []

    async def one() -> None:
        async with places:
            try:
                await open_session(url)
            except Exception as error:  # whatever went wrong, it is counted
                failures.append(error)
                print(f"session: {error!r}", file=sys.stderr)

    await asyncio.gather(*(one() for _ in range(count)))
    return len(failures)


async def left_after(url: str, count: int) -> dict[str, int]:
    """Objects of ours that are still there once ``count`` sessions are gone."""
    failed = await open_sessions(url, count)
    await asyncio.sleep(5 * SOON / 1000)
    gc.collect()
    kinds = collections.Counter(type(one).__name__ for one in gc.get_objects())
    return {"failed": failed} | {name: kinds[name] for name in OURS if kinds[name]}


def main() -> int:
    """Serves the page, opens the sessions, prints what is left."""
    from panel.io.server import get_server
    from tornado.ioloop import IOLoop

    from app.page import served_page

    count, port = int(sys.argv[1]), int(sys.argv[2])
    server = get_server(
        {"app": served_page},
        port=port,
        show=False,
        start=False,
        check_unused_sessions_milliseconds=SOON,
        unused_session_lifetime_milliseconds=SOON,
        allow_websocket_origin=[f"127.0.0.1:{port}"],
    )
    server.start()
    print(json.dumps(IOLoop.current().run_sync(lambda: left_after(f"http://127.0.0.1:{port}/", count))))
    server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
