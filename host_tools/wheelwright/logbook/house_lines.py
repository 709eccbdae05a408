"""What happens at the tables that are followed, as lines for people or for programs."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from wheelwright import terminal
from wheelwright.logbook import entries
from wheelwright.logbook.store import as_row


class Lines:
    """A `Reporting` that prints. One write a line: those of two threads stay whole."""

    def __init__(self, *, json: bool, records: bool = True) -> None:
        self._json, self._records = json, records

    def say(self, serial: str, text: str) -> None:
        """A sentence."""
        if self._json:
            terminal.print_json({"serial": serial or None, "said": text})
        else:
            self._print(f"table {serial}: {text}" if serial else text)

    def stored(self, serial: str, raws: Sequence[bytes]) -> None:
        """Records, each as `log search` shows it."""
        for raw in raws if self._records else ():
            row = as_row(raw)
            item = entries.entry(serial, row)
            if self._json:
                terminal.print_json({**item, "at_ms": row.at_ms})
            else:
                self._print(entries.line(item, row.at_ms))

    def status(self, serial: str, link: str, status: Mapping[str, Any]) -> None:
        """Not shown."""

    @staticmethod
    def _print(text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
