"""Must-Hit-By Mystery bonus against its thirteen sections (tests/data/seeds/must_hit_by.txt), by paragraph."""

from tabletop.chance import commitment
from tabletop.chance.drbg import HmacDrbg
from tabletop.chance.uniform import uniform
from tabletop.rules.progressive import must_hit_by as game

try:
    from tests.vm import bonus_round, progressive_round, seed_tables
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round
    import progressive_round
    import seed_tables

named, settings_of, error_of = progressive_round.named, progressive_round.settings_of, progressive_round.error_of
SPOT = "progressive payout"
TEXT = bonus_round.seed_text("must_hit_by.txt")
SECTIONS = seed_tables.sections(TEXT)


class Hidden:
    """Keeps hidden values as the contract says: `values` are given in their order, or drawn by a seeded generator."""

    def __init__(self, *values):
        self._given = list(values)
        self._kept = {}
        self._drbg = HmacDrbg(b"a secret of the test, 32 bytes..", b"and a salt of 16 bytes", b"")
        self.hashes = {}
        self.opened = []

    def commit(self, name, n):
        assert name not in self._kept, name
        value = self._given.pop(0) if self._given else uniform(self._drbg.generate, n)
        assert 0 <= value < n
        nonce = self._drbg.generate(32)
        self._kept[name] = (value, nonce)
        self.hashes[name] = commitment.seal(value, nonce)

    def look(self, name):
        return self._kept[name][0]

    def disclose(self, name):
        value, nonce = self._kept[name]
        assert commitment.opens(self.hashes[name], value, nonce)
        self.opened.append((name, value))
        return value


def step(state, hidden, *given):
    before = repr(state)
    after, effects = game.step(state, given, hidden)
    assert repr(state) == before, "the step changed the state it was given"
    return after, effects


def run(state, hidden, *inputs):
    everything = []
    for given in inputs:
        state, effects = step(state, hidden, *given)
        assert not named(effects, "refuse"), effects
        everything += effects
    return state, everything


def refused(state, *given):
    after, effects = step(state, None, *given)
    assert after is state
    assert effects[0][0] == "refuse", effects
    return effects[0][1], effects[0][2]


def moment(hidden, bets, on=None, **changes):
    """A round up to its contributions: `bets` are (seat, mills)."""
    settings = settings_of(game, **changes)
    state = game.new(1, settings, on)
    if state["phase"] == "HIDE":
        state, _ = run(state, hidden, ("next",))
    spot = game.CHAPTERS[settings["chapter"]][1][0]
    state, _ = run(state, hidden, *[("wager", seat, spot, mills) for seat, mills in bets], ("no_more_bets",))
    return run(state, hidden, ("chips", len(bets), "D1"))


def printed(text):
    """(paytable, minimum wager) -> (minimum, maximum, rate in hundredths of a percent), from the lines of a section."""

    def number(line, head):
        assert line.startswith(head), line
        return line[len(head):].replace(",", "")

    found = {}
    lines = text.split("\n")
    for n in range(len(lines)):
        if lines[n].startswith("Paytable "):
            letter, dollars = lines[n].replace("Paytable ", "").replace(" Configuration", "").split("—$")
            assert lines[n + 1] == "Configuration " + letter
            assert number(lines[n + 2], "Minimum progressive wager amount—$") == dollars
            low = int(number(lines[n + 3], "Minimum dollar value $"))
            high = int(number(lines[n + 4], "Maximum dollar value $"))
            percent = number(lines[n + 5], "Incremental contribution rate ")
            assert percent.endswith("%")
            whole, _, tenths = percent[:-1].partition(".")
            assert (letter, int(dollars)) not in found
            found[letter, int(dollars)] = (low, high, int(whole) * 100 + int(tenths or 0) * 10)
    return found


def test_c_4_each_section_prints_these_twelve_configurations_and_the_product_has_no_others():
    assert len(SECTIONS) == 13
    assert sorted(SECTIONS) == sorted(game.CHAPTERS)
    for chapter in SECTIONS:
        found = printed(SECTIONS[chapter])
        assert len(found) == 12, chapter
        assert found == game.CONFIGURATIONS, chapter


def test_a_the_games_and_wagers_of_each_section_are_those_of_its_text():
    for chapter in SECTIONS:
        line = SECTIONS[chapter].split("\n(1) A player shall qualify")[1].split("\n")[0]
        title, spots = game.CHAPTERS[chapter]
        words = line.split("by placing a")[1].split(", as indicated")[0]
        words = words.lstrip("n ").replace("progressive payout or", "progressive payout wager or")
        parts = [part.strip() for part in words.replace(" and a ", " or ").replace(" or a ", " or ").split(" or ")]
        assert parts == [title + " wager"] + [spot + " wager" for spot in spots], chapter


