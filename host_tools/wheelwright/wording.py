"""One line in words for every kind of journal record, as the log, the live view and the report show it."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wheelwright.errors import error_text, tilt_text

Payload = Mapping[str, Any]

OUTCOMES = {
    "SHORT_SPIN": "short spin, fewer turns than the rules ask",
    "BETWEEN_SECTIONS": "between two sections, void",
    "FAULT": "no result, the sensors are in doubt",
}


STARTS = {
    "POWER_ON": "power came on",
    "RUN_PIN": "the reset button",
    "WATCHDOG": "a task hung, and the watchdog bit",
    "FAULT": "a task failed, and the table started itself anew",
    "HOST": "ordered by a host",
    "UPDATE": "ordered for an update",
    "CONSOLE": "somebody had its prompt before",
}


HANDED = {"INVENTORY": "from the inventory", "SLIP": "by jackpot slip"}  # by whom a seat at cards or dice is paid
SEVERAL = re.compile(r"^([a-z]{2,})s\b")  # the plural of a unit: no "s" and no "ms"


def count(n: int, what: str, several: str = "") -> str:
    """`1 wager`, `12 wagers`; `several` is the plural where it is not the word and an s."""
    return f"{n} {what if n == 1 else several or what + 's'}"


def records(first: int, last: int) -> str:
    """`record 4`, `records 4 to 9`; `no record` where the last comes before the first, as in an empty log."""
    if last < max(first, 1):
        return "no record"
    return f"record {first}" if first == last else f"records {first} to {last}"


def span(first: int, last: int) -> str:
    """`record 4 is`, `records 4 to 9 are`."""
    return f"{records(first, last)} {'is' if first == last else 'are'}"


def measure(value: object, unit: str) -> str:
    """`2400 counts a turn`, `1 picture`, `0.5 turns/s`; the unit is given in the plural."""
    number = f"{value:.6g}" if isinstance(value, float) else str(value)
    if number == "1":
        unit = SEVERAL.sub(r"\1", unit)
    return f"{number} {unit}".rstrip()


def moment(unix_ms: int) -> str:
    """A time of day in UTC, from milliseconds since 1970; one that no calendar has as the number that it is."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(unix_ms // 1000))
    except (OverflowError, ValueError, OSError):
        return f"{unix_ms} ms"


def money(mills: int) -> str:
    """Mills as dollars: 12500 is $12.50, 25 is $0.025."""
    sign, value = ("-" if mills < 0 else ""), abs(mills)
    cents = f"{value % 1000:03d}"
    return f"{sign}${value // 1000:,}.{cents[:2] if cents.endswith('0') else cents}"


def turns(turns_milli: int) -> str:
    """Thousandths of a turn as turns with two digits, never rounded up to a turn that was not made."""
    return f"{turns_milli // 1000}.{turns_milli % 1000 // 10:02d} turns"


def direction(value: int) -> str:
    """The sense of rotation: 1 forward (count rising), -1 backward."""
    return {1: "forward", -1: "backward"}.get(value, "at rest")


def bet(seat: int, spot: object, mills: int) -> str:
    """One wager or pay: `seat 1 $5.00 on 10`."""
    return f"seat {seat} {money(mills)} on {spot}"


def outcome(spin: Payload, layout: tuple[str, ...] = ()) -> str:
    """What a SPIN record says, with the symbol when the layout is given."""
    result: str = spin["outcome"]
    if result == "SECTION":
        section = spin["section"]
        symbol = f" ({layout[section]})" if layout else ""
        words = f"section {section}{symbol}"
    else:
        words = OUTCOMES.get(result, result)
    because = [*spin.get("faults", ()), *spin.get("notes", ())]
    return f"{words}, {turns(spin['turns_milli'])} {direction(spin['direction'])}" + (
        f" [{' '.join(because)}]" if because else ""
    )


