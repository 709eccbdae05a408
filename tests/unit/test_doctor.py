"""The doctor names what is wrong with a computer, and the one command that mends it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from wheelwright import __version__
from wheelwright.cli import ending
from wheelwright.doctor import INSTALL_RULE, OURS, Computer, Finding, Port, examine, this_computer
from wheelwright.flashing import usb
from wheelwright.flashing.flash import Board
from wheelwright.holders import holder_of, unseen

from tests.unit.link_table import ServedOnPty
from tests.unit.test_cli import Ended

RULE = OURS.read_text()


def finding(name: str, **facts: object) -> Finding:
    well = {"rule": RULE, "our_rule": RULE, "ports": [Port("/dev/ttyACM0", "E66")]}
    found = examine(Computer(**{**well, **facts}), "1.0.0")  # type: ignore[arg-type]
    return next(item for item in found if item.name == name)


def test_a_computer_in_order_has_nothing_to_mend() -> None:
    well = Computer(rule=RULE, our_rule=RULE, ports=[Port("/dev/ttyACM0", "E66")])
    found = examine(well, "1.0.0")
    assert {item.state for item in found} == {"ok"}
    assert not any(item.mend for item in found)


@pytest.mark.parametrize(("python", "state"), [((3, 10), "wrong"), ((3, 11), "ok"), ((3, 14), "ok")])
def test_the_oldest_python_that_works_is_known(python: tuple[int, int], state: str) -> None:
    assert finding("python", python=python).state == state


def test_a_port_that_is_not_permitted_names_the_group_to_join() -> None:
    shut = finding("permission", ports=[Port("/dev/ttyACM0", readable=False, group="dialout")], user="ada")
    assert shut.mend == "sudo usermod -aG dialout ada, then log in again"


def test_a_busy_port_names_its_holder_and_how_to_end_it() -> None:
    busy = finding("busy", ports=[Port("/dev/ttyACM0", holder="minicom 4711")])
    assert "held by minicom 4711" in busy.text
    assert "kill 4711" in busy.mend


@pytest.mark.parametrize(("rule", "text"), [("", "not installed"), ("old", "another version")])
def test_a_missing_or_old_rule_is_named_with_the_command_that_installs_it(rule: str, text: str) -> None:
    found = finding("udev", rule=rule)
    assert text in found.text
    assert found.mend == INSTALL_RULE


def test_case_17_modem_manager_is_named_with_the_rule_to_add_unless_the_rule_is_there() -> None:
    without = finding("ModemManager", processes={"ModemManager"}, rule="")
    assert without.state == "look"
    assert INSTALL_RULE in without.mend
    assert finding("ModemManager", processes={"ModemManager"}).state == "ok"


def test_case_17_brltty_is_named_with_what_masks_it() -> None:
    assert "mask --now brltty.service" in finding("brltty", processes={"brltty"}).mend


def test_a_board_in_its_boot_loader_is_named_with_chip_and_place() -> None:
    found = finding("bootloader", boards=[Board("/media/RPI-RP2", "", "bootloader", "RP2040")])
    assert "RP2040" in found.text
    assert "/media/RPI-RP2" in found.text


def test_versions_that_do_not_match_are_both_named() -> None:
    found = finding("version", tables={"/dev/ttyACM0": "0.9.0"})
    assert "0.9.0" in found.text
    assert "1.0.0" in found.text


def test_no_board_is_no_fault_but_is_told() -> None:
    assert finding("ports", ports=[]).state == "look"


def test_the_rule_covers_the_ids_and_keeps_modem_manager_off() -> None:
    assert 'ATTRS{idVendor}=="2e8a"' in RULE
    assert "ID_MM_DEVICE_IGNORE" in RULE


def test_the_holder_of_an_open_file_is_found_and_nobody_once_it_is_closed(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system has no /proc")
    path = tmp_path / "port"
    with path.open("w"):
        assert holder_of(str(path)).endswith(f" {os.getpid()}")
    assert holder_of(str(path)) == ""


def process(proc: Path, number: int, name: str, *, seen: bool) -> None:
    folder = proc / str(number)
    (folder / "fd").mkdir(parents=True)
    (folder / "comm").write_text(name + "\n")
    (folder / "cmdline").write_text(name)
    if not seen:
        (folder / "fd").chmod(0)


def test_a_port_that_another_users_program_has_locked_is_busy_and_one_that_it_may_have_open_is_not_called_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proc, port = tmp_path / "proc", tmp_path / "ttyACM0"
    port.write_text("")
    process(proc, 4711, "minicom", seen=False)
    denied = proc / "4711" / "fd"
    monkeypatch.setattr(os, "access", lambda path, mode: path != denied)  # root may read all
    assert unseen(proc) == ["minicom 4711"]
    (proc / "locks").write_text("1: POSIX  ADVISORY  WRITE 12 00:06:1 0 EOF\n")
    assert holder_of(str(port), proc) == ""
    told = finding("port", ports=[Port(str(port), "E66", hidden=True)])
    assert (told.state, "free" in told.text) == ("ok", False)
    assert "sudo wheelwright doctor" in told.text
    (proc / "locks").write_text(f"1: FLOCK  ADVISORY  WRITE 4711 00:06:{port.stat().st_ino} 0 EOF\n")
    assert holder_of(str(port), proc) == "minicom 4711"
    process(proc, 4712, "picocom", seen=True)
    (proc / "4712" / "fd" / "3").symlink_to(port)
    assert holder_of(str(port), proc) == "minicom 4711", "a lock says more than an open file"
    assert holder_of(str(port), proc, but=4711) == "picocom 4712"


def test_looking_at_this_computer_changes_and_opens_nothing() -> None:
    assert examine(this_computer())[0].name == "python"


@pytest.mark.parametrize(("text", "chip"), [
    ("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n", "RP2040"),
    ("UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: RP2350\n", "RP2350"),
    ("Board-ID: SAMD21\n", ""), ("", ""),
])  # fmt: skip
def test_the_chip_is_read_from_the_boot_loaders_drive(text: str, chip: str) -> None:
    assert usb.chip_of_drive(text) == chip


def test_our_boards_are_known_by_their_usb_name() -> None:
    assert usb.chip_of_product("WHEEL_PICO2") == "RP2350"
    assert usb.chip_of_product("Board in FS mode") == ""
    assert usb.chip_of_product(None) == ""


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Runs the command on a computer that is well but for `facts`."""

    def run(*words: str, **facts: object) -> Ended:
        well = {"rule": RULE, "our_rule": RULE, "ports": [Port("/dev/ttyACM0", "E66")], **facts}
        monkeypatch.setattr("wheelwright.doctor.this_computer", lambda: Computer(**well))  # type: ignore[arg-type]
        monkeypatch.setattr(sys, "argv", ["wheelwright", "doctor", *words])
        status = ending.outcome()
        said = capsys.readouterr()
        return Ended(status, said.out, said.err)

    return run


