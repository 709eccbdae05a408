"""At rest: is the clapper free inside a window, or bent outside one? Is the encoder where the pegs say?"""

from tabletop.sensing.config import MISMATCH, STUCK
from tabletop.sensing.window import ABOVE, BOTH


def at_rest(pegs, count: int) -> int:
    """The wheel of this PegWatch has come to rest at `count`: the fault bits that this position adds.

    A count that is clear by now says where the last peg was left: `gap`, `unproven` and `slow` are set by it.
    """
    if not pegs.active:
        return MISMATCH if pegs.idle else 0
    lines = pegs.lines
    lines.locate(count)
    if pegs.contact.level:
        if pegs.repeats:
            return MISMATCH
        most = pegs.window.half() + max(2 * pegs.count_parts, pegs.section // 10)
        return STUCK if pegs.stuck or lines.line != pegs.peg or abs(lines.off) > most else 0
    side = pegs.window.free_in(lines.off)
    if pegs.repeats or pegs.astray or pegs.early or side == 0:
        return MISMATCH
    gap = lines.line if side == ABOVE else lines.line - 1
    passing = pegs.passing
    if pegs.unsure:  # has the wheel gone on to where the count is clear?
        if side == BOTH:
            return MISMATCH
        pegs.gap = gap
        pegs.unproven = passing.from_low != (gap == pegs.peg)
        if pegs.unproven:
            if count == passing.count_up and not passing.turned():
                return MISMATCH
        elif passing.slow():
            pegs.slow = True
        elif count == passing.count_up and passing.hurried():
            return MISMATCH
    if pegs.unproven and not passing.thrown_back(count):
        return MISMATCH
    if pegs.doubtful:
        return MISMATCH
    if pegs.gap != gap and not (side == BOTH and pegs.gap == lines.line):
        return MISMATCH
    return 0
