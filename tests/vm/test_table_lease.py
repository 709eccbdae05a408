"""Test mode that was for a session only ends with it, at every point of a round of cards or dice."""

try:
    from tests.vm.seated_table import act, finish, table_of
except ImportError:  # on the VM this folder itself is on the path
    from seated_table import act, finish, table_of

GAMES = ("match_the_dealer", "must_hit_by", "players_edge", "dice")  # each ends its rounds in its own way


def leased(game, acts):
    """A table whose test mode was for a session that is over now, after so many steps of a round; None: it was over."""
    dealer = table_of(game)
    dealer.table.play.test = True
    dealer.table.enter("TEST")
    dealer.send("OPEN_BETS")
    dealer.tick()
    for _ in range(acts):
        if dealer.table.play.round is None:
            return None
        act(dealer)
    dealer.table.records.lease = 77  # no link has that session
    dealer.tick(5)
    return dealer


def test_the_round_of_a_test_is_called_off_or_ended_and_the_next_ones_are_played():
    for game in GAMES:
        for acts in range(20):
            dealer = leased(game, acts)
            if dealer is None:
                break
            assert not dealer.table.tilts.open, (game, acts, dealer.table.tilts.open)
            if dealer.table.play.round is not None:
                assert dealer.phase in ("BONUS", "NO_MORE_BETS"), (game, acts)
                records = len(dealer.records())
                dealer.tick(20)
                assert len(dealer.records()) == records, "nothing is written again and again"
                finish(dealer)
            dealer.tick(5)
            assert (dealer.table.play.test, dealer.table.records.lease) == (False, 0), (game, acts)
            assert not [told for kind, told in dealer.records() if kind == "METER" and not told["test"]]
            dealer.table.play.test = True
            dealer.pass_time(6000)
            dealer.table.enter("TEST")
            dealer.send("OPEN_BETS")
            finish(dealer)
            assert not dealer.table.tilts.open, (game, acts, dealer.table.tilts.open)
            dealer = None  # the VM has no room for two tables
        assert acts > 3, game
