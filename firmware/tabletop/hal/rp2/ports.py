"""The link's ports: a USB serial port, and a UART.

Where the image has `usb.device` of micropython-lib, the link has a USB serial port of its own beside MicroPython's.
Without, it shares that one: 0x03 must reach the link, not the interpreter, and the link's parser finds its frames
between whatever a traceback prints. In both cases the interrupt character is off while the table runs.
"""

import select
import sys
import time

import machine
import micropython

from tabletop.hal.rp2 import pins
from tabletop.ticks import since

CHUNK = 64  # one USB packet
STALL_MS = 50  # a write that took this long has met a host that does not read
PATIENCE_MS = 2000  # such a host is left alone this long


def usb_port():
    """The table's port on USB."""
    micropython.kbd_intr(-1)
    try:
        import usb.device
        from usb.device.cdc import CDCInterface
    except ImportError:
        return UsbPort()
    return OwnUsbPort(usb.device.get(), CDCInterface(timeout=0, txbuf=1024, rxbuf=1024))


class OwnUsbPort:
    """A second USB serial port. The host sees the board go and come back with both; no write blocks."""

    def __init__(self, device, cdc):
        self.stream = cdc
        device.init(cdc, builtin_driver=True)  # the console stays as it is

    def readinto(self, buf) -> int:
        return self.stream.readinto(buf) or 0

    def write(self, buf) -> int:
        return self.stream.write(buf) or 0


class UsbPort:
    """The first USB serial port; nothing blocks but one write of at most 500 ms in each PATIENCE_MS to a deaf host."""

    def __init__(self):
        micropython.kbd_intr(-1)  # also for who makes one by itself
        self.stream = sys.stdin
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._room = select.poll()
        self._room.register(sys.stdout, select.POLLOUT)
        self._one = bytearray(1)
        self._deaf_at = -1  # the host reads
        self.stalls = 0

    def readinto(self, buf) -> int:
        """Bytes waiting, at most `len(buf)`; 0 when there are none."""
        n = 0
        one = self._one
        while n < len(buf):
            for _ in self._poll.ipoll(0):
                break
            else:
                return n
            self._in.readinto(one)
            buf[n] = one[0]
            n += 1
        return n

    def write(self, buf) -> int:
        """Bytes taken, at most one packet; 0 when the line is full."""
        now: int = time.ticks_ms()  # type: ignore[assignment]
        if self._deaf_at >= 0:
            if since(now, self._deaf_at) < PATIENCE_MS:
                return 0
            self._deaf_at = -1
        for _ in self._room.ipoll(0):
            break
        else:
            return 0
        taken = self._out.write(buf if len(buf) <= CHUNK else memoryview(buf)[:CHUNK])
        after: int = time.ticks_ms()  # type: ignore[assignment]
        if since(after, now) > STALL_MS:
            self._deaf_at = after
            self.stalls += 1
        return taken or 0


class UartPort:
    """UART 0; with `rs485` the driver is enabled while there is something to send."""

    def __init__(self, baud: int, rs485: bool):
        receive = machine.Pin(pins.LINK_RX, pull=machine.Pin.PULL_UP)  # an open line is silence, not zeros
        self.stream = self._uart = machine.UART(
            0, baudrate=baud, tx=machine.Pin(pins.LINK_TX), rx=receive, txbuf=1024, rxbuf=1024, timeout=0
        )
        self._drive = machine.Pin(pins.LINK_DE, machine.Pin.OUT, value=0)
        self._rs485 = rs485

    def readinto(self, buf) -> int:
        if self._rs485 and self._drive.value() and self._uart.txdone():
            self._drive.value(0)
        return self._uart.readinto(buf) or 0

    def write(self, buf) -> int:
        if self._rs485:
            self._drive.value(1)
        return self._uart.write(buf) or 0