def pays(settled: Payload) -> str:
    """Who won what in a SETTLED record."""
    won = [
        f"seat {seat} {money(win)} at {odds} to 1{' (limited)' if limited else ''}"
        if odds or spot not in HANDED
        else f"seat {seat} {money(win)} {HANDED[spot]}"
        for seat, spot, _stake, odds, win, limited in settled["pays"]
    ]
    return ", ".join(won) or "no winners"


def result(settled: Payload) -> str:
    """What a SETTLED record says the round came to: `10 x2`, or the odds that a bonus game pays."""
    if "symbol" in settled:
        return f"{settled['symbol']}" + (f" x{settled['multiplier']}" if settled["multiplier"] != 1 else "")
    if "odds" not in settled:
        return f"decided by {settled['source'].lower().replace('+rng', ' and the generator')}"
    odds = [
        (f"choice {choice} " if choice else "")
        + f"{paid} to 1"
        + (f" ({note.lower()}; came to {total})" if note else "")
        for choice, total, paid, note in settled["odds"]
    ]
    return ", ".join(odds) or "no wager took part"


def given(words: Sequence[Any]) -> str:
    """An input of a bonus game."""
    what, *about = words
    pattern = {
        "begin": "the main wheel stopped on {}", "choose": "seat {} chooses {}", "press": "seat {} presses the button",
        "timeout": "the time for choices is over", "next": "the next step", "take_back": "seat {} takes its chip back",
        "chips": "chips counted by {1}: {0}", "hand": "the cards of seat {} are {}", "dealt": "the dealer shows {}",
        "misdeal": "a misdeal: {}", "validate": "{1} validates the win of seat {0}", "hole": "the hole card is {}",
        "documented": "the slip of seat {} is documented", "low": "the dealer's low hand is {}",
        "dice": "the dice are {}, {} and {}", "select": "seat {} starts the shaker", "shaking": "the shaker starts",
        "shake": "the shake is {} ({}) after {} ms, {} knocks",
        "roll": "the dice are {}, {}, {}, and read again {}, {}, {}",
        "card": "seat {} takes {}", "double": "seat {} doubles by {} mills: {}",
        "rescue": "seat {} rescues half", "dealer": "the dealer's hand is {}",
        "award": "seat {} is awarded {} mills ({})",
        "wager": "a chip at seat {} on {} ({} mills)", "open": "opening bets", "void": "a void",
        "reset": "a reset of the meter to {} mills by {}",
    }.get(what, what + " {}" * len(about))  # fmt: skip
    return str(pattern.format(*about))


def _boot(p: Payload) -> str:
    if p.get("again"):
        return f"table {p['serial']}: how it stands after round {p.get('round', 0)} (written again)"
    marks = [mark for mark, on in (("EMULATED", p.get("emulated")), ("TEST", p.get("test"))) if on]
    return f"table {p['serial']} started ({p['reason']}), firmware {p['version']} {' '.join(marks)}".rstrip()


def _opened(p: Payload) -> str:
    return f"round {p['round']}: {p['game']}, bets are open{' (TEST)' if p['test'] else ''}"


def _wagers(p: Payload) -> str:
    return f"round {p['round']}: " + ", ".join(bet(*row) for row in p["bets"])


def _spin(p: Payload) -> str:
    if not p["counted"]:
        return f"not counted ({p.get('why', '?')}): {outcome(p)}"
    return f"round {p['round']} spin {p['spin']}: {outcome(p)}"


def _settled(p: Payload) -> str:
    return f"round {p['round']}: {result(p)}, collect {money(p['collected'])}, pay {pays(p)}"


def _tilt(p: Payload) -> str:
    detail = p["detail"]
    return str(tilt_text(p["tilt"], detail if isinstance(detail, Mapping) else {"reason": detail}))


