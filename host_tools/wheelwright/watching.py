"""Looks on at a table: every record and the live wheel, until the link ends or somebody presses Ctrl-C."""

import time
from typing import Any

from tabletop.rules import dreamcatcher as game

from wheelwright import entries, terminal
from wheelwright.arrivals import Arrivals
from wheelwright.console import LiveView
from wheelwright.link import Client
from wheelwright.store import as_row

WAIT_S = 3600.0


def watch(port: str, timeout: float, first: int | None, rate: int, *, live: bool, json: bool) -> None:
    """Show records from number `first` on (None: from now on) and live values `rate` times a second."""
    with Client.open(port, timeout) as client:
        serial = client.hello.serial

        def show_json(raws: list[bytes]) -> None:
            for raw in raws:
                terminal.print_json(entries.entry(serial, as_row(raw)))

        def live_json(values: dict[str, Any], dropped: int) -> None:
            terminal.print_json({"live": {**values, "dropped": dropped}})

        view = LiveView(game.LAYOUT, terminal.console(), live=live and not json)
        arrivals = Arrivals(
            show_json if json else (lambda _raws: None),
            (lambda _kind, _payload: None) if json else view.record, client.check,
        )  # fmt: skip
        status = client.call("STATUS")
        view.scene.telemetry(status)
        with view:
            client.subscribe(first or status["last"] + 1, arrivals.take_record, arrivals.take_gap)
            if rate and client.hello.compatible:
                client.telemetry(rate, live_json if json else lambda values, _dropped: view.telemetry(values))
            while True:
                arrivals.receive(time.monotonic() + WAIT_S)
                arrivals.waiting.clear()
