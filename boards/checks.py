"""What is wrong with a board as data: wiring that cannot be soldered or that the firmware cannot use, and numbers that
no table has. One sentence each, with its code; nothing that is asked here ever raises, whatever the file holds.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

WIRING = "E-7351 the wiring cannot be built: {}: correct boards/wiring.json; nothing was built"
TABLE = "E-7352 the board {board} cannot be: {}: correct its table.json; nothing was built"
STALE = "E-7353 {} is not made from this wiring: run python boards/wiring.py --write; nothing was built"

USABLE = [*range(23), 26, 27, 28]  # GP23-25 and GP29 are the Pico's own
FREE = "use one of GP0-22, 26-28"
LEAST_BRIGHTNESS = 10  # per cent of full: a show dimmer than this cannot be read in a lit hall
BITS = range(16)  # of two expanders in a chain
LEVELS = {"3.3 V": ("in", "out"), "5 V by 74AHCT125": ("out",), "24 V by opto-coupler": ("in",),
          "3.3 V contact to ground": ("in",)}  # a Pico's input bears 3.3 V
ENTRY = {"signal": str, "pin": int, "direction": str, "active": str, "pull": str, "level": str, "connector": str,
         "what": str}
BIT = {"bit": int, "signal": str, "what": str}


class Use(NamedTuple):
    """How the firmware uses a signal: what its entry may say."""

    direction: str
    active: tuple[str, ...]
    pull: str
    pins: tuple[int, ...] = tuple(USABLE)
    why: str = ""


BOTH, LOW, HIGH = ("high", "low"), ("low",), ("high",)
CONTACT = Use("in", BOTH, "up")
OUTPUT = Use("out", HIGH, "none")
SIGNALS = {  # design.md section 5, as tabletop.hal.rp2 drives them
    **dict.fromkeys(("ENCODER_A", "ENCODER_B", "INDEX", "CLAPPER", "START", "NO_MORE_BETS", "VOID", "SHAKER",
                     "SHAKER_MOTION", "SHAKER_LOCK", "KEY_SERVICE", "KEY_RESET", "LID", "DOOR"), CONTACT),
    **dict.fromkeys(("RIM", "INNER", "TILES", "LAMPS_LATCH", "LINK_DE"), OUTPUT),
    **dict.fromkeys(("DIGITS_CS", "SENSORS_LOAD"), Use("out", LOW, "none")),
    "EXPAND_CLOCK": Use("out", HIGH, "none", (2, 6, 18, 22), "the clock of SPI 0"),
    "EXPAND_OUT": Use("out", HIGH, "none", (3, 7, 19), "the data output of SPI 0"),
    "EXPAND_IN": Use("in", HIGH, "down", (0, 4, 16, 20), "the data input of SPI 0"),
    "LINK_TX": Use("out", HIGH, "none", (0, 12, 16, 28), "the transmitter of UART 0"),
    "LINK_RX": Use("in", HIGH, "up", (1, 13, 17), "the receiver of UART 0"),
}
OPTIONAL = ("LINK_DE",)
SENSORS = tuple(f"{what}_{n}" for what in ("SEAT", "SHAKE") for n in range(1, 8))
BUTTON_LAMPS = ("START_LAMP", "NO_MORE_BETS_LAMP", "VOID_LAMP")
LAMPS = (*(f"LAMP_{n}" for n in range(1, 8)), "TOWER_RED", "TOWER_AMBER", "TOWER_GREEN", "SHAKER_MOTOR", *BUTTON_LAMPS)
SIDES = {"expander_in": SENSORS, "expander_out": LAMPS}

CHIPS = (["RP2040", "0xe48bff56"], ["RP2350", "0xe48bff59"])
NUMBERS = {  # of table.json: smallest and largest
    "pio_hz": (1_000_000, 150_000_000), "counts_per_turn": (216, 40_000), "sections": (54, 54),
    "index_width_counts": (1, 100), "rim_leds": (162, 162), "inner_leds": (0, 1000), "tile_leds": (0, 10_000),
    "digits": (1, 8), "lamps": (0, 7), "baud": (9600, 921_600), "watchdog_ms": (1000, 8388),
    "flash_bytes": (1 << 20, 16 << 20),
}
NOISE = {"bits": (1, 8), "h_milli": (1, 8000)}  # of one sample, and entropy in thousandths of a bit
MILLIAMPERES = {"full": (1, 100), "idle": (0, 10), "budget": (1, 100_000)}


def load(path: Path, words: str) -> Any:
    """The content of a JSON file. ValueError with the sentence `words` when it is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(words.format(f"{path.name} is no JSON ({error})", board=path.parent.name)) from None


