"""New York, New York: a skyline, higher for higher multipliers; the light rests on the recorded building; the torch."""

from tabletop.const import const
from tabletop.scenes import bonus

_LIT = const(0xA0A0A0)
_STATUE = const(0x301010)
_FLAME = const(0x60A000)


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """Buildings side by side, and the statue with its torch at the right edge."""
    canvas.clear()
    buildings = state.get("buildings")
    if not buildings:
        return
    count = len(buildings)
    width = max(28 // count, 1)
    swept = bonus.last(effects, "light")
    lit = bonus.resting(swept[1], count, 3, ms) if swept else state.get("building", -1)
    for n in range(count):
        value = buildings[n]
        height = 2
        while value > 1:
            value >>= 1
            height += 2
        height = min(height, 15)
        colour = _LIT if n == lit else bonus.tone(buildings[n])
        canvas.rectangle(n * width, 16 - height, max(width - 1, 1), height, colour)
    canvas.rectangle(30, 5, 1, 11, _STATUE)
    torch = bonus.last(effects, "torch")
    if torch is not None and torch[1]:
        canvas.rectangle(29, 2 + (ms >> 7 & 1), 3, 3, _FLAME)
