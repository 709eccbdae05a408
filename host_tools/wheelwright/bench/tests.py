"""Which tests there are, in their order: each asks the table and the technician, and has the figures judged."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from tabletop.journal import kinds
from tabletop.rules.dreamcatcher import LAYOUT

from wheelwright.bench import coast, encoder, parts, pegs
from wheelwright.bench.finding import Found, invalid, skipped
from wheelwright.bench.session import Bench
from wheelwright.bench.technician import DIGITS, LEDS
from wheelwright.errors import WheelwrightError, tilt_text
from wheelwright.logbook import chain
from wheelwright.reports.run import Adjustment
from wheelwright.rng import cutoffs

ECHOES = 16
CLOCK_S = 2.0
RAW_BITS = 8192
OUTCOMES = 2160  # forty of each section
RNG_FAILED = 61  # the tilt
BETS = [[1, "1", 5000], [2, "10", 10000]]
WAGERED = 15000
CONTACTS = (("START", 1), ("NO_MORE_BETS", 2), ("VOID", 4), ("SERVICE", 8), ("RESET", 16), ("LID", 32), ("DOOR", 64))
SEATS = tuple((f"SEAT_{seat}", 256 << seat - 1) for seat in range(1, 8))
COLOURS = (("green", b"\x40\0\0"), ("red", b"\0\x40\0"), ("blue", b"\0\0\x40"))  # GRB, as the LEDs take it
TOUCH_S = 5.0


class Test(NamedTuple):
    """`run` gives the finding; `name` is what is typed, `title` what is read."""

    name: str
    title: str
    run: Callable[[Bench], Found]


def _link(bench: Bench) -> Found:
    here = bench.client.statistics()
    before = bench.call("STATISTICS")["link"]
    wrong = 0
    for size in range(ECHOES):
        echo = bytes(range(256)) * (size % 4) + bytes((size * 37 + i) & 255 for i in range(64))
        wrong += bench.call("PING", echo=echo)["echo"] != echo
    after = bench.call("STATISTICS")["link"]
    since = {name: count - here.get(name, 0) for name, count in bench.client.statistics().items()}
    return parts.link(before, after, since, ECHOES, wrong)


def program_bytes(bench: Bench) -> bytes | None:
    """The bytes of the program that the table should have, from an image or, for a virtual table, from this tool."""
    if bench.image is not None:
        from wheelwright.flashing.image import program_length, read_image

        image = read_image(bench.image)
        data = image.data()
        return data[: program_length(data, image.path)]
    if bench.client.hello.emulated and bench.client.address.startswith("socket://"):
        from wheelwright.compiling.compiled import program_bytes as compiled

        return compiled()
    return None


def _program(bench: Bench) -> Found:
    seed = secrets.token_bytes(16)
    seeded = bench.call("VERIFY", algorithm="hmac-sha256", seed=seed)
    plain = bench.call("VERIFY", algorithm="sha256")
    data = program_bytes(bench)
    if data is not None and bench.image is None and hashlib.sha256(data).digest() != plain["digest"]:
        data = None  # a virtual table of another version, which is not ours to judge
    wanted = None if data is None else hmac.digest(seed, data, "sha256")
    proof = parts.Proof(seed, seeded["digest"], plain["digest"], bench.client.hello.program, plain["size"])
    return parts.program(proof, wanted, bench.approved())


def _clock(bench: Bench) -> Found:
    off_s = None
    unix_ms = bench.call("STATUS").get("unix_ms")
    if unix_ms is not None:
        off_s = unix_ms / 1000 - time.time()
    if off_s is None or abs(off_s) > parts.MOST_OFF_S:
        was = "not set" if unix_ms is None else time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(unix_ms / 1000))
        now = time.time()
        bench.call("SET_TIME", unix_ms=int(now * 1000))
        after = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now))
        bench.adjustments.append(Adjustment(what="time of day (UTC)", before=was, after=after, at_s=now))
    bench.technician.settle()  # a virtual table keeps real time only then
    begin = _uptime(bench)
    time.sleep(CLOCK_S)
    end = _uptime(bench)
    return parts.clock(end[0] - begin[0], end[1] - begin[1], begin[2] + end[2] + 0.002, off_s)


def _uptime(bench: Bench) -> tuple[float, float, float]:
    """(seconds at the table, seconds here in the middle of the question, half of what the question took)."""
    sent = time.monotonic()
    uptime = bench.call("PING")["uptime_ms"] / 1000
    took = time.monotonic() - sent
    return uptime, sent + took / 2, took / 2


def _journal(bench: Bench) -> Found:
    results = bench.call("SELF_TEST")["results"]
    counts = bench.call("STATISTICS")["journal"]
    bench.catch_up()
    rows = [bench.rows[number] for number in sorted(bench.rows)]
    verdict = chain.verify(
        bench.client.hello.serial, rows, None, lambda number: bench.rows[number].hash if number in bench.rows else None,
        part=True,
    )  # fmt: skip
    problem = verdict.failure()
    return parts.journal(results["journal"], counts, len(rows), problem.what if problem else "")


def _rng(bench: Bench) -> Found:
    status = bench.call("STATUS")
    if RNG_FAILED in status["tilts"]:  # found by the table itself, which now gives no numbers
        return parts.rng(str(tilt_text(RNG_FAILED, status.get("detail", {}).get(str(RNG_FAILED), {}))), [],
                         (0, 0, 0), [], bench.client.hello.emulated)  # fmt: skip
    bench.enter_test()
    known_answer = bench.call("SELF_TEST")["results"]["rng"]
    raw: list[int] = []
    size = 1
    while len(raw) * size < RAW_BITS and known_answer == "ok":
        reply = bench.call("RNG_RAW", bits=1024)
        size = reply["bits"]
        data = reply["data"]
        raw += [byte >> bit & 1 for byte in data for bit in range(7, -1, -1)] if size == 1 else list(data)
    values: list[int] = []
    while len(values) < OUTCOMES and known_answer == "ok":
        values += bench.call("RNG_OUTCOMES", n=32, range=54)["values"]
    window = 1024 if size == 1 else 512
    h_milli = 100 if size == 1 else 500  # the least that a source may claim: what fails here, fails on any table
    limits = (cutoffs.repetition(h_milli, 60), cutoffs.proportion(h_milli, 60, window), window)
    return parts.rng(known_answer, raw, limits, values, bench.client.hello.emulated)


def _touched(bench: Bench, names: tuple[tuple[str, int], ...]) -> list[parts.Contact]:
    seen = []
    for name, bit in names:
        before = bool(bench.call("PROBE", on=True, hold=True)["inputs"] & bit)
        during: bool | None = None
        if before:
            seen.append(parts.Contact(name, True, None, True))
            continue
        if bench.technician.touch(name, True):
            during = _becomes(bench, bit, True)
            bench.technician.touch(name, False)
        seen.append(parts.Contact(name, before, during, not _becomes(bench, bit, False)))
    return seen


def _becomes(bench: Bench, bit: int, on: bool) -> bool:
    end = time.monotonic() + min(TOUCH_S, bench.technician.patience_s / 10)
    while time.monotonic() < end:
        if bool(bench.call("PROBE", on=True, hold=True)["inputs"] & bit) is on:
            return True
        time.sleep(0.01)
    return False


def _inputs(bench: Bench) -> Found:
    bench.enter_test()
    return parts.contacts(_touched(bench, CONTACTS))


def _seats(bench: Bench) -> Found:
    bench.enter_test()
    seen = _touched(bench, SEATS)
    if not any(one.before or one.during for one in seen) and bench.client.hello.emulated:
        return skipped("this virtual table has no wager sensors")
    return parts.contacts(seen)


def _look(bench: Bench, words: str, strip: str, first: int, count: int, grb: bytes, digits: list[str], tower: str,
          lamps: int, judged: tuple[str, ...]) -> str | None:  # fmt: skip
    """What is seen; only what is `judged` counts."""
    show = {
        "strip": strip,
        "first": first,
        "count": count,
        "grb": grb,
        "digits": digits,
        "tower": tower,
        "lamps": lamps,
    }
    bench.call("LAMPS", **show)
    return bench.technician.sees({name: show[name] for name in judged}, words)


def _leds(bench: Bench) -> Found:
    bench.enter_test()
    answers: dict[str, str | None] = {}
    for strip in ("rim", "inner"):
        dark = {
            "strip": strip,
            "first": 0,
            "count": 0,
            "grb": bytes(3),
            "digits": ["TEST"],
            "tower": "tilt",
            "lamps": 0,
        }
        size = bench.call("LAMPS", **dark)["leds"]
        for colour, grb in COLOURS:
            words = f"all LEDs of the {strip} {colour}"
            answers[words] = _look(bench, words, strip, 0, size, grb, ["TEST"], "tilt", 0, LEDS)
        words = f"the first LED of the {strip} alone, at the mark"
        answers[words] = _look(bench, words, strip, 0, 1, COLOURS[1][1], ["TEST"], "tilt", 0, LEDS)
        words = f"the last LED of the {strip} alone, beside it"
        answers[words] = _look(bench, words, strip, size - 1, 1, COLOURS[1][1], ["TEST"], "tilt", 0, LEDS)
    return parts.shown(answers, "led_dead")


def _digits(bench: Bench) -> Found:
    bench.enter_test()
    answers: dict[str, str | None] = {}
    displays = len(bench.call("DISPLAY")["digits"])
    for text in ("8888", "0123", "4567", "89  "):
        words = f"{text} on every display"
        answers[words] = _look(bench, words, "rim", 0, 0, bytes(3), [text] * displays, "tilt", 0, DIGITS)
    for tower in ("bets", "spin", "tilt", "service"):
        words = f"the tower light as for {tower}"
        answers[words] = _look(bench, words, "rim", 0, 0, bytes(3), ["TEST"] * displays, tower, 0, DIGITS)
    for lamp in range(7):
        words = f"wager lamp {lamp + 1} alone"
        answers[words] = _look(bench, words, "rim", 0, 0, bytes(3), ["TEST"] * displays, "tilt", 1 << lamp, DIGITS)
    return parts.shown(answers, "digits_dead")


def _wheel(judge: Callable[..., Found]) -> Callable[[Bench], Found]:
    """A test that needs a spin each way."""

    def run(bench: Bench) -> Found:
        bench.enter_test()
        return judge(bench.motion(1), bench.motion(-1), bench.wheel)

    return run


def _clapper(bench: Bench) -> Found:
    bench.enter_test()
    both = (bench.motion(1), bench.motion(-1))
    calibrated = bench.call("CALIBRATE")["calibration"].get("window") or (0, 0)
    return pegs.window(pegs.clapper(*both, bench.wheel), pegs.half_window(both, bench.wheel), int(calibrated[1]))


def _sections(bench: Bench) -> Found:
    bench.enter_test()
    forward, backward = bench.motion(1), bench.motion(-1)
    section = bench.call("STATUS")["section"]
    pointer = bench.technician.pointer(section, LAYOUT[section]) if section >= 0 else None
    return pegs.sections(forward, backward, bench.wheel, pointer)


def _coast(bench: Bench) -> Found:
    bench.enter_test()
    return coast.coast_down(bench.motion(1), bench.wheel, bench.earlier)


def _refused(bench: Bench) -> Found:
    """A test round whose spins may not count."""
    bench.enter_test()
    bench.end_round()
    if not bench.call("STATUS")["homed"]:
        bench.watch(1, lambda: bench.technician.spin(1))
    bench.release()
    bench.call("OPEN_BETS")
    bench.call("WAGER", bets=BETS)
    bench.call("NO_MORE_BETS")
    try:
        short = _spin_record(bench, bench.technician.short, 1)
        between = None
        if short is not None and short["outcome"] == "SHORT_SPIN":
            between = _spin_record(bench, bench.technician.between, 2)
    finally:
        bench.end_round()
    return parts.refused(short, between)


def _spin_record(bench: Bench, move: Callable[[int], bool], seed: int) -> dict[str, object] | None:
    since = bench.catch_up()
    if not move(seed):
        return None
    return bench.await_record(kinds.SPIN, since, bench.technician.patience_s)


def _link_ends(bench: Bench) -> bool:
    end = time.monotonic() + bench.technician.patience_s
    while time.monotonic() < end:
        try:
            bench.call("PING")
        except WheelwrightError:
            return True
        time.sleep(0.1)
    return False


def _power(bench: Bench) -> Found:
    bench.enter_test()
    bench.end_round()
    leased = bench.leased
    bench.release()
    bench.call("OPEN_BETS")
    bench.call("WAGER", bets=BETS)
    round_ = bench.call("NO_MORE_BETS")["round"]
    since = bench.catch_up()
    before = parts.Start(bench.client.hello.boot, bench.client.hello.reset, round_, WAGERED, True)
    if not bench.technician.cut_power():
        bench.end_round()
        return skipped("nobody could cut the power of this table")
    if not _link_ends(bench):
        bench.end_round()
        return invalid("the table answered all the time", "cut the table's own supply, not the laptop's")
    bench.reattach()
    if leased:
        bench.await_record(kinds.MODE, since, 5.0)
    status = bench.call("STATUS")
    bench.catch_up()
    void = [one for one in bench.payloads(kinds.ROUND_VOIDED, since) if one["round"] == round_]
    open_ = status["phase"] == "NO_MORE_BETS" and not void
    hello = bench.client.hello
    after = parts.Start(
        hello.boot, hello.reset, status["round"], status.get("wagered_mills", 0), open_,
        void[0]["returned"] if void else 0,
    )  # fmt: skip
    bench.end_round()
    if hello.boot == before.boot and not void and not open_:
        return invalid("the round was gone before the power went")
    return parts.power_cut(before, after)


TESTS = (
    Test("link", "Link and frames", _link),
    Test("program", "Program", _program),
    Test("clock", "Clock", _clock),
    Test("journal", "Journal chain and anchor", _journal),
    Test("rng", "Random numbers", _rng),
    Test("encoder_lines", "Encoder lines", _wheel(encoder.lines)),
    Test("counts_a_turn", "Counts a turn", _wheel(encoder.counts_a_turn)),
    Test("index", "Index", _wheel(encoder.index)),
    Test("clapper", "Clapper against encoder", _clapper),
    Test("sections", "Walk of the sections", _sections),
    Test("coast_down", "Coast-down", _coast),
    Test("refused_spins", "Short spin and rest between sections", _refused),
    Test("inputs", "Buttons, keys, lid and door", _inputs),
    Test("wager_sensors", "Wager sensors", _seats),
    Test("leds", "LEDs", _leds),
    Test("digits", "Digits, tower light and lamps", _digits),
    Test("power_cut", "Power cut", _power),
)
BY_NAME = {test.name: test for test in TESTS}
