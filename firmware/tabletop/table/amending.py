"""Commands by which a person changes what a table goes by: settings, calibration, corrections; loaned as `upkeep`."""

import binascii

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.link.endpoint import Refused
from tabletop.table.service import text_of
from tabletop.table.settings import Settings

_MOST_SETTINGS = const(700)  # bytes: they fit a record


class Amending:
    """Methods `on_x`, as in `commands`."""

    def __init__(self, table, service) -> None:
        self.table = table
        self.service = service

    def on_configure(self, args: dict, _origin) -> dict:
        """Other settings of the game and the table, all of them at once, or none."""
        table = self.table
        settings, operator = args["settings"], text_of(args, "operator")
        self.service.demand("CONFIGURE", args)
        data = cbor.dumps(settings)
        if binascii.crc32(data) != args["sum"]:
            raise Refused(4011, reason="its check sum is %d, not %d" % (binascii.crc32(data), args["sum"]))
        if len(data) > _MOST_SETTINGS:
            raise Refused(4011, reason="it has %d bytes, more than %d" % (len(data), _MOST_SETTINGS))
        try:
            wanted = Settings(settings, table.hal.board)
        except ValueError as error:
            raise Refused(4011, reason=str(error)[:200])
        self._leave_alone(table.play.round, wanted)
        payload = {"settings": settings, "operator": operator}
        for field in ("signer", "hash"):
            if field in args:
                if len(args[field]) != 32:
                    raise Refused(4009, field=field, value="%d bytes" % len(args[field]), choice="32 bytes")
                payload[field] = args[field]
        number = table.records.keep(kinds.CONFIGURED, payload)
        table.configure(settings)
        return {"record": number}

    def _leave_alone(self, round_, wanted: Settings) -> None:
        """Nothing that an open round was opened with is changed under it: Refused, but for the times of the lamps."""
        if round_ is None:
            return
        if round_.game is not wanted.game:
            raise Refused(4011, reason="the round that is open is of %s" % round_.game.NAME)
        before, after = [
            cbor.loads(cbor.dumps(rules)) for rules in (round_.state["settings"], wanted.rules)  # as records have them
        ]  # fmt: skip
        if after != before or wanted.min_turns * 1000 != round_.min_turns_milli:
            advice = "end the round that is open, then change what rounds go by"
            raise Refused(4001, command="CONFIGURE", phase=self.table.phase, advice=advice)

    def on_calibrate(self, args: dict, _origin) -> dict:
        """What this table's wheel is, as it was measured; without a calibration, what the table has."""
        table = self.table
        before, number = {}, 0
        for held, kind, payload in table.records.kept_records():
            if kind == kinds.CALIBRATED:
                before, number = payload["before"], held
        given = args.get("calibration")
        if given is None:
            return {"calibration": table.calibration, "before": before, "record": number}
        operator = text_of(args, "operator")
        self.service.demand("CALIBRATE", args)
        if table.phase != "SERVICE" or table.moves():
            raise Refused(4001, command="CALIBRATE", phase=table.phase, advice="turn the service key between rounds")
        before = table.calibration
        if binascii.crc32(cbor.dumps(given)) != args.get("sum"):
            raise Refused(4011, reason="its check sum is another")
        from tabletop.table import calibration

        try:
            calibration.take(table, given)
        except ValueError as error:
            raise Refused(4011, reason=str(error))
        number = table.records.keep(kinds.CALIBRATED, {"calibration": given, "before": before, "operator": operator})
        table.settings_fault = ""
        return {"calibration": given, "before": before, "record": number}

    def on_correct(self, args: dict, _origin) -> dict:
        """A correction beside a record that stays as it is; a further one needs a second person."""
        table = self.table
        journal, of = table.journal, args["record"]
        payload = {"of": of, "text": text_of(args, "text"), "reason": text_of(args, "reason")}
        payload["operator"] = operator = text_of(args, "operator")
        second = text_of(args, "second")
        self.service.demand("CORRECT", args)
        try:
            payload["hash"] = journal.hash_of(of)
        except KeyError:
            raise Refused(1012, cursor=of, last=journal.last)
        for field in ("text", "reason", "operator"):
            if not payload[field]:
                raise Refused(4009, field=field, value="empty", choice="a text")
        if second:
            payload["second"] = second
            from tabletop.person import person

            if person(second) in ("", person(operator)):
                second = ""  # nobody, or the same person, typed otherwise
        for record in journal.records(of):
            if record.kind == kinds.CORRECTION:
                before = cbor.loads(record.payload)
                if (before["of"] == of or record.number == of) and not second:
                    raise Refused(4012, record=of, operator=before["operator"])
        return {"record": table.records.write(kinds.CORRECTION, payload)}
