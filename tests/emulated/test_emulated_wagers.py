"""A progressive wager on the pins of the emulated chip: wager sensors in, seat lamps and the meter's display out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bench.chip_table import Running
from tests.vm.seated_table import ROUNDS

pytestmark = [pytest.mark.emulated, pytest.mark.slow]
GAME = "match_the_dealer"


def test_a_round_of_match_the_dealer_on_the_pins(image: Path) -> None:
    """Chips on sensors 1, 3 and 7, the lock-out, cards and validation over the link, and a hit of the meter."""
    assert image
    running = Running(game=GAME)
    displays = running.table.displays
    try:
        running.hello()
        running.ask("OPEN_BETS")
        displays.sensors = 0b1000101
        running.until(lambda: displays.lamps & 0x7F == 0b1000101)
        running.ask("NO_MORE_BETS")
        displays.sensors = 0b1000111  # a chip that comes too late
        running.until(lambda: "3006" in displays.texts)
        assert running.ask("STATUS")["bets"] == 3
        displays.sensors = 0
        reply: dict[str, Any] = {}
        for given in ROUNDS[GAME][1]:
            reply = running.ask("GIVE", given=given)
        assert reply["step"] == "DONE"
        running.ask("SETTLE")
        running.until(lambda: "0.18" in displays.texts)
        assert displays.lamps & 0x7F == 0
        assert running.ask("STATUS")["meter_mills"] == 180
    finally:
        running.close()
