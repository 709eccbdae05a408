"""The report as a PDF of A4 pages, in pure Python: the words of the page, marks and serial number on each."""

import datetime
import io
import itertools
import textwrap
from collections.abc import Iterator
from pathlib import Path

import matplotlib
from fpdf import FPDF
from fpdf.enums import TableBordersLayout, WrapMode
from fpdf.fonts import FontFace

from wheelwright import __version__
from wheelwright.reports import plots, words
from wheelwright.reports.run import Run
from wheelwright.reports.sealing import Seal

FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"  # matplotlib brings DejaVu, which has every European sign
COLOURS = {"PASS": "#1f7a46", "FAIL": "#b3261e", "INVALID": "#b3261e", "SKIPPED": "#5b6876"}
INK, SOFT, RULE = "#1d2733", "#5b6876", "#d8dee5"
WIDTH = 180  # mm between the margins of 15
LINES, LETTER = 40, 2.4  # lines of a cell that a sheet takes for certain, and mm of the widest letters


class _Sheets(FPDF):
    """Sheets with a head and a foot that say which table this is, and which sheet of how many."""

    def __init__(self, run: Run) -> None:
        super().__init__(format="A4")
        self._run = run
        for style, name in (("", "DejaVuSans"), ("B", "DejaVuSans-Bold")):
            self.add_font("sans", style, FONTS / f"{name}.ttf")
        self.add_font("mono", "", FONTS / "DejaVuSansMono.ttf")
        self.set_margin(15)
        self.set_auto_page_break(True, margin=18)
        self.set_title(words.clean(f"Wheel table {run.serial}"))
        self.set_creation_date(datetime.datetime.fromtimestamp(run.ended_s, datetime.UTC))
        self.alias_nb_pages()

    def header(self) -> None:
        """Serial number at the left, marks at the right."""
        self.set_font("sans", "", 8)
        self.set_text_color(SOFT)
        self.cell(WIDTH / 2, 5, self.known(words.clean(f"Wheel table {self._run.serial}")))
        self.set_font("sans", "B", 8)
        self.set_text_color("#b3261e")
        self.cell(WIDTH / 2, 5, " ".join(words.marks(self._run)), align="R", new_x="LMARGIN", new_y="NEXT")
        self.ln(2)

    def footer(self) -> None:
        """Which sheet of how many."""
        self.set_y(-13)
        self.set_font("sans", "", 8)
        self.set_text_color(SOFT)
        self.cell(WIDTH, 5, f"wheelwright {__version__}, sheet {self.page_no()} of {{nb}}", align="C")

    def heading(self, text: str) -> None:
        """A heading with a rule under it, never alone at the foot of a sheet."""
        if self.will_page_break(40):
            self.add_page()
        self.ln(4)
        self.set_font("sans", "B", 11)
        self.set_text_color(INK)
        self.cell(WIDTH, 6, text, new_x="LMARGIN", new_y="NEXT")
        self.set_draw_color(RULE)
        self.line(15, self.get_y() + 0.5, 15 + WIDTH, self.get_y() + 0.5)
        self.ln(2)

    def say(self, text: str, colour: str = INK, style: str = "") -> None:
        """A paragraph."""
        self.set_font("sans", style, 9)
        self.set_text_color(colour)
        self.multi_cell(WIDTH, 5, self.known(text), new_x="LMARGIN", new_y="NEXT", align="L")

    def rows(
        self, rows: list[tuple[str, ...]], widths: tuple[int, ...], *, head: bool = True, mono: int | None = None
    ) -> None:
        """A table, the first row its head; column `mono` holds hashes; a cell that is a verdict has its colour."""
        self.set_font("sans", "", 8)
        self.set_text_color(INK)
        self.set_draw_color(RULE)
        hashes = FontFace(family="mono", size_pt=7)
        with self.table(
            col_widths=widths, width=WIDTH, first_row_as_headings=head, align="L", text_align="LEFT", line_height=4.2,
            borders_layout=TableBordersLayout.HORIZONTAL_LINES, padding=(0.6, 1),
            headings_style=FontFace(emphasis="BOLD", color=SOFT), wrapmode=WrapMode.WORD,
        ) as table:  # fmt: skip
            for number, values in enumerate(part for row in rows for part in _in_parts(row, widths)):
                row = table.row()
                for column, value in enumerate(values):
                    colour = COLOURS.get(value)
                    hashed = column == mono and (number > 0 or not head)
                    verdict = FontFace(emphasis="BOLD", color=colour) if colour else None
                    row.cell(self.known(value), style=hashes if hashed else verdict)

    def records(self, records: list[tuple[str, str, str]]) -> None:
        """Journal records as lines: there may be thousands, for which a table takes long."""
        self.set_font("sans", "", 8)
        self.set_text_color(INK)
        for number, kind, text in records:
            self.cell(16, 4.2, number)
            self.cell(38, 4.2, kind)
            self.multi_cell(WIDTH - 54, 4.2, self.known(text), new_x="LMARGIN", new_y="NEXT", align="L")

    def known(self, text: str) -> str:
        """The text, with `?` for what the font has no sign for."""
        signs = self.fonts["sans"].cmap  # type: ignore[union-attr]
        return "".join(sign if ord(sign) in signs or sign == "\n" else "?" for sign in text)

    def picture(self, png: bytes, width: float) -> None:
        """A picture, whole on one sheet."""
        self.image(io.BytesIO(png), w=width, x=15 + (WIDTH - width) / 2)
        self.ln(2)