def _calibrated(p: Payload) -> str:
    wheel = p["calibration"]
    if p.get("again"):
        return "the calibration holds (written again)"
    if not wheel:
        return f"the wheel and its lamps are as the board says again, by {p['operator']}"
    told = []
    if "counts_per_turn" in wheel:
        way = "with" if wheel.get("direction", 1) > 0 else "against"
        told = [f"{wheel['counts_per_turn']} counts a turn, {way} the wheel, index at {wheel.get('index_at')}"]
        if "index_width_counts" in wheel:
            told.append(f"{measure(wheel['index_width_counts'], 'counts')} wide")
    told += [f"{name} {wheel[name]}" for name in ("rim", "inner", "tiles", "leds", "digits") if name in wheel]
    return f"the table was calibrated by {p['operator']}: {', '.join(told)}"


def _meter(p: Payload) -> str:
    shown = money(p["meter"]["current"])
    if p.get("again"):
        return f"meter of {p['game']}: {shown} (written again)"
    if "operator" in p:
        return f"METER of {p['game']} set to {shown} by {p['operator']}: {p['reason']}"
    return f"meter of {p['game']}{' (TEST)' if p['test'] else ''}: {shown}, {count(p['meter']['hits'], 'hit')}"


def _refused(p: Payload) -> str:
    return f"REFUSED {given(p['given'])}: {error_text(p['code'], p['detail'])}"


def _short(value: bytes | str) -> str:
    """The first digits of a key or hash, as bytes or as the hex digits of a JSON payload."""
    return (value.hex() if isinstance(value, bytes) else value)[:16]


def _configured(p: Payload) -> str:
    values = ", ".join(f"{key} {value}" for key, value in p["settings"].items())
    who = "written again" if p.get("again") else f"by {p['operator']}"
    signed = f"signed by key {_short(p['signer'])} as {_short(p['hash'])}" if "signer" in p else "NOT SIGNED"
    return f"configuration {who}, {signed}: {values}"


def _correction(p: Payload) -> str:
    second = f", authorised by {p['second']}" if p.get("second") else ""
    return f"CORRECTION of record {p['of']} by {p['operator']}{second}: {p['text']} ({p['reason']})"


def _time_set(p: Payload) -> str:
    was = f" (it was {moment(p['was_ms'])})" if p.get("was_ms") else ""
    return f"time set to {moment(p['unix_ms'])}{was}"


def _self_test(p: Payload) -> str:
    results = ", ".join(f"{name} {text}" for name, text in p["results"].items())
    return f"self-test {'passed' if p['passed'] else 'FAILED'}: {results}"


_WORDS: dict[str, Callable[[Payload], str]] = {
    "BOOT": _boot,
    "ROUND_OPENED": _opened,
    "WAGERS": _wagers,
    "BETS_CLOSED": lambda p: f"round {p['round']}: no more bets, {count(p['count'], 'wager')}, {money(p['mills'])}",
    "SPIN_STARTED": lambda p: f"round {p['round']}: spin {p['spin']} began",
    "SPIN": _spin,
    "SETTLED": _settled,
    "ROUND_CLOSED": lambda p: f"round {p['round']}: closed",
    "ROUND_VOIDED": lambda p: f"round {p['round']}: void ({p['reason']}), {money(p['returned'])} returned",
    "DISPUTE": lambda p: f"round {p['round']}: dispute ({p['reason']})",
    "TILT": _tilt,
    "TILT_CLEARED": lambda p: f"tilt T-{p['tilt']} cleared by {p['operator']}",
    "TIME_SET": _time_set,
    "ANCHOR": lambda p: f"a host holds everything up to record {p['number']}",
    "MODE": lambda p: f"test mode {'on' if p['test'] else 'off'}",
    "SERVICE": lambda p: f"service {'on' if p['on'] else 'off'}",
    "SELF_TEST": _self_test,
    "DRAW": lambda p: f"draw {p['number']} {p['name']}: {p['values']} of {p['ranges']}",
    "COMMITTED": lambda p: f"{p['name']}: a hidden value of {p['range']} "
    + ("stays hidden (written again)" if p.get("again") else f"was chosen, hash {_short(p['hash'])}")
    + (", in place of one that is void since somebody had the prompt" if p.get("void") else ""),
    "OPENED": lambda p: f"{p['name']}: the hidden value was {p['value']}",
    "ALERT": lambda p: f"the draws look odd after draw {p['number']}: {p['alert']}",
    "CONFIGURED": _configured,
    "CORRECTION": _correction,
    "APPROVED": lambda p: f"program {_short(p['program'])} is the approved one"
    + (" (written again)" if p.get("again") else f", by {p['operator']}" if p["operator"] else " (the first one)"),
    "CALIBRATED": _calibrated,
    "METER": _meter,
    "REFUSED": _refused,
    "GIVEN": lambda p: f"round {p['round']}: {given(p['given'])}",
    "ROUND_HELD": lambda p: f"round {p['round']} once more, in short ({count(len(p['data']), 'byte')})",
    "TORN": lambda p: f"a power cut tore what followed record {p['after']} ({count(p['pages'], 'page')})",
}


