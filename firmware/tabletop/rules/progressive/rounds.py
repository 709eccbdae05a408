"""A round of a wager on cards or dice from its journal records: `bonus_rounds` with the dealer's inputs and a meter.

Inputs are GIVEN records, and to the step of one belong the DRAW, COMMITTED and OPENED records that follow it. A GIVEN
of "chips" carries the mills that these wagers contribute: its record number names the contribution for ever. That of
"validate" carries the share of a linked meter that is claimed. A round on a meter is opened with it (ROUND_OPENED
`meter`), and METER keeps it before the round is closed or voided.
"""

from tabletop.drawn import Missing, Replayed
from tabletop.rules.bonus_rounds import BonusRound, Zeros
from tabletop.rules.progressive import meter
from tabletop.rules.progressive.pays import INVENTORY

# What the dealer, a floorperson or a host enters: name -> kinds of the arguments, i for a number and s for a text.
INPUTS = {
    "take_back": "i", "chips": "is", "hand": "is", "dealt": "s", "misdeal": "s", "award": "iis", "validate": "is",
    "documented": "i", "hole": "s", "low": "s", "dice": "iii", "card": "is", "double": "iis", "rescue": "i",
    "dealer": "s", "select": "i", "roll": "iiiiii",
}  # fmt: skip
_NEVER = 1 << 62  # no meter goes above it


def well_formed(given: list) -> bool:
    """Whether this is an input with arguments of the right kinds, whatever the rules say to it."""
    kinds = INPUTS.get(given[0]) if given and type(given[0]) is str else None
    if kinds is None or len(given) != len(kinds) + 1:
        return False
    for n in range(len(kinds)):
        if type(given[n + 1]) is not (int if kinds[n] == "i" else str):
            return False
    return True


class Pledged(Replayed):
    """The draws of a step, and its hidden values: those of its records first, in their order, then those of `live`.

    `pledges` are [COMMITTED or OPENED, payload]. `over`: the step has all its records; a value that it did not open
    was not exceeded in it. Otherwise, and without anything live, a further one is Missing.
    """

    def __init__(self, draws: list, pledges: list, live, over: bool, mode: str) -> None:
        Replayed.__init__(self, draws, live)
        self._pledges = pledges
        self._pledged = 0
        self._over = over
        self._mode = mode  # before a name; the values of a test are not those of live play

    def commit(self, name: str, n: int) -> None:
        """A hidden value is chosen from 0 .. n - 1."""
        payload = self._next("COMMITTED", self._mode + name)
        if payload is None:
            self._live.commit(self._mode + name, n)
        elif payload["range"] != n:
            raise ValueError("%s is hidden in %d, but the game hides it in %d" % (name, payload["range"], n))

    def look(self, name: str) -> int:
        """A hidden value, for the rules only."""
        name = self._mode + name
        for kind, payload in self._pledges:
            if kind == "OPENED" and payload["name"] == name:
                return payload["value"]
        if self._live is not None:
            return self._live.look(name)
        if not self._over:
            raise Missing("%s is not in the journal" % name)
        return _NEVER

    def disclose(self, name: str) -> int:
        """The hidden value, opened for everybody."""
        payload = self._next("OPENED", self._mode + name)
        return self._live.disclose(self._mode + name) if payload is None else payload["value"]

    def _next(self, kind: str, name: str) -> "dict | None":
        if self._pledged == len(self._pledges):
            if self._live is None:
                raise Missing("the value %s is not in the journal" % name)
            return None
        found, payload = self._pledges[self._pledged]
        if found != kind or payload["name"] != name:
            raise ValueError("%s is %s, but the game has %s of %s" % (payload["name"], found, kind, name))
        self._pledged += 1
        return payload

    def finish(self) -> None:
        """ValueError unless every record was used."""
        Replayed.finish(self)
        if self._pledged < len(self._pledges):
            found, payload = self._pledges[self._pledged]
            raise ValueError("%s of %s is one too many" % (found, payload["name"]))


