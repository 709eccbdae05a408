"""Writes again what tests hold the tree against: `python -m tests.golden`. Look at what changed before a commit."""

import json
import re
from pathlib import Path
from typing import Any

import cbor2
from tabletop.link import schema
from wheelwright import __version__, manual_page, report
from wheelwright.errors import EXIT_CODES, every_text
from wheelwright.framing import Frame, encode

from tests.unit import test_report_run, test_reports, test_wagers
from tests.unit.test_report import GOLDEN, made
from tests.vm import test_scenes_bonus as scenes

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "operations.md"
OTHER_ENDINGS = (
    (0, "everything was done, and every check held"),
    (141, "the program that read the output went away"),
    (143, "the tool was asked to end (SIGTERM)"),
)


def filled(text: str, head: str, rows: list[str]) -> str:
    """The page with the rows of the table under `head` replaced."""
    pattern = re.escape(head) + r"\n(\|[-|]+\|\n)(?:\|.*\n)*"
    return re.sub(pattern, lambda found: f"{head}\n{found[1]}" + "".join(f"{row}\n" for row in rows), text)


def mip() -> str:
    """package.json: every module of `tabletop` that can run on a chip, for `mpremote mip install`."""
    root = MANUAL.parent.parent
    paths = (root / "firmware/tabletop").rglob("*.py")
    names = sorted(path.relative_to(root / "firmware").as_posix() for path in paths)
    urls = [[name, f"firmware/{name}"] for name in names if "/hal/virtual/" not in name]
    lines = ",\n".join(f"  {json.dumps(url)}" for url in urls)
    return f'{{"urls": [\n{lines}\n ],\n "deps": [],\n "version": "{__version__}"}}\n'


def link(path: Path) -> None:
    """The golden frames from their payloads, with the schema hash of now."""
    golden = json.loads(path.read_text(encoding="utf-8"))

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return bytes.fromhex(value["hex"]) if set(value) == {"hex"} else {k: plain(v) for k, v in value.items()}
        return [plain(item) for item in value] if isinstance(value, list) else value

    for frame in golden["frames"]:
        if "schema" in frame["payload"]:
            frame["payload"]["schema"]["hex"] = schema.schema_hash().hex()
        name, *reply = frame["message"].split()
        number = schema.number_of(name) | (schema.REPLY if reply else 0)
        payload = cbor2.dumps(plain(frame["payload"]), canonical=True)
        frame["frame"] = encode(Frame(number, int(golden["session"], 16), frame["sequence"], payload)).hex()
    lines = ",\n".join(json.dumps(frame) for frame in golden["frames"])
    path.write_text('{\n"session": "%s",\n"frames": [\n%s\n]\n}\n' % (golden["session"], lines), encoding="utf-8")


def man() -> None:
    """The page for `man` and the completion scripts."""
    docs = MANUAL.parent
    for path, text in [(docs / "man" / "wheelwright.1", manual_page.page())] + [
        (docs / "completion" / name, manual_page.completion(shell)) for shell, name in manual_page.COMPLETIONS.items()
    ]:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main() -> None:
    """Rewrite tables of the manual, prices of wagers, the golden report and frames, and the mip manifest."""
    (MANUAL.parent.parent / "package.json").write_text(mip(), encoding="utf-8")
    link(GOLDEN.with_name("link.json"))
    frames = GOLDEN.with_name("scenes.txt")
    head = [line for line in frames.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = [*head, *(f"{name} {scenes.digest_of(name)}" for name in scenes.GAMES)]
    frames.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    page = MANUAL.read_text(encoding="utf-8")
    endings = sorted({*OTHER_ENDINGS, *((status, meaning) for _, _, status, meaning in EXIT_CODES)})
    page = filled(page, "| exit code | meaning |", [f"| {status} | {meaning} |" for status, meaning in endings])
    codes = [f"| {text.label} | {text.what} | {text.advice} |" for text, _ in every_text()]
    page = filled(page, "| code | what happened | what to do |", codes)
    MANUAL.write_text(page, encoding="utf-8")
    man()
    priced = test_wagers.PATH.read_text(encoding="utf-8")
    for name in test_wagers.WAGERS:
        priced = filled(priced, test_wagers.price_head(priced, name), test_wagers.price_rows(name))
    test_wagers.PATH.write_text(priced, encoding="utf-8")
    test_report_run.SCHEMA.write_text(test_report_run.schema_text(), encoding="utf-8")
    for form, text in test_reports.golden().items():
        test_reports.GOLDEN[form].write_text(text, encoding="utf-8")
    golden = re.sub(r"<svg.*?</svg>", "<svg/>", report.html(made()), flags=re.DOTALL)
    GOLDEN.write_text(golden.replace(f"wheelwright {__version__}<", "wheelwright VERSION<"), encoding="utf-8")


if __name__ == "__main__":
    main()
