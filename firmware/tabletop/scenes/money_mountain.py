"""Money Mountain: the rim is the outer wheel and comes to rest on the recorded segment; the tiles are the reels."""

from tabletop.const import const
from tabletop.scenes import bonus

LOCKED_TONES = [0x504000, 0x087800, 0x400060]  # so that neighbours are told apart
_LIT = const(0xA0A0A0)
_OPEN = const(0x000818)
_REEL_MS = const(900)


def rim(state: dict, effects, ms: int, buf: bytearray) -> None:
    """54 segments of three LEDs in the tones of their multipliers; a light runs and rests where the wheel stopped."""
    turned = bonus.last(effects, "outer")
    lit = bonus.resting(turned[1], 54, 2, ms) if turned else -1
    segments = state.get("segments")
    for segment in range(54):
        colour = _LIT if segment == lit else bonus.tone(segments[segment]) if segments else 0
        green, red, blue = colour >> 16, colour >> 8 & 255, colour & 255
        at = segment * 9
        for _ in range(3):
            buf[at] = green
            buf[at + 1] = red
            buf[at + 2] = blue
            at += 3


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """Three by three reels at the left: locked ones are lit, open ones turn and then show a bar.

    At the right the multipliers locked in one column of them, a column after another.
    """
    canvas.clear()
    if "locked" not in state:
        return
    spun = bonus.last(effects, "outer") is None and ms < _REEL_MS
    page = ms // bonus.PAGE_MS % 3
    for reel in range(9):
        column, row = reel % 3, reel // 3
        value = state["locked"][reel]
        fresh = False
        for effect in effects:
            if effect[0] == "lock" and effect[1] == reel:
                fresh = True
        x, y = column * 5, row * 5 + (row > 0)
        if value and not (fresh and spun):
            canvas.rectangle(x, y, 4, 5, LOCKED_TONES[column])
            if column == page:
                canvas.rectangle(x + 1, y + 1, 2, 3, _LIT)
                canvas.number(31, y, value, LOCKED_TONES[row], 4)
        else:
            height = (ms >> 6) + reel if spun and (fresh or not value) else 2
            canvas.rectangle(x, y + height % 5, 4, 1, _LIT if column == page and not spun else _OPEN)
