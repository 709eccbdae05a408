"""A table at the far end of a real pty or TCP socket: the firmware's endpoint, served by a thread."""

from __future__ import annotations

import os
import pty
import select
import socket
import threading
import time
import tty
from collections.abc import Callable
from typing import Any

from tabletop import ticks
from tabletop.link.endpoint import Endpoint

from tests.unit.link_line import Journal, Table, identity


class Served:
    """Serves one endpoint; `.address` is what a host opens."""

    def __init__(self, journal: Journal | None = None, **words: Any) -> None:
        self.table = Table()
        self.journal = journal or Journal()
        self.words = words
        self.stopping = False
        self.damage: Callable[[bytes], bytes] = lambda data: data
        self.restart()
        self.thread = threading.Thread(target=self._serve, daemon=True)

    def restart(self) -> None:
        """The table restarts: only its journal stays."""
        self.endpoint = Endpoint(self.table, self.journal, lambda: {**identity(), **self.words})

    def __enter__(self) -> Served:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_the_plug()

    def pull_the_plug(self) -> None:
        self.stopping = True
        self.thread.join()
        self._close()

    def _pump(self, fd: int) -> bool:
        ready, _, _ = select.select([fd], [], [], 0.002)
        now_ms = int(time.monotonic() * 1000) & ticks.MASK
        if ready:
            try:
                data = os.read(fd, 4096)
            except OSError:
                data = b""
            if not data:
                return False
            self.endpoint.receive(bytearray(data), len(data), now_ms)
        for _ in range(20):
            view = self.endpoint.transmit(now_ms)
            if view is None:
                break
            self._write(fd, self.damage(bytes(view)))
            self.endpoint.sent(len(view))
        return True

    def _write(self, fd: int, data: bytes) -> None:
        while data and not self.stopping:
            _, ready, _ = select.select([], [fd], [], 0.05)
            if ready:
                data = data[os.write(fd, data):]

    def _serve(self) -> None:
        raise NotImplementedError

    def _close(self) -> None:
        raise NotImplementedError


class ServedOnPty(Served):
    """Behind a pty, whose near end the table keeps open too, as a virtual table does."""

    def __init__(self, journal: Journal | None = None, **words: Any) -> None:
        super().__init__(journal, **words)
        self.far, self.near = pty.openpty()
        tty.setraw(self.near)
        os.set_blocking(self.far, False)
        self.address = os.ttyname(self.near)

    def _serve(self) -> None:
        while not self.stopping:
            self._pump(self.far)

    def _close(self) -> None:
        os.close(self.far)
        os.close(self.near)


class ServedOnSocket(Served):
    """Behind a TCP socket, one host at a time."""

    def __init__(self, journal: Journal | None = None, **words: Any) -> None:
        super().__init__(journal, **words)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(0.01)
        self.address = f"socket://127.0.0.1:{self.listener.getsockname()[1]}"

    def _serve(self) -> None:
        while not self.stopping:
            try:
                host, _ = self.listener.accept()
            except TimeoutError:
                continue
            with host:
                host.setblocking(False)
                try:
                    while not self.stopping and self._pump(host.fileno()):
                        pass
                except OSError:
                    continue  # the host hung up

    def _close(self) -> None:
        self.listener.close()
