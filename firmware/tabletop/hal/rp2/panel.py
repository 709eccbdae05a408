"""Digits, lamps and wager sensors on one SPI bus: MAX7219 displays, 74HC595 outputs, 74HC165 inputs.

A display chip that a spark has upset shows nonsense until it is set up again, so all its registers are written anew
all the time: `refresh` writes one of 13, and any upset is gone after a round (field case 47).
"""

import machine

from tabletop.hal.rp2 import pins

SPI_HZ = 1_000_000  # what a metre of ribbon cable carries
ROWS = 8
BRIGHT = 0x0A
SETUP = ((0x0F, 0), (0x0C, 1), (0x0B, 7), (0x09, 0), (BRIGHT, 8))  # test off, on, 8 digits, plain segments, half bright
SEGMENTS = {  # bits: point A B C D E F G
    " ": 0x00, "-": 0x01, "_": 0x08, "0": 0x7E, "1": 0x30, "2": 0x6D, "3": 0x79, "4": 0x33, "5": 0x5B, "6": 0x5F,
    "7": 0x70, "8": 0x7F, "9": 0x7B, "A": 0x77, "B": 0x1F, "C": 0x4E, "D": 0x3D, "E": 0x4F, "F": 0x47, "G": 0x5E,
    "H": 0x37, "I": 0x06, "J": 0x3C, "L": 0x0E, "N": 0x15, "O": 0x1D, "P": 0x67, "R": 0x05, "S": 0x5B, "T": 0x0F,
    "U": 0x3E, "Y": 0x3B, "=": 0x09, "?": 0x65,
}
_RED, _AMBER, _GREEN = 1 << pins.TOWER_RED_BIT, 1 << pins.TOWER_AMBER_BIT, 1 << pins.TOWER_GREEN_BIT
TOWER = {  # state of scenes.panel.tower -> lights; others are dark
    "bets": _GREEN, "spin": _AMBER, "bonus": _AMBER | _GREEN, "result": _GREEN, "service": _RED | _AMBER, "tilt": _RED,
}
_TOWER_BITS = _RED | _AMBER | _GREEN
_BUTTON_BITS = 7 << pins.START_LAMP_BIT
_SEAT_BITS = 0x7F << pins.LAMP_1_BIT
_MOTOR = 1 << pins.SHAKER_MOTOR_BIT
POINT = 0x80


def segments(text: str, into: bytearray, at: int) -> None:
    """Eight digits of `text`, right-aligned, into `into[at:at+8]`, rightmost first; a point joins its digit."""
    for row in range(ROWS):
        into[at + row] = 0
    row = 0
    point = 0
    for letter in reversed(text.upper()):
        if row == ROWS:
            return
        if letter == ".":
            point = POINT
            continue
        into[at + row] = SEGMENTS.get(letter, 0x65) | point
        point = 0
        row += 1


class Panel:
    """`displays` MAX7219 in a chain; display 0 is the first on the cable."""

    def __init__(self, displays: int):
        self.displays = displays
        pin = machine.Pin
        self.spi = machine.SPI(
            0, baudrate=SPI_HZ, sck=pin(pins.EXPAND_CLOCK), mosi=pin(pins.EXPAND_OUT), miso=pin(pins.EXPAND_IN)
        )
        self.select = machine.Pin(pins.DIGITS_CS, machine.Pin.OUT, value=1)
        self.latch = machine.Pin(pins.LAMPS_LATCH, machine.Pin.OUT, value=0)
        self.load = machine.Pin(pins.SENSORS_LOAD, machine.Pin.OUT, value=1)
        self.rows = bytearray(ROWS * displays)
        self.texts = [""] * displays
        self._out = bytearray(2 * displays)
        self._lamps = bytearray(2)
        self._seats = bytearray(2)
        self._step = 0
        self._level = 8  # of 15
        self.outputs = 0
        for _ in range(len(SETUP) + ROWS):
            self.refresh()
        self._put()

    def digits(self, index: int, text: str) -> None:
        if text == self.texts[index]:
            return
        self.texts[index] = text
        segments(text, self.rows, ROWS * index)
        for row in range(ROWS):
            self._row(row)

    def lamps(self, bits: int) -> None:
        """Lamps in the dealer's buttons and at the seats, bits as of the inputs: START=1 .. VOID=4, SEAT_1=256."""
        seats = (bits >> 8 & 0x7F) << pins.LAMP_1_BIT
        self._set(self.outputs & ~(_BUTTON_BITS | _SEAT_BITS) | (bits & 7) << pins.START_LAMP_BIT | seats)

    def tower(self, state: str) -> None:
        self._set(self.outputs & ~_TOWER_BITS | TOWER.get(state, 0))

    def seats(self) -> int:
        """Wager sensors, bit 0 is seat 1, and from bit 7 on the shaker buttons, read now."""
        self.load.value(0)
        self.load.value(1)
        self.spi.readinto(self._seats)
        return (self._seats[0] << 8 | self._seats[1]) & 0x3FFF

    def motor(self, on: bool) -> None:
        """The shaker's motor."""
        self._set(self.outputs | _MOTOR if on else self.outputs & ~_MOTOR)

    def refresh(self) -> None:
        """Writes one register of every display anew."""
        step = self._step
        if step < len(SETUP):
            register, value = SETUP[step]
            self._write(register, self._level if register == BRIGHT else value, False)
        else:
            self._row(step - len(SETUP))
        self._step = step + 1 if step + 1 < len(SETUP) + ROWS else 0

    def bright(self, level: int) -> None:
        """How bright the displays are, 0 to 15."""
        self._level = level
        self._write(BRIGHT, level, False)

    def _row(self, row: int) -> None:
        self._write(row + 1, row, True)

    def _write(self, register: int, value: int, is_row: bool) -> None:
        out = self._out
        for i in range(self.displays):  # what is shifted first ends up in the last chip
            at = 2 * (self.displays - 1 - i)
            out[at] = register
            out[at + 1] = self.rows[ROWS * i + value] if is_row else value
        self.select.value(0)
        self.spi.write(out)
        self.select.value(1)

    def _set(self, outputs: int) -> None:
        if outputs != self.outputs:
            self.outputs = outputs
            self._put()

    def _put(self) -> None:
        self._lamps[0] = self.outputs >> 8
        self._lamps[1] = self.outputs & 0xFF
        self.spi.write(self._lamps)
        self.latch.value(1)
        self.latch.value(0)
