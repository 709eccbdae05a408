"""Link, program, clock, journal and random numbers of a table: what their figures must be. Numbers in, verdict out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wheelwright.bench.finding import Found, invalid, skipped
from wheelwright.wording import count

DAMAGED = ("too_short", "too_long", "bad_cobs", "bad_crc", "bad_type")
HERE = ("bad_frame", "bad_crc")
MOST_RATE = 0.01  # that the clock may go wrong: it is measured over two seconds of a link
MOST_OFF_S = 5.0
CHI_SQUARE_53 = 90.57  # 54 outcomes, once in a thousand good generators
OUTCOMES = 54


def link(
    before: Mapping[str, int], after: Mapping[str, int], host: Mapping[str, int], echoes: int, wrong: int
) -> Found:
    """Every byte that was sent came back, and neither side saw a damaged frame. `host`: since, here."""
    table = {name: after.get(name, 0) - before.get(name, 0) for name in DAMAGED}
    mine = {name: host.get(name, 0) for name in HERE}
    bad = sum(table.values()) + sum(mine.values()) + wrong
    words = [f"{count} {name} at the table" for name, count in table.items() if count]
    words += [f"{count} {name} here" for name, count in mine.items() if count]
    early = sum(before.get(name, 0) for name in DAMAGED)
    detail = f"{echoes} echoes of all byte values, " + (", ".join(words) or "none damaged")
    if early:
        detail += f"; {early} damaged frames since the table started, before this test"
    return Found(
        "FAIL" if bad else "PASS",
        bad,
        0,
        0,
        "frames",
        "no damaged frame either way",
        detail,
        "link_noise" if bad else "",
    )


class Proof(NamedTuple):
    """What VERIFY answered: HMAC-SHA-256 with `seed`, and SHA-256; `started`: that of the table's start."""

    seed: bytes
    hmac: bytes
    sha256: bytes
    started: bytes
    size: int


def program(proof: Proof, wanted: bytes | None, approved: bytes | None) -> Found:
    """The program is the one that the table started with, the approved one, and that of the image, whose seeded HMAC is
    `wanted` (None: there is no image to compare with)."""
    expected = "the program that was approved" if wanted is None else "the program of the image"
    measured = proof.hmac.hex()
    detail = f"{proof.size} bytes, SHA-256 {proof.sha256.hex()[:16]}..., seed {proof.seed.hex()}"
    if proof.sha256 != proof.started:
        return Found("FAIL", measured, expected=expected, fault="program",
                     detail=f"it is not what the table started with: {proof.sha256.hex()[:16]}...")  # fmt: skip
    if wanted is not None and proof.hmac != wanted:
        return Found("FAIL", measured, expected=wanted.hex(), detail=detail, fault="program")
    if approved is not None and proof.sha256 != approved:
        return Found("FAIL", measured, expected=expected, fault="program",
                     detail=f"the table approved {approved.hex()[:16]}...")  # fmt: skip
    if wanted is None and approved is None:
        return invalid("there is nothing to compare the program with", "give the image: --image FILE.uf2")
    return Found("PASS", measured, expected=expected, detail=detail)


def clock(table_s: float, host_s: float, slack_s: float, off_s: float | None) -> Found:
    """Seconds that passed at the table and here (known to `slack_s`), and how far its time of day is off."""
    rate = table_s / host_s - 1
    high = round(MOST_RATE + slack_s / host_s, 4)
    fault = "clock" if abs(rate) > high else ""
    detail = f"{table_s:.3f} s at the table in {host_s:.3f} s"
    if off_s is not None:
        detail += (
            f"; its time of day was {off_s:+.1f} s off" if abs(off_s) > MOST_OFF_S else "; its time of day is right"
        )
    else:
        detail += "; its time of day was not set"
    return Found("FAIL" if fault else "PASS", round(abs(rate), 4), 0, high, "of the time", "keeps time", detail, fault)


def journal(self_test: str, counts: Mapping[str, int], records: int, problem: str) -> Found:
    """The table read all of it; the newest records were held against each other and their anchors here."""
    expected = "every record reads back, each follows from the one before"
    if self_test != "ok" or counts.get("damaged"):
        return Found("FAIL", None, expected=expected, detail=self_test if self_test != "ok" else
                     f"record {counts['damaged']} cannot be read back", fault="journal")  # fmt: skip
    if problem:
        return Found("FAIL", None, expected=expected, detail=problem, fault="journal")
    detail = f"{count(records, 'record')} checked here, {counts['last'] - counts['first'] + 1} by the table"
    if counts.get("torn"):
        detail += f"; {counts['torn']} torn by a power cut, and marked"
    left = counts["free"]
    step = "take the log: wheelwright log pull" if left < 100 else ""
    return Found("PASS", left, 0, None, "pages free", expected, detail, next_step=step)


def longest_run(bits: Sequence[int]) -> int:
    """How often the same sample came one after another, at most."""
    most = run = 0
    last = None
    for bit in bits:
        run = run + 1 if bit == last else 1
        last = bit
        most = max(most, run)
    return most


