"""The start of a table: it takes up what its journal holds, whole, or does nothing but say why not.

Until all is taken up `Records.started` is False: then tilts are all that is recorded, none is cleared and nothing is
played. In memory only while it runs.
"""

from tabletop.journal import kinds
from tabletop.table.loaned import give_back
from tabletop.table.records import CONTRADICTS, PROGRAM_CHANGED, TASK_DIED
from tabletop.table.service import digest_of
from tabletop.table.supervisor import task_of


def run(table) -> None:
    """Takes up open tilts, meters, settings, mode and the very round that was open, and goes on with it.

    Whatever stops it passes through.
    """
    try:
        _read(table)
    except Exception:
        table.records.started = False
        raise
    table.play.go_on("POWER_CUT", None if table.tilts.open else table.rng)
    if table.phase != "SERVICE":
        table.enter(table.place())
    table.changed()


def _read(table) -> None:
    hal, journal, play, tilts = table.hal, table.journal, table.play, table.tilts
    table.part = "program"
    table.program = digest_of(hal, "sha256", b"")[0]
    table.part = "journal"
    journal.open(hal.clock.uptime_ms())
    give_back("journal.opening")
    while journal.idle():
        hal.feed()
    found = table.read_back()
    if found.configuration:
        try:
            table.configure(found.configuration["settings"])
        except ValueError as error:
            table.settings_fault = str(error)[:100]
    if found.calibration:
        from tabletop.table import calibration

        try:
            calibration.take(table, found.calibration)
        except ValueError as error:  # a journal that came to another board
            table.settings_fault = ("calibration: %s" % error)[:100]
        give_back("calibration")
    play.resume(found)
    test = hal.emulated if found.test is None else found.test
    play.test = test or (hal.emulated and not hal.board.get("live"))
    table.records.lease = -1 if found.lease and test else 0  # whoever tested the table is gone
    table.records.started = True
    page = bytearray(hal.vault.page)
    hal.vault.read(0, page)
    payload = table.stand()
    if not any(page):  # the prompt was given since; the secret was erased before
        payload["reason"] = "CONSOLE"
    table.records.write(kinds.BOOT, payload)
    tilts.record_due()
    table.records.tidy()
    table.tasks.hold(-1)  # to its end
    if not found.approved:
        table.approve("")
    elif found.approved != table.program:
        tilts.raise_(PROGRAM_CHANGED, {"found": table.program[:4].hex(), "want": found.approved[:4].hex()})
    if hal.reset_reason == "WATCHDOG" or hal.reset_reason == "FAULT":  # what died may not have been recorded
        tilts.raise_(TASK_DIED, {"task": task_of(hal.marked), "reason": hal.reset_reason})
    reason = play.contradiction(found)
    if reason:
        tilts.raise_(CONTRADICTS, {"reason": reason})
    if table.phase == "BOOT":
        table.enter("SELF_TEST")
    table.self_test()
    if [kind for _number, kind, _payload in table.records.kept_records() if kind == kinds.COMMITTED]:
        from tabletop.table import hidden

        hidden.start(table)
    elif not any(page):
        hal.vault.erase(0)
