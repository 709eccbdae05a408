"""A round from its journal records: the one function by which the table plays, the table resumes and the host replays.

The table appends a record and then applies it here; after a power cut it applies the records it finds; the
host applies the records it was sent. What a round owes its players therefore follows from the journal alone.
"""

from tabletop.rules import game_named


class Round:
    """One open round of a game that a wheel decides alone; `bonus_rounds` has the others.

    Raises ValueError with a sentence when a record contradicts the rules or its forerunners.
    `number`, `test`; `state` of the rules; `spin` number of the last spin begun (from 1); `running` while that spin has
    no SPIN record; `last` the SPIN record of the last spin that ended; `short_spins` in this round; `owed` the SETTLED
    payload without meters, once the round is decided; `settled` the SETTLED record as written; `over` after
    ROUND_CLOSED or ROUND_VOIDED. `given` is an input whose step is not done yet.
    """

    spin = short_spins = 0
    running = over = False
    given: "tuple | None" = None
    last: "dict | None" = None
    owed: "dict | None" = None
    settled: "dict | None" = None

    def __init__(self, opened: dict) -> None:
        """From the payload of ROUND_OPENED."""
        self.number = opened["round"]
        self.test = opened["test"]
        self.game = game = game_named(opened["game"])
        self.layout = opened["layout"]
        self.min_turns_milli = opened["min_turns"] * 1000
        if self.layout != game.layout_hash() or opened["paytable"] != game.paytable_hash():
            raise ValueError("round %d was opened with another layout or paytable" % self.number)
        self.state = game.new(self.number, opened["settings"])

    def phase(self) -> str:
        """The table's phase that follows from the records so far."""
        if self.over or self.owed is not None:
            return "SETTLED" if self.over else "RESULT"
        if self.running:
            return "SPINNING"
        if self.state["phase"] == "BETS":
            return "BETS_OPEN"
        return "BONUS" if self.state["bonus_spins"] else "NO_MORE_BETS"

    def wagered_mills(self) -> int:
        """All stakes of the round."""
        return sum([bet[2] for bet in self.state["bets"]])

    def take(self, kind: str, payload: dict) -> None:
        """One more record of this round."""
        if kind == "WAGERS":
            self._wagers(payload)
        elif kind == "BETS_CLOSED":
            self._bets_closed(payload)
        elif kind == "SPIN_STARTED":
            self._spin_started(payload)
        elif kind == "SPIN":
            self._spin(payload)
        elif kind == "SPINS":  # of a round that was held (`held`): so many before gave nothing
            self.spin, self.short_spins = payload["spin"], payload["short"]
        elif kind == "SETTLED":
            self._settled(payload)
        elif kind == "ROUND_CLOSED":
            self._round_closed()
        elif kind == "ROUND_VOIDED":
            self._round_voided(payload)
        elif kind != "DRAW":  # a draw decides nothing here
            raise ValueError("round %d, which a wheel decides, was given an input" % self.number)

    def go_on(self, _live=None) -> None:
        """Does the step of `given`, an input that no round of a wheel has."""

    def _wagers(self, payload: dict) -> None:
        self.state, effects = self.game.step(self.state, ("wagers", payload["bets"]))
        if effects and effects[0][0] == "refuse":
            raise ValueError("round %d holds wagers that E-%d refuses" % (self.number, effects[0][1]))

    def _bets_closed(self, payload: dict) -> None:
        self.state, effects = self.game.step(self.state, ("no_more_bets",))
        if effects[0] != ("close", payload["count"], payload["mills"]):
            raise ValueError("round %d closed with other wagers than it took" % self.number)

    def _spin_started(self, payload: dict) -> None:
        if self.running or self.owed is not None or self.state["phase"] != "SPIN" or payload["spin"] != self.spin + 1:
            raise ValueError("spin %d of round %d began out of turn" % (payload["spin"], self.number))
        self.spin += 1
        self.running = True

    def _spin(self, payload: dict) -> None:
        if not payload["counted"]:
            if payload["spin"]:  # the running spin was voided; 0 is a turn of the wheel that was never a spin
                self._end_spin(payload)
            return
        self._end_spin(payload)
        if payload["layout"] != self.layout:
            raise ValueError("spin %d of round %d was read from another layout" % (self.spin, self.number))
        outcome = payload["outcome"]
        if outcome == "SECTION":
            if payload["faults"] or payload["turns_milli"] < self.min_turns_milli:
                raise ValueError("spin %d of round %d declared a section in doubt" % (self.spin, self.number))
        elif outcome == "SHORT_SPIN":
            self.short_spins += 1
        self.step(("spin", outcome, payload.get("section", -1)))

    def step(self, given: tuple) -> None:
        self.state, effects = self.game.step(self.state, given)
        if effects[0][0] == "result":
            self.owed = self._settlement(effects)

    def _end_spin(self, payload: dict) -> None:
        if not self.running or payload["spin"] != self.spin:
            raise ValueError("spin %d of round %d ended, but was not running" % (payload["spin"], self.number))
        self.running = False
        self.last = payload

    def _settlement(self, effects: list) -> dict:
        collected, pays = 0, []
        for effect in effects:
            if effect[0] == "collect":
                collected += effect[3]
            elif effect[0] == "pay":
                pays.append(list(effect[1:]))
        _, section, symbol, multiplier = effects[0]
        return {
            "round": self.number, "section": section, "symbol": symbol, "multiplier": multiplier,
            "collected": collected, "pays": pays, "test": self.test,
        }  # fmt: skip

    def _settled(self, payload: dict) -> None:
        if self.owed is None or self.settled is not None:
            raise ValueError("round %d was settled out of turn" % self.number)
        owed = dict(self.owed)
        owed["meters"] = payload.get("meters")  # they do not follow from one round
        if payload != owed:
            for key in self.owed:
                if payload[key] != self.owed[key]:
                    raise ValueError(
                        "round %d was settled with %s %s; the rules say %s"
                        % (self.number, key, payload[key], self.owed[key])
                    )
        self.settled = payload

    def _round_closed(self) -> None:
        if self.settled is None:
            raise ValueError("round %d was closed before it was settled" % self.number)
        self.over = True

    def _round_voided(self, payload: dict) -> None:
        if self.running or self.owed is not None:
            raise ValueError("round %d was voided after its spin" % self.number)
        self.state, _ = self.game.step(self.state, ("void", payload["reason"]))
        if payload["returned"] != self.wagered_mills():
            raise ValueError("round %d was voided without returning all wagers" % self.number)
        self.over = True


