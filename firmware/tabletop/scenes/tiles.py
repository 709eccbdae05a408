"""The tile matrix: 32 by 16 LEDs row by row, GRB; rectangles and small numbers, drawn without allocating.

A colour is one number, green x 65536 + red x 256 + blue. Whatever lies outside the matrix is cut off.
"""

import struct

WIDTH, HEIGHT = 32, 16
# Digits of three by five dots, five rows of three bits from the top.
_FONT = [0x7B6F, 0x2C97, 0x73E7, 0x73CF, 0x5BC9, 0x79CF, 0x79EF, 0x7292, 0x7BEF, 0x7BCF]  # a list: decision 51


class Tiles:
    """`buf` is the frame, as the lights take it."""

    def __init__(self) -> None:
        self.buf = bytearray(WIDTH * HEIGHT * 3)
        self._dark = bytes(len(self.buf))

    def clear(self) -> None:
        struct.pack_into("1536s", self.buf, 0, self._dark)  # [:] would make a slice

    def dot(self, x: int, y: int, colour: int) -> None:
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            at = (y * WIDTH + x) * 3
            self.buf[at] = colour >> 16
            self.buf[at + 1] = colour >> 8 & 255
            self.buf[at + 2] = colour & 255

    def rectangle(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        right, bottom = min(x + width, WIDTH), min(y + height, HEIGHT)
        x, y = max(x, 0), max(y, 0)
        buf = self.buf  # of four, a tuple would be made; of three, none is
        green, red, blue = colour >> 16, colour >> 8 & 255, colour & 255
        while y < bottom:
            at = (y * WIDTH + x) * 3
            end = (y * WIDTH + right) * 3
            while at < end:  # written out: a call for each LED would take most of the frame's time
                buf[at] = green
                buf[at + 1] = red
                buf[at + 2] = blue
                at += 3
            y += 1

    def number(self, right: int, y: int, value: int, colour: int, digits: int) -> None:
        """A whole number of 0 or more whose last digit ends at column `right`; each digit takes four columns.

        One of more than `digits` digits is a full block of their width, which nobody can take for a number.
        """
        if value >= 10**digits:
            self.rectangle(right - 4 * digits + 2, y, 4 * digits - 1, 5, colour)
            return
        buf = self.buf
        green, red, blue = colour >> 16, colour >> 8 & 255, colour & 255
        while True:
            rows = _FONT[value % 10]
            if right >= 2 and right < WIDTH and y >= 0 and y + 5 <= HEIGHT:
                at = (y * WIDTH + right - 2) * 3
                column = 0
                while rows:  # bit 14 is the first dot
                    if rows & 0x4000:
                        buf[at] = green
                        buf[at + 1] = red
                        buf[at + 2] = blue
                    rows = rows << 1 & 0x7FFF
                    column += 1
                    if column == 3:
                        column = 0
                        at += 3 * (WIDTH - 2)
                    else:
                        at += 3
            else:
                for bit in range(15):
                    if rows >> 14 - bit & 1:
                        self.dot(right - 2 + bit % 3, y + bit // 3, colour)
            value //= 10
            right -= 4
            if not value:
                return
