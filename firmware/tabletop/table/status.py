"""What the table tells about itself, on demand and live. Changes nothing."""

from tabletop import ticks


class Status:
    """Methods `on_x`, as in `commands`."""

    def __init__(self, table, service) -> None:
        self.table = table
        self.service = service

    def on_ping(self, args: dict, _origin) -> dict:
        reply = {"uptime_ms": self.table.hal.clock.uptime_ms()}
        if "echo" in args:
            reply["echo"] = args["echo"]
        return reply

    def on_status(self, _args: dict, _origin) -> dict:
        table = self.table
        play, journal, sensor = table.play, table.journal, table.sensor
        reply = {
            "phase": table.phase, "test": play.test, "emulated": table.hal.emulated, "tilts": sorted(table.tilts.open),
            "round": play.number, "first": journal.first, "last": journal.last, "anchored": journal.anchored,
            "free": journal.free(), "uptime_ms": table.hal.clock.uptime_ms(), "moving": sensor.moving,
            "homed": sensor.homed, "section": sensor.section, "turns_milli": sensor.turns_milli,
            "speed_mturns_s": sensor.speed_mturns_s, "direction": sensor.direction, "meters": play.meters,
        }  # fmt: skip
        unix_ms = self.service.time_ms()
        if unix_ms:
            reply["unix_ms"] = unix_ms
        reply["rng"] = table.rng.failed or "ok"
        reply["draws"] = table.records.draws
        if table.rng.alert:
            reply["alert"] = table.rng.alert
        if table.tilts.open:
            reply["detail"] = table.tilts.details()
        round_ = play.shown
        if round_ is not None:
            reply["spin"] = round_.spin
            reply["multiplier"] = round_.state.get("multiplier", 1)
            reply["bets"] = len(round_.state["bets"])
            reply["wagered_mills"] = round_.wagered_mills()
            if round_.settled is not None:
                result = reply["result"] = dict(round_.settled)
                del result["meters"], result["pays"]
        if table.bonus is not None:
            table.bonus.tell(reply)
        return reply

    def live(self, now_ms: int) -> dict:
        """The live values of this moment (fields of LIVE)."""
        table = self.table
        sensor = table.sensor
        live = {
            "t_ms": now_ms & ticks.MASK, "test": table.play.test, "phase": table.phase, "round": table.play.number,
            "moving": sensor.moving, "homed": sensor.homed, "on_peg": bool(sensor.on_peg), "section": sensor.section,
            "turns_milli": sensor.turns_milli, "speed_mturns_s": sensor.speed_mturns_s,
            "direction": sensor.direction, "digits": list(table.show.texts),
        }  # fmt: skip
        if table.bonus is not None:
            table.bonus.tell(live)
        return live
