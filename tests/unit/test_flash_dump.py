"""A raw image of the journal: whole, of another table, truncated, or with one bit wrong anywhere."""

import json
from pathlib import Path

import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.logbook import flash_dump
from wheelwright.logbook.chain import Verdict
from wheelwright.logbook.store import Anchor

from tests.conftest import FAST
from tests.unit.logs import journal, stored
from tests.vm.dealer import TEN, Dealer, Flash


def more(dealer: Dealer, rounds: int) -> None:
    for _ in range(rounds):
        dealer.open_round([1, "10", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)


def played(rounds: int = 3) -> Dealer:
    dealer = Dealer(Flash(8)).again()
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


def layout(dealer: Dealer) -> list[tuple[int, int, int]]:
    """(number, address, bytes) of every record, by where the flash holds its bytes."""
    data = b"".join(dealer.flash.pages)
    journal = dealer.table.journal
    raws = {number: bytes(journal.read(number)) for number in range(journal.first, journal.last + 1)}
    return [(number, data.index(raw), len(raw)) for number, raw in raws.items()]


@pytest.mark.slow
@pytest.mark.parametrize("wrapped", [False, True], ids=["new ring", "ring that went round"])
def test_a_bit_flipped_in_any_byte_is_named_as_what_it_is(tmp_path: Path, wrapped: bool) -> None:
    dealer = Dealer(Flash(16 if wrapped else 5))
    if wrapped:
        for _ in range(150):
            dealer.key(True)
            dealer.key(False)
            dealer.tick(1, 110)
            dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
        assert dealer.table.journal.first > 1
    else:
        dealer.open_round([1, "10", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
    path, data = image(tmp_path, dealer)
    assert problem(path) is None
    expected = {}  # page -> (what is said of a flip in its record's bytes, its end, what of the bytes behind it)
    for number, start, size in layout(dealer):
        for page in range(start, start + size, 256):
            expected[page] = (f"record {number} at {start:#x} is damaged", start + size,
                              f"record {number} at {start:#x} is followed by bytes that nobody wrote")  # fmt: skip
    step = 61 if wrapped else 7 if FAST else 1
    for at in range(0, len(data), step):
        page = at // 256 * 256
        if page not in expected and not wrapped and at % 256 % 85:
            continue  # of an erased page four bytes are enough
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        path.write_bytes(flipped)
        erased = "", 0, f"the erased page at {page:#x} holds bits that nobody wrote"
        damaged, end, padding = expected.get(page, erased)
        found = str(problem(path))
        assert (damaged if at < end else padding) in found, (hex(at), found)


def test_a_bit_flipped_in_torn_pages_changes_no_record(tmp_path: Path) -> None:
    dealer = played(rounds=1)
    end = next(page for page in range(127, 0, -1) if dealer.flash.pages[page] != b"\xff" * 256) + 1
    dealer.flash.pages[end] = b"WJ" + bytes(38) + b"\xff" * 216
    dealer = dealer.again()
    path, data = image(tmp_path, dealer)
    whole = flash_dump.verify_image(path)
    assert whole.whole
    for at in range(end * 256, end * 256 + 256):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:])
        assert flash_dump.verify_image(path) == whole


def test_the_first_wrong_record_of_an_image_is_named(tmp_path: Path) -> None:
    dealer = played()
    path, data = image(tmp_path, dealer)
    raw = bytes(dealer.table.journal.read(9))
    at = data.index(raw)
    path.write_bytes(data[:at + 70] + bytes([data[at + 70] ^ 4]) + data[at + 71:])
    assert f"record 9 at {at:#x} is damaged" in str(problem(path))
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


def test_a_log_in_the_place_of_an_image_is_told_for_what_it_is(tmp_path: Path) -> None:
    path = stored(tmp_path / "table.db", journal(2))
    assert "it is a log, which --db takes, and no image" in str(problem(path))


def test_an_image_of_another_table_is_refused(tmp_path: Path) -> None:
    path, data = image(tmp_path, played())
    assert problem(path, serial="T-0001") is None
    assert "it is of table T-0001, not of T-0002" in str(problem(path, serial="T-0002"))
    (tmp_path / "flash.bin.json").write_text(json.dumps({"serial": "T-0002", "boot": 2, "size": len(data)}))
    assert "not of T-0002" in str(problem(path))


def test_an_empty_image_of_no_table_is_not_called_whole(tmp_path: Path) -> None:
    (tmp_path / "blank.bin").write_bytes(b"\xff" * 8 * 4096)
    with pytest.raises(WheelwrightError, match=r"E-8107.*is empty.*--serial"):
        flash_dump.verify_image(tmp_path / "blank.bin")
    assert problem(tmp_path / "blank.bin", serial="T-0001") is None, "a table that has never run"


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
