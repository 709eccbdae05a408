"""What a table of wagers on cards or dice shows: displays, the lamps of its seats, and the meter."""

from tabletop.scenes import progressive
from tabletop.table.show import Show

SEAT_1 = 8  # the bit of its sensor and lamp


class ProgressiveShow(Show):
    """The lamps of a table of cards or dice: seats, displays and the meter; a rim that it may have is dim."""

    def __init__(self, lights, board: dict, of) -> None:
        Show.__init__(self, lights, ("",) * 54, board, {"": (16, 16, 16)})
        self.of = of
        self._round = None

    def picture(self, shown) -> None:
        self._round = shown

    def text(self, index: int, now_ms: int) -> str:
        base = Show.text(self, index, now_ms)
        state = self._round.state if self._round is not None else None
        return progressive.text(self.view, base, state, self.of.mills(), index, now_ms)

    def lit(self) -> int:
        lamps = Show.lit(self)
        round_ = self._round
        if round_ is not None and not round_.over:
            for seat in progressive.seats(round_.state):
                lamps |= 1 << SEAT_1 + seat - 1
        return lamps