def test_c_3_to_7_read_the_same_in_all_sections():
    for number in ("(3)", "(5)", "(6)", "(7)"):
        lines = [line for text in SECTIONS.values() for line in text.split("\n") if line.startswith(number)]
        assert len(lines) == 13
        assert len(set(lines)) == 1


def test_a_to_c_all_sections_play_alike_with_their_own_wagers():
    for chapter in game.CHAPTERS:
        spots = game.CHAPTERS[chapter][1]
        state, _ = run(game.new(1, settings_of(game, chapter=chapter)), Hidden(5), ("next",))
        for spot in game.SPOTS:
            if spot not in spots:
                assert refused(state, "wager", 1, spot, 1000) == (3001, {"spot": spot})
        bets = [("wager", seat, spots[0], 1000) for seat in (1, 2)]
        state, _ = run(state, Hidden(), *bets, ("no_more_bets",))
        assert state["bets"] == [[1, spots[0], 1000], [2, spots[0], 1000]]


def test_c_1_a_player_qualifies_with_the_wagers_that_are_indicated_and_with_their_minimum():
    changes = {"chapter": "641c.1", "paytable": "A", "minimum_wager": 2, "qualifying": ["Five-Card progressive payout"]}
    state, _ = run(game.new(1, settings_of(game, **changes)), Hidden(), ("next",))
    assert refused(state, "wager", 1, "Four-Card progressive payout", 2000)[0] == 3001
    assert refused(state, "wager", 1, "Five-Card progressive payout", 1999) == (3002, {"mills": 1999, "limit": 2000})
    assert refused(state, "wager", 1, "Five-Card progressive payout", 5001) == (3003, {"mills": 5001, "limit": 5000})
    state, _ = run(state, None, ("wager", 1, "Five-Card progressive payout", 5000))
    assert refused(state, "wager", 1, "Five-Card progressive payout", 2000)[0] == 3021


def test_c_1_a_seat_with_two_qualifying_wagers_contributes_with_both():
    hidden = Hidden(99999)
    state, _ = run(game.new(1, settings_of(game, chapter="641c.1")), hidden, ("next",))
    for spot in game.CHAPTERS["641c.1"][1]:
        state, _ = run(state, hidden, ("wager", 3, spot, 1000))
    state, _ = run(state, hidden, ("no_more_bets",), ("chips", 2, "D1"))
    assert state["meter"]["current"] == 100000 + 2 * 20


def test_c_2_each_configuration_contributes_its_rate_of_the_wager_to_the_mill():
    for letter, dollars in game.CONFIGURATIONS:
        low, high, rate = game.CONFIGURATIONS[letter, dollars]
        changes = {"paytable": letter, "minimum_wager": dollars}
        state, _ = moment(Hidden((high - low) * 1000 - 1), [(1, dollars * 1000)], **changes)
        added = dollars * 1000 * rate
        assert added % 10000 == 0
        assert state["meter"]["current"] == low * 1000 + added // 10000


def test_c_2_half_a_percent_of_five_dollars_is_two_and_a_half_cents():
    state, _ = moment(Hidden(249999), [(1, 5000)], paytable="C", minimum_wager=5)
    assert state["meter"]["current"] == 250025


def test_c_2_no_contribution_is_lost_whatever_is_left_below_a_mill():
    """Every rest that there can be, so this holds for ten million wagers and for any number of them."""
    for rate, mills in ((150, 2001), (50, 5003), (350, 1)):
        on = game.meter.opened({"seed": 1, "reseed": 1, "increment": rate, "reserve": 0, "limit": 0})
        for rest in range(10000):
            on["rest"] = rest
            after = game.meter.contribute(on, mills)
            assert (after["current"] - 1) * 10000 + after["rest"] == rest + rate * mills
            assert 0 <= after["rest"] < 10000


def test_c_3_the_bonus_hits_strictly_above_the_hidden_value_and_not_at_it():
    hidden = Hidden(20, 7)  # the meter is hidden at 100,020: one wager of $1 takes it exactly there
    state, effects = moment(hidden, [(4, 1000)])
    assert (state["phase"], effects) == ("DONE", [("meter", 100020), ("done",)])
    state, effects = moment(hidden, [(4, 1000)], state["meter"])
    assert named(effects, "opened", "hit", "lamp") == [
        ("opened", "must-hit-by 1", 100020), ("hit", 4, 100040), ("lamp", 4, game.BONUS),
    ]  # fmt: skip
    _, effects = moment(Hidden(19, 7), [(4, 1000)])
    assert named(effects, "hit") == [("hit", 4, 100020)]


def test_c_3_what_is_below_a_mill_counts_as_above():
    on = {"current": 100020, "rest": 0}
    assert not game.exceeds(on, 100020)
    assert game.exceeds({"current": 100020, "rest": 1}, 100020)
    assert not game.exceeds({"current": 100019, "rest": 9999}, 100020)
    assert game.exceeds({"current": 100021, "rest": 0}, 100020)


