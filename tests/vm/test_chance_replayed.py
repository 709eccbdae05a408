"""Every bonus game, cut after every single draw: the round resumes with the same draws, and none is drawn again."""

from tabletop.chance.draws import Draws
from tabletop.drawn import Replayed

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

error_of = bonus_round.error_of


class Source:
    """Bytes of a small generator: the same for the same seed, and counted."""

    def __init__(self, seed):
        self.state = seed
        self.taken = 0

    def __call__(self, n):
        self.taken += n
        out = bytearray()
        for _ in range(n):
            self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
            out.append(self.state >> 16 & 0xFF)
        return bytes(out)


def game_of(name):
    return __import__("tabletop.rules." + name, None, None, ["step"])


def inputs_of(game, state, spins):
    """What people do in a phase: the same for the same state, so that the journal would give it again."""
    phase = state["phase"]
    if phase in game.AUTOMATIC:
        return ("next",)
    if phase == "BEGIN":
        return ("begin", sorted(game.SPOTS)[0])
    if phase == "PRESS":
        return ("press", 1)
    if phase == "CHOICE":
        return ("timeout",)
    return ("spin", "SECTION", spins.pop(0))


def play(game, draws):
    state = game.new(1, bonus_round.settings_of(game))
    state, _ = game.step(state, ("wager", 1, sorted(game.SPOTS)[0], 5000))
    state, _ = game.step(state, ("no_more_bets",))
    spins = [4, 18, 7, 0, 30, 12] + [0, 12, 36] * 40
    while state["phase"] != "DONE":
        state, effects = game.step(state, inputs_of(game, state, spins), draws)
    return state, effects


def cut_after_every_draw(name):
    game = game_of(name)
    journal = []

    def commit(*record):
        journal.append(record)

    whole = play(game, Draws(Source(77), commit, 500))
    records = list(journal)
    assert [record[0] for record in records] == list(range(501, 501 + len(records)))
    assert play(game, Replayed(records)) == whole, "the journal alone gives the round again"
    for cut in range(len(records)):
        journal[:] = records[:cut]
        source = Source(cut)
        resumed = play(game, Replayed(records[:cut], Draws(source, commit, 500 + cut)))
        assert journal[:cut] == records[:cut]
        assert [record[0] for record in journal] == list(range(501, 501 + len(journal)))
        assert source.taken > 0
        assert play(game, Replayed(journal)) == resumed, "cut %d" % cut
    return len(records)


def test_wonderspins_resumes_after_a_cut_at_every_draw():
    assert cut_after_every_draw("wonderspins") > 8


def test_money_mountain_resumes_after_a_cut_at_every_draw():
    assert cut_after_every_draw("money_mountain") > 30


def test_new_york_resumes_after_a_cut_at_every_draw():
    assert cut_after_every_draw("new_york") == 15


def test_luxor_resumes_after_a_cut_at_every_draw():
    assert cut_after_every_draw("luxor") >= 25


def test_mgm_grand_resumes_after_a_cut_at_every_draw():
    assert cut_after_every_draw("mgm_grand") == 14


def test_bellagio_resumes_after_a_cut_at_every_draw():
    assert cut_after_every_draw("bellagio") == 79


def test_a_round_whose_last_draw_is_journalled_takes_nothing_from_the_generator():
    game = game_of("new_york")
    journal = []
    play(game, Draws(Source(3), lambda *record: journal.append(record), 0))
    source = Source(9)
    play(game, Replayed(journal, Draws(source, None, len(journal))))
    assert source.taken == 0


def test_a_journal_that_contradicts_the_rules_is_an_error_and_never_a_result():
    draws = Replayed([[7, "light", [12], [3]]])
    assert error_of(draws.draw, "torch", [4]) == "draw 7 is light, but the game draws torch"
    assert error_of(draws.draw, "light", [11]) == "draw 7 is light, but the game draws light"
    assert draws.uniform("light", 12) == 3
    assert error_of(draws.uniform, "light", 12) == "the draw light is not in the journal"
    assert error_of(Replayed([[7, "light", [12], [12]]]).draw, "light", [12]) == "draw 7 (light) has 12 outside of 12"
