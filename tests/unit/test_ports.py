"""A port that goes, or is closed by another thread, while it is read or written is a table that has gone: E-7006."""

from __future__ import annotations

import socket
import threading

import pytest
import serial
from wheelwright.errors import WheelwrightError
from wheelwright.ports import Port, open_port


class Device:
    """What pyserial's ports raise of themselves, on the way from open to closed."""

    timeout = 0

    def __init__(self, error: Exception) -> None:
        self.error = error

    def fileno(self) -> int:
        raise NotImplementedError

    def read(self, _size: int) -> bytes:
        raise self.error

    def write(self, _data: bytes) -> None:
        raise self.error

    def close(self) -> None:
        raise self.error


@pytest.mark.parametrize("error", [
    serial.SerialException("gone"), OSError(5, "gone"), TypeError("an integer is required"), ValueError("closed"),
    AttributeError("'NoneType' object has no attribute 'recv'"),
], ids=lambda error: type(error).__name__)  # fmt: skip
def test_whatever_a_port_raises_that_goes_while_it_is_used_is_a_table_that_has_gone(error: Exception) -> None:
    port = Port(Device(error), "COM5")  # type: ignore[arg-type]
    for use in (lambda: port.read(0.1), lambda: port.write(b"x")):
        with pytest.raises(WheelwrightError, match=r"E-7006 .*COM5"):
            use()
    port.close()


def test_a_link_by_tcp_that_another_thread_closes_is_a_table_that_has_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        for _ in range(40):
            port = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}")
            far, _ = server.accept()
            closer = threading.Thread(target=port.close)
            closer.start()
            try:
                while True:
                    port.write(b"x")
                    port.read(0)
            except WheelwrightError as gone:
                assert gone.code == 7006  # noqa: PT017
            closer.join()
            far.close()
