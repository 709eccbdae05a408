"""The technician's report in its four forms: each says everything, none can be changed in any byte."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from wheelwright import __version__
from wheelwright.errors import WheelwrightError
from wheelwright.logbook.store import as_row
from wheelwright.reports import files, sealing, words
from wheelwright.reports.extract import extract
from wheelwright.reports.run import Adjustment, Record, from_json, to_json

from tests.conftest import ROOT
from tests.unit.logs import Journal
from tests.unit.report_runs import CHECKS, check, run
from tests.unit.test_cli import tool  # noqa: F401

GOLDEN = {form: ROOT / "tests" / "data" / "golden" / f"run{form}" for form in (".html", ".xml")}
KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"\x08" * 32)
NASTY = "<script>alert(1)</script> & \x1b[31m--> ]]> \u2028№"
BAD = [
    check("index_repeat", verdict="FAIL", measured=2403, cause="the magnet is loose", next_step="tighten its screw"),
    check("lamps", verdict="INVALID", measured=None, detail=NASTY),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def written(folder: Path) -> dict[str, Path]:
    return {path.suffix: path for path in files.write(run(checks=[*CHECKS, *BAD]), folder, KEY)}


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.loads += [str(value) for name, value in attrs if name in ("src", "href", "xlink:href")]


def shown(path: Path) -> str:
    """What a reader sees of a report, on one line without spaces: forms break lines in different places."""
    if path.suffix == ".pdf":
        text = "".join(page.extract_text() for page in PdfReader(path).pages)
    elif path.suffix == ".xml":
        suite = ElementTree.parse(path).getroot()
        text = " ".join(" ".join([*each.attrib.values(), each.text or ""]) for each in suite.iter())
    else:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"<[^>]*>", " ", text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return "".join(text.split())


def needed(form: str) -> list[str]:
    told = run(checks=[*CHECKS, *BAD])
    asked = [value for _, value in words.facts(told)] + [words.proof(told), "EMULATED", "TEST"]
    for one in told.checks:
        line = words.line(one)
        asked += [line.measured, line.expected, *line.remarks]
    if form != ".xml":
        asked += [cell for row in (*words.changes(told), *words.meters(told), *words.heads(told)) for cell in row]
        asked += [one.text for one in told.log] + [words.summary(told), "PASS", "FAIL", "INVALID", "SKIPPED"]
    return asked


@pytest.mark.parametrize("form", [".html", ".pdf", ".xml"])
def test_every_form_says_everything(written: dict[str, Path], form: str) -> None:
    text = shown(written[form])
    for words_ in needed(form):
        assert "".join(words_.split()) in text, words_
    seal = sealing.check(written[".json"])
    for name in ("run_sha256", "signature", "public_key"):
        assert seal[name] in text, name


def test_the_page_needs_nothing_beside_it_and_what_a_table_says_stays_text(written: dict[str, Path]) -> None:
    page = Page(written[".html"].read_text(encoding="utf-8"))
    assert "svg" in page.tags and "script" not in page.tags
    assert all(load.startswith("#") for load in page.loads)


def test_marks_and_serial_number_are_on_every_sheet_of_the_pdf(folder: Path) -> None:
    many = [Record(number=41 + n, kind="MODE", text="test mode on", hash="") for n in range(1, 3)]
    long = run(checks=[check(f"check_{n}") for n in range(60)], log=many)
    (pdf,) = [path for path in files.write(long, folder / "long", KEY) if path.suffix == ".pdf"]
    pages = [page.extract_text() for page in PdfReader(pdf).pages]
    assert len(pages) >= 3
    for number, text in enumerate(pages, 1):
        assert "VT-000001" in text and "EMULATED TEST" in text and f"sheet {number} of {len(pages)}" in text


def test_a_remark_longer_than_a_sheet_and_signs_of_no_font_end_no_pdf(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    words_ = " ".join(f"word{n}" for n in range(1500))
    odd = run(checks=[check("long", title="y" * 400, detail=words_)], reason="日本 \U0001f3a1", technician="x" * 3000)
    (pdf,) = [path for path in files.write(odd, folder / "odd", KEY) if path.suffix == ".pdf"]
    text = "".join("".join(page.extract_text() for page in PdfReader(pdf).pages).split())
    assert all(f"word{n}" in text for n in range(1500)) and "??" in text
    assert not caplog.records, "fpdf complains of missing signs"


def test_junit_counts_what_the_run_counts(written: dict[str, Path]) -> None:
    suite = ElementTree.parse(written[".xml"]).getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6", "failures": "1", "errors": "1", "skipped": "1"
    }  # fmt: skip
    assert [case.get("name") for case in suite.iter("testcase")][:5] == [one.name for one in [*CHECKS, *BAD]]


def test_a_run_without_proof_of_its_meters_is_an_error_in_every_form(tmp_path: Path) -> None:
    paths = {path.suffix: path for path in files.write(run(checks=CHECKS[1:], log=[]), tmp_path, KEY)}
    assert from_json(paths[".json"].read_bytes()).verdict == "INVALID"
    assert "NOTPROVED:2recordsofrecords42to43aremissinghere." in shown(paths[".html"]) and shown(paths[".pdf"])
    suite = ElementTree.parse(paths[".xml"]).getroot()
    assert suite.get("errors") == "1" and suite.find("testcase[@name='run']/error") is not None


def test_the_same_run_gives_the_same_files(written: dict[str, Path], tmp_path: Path) -> None:
    again = files.write(run(checks=[*CHECKS, *BAD]), tmp_path, KEY)
    assert [path.name for path in again] == [path.name for path in written.values()]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in written.values()]
    assert sorted(tmp_path.iterdir()) == sorted(again)


def golden() -> dict[str, str]:
    """Page and JUnit file of the golden run, without pictures, signatures and the tool's version."""
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        made = {path.suffix: path.read_text("utf-8") for path in files.write(run(), Path(place), KEY)
                if path.suffix in GOLDEN}  # fmt: skip
    return {
        form: re.sub(r"[0-9a-f]{128}|(?<=sha256\":\")[0-9a-f]+", "HEX", re.sub(r"<svg.*?</svg>", "<svg/>", text,
                                                                              flags=re.DOTALL))
        .replace(f"wheelwright {__version__}<", "wheelwright VERSION<")
        for form, text in made.items()
    }  # fmt: skip


