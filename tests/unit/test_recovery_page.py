"""docs/recovery.md says what the table does: cuts of whole rounds, tilts, rooms, and a ring that one round fills."""

from __future__ import annotations

import re

from tabletop.codes import TILTS
from tabletop.journal import journal
from tabletop.table import commands, records, selftest

from tests.conftest import ROOT
from tests.vm.dealer import Dealer, Flash, PowerCut, clear
from tests.vm.test_table_cuts import BONUS, PLAIN, VOIDED

PAGE = (ROOT / "docs" / "recovery.md").read_text()
PARTS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])


def rows(part: str) -> list[list[str]]:
    """The cells of a part's table, without its head."""
    return [line.strip("| ").split(" | ") for line in PARTS[part].splitlines() if line.startswith("| ")][1:]


def test_every_cut_of_a_round_leads_where_the_page_says_and_every_line_of_the_page_happens() -> None:
    seen = set()
    for steps in (PLAIN, BONUS, VOIDED):
        cut_at, done = 0, False
        while not done:
            cut_at += 1
            dealer = Dealer()
            dealer.flash.cut_at = cut_at
            try:
                for step in steps:
                    step(dealer)
                    dealer.pass_time(200)
                done = True
            except PowerCut:
                pass
            found = Dealer(dealer.flash, boot=False)
            found.flash.cut_at = 0
            found.table.journal.open(0)
            before = found.records()
            newest = next((kind for kind, payload in reversed(before) if "round" in payload and kind != "BOOT"), "")
            dealer = dealer.again()
            added = [kind for kind, _ in dealer.records()[len(before):] if kind not in ("TORN", "BOOT", "SELF_TEST")]
            if newest:
                seen.add((newest, ", ".join(added) or "-", dealer.phase))
                if newest == "SPIN_STARTED":
                    spin = dealer.last("SPIN")
                    assert (spin["counted"], spin["outcome"], spin["why"]) == (False, "NONE", "POWER_CUT")
    assert seen == {tuple(row) for row in rows("The open round")}


def test_the_tilts_of_the_page_have_their_numbers_and_names() -> None:
    told = {int(row[0][2:4]): row[0][5:] for row in rows("When it cannot go on")}
    assert told == {tilt: TILTS[tilt][0] for tilt in told}
    assert set(TILTS) - set(told) == {21, 62}, "these come of play, not of a start"


def test_the_rooms_of_the_page_are_those_of_the_code() -> None:
    told = [int(row[0]) for row in rows("The room that is kept")]
    assert told == [journal._RESERVE, records.TILT_ROOM, records.SPIN_ROOM, records.WAGER_ROOM, records.ROUND_ROOM,
                    commands._BONUS_ROOM]  # fmt: skip
    for room, (_, words) in zip(told[2:-1], rows("The room that is kept")[2:-1], strict=True):
        wanted = {command for command, needed in commands._ROOM.items() if needed == room}
        assert set(re.findall(r"[A-Z]+_?[A-Z]{3,}", words)) == wanted


def test_the_self_test_and_the_reasons_of_the_page_are_those_of_the_code() -> None:
    assert f"is recorded: {', '.join(selftest.TESTS)}." in PAGE
    reset = (ROOT / "firmware" / "tabletop" / "hal" / "rp2" / "reset.py").read_text()
    (listed,) = re.findall(r"^REASONS = \((.*?)\)", reset, re.MULTILINE)
    (told,) = re.findall(r"BOOT carries the reason: (.*?)\.", PAGE)
    assert set(re.findall(r"[A-Z_]+", told)) == set(re.findall(r"[A-Z_]+", listed)) | {"POWER_ON", "RUN_PIN"}


def test_restarts_in_one_open_round_stop_a_table_that_nobody_pulls_and_a_pull_frees_its_ring() -> None:
    dealer = Dealer(Flash(16))
    dealer.open_round([1, "10", 1000])
    restarts, free = 0, dealer.table.journal.free()
    while dealer.phase != "TILT":
        assert dealer.phase == "NO_MORE_BETS"
        dealer = dealer.again()
        restarts += 1
    assert list(dealer.table.tilts.open) == [52]
    assert 3 <= free / restarts <= 4, "pages a restart, as the page says"
    for _ in range(3):
        dealer = dealer.again()
        assert (dealer.phase, list(dealer.table.tilts.open)) == ("TILT", [52])
    journal = dealer.table.journal
    assert dealer.send("ANCHOR", number=journal.last, hash=journal.head)["anchored"] > journal.last - 80
    dealer.tick(30, 50)
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    round_ = dealer.table.play.round
    assert (round_.number, round_.wagered_mills()) == (1, 1000)
