"""What the scenes of the bonus games share: the last step's effects, the slowing of wheels, the digits.

A bonus scene draws `state` and the `effects` of the step that led to it, `ms` after that step. Its movement ends
exactly on what was decided; the result is in the journal before the first frame of it.
"""

from tabletop.scenes import panel

TURN_MS = 3000  # how long a wheel or light takes to come to rest
BALL_MS = 800
PAGE_MS = 700  # how long one of several numbers is shown before the next
# How long what an effect names moves, and how long it is then left to be read, before the next step.
_MOVES_MS = {"inner": TURN_MS, "light": TURN_MS, "strike": 600, "reels": 1600, "lock": 900}
_READ_MS = {
    "inner": 600, "light": 600, "outer": 600, "torch": 1600, "strike": 7 * PAGE_MS, "grid": 7 * PAGE_MS,
    "hidden": 1200, "revealed": 2400, "reels": 400, "lock": 3 * PAGE_MS, "ball": 4 * PAGE_MS, "result": 2400,
}  # fmt: skip


def moves_ms(effects) -> int:
    """How long something of a step moves on the lamps; 0 when nothing does."""
    most = balls = 0
    for effect in effects:
        balls += effect[0] == "ball"
        most = max(most, TURN_MS if _drawn(effect) else _MOVES_MS.get(effect[0], 0))
    return max(most, balls * BALL_MS)


def stay_ms(effects) -> int:
    """How long the lamps need to show a step, so that its movement ends and is seen before the next; 0 for nothing."""
    most = 0
    for effect in effects:
        if effect[0] == "buildings":
            most = max(most, len(effect[1]) * PAGE_MS)
        elif effect[0] != "outer" or _drawn(effect):
            most = max(most, _READ_MS.get(effect[0], 0))
    return moves_ms(effects) + most


def _drawn(effect) -> bool:
    """A drawn wheel, which comes to rest on the rim; a physical one has been looked at already."""
    return effect[0] == "outer" and len(effect) == 4


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


_LIMITED = {"MINIMUM": "Lo", "MAXIMUM": "HI", "JACKPOT": "JP"}


def text(view, base: str, state: dict, effects, index: int, ms: int, timer_s: int = 0, offered: str = "") -> str:
    """What a display says `ms` after a step. `base` is what it says in any game, as `panel.digits`.

    timer_s  what the players have left for their choice, 0 when no timer runs
    offered  the seat and choice that the START button would take
    """
    if base == "tESt" or (index == 1 and view.refused):
        return base
    if view.phase == "RESULT" or view.phase == "SETTLED":
        return _paid(state, effects, index, ms)
    if index == 0:
        if timer_s:
            return str(timer_s)
        return digits(state, effects, 0, ms) if base in ("bonu", "") else base
    if index == 1 and offered:
        return offered
    return digits(state, effects, index, ms) or base


def digits(state: dict, effects, index: int, ms: int) -> str:
    """Display 0 rounds left, 1 meter, 2 jackpot; "" is dark.

    Of several totals, 1 and 2 show number and total of one after another, once everything is at rest.
    """
    totals = state.get("spots") or state.get("meters")
    if totals and index and state["phase"] != "CHOICE":
        if ms < moves_ms(effects):
            return ""
        at = ms // PAGE_MS % len(totals)
        return panel.number(at + 1 if index == 1 else totals[at])
    key = ("rounds", "meter", "jackpot")[index]
    return panel.number(state[key]) if key in state else ""


def _paid(state: dict, effects, index: int, ms: int) -> str:
    """The odds paid on display 2, of one choice after another; on 1 the choice, or the total where none was made.

    Display 1 says in between which limit changed the odds, or that they are the jackpot.
    """
    if index == 0:
        return "PAY"
    if ms < moves_ms(effects):
        return ""
    count = 0
    for effect in effects:
        count += effect[0] == "odds"
    at = ms // PAGE_MS % count if count else 0
    for effect in effects:
        if effect[0] == "odds":
            if not at:
                if index == 2:
                    return panel.number(effect[3])
                if effect[4] and ms % PAGE_MS >= PAGE_MS // 2:
                    return _LIMITED[effect[4]]
                return panel.number(effect[1] or effect[2])
            at -= 1
    return digits(state, effects, index, ms)
