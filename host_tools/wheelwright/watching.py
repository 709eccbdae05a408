"""Looks on at a table: every record and the live wheel, over pulled plugs and restarts, until Ctrl-C."""

import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from wheelwright import terminal
from wheelwright.console import LiveView
from wheelwright.errors import WheelwrightError
from wheelwright.games import game_of
from wheelwright.link import Client
from wheelwright.logbook import entries
from wheelwright.logbook.arrivals import Arrivals, Payload
from wheelwright.logbook.store import as_row

WAIT_S = 3600.0
REATTACH_S = 30.0
AFTER_A_RESULT = 50  # records; first look back for a result, then four times as far
OF_A_ROUND = 400  # records; the longest round of a bonus game is shorter
CAME_APART = (7006, 7015)  # the plug was pulled, or the table restarted


def watch(port: str, timeout: float, first: int | None, rate: int, *, live: bool, json: bool) -> None:
    """Show records from number `first` on (None: from now on) and live values `rate` times a second.

    When the plug is pulled or the table restarts, the same table is looked for, and nothing is missed.
    """
    client = Client.open(port, timeout)
    try:
        serial = client.hello.serial
        view = LiveView(game_of(client.hello.capabilities).layout, terminal.console(quiet=json), live=live)

        def keep(raws: list[bytes]) -> None:
            for raw in raws if json else ():
                terminal.print_json(entries.entry(serial, as_row(raw)))

        def show_live(values: dict[str, Any], dropped: int) -> None:
            view.telemetry(values)
            if json:
                terminal.print_json({"live": {**values, "dropped": dropped}})

        arrivals = Arrivals(keep, view.record, lambda: client.check())
        status = client.call("STATUS")
        view.telemetry(status)
        begin = first or status["last"] + 1
        join(client, status, begin, view.scene.record)
        with view:
            client.subscribe(begin, arrivals.take_record, arrivals.take_gap)
            while True:
                if rate and client.hello.compatible:
                    client.telemetry(rate, show_live)
                try:
                    _follow(arrivals)
                except WheelwrightError as error:
                    if error.code not in CAME_APART:
                        raise
                    view.say(str(error))
                    client = client.reattach(REATTACH_S)
                    view.say(f"table {serial} is back at {client.address}")
    finally:
        client.close()


def join(client: Client, status: Mapping[str, Any], begin: int, take: Callable[[str, Payload], object]) -> None:
    """Give `take` the records before `begin` of the bonus game that is being played, for it shows only with them."""
    if "step" in status:
        _read_back(client, max(status["first"], begin - OF_A_ROUND), begin, take)


def settlement(client: Client, status: Mapping[str, Any], begin: int) -> Payload:
    """The SETTLED record of the round whose result is shown, when it is older than record `begin`; {} else."""
    found: list[Payload] = []

    def take(kind: str, payload: Payload) -> None:
        if kind == "SETTLED" and payload["round"] == status["round"]:
            found.append(payload)

    back = AFTER_A_RESULT
    while status["phase"] == "RESULT" and not found:
        start = max(status["first"], begin - back)
        _read_back(client, start, begin, take)
        if start == status["first"]:
            break
        back *= 4
    return found[-1] if found else {}


def _read_back(client: Client, start: int, begin: int, take: Callable[[str, Payload], object]) -> None:
    if start >= begin:
        return
    arrivals = Arrivals(lambda _raws: None, take, client.check)
    client.subscribe(start, arrivals.take_record, arrivals.take_gap)
    arrivals.catch_up(begin - 1)
    client.subscribe(0, arrivals.take_record)


def _follow(arrivals: Arrivals) -> NoReturn:
    while True:
        arrivals.receive(time.monotonic() + WAIT_S)
        arrivals.waiting.clear()
