"""T-42: a table starts only with the program approved on it; and the last games are there after any restart."""

try:
    from tests.vm.dealer import TEN, Dealer, Flash, Hal, PowerCut, clear
except ImportError:
    from dealer import TEN, Dealer, Flash, Hal, PowerCut, clear


def other_program():
    yield "boot.py", b"boot"
    yield "main.py", b"another"


def play(dealer):
    dealer.open_round([1, "10", 1000])
    dealer.tick(5, 110)
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)


def test_the_first_start_approves_its_program_and_the_same_one_starts_ever_after():
    dealer = Dealer()
    program = dealer.table.program
    assert dealer.last("APPROVED") == {"program": program, "operator": ""}
    dealer = dealer.again()
    assert dealer.phase == "READY"
    assert [name for name, _ in dealer.records()].count("APPROVED") == 1


def test_another_program_is_tilt_42_however_the_table_was_started_until_a_signed_clear_approves_it():
    dealer = Dealer(Flash(8))
    first = dealer.table.program
    for reason in ("POWER_ON", "UPDATE", "HOST"):
        dealer = dealer.again(program=other_program, reset_reason=reason)
        assert dealer.phase == "TILT"
        found = {"found": dealer.table.program[:4].hex(), "want": first[:4].hex()}
        assert dealer.table.tilts.open == {42: found}
        assert dealer.send("STATUS")["detail"] == {"42": found}
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 42})
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 42)) == (1009, {})
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 42, bytes(32))) == (1008, {})
    assert [name for name, _ in dealer.records()].count("APPROVED") == 1
    assert dealer.send("CLEAR_TILT", **clear(dealer, 42)) == {"tilts": []}
    approved = dealer.last("APPROVED")
    assert (approved["program"], approved["operator"]) == (dealer.table.program, "ann")
    dealer = dealer.again(program=other_program)
    assert dealer.phase == "READY"
    dealer = dealer.again()
    assert list(dealer.table.tilts.open) == [42], "the way back is a change too"


def test_a_result_is_not_settled_by_a_program_that_nobody_has_approved_or_that_fails_its_self_test():
    for tilt in (42, 43):
        dealer = None
        dealer = Dealer(Flash(8))
        dealer.open_round([1, "10", 1000])
        dealer.push()
        dealer.flash.cut_at = 2  # the result is in the journal, its settlement is not
        try:
            dealer.rest("SECTION", TEN)
        except PowerCut:
            pass
        if tilt == 42:
            dealer = dealer.again(program=other_program)
        else:
            dealer.settings = {"min_turns": 2}
            dealer = dealer.again()
        assert list(dealer.table.tilts.open) == [tilt]
        assert dealer.last("SPIN")["section"] == TEN
        assert "SETTLED" not in [name for name, _ in dealer.records()]
        assert dealer.table.play.meters["live"]["rounds"] == 0
        assert "result" not in dealer.send("STATUS")
        if tilt == 43:
            dealer.settings = {}
            dealer = dealer.again()
        dealer.key(True)
        dealer.send("CLEAR_TILT", **clear(dealer, tilt))
        dealer.key(False)
        assert dealer.phase == "RESULT"
        assert dealer.last("SETTLED")["pays"] == [[1, "10", 1000, 10, 10000, False]]


def test_the_approved_program_that_comes_back_leaves_the_tilt_for_service():
    dealer = Dealer()
    dealer = dealer.again(program=other_program)
    dealer = dealer.again()
    assert list(dealer.table.tilts.open) == [42]
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 42))
    dealer.key(False)
    assert dealer.phase == "READY"


def test_the_approval_outlives_the_turn_of_the_ring():
    dealer = Dealer(Flash(16))
    for _ in range(45):
        play(dealer)
        dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
        dealer.tick(20, 50)
    assert dealer.table.journal.first > 30
    assert dealer.again(program=other_program).table.tilts.open.get(42)
    assert not dealer.again().table.tilts.open.get(41)


def test_a_ring_that_was_filled_without_a_host_is_freed_by_its_first_anchor():
    dealer = Dealer(Flash(8))
    while dealer.phase == "READY":
        dealer = dealer.again()
        dealer.tick(30, 110)
    assert list(dealer.table.tilts.open) == [52]
    assert dealer.table.records.kept[0] > 16, "the approval was moved up while there was room"
    for _ in range(3):
        dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
        dealer.tick(30, 110)
    assert dealer.table.journal.free() > 40


def test_the_last_ten_games_are_there_after_a_restart_in_a_ring_that_has_turned():
    dealer = Dealer(Flash(16))
    assert dealer.send("GAMES") == {"games": {}}
    for number in range(1, 41):
        if number % 4:
            play(dealer)
        else:
            dealer.open_round([1, "10", 1000])
            dealer.send("VOID", reason="a guest fell ill")
        dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
        dealer.tick(10, 110)
    assert dealer.table.journal.first > 1
    dealer = dealer.again()
    games = dealer.send("GAMES")["games"]
    assert sorted(games) == [str(number) for number in range(31, 41)]
    ended = dict(games["39"])
    assert ended.pop("record") < dealer.table.journal.last
    assert ended == {
        "section": TEN, "symbol": "10", "multiplier": 1, "collected": 0, "paid": 10000, "test": False,
    }  # fmt: skip
    assert games["36"]["returned"] == 1000
    dealer.sensor.moving = True
    assert dealer.refused("GAMES")[0] == 4001


def test_a_start_with_a_full_ring_reads_no_more_of_the_flash_than_its_ends():
    dealer = Dealer(Flash(32))
    journal = dealer.table.journal
    for _ in range(20):
        play(dealer)
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    while journal.free() > 60:
        play(dealer)
    assert journal.first > 1
    flash = dealer.flash
    dealer = None
    hal = Hal(flash)
    reads = []
    real = flash.read
    flash.read = lambda address, buf: reads.append(address) or real(address, buf)
    dealer = Dealer(flash, hal)
    flash.read = real
    assert dealer.phase == "READY"
    # Per sector its first page, twice when it is used; the oldest and the two newest sectors; the newest records.
    assert len(reads) < 2 * 32 + 160, len(reads)
