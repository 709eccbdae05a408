"""The wheel as a ring of signs: 54 sections round an ellipse, the clapper on top, text in the middle."""

import math
from collections.abc import Sequence
from itertools import groupby

from rich.text import Text

STYLES = {
    "1": "yellow", "2": "cyan", "5": "magenta", "10": "green", "20": "dark_orange", "40": "bold red",
    "2x": "bold black on white", "7x": "bold black on white",
}  # fmt: skip
MIN_WIDTH, MIN_HEIGHT = 64, 23  # narrower, and the signs of neighbours touch


def ring(layout: Sequence[str], on_top: int, middle: Sequence[str], width: int = 76, height: int = 23) -> list[Text]:
    """Lines of the ring with section `on_top` under the clapper; `on_top` -1 highlights nothing.

    Sections run clockwise, as the layout does, so a forward spin (count rising) turns the ring
    anticlockwise. `middle` is centred line by line; a line too long for the ring is cut.
    """
    places: dict[tuple[int, int], tuple[str, str]] = {}
    for section, symbol in enumerate(layout):
        row, column = _place(section - max(on_top, 0), len(layout), width, height)
        style = STYLES.get(symbol, "white")
        _write(places, row, column - len(symbol) // 2, symbol, f"{style} reverse" if section == on_top else style)
    room = width - 20
    first = height // 2 - len(middle) // 2 + 1
    for index, line in enumerate(middle):
        _write(places, first + index, width // 2 - min(len(line), room) // 2, line[:room], "")
    _write(places, 0, width // 2, "v", "bold")  # the clapper
    return [_line(places, row, width) for row in range(height)]


def _place(steps: int, sections: int, width: int, height: int) -> tuple[int, int]:
    """Row and column of the section `steps` places clockwise of the clapper (row 0 is the clapper's)."""
    angle = 2 * math.pi * steps / sections
    row = (height - 2) / 2 * (1 - math.cos(angle)) + 1
    column = width / 2 + (width / 2 - 2) * math.sin(angle)
    return round(row), round(column)


def _write(places: dict[tuple[int, int], tuple[str, str]], row: int, column: int, text: str, style: str) -> None:
    for offset, sign in enumerate(text):
        places[row, column + offset] = (sign, style)


def _line(places: dict[tuple[int, int], tuple[str, str]], row: int, width: int) -> Text:
    cells = (places.get((row, column), (" ", "")) for column in range(width))
    line = Text()
    for style, run in groupby(cells, key=lambda cell: cell[1]):
        line.append("".join(sign for sign, _ in run), style)
    return line
