"""Any order of commands, buttons, spins, faults, keys and power cuts: the phase table holds and no money is lost."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tabletop.drawn import Missing
from tabletop.link.endpoint import Refused
from tabletop.rules.rounds import follow
from tabletop.table.phases import COMMANDS, PLAY, TRANSITIONS

from tests.conftest import examples
from tests.vm.bonus_table import SPOTS, act
from tests.vm.dealer import NO_MORE_BETS, START, TEN, TWO_TIMES, VOID, Dealer, Flash, PowerCut, clear

COMMAND_ARGS: dict[str, dict[str, Any]] = {
    "OPEN_BETS": {}, "NO_MORE_BETS": {}, "SETTLE": {}, "VOID": {"reason": "machine"}, "SELF_TEST": {},
    "WAGER": {"bets": [[1, "10", 1000], [2, "1", 2000]]}, "TEST_MODE": {"on": True}, "STATUS": {}, "PING": {},
    "STATISTICS": {}, "DISPLAY": {}, "CHALLENGE": {}, "VERIFY": {"algorithm": "sha256"}, "SET_TIME": {"unix_ms": 1},
    "CLEAR_TILT": {"tilt": 21, "operator": "ann"}, "BEGIN": {"spot": "10"}, "CHOOSE": {"seat": 1, "choice": 2},
    "PRESS": {"seat": 1}, "GIVE": {"given": ["chips", 1, "D1"]}, "RESET_METER": {"reason": "no", "operator": "ann"},
}  # fmt: skip
# What a command may be refused with in a phase that takes it: by its signature, the rules, or for lack of room.
BY_THE_GAME = (1008, 3001, 3003, 3007, 3008, 3009, 3010, 3011, 3012, 4001, 4003, 4008, 4009, 4013)
OUTCOMES = [
    ("SECTION", TEN, ()), ("SECTION", TEN, ()), ("SECTION", 2, ()), ("SECTION", TWO_TIMES, ()), ("SHORT_SPIN", -1, ()),
    ("BETWEEN_SECTIONS", -1, ()), ("FAULT", -1, ("INDEX_MISMATCH",)), ("FAULT", -1, ("OBSTRUCTED",)),
]  # fmt: skip


class AnyOrder(RuleBasedStateMachine):
    game = ""
    bets = ((1, "10", 1000), (2, "1", 2000))

    def __init__(self) -> None:
        super().__init__()
        self.dealer = Dealer(Flash(24), **({"game": self.game} if self.game else {}))
        self.watch()

    def watch(self) -> None:
        """Every change of phase goes through the table of transitions."""
        table = self.dealer.table
        enter = table.enter

        def watched(phase: str) -> None:
            before = table.phase
            enter(phase)
            assert table.phase == phase
            assert phase == before or phase in TRANSITIONS[before]

        table.enter = watched

    def args_of(self, name: str) -> dict[str, Any]:
        return {"bets": [list(bet) for bet in self.bets]} if name == "WAGER" else COMMAND_ARGS[name]

    @rule(name=st.sampled_from(sorted(COMMAND_ARGS)))
    def command(self, name: str) -> None:
        dealer = self.dealer
        before = dealer.phase, dealer.table.journal.last, sorted(dealer.table.tilts.open)
        expected = name not in COMMANDS or (dealer.phase in COMMANDS[name][0] and not (before[2] and name in PLAY))
        code = 0
        try:
            dealer.send(name, **self.args_of(name))
        except Refused as refused:
            code = refused.code
        if code:
            assert (dealer.phase, dealer.table.journal.last, sorted(dealer.table.tilts.open)) == before
            assert code in (BY_THE_GAME if expected else (3006, 4001, 4002))
        else:
            assert expected

    @rule(bit=st.sampled_from([START, NO_MORE_BETS, VOID]))
    def button(self, bit: int) -> None:
        self.dealer.press(bit)

    @rule(turns=st.sampled_from([100, 249, 250, 3500]))
    def push(self, turns: int) -> None:
        self.dealer.push(turns)

    @rule(how=st.sampled_from(OUTCOMES), turns=st.sampled_from([100, 4000]))
    def rest(self, how: tuple[str, int, tuple[str, ...]], turns: int) -> None:
        outcome, section, faults = how
        if outcome == "SECTION":
            turns = 4000
        self.dealer.rest(outcome, section, turns_milli=turns, faults=faults)

    @rule(how=st.sampled_from(OUTCOMES))
    def whole_round(self, how: tuple[str, int, tuple[str, ...]]) -> None:
        """A shortcut to deep states."""
        dealer = self.dealer
        for bit in (START, START, NO_MORE_BETS):
            dealer.press(bit)
        if not dealer.sensor.moving:
            dealer.push()
        self.rest(how, 4000)

    @rule()
    def wheel_stands_without_a_spin(self) -> None:
        self.dealer.sensor.moving = False
        self.dealer.tick()

    @rule(on=st.booleans())
    def key(self, on: bool) -> None:
        self.dealer.key(on)

    @rule()
    def time_passes(self) -> None:
        self.dealer.pass_time(6000)

    @precondition(lambda self: self.dealer.table.tilts.open)
    @rule()
    def cleared(self) -> None:
        dealer = self.dealer
        dealer.key(True)
        for tilt in sorted(dealer.table.tilts.open):
            if not dealer.table.dead:
                dealer.send("CLEAR_TILT", **clear(dealer, tilt))
        dealer.key(False)

    @rule()
    def something_dies(self) -> None:
        def die(*_: object) -> None:
            raise ValueError("made up")

        self.dealer.sensor.tick = die
        self.dealer.tick()

    @rule()
    def anchored(self) -> None:
        journal = self.dealer.table.journal
        self.dealer.send("ANCHOR", number=journal.last, hash=journal.head)
        self.dealer.pass_time(500)

    @rule()
    def power_cut(self) -> None:
        self.dealer = self.dealer.again()
        self.watch()

    @rule(after=st.integers(1, 4))
    def power_cut_in_a_round(self, after: int) -> None:
        self.dealer.flash.cut_at = after
        try:
            self.whole_round(OUTCOMES[0])
            self.dealer.press(START)
        except PowerCut:
            pass
        self.power_cut()

    @invariant()
    def the_phase_is_one_of_them_and_follows_from_the_journal(self) -> None:
        dealer = self.dealer
        table = dealer.table
        assert dealer.phase in TRANSITIONS
        assert (dealer.phase == "TILT") <= bool(table.tilts.open)
        if table.tilts.open:
            assert dealer.phase in ("TILT", "SERVICE")
        elif table.play.round is not None and dealer.phase != "SERVICE":
            assert dealer.phase == table.play.round.phase()
        elif dealer.phase not in ("SERVICE", "SETTLED"):
            assert dealer.phase == ("TEST" if table.play.test else "READY")

    @invariant()
    def the_journal_holds_one_end_of_each_spin_and_every_mill(self) -> None:
        ended: set[tuple[int, int]] = set()
        staked: dict[int, int] = {}
        current = None
        begins_mid_round = True
        for kind, payload in self.dealer.records():
            if kind == "ROUND_OPENED":
                begins_mid_round = False
            if begins_mid_round:
                continue
            current = follow(current, kind, payload)
            if current is not None and current.given is not None:
                try:
                    current.go_on()  # at once, as the table does it
                except Missing:
                    pass
            if kind == "SPIN" and payload["spin"]:
                key = payload["round"], payload["spin"]
                assert key not in ended
                ended.add(key)
            elif kind == "WAGERS":
                staked[payload["round"]] = staked.get(payload["round"], 0) + sum(bet[2] for bet in payload["bets"])
            elif kind == "SETTLED":
                on_winners = sum(pay[2] for pay in payload["pays"])
                assert staked.pop(payload["round"], 0) == payload["collected"] + on_winners
            elif kind == "ROUND_VOIDED":
                assert staked.pop(payload["round"], 0) == payload["returned"]
        open_round = self.dealer.table.play.round
        if not self.dealer.table.tilts.open:
            assert (current is None) is (open_round is None)
            assert open_round is None or current.state == open_round.state
        assert set(staked) <= ({open_round.number} if open_round is not None else set())


class AnyOrderOfABonusGame(AnyOrder):
    """The same with inputs, steps and draws."""

    def args_of(self, name: str) -> dict[str, Any]:
        return {"spot": SPOTS[self.game]} if name == "BEGIN" else super().args_of(name)

    @rule(steps=st.integers(1, 12))
    def plays_on(self, steps: int) -> None:
        """A shortcut into the game."""
        dealer = self.dealer
        for name in ("OPEN_BETS", "WAGER", "NO_MORE_BETS", "BEGIN"):
            self.command(name)
        for _ in range(steps):
            if not dealer.table.tilts.open and dealer.table.play.round is not None and not dealer.sensor.moving:
                act(dealer)

    @rule(after=st.integers(1, 30))
    def power_cut_in_a_game(self, after: int) -> None:
        self.dealer.flash.cut_at = after
        try:
            self.plays_on(6)
        except PowerCut:
            pass
        self.power_cut()


class AnyOrderOfWonderspins(AnyOrderOfABonusGame):
    game = "wonderspins"
    bets = ((1, "2 Wonderspins", 1000), (2, "5 Wonderspins", 2000))


class AnyOrderOfMoneyMountain(AnyOrderOfABonusGame):
    game = "money_mountain"
    bets = ((1, "Money Mountain", 1000), (2, "Money Mountain", 2000))


class AnyOrderOfLuxor(AnyOrderOfABonusGame):
    game = "luxor"
    bets = ((1, "Luxor", 1000), (2, "Luxor", 2000))


AnyOrder.TestCase.settings = settings(max_examples=examples(25), stateful_step_count=40, deadline=None)
test_any_order_of_events_keeps_phases_and_money = AnyOrder.TestCase
for machine in (AnyOrderOfWonderspins, AnyOrderOfMoneyMountain, AnyOrderOfLuxor):
    machine.TestCase.settings = settings(max_examples=examples(10), stateful_step_count=30, deadline=None)
test_any_order_of_events_in_wonderspins = AnyOrderOfWonderspins.TestCase
test_any_order_of_events_in_money_mountain = AnyOrderOfMoneyMountain.TestCase
test_any_order_of_events_in_luxor = AnyOrderOfLuxor.TestCase