def test_the_command_ends_with_1_when_something_is_wrong_and_with_0_when_it_is_only_worth_a_look(
    doctor: Callable[..., Ended],
) -> None:
    assert doctor().status == 0
    worth_a_look = doctor(rule="")
    assert worth_a_look.status == 0
    assert f"look   the udev rule is not installed\n       -> {INSTALL_RULE}\n" in worth_a_look.out
    wrong = doctor(ports=[Port("/dev/ttyACM0", holder="minicom 4711")])
    assert wrong.status == 1
    assert "WRONG  /dev/ttyACM0 is held by minicom 4711\n" in wrong.out


def test_case_20_a_table_of_another_version_is_named_with_both_and_with_the_command(
    doctor: Callable[..., Ended],
) -> None:
    with ServedOnPty(version="0.0.1") as table:
        ended = doctor("--port", table.address, "--json")
    assert ended.status == 1
    found = next(item for item in ended.json if item["name"] == "version")
    assert found["text"] == f"the table at {table.address} runs 0.0.1, this tool is {__version__}"
    assert found["mend"].startswith("wheelwright flash IMAGE.uf2")
    with ServedOnPty(version=__version__) as table:
        assert doctor("--port", table.address).status == 0


def test_a_table_that_does_not_answer_is_one_more_finding_and_hides_no_other(doctor: Callable[..., Ended]) -> None:
    ended = doctor("--port", "/nowhere/port", rule="")
    assert ended.status == 1
    assert "the udev rule is not installed" in ended.out
    assert "WRONG  there is no port /nowhere/port\n       -> check the cable" in ended.out


def test_a_drive_that_is_not_mounted_is_named_with_the_command_that_mounts_it() -> None:
    found = finding("drive", boards=[Board("/dev/disk/by-label/RPI-RP2", "", "unmounted", "RP2040")])
    assert found.mend == "udisksctl mount -b /dev/disk/by-label/RPI-RP2"
