"""Commands that are rarely given: in memory only while one of them is carried out (`commands.Commands.handle`)."""

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.link.endpoint import Refused
from tabletop.table.phases import COMMANDS
from tabletop.table.service import digest_of

_LAST_GAMES = const(10)
_MOST_TEXT = const(64)  # bytes
_DUMP = const(512)  # bytes of one answer; the link keeps the last eight
_RESTARTS = ("HOST", "CONSOLE", "UPDATE")
_ALGORITHMS = ("sha256", "sha1", "hmac-sha256")  # of VERIFY


class Upkeep:
    """Methods `on_x`, as in `commands`."""

    def __init__(self, table, service) -> None:
        self.table = table
        self.service = service

    def on_set_time(self, args: dict, _origin) -> dict:
        if not 0 <= args["unix_ms"] < 253402300800000:  # the year 10000, which no calendar of a host can show
            raise Refused(4009, field="unix_ms", value=args["unix_ms"], choice="milliseconds since 1970")
        was_ms = self.service.time_ms()
        self.table.records.write(kinds.TIME_SET, {"unix_ms": args["unix_ms"], "was_ms": was_ms})
        self.service.unix_ms = args["unix_ms"]
        self.service.unix_at_ms = self.table.hal.clock.uptime_ms()
        return {"was_ms": was_ms} if was_ms else {}

    def on_anchor(self, args: dict, _origin) -> dict:
        table = self.table
        journal = table.journal
        number = args["number"]
        if number < 1 or number > journal.last:
            raise Refused(1012, cursor=number, last=journal.last)
        try:
            known = journal.hash_of(number)
        except KeyError:
            return {"anchored": journal.anchored}  # it was anchored long ago, and is gone
        if known != args["hash"]:
            raise Refused(4010, number=number)
        return {"anchored": table.records.anchor(number)}

    def on_dump(self, args: dict, _origin) -> dict:
        """Bytes of the journal's flash as they are, also when it is damaged."""
        store, at = self.table.hal.store, args["at"]
        size = store.sectors * store.sector
        if at % store.page or not 0 <= at < size:
            raise Refused(4009, field="at", value=at, choice="a multiple of %d below %d" % (store.page, size))
        data = bytearray(min(_DUMP, size - at))
        for page in range(0, len(data), store.page):
            store.read(at + page, memoryview(data)[page : page + store.page])
        return {"data": bytes(data), "size": size}

    def on_verify(self, args: dict, _origin) -> dict:
        table = self.table
        algorithm, seed = args["algorithm"], args.get("seed", b"")
        if algorithm not in _ALGORITHMS:
            raise Refused(4009, field="algorithm", value=algorithm[:_MOST_TEXT], choice=", ".join(_ALGORITHMS))
        if table.moves():
            raise Refused(4001, command="VERIFY", phase=table.phase, advice="wait until the wheel rests")
        digest, size, files = digest_of(table.hal, algorithm, seed)
        return {"digest": digest, "size": size, "files": files}

    def on_games(self, _args: dict, _origin) -> dict:
        """How the last games ended, by the records that the journal holds: round number as text -> what it was."""
        table = self.table
        if table.moves():
            raise Refused(4001, command="GAMES", phase=table.phase, advice="wait until the wheel rests")
        games: dict = {}
        for record in table.journal.backward():
            if record.kind == kinds.SETTLED or record.kind == kinds.ROUND_VOIDED:
                payload = cbor.loads(record.payload)
                game = {"record": record.number}
                for name in ("section", "symbol", "multiplier", "collected", "test", "returned"):
                    if name in payload:
                        game[name] = payload[name]
                if record.kind == kinds.SETTLED:
                    game["paid"] = sum([pay[4] for pay in payload["pays"]])
                games[str(payload["round"])] = game
                if len(games) == _LAST_GAMES:
                    break
        return {"games": games}

    def on_statistics(self, _args: dict, _origin) -> dict:
        table = self.table
        journal, config, lights = table.journal, table.sensor.config, table.hal.lights
        return {
            "link": {},  # filled in by the endpoint
            "sensing": {
                "bad_samples": table.sensor.bad_samples, "counts_per_turn": config.counts_per_turn,
                "sections": config.sections, "index_width_counts": config.index_width_counts,
                "index_at": config.index_at, "direction": table.calibration.get("direction", 1),
                "min_turns": config.min_turns,
            },
            "journal": {
                "first": journal.first, "last": journal.last, "anchored": journal.anchored, "free": journal.free(),
                "ready": journal.ready(), "torn": journal.torn, "damaged": journal.damaged,
            },
            "table": {"limited": getattr(lights, "limited", 0), "dark": getattr(lights, "dark", 0)},  # of a chip
        }  # fmt: skip

    def on_display(self, _args: dict, _origin) -> dict:
        show = self.table.show
        return {
            "rim": bytes(show.frame), "inner": bytes(show.inner), "digits": list(show.texts), "tower": show.tower,
            "lamps": max(0, show.lamps),
        }  # fmt: skip

    def on_restart(self, args: dict, _origin) -> dict:
        """Starts the chip anew when the reply is on its way: as a table, at its console, or in its boot loader."""
        table, reason = self.table, args["reason"]
        if reason not in _RESTARTS:
            raise Refused(4009, field="reason", value=reason[:_MOST_TEXT], choice=", ".join(_RESTARTS))
        self.service.demand("RESTART", args)
        if table.moves():
            raise Refused(4001, command="RESTART", phase=table.phase, advice="wait until the wheel rests")
        table.tasks.restart(reason)
        return {}

    def on_test_mode(self, args: dict, origin) -> dict:
        """Changes the mode; on a table that can be live that takes key and signature, but for the end of a lease.

        With `lease` the table is in test mode as long as this session lasts, and then as it was.
        """
        table = self.table
        on, session = args["on"], origin[0] if origin else 0
        if on or not session or session != table.records.lease:
            if not table.hal.emulated or table.hal.board.get("live"):
                self.service.demand("TEST_MODE", args)
            elif not on:
                raise Refused(4006)
        if table.play.round is not None:
            raise Refused(4001, command="TEST_MODE", phase=table.phase, advice=COMMANDS["TEST_MODE"][1])
        if on != table.play.test:
            self._mode(on, session if args.get("lease") else 0)
        elif not args.get("lease"):
            table.records.lease = 0  # it stays
        return {"test": on}

    def _mode(self, test: bool, lease: int) -> None:
        table = self.table
        table.records.write(kinds.MODE, {"test": test, "lease": True} if lease else {"test": test})
        table.records.lease = lease
        table.play.test = test
        if table.phase != "SERVICE":
            table.enter(table.place())
        table.changed()

    def lease_over(self) -> None:
        """Whoever tested the table is gone: it is live again, as soon as no round is open."""
        table, round_ = self.table, self.table.play.round
        try:
            if table.phase == "BETS_OPEN" or table.phase == "NO_MORE_BETS":
                round_.game.step(round_.state, ("void", ""))
                table.commands.handle("VOID", {"reason": "HOST_STOPPED"}, None)
            elif table.phase == "RESULT":
                table.commands.handle("SETTLE", {}, None)
        except (ValueError, Refused):
            return  # its cards are in play
        if table.play.round is None:
            self._mode(False, 0)
