"""The numbers that describe one wheel to the sensing core."""

MISMATCH = 1
INDEX = 2
ILLEGAL = 4
STUCK = 8
OBSTRUCTED = 16
FAULTS = (
    (MISMATCH, "ENCODER_CLAPPER_MISMATCH"),
    (INDEX, "INDEX_MISMATCH"),
    (ILLEGAL, "ENCODER_ILLEGAL"),
    (STUCK, "CLAPPER_STUCK"),
    (OBSTRUCTED, "OBSTRUCTED"),
)


class WheelConfig:
    """Plain integers; ValueError when a wheel cannot be sensed with them.

    `settle_ms` is how long the wheel must show no movement with the clapper free, `peg_settle_ms` with the
    clapper bent. A free wheel that will still move shows it soon: at 216 counts a turn and a deceleration of
    0.03 turn/s2 (a spin of minutes) the last count before rest takes 0.55 s. On a peg the wheel may hang for
    1.5 s and then be thrown off (field case 61), and two seconds there are a rest between sections.
    """

    def __init__(
        self,
        counts_per_turn: int = 2400,
        sections: int = 54,
        min_turns: int = 3,
        settle_ms: int = 1000,
        peg_settle_ms: int = 1750,
        index_width_counts: int = 3,
        index_at: int = 0,
    ):
        if not 216 <= counts_per_turn <= 40000:
            raise ValueError("counts_per_turn %d is not in 216..40000" % counts_per_turn)
        if not 2 <= sections <= counts_per_turn // 4:
            raise ValueError("sections %d is not in 2..%d (four counts a section)" % (sections, counts_per_turn // 4))
        self.counts_per_turn = counts_per_turn
        self.sections = sections
        self.min_turns = min_turns
        self.settle_ms = settle_ms
        self.peg_settle_ms = peg_settle_ms
        if not 0 <= index_at < counts_per_turn:
            raise ValueError("index_at %d is not in 0..%d" % (index_at, counts_per_turn - 1))
        if not 1 <= index_width_counts <= counts_per_turn // sections:
            raise ValueError("index_width_counts %d is not in 1..%d (a section)"
                             % (index_width_counts, counts_per_turn // sections))
        self.index_width_counts = index_width_counts
        self.index_at = index_at  # counts from line 0 to the begin of the index
