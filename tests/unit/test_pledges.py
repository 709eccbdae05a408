"""Hidden values and corrections as the host checks them: what was promised, and by whom it may be put right."""

from pathlib import Path

import pytest
from tabletop.chance.commitment import seal
from wheelwright import report
from wheelwright.logbook.chain import Verdict, verify
from wheelwright.logbook.corrections import by_record
from wheelwright.logbook.entries import payloads
from wheelwright.logbook.store import as_row
from wheelwright.replay import Summary, replay

from tests.unit.logs import SERIAL, Journal, stored
from tests.unit.test_report import Page, made

NONCE, SALT, SECOND = bytes(range(32)), bytes(32), bytes(range(1, 33))


def checked(journal: Journal, first: int = 1) -> Verdict:
    rows = [as_row(raw) for raw in journal.raws][first - 1 :]
    hashes = {row.number: row.hash for row in rows}
    return verify(SERIAL, rows, None, hashes.get)


def problem(journal: Journal, first: int = 1) -> tuple[int, str] | None:
    failure = checked(journal, first).failure()
    return (int(str(failure.fields["number"])), str(failure.fields["reason"])) if failure else None


def commit(journal: Journal, name: str = "must hit", value: int = 7, **changes: object) -> int:
    whole = {"name": name, "hash": seal(value, NONCE), "range": 54, "salt": SALT, **changes}
    return journal.put("COMMITTED", **whole)


def opened(journal: Journal, of: int, name: str = "must hit", value: int = 7, nonce: bytes = NONCE) -> int:
    return journal.put("OPENED", name=name, value=value, nonce=nonce, of=of)


def begun() -> Journal:
    journal = Journal()
    journal.start()
    return journal


def prompted(journal: Journal) -> Journal:
    """A start after somebody had the prompt."""
    journal.start(reason="CONSOLE")
    return journal


def test_a_value_that_is_void_since_somebody_had_the_prompt_is_a_note_and_the_new_one_is_held_to_its_range() -> None:
    journal = begun()
    first = commit(journal)
    second = commit(prompted(journal), value=30, void=True, of=first, least=20)
    third = commit(journal, value=40, void=True, of=second, least=20)  # cut off, it begins again
    note = "is void: somebody had the prompt; it was chosen anew in"
    verdict = checked(journal)
    assert verdict.whole
    told = [f"must hit of record {of} {note} {number}" for of, number in ((first, second), (second, third))]
    assert verdict.notes[:2] == told
    opened(journal, third, value=40)
    assert checked(journal).whole
    low = begun()
    opened(low, commit(prompted(low), value=7, void=True, of=commit(low), least=20))
    assert problem(low) == (5, "the value of must hit is outside of the range of record 4")


@pytest.mark.parametrize(("changes", "words"), [
    ({"name": "other"}, "with another name or range"), ({"range": 55}, "with another name or range"),
    ({"of": 1}, "which hides no value"),
])  # fmt: skip
def test_what_makes_a_value_void_must_be_as_it_was(changes: dict[str, object], words: str) -> None:
    journal = begun()
    first = commit(journal)
    number = commit(prompted(journal), **{"void": True, "of": first, **changes})  # type: ignore[arg-type]
    found = problem(journal)
    assert found is not None
    assert (found[0], words in found[1]) == (number, True)


def test_no_value_becomes_void_without_a_visit_of_the_prompt() -> None:
    journal = begun()
    first = commit(journal)
    journal.start()
    number = commit(journal, void=True, of=first)
    assert problem(journal) == (number, "it makes must hit void, but nobody had the prompt before this start")


def test_a_value_that_is_opened_as_it_was_committed_is_whole_and_one_that_stays_hidden_is_a_note() -> None:
    journal = begun()
    for _ in range(2):
        opened(journal, commit(journal))
    moved = commit(journal, again=True, of=commit(journal))
    verdict = checked(journal)
    assert verdict.whole
    assert verdict.notes == [f"must hit is still hidden (record {moved})"]
    opened(journal, moved)
    verdict = checked(journal)
    assert (verdict.whole, verdict.notes) == (True, [])


@pytest.mark.parametrize(("changes", "words"), [
    ({"value": 8}, "is not the one that record 2 committed to"),
    ({"nonce": SECOND}, "is not the one that record 2 committed to"),
    ({"name": "other"}, "record 2 hid must hit, not other"),
    ({"of": 1}, "was never committed to in record 1"),
])  # fmt: skip
def test_a_value_that_is_not_what_was_committed_to_is_named_with_its_record(
    changes: dict[str, object], words: str
) -> None:
    journal = begun()
    whole: dict[str, object] = {"of": commit(journal), **changes}
    opened(journal, **whole)  # type: ignore[arg-type]
    found = problem(journal)
    assert found is not None
    assert found[0] == 3
    assert words in found[1]


