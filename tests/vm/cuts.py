"""Cuts the power of a journal at every flash operation of a scripted life, and checks what is found afterwards."""

import gc
import sys

from tabletop import cbor
from tabletop.digest import sha256
from tabletop.journal import kinds, record
from tabletop.journal.journal import Full, Journal

try:
    from tests.vm import flash as nor
except ImportError:
    import flash as nor

VM = sys.implementation.name == "micropython"

# kind, payload bytes: what a game looks like to the journal
ROUND = (
    (kinds.ROUND_OPENED, 176), (kinds.WAGERS, 41), (kinds.WAGERS, 230), (kinds.BETS_CLOSED, 24),
    (kinds.SPIN_STARTED, 18), (kinds.SPIN, 190), (kinds.SPIN_STARTED, 18), (kinds.SPIN, 203), (kinds.SETTLED, 640),
    (kinds.ROUND_CLOSED, 8),
)  # fmt: skip
GAME = ((kinds.BOOT, 131), (kinds.SELF_TEST, 420), (kinds.MODE, 7), (kinds.TIME_SET, 26)) + ROUND * 5 + (
    (kinds.TILT, 66), (kinds.SERVICE, 5), (kinds.TILT_CLEARED, 20), (kinds.SERVICE, 5), (kinds.SELF_TEST, 962),
)  # fmt: skip


class Life:
    """A journal in use, and what its owner knows: which records are committed, which one is on its way."""

    def __init__(self, flash):
        self.flash = flash
        self.journal = None
        self.committed = {}  # number -> hash of the exact bytes
        self.last = 0
        self.anchored = 0
        self.pending = None  # (kind, payload, anchored) while an append runs

    def branch(self, flash):
        other = Life(flash)
        other.committed = dict(self.committed)
        other.last, other.anchored = self.last, self.anchored
        other.pending = self.pending
        return other

    def open(self):
        self.journal = Journal(self.flash)
        self.journal.open(7)
        self.adopt()
        self.pending = None

    def adopt(self):
        """Takes up records that no append of ours has returned for: the one that was on its way, and TORN."""
        for number in range(self.last + 1, self.journal.last + 1):
            found = record.decode(self.journal.read(number))
            if found.kind == kinds.TORN:
                noted = cbor.loads(found.payload)
                assert noted["after"] == number - 1
                assert noted["pages"] > 0
            else:
                assert self.pending, "a record out of nowhere"
                assert (found.kind, found.payload, found.anchored) == self.pending, "a record is whole or absent"
                self.anchored = found.anchored
                self.pending = None
            self.committed[number] = sha256(self.journal.read(number))
        self.last = self.journal.last

    def append(self, kind, payload):
        """One append, after making room as the table does: anchor and idle."""
        journal = self.journal
        for _ in range(3):
            self.pending = (kind, payload, journal.anchored)
            try:
                number = journal.append(kind, payload, self.last)
            except Full:
                self.pending = None
                self.adopt()
                self.anchor(journal.last)
                self.rest()
                continue
            self.done(number)
            return
        raise AssertionError("no room in spite of anchors")

    def anchor(self, number):
        journal = self.journal
        payload = cbor.dumps({"number": number, "hash": journal.hash_of(number)})
        self.pending = (kinds.ANCHOR, payload, number)
        done = journal.anchor(number, payload, self.last)
        self.done(done)
        assert self.anchored == number == journal.anchored

    def done(self, number):
        """An append returned: from here on the record must never be missing."""
        assert number == self.journal.last
        self.adopt()
        assert self.pending is None, "committed, but not there"

    def rest(self):
        while self.journal.idle():
            pass

    def check(self):
        """Everything that a table and its host rely on."""
        journal = self.journal
        assert journal.damaged == 0, journal.damaged
        assert self.anchored == journal.anchored
        assert journal.first <= journal.anchored + 1, "a record is gone that no host has"
        assert journal.last == self.last
        prev, boot = None, 0
        for number in range(journal.first, journal.last + 1):
            raw = journal.read(number)
            assert sha256(raw) == self.committed[number], number
            if prev is not None:
                assert raw[record.PREV : record.HEADER] == prev, number
            prev = record.digest(raw)
            assert record.number(raw) == number
            assert raw[8:12] >= boot.to_bytes(4, "big")
            boot = int.from_bytes(raw[8:12], "big")
        assert journal.last == 0 or prev == journal.head
        if journal.first > 1:
            for number in (1, journal.first - 1):
                try:
                    journal.read(number)
                    raise AssertionError("an erased record was read")
                except KeyError:
                    pass
        seen = journal.first - 1
        for number in journal.verify():
            seen += 1
            assert number == seen
        assert seen == journal.last
        assert not journal.damaged
        for found in journal.backward():
            assert found.number == seen
            seen -= 1
        assert seen == journal.first - 1
        assert not journal.damaged
        while seen in self.committed:
            del self.committed[seen]
            seen -= 1

    def go_on(self):
        """What a table does after a start: make room, say that it started, play, be anchored."""
        self.rest()
        self.append(kinds.BOOT, bytes(100))
        self.append(kinds.SETTLED, bytes(500))
        self.append(kinds.ROUND_CLOSED, bytes(8))
        self.anchor(self.last)
        self.rest()


