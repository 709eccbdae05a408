"""Luxor: a grid of 21 awards; lightning flashes over it; then identical symbols, and what they hid."""

from tabletop.const import const
from tabletop.scenes import bonus

_SYMBOL = const(0x304000)
_CHOSEN = const(0xA0A0A0)
_FLASH = const(0x808080)
_FLASH_MS = const(600)
_COLUMNS = const(7)


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """Seven by three cells of four by five LEDs: tones while the awards are open, triangles while they are hidden."""
    canvas.clear()
    grid = state.get("grid")
    if not grid:
        return
    struck = bonus.last(effects, "strike") is not None and ms < _FLASH_MS and not ms & 128
    hidden = state["phase"] == "CHOICE" or state["phase"] == "REVEAL"
    choices = state.get("choices")
    for n in range(len(grid)):
        x, y = 2 + n % _COLUMNS * 4, n // _COLUMNS * 5
        chosen = False
        if choices:
            for seat in choices:
                if choices[seat] == n + 1:
                    chosen = True
        if hidden:
            colour = _CHOSEN if chosen else _SYMBOL
            canvas.dot(x + 1, y + 1, colour)
            canvas.rectangle(x, y + 2, 3, 2, colour)
        else:
            canvas.rectangle(x, y + 1, 3, 3, _FLASH if struck else bonus.tone(grid[n]))
            if chosen:
                canvas.rectangle(x, y + 4, 3, 1, _CHOSEN)