def record(kind: str, payload: Payload) -> str:
    """The line of one record; a kind or field this tool does not know is shown as it is."""
    try:
        words = _WORDS[kind](payload)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        words = f"{kind} " + ", ".join(f"{key} {value}" for key, value in payload.items())
    return "".join(sign if sign.isprintable() else "?" for sign in words)  # a terminal obeys what is no sign


def game(number: str, ended: Payload) -> str:
    """How a game ended, from the table's answer to GAMES."""
    if "returned" in ended:
        words = f"void, {money(ended['returned'])} returned"
    else:
        by = f" x{ended['multiplier']}" if ended.get("multiplier", 1) != 1 else ""
        words = f"{ended.get('symbol', 'settled')}{by}, collect {money(ended['collected'])}, pay {money(ended['paid'])}"
    return f"game {number}: {words} (record {ended['record']}){' TEST' if ended.get('test') else ''}"


def state(hello: Payload, status: Payload) -> list[str]:
    """Who a table is and how it is, from its HELLO and its STATUS, line by line."""
    marks = [mark for mark, on in (("EMULATED", status.get("emulated")), ("TEST", status["test"])) if on]
    lines = [
        f"table {hello['serial']} {' '.join(marks)}".rstrip(),
        f"firmware {hello['version']}, program {hello['program'].hex()}",
        f"protocol {hello['protocol']}, games {' '.join(hello['capabilities'])}",
        f"start {hello['boot']} ({hello['reset']}: {STARTS.get(hello['reset'], 'of unknown cause')}), "
        f"up {status['uptime_ms'] / 1000:.1f} s",
        f"phase {status['phase']}, round {status['round']}",
        *([f"random numbers {status['rng']}, {status.get('draws', 0)} draws"] if "rng" in status else []),
        *([f"ALERT {status['alert']}"] if status.get("alert") else []),
        *([f"meter {money(status['meter_mills'])}"] if "meter_mills" in status else []),
        *([str(tilt_text(tilt, status.get("detail", {}).get(str(tilt), {}))) for tilt in status["tilts"]]
          or ["no tilt"]),
        f"wheel {'turns' if status['moving'] else 'at rest'}, "
        + (f"section {status['section']}" if status["homed"] else "section unknown until it has turned once"),
        f"journal holds {records(status['first'], status['last'])}, {status['anchored']} anchored, "
        f"room for {status['free']}",
    ]
    for mode, meters in status.get("meters", {}).items():
        shown = (f"{name} {value}" if name == "rounds" else f"{name.removesuffix('_mills')} {money(value)}"
                 for name, value in sorted(meters.items(), reverse=True))  # fmt: skip
        lines.append(f"{mode} meters: {', '.join(shown)}")
    return lines
