"""A start that is not whole: nothing but tilts is written, nothing is cleared, nothing is played, nothing is erased."""

try:
    from tests.vm.dealer import TEN, VOID, Dealer, Flash, Hal, clear, configuration, sign
except ImportError:
    from dealer import TEN, VOID, Dealer, Flash, Hal, clear, configuration, sign

from tabletop.journal import kinds
from tabletop.table.records import Stop


def with_an_open_round(sectors=8):
    dealer = Dealer(Flash(sectors))
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    dealer.open_round([1, "10", 2000])
    return dealer


def die(*_):
    raise OSError(5)


class Store:
    """A flash that can be read `left` times more; -1: always."""

    page = Flash.page
    sector = Flash.sector

    def __init__(self, flash, left):
        self.flash = flash
        self.sectors = flash.sectors
        self.left = left

    def read(self, address, buf):
        if not self.left:
            die()
        self.left -= 1
        self.flash.read(address, buf)

    def program(self, address, buf):
        self.flash.program(address, buf)

    def erase(self, sector):
        raise AssertionError("nothing may be erased")


def try_everything(dealer):
    """What people and hosts may do to a table that stands still; each of it is refused where it would write."""
    for name, args in (
        ("OPEN_BETS", {}), ("VOID", {"reason": ""}), ("TEST_MODE", {"on": True}), ("SET_TIME", {"unix_ms": 1}),
        ("SELF_TEST", {}),
    ):  # fmt: skip
        code, detail = dealer.refused(name, **args)
        assert code in (4001, 4002), name
    dealer.key(True)
    assert dealer.phase == "SERVICE"
    for name, args in (
        ("SELF_TEST", {}), ("SET_TIME", {"unix_ms": 1}), ("CONFIGURE", configuration(dealer, {"min_turns": 4})),
        ("CORRECT", sign(dealer, "CORRECT", record=1, text="t", reason="r", operator="ann")),
    ):  # fmt: skip
        code, detail = dealer.refused(name, **args)
        assert code == 4001, name
        assert "the start did not come to its end" in detail["advice"]
    for tilt in sorted(dealer.table.tilts.open):
        code, detail = dealer.refused("CLEAR_TILT", **clear(dealer, tilt))
        assert code == 4004
    dealer.press(VOID)
    dealer.spin("SECTION", TEN)
    dealer.send("GAMES")
    dealer.send("STATUS")
    dealer.key(False)
    assert dealer.phase == "TILT"
    dealer.spin("SECTION", TEN)
    dealer.tick(40, 60)
    dealer.send("RESTART", **turned(dealer, "RESTART", reason="HOST"))


def turned(dealer, name, **args):
    """Signed arguments, with the service key turned."""
    dealer.key(True)
    return sign(dealer, name, **args)


def goes_on(dealer):
    """The next start, sound again: the very round, its meters, and the tilt for somebody to look at."""
    dealer = dealer.again()
    play = dealer.table.play
    assert (play.round.number, play.round.wagered_mills()) == (2, 2000)
    assert play.meters["live"]["rounds"] == 1
    if dealer.table.tilts.open:
        assert list(dealer.table.tilts.open) == [41]
        dealer.key(True)
        dealer.send("CLEAR_TILT", **clear(dealer, 41))
        dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.spin("SECTION", TEN)
    assert dealer.last("SETTLED")["round"] == 2


def test_a_start_that_dies_twice_before_the_journal_is_open_leaves_the_flash_as_it_is():
    for reason in ("POWER_ON", "FAULT"):
        dealer = None
        dealer = with_an_open_round()
        pages = list(dealer.flash.pages)
        dealer = dealer.again(program=die, reset_reason=reason)
        assert dealer.phase == "TILT"
        assert dealer.table.tilts.open[41]["task"] == "program"
        try_everything(dealer)
        assert dealer.flash.pages == pages
        goes_on(dealer)


def test_a_start_that_dies_anywhere_in_its_reading_writes_tilts_only_and_erases_nothing():
    reads = 0
    whole = False
    while not whole:
        dealer = None
        dealer = with_an_open_round()
        before = dealer.records()
        flash = dealer.flash
        dealer = dealer.again(store=Store(flash, reads), reset_reason="FAULT")
        dealer.hal.store.left = -1
        assert dealer.table.tilts.open[41]
        whole = dealer.table.records.started
        if not whole:
            try_everything(dealer)
            dealer = dealer.again(reset_reason="FAULT")
            records = dealer.records()
            assert records[: len(before)] == before
            added = [kind for kind, _ in records[len(before) :]]
            assert set(added[: added.index("BOOT")]) <= {"TILT"}
            goes_on(dealer)
        reads += 7
    assert reads > 84, "it was cut in its reading and after it"


