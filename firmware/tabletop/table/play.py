"""The running round: what it does is first a journal record, and then follows from that record.

Every method commits before it returns; Stop (records.py) leaves the round as it was.
"""

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.journal.record import MAX_PAYLOAD
from tabletop.rules.rounds import Round, follow, metered, no_meters
from tabletop.table.records import CONTRADICTS, OF_ROUND, Stop

_SHORT_SPINS = const(3)  # field case 62: from the third short spin of a round on, its record says so


class Play:
    """`round` the open Round or None, `shown` the one on the displays, `number` of the last; `meters`, `test`."""

    def __init__(self, records, settings) -> None:
        self.records = records
        self.settings = settings
        self.round: Round = None  # type: ignore[assignment]
        self.shown: "Round | None" = None
        self.number = 0
        self.meters = no_meters()
        self.test = True

    def resume(self, found) -> None:
        """Takes up what `resume.read_back` found."""
        self.round = self.shown = found.round
        if self.contradiction(found):
            self.shown = None
        self.number = found.number
        self.meters = found.meters
        self.records.take_up(found)

    def contradiction(self, found) -> str:
        """Why this table cannot go on with the round that `resume.read_back` found; "" when it can."""
        round_, game = found.round, self.settings.game
        if round_ is not None and round_.game is not game:
            return "round %d is of %s, but the table plays %s" % (round_.number, round_.game.NAME, game.NAME)
        return found.contradiction

    def go_on(self, why: str, rng) -> None:
        """The open round goes on from its records: a spin without an end is void, a result is settled now.

        A step whose draws were cut off is finished: with those it has, then with more of `rng`. None: a tilt is open,
        and nothing is decided by a program, rules or records that may be what is wrong.
        """
        if self.round is None:
            return
        if self.round.running:
            self.spin_void(why)
        if rng is None:
            return
        if self.round.given is not None:
            try:
                self.round.go_on(rng.draws() if "RNG" in self.round.game.SOURCE else None)
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise Stop(CONTRADICTS, reason=str(error)[:100])
        self.settle_owed()

    def _write(self, kind: int, payload: dict) -> None:
        self.records.write(kind, payload)
        self.round = follow(self.round, OF_ROUND[kind], payload)  # type: ignore[assignment]

    def open(self, more: dict) -> None:
        """Opens the next round for wagers; `more` is what its game opens it with."""
        settings = self.settings
        game = settings.game
        payload = {
            "round": self.number + 1, "game": game.NAME, "test": self.test, "layout": game.layout_hash(),
            "paytable": game.paytable_hash(), "settings": settings.rules, "min_turns": settings.min_turns,
        }  # fmt: skip
        payload.update(more)
        self._write(kinds.ROUND_OPENED, payload)
        self.number += 1
        self.shown = self.round

    def wager(self, bets: list, command: "list | None") -> "tuple | None":
        """Takes all of `bets` [[seat, spot, mills]] or none: why not (code, detail), or None."""
        first = self.round.game.step(self.round.state, ("wagers", bets))[1][:1]  # the others would hold memory
        if first and first[0][0] == "refuse":
            return first[0][1:]
        payload = {"round": self.number, "bets": bets}
        if command:
            payload["cmd"] = command
        over = len(cbor.dumps(payload)) - MAX_PAYLOAD
        if over > 0:  # the last ones are too many
            limit = len(bets)
            while over > 0:
                limit -= 1
                over -= len(cbor.dumps(bets[limit]))
            return 4007, {"count": len(bets), "limit": limit}
        self._write(kinds.WAGERS, payload)
        return None

    def no_more_bets(self) -> None:
        """Closes the bets."""
        bets = self.round.state["bets"]
        payload = {"round": self.number, "count": len(bets), "mills": self.round.wagered_mills()}
        self._write(kinds.BETS_CLOSED, payload)

    def given(self, given: tuple, draws) -> None:
        """One input of a bonus game, which the rules do not refuse: recorded, then done; so is each of its draws."""
        payload = {"round": self.number, "given": list(given)}
        payload.update(self.round.also(given))  # type: ignore[attr-defined]
        self._write(kinds.GIVEN, payload)
        self.round.go_on(draws)
        self.settle_owed()

    def spin_started(self, section: int) -> None:
        """A spin that counts has begun at `section` (-1 when that is not known)."""
        payload = {"round": self.number, "spin": self.round.spin + 1}
        if section >= 0:
            payload["section"] = section
        self._write(kinds.SPIN_STARTED, payload)

    def spin_ended(self, spin) -> None:
        """The running spin came to its end; when that decides the round, its settlement is recorded too."""
        payload = self._spin_payload(spin, self.round.spin)
        payload["counted"] = True
        if spin.outcome == "SHORT_SPIN" and self.round.short_spins + 1 >= _SHORT_SPINS:
            payload["alert"] = "SHORT_SPINS"
        self._write(kinds.SPIN, payload)
        self.settle_owed()

    def settle_owed(self) -> None:
        """Records what the round owes, once, as soon as it is known."""
        round_ = self.round
        if round_.owed is not None and round_.settled is None:
            meters = metered(self.meters, round_.owed, round_.wagered_mills())
            payload = dict(round_.owed)
            payload["meters"] = meters
            self._write(kinds.SETTLED, self.records.standing(payload))
            self.meters = meters

    def spin_void(self, why: str, live=None) -> None:
        """The running spin is void before its end, whatever the wheel does later; `live` is the sensor, if it tells."""
        payload = self._spin_payload(None, self.round.spin)
        payload["counted"] = False
        payload["why"] = why
        if live is not None:
            payload["turns_milli"] = abs(live.turns_milli)
            payload["direction"] = live.direction
        self._write(kinds.SPIN, payload)

    def stray_spin(self, spin, why: str) -> None:
        """The wheel was turned when no spin was due: it counts for nothing."""
        payload = self._spin_payload(spin, 0)
        payload["counted"] = False
        payload["why"] = why
        self._write(kinds.SPIN, payload)

    def _spin_payload(self, spin, number: int) -> dict:
        """A SPIN record without `counted`. Without `spin`, one that was cut short: outcome NONE."""
        payload = {
            "round": self.number if self.round else 0, "spin": number, "outcome": "NONE", "turns_milli": 0,
            "direction": 0, "faults": [], "notes": [], "top_mturns_s": 0, "source": "PHYSICAL",
            "layout": self.settings.game.layout_hash(), "test": self.round.test if self.round else self.test,
        }  # fmt: skip
        if spin is not None:
            payload["outcome"] = spin.outcome
            payload["turns_milli"] = abs(spin.turns_milli)
            payload["direction"] = spin.direction
            payload["faults"] = list(spin.faults)
            payload["notes"] = list(spin.notes)
            payload["top_mturns_s"] = abs(spin.top_speed_mturns_s)
            if spin.outcome == "SECTION":
                payload["section"] = spin.section
            if spin.start_section >= 0:
                payload["start"] = spin.start_section
        return payload

    def close(self) -> None:
        """All payouts are made."""
        self._write(kinds.ROUND_CLOSED, {"round": self.number})

    def void(self, reason: str) -> int:
        """Calls the round off and returns all wagers: their sum."""
        returned = self.round.wagered_mills()
        self._write(kinds.ROUND_VOIDED, {"round": self.number, "reason": reason, "returned": returned})
        return returned

    def dispute(self, reason: str, operator: str) -> None:
        """Somebody contests a result: noted, and nothing is taken back (field case 63)."""
        payload = {"round": self.number, "reason": reason}
        if operator:
            payload["operator"] = operator
        self.records.write(kinds.DISPUTE, payload)

    def picture(self, view) -> None:
        """What of the round may be shown."""
        view.section, view.symbol, view.respin, view.multiplier = -1, "", "", 1
        round_ = self.shown
        if round_ is not None:
            view.multiplier = round_.state.get("multiplier", 1)
            last = round_.last
            if last is None:
                return
            if not last["counted"]:
                view.respin = last["why"]
            elif last["outcome"] != "SECTION":
                view.respin = last["outcome"]
            else:
                view.section = last["section"]
                view.symbol = round_.game.LAYOUT[view.section]
