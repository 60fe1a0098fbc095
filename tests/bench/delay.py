"""A TCP proxy that delays what passes through it, so that a page on loopback is met as over a network."""

from __future__ import annotations

import asyncio
import subprocess
import sys


class DelayedProxy:
    """Forwards a local port (``port``) to ``target``, each chunk ``seconds`` later, in a process of its own."""

    def __init__(self, target: int, seconds: float):
        command = [sys.executable, "-m", "tests.bench.delay", str(target), str(seconds)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def close(self) -> None:
        """Stops forwarding."""
        self.process.kill()
        self.process.wait()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
    """Passes chunks on when they are due; they wait in a queue, so that the delay does not limit throughput."""
    clock = asyncio.get_running_loop().time
    queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def receive() -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = await reader.read(65536)
            except ConnectionError:
                chunk = b""
            queue.put_nowait((clock() + seconds, chunk))

    receiver = asyncio.create_task(receive())
    while True:
        due, chunk = await queue.get()
        await asyncio.sleep(max(0.0, due - clock()))
        if not chunk:
            break
        writer.write(chunk)
    writer.close()
    await receiver


async def serve(target: int, seconds: float) -> None:
    """Accepts connections until the process ends; the first line printed is the port."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        await asyncio.gather(pump(reader, far_writer, seconds), pump(far_reader, writer, seconds))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
