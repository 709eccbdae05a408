"""The desks of a linked meter's house: whatever one of them meets is said, and the others go on."""

import threading
from pathlib import Path
from typing import Any

import pytest
from tabletop.rules.progressive import match_the_dealer as match
from wheelwright.errors import exit_code
from wheelwright.meters import house as houses
from wheelwright.meters.books import Books
from wheelwright.meters.reading import reader


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