def rng(
    known_answer: str, raw: Sequence[int], cutoffs: tuple[int, int, int], values: Sequence[int], emulated: bool
) -> Found:
    """Known answer, both health tests on raw samples (repetition, proportion, its window), chi-square of outcomes."""
    repetition, proportion, window = cutoffs
    expected = (
        f"known answer; runs below {repetition}, no sample {proportion} times in {window}, "
        f"chi-square up to {CHI_SQUARE_53}"
    )
    if known_answer != "ok":
        return Found("FAIL", None, expected=expected, detail=known_answer, fault="rng")
    if len(values) < 5 * OUTCOMES or len(raw) < window:
        return invalid(f"only {len(raw)} raw samples and {len(values)} outcomes came")
    run = longest_run(raw)
    most = max(raw[at : at + window].count(raw[at]) for at in range(0, len(raw) - window + 1, window))
    each = len(values) / OUTCOMES
    chi = sum((values.count(section) - each) ** 2 / each for section in range(OUTCOMES))
    detail = f"{len(raw)} raw samples: longest run {run}, most of one {most} in {window}; {len(values)} outcomes"
    if emulated:
        detail += "; the noise of an emulated table is the computer's"
    figure: tuple[float, int, float, str] = (round(chi, 1), 0, CHI_SQUARE_53, "")
    if run >= repetition:
        figure = (run, 1, repetition - 1, "samples")
    elif most >= proportion:
        figure = (most, 0, proportion - 1, "samples")
    bad = figure[0] > figure[2]
    return Found("FAIL" if bad else "PASS", *figure, expected, detail, "rng" if bad else "")


class Contact(NamedTuple):
    """A button, key or sensor as the table saw it: before it was touched, while it was held, and after."""

    name: str
    before: bool
    during: bool | None  # None: nobody could touch it
    after: bool


def contacts(seen: Sequence[Contact]) -> Found:
    """Each contact is open, closes when it is touched, and opens again."""
    stuck = [one.name for one in seen if one.before or one.after]
    dead = [one.name for one in seen if one.during is False]
    touched = [one for one in seen if one.during is not None]
    expected = "open, closed while touched, open again"
    if stuck:
        return Found(
            "FAIL",
            len(touched),
            expected=expected,
            detail="closed all the time: " + ", ".join(stuck),
            fault="button_stuck",
        )
    if dead and len(dead) == len(touched) > 1:
        return invalid("no contact closed at all", "touch each when asked; if that was done, look at their common wire")
    if dead:
        return Found(
            "FAIL", len(touched), expected=expected, detail="never closed: " + ", ".join(dead), fault="button_dead"
        )
    if not touched:
        return skipped("nobody could touch the contacts")
    left = [one.name for one in seen if one.during is None]
    detail = ", ".join(one.name for one in touched) + (f"; not touched: {', '.join(left)}" if left else "")
    return Found("PASS", len(touched), 1, None, "contacts", expected, detail)


def shown(answers: Mapping[str, str | None], fault: str) -> Found:
    """What was shown -> "" when it was seen as it must be, else what was seen instead; None: nobody looked."""
    wrong = [f"{what}: {seen}" for what, seen in answers.items() if seen]
    looked = [what for what, seen in answers.items() if seen is not None]
    expected = "everything shows as asked"
    if wrong:
        return Found("FAIL", len(looked), expected=expected, detail="; ".join(wrong), fault=fault)
    if not looked:
        return skipped("nobody looked at the lamps")
    return Found("PASS", len(looked), 1, None, "pictures", expected, ", ".join(looked))


def refused(short: Mapping[str, object] | None, between: Mapping[str, object] | None) -> Found:
    """SPIN records of a spin that was too short, and of one that came to rest on a peg: neither may give a result."""
    expected = "SHORT_SPIN, and BETWEEN_SECTIONS or a hand that held it: no section"
    if short is None:
        return invalid("no spin was seen", "push the wheel when asked: less than three turns")
    turns = int(str(short["turns_milli"])) / 1000
    if short["outcome"] == "SECTION":
        if turns >= 3:
            return invalid(f"the wheel made {turns:.2f} turns, which is a spin that counts", "push it more gently")
        return Found("FAIL", turns, expected=expected, detail=f"section {short['section']} after {turns:.2f} turns",
                     next_step="take the table out of play and call the maker")  # fmt: skip
    if short["outcome"] == "FAULT":
        return invalid(f"the sensors disagreed: {', '.join(map(str, short['faults']))}", "mend the sensors first")  # type: ignore[call-overload]
    detail = f"{turns:.2f} turns: {short['outcome']}"
    if between is None:
        detail += "; nobody could bring it to rest on a peg"
    elif between["outcome"] == "SECTION":
        return invalid(
            f"the wheel came to rest in section {between['section']}, on no peg",
            "do this test again: it must hang on a peg",
        )
    else:
        detail += f"; on a peg: {between['outcome']}"
    return Found("PASS", round(turns, 3), 0, 2.999, "turns", expected, detail)


class Start(NamedTuple):
    """A start of the table, and how its round stood."""

    boot: int
    reason: str
    round: int
    wagered_mills: int
    open: bool  # the round goes on
    returned_mills: int = 0  # it was void, and all was given back


def power_cut(before: Start, after: Start) -> Found:
    """After a cut the round goes on with its wagers, or was given back whole. INVALID when the power did not go."""
    expected = "one boot more, reason POWER_ON, the same round with the same wagers"
    if after.boot == before.boot:
        return invalid("the table did not start anew: only the cable was pulled", "cut the table's own supply")
    if after.reason != "POWER_ON" or after.boot != before.boot + 1:
        return invalid(f"{count(after.boot - before.boot, 'start')}, the last by {after.reason}, not by the supply",
                       "cut the table's own supply, once")  # fmt: skip
    kept = after.open and (after.round, after.wagered_mills) == (before.round, before.wagered_mills)
    back = not after.open and after.returned_mills == before.wagered_mills
    detail = f"boot {after.boot} by {after.reason}; round {after.round} " + (
        "goes on" if after.open else "void, all wagers returned"
    )
    if kept or back:
        return Found("PASS", after.boot, before.boot + 1, before.boot + 1, "boot", expected, detail)
    return Found("FAIL", after.boot, expected=expected, detail=f"{detail}, {after.wagered_mills} mills left",
                 fault="journal")  # fmt: skip