def _in_parts(row: tuple[str, ...], widths: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """The row, or the rows that it takes when a cell is longer than a sheet."""
    cells = []
    for cell, width in zip(row, widths, strict=True):
        most = LINES * int(width / LETTER)
        cells.append([cell] if len(cell) <= most else textwrap.wrap(cell, most, replace_whitespace=False))
    yield from itertools.zip_longest(*cells, fillvalue="")


def pdf(run: Run, seal: Seal) -> bytes:
    """The document, before its own seal; `seal` is that of the JSON report."""
    sheets = _Sheets(run)
    sheets.add_page()
    sheets.set_font("sans", "B", 16)
    sheets.set_text_color(INK)
    title = f"Wheel table {run.serial}" + (f", asset {run.asset}" if run.asset else "")
    sheets.multi_cell(WIDTH, 9, sheets.known(words.clean(title)), new_x="LMARGIN", new_y="NEXT", align="L")
    sheets.say(words.summary(run), COLOURS[run.verdict], "B")
    sheets.heading("Table and visit")
    sheets.rows([*words.facts(run)], (50, 130), head=False)
    sheets.heading("Checks")
    lines = [words.line(check) for check in run.checks]
    cells = [
        (line.verdict, "\n".join([line.title, *line.remarks]), line.measured, line.expected, line.took)
        for line in lines
    ]
    sheets.rows([("verdict", "check", "measured", "expected", "time"), *cells], (21, 69, 30, 46, 14))
    sheets.heading("Adjustments and parts")
    none = [("nothing was set, no part was replaced", "", "", "", "")]
    sheets.rows([("when", "", "what", "before", "after"), *(words.changes(run) or none)], (42, 18, 50, 35, 35))
    sheets.heading("Meters")
    held = run.proved and not run.moved
    sheets.say(words.proof(run), COLOURS["PASS" if held else "FAIL"], "B")
    sheets.rows([("meter", "before", "after", "moved"), *words.meters(run)], (70, 40, 40, 30))
    sheets.ln(2)
    sheets.rows([("journal", "record", "hash"), *words.heads(run)], (25, 25, 130), mono=2)
    drawn = [check.plot for check in run.checks if check.plot is not None]
    if drawn:
        sheets.heading("Plots")
    for plot in drawn:
        sheets.picture(plots.png(plot), 95 if plot.polar else 150)
    sheets.heading("Log extract")
    records = [(str(one.number), words.clean(one.kind), words.clean(one.text)) for one in run.log]
    sheets.records(records or [("", "", "the journal got no record")])
    sheets.heading("Signature")
    sheets.say("This report was made of a run whose JSON has this hash, signed with this key. "
               "`wheelwright report verify` proves the file byte by byte.")  # fmt: skip
    sheets.rows([("SHA-256 of the run", seal["run_sha256"]), ("Ed25519 signature", seal["signature"]),
                 ("public key", seal["public_key"])], (45, 135), head=False, mono=1)  # fmt: skip
    return bytes(sheets.output())
