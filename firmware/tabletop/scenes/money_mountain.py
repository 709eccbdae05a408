"""Money Mountain: the rim is the outer wheel and comes to rest on the recorded segment; the tiles are the reels."""

from tabletop.const import const
from tabletop.scenes import bonus

LOCKED_TONES = [0x504000, 0x405800, 0x206800]  # a colour a column, so that neighbours are told apart
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
    """Three by three reels: what is locked is a number (up to 999), what is open turns and then shows a bar."""
    canvas.clear()
    if "locked" not in state:
        return
    spun = bonus.last(effects, "outer") is None and ms < _REEL_MS
    for reel in range(9):
        column, row = reel % 3, reel // 3
        value = state["locked"][reel]
        fresh = False
        for effect in effects:
            if effect[0] == "lock" and effect[1] == reel:
                fresh = True
        if value and not (fresh and spun):
            canvas.number(9 + column * 11, row * 5 + (row > 0), min(value, 999), LOCKED_TONES[column])
        else:
            height = (ms >> 6) + reel if spun and (fresh or not value) else 2
            canvas.rectangle(column * 11 + 1, row * 5 + (row > 0) + height % 5, 9, 1, _OPEN)
