"""A board fresh from the shelf gets its identity on the chip itself, and takes signed commands from then on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from wheelwright.errors import Refused
from wheelwright.flashing import at_prompt, identity, usb
from wheelwright.flashing.identity import Commissioning, check_number
from wheelwright.flashing.prompt import Prompt
from wheelwright.link import Client
from wheelwright.supervising import command, read_key

from tests.emulated.console import ChipConsole, Console
from tests.emulated.process import START_S, Process

pytestmark = [pytest.mark.emulated, pytest.mark.slow]
KEY, OTHER = bytes(range(32)), bytes(range(32, 64))


def test_the_sector_is_written_on_the_chip_and_journal_secret_and_files_stay(image: Path) -> None:
    chip = ChipConsole(image, identity=None)
    try:
        others = {name: chip.table.read_region(name) for name in ("program", "files", "secret", "journal", "reserved")}
        prompt = Prompt("chip", Console(chip))
        assert prompt.ours().startswith("MicroPython 1.")
        before = identity.read(prompt)
        assert (before.given, before.serial[:2], before.check) == (False, "W-", "")
        found = identity.write(prompt, before, "W-000012", "4711", KEY)
        assert (found.serial, found.asset, found.check) == ("W-000012", "4711", check_number(KEY))
        again = identity.write(prompt, found, "", "", OTHER)
        assert (again.serial, again.asset, again.check) == ("W-000012", "4711", check_number(OTHER))
        assert {name: chip.table.read_region(name) for name in others} == others
        assert OTHER in chip.table.read_region("identity")
        assert KEY not in chip.table.read_region("identity")
    finally:
        chip.close()


def test_a_fresh_board_is_given_its_identity_and_then_obeys_its_key_alone(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sector holds only what makes an emulated board fast; a blank one's PIO would take minutes to start."""
    monkeypatch.setattr(at_prompt, "BOARD_S", START_S)
    monkeypatch.setattr(usb, "ASK_S", START_S)
    with Process(tmp_path / "emulator.log", keyless=True, console=True) as table:
        work = Commissioning(usb.Usb(table.address), table.address, tmp_path / "key", "W-000012", "4711")
        assert [step.state for step in work.steps()] == ["CONSOLE", "CHECK", "WRITE", "BOARD", "DONE"]
        key = read_key(tmp_path / "key")
        assert work.identity is not None
        assert work.identity.check == check_number(key)
        table.hand("key", key="SERVICE", on=True)
        table.run_for(100)
        resets = table.hand("state")["resets"]
        with Client.open(table.address, START_S, keepalive_s=None) as client:
            assert client.hello.serial == "W-000012"
            with pytest.raises(Refused, match="E-1008"):
                command(client, OTHER, "RESTART", reason="HOST")
            command(client, key, "RESTART", reason="HOST")
        deadline = time.monotonic() + START_S
        while table.hand("state", timeout=60)["resets"] == resets and time.monotonic() < deadline:
            time.sleep(0.2)
        assert table.hand("state", timeout=60)["resets"] == resets + 1
