"""A round that stays open is held at the end of the ring: the same round in few records, whatever is cut."""

from tabletop.journal import kinds
from tabletop.rules.rounds import follow

try:
    from tests.vm.dealer import TEN, Dealer, Flash, PowerCut
    from tests.vm.test_table_cuts import BONUS, PLAIN, closes, opens, pushes, rests, voids, wagers
except ImportError:
    from dealer import TEN, Dealer, Flash, PowerCut
    from test_table_cuts import BONUS, PLAIN, closes, opens, pushes, rests, voids, wagers

IDLY = [
    opens, wagers, wagers, closes, pushes, voids, rests("SHORT_SPIN"), pushes, rests("SHORT_SPIN"), pushes,
    rests("BETWEEN_SECTIONS"), pushes, rests("SHORT_SPIN"), pushes, rests("SECTION", 27), pushes, rests("SHORT_SPIN"),
    pushes, voids, rests("SECTION", TEN), pushes, rests("SECTION", TEN),
]  # fmt: skip


def followed(records):
    current = None
    for name, payload in records:
        if name:
            current = follow(current, name, payload)
    return current


def held(records):
    """The records that come back when these are packed, and in how many chunks."""
    from tabletop.rules.held import Unpacked, essence, packed  # a table gives it back

    unpacked, found, chunks = Unpacked(), [], 0
    for data in packed(essence(records)):
        if data:
            assert len(data) <= 936
            found += unpacked.take(data)
            chunks += 1
    assert not unpacked.left
    return found, chunks


def told(round_):
    """All that can tell two rounds apart."""
    found = dict(round_.__dict__)
    for name in ("spin", "short_spins", "running", "given", "owed", "settled"):
        found[name] = getattr(round_, name)
    found["last"] = None if round_.running else round_.last
    return found


def test_at_every_record_of_a_round_what_is_held_gives_the_same_round():
    for steps in (PLAIN, BONUS, IDLY):
        dealer = Dealer()
        for step in steps:
            step(dealer)
            dealer.pass_time(200)
        records = [one for one in dealer.records() if "round" in one[1] and one[0] != "BOOT"]
        dealer = None
        for n in range(1, len(records) + (steps is IDLY)):
            once, _ = held(records[:n])
            assert told(followed(once)) == told(followed(records[:n]))
            twice, _ = held([(name, payload) for name, payload in once])
            assert twice == once, "what was held is held again as it is"


def test_what_gave_nothing_takes_no_room():
    dealer = Dealer(Flash(16))
    dealer.open_round([1, "10", 1000])
    for _ in range(30):
        dealer.spin("SHORT_SPIN", turns_milli=1000)
        dealer.push()
        dealer.send("VOID", reason="test")
        dealer.rest("SECTION", TEN)
    records = [one for one in dealer.records() if "round" in one[1] and one[0] != "BOOT"]
    found, chunks = held(records)
    assert chunks == 1
    assert [name for name, _ in found] == ["ROUND_OPENED", "WAGERS", "BETS_CLOSED", "SPINS", "SPIN_STARTED", "SPIN"]
    assert found[3][1] == {"round": 1, "spin": 59, "short": 30}


def test_a_round_that_outlives_many_restarts_never_fills_the_ring_and_is_found_near_its_end():
    dealer = Dealer(Flash(16))
    dealer.open_round([1, "10", 1000])
    for start in range(60):
        dealer.push()
        dealer = dealer.again()
        assert dealer.phase == "NO_MORE_BETS", start
        assert dealer.table.play.round.spin == start + 1
        journal = dealer.table.journal
        assert journal.last - dealer.table.records.round_opened < 80
        if start % 10 == 9:
            dealer.send("ANCHOR", number=journal.last, hash=journal.head)
            dealer.tick(10, 110)
    assert dealer.table.journal.anchored > 100
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    assert dealer.last("SETTLED")["pays"] == [[1, "10", 1000, 10, 10000, False]]


def reaches_far(sectors=16):
    """A flash with a round whose spin runs, and so many records behind its opening that the next start holds it."""
    dealer = Dealer(Flash(sectors))
    dealer.open_round([1, "10", 1000])
    dealer.push()
    opened = dealer.table.records.round_opened
    while dealer.table.journal.last < opened + 64:
        dealer.table.records.write(kinds.TIME_SET, {"unix_ms": 1, "was_ms": 0})
    return dealer.flash


def check(dealer, spins):
    """The round is there, all its spins but the last are void, and the whole log follows from itself."""
    assert dealer.phase == "NO_MORE_BETS"
    assert not dealer.table.tilts.open
    assert dealer.table.play.round.spin == spins
    assert dealer.table.play.round.wagered_mills() == 1000
    current = followed(dealer.records())
    assert told(current) == told(dealer.table.play.round)


def test_a_cut_at_any_flash_operation_of_a_start_that_holds_leaves_the_round_as_it_was():
    pages = reaches_far().pages
    points = 0
    for second in (0, 2):
        cut_at = 0
        while True:
            cut_at += 1
            flash = Flash(16)
            flash.pages = list(pages)
            cuts = []
            for at in (cut_at, second):
                flash.cut_at = at
                try:
                    if at:
                        Dealer(flash, boot=False).table.boot()
                except PowerCut:
                    cuts.append(at)
            points += len(cuts)
            flash.cut_at = 0
            dealer = Dealer(flash)
            check(dealer, 1)
            opened = dealer.table.records.round_opened
            assert opened > 60, "the round is held in the end"
            dealer = dealer.again()
            check(dealer, 1)
            assert dealer.table.records.round_opened == opened
            dealer.spin("SECTION", TEN)
            assert dealer.last("SETTLED")["pays"] == [[1, "10", 1000, 10, 10000, False]]
            if cut_at not in cuts:
                break
    print("start that holds a round: %d cut points" % points)
    assert points > 15


def test_a_round_is_held_at_rest_too_and_a_record_that_comes_between_only_puts_it_off():
    dealer = Dealer(Flash(16))
    dealer.open_round([1, "10", 1000])
    first = dealer.table.records.round_opened
    spins = 0
    while dealer.table.records.round_opened == first:
        dealer.spin("SHORT_SPIN", turns_milli=1000)
        spins += 1
        for _ in range(spins % 7):  # the wheel is pushed again in the midst of it
            dealer.tick(1, 110)
        assert spins < 60
    assert spins > 30
    check(dealer, spins)
    dealer = dealer.again()
    check(dealer, spins)
    assert dealer.table.play.round.short_spins == spins