def test_a_start_that_dies_later_is_cleared_by_the_next_one_only():
    for name, recorded in (("read_back", ["TILT"]), ("stand", ["TILT"]), ("self_test", ["BOOT", "TILT"])):
        dealer = None
        dealer = with_an_open_round()
        before = len(dealer.records())
        flash = dealer.flash
        dealer = None
        dealer = Dealer(flash, Hal(flash), boot=False)
        table = dealer.table
        real = getattr(table, name)
        setattr(table, name, die)
        table.boot()
        setattr(table, name, real)
        dealer.pass_time(1100)
        assert dealer.phase == "TILT"
        try_everything(dealer)
        assert [kind for kind, _ in dealer.records()[before:]] == recorded
        real = table = None
        goes_on(dealer)


def far_back(sectors=16):
    """A table whose journal must be read far back: of its open round, the opening is sectors away."""
    dealer = with_an_open_round(sectors)
    for _ in range(40):
        dealer.spin("SHORT_SPIN", turns_milli=1000)
    return dealer


def opening(dealer):
    """The page of the record that opened the round that is open."""
    number = dealer.table.records.round_opened.to_bytes(4, "big")
    pages = dealer.flash.pages
    return next(page for page in range(len(pages)) if pages[page][:2] == b"WJ" and pages[page][4:8] == number)


def test_a_damaged_journal_is_not_summed_up_by_the_start_that_could_not_read_it():
    dealer = far_back()
    flash, page = dealer.flash, opening(dealer)
    whole = flash.pages[page]
    flash.pages[page] = bytes(256)
    for _ in range(3):  # a BOOT with what little was found would make the next start believe it
        dealer = dealer.again()
        assert dealer.phase == "TILT"
        assert list(dealer.table.tilts.open) == [51]
        try_everything(dealer)
    flash.pages[page] = whole
    dealer = dealer.again()
    assert list(dealer.table.tilts.open) == [51]
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 51))
    dealer.key(False)
    goes_on(dealer)


def test_a_program_that_finds_a_damaged_journal_does_not_approve_itself():
    dealer = far_back()
    flash, page = dealer.flash, opening(dealer)
    whole = flash.pages[page]
    flash.pages[page] = bytes(256)
    dealer = dealer.again(program=lambda: iter([("boot.py", b"other")]))
    flash.pages[page] = whole
    dealer = dealer.again(program=lambda: iter([("boot.py", b"other")]))
    assert sorted(dealer.table.tilts.open) == [42, 51]
    assert [kind for kind, _ in dealer.records()].count("APPROVED") == 1


def test_damage_that_the_start_needs_not_read_is_not_cleared_while_it_is_there():
    dealer = with_an_open_round(16)
    dealer.send("VOID", reason="")
    for _ in range(40):
        dealer.key(True)
        dealer.key(False)
    dealer = dealer.again()
    whole, dealer.flash.pages[20] = dealer.flash.pages[20], bytes(256)
    dealer.send("SELF_TEST")
    dealer.tick(5, 50)
    assert sorted(dealer.table.tilts.open) == [43, 51]
    dealer = dealer.again()
    assert dealer.table.journal.damaged == 0
    assert dealer.table.records.started
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 43))
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 51))[0] == 4004
    dealer.key(False)
    dealer.flash.pages[20] = whole
    dealer = dealer.again()
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 51))
    dealer.key(False)
    assert dealer.phase == "READY"


def test_a_journal_that_turns_out_damaged_when_a_tilt_is_cleared_stops_play_at_once():
    dealer = far_back()
    dealer.table.stop(21, {"count": 3})
    dealer.flash.pages[opening(dealer)] = bytes(256)
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 21)) == (4002, {"tilt": 51})
    assert dealer.table.play.round is not None
    dealer.key(False)
    assert dealer.phase == "TILT"


