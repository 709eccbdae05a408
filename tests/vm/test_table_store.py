"""What stops a table at its start or in its store: settings, damage, a flash that fails."""

from tabletop.journal import kinds, record

try:
    from tests.vm.dealer import TEN, Dealer, Flash, clear
except ImportError:
    from dealer import TEN, Dealer, Flash, clear


def test_a_bad_setting_refuses_to_start_and_says_which():
    for settings, text in (
        ({"min_turns": 2}, "min_turns is 2, but must be a whole number from 3 to 20"),
        ({"min_mills": 0}, "min_mills is 0, but must be a whole number from 1 to 1000000000000"),
        ({"speed": 9}, "speed is not a setting of dreamcatcher"),
        ({"game": "roulette"}, "game roulette is not one of"),
    ):  # fmt: skip
        dealer = None
        dealer = Dealer(settings=settings)
        assert dealer.phase == "TILT"
        detail = dealer.last("TILT")["detail"]
        assert detail["test"] == "settings"
        assert detail["reason"].startswith(text), detail
        assert not dealer.last("SELF_TEST")["passed"]
    dealer = Dealer(counts_per_turn=100)
    assert dealer.phase == "TILT"
    assert "counts_per_turn 100" in dealer.last("TILT")["detail"]["reason"]


def test_a_bad_setting_can_be_cleared_only_when_it_is_mended():
    dealer = Dealer(settings={"min_turns": 2})
    dealer.key(True)
    code, detail = dealer.refused("CLEAR_TILT", **clear(dealer, 43))
    assert code == 4004
    assert detail["reason"].startswith("settings: min_turns is 2")
    dealer.settings = {"min_turns": 4}
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 43))
    dealer.key(False)
    dealer.send("OPEN_BETS")
    assert dealer.last("ROUND_OPENED")["min_turns"] == 4


def damaged(at):
    """A table that starts after a page of its journal was damaged."""
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.spin("SHORT_SPIN", turns_milli=900)
    dealer.flash.pages[at] = dealer.flash.pages[at][:1] + bytes(255)
    dealer.flash.erase = None  # nothing may be erased
    return dealer.again()


def test_a_journal_with_a_damaged_record_stops_play_and_erases_nothing():
    for page in (1, 5):  # of its first record, and later
        dealer = None
        dealer = damaged(page)
        assert dealer.phase == "TILT"
        assert 51 in dealer.table.tilts.open
        dealer.tick(50)
        dealer.key(True)
        assert dealer.refused("CLEAR_TILT", **clear(dealer, 51))[0] == 4004
        assert dealer.table.records.started is False, "how the table stands is not known, and no BOOT may say"


def spoilt():
    """A table that plays on while an old page of its journal, which nobody needs, goes bad."""
    dealer = Dealer()
    for _ in range(2):
        dealer.open_round([1, "10", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)
    dealer.flash.pages[4] = bytes(256)
    dealer.tick(50)
    assert dealer.phase == "READY"
    return dealer


def test_a_record_that_a_host_cannot_be_given_stops_play():
    dealer = spoilt()
    for number in range(1, 9):
        try:
            dealer.table.journal.read(number)
        except KeyError:
            break
    else:
        raise AssertionError("the page was not used")
    dealer.tick()
    assert dealer.phase == "TILT"
    assert dealer.last("TILT") == {"tilt": 51, "detail": {"record": number}}


def test_the_self_test_on_command_looks_at_every_record():
    dealer = spoilt()
    reply = dealer.send("SELF_TEST")
    assert not reply["passed"]
    assert reply["results"]["journal"].endswith("cannot be read back")
    assert dealer.phase == "TILT"


def test_memory_that_runs_out_in_an_append_leaves_no_number_twice():
    dealer = Dealer()
    dealer.send("OPEN_BETS")

    def exhausted(*_):
        raise MemoryError("made up")

    for name in ("digest", "intact", "number", "decode"):
        whole = getattr(record, name)
        setattr(record, name, exhausted)
        try:
            dealer.send("WAGER", bets=[[1, "10", 1000]])
        except MemoryError:
            pass
        finally:
            setattr(record, name, whole)
        dealer.tick()
    dealer.send("NO_MORE_BETS")
    dealer = dealer.again()
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.table.journal.damaged == 0


def test_a_command_that_cannot_be_recorded_is_refused_with_the_tilt():
    dealer = Dealer()
    dealer.flash.program = lambda address, buf: None
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 51})
    assert dealer.phase == "TILT"


def test_a_table_that_cannot_record_comes_into_service_all_the_same():
    dealer = Dealer()
    dealer.flash.program = lambda address, buf: None
    dealer.key(True)
    assert dealer.phase == "SERVICE"
    assert list(dealer.table.tilts.open) == [51]
    dealer.key(False)
    assert dealer.phase == "TILT"


def test_a_page_that_reads_back_wrong_once_is_a_tilt_that_can_be_cleared_after_a_restart():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    program, read = dealer.flash.program, dealer.flash.read
    seen = []

    def programs(address, buf):
        program(address, buf)
        if not seen:
            seen.append(address)

    def reads_wrong_once(address, buf):
        read(address, buf)
        if seen == [address]:
            seen.append(0)
            buf[10] ^= 4

    dealer.flash.program, dealer.flash.read = programs, reads_wrong_once
    assert dealer.refused("WAGER", bets=[[1, "10", 5000]])[0] == 4002
    dealer.flash.program, dealer.flash.read = program, read
    dealer = dealer.again()
    assert list(dealer.table.tilts.open) == [51], "the tilt has outlived the restart"
    assert dealer.table.journal.damaged == 0
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 51))
    dealer.key(False)
    assert dealer.phase == "BETS_OPEN"
    assert dealer.send("WAGER", bets=[[1, "10", 1000]])["mills"] == 1000, "the refused wager is not on the table"


def test_a_flash_that_does_not_take_a_record_stops_play_before_anything_is_shown():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()
    program = dealer.flash.program
    lost = []

    def fail_once(address, buf):
        if lost:
            program(address, buf)
        lost.append(address)

    dealer.flash.program = fail_once
    dealer.rest("SECTION", TEN)
    dealer.tick(10)
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [51]
    assert dealer.hal.lights.texts[0] != "10"
    dealer.flash.program = program
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [51]
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 51))
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    assert "SETTLED" not in dealer.kinds()


def test_no_start_has_to_read_far_back_however_long_no_round_was_played():
    dealer = Dealer(Flash(64))
    journal, records = dealer.table.journal, dealer.table.records
    far = 0
    for number in range(700):
        records.write(kinds.TIME_SET, {"unix_ms": number, "was_ms": 0})
        if number % 8 == 0:
            dealer.pass_time(200)
        far = max(far, journal.last - records.meters_from)
    assert 250 < far < 280, "and it is not written more often than that"
    assert journal.last < 710
