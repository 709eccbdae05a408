"""Luxor: a grid of 21 awards; lightning flashes over it; then identical symbols, and what they hid."""

from tabletop.const import const
from tabletop.scenes import bonus

_SYMBOL = const(0x304000)
_CHOSEN = const(0xA0A0A0)
_FLASH = const(0x808080)
_MARK = const(0x006000)
_COLUMNS = const(7)
_ROWS = [0x504000, 0x087800, 0x400060]  # so that neighbours are told apart
FLASH_MS = const(600)


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """A grid of seven by three: triangles while the awards are hidden, else tones, and beside them their numbers.

    The numbers are those of one column of the grid, a column after another; a mark stands on it.
    """
    canvas.clear()
    grid = state.get("grid")
    if not grid:
        return
    struck = bonus.last(effects, "strike") is not None and ms < FLASH_MS
    flash = struck and not ms & 128
    hidden = state["phase"] == "CHOICE" or state["phase"] == "REVEAL"
    choices = state.get("choices")
    page = ms // bonus.PAGE_MS % _COLUMNS
    for n in range(len(grid)):
        column, row = n % _COLUMNS, n // _COLUMNS
        chosen = False
        if choices:
            for seat in choices:
                if choices[seat] == n + 1:
                    chosen = True
        if hidden:
            x, y = 2 + column * 4, row * 5
            colour = _CHOSEN if chosen else _SYMBOL
            canvas.dot(x + 1, y + 1, colour)
            canvas.rectangle(x, y + 2, 3, 2, colour)
            continue
        x, y = column * 2, row * 5 + (row > 0)
        canvas.rectangle(x, y, 1, 3, _FLASH if flash else bonus.tone(grid[n]))
        if chosen:
            canvas.dot(x, y + 3, _CHOSEN)
        if column == page and not struck:
            canvas.dot(x, y + 4, _MARK)
            canvas.number(31, y, grid[n], _CHOSEN if chosen else _ROWS[row], 4)
