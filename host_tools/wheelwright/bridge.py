"""A pseudo terminal in front of a TCP port, for tools that want a path as a board's serial port has one."""

from __future__ import annotations

import os
import select
import socket
import threading

from wheelwright.ports import HELD


class PtyBridge:
    """Copies bytes between a new pseudo terminal (`path`) and `address` (`socket://HOST:PORT`) until closed."""

    def __init__(self, address: str) -> None:
        import tty  # not on Windows, where there are no pseudo terminals

        host, _, port = address.removeprefix("socket://").rpartition(":")
        self._endpoint = (host, int(port))
        self._master, self._slave = os.openpty()  # the slave stays open, so that a client may come and go
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        os.close(self._stopped)
        self._thread.join()
        for descriptor in (self._master, self._slave, self._stop):
            os.close(descriptor)

    def _run(self) -> None:
        # A table that restarts comes back at the same port; until then what is sent to it is lost, as on a wire.
        while not self._wanted(0):
            try:
                with socket.create_connection(self._endpoint, 1.0) as line:
                    line.settimeout(1.0)
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD)
                    self._copy(line)
            except OSError:
                if self._wanted(0.1):
                    return

    def _wanted(self, seconds: float) -> bool:
        return bool(select.select([self._stop], [], [], seconds)[0])

    def _copy(self, line: socket.socket) -> None:
        while True:
            ready, _, _ = select.select([self._master, line.fileno(), self._stop], [], [])
            if self._stop in ready:
                return
            if self._master in ready:
                line.sendall(os.read(self._master, 4096))
            if line.fileno() in ready:
                data = line.recv(4096)
                if not data:
                    raise ConnectionResetError
                self._to_terminal(data)

    def _to_terminal(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:  # nobody reads: hold back, so that the table sees a full line
                if self._stop in select.select([self._stop], [self._master], [])[0]:
                    return
