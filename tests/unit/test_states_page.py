"""docs/states.md is what the table's transitions say."""

from tabletop.table.phases import COMMANDS, TRANSITIONS
from wheelwright import states

from tests.conftest import ROOT


def test_the_page_is_made_from_the_transitions() -> None:
    assert (ROOT / "docs" / "states.md").read_text() == states.page()


def test_the_diagram_shows_every_phase_and_every_transition() -> None:
    page = states.page()
    for phase in TRANSITIONS:
        for after in TRANSITIONS[phase]:
            assert after == "TILT" or f"{phase} --> {after}\n" in page
    assert all(f"| {command}" in page for command in COMMANDS)
