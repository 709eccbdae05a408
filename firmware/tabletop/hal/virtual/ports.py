"""TCP sockets as the ports of a board: one client at a time, never blocking.

`Port` is what the table reads and writes as it would a UART: with nobody on the line, bytes sent are gone.
`Doors` waits for all sockets of the table at once.
"""

import errno
import os
import select
import socket
import sys

from tabletop.const import const

_HELD = const(8192)  # bytes that wait on the line each way, as on a board: TCP's megabytes delay whoever follows noise
_SEGMENT = const(1400)  # bytes: the sender holds a multiple of it, which with loopback's 64 KB would be megabytes again


class Port:
    """A TCP server port; `number` 0 takes a free one. A second client is turned away at once.

    `calls` counts the clients that were let in.
    """

    def __init__(self, poller, number: int = 0):
        self.number = number
        self.client = None
        self.next = None  # called while the line was busy
        self.calls = 0
        self.poller = poller
        tries = 1 if number else 100
        while True:
            self.listener = socket.socket()
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.listener.setsockopt(socket.SOL_SOCKET, 7, _HELD)  # SO_SNDBUF and SO_RCVBUF: not in MicroPython
            self.listener.setsockopt(socket.SOL_SOCKET, 8, _HELD)
            self.listener.setsockopt(6, 2, _SEGMENT)  # TCP_MAXSEG
            if not number:
                # MicroPython cannot ask a socket for its port, so choose; below the range of outgoing connections.
                draw = os.urandom(2)
                self.number = 20_000 + (draw[0] << 8 | draw[1]) % 12_000
            try:
                self.listener.bind(socket.getaddrinfo("127.0.0.1", self.number)[0][-1])
                self.listener.listen(4)
                break
            except OSError as error:
                self.listener.close()
                tries -= 1
                if error.errno != errno.EADDRINUSE or not tries:
                    raise
        self.listener.setblocking(False)
        poller.register(self.listener, select.POLLIN)

    def readinto(self, buf) -> int:
        """Bytes waiting, at most `len(buf)`; 0 when there are none."""
        if self.client is None:
            return 0
        try:
            n = self.client.readinto(buf)
        except OSError:
            n = 0
        if n == 0:
            self.hang_up()
        elif n is None and self.next is not None:
            self.next.close()  # the line is in use
            self.next = None
        return n or 0

    def write(self, buf) -> int:
        """Bytes taken; 0 when the line is full."""
        if self.client is None:
            return len(buf)
        try:
            return self.client.write(buf) or 0
        except OSError:
            self.hang_up()
            return len(buf)

    def accept(self) -> None:
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        if self.client is None:
            self._let_in(client)
        elif self.next is None:
            self.next = client  # the other may have gone: that shows when its last bytes are read
        else:
            client.close()

    def _let_in(self, client) -> None:
        client.setblocking(False)
        client.setsockopt(6, 1, 1)  # TCP_NODELAY: a reply is not held back for more
        self.client = client
        self.calls += 1
        self.poller.register(client, select.POLLIN)

    def hang_up(self) -> None:
        if self.client is not None:
            self.poller.unregister(self.client)
            self.client.close()
            self.client = None
        if self.next is not None:
            client, self.next = self.next, None
            self._let_in(client)

    def close(self) -> None:
        self.hang_up()
        self.hang_up()
        self.poller.unregister(self.listener)
        self.listener.close()


class Doors:
    """All sockets of the table: the ports `link` and `hand`; `tied` to the life of standard input, if wanted."""

    def __init__(self, link: int = 0, hand: int = 0, tied: int = 0):
        self.poller = select.poll()
        self.link = Port(self.poller, link)
        self.hand = Port(self.poller, hand)
        if tied:
            self.poller.register(sys.stdin, select.POLLIN)

    def serve(self, timeout_ms: int) -> bool:
        """Waits until a socket has something, at most `timeout_ms`; True when it is the hand."""
        hand = False
        for ready in self.poller.ipoll(timeout_ms):
            source = ready[0]
            if source is self.link.listener:
                self.link.accept()
            elif source is self.hand.listener:
                self.hand.accept()
                hand = True
            elif source is self.hand.client:
                hand = True
            elif source is sys.stdin:
                raise SystemExit(0)
        return hand

    def close(self) -> None:
        self.link.close()
        self.hand.close()
