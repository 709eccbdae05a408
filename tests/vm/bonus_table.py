"""A whole round of any bonus game on a made-up table: the dealer, the players, the wheel and the time it takes."""

try:
    from tests.vm.dealer import Dealer, Flash
except ImportError:  # on the VM this folder itself is on the path
    from dealer import Dealer, Flash

GAMES = ("wonderspins", "money_mountain", "new_york", "luxor", "mgm_grand", "bellagio")
SPOTS = {
    "wonderspins": "2 Wonderspins", "money_mountain": "Money Mountain", "new_york": "New York, New York",
    "luxor": "Luxor", "mgm_grand": "MGM Grand", "bellagio": "Bellagio",
}  # fmt: skip
SECTIONS = 30, 0, 12, 36  # of the outer wheel: the Rabbit first, then No Win


def table_of(game, sectors=24, **how):
    """A table that plays `game`, with room for a long round."""
    return Dealer(Flash(sectors), game=game, tiles=512, **how)


def open_game(dealer, *bets):
    """A round with `bets` (seat, mills) whose bets are closed; the spot of the game."""
    spot = SPOTS[dealer.table.settings.game.NAME]
    dealer.open_round(*[[seat, spot, mills] for seat, mills in bets or ((1, 5000), (3, 2000))])
    return spot


def begun(dealer, *bets):
    """A round whose bonus game has begun."""
    dealer.send("BEGIN", spot=open_game(dealer, *bets))


def waits_for(dealer):
    """The phase of the game, "" when none is open."""
    round_ = dealer.table.play.round
    return round_.state["phase"] if round_ is not None else ""


def act(dealer):
    """The next thing that people, the wheel or the time do to an open round; a round with its result is settled."""
    phase = waits_for(dealer)
    if dealer.phase == "RESULT":
        dealer.send("SETTLE")
    elif phase == "BETS":
        dealer.send("NO_MORE_BETS")
    elif phase == "BEGIN":
        dealer.send("BEGIN", spot=SPOTS[dealer.table.settings.game.NAME])
    elif phase == "PRESS":
        dealer.send("PRESS", seat=1)
    elif phase == "CHOICE" and 1 not in dealer.table.play.round.state["choices"]:
        dealer.send("CHOOSE", seat=1, choice=2)
    elif phase == "SPIN":
        dealer.spin("SECTION", SECTIONS[min(dealer.table.play.round.spin, 3)])
    else:
        pass_step(dealer)


def pass_step(dealer):
    """Time goes by until the table has taken its next step or the players' time is over."""
    before = dealer.table.journal.last
    for _ in range(400):
        dealer.tick(1, 50)
        if dealer.table.journal.last > before or dealer.phase != "BONUS":
            return
    raise AssertionError("nothing happened in phase %s, %s" % (dealer.phase, waits_for(dealer)))


def finish(dealer):
    """Plays the open round to its end and closes it: the SETTLED record."""
    for _ in range(2000):
        if dealer.table.play.round is None:
            return dealer.last("SETTLED")
        act(dealer)
    raise AssertionError("the round does not end")


def draws_of(records):
    """(name, values) of each DRAW."""
    return [(payload["name"], payload["values"]) for kind, payload in records if kind == "DRAW"]