class ProgressiveRound(BonusRound):
    """A BonusRound whose state holds a meter, where its game has one.

    `returned` mills of pushes and the like ; `meter_kept`: the state's meter that METER has kept ;
    `nonces` are of claims of a linked meter, by seat: what an award is signed over, never the same in two journals ;
    `sensed` has a bit, seat 1 the lowest, for each
    wager that came by a sensor, and no command named it, until the bets are closed.
    """

    inputs = tuple(INPUTS) + ("next", "shaking", "shake")  # and what the table itself gives

    def __init__(self, opened: dict) -> None:
        BonusRound.__init__(self, opened)
        if "meter" in opened:
            on = dict(opened["meter"])
            on["recent"] = []  # those of before are in the METER record
            self.state = self.game.new(self.number, opened["settings"], on)
        self.meter_kept: "dict | None" = None
        self.nonces: dict = {}
        self.sensed = 0
        self._pays: list = []
        self.returned = 0
        self._pledges: list = []
        self._over = False

    def phase(self) -> str:
        """The table's phase that follows from the records so far."""
        if self.over or self.owed is not None:
            return "SETTLED" if self.over else "RESULT"
        return {
            "HIDE": "BETS_OPEN", "BETS": "BETS_OPEN", "COUNT": "NO_MORE_BETS", "BEGIN": "NO_MORE_BETS",
        }.get(self.state["phase"], "BONUS")  # fmt: skip

    def draws(self, live=None):
        """What the step of `given` draws from."""
        return Pledged(self._draws, self._pledges, live, self._over, "test " if self.test else "")

    def go_on(self, live=None) -> None:
        BonusRound.go_on(self, live)
        self._pledges = []

    def also(self, given: tuple) -> dict:
        """What the record of an input names besides: `mills` of wagers that contribute, `share` of a linked meter."""
        if given[0] == "chips":
            return {"mills": self.wagered_mills()}
        if given[0] == "validate":
            for effect in self.game.step(self.state, given)[1]:
                if effect[0] == "claim":
                    return {"share": effect[2], "nonce": self.nonces.get(given[1], b"")}
        return {}

    def take(self, kind: str, payload: dict) -> None:
        if kind == "COMMITTED" or kind == "OPENED":
            if self.given is None:
                raise ValueError("%s of round %d belongs to no step" % (payload["name"], self.number))
            self._pledges.append([kind, payload])
        elif kind == "METER":
            self._end_step()
            self._kept(payload)
        else:
            BonusRound.take(self, kind, payload)
            if kind == "WAGERS" and "cmd" not in payload:
                for bet in payload["bets"]:
                    self.sensed |= 1 << bet[0] - 1

    def _end_step(self) -> None:
        self._over = True
        try:
            BonusRound._end_step(self)
        finally:
            self._over = False

    def _given(self, payload: dict) -> None:
        given = tuple(payload["given"])
        also = self.also(given)
        for key in ("mills", "share"):
            if payload.get(key) != also.get(key):
                raise ValueError("%s of round %d names other %s than the rules give" % (given[0], self.number, key))
        if self.owed is not None or given[0] not in self.inputs:
            raise ValueError("input %s of round %d came out of turn" % (payload["given"], self.number))
        if "nonce" in payload:
            self.nonces[given[1]] = payload["nonce"]
        self.given = given

    def _bets_closed(self, payload: dict) -> None:
        BonusRound._bets_closed(self, payload)
        self.sensed = 0
        if self.state["phase"] == "DONE":  # nobody wagered
            self.owed = self._settlement([])

    def _round_closed(self) -> None:
        if "meter" in self.state and self.meter_kept != self.state["meter"]:
            raise ValueError("round %d was closed before its meter was kept" % self.number)
        BonusRound._round_closed(self)

    def _kept(self, payload: dict) -> None:
        if payload["game"] != self.game.NAME or payload["test"] != self.test or not self._alike(payload["meter"]):
            raise ValueError("round %d kept another meter than the rules give" % self.number)
        self.meter_kept = self.state["meter"]

    def _alike(self, kept: dict) -> bool:
        on = self.state["meter"]
        for key in on:
            if key != "recent" and kept.get(key) != on[key]:
                return False
        hits = meter.latest(on["recent"])
        return len(kept) == len(on) and (not hits or kept["recent"][-len(hits):] == hits)

    def _take(self, state: dict, effects: list) -> None:
        for effect in effects:
            if effect[0] == "paid":
                self._pay(effect[1], effect[5], effect[4])
            elif effect[0] == "super bonus":
                self._pay(effect[1], INVENTORY, effect[2])
            elif effect[0] == "lose":
                self._collected += effect[3]
            elif (effect[0] == "return" or effect[0] == "push") and state["phase"] != "BETS":
                self.returned += effect[3]
            elif effect[0] == "return":
                self.sensed &= ~(1 << effect[1] - 1)
        BonusRound._take(self, state, effects)

    def _pay(self, seat: int, by: str, mills: int) -> None:
        """What a seat is handed is one row of `pays`, from the inventory or by slip: its stakes, and no odds."""
        for row in self._pays:
            if row[0] == seat and row[1] == by:
                row[4] += mills
                return
        stakes = sum([bet[2] for bet in self.state["bets"] if bet[0] == seat])
        self._pays.append([seat, by, stakes, 0, mills, False])

    def _doubled(self) -> int:
        """The mills wagered after the bets had closed: only hands [seat, cards, total wager, ...] have some."""
        return sum([entry[2] - bet[2] for entry in self.state.get("hands", ()) if len(entry) > 2
                    for bet in self.state["bets"] if bet[0] == entry[0]])  # fmt: skip

    def _settlement(self, _effects: list) -> dict:
        return {
            "round": self.number, "collected": self._collected, "returned": self.returned, "test": self.test,
            "source": self.game.SOURCE, "layout": self.layout, "paytable": self.game.paytable_hash(),
            "pays": sorted(self._pays), "doubled": self._doubled(),
        }  # fmt: skip


class _Zeros(Zeros):
    def commit(self, _name: str, _n: int) -> None:
        pass

    def look(self, _name: str) -> int:
        return 0

    disclose = look


def self_check(game) -> str:
    """The round of the game's CHECK, in which every draw gives 0; "" when it hands out what it must."""
    inputs, wanted = game.CHECK
    state = game.new(1, game.DEFAULTS)
    waiting = list(inputs)
    handed = 0
    while waiting:
        given = ("next",) if state["phase"] in getattr(game, "AUTOMATIC", ()) else waiting.pop(0)
        state, effects = game.step(state, given, _Zeros())
        handed += sum([effect[4] for effect in effects if effect[0] == "paid"])
    return "" if handed == wanted else "the round of zeros handed out %d mills, not %d" % (handed, wanted)
