"""The whole table but its electronics: sensing of a modelled wheel, journal, and link with the host's session."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from tabletop import cbor, ticks
from tabletop.hal.virtual import wheel as model
from tabletop.hal.virtual.sensors import Sensors
from tabletop.journal import record as record_format
from tabletop.link import schema
from tabletop.rules import dreamcatcher
from tabletop.table.controller import Table
from wheelwright.errors import Refused
from wheelwright.messages import Live, Record
from wheelwright.session import Session

from tests.vm.dealer import NAMES, VOID, Flash, Hal

CPT = 2400


class Wheel:
    """The modelled wheel and its sensors, seen from the table's power-on at `since_us` of the wheel's time."""

    def __init__(self, mechanics: model.Wheel, clock: Any) -> None:
        self.mechanics = mechanics
        self.clock = clock
        self.since_us = mechanics.t_us
        self.sensors = Sensors(mechanics, CPT, 3, (clock.us() - self.since_us) & ticks.MASK)
        self.on_us = clock.now_ms * 1000

    def poll(self, sensor: Any) -> None:
        self.sensors.poll(sensor, self.now_us())

    def now_us(self) -> int:
        return int(self.clock.now_ms * 1000 - self.on_us + self.since_us)


class Port:
    """One end of a cable: what was written waits for the other side."""

    def __init__(self) -> None:
        self.to_table: deque[int] = deque()
        self.to_host = bytearray()
        self.full = False

    def readinto(self, buf: bytearray) -> int:
        n = 0
        while self.to_table and n < len(buf):
            buf[n] = self.to_table.popleft()
            n += 1
        return n

    def write(self, view: memoryview) -> int:
        if self.full:
            return 0
        self.to_host += view
        return len(view)


class House:
    """A table, its wheel and a host, in simulated time."""

    def __init__(self, **board: Any) -> None:
        self.flash = Flash(24)
        self.board = board
        self.mechanics = model.Wheel()
        self.events: list[tuple[int, str, Any]] = []
        self.raw: list[bytes] = []
        self.live: list[Live] = []
        self.tokens = iter(range(1000, 2000))
        self.start()

    def start(self) -> None:
        """Power on."""
        self.hal = Hal(self.flash, **self.board)
        self.hal.wheel = Wheel(self.mechanics, self.hal.clock)
        self.port = Port()
        self.hal.ports = [self.port]
        self.table = Table(self.hal, {})
        self.table.boot()
        self.connect()

    def connect(self) -> None:
        self.session = Session(next(self.tokens))
        self.host_reads = True

    def tick(self, times: int = 1) -> None:
        for _ in range(times):
            self.hal.clock.now_ms += 10
            self.table.tick()
            now = self.hal.clock.now_ms / 1000
            if not self.host_reads:
                continue
            self.session.receive(bytes(self.port.to_host), now)
            self.port.to_host.clear()
            while self.session.records.inbox:
                item = self.session.records.inbox.popleft()
                if isinstance(item, Live):
                    self.live.append(item)
                    continue
                if isinstance(item, Record):
                    found = record_format.decode(item.data)
                    self.raw.append(item.data)
                    self.events.append((found.number, NAMES[found.kind], cbor.loads(found.payload)))
                self.session.records.handled(item, now)
            self.port.to_table.extend(self.session.transmit(now))

    def until(self, condition: Callable[[], object], limit_s: float = 60) -> None:
        for _ in range(int(limit_s * 100)):
            if condition():
                return
            self.tick()
        raise AssertionError(f"not reached; phase {self.table.phase}, tilts {self.table.tilts.open}")

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        command = self.session.submit(name, args)
        self.until(lambda: command.done)
        if command.error is not None:
            raise command.error
        assert command.reply is not None
        return dict(command.reply)

    def spin(self, mturns_s: int, noise: int = 3) -> None:
        """A hand turns the wheel; returns when it has settled."""
        self.launch(mturns_s, noise)
        self.until(lambda: not self.mechanics.moving and not self.table.sensor.moving)
        self.tick(2)

    def launch(self, mturns_s: int, noise: int = 3) -> None:
        self.mechanics.noise = noise
        self.mechanics.push(self.hal.wheel.now_us(), model.speed(mturns_s), 300_000)
        self.tick(2)

    def open_round(self, *bets: list[Any]) -> None:
        self.call("OPEN_BETS")
        self.call("WAGER", bets=list(bets))
        self.call("NO_MORE_BETS")

    def of(self, kind: str) -> list[Any]:
        return [payload for _, name, payload in self.events if name == kind]


ALL_SPOTS = [[1, spot, 1000] for spot in dreamcatcher.ODDS]


def homed(**board: Any) -> House:
    """A house whose wheel has been turned once, so that its index was seen."""
    house = House(**board)
    house.until(lambda: house.session.hello is not None)
    house.tick(150)
    house.spin(900)
    house.session.subscribe(1)
    house.tick(20)
    return house


def test_rounds_over_the_link_pay_what_the_wheel_says_and_come_as_events_in_order() -> None:
    house = homed()
    for mturns_s in (700, -900, 1100):
        house.open_round(*ALL_SPOTS)
        while house.table.phase != "RESULT":
            house.spin(mturns_s, noise=mturns_s % 97)
            mturns_s += 13
        at = house.mechanics.at % model.TURN // model.SECTION
        house.until(lambda: house.events[-1][1] == "SETTLED")
        settled, spin = house.of("SETTLED")[-1], house.of("SPIN")[-1]
        assert settled["section"] == spin["section"] == at
        assert settled["symbol"] == dreamcatcher.LAYOUT[at]
        assert [pay[1] for pay in settled["pays"]] == [settled["symbol"]]
        assert settled["collected"] == 5000
        assert house.call("STATUS")["result"]["section"] == at
        house.call("SETTLE")
    house.until(lambda: house.table.phase == "READY")
    assert [number for number, _, _ in house.events] == list(range(1, house.table.journal.last + 1))
    assert house.raw[-1] == house.table.journal.read(house.table.journal.last)
    assert house.call("STATUS")["meters"]["live"]["rounds"] == 3


def test_case_60_a_short_spin_is_spun_again() -> None:
    house = homed()
    house.open_round([1, "1", 1000])
    house.spin(350)
    house.tick(20)
    spin = house.of("SPIN")[-1]
    assert spin["outcome"] == "SHORT_SPIN"
    assert spin["counted"]
    assert 250 < spin["turns_milli"] < 3000
    assert house.table.phase == "NO_MORE_BETS"


def test_case_63_the_dealers_button_voids_a_spin_that_would_have_counted() -> None:
    house = homed()
    house.open_round([1, "1", 1000])
    house.launch(1400)
    house.until(lambda: abs(house.table.sensor.turns_milli) > 3500)
    assert house.table.phase == "SPINNING"
    house.hal.inputs.bits = VOID
    house.tick(2)
    house.hal.inputs.bits = 0
    house.until(lambda: not house.table.sensor.moving)
    house.tick(20)
    void, stray = house.of("SPIN")[-2:]
    assert (void["why"], void["counted"], void["outcome"]) == ("DEALER_VOID", False, "NONE")
    assert (stray["why"], stray["counted"], stray["outcome"]) == ("DEALER_VOID", False, "SECTION")
    assert house.table.phase == "NO_MORE_BETS"
    assert not house.of("SETTLED")


def test_a_wheel_that_turns_through_a_power_cut_gives_no_result_and_the_round_goes_on() -> None:
    house = homed()
    house.open_round([1, "1", 1000])
    house.launch(1400)
    house.tick(100)
    assert house.table.phase == "SPINNING"
    house.start()
    assert house.table.phase == "NO_MORE_BETS"
    house.until(lambda: not house.mechanics.moving and not house.table.sensor.moving)
    assert house.table.phase == "NO_MORE_BETS"
    house.spin(1000)
    house.until(lambda: house.table.phase in ("RESULT", "BONUS"))
    assert house.table.play.round.wagered_mills() == 1000


def test_case_16_a_host_that_does_not_read_changes_nothing_and_is_told_what_it_missed() -> None:
    house = homed()
    house.open_round([1, "1", 1000])
    house.call("TELEMETRY", hz=50)
    house.tick(20)
    assert house.live
    house.host_reads = False
    house.port.full = True
    house.spin(1100)
    house.tick(200)
    assert house.table.phase in ("RESULT", "BONUS")
    house.host_reads = True
    house.port.full = False
    count = len(house.live)
    house.tick(50)
    at = house.mechanics.at % model.TURN // model.SECTION
    assert house.of("SPIN")[-1]["section"] == at
    assert any(item.dropped > 0 for item in house.live[count:])


def test_case_20_a_host_of_another_version_may_look_but_opens_no_round(monkeypatch: pytest.MonkeyPatch) -> None:
    house = homed()
    with monkeypatch.context() as patched:
        patched.setattr(schema, "PROTOCOL", 2)
        house.connect()
        hello = house.session.transmit(house.hal.clock.now_ms / 1000)
    house.port.to_table.extend(hello)
    house.until(lambda: house.session.hello is not None)
    assert house.call("STATUS")["phase"] == "READY"
    with pytest.raises(Refused) as refused:
        house.call("OPEN_BETS")
    assert refused.value.code == 1010
    assert "protocol 2" in str(refused.value)
    assert "protocol 1" in str(refused.value)
    assert house.table.phase == "READY"
    house.session.subscribe(1)
    house.tick(50)
    assert house.events


def test_case_51_a_round_is_right_while_the_clock_wraps() -> None:
    house = House()
    house.hal.clock.first_tick = (1 << 30) - house.hal.clock.now_ms - 20_000
    house.hal.wheel = Wheel(house.mechanics, house.hal.clock)
    house.table = Table(house.hal, {})
    house.table.boot()
    house.connect()
    house.until(lambda: house.session.hello is not None)
    house.tick(150)
    house.spin(900)
    house.open_round([1, "1", 1000])
    house.launch(1100)
    assert house.hal.clock.ms() > 1 << 29
    house.until(lambda: house.table.phase in ("RESULT", "BONUS"))
    assert house.hal.clock.ms() < 60_000
    assert house.table.play.shown.last["section"] == house.mechanics.at % model.TURN // model.SECTION


def test_a_command_that_fails_in_the_table_is_answered_and_stops_play() -> None:
    house = homed()

    def die(_more: object) -> None:
        raise ZeroDivisionError("made up")

    house.table.play.open = die
    with pytest.raises(Refused) as refused:
        house.call("OPEN_BETS")
    assert refused.value.code == 1011
    assert house.table.tilts.open == {41: {"task": "command OPEN_BETS", "reason": "ZeroDivisionError made up"}}
    assert house.call("STATUS")["phase"] == "TILT"


def test_the_sensors_of_a_broken_wheel_stop_play_after_three_spins() -> None:
    house = homed()
    house.open_round([1, "1", 1000])
    for _ in range(3):
        assert house.table.phase == "NO_MORE_BETS"
        now_us = house.hal.wheel.now_us()
        house.hal.wheel.sensors.fault_at(now_us + 2_000_000, "clapper_dead", 1)
        house.spin(900)
        house.hal.wheel.sensors.fault_at(now_us, "clapper_dead", 0)
    house.tick(20)
    assert house.table.phase == "TILT"
    assert list(house.table.tilts.open) == [21]
    assert [spin["outcome"] for spin in house.of("SPIN")[-3:]] == ["FAULT"] * 3
