"""A whole run on a virtual table: play, store, anchor, verify, replay, and gather it all into a report."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tabletop.journal import kinds
from tabletop.rules import dreamcatcher as game

from wheelwright import wording
from wheelwright.console import LiveView
from wheelwright.dealer import Dealer
from wheelwright.errors import WheelwrightError
from wheelwright.interrupt import heard, stopped
from wheelwright.link import Client
from wheelwright.logbook import entries
from wheelwright.logbook.arrivals import Arrivals
from wheelwright.logbook.chain import Verdict, verify_table
from wheelwright.logbook.corrections import by_record
from wheelwright.logbook.pulling import anchor
from wheelwright.logbook.store import Store
from wheelwright.programme import programme
from wheelwright.replay import Played, Summary, replay
from wheelwright.report import Check, Report
from wheelwright.run import Run
from wheelwright.virtual import VirtualTable

TELEMETRY_HZ = 25
SPIN_PATIENCE_S = 60.0
SECTIONS_MILLI = 54_000


def prepare(folder: Path) -> None:
    """Make the folder of a run and clear what an earlier run left in it. E-8012 when a real table's log is there."""
    log = folder / "log.db"
    if log.exists():
        with Store.open(log) as store:
            for serial in store.serials():
                start = store.record(serial, 1)
                if start is None or not entries.payload_of(start.raw).get("emulated"):
                    raise WheelwrightError(8012, path=log, serial=serial)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("log.db", "report.html", "table/flash.bin", "table/flash.bin.secret", "table/table.log"):
        (folder / name).unlink(missing_ok=True)


def rehearse(seed: int, rounds: int, folder: Path, pace: int, view: LiveView) -> Report:
    """Play the programme of the seed and check everything; E-9902 after Ctrl-C says what became of the round."""
    started = time.time()
    prepare(folder)
    at_milli = seed * 7919 % SECTIONS_MILLI  # where the wheel stands at first
    with (
        VirtualTable(folder / "table", pace=pace, at_milli=at_milli) as table,
        Client.open(table.address) as client,
        Store.open(folder / "log.db", create=True) as store,
    ):
        run = Run(seed, table.hand.spin, view.say)
        serial = client.hello.serial

        def show(kind: str, payload: Any) -> None:
            run.record(kind, payload)
            view.record(kind, payload)

        def live(values: dict[str, Any], _dropped: int) -> None:
            run.live(values)
            view.telemetry(values)

        arrivals = Arrivals(lambda raws: store.add(serial, raws), show, client.check)
        dealer = Dealer(client, arrivals, run.spin, SPIN_PATIENCE_S)
        with heard(arrivals.take), view, _leaving(dealer, folder):
            client.subscribe(1, arrivals.take_record, arrivals.take_gap)
            client.telemetry(TELEMETRY_HZ, live)
            before = client.call("STATUS")
            tested = client.call("SELF_TEST")
            for planned in programme(seed, rounds):
                run.play(dealer, client, planned)
            client.telemetry(0)
            dealer.catch_up()
            anchor(client, store, 1)
            after = client.call("STATUS")
            dealer.catch_up()
        client.subscribe(0, arrivals.take_record)
        link = client.call("STATISTICS")["link"]
        played, summary = _replayed(store, serial)
        verdict = verify_table(store, serial)
        anchored = store.anchor(serial)
        hello, flight = client.hello, run.fullest_flight()
        results = ", ".join(f"{name} {text}" for name, text in tested["results"].items())
        checks = [
            Check("self-test", tested["passed"], results),
            Check("random numbers", after["rng"] == "ok" and after["draws"] == before["draws"],
                  ("known answer right, start-up test of the noise passed" if after["rng"] == "ok" else after["rng"])
                  + (" (EMULATED noise)" if before.get("emulated") else "")
                  + f", {after['draws'] - before['draws']} draws: the wheel decides"),
            *run.checks(rounds, played),
            _chain_check(verdict),
            Check("anchor", anchored is not None, f"record {anchored.number} is anchored on the host, "
                  f"{after['anchored']} at the table" if anchored else "nothing is anchored"),
            Check("replay", summary.different == 0 and summary.rounds > 0,
                  summary.first_problem
                  or f"{wording.count(summary.rounds, 'round')} with the same results on the host"),
            Check("meters", played[-1:] != [] and _meters(played[-1]) == after["meters"],
                  "the table's meters are those of the last settlement"),
            Check("link", not (link["bad_crc"] or link["resends"]),
                  f"{wording.count(link['rx_frames'], 'frame')} in, {link['tx_frames']} out, "
                  f"{link['bad_crc']} damaged"),
        ]  # fmt: skip
        return Report(
            table={
                "serial": hello.serial, "firmware": hello.version, "program": hello.program.hex(),
                "protocol": f"{hello.protocol}, schema {hello.schema.hex()}", "boot": f"{hello.boot} ({hello.reset})",
                "game": ", ".join(hello.capabilities), "layout": game.layout_hash().hex(),
                "paytable": game.paytable_hash().hex(),
            },
            emulated=bool(before.get("emulated")), test=hello.test, started_s=started, ended_s=time.time(),
            layout=game.LAYOUT, seed=seed, checks=checks, rounds=played,
            speed=_from_zero(flight.speed) if flight else [],
            speed_of=f"spin {flight.nth} of round {flight.round}" if flight else "",
            head_number=verdict.last, head_hash=verdict.head.hex(),
            meters_before=before.get("meters", {}), meters_after=after.get("meters", {}),
        )  # fmt: skip


@contextmanager
def _leaving(dealer: Dealer, folder: Path) -> Iterator[None]:
    """After Ctrl-C or SIGTERM, bring the table to a defined phase and keep every record."""
    try:
        yield
    except KeyboardInterrupt as wish:
        raise stopped(wish, f"{dealer.stop()}; the log is in {folder / 'log.db'}") from None


def _replayed(store: Store, serial: str) -> tuple[list[Played], Summary]:
    summary = Summary()
    corrected = by_record(store.records(serial, kinds=(kinds.CORRECTION,)))
    return list(replay(entries.payloads(serial, store.records(serial)), summary, corrected)), summary


def _chain_check(verdict: Verdict) -> Check:
    failure = verdict.failure()
    words = f"{wording.records(verdict.first, verdict.last)} follow one another, head {verdict.head.hex()[:16]}"
    return Check("chain", verdict.whole and verdict.records > 0, str(failure) if failure else words)


def _meters(played: Played) -> object:
    return played.settled["meters"] if played.settled else None


def _from_zero(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    start = points[0][0] if points else 0.0
    return [(seconds - start, speed) for seconds, speed in points]