def test_page_and_junit_file_are_as_they_were() -> None:
    for form, text in golden().items():
        assert text == GOLDEN[form].read_text(encoding="utf-8"), "look at it, then: make golden"


# the seal


@given(data=st.data(), form=st.sampled_from(sorted(sealing.FORMS)))
def test_a_report_changed_in_any_byte_is_found(written: dict[str, Path], data: st.DataObject, form: str) -> None:
    whole = written[form].read_bytes()
    back = data.draw(st.booleans())  # the seal at the end is short beside a PDF: look there as often
    at = data.draw(st.integers(0, min(len(whole), 1000) - 1 if back else len(whole) - 1))
    at = len(whole) - 1 - at if back else at
    edited = bytearray(whole)
    edited[at] ^= data.draw(st.integers(1, 255))
    refused(written[form], bytes(edited))


@pytest.mark.parametrize("form", sorted(sealing.FORMS))
def test_every_byte_of_a_seal_counts(written: dict[str, Path], form: str) -> None:
    whole = written[form].read_bytes()
    start = whole.rindex(sealing.FORMS[form][0])
    for at in range(start, len(whole)):
        for bit in (1, 0x20):  # 0x20: a hex digit in capitals would be the same number
            refused(written[form], whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])


@pytest.mark.parametrize("form", sorted(sealing.FORMS))
def test_a_report_cut_lengthened_or_with_the_seal_of_another_is_found(
    written: dict[str, Path], folder: Path, form: str
) -> None:
    whole = written[form].read_bytes()
    other = next(path for path in files.write(run(serial="VT-2"), folder / "other", KEY) if path.suffix == form)
    before = sealing.FORMS[form][0]
    content, _, seal = whole.rpartition(before)
    foreign = other.read_bytes().rpartition(before)[2]
    for edited in (b"", whole[:-1], whole + b"\n", whole + before + seal, content, content + before + foreign):
        refused(written[form], edited)


def refused(path: Path, edited: bytes) -> None:
    changed = path.with_name("changed" + path.suffix)
    changed.write_bytes(edited)
    with pytest.raises(WheelwrightError) as caught:
        sealing.check(changed)
    assert caught.value.code == 8106
    changed.unlink()


def test_a_report_sealed_anew_after_an_edit_bears_another_key(written: dict[str, Path], tmp_path: Path) -> None:
    known = sealing.check(written[".html"])["public_key"]
    forged = next(path for path in files.write(run(), tmp_path, OTHER) if path.suffix == ".html")
    assert sealing.check(forged)["public_key"] != known
    with pytest.raises(WheelwrightError, match="8106"):
        sealing.check(forged, known)
    sealing.check(written[".html"], known.upper())


