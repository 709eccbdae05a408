"""Collects what a diagnosis goes by: from the journal of a table or a log, and from a live look at a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tabletop import cbor
from tabletop.journal import kinds
from tabletop.journal.record import decode

from wheelwright.bench import coast, encoder, pegs
from wheelwright.bench.finding import Found
from wheelwright.bench.session import Bench
from wheelwright.diagnosis.clues import Boot, Clue, of_boots, of_inputs, of_link, of_look, of_spins
from wheelwright.errors import Text, tilt_text
from wheelwright.logbook.store import Row, Store


def of_rows(rows: Iterable[Row]) -> list[Clue]:
    """What the records of one table say, oldest first."""
    spins: list[dict[str, Any]] = []
    boots: list[Boot] = []
    for row in rows:
        if row.kind == kinds.SPIN:
            spins.append(cbor.loads(decode(row.raw).payload))
        elif row.kind == kinds.BOOT:
            payload = cbor.loads(decode(row.raw).payload)
            if not payload.get("again"):
                boots.append(Boot(row.boot, payload["reason"], 0))
        if boots and boots[-1].number == row.boot:
            boots[-1] = boots[-1]._replace(lived_ms=row.t_ms)
    return of_spins(spins) + of_boots(boots[:-1])  # the last one still lives


def open_tilts(status: Mapping[str, Any]) -> list[Text]:
    """The tilts that a table says are open, from its STATUS."""
    detail = status.get("detail", {})
    return [tilt_text(tilt, detail.get(str(tilt), {})) for tilt in status["tilts"]]


def left_open(rows: Iterable[Row]) -> list[Text]:
    """The tilts that were open at the end of these records of one table, oldest first."""
    found: dict[int, Any] = {}
    for row in rows:
        if row.kind not in (kinds.TILT, kinds.TILT_CLEARED, kinds.BOOT):
            continue
        payload = cbor.loads(decode(row.raw).payload)
        if row.kind == kinds.TILT:
            found[payload["tilt"]] = payload.get("detail", {})
        elif row.kind == kinds.TILT_CLEARED:
            found.pop(payload["tilt"], None)
        else:  # a start repeats those whose records may be gone
            found |= {tilt: payload.get("detail", {}).get(str(tilt), {}) for tilt in payload.get("tilts", ())}
    return open_tilts({"tilts": sorted(found), "detail": {str(tilt): detail for tilt, detail in found.items()}})


def missing(store: Store, serial: str) -> list[tuple[int, int]]:
    """The numbers of records that a log lacks: before its first, in its middle, and up to its anchor."""
    bounds, anchor = store.bounds(serial), store.anchor(serial)
    first, last = bounds or (1, 0)
    end = anchor.number if anchor else 0
    return ([(1, first - 1)] if first > 1 else []) + store.gaps(serial) + ([(last + 1, end)] if end > last else [])


def look(bench: Bench) -> dict[str, Found]:
    """A spin each way, judged by the tests of the bench."""
    forward, backward = bench.motion(1), bench.motion(-1)
    return {
        "encoder_lines": encoder.lines(forward, backward, bench.wheel),
        "counts_a_turn": encoder.counts_a_turn(forward, backward, bench.wheel),
        "index": encoder.index(forward, backward, bench.wheel),
        "clapper": pegs.clapper(forward, backward, bench.wheel),
        "sections": pegs.sections(forward, backward, bench.wheel, None),
        "coast_down": coast.coast_down(forward, bench.wheel, bench.earlier),
    }


def of_table(bench: Bench, processes: Collection[str], *, spin: bool) -> list[Clue]:
    """Everything that a table tells; with `spin`, its wheel is turned both ways."""
    counters = bench.call("STATISTICS")["link"]
    clues = of_rows(bench.rows[number] for number in sorted(bench.rows))
    clues += of_link(counters, processes)
    clues += of_inputs(bench.call("PROBE", on=True, hold=True)["inputs"])
    if spin:
        clues += of_look(look(bench))
    bench.call("PROBE", on=False, hold=False)
    return clues
