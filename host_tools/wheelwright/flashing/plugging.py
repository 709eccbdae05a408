"""Waits until something is plugged in, pulled out or mounted: by the kernel's own word, never in a busy loop."""

from __future__ import annotations

import contextlib
import select
import socket
import sys
import time

_UEVENTS = 15  # NETLINK_KOBJECT_UEVENT: the kernel's announcements, the same that udev hears
_KERNEL_GROUP = 1
_BUFFER = 65536
ELSEWHERE_S = 0.25  # between two looks where the system tells nothing


class Plugging:
    """`wait` returns at the next event or when its time is over. Without events (no Linux, a container) it sleeps."""

    def __init__(self) -> None:
        self._poll = select.poll() if sys.platform == "linux" else None
        self._socket: socket.socket | None = None
        if self._poll is None:
            return
        with contextlib.suppress(OSError):
            self._mounts = open("/proc/mounts", "rb")  # noqa: SIM115 - open as long as this object, as it is what is polled
            self.watch(self._mounts.fileno(), select.POLLPRI)
        with contextlib.suppress(OSError):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK, _UEVENTS)
            self._socket.bind((0, _KERNEL_GROUP))
            self.watch(self._socket.fileno(), select.POLLIN)

    def watch(self, number: int, event: int) -> None:
        """Also wakes up when the file of this number has the event (of `select.poll`)."""
        if self._poll is not None:
            self._poll.register(number, event)

    def wait(self, seconds: float) -> None:
        """At most `seconds`."""
        if self._poll is None:
            time.sleep(min(seconds, ELSEWHERE_S))
            return
        self._poll.poll(seconds * 1000)
        if self._socket is not None:  # one look answers all that was said until now
            with contextlib.suppress(OSError):
                while self._socket.recv(_BUFFER):
                    pass
