"""MAX7219 displays, 74HC595 lamps and 74HC165 sensors on the chip's SPI bus, as their data sheets have them."""

from __future__ import annotations

from typing import Any

from tests.emulated.wires import pin

LETTERS = {0x00: " ", 0x01: "-", 0x7E: "0", 0x30: "1", 0x6D: "2", 0x79: "3", 0x33: "4", 0x5B: "5", 0x5F: "6", 0x70: "7",
           0x7F: "8", 0x7B: "9", 0x77: "A", 0x1F: "B", 0x4E: "C", 0x3D: "D", 0x4F: "E", 0x47: "F", 0x5E: "G", 0x37: "H",
           0x06: "I", 0x3C: "J", 0x0E: "L", 0x15: "N", 0x1D: "O", 0x67: "P", 0x05: "R", 0x0F: "T", 0x3E: "U", 0x3B: "Y"}


class Max7219:
    """One chip: registers 1-8 are digits, from the right."""

    def __init__(self) -> None:
        self.upset()

    def upset(self) -> None:
        """What a spark leaves: settings as after power-on, nonsense in the digits."""
        self.registers = {0x09: 0xFF, 0x0A: 0, 0x0B: 0, 0x0C: 0, 0x0F: 1, **dict.fromkeys(range(1, 9), 0x2A)}

    @property
    def text(self) -> str:
        """What is to be read; `?` for what no letter is, empty when the chip does not show digits."""
        found = self.registers
        if found[0x0F] & 1 or not found[0x0C] & 1 or found[0x0B] & 7 != 7 or found[0x09]:
            return ""
        shown = ""
        for row in range(8, 0, -1):
            value = self.registers[row]
            shown += LETTERS.get(value & 0x7F, "?") + ("." if value & 0x80 else "")
        return shown.strip()


class Displays:
    """The bus. `texts` is what the displays show, `lamps` the 16 outputs, `sensors` the 16 inputs."""

    def __init__(self, mcu: Any, chips: int = 3) -> None:
        self.spi = mcu.spi[0]
        self.chips = [Max7219() for _ in range(chips)]
        self.shifted = bytearray()
        self.lamps = 0
        self.sensors = 0
        self._loaded = bytearray()
        self.spi.on_transmit = self._byte
        mcu.gpio[pin("DIGITS_CS")].add_listener(self._select)
        mcu.gpio[pin("LAMPS_LATCH")].add_listener(self._latch)
        mcu.gpio[pin("SENSORS_LOAD")].add_listener(self._load)

    @property
    def texts(self) -> list[str]:
        return [chip.text for chip in self.chips]

    def _byte(self, value: int) -> None:
        self.shifted = (self.shifted + bytes([value & 0xFF]))[-2 * len(self.chips):]
        answer = self._loaded.pop(0) if self._loaded else 0
        self.spi.complete_transmit(answer)

    def _select(self, new: int, old: int) -> None:
        if new == 1 and old == 0 and len(self.shifted) == 2 * len(self.chips):
            for index, chip in enumerate(reversed(self.chips)):  # shifted first, ends last in the chain
                register, value = self.shifted[2 * index], self.shifted[2 * index + 1]
                if register & 0x0F:
                    chip.registers[register & 0x0F] = value

    def _latch(self, new: int, old: int) -> None:
        if new == 1 and old == 0:
            self.lamps = int.from_bytes(self.shifted[-2:], "big")

    def _load(self, new: int, old: int) -> None:
        if new == 1 and old == 0:
            self._loaded = bytearray(self.sensors.to_bytes(2, "big"))