def test_a_value_opened_twice_hidden_twice_moved_wrongly_or_out_of_range_is_named() -> None:
    journal = begun()
    opened(journal, commit(journal))
    opened(journal, 2)
    assert problem(journal) == (4, "must hit of record 2 was opened before, in record 3")
    journal = begun()
    commit(journal)
    commit(journal)
    assert problem(journal) == (3, "must hit was hidden already")
    journal = begun()
    commit(journal, value=9, again=True, of=commit(journal))
    assert problem(journal) == (3, "it moves record 2 up with another content")
    journal = begun()
    opened(journal, commit(journal, value=60), value=60)
    assert problem(journal) == (3, "the value of must hit is outside of the range of record 2")


def test_a_value_whose_commitment_is_not_in_the_log_is_a_note_and_no_fault() -> None:
    journal = begun()
    of = commit(journal)
    journal.play()
    opened(journal, of)
    verdict = checked(journal, first=3)
    assert verdict.problem is None
    assert "was committed to in record 2, which is not here" in verdict.notes[0]


def correct(journal: Journal, of: int, second: str = "", operator: str = "ann", **changes: object) -> int:
    whole = {"of": of, "hash": journal.hash(of), "text": "13", "reason": "camera", "operator": operator, **changes}
    if second:
        whole["second"] = second
    return journal.put("CORRECTION", **whole)


def test_case_66_a_further_correction_without_a_second_person_is_named_and_the_first_stays() -> None:
    for second, operator, sound in (
        ("", "bob", False), ("bob", "bob", False), (" Bob", "bob", False), (" ", "bob", False), ("cid", "bob", True),
    ):  # fmt: skip
        journal = Journal()
        journal.start()
        journal.play()
        first = correct(journal, 5)
        assert problem(journal) is None
        for of in (5, first):
            again = Journal()
            again.__dict__.update(journal.__dict__ | {"raws": list(journal.raws)})
            number = correct(again, of, second, operator)
            expected = None if sound else (number, f"it corrects record {of} again without a second person")
            assert problem(again) == expected


def test_a_correction_of_another_record_than_it_says_is_named() -> None:
    journal = begun()
    correct(journal, 1, hash=bytes(32))
    assert problem(journal) == (2, "it corrects record 1 with another hash than that record has")
    journal = begun()
    journal.put("CORRECTION", of=2, hash=bytes(32), text="a", reason="b", operator="c")
    assert problem(journal) == (2, "it corrects record 2, which comes later")


def test_case_66_log_show_replay_and_report_say_that_a_record_was_corrected(tmp_path: Path) -> None:
    from typer.testing import CliRunner
    from wheelwright.cli.app import app

    journal = Journal()
    journal.start()
    journal.play([[1, "10", 2000]], [9])
    journal.play([[1, "10", 2000]], [2])
    settled = journal.kinds.index("SETTLED") + 1
    first = correct(journal, settled)
    second = correct(journal, first, "cid", "bob", text="14")
    path = str(stored(tmp_path / "log.db", journal))
    shown = CliRunner().invoke(app, ["log", "show", "--db", path, "--kind", "SETTLED"]).stdout.splitlines()
    assert f"[CORRECTED in record {first}] [CORRECTED in record {second}]" in shown[0]
    assert "CORRECTED" not in shown[1]
    replayed = CliRunner().invoke(app, ["replay", "--db", path])
    assert replayed.exit_code == 0
    assert f"round 1 CORRECTED in record {first}: 13 (camera; ann)" in replayed.stdout
    assert f"round 1 CORRECTED in record {second}: 14 (camera; bob, authorised by cid)" in replayed.stdout
    assert CliRunner().invoke(app, ["log", "verify", "--db", path]).exit_code == 0
    rows = [as_row(raw) for raw in journal.raws]
    played = list(replay(payloads(SERIAL, rows), Summary(), by_record(row for row in rows if row.kind == 24)))
    assert [len(one.corrections) for one in played] == [2, 0]
    page = Page(report.html(made(rounds=played)))
    assert page.text.count("CORRECTED:") == 2
    assert "CORRECTED: 14 (camera; bob, authorised by cid)" in page.text