def test_c_3_wagers_of_one_moment_apply_seat_by_seat():
    hidden = Hidden(45, 99999)
    state, effects = moment(hidden, [(7, 1000), (2, 1000), (5, 1000)])
    assert named(effects, "hit") == [("hit", 7, 100060)]  # 2, 5, then 7: the third contribution passes 100,045
    hidden = Hidden(25, 99999)
    state, effects = moment(hidden, [(7, 1000), (2, 1000), (5, 1000)])
    assert named(effects, "hit") == [("hit", 5, 100040)]
    assert state["meter"]["current"] == 100020  # the contribution of seat 7 is on the meter that started anew


def test_c_3_two_seats_of_one_moment_can_each_pass_a_value_of_their_own():
    state, effects = moment(Hidden(0, 19, 500), [(1, 1000), (2, 1000), (3, 1000)])
    assert named(effects, "hit") == [("hit", 1, 100020), ("hit", 2, 100020)]
    assert [entry[0] for entry in named(effects, "hidden")] == ["hidden", "hidden"]
    assert state["meter"]["current"] == 100020


def test_c_3_the_value_lies_from_the_minimum_to_below_the_maximum():
    asked = []

    class Asked(Hidden):
        def commit(self, name, n):
            asked.append((name, n))
            Hidden.commit(self, name, n)

    for letter, dollars in game.CONFIGURATIONS:
        low, high, _ = game.CONFIGURATIONS[letter, dollars]
        settings = settings_of(game, paytable=letter, minimum_wager=dollars)
        _, effects = run(game.new(1, settings), Asked(), ("next",))
        assert asked[-1] == ("must-hit-by 1", (high - low) * 1000)
        assert effects == [("hidden", "must-hit-by 1", (high - low) * 1000)]


def test_c_3_the_highest_hidden_value_is_hit_when_the_meter_reaches_its_maximum():
    for letter, dollars in game.CONFIGURATIONS:
        low, high, rate = game.CONFIGURATIONS[letter, dollars]
        added = dollars * rate // 10
        settings = settings_of(game, paytable=letter, minimum_wager=dollars)
        hidden = Hidden((high - low) * 1000 - 1)
        state, _ = run(game.new(1, settings), hidden, ("next",))
        on = dict(state["meter"])
        on["current"] = high * 1000 - 2 * added
        state, effects = moment(hidden, [(1, dollars * 1000), (2, dollars * 1000)], on, **settings)
        assert named(effects, "hit") == [("hit", 2, high * 1000)]


def test_c_3_no_state_and_no_effect_tells_the_hidden_value_before_it_is_hit():
    """One round with two values that differ: all that can be seen is the same."""
    seen = []
    for value in (41234, 77777):
        hidden = Hidden(value)
        settings = settings_of(game)
        state, effects = run(game.new(1, settings), hidden, ("next",))
        after, more = run(state, hidden, ("wager", 1, SPOT, 1000), ("no_more_bets",), ("chips", 1, "D1"))
        seen.append(repr((state, effects, after, more)))
        assert hidden.opened == []
    assert seen[0] == seen[1]


def test_c_3_a_value_is_chosen_after_each_hit_and_before_any_further_contribution():
    hidden = Hidden(0)
    state, _ = moment(hidden, [(1, 1000)])
    assert hidden.opened == [("must-hit-by 1", 0)]
    assert sorted(hidden.hashes) == ["must-hit-by 1", "must-hit-by 2"]
    assert state["meter"]["hidden"] == "must-hit-by 2"
    following = game.new(2, state["settings"], state["meter"])
    assert following["phase"] == "BETS"


def test_c_3_nothing_is_wagered_before_a_value_is_hidden():
    state = game.new(1, settings_of(game))
    assert state["phase"] == "HIDE"
    assert refused(state, "wager", 1, SPOT, 1000)[0] == 4001


def test_c_4_another_configuration_takes_effect_after_the_next_hit_with_the_value_that_was_hidden():
    hidden = Hidden(70, 11)
    state, _ = moment(hidden, [(1, 1000)])  # A, $1: minimum $100, 2 %
    other = {"paytable": "C", "minimum_wager": 5}  # minimum $250, 0.5 %
    state, effects = moment(hidden, [(1, 5000)], state["meter"], **other)
    assert effects == [("opened", "must-hit-by 1", 100070), ("hit", 1, 100120), ("lamp", 1, game.BONUS),
                       ("hidden", "must-hit-by 2", 250000), ("meter", 250000)]  # fmt: skip
    state, effects = moment(hidden, [(1, 5000)], state["meter"], **other)
    assert named(effects, "hit") == [("hit", 1, 250025)]


