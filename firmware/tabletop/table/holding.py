"""Holds an open round: its records once more at the end of the ring, in short, so that those behind may be released.

A round stays in the ring until it ends, with all that stands between its records: restarts in it would fill any ring,
and each start would read them all. In memory only while it runs.
"""

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.table.records import OF_ROUND, SPIN_ROOM

_PAGES = const(5)  # of a ROUND_HELD record, with what it may leave of a sector
_BOOT_PAGES = const(4)
_GAIN = const(4)  # it must be so many times shorter than what it stands for


def steps(table):
    """Generator of short steps for moments of rest; nothing is held when another record comes between two of them.

    Only the BOOT at the end says that the round follows from here: after a power cut before it, it does not.
    """
    from tabletop.rules.held import essence, packed  # a start that finds nothing held needs no memory for it

    records, journal = table.records, table.journal
    opened, last = records.round_opened, journal.last
    records.tried = last
    room = _BOOT_PAGES
    for data in packed(essence(of_round(journal, opened, last))):
        if data:
            room += _PAGES
        yield
    if room * _GAIN > last - opened or journal.free() < room + SPIN_ROOM:
        return
    first, written = 0, last
    for data in packed(essence(of_round(journal, opened, last))):
        if journal.last != written or records.round_opened != opened or journal.damaged:
            return
        if data:
            while journal.ready() < room + SPIN_ROOM and journal.idle():
                table.hal.feed()
            written = records.write(kinds.ROUND_HELD, {"round": table.play.number, "data": data})
            first = first or written
        yield
    if journal.last == written:
        payload = table.stand()
        payload["opened"] = first
        records.again(kinds.BOOT, payload)


def of_round(journal, opened: int, last: int):
    """(name, payload) of each record of the round that is open, from `opened` to `last`; "" for one that is none of it.

    Only the ROUND_HELD records that it begins with count: the holding that wrote others did not come to its end.
    """
    unpacked, held = None, True
    for record in journal.records(opened):
        if record.number > last:
            return
        held = held and record.kind == kinds.ROUND_HELD
        if held:
            if unpacked is None:
                from tabletop.rules.held import Unpacked

                unpacked = Unpacked()
            yield from unpacked.take(cbor.loads(record.payload)["data"])
        else:
            payload = cbor.loads(record.payload) if record.kind in OF_ROUND else {}
            ours = "round" in payload and "again" not in payload
            yield OF_ROUND[record.kind] if ours else "", payload