def test_a_round_of_another_game_than_the_table_plays_is_a_tilt_until_that_game_is_configured():
    for round_of, plays in (("dreamcatcher", "luxor"), ("luxor", "dreamcatcher")):
        dealer = None
        dealer = Dealer(Flash(24), game=round_of)
        dealer.send("OPEN_BETS")
        dealer.send("WAGER", bets=[[1, "10" if round_of == "dreamcatcher" else "Luxor", 1000]])
        dealer.board = {"game": plays}
        dealer = dealer.again()
        reason = "round 1 is of %s, but the table plays %s" % (round_of, plays)
        assert dealer.phase == "TILT"
        assert dealer.table.tilts.open == {53: {"reason": reason}}
        dealer.tick(5, 50)
        dealer.send("STATUS")
        dealer.key(True)
        assert dealer.refused("CLEAR_TILT", **clear(dealer, 53)) == (4004, {"tilt": 53, "reason": reason})
        dealer.send("CONFIGURE", **configuration(dealer, {"game": round_of}))
        dealer.send("CLEAR_TILT", **clear(dealer, 53))
        dealer.key(False)
        assert dealer.phase == "BETS_OPEN"
        dealer = dealer.again()
        assert dealer.phase == "BETS_OPEN"
        assert dealer.table.play.shown is dealer.table.play.round, "it is shown after a restart too"


def test_a_failure_of_the_lamps_does_not_break_the_handling_of_a_failure():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer.table.show.picture = die
    dealer.hal.lights.bits = 7
    dealer.table.stop(21, {"count": 3})
    assert dealer.phase == "TILT"
    assert dealer.last("TILT")["tilt"] == 21
    assert dealer.last("SPIN")["why"] == "TILT"
    assert (dealer.hal.lights.bits, dealer.hal.lights.state) == (0, "tilt")
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 21))[1]["reason"] == "lights has stopped; restart the table"


def test_a_store_that_breaks_in_the_handling_of_a_failure_leaves_the_table_stopped():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer.flash.program = die
    dealer.sensor.tick = die
    dealer.tick(5)
    assert dealer.phase == "TILT"
    assert sorted(dealer.table.tilts.open) == [41, 51]
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 41})
    assert dealer.table.journal.ready() == 0, "a number that may stand in the flash is not given again"


def test_a_wheel_whose_sensing_died_while_it_turned_lets_the_table_be_restarted():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer.sensor.tick = die
    dealer.tick(5)
    assert dealer.sensor.moving
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 41))[0] == 4004
    dealer.tick(30, 50)
    dealer.send("VERIFY", algorithm="sha256")
    dealer.send("RESTART", **sign(dealer, "RESTART", reason="HOST"))
    dealer.tick(30, 10)
    assert dealer.hal.resets[-1] == "HOST"


def test_flash_is_erased_while_the_wheel_turns_only_when_nobody_can_tell_that_it_does():
    for part in ("lights", "inputs", "round", "wheel", "sensing"):
        dealer = None
        dealer = Dealer()
        dealer.open_round([1, "10", 1000])
        dealer.push()
        if part == "lights":
            dealer.table.show.draw = die
        elif part == "inputs":
            dealer.hal.inputs.read = die
        elif part == "round":
            dealer.table.spins.watch = die
        elif part == "wheel":
            dealer.hal.wheel.poll = die
        else:
            dealer.sensor.tick = die
        asked = [0]

        def idle(asked=asked):
            asked[0] += 1

        dealer.table.journal.idle = idle
        dealer.tick(15)
        assert dealer.table.dead == [part]
        blind = part == "wheel" or part == "sensing"
        assert (dealer.table.moves(), asked[0] > 0) == (not blind, blind), part


def test_inputs_that_died_leave_the_service_key_as_it_is_now():
    dealer = Dealer()
    dealer.key(True)
    read = dealer.hal.inputs.read
    dealer.hal.inputs.read = die
    dealer.tick()
    assert dealer.table.dead == ["inputs"]
    dealer.hal.inputs.read = read
    dealer.key(False)
    assert dealer.refused("RESTART", **sign(dealer, "RESTART", reason="HOST")) == (1009, {})
    dealer.key(True)
    assert dealer.send("RESTART", **sign(dealer, "RESTART", reason="HOST")) == {}


def test_a_self_test_that_a_full_journal_does_not_take_stops_play_all_the_same():
    dealer = Dealer()
    dealer.table.settings_fault = "made up"
    write = dealer.table.records.write

    def full(kind, payload):
        if kind == kinds.SELF_TEST:
            raise Stop(52)
        return write(kind, payload)

    dealer.table.records.write = full
    assert dealer.refused("SELF_TEST") == (4002, {"tilt": 52})
    assert sorted(dealer.table.tilts.open) == [43, 52]
