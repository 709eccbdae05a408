"""A round of cards or dice always has room to end: what people or sensors repeat stops before that is gone."""

from tabletop.link.endpoint import Refused

try:
    from tests.vm.seated_table import ROUNDS, chip, finish, give, table_of
    from tests.vm.test_table_shaker import ready, run, started
except ImportError:  # on the VM this folder itself is on the path
    from seated_table import ROUNDS, chip, finish, give, table_of
    from test_table_shaker import ready, run, started

MATCH = "match_the_dealer"


def again_and_again(dealer, *acts):
    """Each of `acts` in turn until one is refused for want of room, or writes no more: the pages that are free then."""
    for _ in range(600):
        before = dealer.table.journal.free()
        for act in acts:
            if act() == 4003:
                return dealer.table.journal.free()
        if dealer.table.journal.free() == before:
            return before
    raise AssertionError("it never stops")


def code(dealer, name, **args):
    """0, or why the command is refused."""
    try:
        dealer.send(name, **args)
    except Refused as refused:
        return refused.code
    return 0


def small_table(game, **how):
    """A table with a ring that a single round can fill."""
    return table_of(game, sectors=24, **how)


def test_wagers_that_are_placed_and_taken_back_leave_room_for_the_round():
    dealer = small_table(MATCH)
    dealer.send("OPEN_BETS")
    bets = ROUNDS[MATCH][0]
    free = again_and_again(
        dealer,
        lambda: code(dealer, "WAGER", bets=[list(bets[0])]),
        lambda: code(dealer, "GIVE", given=["take_back", 1]),
    )
    assert free >= 110, free
    assert dealer.phase == "BETS_OPEN" and not dealer.table.tilts.open
    bets = dealer.table.play.round.state["bets"]
    dealer.send("NO_MORE_BETS")
    for given in (["chips", len(bets), "D1"], ["hand", 1, "2S 3S"], ["dealt", "AS"]):
        if bets:
            give(dealer, *given)
    dealer.send("SETTLE")
    assert dealer.table.play.round is None


def test_chips_that_flicker_leave_room_for_the_round():
    dealer = small_table(MATCH)
    dealer.send("OPEN_BETS")
    free = again_and_again(dealer, lambda: chip(dealer, 1), lambda: chip(dealer, 1, False))
    assert free >= 110, free
    assert dealer.phase == "BETS_OPEN" and not dealer.table.tilts.open


def test_misdeals_and_refusals_leave_room_for_the_round():
    dealer = small_table(MATCH)
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[list(bet) for bet in ROUNDS[MATCH][0]])
    dealer.send("NO_MORE_BETS")
    again_and_again(dealer, lambda: code(dealer, "GIVE", given=["hand", 1, "AS AS"]))  # before the count
    give(dealer, "chips", 3, "D1")
    free = again_and_again(
        dealer,
        lambda: code(dealer, "GIVE", given=["hand", 1, "AS AS"]),
        lambda: code(dealer, "GIVE", given=["misdeal", "a card fell"]),
    )
    assert free >= 110, free
    finish(dealer)
    assert dealer.table.play.round is None and not dealer.table.tilts.open


def test_what_is_refused_again_and_again_is_written_sixty_times_a_round():
    # a fresh look: 900 refused inputs of somebody at the port filled a journal that nobody pulled
    dealer = small_table(MATCH)
    written = []
    for _ in range(2):
        dealer.send("OPEN_BETS")
        for n in range(100):
            assert code(dealer, "GIVE", given=["hand", 1 + n % 7, "AS KH"]) == 4001
        written.append(len([kind for kind, _ in dealer.records() if kind == "REFUSED"]))
        dealer.send("VOID", reason="the end of the test")
    assert written == [60, 120]


def test_a_lid_that_goes_on_and_off_leaves_room_for_the_round():
    # a fresh look: 177 lids in one round filled the journal, and the table stopped (T-52) in an open round
    dealer = ready("MANUAL")

    def lid(on):
        dealer.hal.cup.lid = on
        run(dealer, 200)

    free = again_and_again(dealer, lambda: lid(True), lambda: lid(False))
    assert free >= 110, free
    shakes = started(dealer)
    assert shakes > 50 and not dealer.table.tilts.open
    lid(True)
    lid(False)
    assert started(dealer) == shakes, "no shake begins that could not be recorded"
    dealer.send("VOID", reason="the journal is full")
    assert dealer.table.play.round is None


def test_players_that_are_selected_in_turn_leave_room_for_the_round():
    dealer = ready()
    free = again_and_again(
        dealer,
        lambda: code(dealer, "GIVE", given=["select", 1]),
        lambda: code(dealer, "GIVE", given=["select", 3]),
    )
    assert free >= 110 and not dealer.table.tilts.open, free
