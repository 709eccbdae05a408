"""Runs tests one after another and keeps what they found: whatever happens, what was done can be gone on with."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wheelwright import __version__, whole
from wheelwright.bench.finding import Found, invalid
from wheelwright.bench.session import Bench
from wheelwright.bench.tests import BY_NAME, Test
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.reports import files
from wheelwright.reports.extract import extract
from wheelwright.reports.run import Check, Head, Run, from_json, to_json

ENDED = (7000, 7099)  # errors after which there is no link to go on with
DONE = ("PASS", "FAIL")


class Who(NamedTuple):
    """What a report says besides what was measured."""

    technician: str = ""
    licence: str = ""
    reason: str = ""
    asset: str = ""
    table: str = ""


def unfinished(folder: Path, serial: str) -> Path:
    """The file of a run of this table that was interrupted."""
    return folder / (re.sub(r"[^\w.-]", "_", serial) + "-unfinished.json")


def earlier_losses(folder: Path | None, serial: str, before_s: float) -> tuple[float, ...]:
    """The coast-downs of this table's earlier runs, oldest first, from the reports in a folder."""
    found = []
    for path in sorted(folder.glob("*.json")) if folder and folder.is_dir() else ():
        try:
            run = files.read(path)
        except WheelwrightError:
            continue
        if run.serial == serial and run.started_s < before_s and run.complete:
            found += [
                (run.started_s, float(check.measured)) for check in run.checks
                if check.name == "coast_down" and check.verdict == "PASS" and isinstance(check.measured, float)
            ]  # fmt: skip
    return tuple(loss for _, loss in sorted(found))


def check_of(test: Test, found: Found, started_s: float) -> Check:
    """A finding as a report takes it."""
    return Check(
        name=test.name, title=test.title, verdict=found.verdict, started_s=started_s, ended_s=time.time(),
        measured=found.measured, low=found.low, high=found.high, expected=found.expected, unit=found.unit,
        detail=found.detail, cause=found.cause, next_step=found.advice, plot=found.plot,
    )  # fmt: skip


class Running:
    """One run at one table. `checks` grow with `run`; `result()` is the run so far."""

    def __init__(self, bench: Bench, who: Who, port: str, folder: Path | None = None) -> None:
        self.bench = bench
        self.checks: list[Check] = []
        self._who = who
        self._port = port
        self._folder = folder
        self._seed = secrets.token_bytes(16)
        self._proof = bench.call("VERIFY", algorithm="hmac-sha256", seed=self._seed)["digest"]
        self._started_s = time.time()
        self._began = bench.began
        self._head = Head(number=bench.began["last"], hash=_hash(bench, bench.began["last"]))
        self._test_mode = True
        self._before: Run | None = None

    def resume(self) -> list[str]:
        """Take up the checks of the run that was interrupted, if there is one; the names of those that need not be done
        again. E-7404: it was of another table or program."""
        path = unfinished(self._folder, self.bench.client.hello.serial) if self._folder else None
        if path is None or not path.exists():
            return []
        before = from_json(path.read_bytes(), path)
        hello = self.bench.client.hello
        if (before.serial, before.program_sha256) != (hello.serial, hello.program.hex()):
            raise WheelwrightError(7404, path=path, found=before.serial, serial=hello.serial)
        self.checks = [check for check in before.checks if check.verdict in DONE]
        return [check.name for check in self.checks]

    def run(self, names: Iterable[str], on_check: Callable[[Check], object] = lambda _check: None) -> None:
        """Do the tests of these names; each is kept as soon as it is done."""
        for name in names:
            test = BY_NAME[name]
            started_s = time.time()
            ended: WheelwrightError | None = None
            try:
                found = test.run(self.bench)
            except WheelwrightError as error:
                if ENDED[0] <= error.code <= ENDED[1]:
                    ended = error
                found = invalid(
                    str(error), "put the link right, then go on with: --resume" if ended else "see the code"
                )
                if isinstance(error, Refused) and error.code == 4002:
                    found = invalid(str(error), "clear the tilt, then do this test again")
            check = check_of(test, found, started_s)
            self.checks.append(check)
            if ended:
                self._keep(False)
                if self._folder:
                    ended.add("then go on with the tests that are left: add --resume")
                raise ended
            on_check(check)
            self._keep(False)

    def end(self) -> Run:
        """Give the table back as it was; the whole run."""
        self.bench.end()
        return self._result(True)

    def reported(self) -> None:
        """The reports are in their place: nothing is left to go on with."""
        if self._folder:
            with contextlib.suppress(OSError):
                unfinished(self._folder, self.bench.client.hello.serial).unlink()

    def _result(self, complete: bool) -> Run:
        bench, hello = self.bench, self.bench.client.hello
        after = bench.call("STATUS") if complete else self._began
        if complete:
            bench.catch_up()
        rows = [row for number, row in sorted(bench.rows.items()) if self._head.number < number <= after["last"]]
        return Run(
            serial=hello.serial, firmware=hello.version, program=self._proof.hex(), program_seed=self._seed.hex(),
            program_sha256=hello.program.hex(), game=hello.capabilities[0] if hello.capabilities else "",
            emulated=hello.emulated, test_mode=self._test_mode, technician=self._who.technician,
            licence=self._who.licence, reason=self._who.reason, asset=self._who.asset, table=self._who.table,
            started_s=self._started_s, ended_s=time.time(), tool=__version__, checks=list(self.checks),
            meters_before=self._began["meters"], meters_after=after["meters"], journal_before=self._head,
            journal_after=Head(number=after["last"], hash=_hash(bench, after["last"])), port=self._port,
            adjustments=list(bench.adjustments), log=extract(hello.serial, rows), complete=complete,
        )  # fmt: skip

    def _keep(self, complete: bool) -> None:
        if self._folder is None:
            return
        path = unfinished(self._folder, self.bench.client.hello.serial)
        whole.write_all({path: to_json(self._result(complete))})


@contextlib.contextmanager
def given_back(bench: Bench) -> Iterator[None]:
    """Whatever ends the run, the table is as it was; when the link is gone, it sees to that itself."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(WheelwrightError):
            bench.end()
        raise


def _hash(bench: Bench, number: int) -> str:
    row = bench.rows.get(number)
    return row.hash.hex() if row else ""


def as_json(run: Run) -> dict[str, Any]:
    """What `wheelwright bench --json` prints: verdict and checks; the report has everything."""
    return {
        "serial": run.serial, "verdict": run.verdict, "complete": run.complete, "meters_moved": run.moved,
        "seconds": round(run.ended_s - run.started_s, 1),
        "checks": [
            {name: getattr(check, name) for name in (
                "name", "verdict", "measured", "low", "high", "unit", "detail", "cause", "next_step")}
            for check in run.checks
        ],
    }  # fmt: skip
