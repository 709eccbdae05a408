"""The identity of a board, written at the prompt of a real MicroPython: once, whole, and its key never told."""

from __future__ import annotations

import contextlib
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cbor2
import pytest
from tabletop.journal import kinds
from tabletop.journal.journal import Journal
from wheelwright.cli import ending
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import deploy, identity, usb
from wheelwright.flashing.identity import check_number, new_key
from wheelwright.flashing.prompt import Prompt

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.unit.fake_board import KEY, Bench
from tests.unit.test_cli import Ended
from tests.unit.test_deploy_vm import changed
from tests.unit.vm_board import BASE, REGIONS, SERIAL, VmBoard
from tests.unit.vm_table import Table
from tests.vm.dealer import Flash

pytestmark = pytest.mark.vm
OTHER = bytes(range(32, 64))
CHIP = "W-0001020304050607"  # of its flash chip


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VmBoard]:
    vm = VmBoard(need_micropython(), tmp_path)
    yield vm
    vm.power_off()


@contextlib.contextmanager
def at_prompt(board: VmBoard, cut_at: int = 0) -> Iterator[Prompt]:
    try:
        with Prompt.open(board.prompt(cut_at)) as prompt:
            yield prompt
    finally:
        board.power_off()


def give(board: VmBoard, serial: str = "", asset: str = "", key: bytes = KEY, cut_at: int = 0) -> identity.Identity:
    with at_prompt(board, cut_at) as prompt:
        return identity.write(prompt, identity.read(prompt), serial, asset, key)


def journal_of(serial: str) -> bytes:
    """The first sectors of a journal whose table started twice under that number, with other records behind."""
    flash = Flash(8)
    for _ in range(2):
        journal = Journal(flash)
        journal.open()
        journal.append(kinds.BOOT, cbor2.dumps({"serial": serial}, canonical=True), 0)
        for n in range(20):
            journal.append(kinds.TIME_SET, cbor2.dumps({"unix_ms": n, "was_ms": 0}, canonical=True), n)
    return b"".join(flash.pages)


def put(board: VmBoard, region: str, data: bytes) -> None:
    start = REGIONS[region][0] - BASE
    flash = bytearray(board.flash.read_bytes())
    flash[start : start + len(data)] = data
    board.flash.write_bytes(bytes(flash))


def test_a_board_fresh_from_the_shelf_gets_serial_number_asset_and_key_and_nothing_else_is_touched(
    board: VmBoard,
) -> None:
    others = [name for name in REGIONS if name not in ("program", "identity", "reserved")]
    before = {name: board.region(name) for name in others}
    with at_prompt(board) as prompt:
        found = identity.read(prompt)
        assert (found.serial, found.given, found.check) == (CHIP, False, "")
    found = give(board, "W-000012", "4711")
    assert (found.serial, found.asset, found.check) == ("W-000012", "4711", check_number(KEY))
    assert board.run(SERIAL) == "W-000012"
    assert {name: board.region(name) for name in others} == before
    assert KEY in board.region("identity")


