"""The numbered errors: one list, one sentence each, an exit code for every one, and the manual agrees."""

import ast
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import codes
from tabletop.table.phases import refusal
from wheelwright import errors
from wheelwright.errors import ERRORS, EXIT_CODES, Refused, WheelwrightError, error_text, every_text, tilt_text

ROOT = Path(__file__).resolve().parents[2]
ALL = {**codes.ERRORS, **ERRORS}


def fields_of(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_an_error_is_one_sentence_with_code_what_happened_and_what_to_do():
    error = WheelwrightError(7001, port="COM5")
    assert str(error) == "E-7001 there is no port COM5: check the cable, then see: wheelwright ports"
    assert (error.code, error.name, error.exit_code) == (7001, "PORT_ABSENT", 3)


def test_a_refusal_of_the_table_is_worded_from_the_tables_own_list():
    error = Refused(3002, mills=500, limit=1000)
    assert str(error) == "E-3002 a wager of 500 mills is below the minimum of 1000: raise the wager"
    assert error.exit_code == 7


def test_a_list_that_is_empty_is_said_to_be_empty():
    assert str(Refused(4005, tilt=61, open="")).endswith("clear one of the open tilts: none")
    assert str(Refused(4005, tilt=61, open="T-21")).endswith("clear one of the open tilts: T-21")


@pytest.mark.parametrize("command", ["RNG_RAW", "SELF_TEST", "TEST_MODE"])
def test_who_asks_between_rounds_while_the_last_one_is_shown_is_told_to_wait(command):
    said = {phase: str(Refused(4001, **refusal(command, phase, ())[1])) for phase in ("SETTLED", "RESULT")}
    assert said["SETTLED"].endswith("; the last round is still shown, so try again in some seconds")
    assert "between rounds" in said["RESULT"]
    assert "seconds" not in said["RESULT"]


def test_a_code_of_a_newer_table_still_gives_a_sentence():
    assert str(Refused(3999)).startswith("E-3999 ")
    assert str(tilt_text(99, {})).startswith("T-99 ")


@pytest.mark.parametrize("code", sorted(ALL))
def test_every_code_is_worded_with_all_its_fields_or_none(code):
    name, what, advice = ALL[code]
    assert re.fullmatch(r"[A-Z][A-Z0-9_]+", name)
    values = {field: f"<{field}>" for field in fields_of(what) | fields_of(advice)}
    text = str(error_text(code, values))
    assert text.startswith(f"E-{code} ")
    assert all(value in text for value in values.values())
    assert "\n" not in text
    assert "?" in str(error_text(code, {})) or not values
    text.encode("ascii")


def test_every_code_has_exactly_one_exit_code_and_none_is_success():
    for code in ALL:
        found = [status for first, last, status, _ in EXIT_CODES if first <= code <= last]
        assert len(found) == 1, code
        assert found[0] not in (0, 127, 255)


def test_host_and_table_never_share_a_number_or_a_name():
    assert not set(ERRORS) & set(codes.ERRORS)
    names = [entry[0] for entry in ALL.values()]
    assert len(names) == len(set(names))


@given(st.dictionaries(st.sampled_from(["port", "holder", "reason"]), st.one_of(st.none(), st.integers(), st.text())))
def test_no_fields_make_wording_fail(fields):
    for code in (7002, 7005, 9901):
        error_text(code, fields)


def test_a_code_is_found_however_it_is_written():
    for wanted in ("E-7002", "e-7002", "7002"):
        assert every_text(wanted) == [(errors.Text("E-7002", *ERRORS[7002]), 3)]
    assert every_text("t-21")[0][0].label == "T-21"
    with pytest.raises(WheelwrightError, match="E-9003"):
        every_text("E-1")
    assert len(every_text()) == len(ALL) + len(codes.TILTS)


def test_the_manual_lists_every_code_tilt_and_exit_code_as_the_sources_have_them():
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([ET]-\d+) \| (.+?) \| (.+?) \|$", manual, re.MULTILINE)
    assert rows == [(text.label, text.what, text.advice) for text, _ in every_text()]
    statuses = {int(status) for status in re.findall(r"^\| (\d+) \| ", manual, re.MULTILINE)}
    assert statuses == {0, 141, 143} | {status for _, _, status, _ in EXIT_CODES}


def test_every_error_of_the_host_is_raised_somewhere():
    paths = [*(ROOT / "host_tools").rglob("*.py"), *(ROOT / "boards").glob("*.py")]
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    raised = {int(code) for text in sources.values() for code in re.findall(r"WheelwrightError\(\s*(\d{4})\b", text)}
    elsewhere = "".join(text for path, text in sources.items() if path.name != "errors.py")
    handed_on = {int(number) for number in re.findall(r"(?<![\d.])\b(\d{4})\b", elsewhere)}
    assert set(ERRORS) - raised - handed_on == set()
    assert raised - set(ERRORS) == set()


NOT_YET = {42}  # waits for a program that was approved on this table


def numbers_used(path):
    """Whole numbers of a source that stand alone, in a tuple of names, or as the first argument of a call."""
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        values = node.args[:1] if isinstance(node, ast.Call) else []
        if isinstance(node, (ast.Assign, ast.Tuple, ast.Return, ast.Compare, ast.IfExp)):
            values = list(ast.walk(node))
        used |= {value.value for value in values if isinstance(value, ast.Constant) and type(value.value) is int}
    return used


def test_every_error_and_tilt_of_the_table_is_given_somewhere():
    firmware = ROOT / "firmware" / "tabletop"
    used = set()
    for path in firmware.rglob("*.py"):
        used |= numbers_used(path) if path.name != "codes.py" else set()
    assert set(codes.ERRORS) - used == set()
    given = set()
    for path in (firmware / "table").glob("*.py"):
        given |= numbers_used(path)
    assert set(codes.TILTS) - given <= NOT_YET