def _shape(entry: Any, fields: dict[str, type], where: str) -> list[str]:
    """What an entry lacks, or has of a wrong kind, or has too much."""
    if not isinstance(entry, dict):
        return [f"{where} is {entry!r:.40}, but must be an object"]
    found = [f"{where}: {key} is missing" for key in fields if key not in entry]
    for key, value in entry.items():
        if key not in fields:
            found.append(f"{where}: there is no {key!r:.40}; it has {', '.join(fields)}")
        elif type(value) is not fields[key] or value == "":
            kind = "a whole number" if fields[key] is int else "a text that is not empty"
            found.append(f"{where}: {key} is {value!r:.40}, but must be {kind}")
    return found


def wiring(found: Any) -> list[str]:
    """What is wrong with the wiring; its shape first, as nothing else can be said of one that has none."""
    if not isinstance(found, dict):
        return ["it is no object"]
    wrong = [f"{key} is missing, or no list of entries" for key in ("pins", *SIDES)
             if not isinstance(found.get(key), list)]
    wrong += [f"there is no {key!r:.40}; it has about, connectors, pins, {', '.join(SIDES)}" for key in found
              if key not in ("about", "connectors", "pins", *SIDES)]
    connectors = found.get("connectors")
    if not isinstance(connectors, dict) or not all(isinstance(what, str) for what in connectors.values()):
        wrong.append("connectors is missing, or does not give a text for each")
    elif not all(re.fullmatch("J[1-6]", name) for name in connectors):
        wrong.append("connectors are J1 to J6")
    if wrong:
        return wrong
    for entry in found["pins"]:
        name = entry.get("signal") if isinstance(entry, dict) else ""
        wrong += _shape(entry, ENTRY, f"signal {name}" if name else "an entry of pins")
    for side in SIDES:
        for entry in found[side]:
            name = entry.get("signal") if isinstance(entry, dict) else ""
            wrong += _shape(entry, BIT, f"{side}: {name or 'an entry'}")
    return wrong or _pins(found) + _expanders(found) + _all_there(found)


def _pins(found: dict) -> list[str]:
    wrong = []
    used: dict[int, str] = {}
    places: dict[str, str] = {}
    at = {entry["signal"]: entry for entry in found["pins"]}
    for entry in found["pins"]:
        name, pin, place = entry["signal"], entry["pin"], entry["connector"]
        if pin not in USABLE:
            wrong.append(f"signal {name}: GP{pin} is no free pin of a Pico; {FREE}")
        elif pin in used:
            wrong.append(f"GP{pin} is used twice, by {used[pin]} and {name}; move one of them")
        used[pin] = name
        if place in places:
            wrong.append(f"connector {place} is used twice, by {places[place]} and {name}")
        places[place] = name
        connector, _, number = place.partition("-")
        if connector not in found["connectors"] or not re.fullmatch("[1-9][0-9]?", number):
            wrong.append(f"signal {name}: there is no place {place:.40}; connectors are "
                         f"{', '.join(found['connectors'])}, with a number from 1, such as J1-1")
        wrong += _as_used(entry)
    if {"ENCODER_A", "ENCODER_B"} <= set(at):
        first, second = at["ENCODER_A"], at["ENCODER_B"]
        if second["pin"] != first["pin"] + 1:
            wrong.append("ENCODER_B must be on the pin after ENCODER_A: the PIO reads them as one pair")
        if second["active"] != first["active"]:
            wrong.append("ENCODER_A and ENCODER_B must be active alike: one of them inverted counts backwards")
    return wrong


def _as_used(entry: dict) -> list[str]:
    """Where an entry says something else than the firmware does with its signal."""
    name, use = entry["signal"], SIGNALS.get(entry["signal"])
    if use is None:
        other = next((side for side, names in SIDES.items() if name in names), "")
        return [f"signal {name:.40} is {f'behind {other}' if other else 'none of this firmware'}, not on a pin"]
    wrong = []
    if entry["pin"] in USABLE and entry["pin"] not in use.pins:
        wrong.append(f"signal {name}: GP{entry['pin']} is not {use.why}; use one of "
                     f"{', '.join(f'GP{pin}' for pin in use.pins)}")
    for key, allowed in (("direction", (use.direction,)), ("active", use.active), ("pull", (use.pull,))):
        if entry[key] not in allowed:
            wrong.append(f"signal {name}: {key} is {entry[key]!r:.40}; it is {' or '.join(allowed)}")
    ways = LEVELS.get(entry["level"])
    if ways is None:
        wrong.append(f"signal {name}: level is {entry['level']!r:.40}; it is one of {', '.join(LEVELS)}")
    elif use.direction not in ways:
        wrong.append(f"signal {name}: {entry['level']} is nothing for a pin that goes {use.direction}")
    return wrong