@given(serial=st.text(max_size=40))
def test_a_seal_ends_no_comment_whatever_the_serial_number(serial: str) -> None:
    what = run(serial=f"{serial}--> % seal: ")
    seal = sealing.seal_of(b"", ".html", what, KEY)
    inner = sealing.sealed(b"", ".html", seal).removeprefix(b"\n<!-- ").removesuffix(b" -->\n")
    assert not {b"--", b"<"} & {inner[at : at + n] for at in range(len(inner)) for n in (1, 2)} and b"\n" not in inner


# the command


def test_a_report_is_made_again_from_its_json_and_proved(tool, written, tmp_path):  # noqa: F811
    key = tmp_path / "key.pem"
    made = tool("report", "make", written[".json"], "--out", tmp_path / "again", "--key", key, "--json")
    assert made.status == 0 and made.json["verdict"] == "FAIL"
    proved = tool("report", "verify", *made.json["files"], "--json")
    assert proved.status == 0 and len({seal["run_sha256"] for seal in proved.json}) == 1
    assert proved.json[0]["run_sha256"] == sealing.check(written[".json"])["run_sha256"]
    assert "unchanged, sealed by key" in tool("report", "verify", made.json["files"][2]).out


def test_without_a_key_reports_are_sealed_with_one_of_this_user_s_own(tool, written, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("WHEELWRIGHT_KEY", raising=False)
    keys = set()
    for _ in range(2):
        made = tool("report", "make", written[".json"], "--out", tmp_path, "--json")
        keys.add(sealing.check(Path(made.json["files"][0]))["public_key"])
    (path,) = (tmp_path / "config").rglob("*.pem")
    assert len(keys) == 1 and path.stat().st_mode & 0o777 == 0o600


def test_an_edited_report_is_not_made_again_under_a_new_seal(tool, written, tmp_path):  # noqa: F811
    edited = tmp_path / "edited.json"
    edited.write_bytes(written[".json"].read_bytes().replace(b'"measured": 2403', b'"measured": 2402'))
    ended = tool("report", "make", edited, "--out", tmp_path / "new", "--key", tmp_path / "key.pem")
    assert ended.status == 1 and ended.err.startswith("E-8106 ") and not (tmp_path / "new").exists()


@pytest.mark.parametrize(("name", "data", "code"), [
    ("none.pdf", None, "E-9012"), ("report.txt", b"x", "E-9012"), ("x.html", b"<html>", "E-8106"),
    ("x.json", b"{}", "E-8106"), ("x.pdf", b"\n% seal: {}\n", "E-8106"), ("x.xml", b"\n<!-- seal: [] -->\n", "E-8106"),
    ("y.xml", b"\n<!-- seal: " + b"[" * 9999 + b" -->\n", "E-8106"),
])  # fmt: skip
def test_what_is_no_report_is_one_sentence(tool, tmp_path, name, data, code):  # noqa: F811
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert tool("report", "verify", tmp_path / name).err.startswith(code)


def test_a_folder_that_cannot_be_written_is_one_sentence_and_leaves_nothing(tool, written, tmp_path):  # noqa: F811
    (tmp_path / "file").write_text("in the way")
    run_json = tmp_path / "run.json"
    run_json.write_bytes(to_json(run(adjustments=[Adjustment(what=NASTY, before="", after="", at_s=0)])))
    ended = tool("report", "make", run_json, "--out", tmp_path / "file", "--key", tmp_path / "key.pem")
    assert ended.err.startswith("E-8010 ") and (tmp_path / "file").read_text() == "in the way"


def test_the_extract_marks_settlements_outside_test_mode_and_nothing_else():
    log = Journal()
    log.start()
    log.play([[1, "10", 2000]], [9], test=True)
    log.play([[1, "10", 2000]], [9], test=False)
    rows = [as_row(raw) for raw in log.raws]
    found = extract("VT-000001", rows)
    assert [one.number for one in found] == list(range(1, len(rows) + 1))
    assert [one.hash for one in found] == [row.hash.hex() for row in rows]
    assert [one.live for one in found if one.kind == "SETTLED"] == [False, True]
    assert sum(one.live for one in found) == 1
    assert all(one.text and one.text.isprintable() for one in found)


def test_a_report_with_checks_that_were_not_made_never_reads_as_if_all_had_passed() -> None:
    assert words.summary(run()) == "Every check that was made passed. NOT made: Power cut."
    assert words.summary(run(checks=CHECKS[:2])) == "Every check passed."
