"""A table that is a `VmBoard` at its prompt when it is asked for its console."""

from __future__ import annotations

from pathlib import Path

from wheelwright.flashing import usb
from wheelwright.ports import Candidate

from tests.unit.fake_board import FakeBoard
from tests.unit.vm_board import PROGRAM, SERIAL, VmBoard


class Table(FakeBoard):
    """When that prompt is reset, it is a table again, with the program and the identity that are there then."""

    def __init__(self, folder: Path, vm: VmBoard, *, at_prompt: bool = False) -> None:
        self.vm = vm
        self.port = ""
        super().__init__(folder)
        if at_prompt:
            self.leaving = True
            self.look()

    def look(self) -> None:
        if self.leaving:
            self.leaving = False
            self.unplug()
            self.port = self.vm.prompt()
        elif self.port and not self.vm.running:
            self.vm.power_off()
            self.port = ""
            self.words.update(program=bytes.fromhex(self.vm.run(PROGRAM)), serial=self.vm.run(SERIAL))
            self.power_on()

    def candidates(self) -> list[Candidate]:
        self.look()
        address = self.port or (self.served.address if self.served else "")
        return [Candidate(address, self.serial, "WHEEL_PICO", usb.RASPBERRY_PI, 5)] if address else []
