"""Clears a tilt: who may, and whether what raised it is still there. In memory only while it runs."""

from tabletop.link.endpoint import Refused
from tabletop.table.records import CONTRADICTS, DAMAGED, FULL, PROGRAM_CHANGED, SELF_TEST_FAILED, SPIN_ROOM, TILT_ROOM
from tabletop.table.rng import RNG_FAILED
from tabletop.table.service import text_of


def clear(table, service, args: dict) -> dict:
    """The reply to CLEAR_TILT, or Refused."""
    tilt, operator = args["tilt"], text_of(args, "operator")
    service.demand("CLEAR_TILT", args)
    if tilt not in table.tilts.open:
        raise Refused(4005, tilt=tilt, open=", ".join(["T-%d" % number for number in sorted(table.tilts.open)]))
    reason = _still_holds(table, service, tilt)
    if reason:
        raise Refused(4004, tilt=tilt, reason=reason)
    if tilt == PROGRAM_CHANGED:
        table.approve(operator)
    table.tilts.clear(tilt, operator)
    if not table.tilts.open:
        table.cleared()
    table.changed()
    return {"tilts": sorted(table.tilts.open)}


def _still_holds(table, service, tilt: int) -> str:
    """Why a tilt may not be cleared yet, as far as the table can see for itself; "" when it may."""
    if table.dead:
        return "%s has stopped; restart the table" % table.dead[0]
    if tilt == DAMAGED:
        service.read_all()
        if table.journal.damaged:
            return "record %d cannot be read back" % table.journal.damaged
    if tilt == FULL and table.journal.free() < 2 * SPIN_ROOM - TILT_ROOM:
        return "the journal has room for %d records" % table.journal.free()
    if not table.records.started:
        return "the start did not come to its end; restart the table"
    if tilt == CONTRADICTS:
        return table.play.contradiction(table.read_back())
    if tilt == RNG_FAILED:
        return table.rng.start()
    if tilt == SELF_TEST_FAILED:
        for name, result in table.test_parts().items():
            if result != "ok":
                return "%s: %s" % (name, result)
    return ""
