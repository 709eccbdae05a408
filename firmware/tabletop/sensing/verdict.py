"""What the evidence of a whole spin comes to: its outcome, and why. Faults first: doubt means no section."""

from tabletop.const import const
from tabletop.sensing.config import FAULTS, ILLEGAL, INDEX, MISMATCH, OBSTRUCTED
from tabletop.sensing.standing import at_rest

_END_US = const(20_000)  # the last movement shows its speed in two ticks


class Spin:
    """One spin, over. `section` is -1 unless `outcome` is SECTION; `t_us` is the tick at which it was decided."""

    def __init__(
        self,
        outcome: str,
        section: int,
        turns_milli: int,
        direction: int,
        faults: list,
        notes: list,
        t_us: int,
        start_section: int,
        top_speed_mturns_s: int,
    ):
        self.outcome = outcome
        self.section = section
        self.turns_milli = turns_milli
        self.direction = direction
        self.faults = faults
        self.notes = notes
        self.t_us = t_us
        self.start_section = start_section
        self.top_speed_mturns_s = top_speed_mturns_s


def judged(sensor, t_us: int, illegal: bool, start_section: int) -> Spin:
    """The spin that `sensor` has seen, at rest since a while; `illegal`: too many changes of A and B at once."""
    config = sensor.config
    motion = sensor.motion
    pegs = sensor.pegs
    homing = sensor.homing
    count = sensor.count
    faults = pegs.faults | at_rest(pegs, count)
    if sensor.coupling.suspect or motion.leapt:
        faults |= MISMATCH
    if illegal:
        faults |= ILLEGAL
    way = max(0, motion.way(count))
    enough = way >= config.min_turns * config.counts_per_turn
    if homing.wrong or (enough and not homing.homed):
        faults |= INDEX
    # Speeds are taken from the pegs: they mean something only when the pegs were right.
    if not faults and _abrupt(sensor):
        faults |= OBSTRUCTED
    if not faults and enough and pegs.slow and not pegs.contact.level:
        faults = MISMATCH
    if faults and (enough or faults != OBSTRUCTED):
        outcome = "FAULT"
    elif not enough:
        outcome = "SHORT_SPIN"
    elif pegs.contact.level:
        outcome = "BETWEEN_SECTIONS"
    else:
        outcome = "SECTION"
    notes = []
    if homing.missing or (way >= config.counts_per_turn and not homing.pulses):
        notes.append("INDEX_MISSING")
    back = (motion.furthest - count) * motion.direction
    if back >= 2 and back * 4 * config.sections >= config.counts_per_turn:
        notes.append("ROLLED_BACK")
    return Spin(
        outcome,
        pegs.gap % config.sections if outcome == "SECTION" else -1,
        way * 1000 // config.counts_per_turn,
        motion.direction or 1,
        [name for bit, name in FAULTS if faults & bit],
        notes,
        t_us,
        start_section,
        motion.top_speed,
    )


def _abrupt(sensor) -> bool:
    """Whether the wheel rested before it can have, or was too fast when it was last seen to move."""
    motion = sensor.motion
    lines = sensor.lines
    brake = sensor.brake
    tail = sensor.tail
    passing = sensor.pegs.passing
    lines.locate(motion.furthest)
    if ((lines.line - brake.line) * 8 + lines.off * 8 // lines.cpt) * motion.direction < brake.ahead:
        return True
    if sensor.pegs.contact.level:
        return False
    if passing.stopped(tail, brake.usual):
        return True
    if tail.stretch(passing.t_down, tail.t_us) and not passing.faded(tail, sensor.count):
        return True
    if tail.way < 2 or tail.us < _END_US:
        return False
    way = tail.way * lines.sections
    speed = way * 8000 // lines.cpt * 1000 // (tail.us + tail.late_us)
    # Friction alone must stop it from there before the next count.
    return 0 < brake.usual * 9 // 4 * (way // 2 + lines.sections) // lines.cpt < speed * speed
