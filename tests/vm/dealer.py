"""A table on made-up hardware and the dealer who works it: for tests on both interpreters.

`Dealer` boots a real Table with the real journal on a flash in RAM; clock, lamps, buttons and (unless asked otherwise)
the sensor are stand-ins that do what they are told.
"""

import gc
from binascii import crc32

from tabletop import cbor, ticks
from tabletop.digest import hmac_sha256
from tabletop.journal import kinds
from tabletop.link import schema
from tabletop.link.endpoint import Refused
from tabletop.sensing.config import WheelConfig
from tabletop.table.controller import Table
from tabletop.table.records import Stop

START, NO_MORE_BETS, VOID, KEY = 1, 2, 4, 8
TEN, TWENTY, FORTY, TWO_TIMES, SEVEN_TIMES = 9, 13, 31, 27, 0  # sections
DEVICE_KEY = bytes(range(32))
BLANK = b"\xff" * 256
NAMES = {getattr(kinds, name): name for name in dir(kinds) if name[0] != "_"}


class PowerCut(BaseException):
    """Not an Exception: no part of the table can swallow it."""


class Flash:
    """NOR flash of a few sectors. `cut_at` n: power fails at the n-th change from now."""

    page = 256
    sector = 4096

    def __init__(self, sectors=8):
        self.sectors = sectors
        self.pages = [BLANK] * (sectors * 16)
        self.cut_at = 0
        self.changes = 0

    def read(self, address, buf):
        assert len(buf) == self.page
        buf[:] = self.pages[address // self.page]

    def program(self, address, buf):
        assert self.pages[address // self.page] == BLANK or not any(buf)
        self._change()
        self.pages[address // self.page] = bytes(buf)

    def erase(self, sector):
        self._change()
        for page in range(sector * 16, sector * 16 + 16):
            self.pages[page] = BLANK

    def _change(self):
        if self.cut_at == 1:
            raise PowerCut()
        self.cut_at -= 1
        self.changes += 1


class Clock:
    def __init__(self, now_ms=5000):
        self.now_ms = now_ms  # since power-on; ticks wrap, the uptime does not
        self.first_tick = 0

    def ms(self):
        return ticks.add(self.first_tick, self.now_ms)

    def us(self):
        return self.now_ms * 1000 & ticks.MASK

    line_ms = ms

    def uptime_ms(self):
        return self.now_ms


class Lights:
    """Keeps what is shown; `on_show` is called before every change."""

    def __init__(self):
        self.frame = self.ring = self.matrix = b""
        self.texts = {}
        self.state = ""
        self.bits = 0
        self.on_show = None

    def rim(self, buf):
        self.frame = buf

    def inner(self, buf):
        self.ring = buf

    def tiles(self, buf):
        self.matrix = buf

    def digits(self, index, text):
        if self.on_show:
            self.on_show(index, text)
        self.texts[index] = text

    def tower(self, state):
        self.state = state

    def lamps(self, bits):
        self.bits = bits


class Inputs:
    bits = 0

    def read(self):
        return self.bits


class Still:
    """The wheel as hardware: nothing to hand over."""

    def poll(self, sensor):
        pass


class Hal:
    emulated = False
    serial = "T-0001"
    reset_reason = "POWER_ON"
    key = DEVICE_KEY

    def __init__(self, store, **board):
        self.board = {"counts_per_turn": 2400, "digits": 2}
        self.board.update(board)
        self.store = store
        self.vault = store.vault = getattr(store, "vault", None) or Flash(1)  # it stays with its flash
        self.vault._change = store._change  # and the power is cut for both
        self.clock = Clock()
        self.lights = Lights()
        self.inputs = Inputs()
        self.wheel = Still()
        self.cup = None  # of the shaker, where the table has one
        self.ports = []
        self.fed = self.marked = self._drawn = 0
        self.resets = []
        self.stuck = False  # noise that says nothing any more
        self._noise = 1

    def shaker(self):
        from tabletop.hal.virtual.shaker import Shaker

        self.cup = self.cup or Shaker(7)
        return self.cup

    def entropy(self, n):
        self._drawn += 1
        return bytes([self._drawn & 255] * n)

    def noise(self, buf):
        state = self._noise
        for i in range(len(buf)):
            state = state * 1103515245 + 12345 & 0x7FFFFFFF
            buf[i] = 0 if self.stuck else state >> 16 & 1
        self._noise = state

    def mark(self, number):
        self.marked = number

    def reset(self, reason):
        self.resets.append(reason)

    def program(self):
        yield "boot.py", b"boot"
        yield "main.py", b"ma"
        yield "main.py", b"in"

    def feed(self):
        self.fed += 1


class Sensor:
    """A SpinSensor that senses what the dealer says."""

    def __init__(self):
        self.moving = self.on_peg = False
        self.homed = True
        self.bad_samples = 0
        self.section = 20
        self.turns_milli = self.speed_mturns_s = self.direction = 0
        self.spin = None
        self.config = WheelConfig()

    def tick(self, t_us):
        spin, self.spin = self.spin, None
        return spin


class Spin:
    def __init__(self, outcome, section, turns_milli, faults, notes=()):
        self.outcome = outcome
        self.section = section
        self.turns_milli = turns_milli
        self.direction = 1
        self.faults = list(faults)
        self.notes = list(notes)
        self.t_us = 0
        self.start_section = 20
        self.top_speed_mturns_s = 900


class Dealer:
    """Boots a table; `again()` boots the next one on the same flash, as after a power cut."""

    def __init__(self, flash=None, hal=None, settings=None, boot=True, **board):
        if hasattr(gc, "mem_free"):
            gc.collect()
        self.flash = flash or Flash()
        self.settings = settings or {}
        self.board = board
        self.hal = hal or Hal(self.flash, **board)
        self.table = Table(self.hal, self.settings)
        self.sensor = self.table.sensor = Sensor()
        if boot:
            self.table.boot()
            self.pass_time(1100)  # a wheel that turns sooner was turning before

    def again(self, **hal):
        self.flash.cut_at = 0
        self.table = self.hal = self.sensor = None  # the VM has no room for two tables
        made = Hal(self.flash, **self.board)
        for name in hal:
            setattr(made, name, hal[name])
        return Dealer(self.flash, made, self.settings, **self.board)

    @property
    def phase(self):
        return self.table.phase

    def tick(self, times=1, ms=10):
        for _ in range(times):
            self.hal.clock.now_ms += ms
            self.table.tick()

    def pass_time(self, ms):
        self.tick(3, ms // 3 + 1)

    def press(self, bit):
        self.hal.inputs.bits |= bit
        self.tick()
        self.hal.inputs.bits &= ~bit
        self.tick()

    def key(self, on):
        self.hal.inputs.bits = self.hal.inputs.bits | KEY if on else self.hal.inputs.bits & ~KEY
        self.tick()

    def send(self, name, **args):
        """A command as a link endpoint gives it: the reply."""
        return self.table.commands.handle(name, args, [77, 1])

    def refused(self, name, **args):
        """The code and detail with which a command is refused."""
        try:
            reply = self.send(name, **args)
        except Refused as refused:
            return refused.code, refused.detail
        raise AssertionError("%s was taken: %s" % (name, reply))

    def push(self, turns_milli=600):
        """The wheel is turned and has gone this far."""
        self.sensor.moving = True
        self.sensor.turns_milli = 0
        self.tick()
        self.sensor.turns_milli = turns_milli
        self.tick()

    def rest(self, outcome="SECTION", section=-1, turns_milli=4000, faults=(), notes=()):
        """The wheel comes to rest, and the sensor says what it was."""
        self.sensor.moving = False
        self.sensor.turns_milli = 0
        if section >= 0:
            self.sensor.section = section
        self.sensor.spin = Spin(outcome, section, turns_milli, faults, notes)
        self.tick()

    def spin(self, outcome="SECTION", section=-1, **how):
        self.push()
        self.rest(outcome, section, **how)

    def open_round(self, *bets):
        """Bets are opened, taken and closed."""
        self.send("OPEN_BETS")
        if bets:
            self.send("WAGER", bets=[list(bet) for bet in bets])
        self.send("NO_MORE_BETS")

    def records(self):
        """[(kind name, payload)] of the whole journal."""
        return [(NAMES[record.kind], cbor.loads(record.payload)) for record in self.table.journal.records()]

    def last(self, kind):
        """Payload of the newest record of a kind."""
        for record in self.table.journal.backward():
            if NAMES[record.kind] == kind:
                return cbor.loads(record.payload)
        raise AssertionError("there is no record " + kind)

    def kinds(self):
        """Names of all records since the last SELF_TEST."""
        names = []
        for record in self.table.journal.records():
            names.append(NAMES[record.kind])
            if record.kind == kinds.SELF_TEST:
                names = []
        return names


class Walks:
    """Counts page reads of a table with `records` records: all `reads` since `begin`, and the `most` between two meals
    of the watchdog."""

    def __init__(self, dealer, records):
        self.dealer = dealer
        while dealer.table.journal.last < records:
            dealer.table.records.write(kinds.TIME_SET, {"unix_ms": 1, "was_ms": 0})
        self._read, dealer.flash.read = dealer.flash.read, self._count
        self.begin()

    def begin(self):
        self.reads = self.most = self._since = 0
        self._fed = self.dealer.hal.fed

    def _count(self, address, buf):
        if self.dealer.hal.fed != self._fed:
            self._fed, self._since = self.dealer.hal.fed, 0
        self.reads += 1
        self._since += 1
        self.most = max(self.most, self._since)
        self._read(address, buf)

    def of(self, name, args):
        """The reads of one command."""
        self.begin()
        self.dealer.send(name, **args)


def stopped(work, *arguments):
    """The tilt, and its detail, with which something ends."""
    try:
        work(*arguments)
    except Stop as stop:
        return stop.tilt, stop.detail
    raise AssertionError("it was taken")


def sign(dealer, name, key=DEVICE_KEY, **args):
    """The arguments of a command, signed with `key` over a fresh challenge."""
    nonce = dealer.send("CHALLENGE")["nonce"]
    args["mac"] = hmac_sha256(key, schema.to_sign(nonce, schema.number_of(name), args))
    return args


def clear(dealer, tilt, key=DEVICE_KEY):
    """The arguments of a CLEAR_TILT, signed."""
    return sign(dealer, "CLEAR_TILT", key, tilt=tilt, operator="ann")


def change_mode(dealer, on):
    """Somebody with key and signature switches test mode on or off: the reply."""
    dealer.key(True)
    reply = dealer.send("TEST_MODE", **sign(dealer, "TEST_MODE", on=on))
    dealer.key(False)
    return reply


def configuration(dealer, settings, key=DEVICE_KEY):
    """The arguments of a CONFIGURE."""
    return sign(dealer, "CONFIGURE", key, settings=settings, sum=crc32(cbor.dumps(settings)), operator="ann")
