"""Power cut at every flash operation of whole rounds: the table resumes that very round (design 3.2)."""

from tabletop.rules.rounds import follow

try:
    from tests.vm.dealer import SEVEN_TIMES, TEN, TWO_TIMES, Dealer, PowerCut, clear
except ImportError:
    from dealer import SEVEN_TIMES, TEN, TWO_TIMES, Dealer, PowerCut, clear


def opens(dealer):
    dealer.send("OPEN_BETS")


def wagers(dealer):
    dealer.send("WAGER", bets=[[1, "10", 1000], [2, "1", 3000]])


def closes(dealer):
    dealer.send("NO_MORE_BETS")


def settles(dealer):
    dealer.send("SETTLE")


def voids(dealer):
    dealer.send("VOID", reason="test")


def pushes(dealer):
    dealer.push()


def rests(outcome, section=-1, faults=()):
    return lambda dealer: dealer.rest(outcome, section, faults=faults)


PLAIN = [opens, wagers, closes, pushes, rests("SECTION", TEN), settles]
BONUS = [
    opens, wagers, closes, pushes, rests("SECTION", TWO_TIMES), pushes, rests("SHORT_SPIN"),
    pushes, rests("SECTION", SEVEN_TIMES), pushes, voids, rests("SECTION", TEN), pushes, rests("SECTION", TEN), settles,
]  # fmt: skip
VOIDED = [opens, wagers, closes, pushes, rests("BETWEEN_SECTIONS"), voids]
TILTED = [opens, wagers, closes] + [pushes, rests("FAULT", faults=("INDEX_MISMATCH",))] * 3


def follow_all(dealer):
    """The open round, by following every record of the journal: it is never at odds with itself."""
    current = None
    for kind, payload in dealer.records():
        current = follow(current, kind, payload)
    return current


def results(dealer):
    """(round, spin) -> how many SPIN records ended it."""
    count = {}
    for kind, payload in dealer.records():
        if kind == "SPIN" and payload["spin"]:
            key = payload["round"], payload["spin"]
            count[key] = count.get(key, 0) + 1
    return count


def check(dealer):
    """What must hold of a table that has just started, wherever its power was cut before."""
    current = follow_all(dealer)
    assert set(results(dealer).values()) <= {1}
    if dealer.phase == "TILT":
        assert list(dealer.table.tilts.open) == [21]
        dealer.key(True)
        dealer.send("CLEAR_TILT", **clear(dealer, 21))
        dealer.key(False)
        current = follow_all(dealer)
    assert dealer.phase == ("READY" if current is None else current.phase())
    if current is not None and current.owed is not None:
        assert current.settled is not None, "a result was not settled at the start"


def finish(dealer):
    """Plays the round to its end."""
    if dealer.phase == "BETS_OPEN":
        closes(dealer)
    if dealer.phase in ("NO_MORE_BETS", "BONUS"):
        dealer.spin("SECTION", TEN)
    if dealer.phase == "RESULT":
        settles(dealer)
        dealer.pass_time(6000)
    assert dealer.phase == "READY"


def drawn(dealer):
    """Sections of all counted spins so far, with their round."""
    return [
        (payload["round"], payload["section"])
        for kind, payload in dealer.records()
        if kind == "SPIN" and payload["counted"] and payload["outcome"] == "SECTION"
    ]


def watch(dealer, shown):
    """Collects what the first display shows."""
    dealer.hal.lights.on_show = lambda index, text: shown.append(text) if index == 0 else None


def cut_everywhere(name, steps):
    cut_at = 0
    while True:
        cut_at += 1
        dealer = Dealer()
        dealer.flash.cut_at = cut_at
        shown = []
        watch(dealer, shown)
        done = 0
        try:
            for step in steps:
                step(dealer)
                done += 1
                dealer.pass_time(200)
        except PowerCut:
            pass
        if done == len(steps):
            break
        dealer = dealer.again()
        check(dealer)
        if "10" in shown:
            assert drawn(dealer)[-1] == (1, TEN), "a result was shown that is not in the journal"
        before = drawn(dealer)
        dealer = dealer.again()
        check(dealer)
        assert drawn(dealer)[: len(before)] == before, "a second cut changed what was drawn"
        finish(dealer)
        assert dealer.table.play.meters["live"]["wagered_mills"] in (0, 4000)
    assert cut_at > 6
    print("round of a table, %s: %d cut points" % (name, cut_at - 1))


def test_a_power_cut_at_any_flash_operation_of_a_plain_round_resumes_it():
    cut_everywhere("plain", PLAIN)


def test_a_power_cut_at_any_flash_operation_of_a_round_with_bonus_spins_resumes_it():
    cut_everywhere("with bonus spins", BONUS)


def test_a_power_cut_at_any_flash_operation_of_a_voided_round_resumes_it():
    cut_everywhere("voided", VOIDED)


def test_a_power_cut_at_any_flash_operation_of_a_round_that_tilts_resumes_it():
    cut_everywhere("tilted", TILTED)


def test_a_cut_during_the_start_itself_loses_nothing():
    points = 0
    for steps in (PLAIN, TILTED):
        for until in range(1, len(steps)):
            for cut_at in range(1, 8):
                dealer = Dealer()
                for step in steps[:until]:
                    step(dealer)
                flash = dealer.flash
                flash.cut_at = cut_at
                dealer = None  # the VM has no room for two tables
                try:
                    Dealer(flash).pass_time(100)
                except PowerCut:
                    points += 1
                flash.cut_at = 0
                dealer = Dealer(flash)
                check(dealer)
                finish(dealer)
    print("start with an open round: %d cut points" % points)
    assert points > 40
