"""Serial ports and whatever else `serial_for_url` opens: listing, opening for this program alone, and why it failed."""

import contextlib
import errno
import os
import select
import socket
import sys
from typing import NamedTuple

import serial
from serial.tools import list_ports

from wheelwright.errors import WheelwrightError
from wheelwright.holders import holder_of

BAUD_RATE = 115200
WRITE_TIMEOUT_S = 3.0
CHUNK = 65536
HELD = 8192  # bytes under way to a table by TCP, as on a wire: else a megabyte of what was sent delays what follows
_ABSENT = (errno.ENOENT, errno.ENXIO, errno.ENODEV)
_BUSY = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
_LOST = (serial.SerialException, OSError, TypeError, ValueError, AttributeError)  # the last three: closed while in use


class Candidate(NamedTuple):
    """A port of this computer; `serial_number` and ids are those of its USB device, empty or 0 when it has none."""

    address: str
    serial_number: str
    description: str
    vendor: int
    product: int

    def is_same_device(self, other: "Candidate") -> bool:
        """Whether this may be the same USB device under another name: it has the same number, or neither has one."""
        mine = (self.vendor, self.product, self.serial_number)
        return self.vendor != 0 and mine == (other.vendor, other.product, other.serial_number)


def candidates() -> list[Candidate]:
    """The serial ports of this computer, USB devices first."""
    found = [
        Candidate(port.device, port.serial_number or "", port.description or "", port.vid or 0, port.pid or 0)
        for port in list_ports.comports()
    ]
    return sorted(found, key=lambda port: (not port.vendor, port.address))


def candidate_at(address: str) -> Candidate | None:
    """The serial port that `address` (a name or a link to it) is; None for anything else."""
    if "://" in address:
        return None
    device = os.path.realpath(address)
    return next((port for port in candidates() if os.path.realpath(port.address) == device), None)


class Port:
    """An open port: bytes in, bytes out. Whatever goes wrong is E-7006, the table has gone."""

    def __init__(self, device: serial.Serial, address: str) -> None:
        self.address = address
        self._device = device
        try:
            select.select([device.fileno()], [], [], 0)
            self._selects = True
            device.timeout = 0
        except (OSError, ValueError, AttributeError, NotImplementedError):
            self._selects = False  # COM ports and rfc2217 cannot be waited for in this way

    def read(self, timeout_s: float) -> bytes:
        """What has come, as soon as something has; b"" when nothing does in that time."""
        device = self._device
        try:
            if self._selects:
                ready, _, _ = select.select([device.fileno()], [], [], timeout_s)
                return bytes(device.read(CHUNK)) if ready else b""
            device.timeout = timeout_s
            data = bytes(device.read(1))
            return data + bytes(device.read(device.in_waiting)) if data else b""
        except _LOST as error:
            raise self._lost(error) from None

    def write(self, data: bytes) -> None:
        """Sends all of it."""
        try:
            self._device.write(data)
        except _LOST as error:
            raise self._lost(error) from None

    def close(self) -> None:
        """Gives the port back; never fails."""
        with contextlib.suppress(*_LOST):
            self._device.close()

    def _lost(self, error: Exception) -> WheelwrightError:
        if isinstance(error, serial.SerialTimeoutException):
            return WheelwrightError(7006, port=self.address, reason="it takes no more bytes")
        return WheelwrightError(7006, port=self.address, reason="unplugged or ended")


def open_port(address: str, baud_rate: int = BAUD_RATE) -> Port:
    """Opens a device, `socket://HOST:PORT`, a pty or any other address of `serial_for_url`, exclusively.

    DTR and RTS are raised: some boards send nothing without. Raises E-7001 absent, E-7002 busy, E-7003 not permitted,
    E-7005 no address of a port, E-7007 refused.
    """
    write_timeout = None if address.lower().startswith("rfc2217:") else WRITE_TIMEOUT_S  # that driver knows none
    try:
        device = serial.serial_for_url(
            address, baud_rate, do_not_open=True, exclusive=True, timeout=0, write_timeout=write_timeout
        )
    except serial.SerialException:  # a search (hwgrep://) that found nothing
        raise WheelwrightError(7001, port=address) from None
    except ValueError as error:
        raise WheelwrightError(7005, port=address, reason=str(error)) from None
    try:
        device.open()
    except (serial.SerialException, OSError) as error:
        raise _explain(address, error) from None
    except (ValueError, KeyError) as error:  # an option of the address that pyserial does not know
        raise WheelwrightError(7005, port=address, reason=str(error)) from None
    if "://" in address:
        if (tcp := getattr(device, "_socket", None)) is not None:
            tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else small frames wait 40 ms for each other
            tcp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD)
    elif not os.path.realpath(address).startswith("/dev/pts/") and (holder := _other_holder(address)):
        device.close()  # a program that takes no lock; the far end of a pty, though, keeps the near end open as well
        raise WheelwrightError(7002, port=address, holder=holder)
    return Port(device, address)


def _explain(address: str, error: OSError) -> WheelwrightError:
    if "://" in address:
        cause = error.__context__
        if isinstance(cause, OSError) and not isinstance(cause, serial.SerialException | socket.gaierror):
            return WheelwrightError(7007, port=address)
        if isinstance(cause, TypeError | ValueError | KeyError):
            return WheelwrightError(7005, port=address, reason="host or port number are missing or wrong")
        return WheelwrightError(7005, port=address, reason=str(cause or error))
    text = str(error)
    if error.errno in _ABSENT or "FileNotFoundError" in text:
        return WheelwrightError(7001, port=address)
    if error.errno in _BUSY or (sys.platform == "win32" and "PermissionError" in text):
        return WheelwrightError(7002, port=address, holder=_other_holder(address) or "another program")
    if error.errno in (errno.EACCES, errno.EPERM):
        group = _group(address)
        advice = f"run: sudo usermod -aG {group} $USER, then log out and in again"
        if group == "root":  # nobody else is to be in it: the udev rule gives the port to another
            advice = "run: wheelwright doctor, which says how to install the udev rule"
        return WheelwrightError(7003, port=address, group=group, advice=advice)
    return WheelwrightError(7005, port=address, reason="it is no serial port")


def _group(address: str) -> str:
    """The group that may use the device."""
    try:
        import grp

        return grp.getgrgid(os.stat(address).st_gid).gr_name
    except (ImportError, OSError, KeyError):
        return "dialout"


def _other_holder(address: str) -> str:
    """The program that has the device locked or open: "minicom (process 812)"; "" when none is seen."""
    name, _, number = holder_of(address, but=os.getpid()).rpartition(" ")
    return name and f"{name} (process {number})"
