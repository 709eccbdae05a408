"""New York, New York: a skyline, higher for higher multipliers; the light rests on the recorded building; the torch."""

from tabletop.const import const
from tabletop.scenes import bonus

_LIT = const(0xA0A0A0)
_STATUE = const(0x301010)
_FLAME = const(0x60A000)
_SKYLINE = const(28)  # columns: as many buildings the rules allow


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """Buildings side by side, and the statue with its torch at the right edge.

    Above the building that is lit stands its multiplier; until the light sweeps, one building after another is lit.
    """
    canvas.clear()
    buildings = state.get("buildings")
    if not buildings:
        return
    count = len(buildings)
    width = max(_SKYLINE // count, 1)
    swept = bonus.last(effects, "light")
    if swept:
        lit = bonus.resting(swept[1], count, 3, ms)
    else:
        lit = state.get("building", ms // bonus.PAGE_MS % count)
    for n in range(count):
        value = buildings[n]
        height = 1
        while value > 1 and height < 10:
            value >>= 1
            height += 1
        colour = _LIT if n == lit else bonus.tone(buildings[n])
        canvas.rectangle(n * width, 16 - height, max(width - 1, 1), height, colour)
    value = buildings[lit]
    half = 1 if value < 10 else 3 if value < 100 else 5 if value < 1000 else 7  # columns beside its middle
    canvas.number(min(max(lit * width + half, 2 * half), _SKYLINE - 1), 0, value, bonus.tone(value), 4)
    canvas.rectangle(30, 5, 1, 11, _STATUE)
    torch = bonus.last(effects, "torch")
    if torch is not None and torch[1]:
        canvas.rectangle(29, 2 + (ms >> 7 & 1), 3, 3, _FLAME)