# What changes a round. A DISPUTE belongs to one too and changes nothing in it.
_TAKEN = (
    "WAGERS", "BETS_CLOSED", "SPIN_STARTED", "SPIN", "SETTLED", "ROUND_CLOSED", "ROUND_VOIDED", "GIVEN", "DRAW",
    "COMMITTED", "OPENED", "METER", "SPINS",
)  # fmt: skip
# Of these there are some outside of a round, and some that were only moved up the ring.
OUTSIDE = ("DRAW", "COMMITTED", "OPENED", "METER")


def follow(current: "Round | None", kind: str, payload: dict) -> "Round | None":
    """The round that is open after one more record of the journal; None when none is.

    Records of other kinds, and turns of the wheel outside a round, change nothing. ValueError as `Round`.
    """
    try:
        if kind == "ROUND_OPENED":
            if current is not None:
                raise ValueError("round %d was opened while %d was open" % (payload["round"], current.number))
            if hasattr(game_named(payload["game"]), "SOURCE"):  # not a wheel alone, whose table never loads these
                from tabletop.rules import bonus_rounds

                return bonus_rounds.opened(payload)
            return Round(payload)
        if kind not in _TAKEN or (kind in OUTSIDE and ("round" not in payload or "again" in payload)):
            return current
        if current is None:
            if kind == "SPIN" and not payload["counted"]:
                return None
            raise ValueError("%s of round %d came without an open round" % (kind, payload["round"]))
        if payload["round"] != current.number:
            raise ValueError("%s of round %d came in round %d" % (kind, payload["round"], current.number))
        current.take(kind, payload)
        return None if current.over else current
    except (LookupError, TypeError, AttributeError) as error:  # written by other rules than these
        raise ValueError("%s does not fit the rules: %r" % (kind, error))


def metered(meters: dict, owed: dict, wagered_mills: int) -> dict:
    """The meters after a round was settled; a test round moves test meters only."""
    mode = "test" if owed["test"] else "live"
    before = meters[mode]
    after = dict(meters)
    after[mode] = {
        "rounds": before["rounds"] + 1,
        "wagered_mills": before["wagered_mills"] + wagered_mills + owed.get("doubled", 0),
        "paid_mills": before["paid_mills"] + sum([pay[4] for pay in owed["pays"]]),
    }
    return after


def no_meters() -> dict:
    """The meters of a table that never played; `paid_mills` adds up winnings, stakes not included."""
    return {mode: {"rounds": 0, "wagered_mills": 0, "paid_mills": 0} for mode in ("live", "test")}
