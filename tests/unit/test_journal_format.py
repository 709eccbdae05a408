"""docs/journal-format.md against the journal: its layout, its example, and the verifier printed in it."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from tabletop.journal import fields, kinds, record

from tests.conftest import ROOT
from tests.vm import cuts, test_journal_cuts
from tests.vm.flash import PAGE, SECTOR, Dice, Flash, half_erased

PAGE_TEXT = (ROOT / "docs" / "journal-format.md").read_text()


@pytest.fixture(scope="module")
def verify() -> Callable[[bytes], tuple[int, int, int]]:
    """The verifier exactly as printed; it imports nothing of ours."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE_TEXT, re.S)
    assert len([line for line in program.splitlines() if line.strip()]) <= 32
    assert "tabletop" not in program
    space: dict[str, Any] = {"__name__": "verifier"}
    exec(compile(program, "journal-format.md", "exec"), space)  # noqa: S102
    found: Callable[[bytes], tuple[int, int, int]] = space["verify"]
    return found


def test_the_layout_table_is_the_layout() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+|length) \| (\w+) \|", PAGE_TEXT, re.M)
    fixed = [(int(offset), int(size)) for offset, size, _ in rows if size != "length"]
    assert [offset for offset, _ in fixed] == [sum(size for _, size in fixed[:i]) for i in range(len(fixed))]
    assert sum(size for _, size in fixed) == record.HEADER == 58
    names = [name for _, _, name in rows]
    assert names == ["magic", "version", "kind", "number", "boot", "anchored", "t_ms", "length", "prev", "payload"]
    assert [size for _, size in fixed] == [struct.calcsize(">" + code) for code in record.LAYOUT[1:]] + [32]


def test_the_example_is_what_the_code_writes() -> None:
    (example,) = re.findall(r"```\n(574a.*?)```", PAGE_TEXT, re.S)
    raw = bytes.fromhex(example)
    buf = bytearray(record.MAX)
    size = record.encode_into(buf, 42, 3, kinds.ROUND_CLOSED, 123456, 40, bytes(range(32)), raw[58:-4])
    assert bytes(buf[:size]) == raw
    assert zlib.crc32(raw[:-4]) == int.from_bytes(raw[-4:], "big")


def test_the_table_of_the_proof_has_the_cut_points_of_the_vm() -> None:
    assert f" | {sum(test_journal_cuts.POINTS_ON_VM)} |\n" in PAGE_TEXT


def test_the_list_of_kinds_has_every_field_of_every_kind() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| (\d+) \| ([A-Z_]+) \| (.*) \|$", page, re.M)
    told = {}
    for number, name, words in rows:
        words = re.sub(r"\(.*?\)|\[.*?\]+|[;:].*", "", words)
        told[int(number)] = name, {word.strip() for word in words.split(",")}
    assert told == {
        kind: (name, {field.split(":")[0] for field in listed.split()}) for kind, (name, listed) in fields.KINDS.items()
    }


def lived(records: int = 120) -> cuts.Life:
    life = cuts.Life(Flash(8))
    cuts.play_round_the_ring(life, records)
    return life


def test_the_printed_verifier_agrees_on_a_ring_that_wrapped(verify: Callable[[bytes], tuple[int, int, int]]) -> None:
    for records in (0, 1, 30, 120, 200):
        life = lived(records)
        assert verify(bytes(life.flash.data)) == (life.journal.first, life.journal.last, 0)


def test_the_printed_verifier_sees_through_torn_tails(verify: Callable[[bytes], tuple[int, int, int]]) -> None:
    life = lived(20)
    at = life.journal.page * PAGE + life.journal.sector * SECTOR
    life.flash.data[at : at + 40] = bytes(range(40))
    assert verify(bytes(life.flash.data)) == (1, life.last, 0)
    last = life.last
    life.open()
    life.go_on()
    assert life.last > last
    assert verify(bytes(life.flash.data)) == (life.journal.first, life.last, 0)


def test_the_printed_verifier_names_the_same_damaged_record(verify: Callable[[bytes], tuple[int, int, int]]) -> None:
    life = lived(150)
    dice = Dice(5)
    journal = life.journal
    for number in range(journal.anchored + 1, journal.last):
        raw = journal.read(number)
        at = life.flash.data.find(raw)
        image = bytearray(life.flash.data)
        image[at + dice.below(len(raw))] ^= 1 << dice.below(8)
        assert verify(bytes(image))[2] == number
    first = journal.first
    assert first <= journal.anchored - 3
    at = life.flash.data.find(journal.read(first + 1))
    life.flash.data[at + 30] ^= 4
    assert verify(bytes(life.flash.data)) == (first + 2, journal.last, 0), "anchored: a host has it"


@pytest.mark.parametrize("how", ["first half", "second half", "mixture", "rising bits", "all zero", "blank"])
def test_the_printed_verifier_agrees_on_half_erased_sectors(
    verify: Callable[[bytes], tuple[int, int, int]], how: str
) -> None:
    life = lived(150)
    life.anchor(life.last)
    oldest = life.flash.data.find(life.journal.read(life.journal.first)) // SECTOR
    half_erased(life.flash, oldest * SECTOR, how, Dice(6))
    life.open()
    first, last, wrong = verify(bytes(life.flash.data))
    assert (last, wrong) == (life.journal.last, 0)
    assert first <= life.journal.first <= life.anchored + 1
