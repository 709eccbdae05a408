"""What the commands of play do; the dealer's buttons give the same commands. The others: `service`, `status`.

A command either is done, and what it did is in the journal when its reply goes out, or is refused and changes nothing.
"""

import gc

from tabletop.const import const
from tabletop.link.endpoint import Refused
from tabletop.table.loaned import give_back
from tabletop.table.phases import COMMANDS, refusal
from tabletop.table.records import ROUND_ROOM, SPIN_ROOM, WAGER_ROOM, Stop
from tabletop.table.service import Service, text_of
from tabletop.table.status import Status

_BONUS_ROOM = const(316)  # pages: a round of Bellagio takes about 110, one of Money Mountain 40 to 290
_MOST_BETS = const(60)  # at once: so many steps of the rules fit the memory
_MANY_BETS = const(16)
# Pages that must be free for each command that a host may give again and again: whatever it writes, a round that is
# open can end. The commands that end a round or clear a tilt use the room that was kept for them.
_ROOM = {
    "OPEN_BETS": ROUND_ROOM, "WAGER": WAGER_ROOM, "SET_TIME": WAGER_ROOM, "TEST_MODE": WAGER_ROOM,
    "SELF_TEST": WAGER_ROOM, "DISPUTE": SPIN_ROOM,
}  # fmt: skip


class Commands:
    """`handle` is what an Endpoint calls. A method `on_x` does command X: (arguments, origin) to its reply."""

    def __init__(self, table) -> None:
        self.table = table
        service = Service(table)
        status = Status(table, service)
        self.live = status.live
        self.service = service
        self.parts = (self, service, status, table.rng)

    def handle(self, name: str, args: dict, origin: "list | None") -> dict:
        """The reply of a command, or Refused. `origin` is [session, sequence], None for a button."""
        table = self.table
        refused = refusal(name, table.phase, table.tilts.open)
        if refused:
            raise Refused(refused[0], **refused[1])
        if table.tasks.restarts and name in COMMANDS:
            raise Refused(4001, command=name, phase=table.phase, advice="the table restarts: wait until it is back")
        if not table.records.started and (name in _ROOM or name in ("CONFIGURE", "CORRECT")):
            advice = "the start did not come to its end: do what its tilt says, then restart the table"
            raise Refused(4001, command=name, phase=table.phase, advice=advice)
        method = "on_" + name.lower()
        for part in (table.bonus,) + self.parts + (table.probe,):
            do = getattr(part, method, None)
            if do is not None:
                break
        else:
            try:
                return self._rarely(name, method, args, origin)
            finally:
                give_back("upkeep", "amending", "calibration")
        return self._carry_out(do, name, args, origin)

    def _rarely(self, name: str, method: str, args: dict, origin: "list | None") -> dict:
        if name == "PROBE" or name == "LAMPS":
            from tabletop.table import probe

            return self._carry_out(getattr(probe.start(self.table), method), name, args, origin)
        if name in ("CONFIGURE", "CALIBRATE", "CORRECT"):
            from tabletop.table.amending import Amending

            do = getattr(Amending(self.table, self.service), method, None)
        else:
            from tabletop.table.upkeep import Upkeep

            do = getattr(Upkeep(self.table, self.service), method, None)
        if do is None:
            raise Refused(4013, command=name, game=self.table.settings.game.NAME)
        return self._carry_out(do, name, args, origin)

    def _carry_out(self, do, name: str, args: dict, origin: "list | None") -> dict:
        table = self.table
        before, table.part = table.part, "command " + name
        try:
            disputes = name == "VOID" and table.phase in ("RESULT", "SETTLED")
            self.make_room(_ROOM.get("DISPUTE" if disputes else name, 0))
            reply = do(args, origin)
        except Stop as stop:
            table.part = before
            table.stop(stop.tilt, stop.detail)
            raise Refused(4002, tilt=stop.tilt)
        except Refused:
            table.part = before
            raise
        table.part = before
        return reply

    def lease_over(self) -> None:
        """The session for which the table is in test mode is over."""
        from tabletop.table.upkeep import Upkeep

        Upkeep(self.table, self.service).lease_over()
        give_back("upkeep")

    def on_open_bets(self, _args: dict, _origin) -> dict:
        """Begins a round, when the journal has room for a long one."""
        table = self.table
        if table.bonus is not None:
            self.make_room(_BONUS_ROOM)
        table.rng.reseed()
        table.play.open({})
        table.enter("BETS_OPEN")
        return {"round": table.play.number}

    def on_wager(self, args: dict, origin) -> dict:
        """Takes all wagers, or none."""
        table = self.table
        bets = args["bets"]
        if len(bets) > _MOST_BETS:
            raise Refused(4007, count=len(bets), limit=_MOST_BETS)
        if len(bets) > _MANY_BETS:
            gc.collect()  # what is free then lies together, and they need pieces of half a kilobyte
        refused = table.play.wager(bets, origin)
        if refused:
            raise Refused(refused[0], **refused[1])
        return self.totals()

    def on_no_more_bets(self, _args: dict, _origin) -> dict:
        """From now on a spin counts."""
        table = self.table
        table.play.no_more_bets()
        table.enter("NO_MORE_BETS")
        return self.totals()

    def on_void(self, args: dict, _origin) -> dict:
        """Voids the spin that runs, or the round before its spin; later it is a dispute."""
        table = self.table
        play = table.play
        reason, operator = text_of(args, "reason"), text_of(args, "operator")
        returned, what = 0, "ROUND"
        if table.phase == "SPINNING":
            what = "SPIN"
            table.spins.void("DEALER_VOID")
            table.enter(play.round.phase())
        elif table.phase in ("RESULT", "SETTLED"):
            what = "DISPUTE"
            play.dispute(reason, operator)
        elif table.spins.is_void():
            raise Refused(4008)
        else:
            returned = play.void(reason)
            table.enter(table.place())
        return {"round": play.number, "returned": returned, "what": what}

    def on_settle(self, _args: dict, _origin) -> dict:
        """All payouts are made."""
        table = self.table
        table.play.close()
        table.enter("SETTLED")
        return {"round": table.play.number}

    def totals(self) -> dict:
        """Number and wagers of the open round."""
        round_ = self.table.play.round
        return {"round": round_.number, "count": len(round_.state["bets"]), "mills": round_.wagered_mills()}

    def make_room(self, pages: int, ready: int = SPIN_ROOM) -> None:
        """Refused when fewer pages are free, or could be at once."""
        if not pages:
            return
        table = self.table
        journal = table.journal
        while journal.ready() < ready and not table.moves() and journal.idle():
            table.hal.feed()
        free = journal.free()
        if free < pages or journal.ready() < ready:
            raise Refused(4003, free=free, need=pages)