def test_c_5_i_the_lamp_of_the_winner_is_lit_and_nobody_else_s():
    _, effects = moment(Hidden(25), [(2, 1000), (5, 1000), (6, 1000)])
    assert named(effects, "lamp") == [("lamp", 5, game.BONUS)]


def test_c_5_ii_a_floorperson_validates_and_not_the_dealer():
    state, _ = moment(Hidden(0, 9000), [(2, 1000), (5, 1000)])
    assert refused(state, "validate", 2, "D1") == (3028, {"operator": "D1"})
    assert refused(state, "validate", 2, "") == (3030, {})
    assert refused(state, "validate", 5, "F1") == (3027, {"seat": 5, "next": 2})


def test_c_5_iii_the_bonus_is_paid_beside_whatever_the_wager_itself_wins():
    state, _ = moment(Hidden(0, 9000), [(2, 1000)])
    state, effects = run(state, None, ("validate", 2, "F1"))
    assert effects == [("paid", 2, game.BONUS, 1000, 100020, "SLIP")]


def test_c_5_iv_the_meter_is_reset_to_the_minimum():
    for letter, dollars in game.CONFIGURATIONS:
        changes = {"paytable": letter, "minimum_wager": dollars}
        state, _ = moment(Hidden(0, 9000), [(1, dollars * 1000)], **changes)
        assert state["meter"]["hits"] == 1
        assert state["meter"]["current"] == game.CONFIGURATIONS[letter, dollars][0] * 1000


def test_c_6_paid_from_the_inventory_or_by_slip_as_the_house_submitted():
    state, _ = moment(Hidden(0, 9000), [(2, 1000)], paid_by="INVENTORY")
    state, effects = run(state, None, ("validate", 2, "F1"))
    assert effects == [("paid", 2, game.BONUS, 1000, 100020, "INVENTORY"), ("done",)]
    state, _ = moment(Hidden(0, 9000), [(2, 1000)], paid_by="SLIP")
    state, _ = run(state, None, ("validate", 2, "F1"))
    assert state["phase"] == "VALIDATE"
    state, effects = run(state, None, ("documented", 2))
    assert (state["phase"], effects) == ("DONE", [("cards go", 2), ("done",)])


def test_c_7_the_winner_is_paid_the_whole_meter_and_nothing_of_it_stays():
    state, effects = moment(Hidden(55, 9000), [(1, 1000), (2, 1000), (3, 5000)])
    assert named(effects, "hit") == [("hit", 3, 100140)]
    assert state["meter"]["current"] == 100000
    assert state["meter"]["won"] == 100140
    assert state["meter"]["house"] == 200000


def test_contributions_and_hits_of_many_rounds_add_up_exactly():
    """2,000 wagers of all seats and sizes, values drawn: what went in is on the meter or was won."""
    hidden = Hidden()
    on, seen, hits = None, 1, 0
    for _ in range(300):
        bets = []
        for seat in range(1, 8):
            seen = seen * 75 % 65537
            bets.append((seat, 1000 + seen % 49001))
        state, effects = moment(hidden, bets, on, max_mills=50000)
        hits += len(named(effects, "hit"))
        on = state["meter"]
    assert hits == on["hits"] > 10
    assert (on["current"] + on["won"] - on["house"]) * 10000 + on["rest"] == on["wagered"] * 200
    assert on["house"] == (hits + 1) * 100000
    for name, value in hidden.opened:
        assert 0 <= value < 100000, name


def test_a_round_is_void_before_the_contributions_only():
    state, _ = run(game.new(1, settings_of(game)), Hidden(), ("next",), ("wager", 1, SPOT, 1000), ("no_more_bets",))
    assert refused(state, "chips", 2, "D1") == (3022, {"chips": 2, "accepted": 1})
    after, effects = step(state, None, "void", "fire alarm")
    assert (after["phase"], effects) == ("VOID", [("return", 1, SPOT, 1000), ("done",)])
    assert after["meter"] == state["meter"]


def test_settings_that_cannot_be_are_refused_with_place_and_choice():
    assert error_of(lambda: settings_of(game, minimum_wager=3)) == "minimum_wager is 3, but must be one of 1, 2, 5"
    assert error_of(lambda: settings_of(game, paytable="E")) == "paytable is E, but must be one of A, B, C, D"
    assert error_of(lambda: settings_of(game, qualifying=["Four-Card progressive payout"])) == (
        "qualifying is Four-Card progressive payout, but must be one of progressive payout"
    )
    assert error_of(lambda: settings_of(game, minimum_wager=5, max_mills=4999)) == (
        "max_mills is 4999, but must be a whole number from 5000 to 1000000"
    )
    assert error_of(lambda: settings_of(game, paid_by="CAGE")) == "paid_by is CAGE, but must be one of INVENTORY, SLIP"
