"""Checks boards/wiring.json and makes from it: the HAL's pin constants, the wiring table and the wiring picture.

`python boards/wiring.py` says what is wrong or stale; `--write` renews the files. The emulator's connections are read
from `load()` directly, so a wire can be named in one place only.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

import checks

BOARDS = Path(__file__).resolve().parent
PINS_PY = BOARDS.parent / "firmware" / "tabletop" / "hal" / "rp2" / "pins.py"
README = BOARDS / "README.md"
PICTURE = BOARDS / "wiring.svg"
BEGIN, END = "<!-- wiring table: made by boards/wiring.py -->", "<!-- end of wiring table -->"

HEADER = {0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
          16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34}  # GPIO -> pin of the module

# What the module's other pins are for; nothing of it is the firmware's to choose.
MODULE = {3: ("GND", "ground"), 8: ("GND", "ground"), 13: ("GND", "ground"), 18: ("GND", "ground"),
          23: ("GND", "ground"), 28: ("GND", "ground"), 33: ("GND (analog)", "ground"), 38: ("GND", "ground"),
          30: ("RUN (J4-6): button to ground", "push button to ground: resets the chip; it has its own pull-up"),
          35: ("ADC_VREF", "leave open"),
          36: ("3V3 out", "3.3 V, 0.3 A at most: pull-ups, 74HC165, wager sensors, shaker buttons of the seats"),
          37: ("3V3_EN", "leave open"),
          39: ("VSYS: 5 V in through a diode", "5 V of the supply, through the 1N5817"),
          40: ("VBUS", "5 V of the USB plug: leave open")}
# Chips of the expanders, the first the one on the Pico's data wire: pins of a bit's input or output, bits 0 to 7.
HC165, HC165_PINS = "ABCDEFGH", (11, 12, 13, 14, 3, 4, 5, 6)
HC595, HC595_PINS = tuple(f"Q{letter}" for letter in HC165), (15, 1, 2, 3, 4, 5, 6, 7)
ORDINAL = ("first", "second")


def input_place(bit: int) -> tuple[int, str, int]:
    """(chip, input, pin) of a bit of the 74HC165: H of the first chip is shifted out first, and is bit 15."""
    return 1 - bit // 8, HC165[bit % 8], HC165_PINS[bit % 8]


def output_place(bit: int) -> tuple[int, str, int]:
    """(chip, output, pin) of a bit of the 74HC595: bit 15 is shifted in first, and goes on to the second chip."""
    return bit // 8, HC595[bit % 8], HC595_PINS[bit % 8]


def load(path: Path = BOARDS / "wiring.json") -> dict:
    """The wiring; ValueError with one sentence when the file is no JSON."""
    return checks.load(path, checks.WIRING)


def pins_module(wiring: dict) -> str:
    """Source of tabletop/hal/rp2/pins.py."""
    lines = ['"""Pin numbers of every signal; made by boards/wiring.py from boards/wiring.json: change it there."""']
    lines.append("")
    lines += [f"{entry['signal']} = {entry['pin']}" for entry in wiring["pins"]]
    low = sorted(entry["signal"] for entry in wiring["pins"] if entry["active"] == "low")
    lines += ["", "# bits of the expanders: 74HC165 in, 74HC595 out"]
    for side in ("expander_in", "expander_out"):
        lines += [f"{entry['signal']}_BIT = {entry['bit']}" for entry in wiring[side]]
    lines += ["", "ACTIVE_LOW = ("] + [f"    {name}," for name in low] + [")"]
    pulls = {entry["signal"]: entry["pull"] for entry in wiring["pins"] if entry["pull"] != "none"}
    lines += ["PULL_UP = ("] + [f"    {name}," for name, pull in pulls.items() if pull == "up"] + [")"]
    return "\n".join(lines) + "\n"


def _bits(entries: list[dict], spare: str) -> list[tuple[int, tuple[str, str]]]:
    """(bit, (signal, what)) of every bit of two expanders."""
    used = {entry["bit"]: (f"`{entry['signal']}`", entry["what"]) for entry in entries}
    return [(bit, used.get(bit, ("-", spare))) for bit in checks.BITS]


def wiring_table(wiring: dict) -> str:
    """The table of boards/README.md."""
    rows = ["| connector | signal | GPIO | module pin | in/out | active | pull | level | what |",
            "|---|---|---|---|---|---|---|---|---|"]
    for entry in sorted(wiring["pins"], key=lambda entry: entry["connector"]):
        rows.append(f"| {entry['connector']} | `{entry['signal']}` | GP{entry['pin']} | {HEADER[entry['pin']]} |"
                    f" {entry['direction']} | {entry['active']} | {entry['pull']} | {entry['level']} | "
                    f"{entry['what']} |")
    rows += ["", "The module's other pins; ground goes to every connector as well:", "",
             "| module pin | name | what |", "|---|---|---|"]
    for name, what in dict.fromkeys(MODULE.values()):
        numbers = ", ".join(str(number) for number in sorted(MODULE) if MODULE[number] == (name, what))
        rows.append(f"| {numbers} | {name.split(':')[0]} | {what} |")
    rows += ["", "Inputs behind the 74HC165, active high: 3.3 V when active, 10 k to ground at each. The first chip "
             "is the one whose QH (9) goes to `EXPAND_IN`:", "",
             "| bit | signal | chip | input | pin | what |", "|---|---|---|---|---|---|"]
    for bit, (signal, what) in _bits(wiring["expander_in"], "none: tie it to ground"):
        chip, name, number = input_place(bit)
        rows.append(f"| {bit} | {signal} | {ORDINAL[chip]} | {name} | {number} | {what} |")
    rows += ["", "Outputs behind the 74HC595, active high, each into the ULN2803A of the same number, which sinks. The "
             "first chip is the one whose SER (14) comes from `EXPAND_OUT`:", "",
             "| bit | signal | chip | output | pin | ULN2803A in, out | what |", "|---|---|---|---|---|---|---|"]
    for bit, (signal, what) in _bits(wiring["expander_out"], "none: leave it open"):
        chip, name, number = output_place(bit)
        channel = bit % 8 + 1
        rows.append(f"| {bit} | {signal} | {ORDINAL[chip]} | {name} | {number} | {channel}, {19 - channel} | {what} |")
    return "\n".join(rows) + "\n"


def picture(wiring: dict) -> str:
    """An SVG of the module with every wire named at its pin."""
    by_module_pin = {HEADER[entry["pin"]]: entry for entry in wiring["pins"]}
    colour = {"J1": "#7b3294", "J2": "#c2410c", "J3": "#0f766e", "J4": "#1d4ed8", "J5": "#a16207", "J6": "#475569"}
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 640" font-family="sans-serif" font-size="14">',
           "<title>Wiring of the table controller, seen from above, USB at the top</title>",
           '<rect width="1000" height="640" fill="white"/>',
           '<rect x="420" y="40" width="160" height="580" rx="10" fill="#14532d"/>',
           '<rect x="465" y="22" width="70" height="40" rx="4" fill="#9ca3af"/>',
           '<text x="500" y="330" fill="white" text-anchor="middle" font-size="18">Pico / Pico 2</text>']
    for number in range(1, 41):
        left = number <= 20
        y = 80 + 27 * ((number - 1) if left else (40 - number))
        x = 432 if left else 568
        entry = by_module_pin.get(number)
        gpio = f"GP{entry['pin']}" if entry else ""
        label = f"{entry['signal']}  ({entry['connector']})" if entry else MODULE.get(number, ("",))[0]
        ink = colour[entry["connector"].split("-")[0]] if entry else "#111827"
        edge, side, anchor = (420, 300, "end") if left else (580, 700, "start")
        out.append(f'<circle cx="{x}" cy="{y}" r="6" fill="#fde68a"/>')
        out.append(f'<text x="{x + (12 if left else -12)}" y="{y + 5}" fill="white" font-size="11" '
                   f'text-anchor="{"start" if left else "end"}">{number} {gpio}</text>')
        if label:
            out.append(f'<line x1="{edge}" y1="{y}" x2="{side}" y2="{y}" stroke="{ink}" stroke-width="2"/>')
            out.append(f'<text x="{side - 8 if left else side + 8}" y="{y + 5}" fill="{ink}" text-anchor="{anchor}">'
                       f"{escape(label)}</text>")
    for index, (name, what) in enumerate(wiring["connectors"].items()):
        out.append(f'<text x="20" y="{40 + 18 * index}" fill="{colour[name]}">{name} {escape(what)}</text>')
    return "\n".join([*out, "</svg>", ""])


def made_files(wiring: dict) -> dict[Path, str]:
    """Path -> text of every file made from the wiring."""
    files = {PINS_PY: pins_module(wiring), PICTURE: picture(wiring)}
    readme = README.read_text()
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    files[README] = f"{before}{BEGIN}\n{wiring_table(wiring)}{END}{after}"
    names = {entry["pin"]: entry["signal"] for entry in wiring["pins"]}
    rows = [f"GP{pin},GPIO{pin}" for pin in range(30)] + [f"{names[pin]},GPIO{pin}" for pin in sorted(names)]
    for board in ("WHEEL_PICO", "WHEEL_PICO2"):
        files[BOARDS / board / "pins.csv"] = "\n".join([*rows, "LED,GPIO25"]) + "\n"
    return files


def faults(wiring: dict, tables: list[dict]) -> list[str]:
    """What stops a build: wiring or tables that cannot be, or else files that were not made from this wiring."""
    wrong = [checks.WIRING.format(line) for line in checks.wiring(wiring)]
    for table in tables:
        board = table.get("board") if isinstance(table, dict) else None
        wrong += [checks.TABLE.format(line, board=board) for line in checks.table(table)]
    return wrong or [checks.STALE.format(path.relative_to(BOARDS.parent))
                     for path, text in made_files(wiring).items() if not path.exists() or path.read_text() != text]


def main(words: list[str]) -> int:
    try:
        wiring = load()
        tables = [checks.load(path, checks.TABLE) for path in sorted(BOARDS.glob("*/table.json"))]
        if "--write" in words and not checks.wiring(wiring):
            for path, text in made_files(wiring).items():
                path.write_text(text)
        wrong = faults(wiring, tables)
    except ValueError as unreadable:
        wrong = [str(unreadable)]
    print("\n".join(wrong) or "the wiring is sound")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
