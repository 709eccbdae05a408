"""The shaker against an oracle that sees the whole evening: no SHAKEN without five seconds of knocks, closed and still.

The oracle reads the list of what happened, after the fact and without any state; the core has seen it edge by edge.
"""

from __future__ import annotations

import itertools

from hypothesis import event, given, settings
from hypothesis import strategies as st
from tabletop.sensing.shaker import SHAKEN, Shaker

GAP_MS, REST_MS, BOUNCE_MS = 150, 1000, 40
SEAT = 2

# ms from the last happening, and what: a train of knocks, an edge of lid or lock, a button, an arming
trains = st.tuples(st.just("knocks"), st.integers(1, 80), st.sampled_from((20, 60, 100, 149, 150, 151, 200, 500)))
contacts = st.tuples(st.sampled_from(("lid", "lock")), st.booleans(), st.just(0))
buttons = st.tuples(st.just("press"), st.sampled_from((SEAT, SEAT, SEAT, 1, 7)), st.just(0))
arming = st.tuples(st.sampled_from(("arm", "arm", "disarm")), st.sampled_from((0, 1, 3)), st.just(0))
waits = st.sampled_from((0, 1, 5, 39, 40, 41, 100, 150, 999, 1000, 1001, 2500))
happenings = st.lists(st.tuples(waits, st.one_of(trains, trains, contacts, buttons, arming)), max_size=25)
# an evening that begins well, so that what comes then decides
good = [
    (0, ("lid", True, 0)), (0, ("lock", True, 0)), (2000, ("arm", 2, 0)), (0, ("press", SEAT, 0)),
    (100, ("knocks", 60, 100)), (1500, ("knocks", 0, 1)),
]  # fmt: skip


class Evening:
    """Drives a core and keeps what happened: (ms, what, value)."""

    def __init__(self) -> None:
        self.core = Shaker()
        self.log: list[tuple[int, str, int]] = []
        self.now_ms = 1
        self.shakes = 0

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now_ms += 1
            if self.now_ms % 10 == 0:
                shake = self.core.tick(self.now_ms)
                if shake is not None and shake.outcome == SHAKEN:
                    self.check()

    def do(self, what: str, value: int, apart_ms: int) -> None:
        core, now_ms = self.core, self.now_ms
        if what == "knocks":
            for _ in range(value):
                self.run(apart_ms - 3)
                core.motion(self.now_ms, 1)
                self.log.append((self.now_ms, "knock", 1))
                self.run(3)
                core.motion(self.now_ms, 0)
            return
        if what in ("lid", "lock"):
            getattr(core, what)(now_ms, bool(value))
            self.log.append((now_ms, what, value))
        elif what == "press":
            if not core.press(now_ms, value):
                assert value == SEAT
                self.log.append((now_ms, "started", value))
        elif what == "arm":
            core.arm(now_ms, SEAT, value)
        else:
            core.disarm(now_ms)

    def check(self) -> None:
        """What was called a shake is one."""
        self.shakes += 1
        started = [t for t, what, _ in self.log if what == "started"][-1]
        knocks = [t for t, what, _ in self.log if what == "knock" and t >= started]
        assert self.now_ms - knocks[-1] >= REST_MS
        assert any(
            last - first >= 5000 and all(b - a <= GAP_MS for a, b in itertools.pairwise(knocks[i : j + 1]))
            for (i, first), (j, last) in itertools.product(enumerate(knocks), repeat=2)
            if j > i and last - first >= 5000
        )
        for contact in ("lid", "lock"):
            edges = [(t, value) for t, what, value in self.log if what == contact]
            closed = False
            for (t, value), (until, _) in itertools.pairwise([*edges, (self.now_ms, 0)]):
                closed = bool(value)
                if not value and until > started and until - max(t, started) > BOUNCE_MS + 10:
                    raise AssertionError(f"{contact} was open for {until - t} ms")
            assert closed, contact


@settings(max_examples=250, deadline=None)
@given(happenings, st.booleans(), st.integers(0, 6))
def test_no_evening_makes_a_shake_that_was_none(evening: list, begins_well: bool, at: int) -> None:
    played = Evening()
    for wait_ms, (what, value, apart_ms) in (good[:at] + evening + good[at:]) if begins_well else evening:
        played.run(wait_ms)
        played.do(what, value, apart_ms)
    played.run(3000)
    if played.shakes:
        event("a shake")


def test_the_good_evening_is_one() -> None:
    played = Evening()
    for wait_ms, (what, value, apart_ms) in good:
        played.run(wait_ms)
        played.do(what, value, apart_ms)
    assert played.shakes == 1
