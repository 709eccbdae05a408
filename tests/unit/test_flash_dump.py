"""A raw image of the journal: whole, of another table, truncated, or with one bit wrong anywhere."""

import json
import random
from pathlib import Path

import pytest
from wheelwright import flash_dump
from wheelwright.chain import Verdict
from wheelwright.errors import WheelwrightError
from wheelwright.store import Anchor

from tests.vm.dealer import TEN, Dealer, Flash


def more(dealer: Dealer, rounds: int) -> None:
    for _ in range(rounds):
        dealer.open_round([1, "10", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)


def played(serial: str = "T-0001", rounds: int = 3) -> Dealer:
    dealer = Dealer(Flash(8))
    dealer.hal.serial = serial
    dealer = dealer.again(serial=serial)
    more(dealer, rounds)
    return dealer


def image(folder: Path, dealer: Dealer) -> tuple[Path, bytes]:
    path = folder / "flash.bin"
    data = b"".join(dealer.flash.pages)
    path.write_bytes(data)
    return path, data


def problem(path: Path, **how: object) -> WheelwrightError | None:
    """What is wrong with an image, None when nothing is."""
    try:
        verdict: Verdict = flash_dump.verify_image(path, **how)  # type: ignore[arg-type]
    except WheelwrightError as error:
        return error
    return verdict.failure()


def test_a_sound_image_is_whole(tmp_path: Path) -> None:
    dealer = played()
    path, _ = image(tmp_path, dealer)
    verdict = flash_dump.verify_image(path, "T-0001")
    assert verdict.whole
    journal = dealer.table.journal
    assert (verdict.serial, verdict.last, verdict.head) == ("T-0001", journal.last, journal.head)


def test_a_bit_flipped_anywhere_is_found(tmp_path: Path) -> None:
    dealer = played()
    path, data = image(tmp_path, dealer)
    head = Anchor(dealer.table.journal.last, dealer.table.journal.head)
    draw = random.Random(1)
    used = len(data) - len(data.rstrip(b"\xff"))
    ends = [0, 8, len(data) * 8 - 1]
    for bit in ends + [draw.randrange((len(data) - used) * 8) for _ in range(400)] + [
        draw.randrange(len(data) * 8) for _ in range(100)
    ]:
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        assert problem(path, anchor_of=lambda _serial: head) is not None, bit


def test_the_first_wrong_record_of_an_image_is_named(tmp_path: Path) -> None:
    dealer = played()
    path, data = image(tmp_path, dealer)
    raw = bytes(dealer.table.journal.read(9))
    at = data.index(raw)
    path.write_bytes(data[:at + 70] + bytes([data[at + 70] ^ 4]) + data[at + 71:])
    assert "record 9 is missing" in str(problem(path))
    path.write_bytes(data[:at] + b"\xff" * 256 * -(-len(raw) // 256) + data[at + 256 * -(-len(raw) // 256):])
    found = problem(path)
    assert found is not None
    assert (found.code, found.fields["number"]) == (8101, 9)


def test_a_truncated_image_is_refused(tmp_path: Path) -> None:
    dealer = played()
    path, data = image(tmp_path, dealer)
    (tmp_path / "flash.bin.json").write_text(json.dumps({"serial": "T-0001", "boot": 2, "size": len(data)}))
    assert problem(path) is None
    for size in (0, 1, len(data) - 1, len(data) - 4096):
        path.write_bytes(data[:size])
        assert "truncated" in str(problem(path)), size


def test_an_image_of_another_table_is_refused(tmp_path: Path) -> None:
    path, data = image(tmp_path, played("T-0002"))
    assert problem(path, serial="T-0002") is None
    assert "it is of table T-0002, not of T-0001" in str(problem(path, serial="T-0001"))
    (tmp_path / "flash.bin.json").write_text(json.dumps({"serial": "T-0001", "boot": 2, "size": len(data)}))
    assert "not of T-0001" in str(problem(path))


def test_an_image_copied_back_or_forked_or_emptied_is_found_by_the_anchor(tmp_path: Path) -> None:
    dealer = played()
    path, data = image(tmp_path, dealer)
    now = Anchor(dealer.table.journal.last, dealer.table.journal.head)
    assert problem(path, anchor_of=lambda _serial: now) is None
    later = Anchor(now.number + 7, bytes(32))
    found = problem(path, anchor_of=lambda _serial: later)
    assert found is not None
    assert (found.code, found.fields["anchor"]) == (8103, later.number)
    fork = Anchor(now.number - 2, bytes(32))
    found = problem(path, anchor_of=lambda _serial: fork)
    assert found is not None
    assert (found.code, found.fields["number"]) == (8101, fork.number)
    path.write_bytes(b"\xff" * len(data))
    assert "8103" in str(problem(path, serial="T-0001", anchor_of=lambda _serial: now))
    (tmp_path / "flash.bin.json").write_text(json.dumps({"serial": "T-0001", "boot": 2, "size": len(data)}))
    assert "empty, but its table has run" in str(problem(path))


@pytest.mark.parametrize("cut", range(1, 12))
def test_an_image_after_a_power_cut_is_whole_and_its_torn_pages_are_accounted_for(tmp_path: Path, cut: int) -> None:
    from tests.vm.dealer import PowerCut

    dealer = played(rounds=1)
    dealer.flash.cut_at = cut
    real = dealer.flash.program

    def program(address: int, buf: bytes) -> None:
        try:
            real(address, buf)
        except PowerCut:
            dealer.flash.pages[address // 256] = bytes(buf[:40]) + b"\xff" * (256 - 40)  # half done
            raise

    dealer.flash.program = program
    with pytest.raises(PowerCut):
        more(dealer, 5)
    dealer.flash.program = real
    dealer = dealer.again()
    path, _ = image(tmp_path, dealer)
    assert problem(path) is None
