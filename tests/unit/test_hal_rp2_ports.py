"""The link's ports on made-up hardware: USB with and without `usb.device`, which no image has here, and the UART."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from wheelwright.flashing.usb import RASPBERRY_PI, Usb
from wheelwright.ports import Candidate

from tests.conftest import ROOT, need_micropython
from tests.unit.vm_board import VmBoard

pytestmark = pytest.mark.vm
CORE = """
class Device:
    def init(self, *interfaces, builtin_driver=False):
        self.interfaces, self.builtin_driver = interfaces, builtin_driver
device = Device()
def get():
    return device
"""
CDC = '''
import io
class CDCInterface(io.IOBase):
    """As micropython-lib's: what does not come within `timeout` ms is None, what is not taken is not counted."""
    def __init__(self, timeout=1000, txbuf=256, rxbuf=256):
        self.timeout, self.room, self.came, self.sent = timeout, txbuf, bytearray(), bytearray()
    def readinto(self, buf):
        n = min(len(buf), len(self.came))
        buf[:n] = self.came[:n]
        self.came = self.came[n:]
        return n or None
    def write(self, buf):
        n = min(len(buf), self.room - len(self.sent))
        self.sent += bytes(buf[:n])
        return n
    def ioctl(self, request, flags):
        if request != 3:
            return -22
        return flags & 1 if self.came else 0
'''


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VmBoard]:
    vm = VmBoard(need_micropython(), tmp_path)
    yield vm
    vm.power_off()


def test_where_the_image_has_usb_device_the_link_has_a_port_of_its_own_that_never_blocks(board: VmBoard) -> None:
    package = board.tree / "usb" / "device"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text(CORE)
    (package / "cdc.py").write_text(CDC)
    out = board.run("""
import select, usb.device
asked = []
from tabletop.hal.rp2 import ports
class Console:
    def kbd_intr(self, character): asked.append(character)
ports.micropython = Console()
port = ports.usb_port()
print(type(port).__name__, asked, port.stream.timeout)
print(usb.device.device.builtin_driver, usb.device.device.interfaces == (port.stream,))
poll = select.poll()
poll.register(port.stream, select.POLLIN)
buf = bytearray(8)
print(port.readinto(buf), len(poll.poll(0)))
port.stream.came = bytearray(range(10))
print(len(poll.poll(0)), port.readinto(buf), bytes(buf) == bytes(range(8)), port.readinto(buf), port.readinto(buf))
print(port.write(bytes(1100)), port.write(bytes(9)))
""")
    assert out.splitlines() == ["OwnUsbPort [-1] 0", "True True", "0 0", "1 8 True 2 0", "1024 0"]


def test_without_it_the_link_shares_the_consoles_port(board: VmBoard) -> None:
    out = board.run("""
from tabletop.hal.rp2 import ports
class Console:
    def kbd_intr(self, character): pass
ports.micropython = Console()
print(type(ports.usb_port()).__name__)
""")
    assert out == "UsbPort"


UART = """
import machine
class Pin:
    OUT, PULL_UP = "out", "up"
    def __init__(self, pin, mode=None, pull=None, value=None): self.pin, self.pull, self.level = pin, pull, value
    def value(self, *level):
        if level: self.level = level[0]
        return self.level
class Uart:
    def __init__(self, number, **options): self.options, self.sent, self.came, self.done = options, b"", None, True
    def readinto(self, buf): return self.came
    def write(self, buf):
        self.done = False
        self.sent += bytes(buf)
        return len(buf)
    def txdone(self): return self.done
machine.Pin, machine.UART = Pin, Uart
from tabletop.hal.rp2 import pins, ports
port = ports.UartPort(921600, RS485)
uart, drive, buf = port._uart, port._drive, bytearray(4)
print(uart.options["baudrate"], uart.options["tx"].pin == pins.LINK_TX, uart.options["rx"].pin == pins.LINK_RX)
print(uart.options["rx"].pull, uart.options["timeout"], drive.pin == pins.LINK_DE, drive.level)
print(port.readinto(buf), drive.level)
print(port.write(b"frame"), drive.level, port.readinto(buf), drive.level)
uart.done = True
print(port.readinto(buf), drive.level)
"""


@pytest.mark.parametrize(("rs485", "level"), [("False", 0), ("True", 1)])
def test_case_18_the_uart_pulls_its_line_up_and_rs_485_drives_it_from_the_first_byte_to_the_end_of_the_last(
    rs485: str, level: int, board: VmBoard
) -> None:
    lines = board.run(UART.replace("RS485", rs485)).splitlines()
    assert lines == ["921600 True True", "up 0 True 0", "0 0", f"5 {level} 0 {level}", "0 0"]


@pytest.mark.parametrize("board", ["WHEEL_PICO", "WHEEL_PICO2"])
@pytest.mark.parametrize("there", [True, False])
def test_an_image_takes_usb_device_where_the_checkout_has_it(
    board: str, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def require(name: str) -> None:
        if not there:
            raise ValueError(f"Package '{name}' not found in any known library.")
        asked.append(name)

    words = {"freeze": lambda *_: None, "include": lambda *_: None, "require": require}
    monkeypatch.chdir(ROOT / "boards" / board)
    monkeypatch.syspath_prepend(str(ROOT / "boards"))
    exec((ROOT / "boards" / board / "manifest.py").read_text(), words)  # noqa: S102 - as MicroPython's build does
    assert asked == (["usb-device-cdc"] if there else [])


def test_of_a_board_with_two_ports_the_second_is_the_link() -> None:
    def candidate(address: str, serial: str) -> Candidate:
        return Candidate(address, serial, "WHEEL_PICO", RASPBERRY_PI, 5)

    usb = Usb(serial_ports=lambda: [candidate("/dev/ttyACM10", "E66"), candidate("/dev/ttyACM9", "E66"),
                                    candidate("/dev/ttyACM2", "E67")], folders=list)  # fmt: skip
    assert [(board.port, board.serial) for board in usb.boards()] == [("/dev/ttyACM2", "E67"), ("/dev/ttyACM10", "E66")]