class Cutter:
    """Looks at every operation of a life through `hows` kinds of cut (0: all), drawn by dice.

    `deeper` more times the recovery after a cut is itself cut at every operation, in one way each. `every` n-th
    operation only, to save time. `images` lends deeper + 1 flashes of the same size to work in.
    """

    def __init__(self, life, hows=0, deeper=0, every=1, seed=1, images=None):
        self.life = life
        self.hows = hows
        self.deeper = deeper
        self.every = every
        self.dice = nor.Dice(seed)
        self.points = 0
        self.operations = 0
        self.last = -1  # number of the record before the one being written
        self.programs = 0  # pages of that one that were begun
        self.images = images or [nor.Flash(life.flash.sectors) for _ in range(deeper + 1)]
        self.image = self.images[deeper]
        life.flash.before = self.operation

    def operation(self, op, address, data):
        self.operations += 1
        if self.last != self.life.journal.last:
            self.last, self.programs = self.life.journal.last, 0
        if op == "program":
            self.programs += 1
        if self.operations % self.every:
            return
        cuts = nor.PROGRAM_CUTS if op == "program" else nor.ERASE_CUTS
        for i in range(self.hows or len(cuts)):
            how = cuts[(self.dice.below(len(cuts)) if self.hows else i)]
            self.cut(op, address, data, how)

    def cut(self, op, address, data, how):
        life = self.life
        self.points += 1
        if VM:
            gc.collect()  # small rubbish between the large images would break up the heap
        image = life.flash.copy_to(self.image)
        nor.half_done(image, op, address, data, how, self.dice)
        after = life.branch(image)
        visible = op == "program" and (self.programs > 1 or image.data != life.flash.data)
        if self.deeper:
            inner = Cutter(after, 1, self.deeper - 1, 1, self.dice.below(1 << 30), self.images)
        try:
            after.open()
            after.check()
            after.go_on()
            after.check()
            if visible:  # the record whole, or its remains named
                found = record.decode(after.journal.read(self.last + 1))
                if found.kind == kinds.TORN:
                    assert cbor.loads(found.payload)["after"] == self.last
                else:
                    assert (found.kind, found.payload, found.anchored) == life.pending
        except Exception:
            print("operation %d, %s at %d cut at '%s'" % (self.operations, op, address, how))
            raise
        if self.deeper:
            self.points += inner.points


def payload(size, number):
    """`size` bytes that differ from record to record."""
    out = bytearray(size)
    for i in range(size):
        out[i] = number * 7 + i * i & 0xFF
    return out


def play_game(life, entries=GAME):
    life.open()
    for kind, size in entries:
        life.append(kind, payload(size, life.last))


def play_round_the_ring(life, records, anchor_every=7, seed=3):
    """Records of all sizes, anchors now and then, rests between: goes round the ring several times."""
    dice = nor.Dice(seed)
    life.open()
    for i in range(records):
        size = (dice.below(190), dice.below(440), dice.below(963))[dice.below(3)]
        life.append(kinds.WAGERS + dice.below(7), payload(size, life.last))
        if i % anchor_every == anchor_every - 1:
            life.anchor(life.last - dice.below(3))
        if i % 3 == 0:
            life.journal.idle()
