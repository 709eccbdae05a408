"""The tile matrix: 32 by 16 LEDs row by row, GRB; rectangles and small numbers, drawn without allocating.

A colour is one number, green x 65536 + red x 256 + blue. Whatever lies outside the matrix is cut off.
"""

WIDTH, HEIGHT = 32, 16
# Digits of three by five dots, five rows of three bits from the top.
_FONT = (0x7B6F, 0x2C97, 0x73E7, 0x73CF, 0x5BC9, 0x79CF, 0x79EF, 0x7292, 0x7BEF, 0x7BCF)


class Tiles:
    """`buf` is the frame, as the lights take it."""

    def __init__(self) -> None:
        self.buf = bytearray(WIDTH * HEIGHT * 3)
        self._dark = bytes(len(self.buf))

    def clear(self) -> None:
        self.buf[:] = self._dark

    def dot(self, x: int, y: int, colour: int) -> None:
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            at = (y * WIDTH + x) * 3
            self.buf[at] = colour >> 16
            self.buf[at + 1] = colour >> 8 & 255
            self.buf[at + 2] = colour & 255

    def rectangle(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        for row in range(y, y + height):
            for column in range(x, x + width):
                self.dot(column, row, colour)

    def number(self, right: int, y: int, value: int, colour: int) -> None:
        """A whole number of 0 or more whose last digit ends at column `right`; each digit takes four columns."""
        while True:
            rows = _FONT[value % 10]
            for bit in range(15):
                if rows >> 14 - bit & 1:
                    self.dot(right - 2 + bit % 3, y + bit // 3, colour)
            value //= 10
            right -= 4
            if not value:
                return
