"""A line of so many baud in front of a TCP port: each direction passes one byte for every ten bits."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

PIECE = 32  # bytes that pass at once, as the FIFO of a UART
LATE_S = 0.01  # by how much this thread may wake up too late without the line losing time


class SlowLine:
    """`address` is what a host opens; one host, one connection."""

    def __init__(self, address: str, baud: int) -> None:
        host, _, port = address.removeprefix("socket://").rpartition(":")
        self._byte_s = 10 / baud
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"socket://127.0.0.1:{self._listener.getsockname()[1]}"
        self._table = (host, int(port))
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> SlowLine:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        host, _ = self._listener.accept()
        table = socket.create_connection(self._table)
        for one, other in ((host, table), (table, host)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            thread = threading.Thread(target=self._pass, args=(one, other), daemon=True)
            thread.start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        free = time.perf_counter()  # when the line has passed all that it was given
        with contextlib.suppress(OSError):
            while data := one.recv(PIECE):
                free = max(free, time.perf_counter() - LATE_S) + len(data) * self._byte_s
                time.sleep(max(0.0, free - time.perf_counter()))
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
