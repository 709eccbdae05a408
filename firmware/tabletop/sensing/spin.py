"""The sensing core as the table sees it: hands evidence to those who judge it, and says when a spin is over."""

from tabletop.const import const
from tabletop.sensing.brake import Brake
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.coupling import Coupling
from tabletop.sensing.homing import Homing
from tabletop.sensing.lines import Lines
from tabletop.sensing.motion import Motion
from tabletop.sensing.pegs import PegWatch
from tabletop.sensing.tail import Tail
from tabletop.sensing.verdict import Spin as Spin
from tabletop.sensing.verdict import judged
from tabletop.ticks import since

_FASTEST_TURNS_S = const(20)  # a reading further away than this allows was torn (field case 1)
_TORN_MOST = const(4)  # so many readings one after another that agree with each other are no accident
_ILLEGAL_MOST = const(3)  # each may be two counts; a few are left to the pegs and the index to judge
_STILL_US = const(100_000)
_IDLE_SPIN = const(3)  # so often the same peg without a count makes a spin of which the encoder knows nothing
_STIR_SECTIONS = const(2)  # less way than this is no spin, not even a short one


class SpinSensor:
    """Takes readings and edges in the order in which they happened; `tick` returns a Spin when the wheel has settled.

    Peg and index edges come with the time and count of their own moment, encoder readings at least once a tick.
    """

    def __init__(self, config: WheelConfig):
        self.config = config
        self.count = 0
        self.bad_samples = 0
        self.lines = Lines(config)
        self.homing = Homing(config, self.lines)
        self.coupling = Coupling()
        self.brake = Brake()
        self.motion = Motion(config)
        self.tail = Tail()
        self.pegs = PegWatch(config, self.lines, self.coupling, self.tail, self._passed)
        self._leap = max(2, config.counts_per_turn // config.sections // 2)
        self._t_us = -1
        self._torn = 0
        self._torn_count = 0
        self._illegal = 0
        self._start_section = -1

    def at(self, count: int) -> None:
        """The wheel now stands at `count` of a turn (count 0: peg 0 at the pointer); lifts a coupling suspicion too."""
        self.lines.zero = self.count - count
        self.homing.homed = True
        self.coupling.explained()
        self.pegs.new_spin()
        self.pegs.place(self.count, True)
        self._start_section = self.section

    def encoder(self, t_us: int, count: int) -> None:
        """A whole reading of the counter."""
        if not -self._leap <= count - self.count <= self._leap and not self._plausible(t_us, count):
            return
        self.count = count
        self._t_us = t_us
        if not self.pegs.low <= count <= self.pegs.high:
            self.pegs.stray(t_us, count)

    def illegal(self, t_us: int, n: int) -> None:
        """`n` changes of A and B at once were seen. At rest they are noise that cannot hurt."""
        if self.motion.age_us(t_us) < _STILL_US:
            self._illegal += n

    def index(self, t_us: int, count: int, level: int) -> None:
        """Z has become `level`."""
        self.encoder(t_us, count)
        homing = self.homing
        if not homing.edge(self.count, level):
            return
        self.pegs.due(t_us)
        self.coupling.checked = True
        far = homing.far(homing.off)
        if far:
            self.coupling.explained()
        if homing.homed and not far:
            self.pegs.fence()
        else:
            self.pegs.place(self.count, True)
        homing.homed = True

    def peg(self, t_us: int, count: int, level: int) -> None:
        """The clapper has become `level` (1: bent)."""
        self.encoder(t_us, count)
        self.pegs.edge(t_us, self.count, level)

    def tick(self, t_us: int) -> "Spin | None":
        """Call at least every 10 ms. A Spin when one is over, else None."""
        motion = self.motion
        pegs = self.pegs
        count = self.count
        if pegs.due(t_us):
            motion.touch(pegs.contact.t_us)
        pegs.watch(t_us, count)
        self.tail.look(t_us, count)
        if motion.look(t_us, count):
            self.brake.new_run()
            pegs.turned(motion.from_count, motion.back())
        if motion.leapt:
            self.coupling.slipped()
        settle_ms = self.config.peg_settle_ms if pegs.contact.reported else self.config.settle_ms
        if motion.age_us(t_us) < settle_ms * 1000:
            return None
        way = motion.reach_high - motion.reach_low
        if pegs.idle >= _IDLE_SPIN or way * self.config.sections >= _STIR_SECTIONS * self.config.counts_per_turn:
            spin = judged(self, t_us, self._illegal > _ILLEGAL_MOST, self._start_section)
            self.coupling.spin_over()
            self._rest(t_us, spin.outcome == "FAULT")
            return spin
        if way or pegs.faults or pegs.repeats:
            self.coupling.stirred(pegs.missed)
            self._rest(t_us, pegs.missed)
        return None

    def _rest(self, t_us: int, doubt: bool) -> None:
        pegs = self.pegs
        if doubt and not self.coupling.checked:
            self.homing.homed = False  # counts may be lost: the next index says so without a fault
        if doubt:
            pegs.place(self.count, self.homing.homed)
        pegs.new_spin()
        self.brake.new_run()
        self.homing.new_spin()
        self.motion.rest_at(t_us, self.count)
        self._illegal = 0
        self._start_section = self.section

    def _passed(self, t_us: int, line: int, direction: int) -> None:
        self.homing.passed(line, direction)
        if direction == self.motion.direction:
            self.brake.passed(t_us, line, direction)
            self.coupling.usual = self.brake.usual

    def _plausible(self, t_us: int, count: int) -> bool:
        # Half a section and more since the last reading: as far as the fastest wheel, or a torn reading.
        if self._t_us < 0:  # the first reading: a counter may begin anywhere
            self.motion.rest_at(t_us, count)
            return True
        passed_ms = min(since(t_us, self._t_us) // 1000, 1000)
        limit = self._leap + self.config.counts_per_turn * _FASTEST_TURNS_S * (passed_ms + 1) // 1000
        if abs(count - self.count) <= limit:
            return True
        self.bad_samples += 1
        self._torn = self._torn + 1 if abs(count - self._torn_count) <= limit else 1
        self._torn_count = count
        if self._torn < _TORN_MOST:
            return False
        # The counter itself has changed (it was reset, say): where the wheel is must be learned anew.
        self._torn = 0
        self._illegal += _ILLEGAL_MOST + 1
        self.homing.homed = False
        self.pegs.place(count, False)
        return True

    @property
    def moving(self) -> bool:
        return self.motion.moving or self.pegs.idle >= _IDLE_SPIN

    @property
    def homed(self) -> bool:
        return self.homing.homed

    @property
    def section(self) -> int:
        """Where the wheel is by the pegs it has passed; -1 when unknown."""
        return self.pegs.gap % self.config.sections if self.homing.homed else -1

    @property
    def turns_milli(self) -> int:
        return max(0, self.motion.way(self.count)) * 1000 // self.config.counts_per_turn

    @property
    def speed_mturns_s(self) -> int:
        return self.motion.speed

    @property
    def direction(self) -> int:
        return self.motion.direction

    @property
    def on_peg(self) -> bool:
        return bool(self.pegs.contact.level)
