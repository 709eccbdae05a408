"""Bellagio: three machines whose reels turn and stop one after another on what was recorded; meters and tracker."""

from tabletop.const import const
from tabletop.scenes import bonus

_STOP_MS = const(700)  # when the first reel stops; the others follow
_NEXT_MS = const(300)
_ICON_TONE = const(0xA0A0A0)
_TRACKED = const(0x8080A0)
_EMPTY = const(0x040408)
_RIGHT = (14, 23, 31)  # where the meter of each machine ends
SYMBOL_TONES = [0x107010, 0x504000, 0x206020, 0x104050, 0x500010, 0x005050, 0x300050, 0x405000]


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """Each machine: three reels, below them its meter, the middle one lower; a dot for each of eight icons."""
    canvas.clear()
    if "meters" not in state:
        return
    strips = state["settings"]["reels"]
    for effect in effects:
        if effect[0] == "reels":
            for reel in range(3):
                strip = strips[reel]
                if ms < _STOP_MS + reel * _NEXT_MS:
                    at = ((ms >> 6) + reel * 2 + effect[1]) % len(strip)
                else:
                    at = _place(strip, effect[2][reel])
                colour = _ICON_TONE if strip[at][0] == "Bellagio" else SYMBOL_TONES[at & 7]
                canvas.rectangle((effect[1] - 1) * 11 + reel * 3, 0, 3 if reel == 2 else 2, 2, colour)
    if ms >= _STOP_MS + 3 * _NEXT_MS or bonus.last(effects, "reels") is None:
        for machine in range(3):
            value = state["meters"][machine]
            canvas.number(_RIGHT[machine], 9 if machine == 1 else 3, value, bonus.tone(value), 4)
    for icon in range(8):
        canvas.rectangle(4 + icon * 3, 15, 2, 1, _TRACKED if icon < state["icons"] else _EMPTY)


def _place(strip, symbol: str) -> int:
    for n in range(len(strip)):
        if strip[n][0] == symbol:
            return n
    return 0
