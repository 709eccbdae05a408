"""The desks of a linked meter's house: whatever one of them meets is said, and the others go on."""

import threading
from pathlib import Path
from typing import Any

import pytest
from tabletop.journal.record import decode
from tabletop.rules.progressive import match_the_dealer as match
from wheelwright.errors import exit_code
from wheelwright.meters import house as houses
from wheelwright.meters.books import Books
from wheelwright.meters.ledger import Claimed
from wheelwright.meters.reading import reader

from tests.unit.logs import Journal


@pytest.mark.parametrize("error", [KeyError("phase"), ValueError("no such\nfield"), OSError(5, "I/O"), TypeError()])
def test_a_desk_that_meets_what_nobody_foresaw_is_named_and_goes_on(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(houses, "AGAIN_S", 0.001)
    books = Books(tmp_path / "ledger.db", create=True)
    books.open("house", "match_the_dealer", match.parameters(match.DEFAULTS), test=True)
    said: list[tuple[str, str]] = []
    again = {"one": threading.Event(), "two": threading.Event()}
    came: list[str] = []

    def connect(address: str) -> Any:
        came.append(address)
        if came.count(address) > 2:
            again[address].set()
        raise error if address == "one" else houses.WheelwrightError(7001, port=address)

    house = houses.House(
        books, "house", reader(books.linked("house")), [bytes(32)], lambda address, text: said.append((address, text))
    )
    for address in again:
        house.follow(address, lambda address=address: connect(address))  # type: ignore[misc]
    assert all(event.wait(10) for event in again.values()), "both begin anew"
    house.stop()
    told = [text for address, text in said if address == "one"]
    assert len(told) == 1, "once, and in one line"
    what = f"({type(error).__name__}"
    assert told[0].startswith(f"E-8216 the desk of the table at one met something it was not written for {what}")
    assert "\n" not in told[0]
    assert exit_code(house.faults["one"].code) == 9
    assert house.faults["two"].code == 7001


def test_a_claim_of_before_there_were_nonces_is_read_as_it_was(tmp_path: Path) -> None:
    books = Books(tmp_path / "ledger.db", create=True)
    books.open("house", "match_the_dealer", match.parameters(match.DEFAULTS), test=True)
    read = reader(books.linked("house"))
    made = Journal(1)
    made.start()
    known = {"joined": True, "round": 1, "claims": {}}
    for more in ({}, {"nonce": bytes(16)}):
        number = made.put("GIVEN", round=1, given=["validate", 1, "F1"], share=100, **more)
        events, after = read("WW-0001", decode(made.raws[-1]), known)
        assert events == [Claimed(1, 1, 100)]
        nonces = {"nonces": {1: bytes(16)}} if more else {}
        assert after == {**known, "claims": {1: number}, **nonces}, "the line of its ledger says the same"
