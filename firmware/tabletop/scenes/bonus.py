"""What the scenes of the bonus games share: the last step's effects, the slowing of wheels, the digits.

A bonus scene draws `state` and the `effects` of the step that led to it, `ms` after that step. Its movement ends
exactly on what was decided; the result is in the journal before the first frame of it.
"""

TURN_MS = 3000  # how long a wheel or light takes to come to rest
BALL_MS = 800
# How long a step stays on the lamps by an effect of it, so that its movement ends before the next step.
STAY_MS = {
    "inner": 3600, "light": 3600, "torch": 1600, "strike": 900, "hidden": 1200, "revealed": 2400,
    "reels": 2000, "lock": 1600, "result": 2400,
}  # fmt: skip


def stay_ms(effects) -> int:
    """How long the lamps need to show a step; 0 when nothing moves."""
    most = balls = 0
    for effect in effects:
        balls += effect[0] == "ball"
        most = max(most, STAY_MS.get(effect[0], 0))
        if effect[0] == "outer" and len(effect) == 4:  # a drawn wheel, which comes to rest on the rim
            most = TURN_MS + 600
    return max(most, balls * BALL_MS + 200 if balls else 0)


def last(effects, name: str):
    """The last effect of that name, or None."""
    for at in range(len(effects) - 1, -1, -1):
        if effects[at][0] == name:
            return effects[at]
    return None


def eased(way: int, ms: int, duration_ms: int) -> int:
    """How far of `way` (below 16,000) something that slows down evenly has come; all of it from `duration_ms` on."""
    if ms >= duration_ms:
        return way
    left = 256 - (ms << 8) // duration_ms
    return way - (way * left * left >> 16)


def resting(place: int, places: int, turns: int, ms: int) -> int:
    """Where on a ring of `places` a light is that starts at 0 and comes to rest on `place` after `turns` turns."""
    return eased(turns * places + place, ms, TURN_MS) % places


def tone(value: int) -> int:
    """A colour for a multiplier: from blue over green and gold to red, brighter each time it doubles."""
    level = 0
    while value > 1 and level < 10:
        value >>= 1
        level += 1
    return _TONES[level]


_TONES = [
    0x000030, 0x001040, 0x100850, 0x300040, 0x500020, 0x700000, 0x602000, 0x504000, 0x405800, 0x206800, 0x087800,
]  # fmt: skip


def digits(state: dict, index: int) -> str:
    """Display 0 rounds left, 1 meter, 2 jackpot; "" is dark. Four digits are shown, larger ones as 9999."""
    key = ("rounds", "meter", "jackpot")[index]
    return str(min(state[key], 9999)) if key in state else ""