def _expanders(found: dict) -> list[str]:
    wrong = []
    for side, names in SIDES.items():
        bits: dict[int, str] = {}
        for entry in found[side]:
            bit, name = entry["bit"], entry["signal"]
            if bit not in BITS:
                wrong.append(f"{side}: {name} is on bit {bit}; there are {len(BITS)}")
            if bit in bits:
                wrong.append(f"{side}: bit {bit} is used twice, by {bits[bit]} and {name}")
            bits[bit] = name
            if name not in names:
                wrong.append(f"{side}: {name:.40} does not belong there; it has {', '.join(names)}")
        if side == "expander_in":
            wrong += [f"{side}: {name} is on bit {bit}; the firmware reads it from bit {SENSORS.index(name)}"
                      for bit, name in bits.items() if name in SENSORS and bit != SENSORS.index(name)]
        else:
            at = {name: bit for bit, name in bits.items()}
            three = [at[name] for name in BUTTON_LAMPS if name in at]
            if len(three) == 3 and three != [*range(three[0], three[0] + 3)]:
                wrong.append(f"{side}: {', '.join(BUTTON_LAMPS)} must follow one another: they are written as one")
    return wrong


def _all_there(found: dict) -> list[str]:
    names = [entry["signal"] for side in ("pins", *SIDES) for entry in found[side]]
    wanted = [name for name in SIGNALS if name not in OPTIONAL or name in names]
    return [f"signal {name} is there {names.count(name)} times" if name in names
            else f"signal {name} is missing: every table has one"
            for name in (*wanted, *SENSORS, *LAMPS) if names.count(name) != 1]


def _range(value: Any, key: str, low: int, high: int) -> list[str]:
    if type(value) is int and low <= value <= high:
        return []
    said = "is missing" if value is None else f"is {value!r:.40}"
    return [f"{key} {said}, but must be a whole number" + (f" from {low} to {high}" if low < high else f": {low}")]


def table(facts: Any) -> list[str]:
    """What is wrong with a table.json: its numbers, and whether its LEDs can be lit within the current budget."""
    if not isinstance(facts, dict):
        return ["it is no object"]
    wrong = [line for key, limits in NUMBERS.items() for line in _range(facts.get(key), key, *limits)]
    for group, fields in (("led_milliamps", MILLIAMPERES), ("noise", NOISE)):
        inner = facts.get(group)
        if not isinstance(inner, dict):
            wrong.append(f"{group} is missing, or no object of {', '.join(fields)}")
        else:
            wrong += [line for key, limits in fields.items()
                      for line in _range(inner.get(key), f"{group}.{key}", *limits)]
    wrong += [f"{key} is {facts[key]!r:.40}, but must be true or false" for key in ("live", "rs485")
              if not isinstance(facts.get(key, False), bool)]
    if not re.fullmatch("[A-Z0-9_]+", str(facts.get("board"))):
        wrong.append(f"board is {facts.get('board')!r:.40}, but must be the name of its folder")
    if [facts.get("chip"), facts.get("uf2_family")] not in CHIPS:
        wrong.append(f"chip and uf2_family are {facts.get('chip')!r:.40} and {facts.get('uf2_family')!r:.40}, but must "
                     f"be {' or '.join(' and '.join(pair) for pair in CHIPS)}")
    links = facts.get("links")
    if not isinstance(links, list) or not links or [link for link in links if link not in ("usb", "uart")]:
        wrong.append(f"links is {links!r:.40}, but must name usb, uart or both")
    return wrong or _regions(facts) + budget(facts)


def _regions(facts: dict) -> list[str]:
    """The flash map: whole sectors from the first byte to the last, none twice, none left out."""
    regions = facts.get("regions")
    if not isinstance(regions, list) or not all(
        isinstance(row, list) and [type(part) for part in row] == [str, int, int] for row in regions
    ):
        return ["regions is missing, or no list of [name, start, bytes]"]
    wrong = []
    if [name for name, _, _ in regions] != ["program", "files", "secret", "identity", "journal", "reserved"]:
        wrong.append("regions are program, files, secret, identity, journal, reserved, in this order")
    at = 0
    for name, start, size in regions:
        if start != at or size <= 0 or size % 4096:
            wrong.append(f"region {name:.40} is {size} bytes from {start}, but must be whole sectors of 4096 from {at}")
        at = start + size
    return wrong or ([] if at == facts["flash_bytes"] else [f"regions end at {at}, but flash_bytes is "
                                                              f"{facts['flash_bytes']}"])


def budget(facts: dict) -> list[str]:
    """Whether the LEDs of a table.json can be lit within its current budget."""
    current = facts["led_milliamps"]
    count = sum(facts[name] for name in ("rim_leds", "inner_leds", "tile_leds"))
    if current["full"] <= current["idle"]:
        return [f"led_milliamps.full is {current['full']}, but must be more than idle, {current['idle']}"]
    idle = count * current["idle"]
    least = idle + count * (current["full"] - current["idle"]) * LEAST_BRIGHTNESS // 100
    if least > current["budget"]:
        return [f"{count} LEDs need {least} mA at {LEAST_BRIGHTNESS} % brightness, the budget is "
                f"{current['budget']} mA; use fewer LEDs or a larger supply (led_milliamps.budget)"]
    return []