def test_no_answer_of_the_prompt_to_the_tool_holds_the_key(board: VmBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    tell = Prompt._tell

    def heard(self: Prompt, doing: str, expression: str) -> object:
        value = tell(self, doing, expression)
        said.append(repr(value))
        return value

    monkeypatch.setattr(Prompt, "_tell", heard)
    give(board, "W-000012")
    with at_prompt(board) as prompt:
        identity.read(prompt)
    assert len(said) >= 4
    assert not [text for text in said if KEY.hex() in text or repr(KEY)[2:20] in text or "key" in text]


@pytest.mark.parametrize("replaces", [False, True])
def test_a_power_cut_at_any_flash_operation_leaves_no_identity_or_a_whole_one_and_the_command_mends_it(
    board: VmBoard, replaces: bool
) -> None:
    put(board, "journal", journal_of("W-000012"))
    if replaces:
        give(board, "W-000012", "old", OTHER)
    before = board.flash.read_bytes()
    asset = "x" * 300  # so that it takes two pages
    for cut_at in (1, 2, 3):
        board.flash.write_bytes(before)
        with pytest.raises(WheelwrightError, match="E-7337"):
            give(board, "W-000012", asset, cut_at=cut_at)
        with at_prompt(board) as prompt:
            found = identity.read(prompt)
        assert found.check in ("", check_number(KEY), check_number(OTHER) if replaces and cut_at == 1 else ""), cut_at
        assert give(board, "", asset).serial == "W-000012", "the journal still says who it is"
        assert board.region("journal") == before[REGIONS["journal"][0] - BASE :][: REGIONS["journal"][1]]
    board.flash.write_bytes(before)
    give(board, "W-000012", asset, cut_at=4)  # it took three


def test_a_journal_of_another_number_is_named_and_given_up_only_when_asked(board: VmBoard) -> None:
    put(board, "journal", journal_of("W-000007"))
    before = board.flash.read_bytes()
    with pytest.raises(WheelwrightError, match=r"E-7362 .* is that of table W-000007, not W-000012"):
        give(board, "W-000012")
    assert board.flash.read_bytes() == before
    assert give(board).serial == "W-000007"
    with at_prompt(board) as prompt:
        found = identity.write(prompt, identity.read(prompt), "W-000012", "", KEY, erase=True)
    assert found.serial == "W-000012"
    assert set(board.region("journal")) == {0xFF}


def test_what_the_board_sets_for_itself_and_a_deployment_outlive_each_other(board: VmBoard) -> None:
    give(board, "W-000012")
    before = board.region("identity")
    with at_prompt(board) as prompt:
        prompt.format()
        list(deploy.deploy(prompt, "port", changed("first")))
    assert board.region("identity") == before
    with at_prompt(board) as prompt:
        values = {"serial": "W-000012", "key": KEY, "board": {"baud": 9600}, "emulated": True}
        assert prompt.tell("writing", f"CHECK = {identity.CHECK!r}{identity._HERE}", f"write({values!r})")
    assert give(board, asset="4712", key=OTHER).values == {
        "serial": "W-000012", "asset": "4712", "board": {"baud": 9600}, "emulated": True}  # fmt: skip


def test_settings_of_one_table_are_checked_by_its_board_before_anything_is_written(board: VmBoard) -> None:
    give(board, "W-000012")
    before = board.flash.read_bytes()
    with at_prompt(board) as prompt:
        here = identity.read(prompt)
        with pytest.raises(WheelwrightError, match=r"E-7366 .*: baud is 300, but must be a whole number from 9600"):
            identity.write(prompt, here, "", "", KEY, settings={"baud": 300})
        assert board.flash.read_bytes() == before
        found = identity.write(prompt, here, "", "", KEY, settings={"baud": 19200, "led_milliamps": {"budget": 5000}})
        assert found.words().endswith(", baud 19200, led_milliamps {'budget': 5000}")
        kept = identity.write(prompt, found, "", "4711", KEY)
        assert kept.values["board"] == found.values["board"]
        assert "board" not in identity.write(prompt, kept, "", "", KEY, settings={}).values


def test_settings_that_are_no_object_are_refused_before_a_board_is_asked(tmp_path: Path) -> None:
    with pytest.raises(WheelwrightError, match="E-7366"):
        identity.Commissioning(usb.Usb("", ""), "", tmp_path / "key", settings=[1])  # type: ignore[arg-type]


@pytest.mark.parametrize("spoil", [b"\0" * 40, b"WHID\0\0\0\4\0\0\0\0abcd", b"rubbish " * 9])
def test_a_damaged_identity_is_named_and_can_be_written_anew(board: VmBoard, spoil: bytes) -> None:
    put(board, "identity", spoil)
    with at_prompt(board) as prompt:
        found = identity.read(prompt)
    assert "damaged" in found.words()
    assert not found.given
    assert give(board, "W-000012").serial == "W-000012"


def test_the_key_file_is_made_once_for_its_owner_alone_and_then_used(tmp_path: Path) -> None:
    path = tmp_path / "W-000012.key"
    made = new_key(path)
    assert len(made) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert new_key(path) == made
    assert new_key(tmp_path / "other.key") != made
    with pytest.raises(WheelwrightError, match="E-8010"):
        new_key(tmp_path / "absent" / "key")
    path.write_text("no key")
    with pytest.raises(WheelwrightError, match="E-9012"):
        new_key(path)


@pytest.fixture
def tool(
    board: VmBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ended]]:
    """Runs `wheelwright identity ...` on a table that is this board, at its prompt at first."""
    table = Table(tmp_path, board, at_prompt=True)
    monkeypatch.setattr(usb, "Usb", lambda *words: Bench([table], *words))
    monkeypatch.chdir(tmp_path)
    for name in ("PORT", "DEVICE_KEY"):
        monkeypatch.delenv(f"WHEELWRIGHT_{name}", raising=False)

    def run(*words: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["wheelwright", "identity", *words])
        status = ending.outcome()
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return Ended(status, said.out, said.err)

    yield run
    table.unplug()


