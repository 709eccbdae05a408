"""Wonderspins: the inner ring comes to rest on the recorded section; the tiles show the six multipliers."""

from tabletop.const import const
from tabletop.scenes import bonus

# Names and symbols as in the rules, in their order (a test holds them together: scenes import no rules).
CHARACTERS = ("Rabbit", "Cat", "Crown", "Bird", "Mouse", "Hat")
INNER = ("10", "8", "2", "+", "2", "5", "2", "8", "5", "+", "2", "5")
# Colours of the characters, GRB, and of what else is on the outer wheel; the rim draws with them.
CHARACTER_TONES = [0x604060, 0x305000, 0x507000, 0x400060, 0x205050, 0x600010]  # a list: decision 51
RIM_COLOURS = {
    "Rabbit": (96, 64, 96), "Cat": (48, 80, 0), "Crown": (80, 112, 0), "Bird": (64, 0, 96), "Mouse": (32, 80, 80),
    "Hat": (96, 0, 16), "No Win": (16, 16, 16), "Eat Me": (0, 120, 60), "Drink Me": (20, 0, 140),
}  # fmt: skip
_INNER_TONES = {"+": 0x006060, "2": 0x001038, "5": 0x200838, "8": 0x401000, "10": 0x204000}
_LIT = const(0xA0A0A0)


def inner(_state: dict, effects, ms: int, buf: bytearray) -> None:
    """The ring of 12 sections, one LED each; while it turns a light runs, and it rests on the section drawn."""
    turned = bonus.last(effects, "inner")
    lit = bonus.resting(turned[1], 12, 4, ms) if turned else -1
    for section in range(12):
        colour = _LIT if section == lit else _INNER_TONES[INNER[section]]
        buf[section * 3] = colour >> 16
        buf[section * 3 + 1] = colour >> 8 & 255
        buf[section * 3 + 2] = colour & 255


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """Three rows of two multipliers in their characters' colours; the one that grows shows it when the ring rests."""
    canvas.clear()
    if "multipliers" not in state:
        return
    added = bonus.last(effects, "add")
    running = added is not None and ms < bonus.TURN_MS
    for n in range(6):
        value = state["multipliers"][n]
        colour = CHARACTER_TONES[n]
        if added is not None and added[1] == CHARACTERS[n]:
            if running:
                value -= added[2]
            elif ms & 256:
                colour = _LIT
        canvas.number(14 + n % 2 * 17, n // 2 * 5 + (n > 1), value, colour, 4)
