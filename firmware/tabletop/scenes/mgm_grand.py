"""MGM Grand: balls fall through the pegs one after another, each to where it was recorded to end; four totals grow."""

from tabletop.const import const
from tabletop.scenes import bonus

_PEG = const(0x080808)
_VOID = const(0x000020)
_FLOOR = const(0x101000)
_FIELD = const(10)  # rows of pegs above the landing spots
_TONES = {"blue": 0x1010A0, "green": 0xA01010, "red": 0x10A010, "gold": 0x70A000, "disco": 0xA0A0A0}  # GRB
_COLUMN = (3, 11, 19, 27, 7, 23)  # of each end: four spots, two void holes
_VOID_ROW = const(6)


def tiles(state: dict, effects, ms: int, canvas) -> None:
    """The wall of pegs with its two holes, the ball that falls, and a number under each of the four spots."""
    canvas.clear()
    if "spots" not in state:
        return
    falling = ms // bonus.BALL_MS
    number = 0
    for effect in effects:
        number += effect[0] == "ball"
    landed = falling >= number  # totals change when the last ball of a colour has settled
    for row in range(1, 4 if landed else _FIELD, 2):
        for column in range(row & 2, 32, 4):
            canvas.dot(column, row, _PEG)
    if landed:
        for spot in range(4):
            total = state["spots"][spot]
            half = 1 if total < 10 else 3 if total < 100 else 5  # columns of the number beside its middle
            right = min(max(_COLUMN[spot] + half, 2 * half), 31)
            # Neighbours stand at different heights: no two are read as one.
            canvas.number(right, 11 if spot & 1 else 5, total, bonus.tone(total), 3)
        return
    for hole in range(4, 6):
        canvas.rectangle(_COLUMN[hole] - 1, _VOID_ROW, 3, 2, _VOID)
    for spot in range(4):
        canvas.rectangle(spot * 8, _FIELD, 1, 6, _FLOOR)
    number = 0
    for effect in effects:
        if effect[0] == "ball":
            if number == falling:
                _ball(effect, ms % bonus.BALL_MS, canvas)
            number += 1


def _ball(effect, ms: int, canvas) -> None:
    """A ball on its way from the middle of the top to its end; it swings from peg to peg."""
    end = effect[3]
    rows = _FIELD if end < 4 else _VOID_ROW
    y = rows * ms // bonus.BALL_MS
    x = 15 + (_COLUMN[end] - 15) * y // rows + (1 if y & 2 else 0)
    canvas.rectangle(x, y, 2, 2, _TONES[effect[1]])