def test_a_fresh_board_gets_its_identity_and_keeps_it_but_for_who_has_its_key(
    tool: Callable[..., Ended], tmp_path: Path
) -> None:
    Path("fake.key").write_text(KEY.hex())  # what the table of the test asks of a RESTART
    ended = tool("write", "--key", "fake.key", "--table", "W-000012", "--asset", "4711", "--json")
    assert ended.status == 0, ended.err
    fits("identity write", ended.json)
    assert ended.json["steps"] == ["CONSOLE", "CHECK", "WRITE", "BOARD", "DONE"]
    assert (ended.json["serial"], ended.json["asset"], ended.json["check"]) == ("W-000012", "4711", check_number(KEY))
    assert KEY.hex() not in ended.out

    ended = tool("show")
    assert ended.status == 8
    assert "E-7365 a table runs at" in ended.err
    ended = tool("show", "--device-key", "fake.key", "--json")
    fits("identity show", ended.json)
    assert ended.json == {"serial": "W-000012", "asset": "4711", "check": check_number(KEY), "given": True,
                          "damaged": "", "board": {}}  # fmt: skip
    ended = tool("write", "--key", "new.key", "--device-key", "fake.key")
    assert ended.status == 0, ended.err
    assert "keep new.key as you keep the service key" in ended.out
    assert "table W-000012, asset 4711" in ended.out


@pytest.mark.parametrize("owner", ["nobody", "another"])
def test_without_its_key_an_identity_is_not_replaced_and_no_key_is_made(
    owner: str, tool: Callable[..., Ended], board: VmBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.power_off()
    give(board, "W-000012", key=OTHER)
    before = board.flash.read_bytes()
    Path("fake.key").write_text(KEY.hex())
    table = Table(tmp_path / "again", board, at_prompt=owner == "nobody")
    monkeypatch.setattr(usb, "Usb", lambda *words: Bench([table], *words))
    ended = tool("write", "--key", "new.key", *(["--device-key", "fake.key"] if owner == "another" else []))
    assert ended.status == 8
    assert ("E-7361 table W-000012" if owner == "another" else "E-7360 ") in ended.err
    assert not Path("new.key").exists()
    assert board.flash.read_bytes() == before
    table.unplug()


@pytest.mark.parametrize("words", [("--table", "W 12"), ("--table", "W-" + "1" * 40), ("--asset", "ä" * 33)])
def test_a_number_that_no_label_can_carry_is_refused_before_anything(
    words: tuple[str, str], tool: Callable[..., Ended]
) -> None:
    ended = tool("write", "--key", "new.key", *words)
    assert (ended.status, ended.err[:5]) == (2, "E-900")
    assert not Path("new.key").exists()
