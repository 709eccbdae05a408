"""Clues: what a piece of evidence says for a cause, and how strongly. Names of causes are those of `bench.finding`.

A weight of 10 is a measurement that names the cause by itself; 4 a pattern that has few other causes; 2 one of several.
What each pattern is worth was set on virtual tables with the fault in them; docs/diagnosis.md says how well that does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from wheelwright.bench.coast import USUAL
from wheelwright.bench.finding import Found
from wheelwright.wording import count

Payload = Mapping[str, Any]
SURE, STRONG, FAIR, WEAK = 10, 4, 2, 1
SPINS = 20  # the last ones are looked at
FEW = 3
SHORT_LIFE_MS = 600_000  # a table that is switched off for the night has lived longer
MOST_RISE = 1.3  # of what spins lose, from the older half to the newer one
DAMAGED = ("too_short", "too_long", "bad_cobs", "bad_crc", "bad_type")
BUTTONS = ((1, "START"), (2, "NO MORE BETS"), (4, "VOID"))


class Clue(NamedTuple):
    fault: str
    weight: int
    words: str


class Boot(NamedTuple):
    """A start of the table: its reason, and how long the table then lived by its own records."""

    number: int
    reason: str
    lived_ms: int


def of_spins(spins: Sequence[Payload]) -> list[Clue]:
    """What SPIN records say, oldest first: outcomes, faults, notes, and what each spin lost on its way."""
    last = [spin for spin in spins if spin["outcome"] != "NONE"][-SPINS:]
    bad = [set(spin["faults"]) for spin in last if spin["faults"]]
    clues = _losses(last)
    if not bad:
        return clues
    n = len(bad)
    of = f"{n} of the last {count(len(last), 'spin')}"
    still = sum(spin["turns_milli"] == 0 and "ENCODER_CLAPPER_MISMATCH" in spin["faults"] for spin in last)
    if 2 * still > n:
        words = f"in {of} pegs went by and the encoder saw nothing"
        return clues + [Clue(fault, STRONG, words) for fault in ("a_dead", "b_dead", "encoder_dead")]
    mismatch = sum("ENCODER_CLAPPER_MISMATCH" in one for one in bad)
    index = sum("INDEX_MISMATCH" in one for one in bad)
    stuck = sum("CLAPPER_STUCK" in one for one in bad)
    held = sum(one == {"OBSTRUCTED"} for one in bad)
    missing = sum("INDEX_MISSING" in spin["notes"] for spin in last)
    if held:
        words = f"{count(held, 'spin')} stopped before their time"
        clues.append(Clue("hand", STRONG if 2 * held > n else FAIR, words))
    if 2 * index > n and missing * 2 > len(last) and not mismatch:
        words = f"the index was missing in {count(missing, 'spin')}, all else agreed"
        clues += [Clue("index_dead", STRONG + 2, words), Clue("index_width", FAIR, words)]
    elif index and mismatch and (missing or stuck):
        clues.append(Clue("wrong_encoder", STRONG, f"in {of} neither index nor pegs came where the count says"))
        clues.append(Clue("b_loose", FAIR, "counts do not fit index and pegs"))
    elif index and mismatch:
        words = f"in {of} counts were lost: index and pegs both came elsewhere"
        clues += [Clue("b_loose", STRONG, words), Clue("a_loose", STRONG - 1, words)]
        clues.append(Clue("wrong_encoder", WEAK, words))
    elif index:
        clues.append(Clue("index_wanders", FAIR, f"in {of} the index came elsewhere, pegs did not"))
    if stuck and not index:
        both = sum({"CLAPPER_STUCK", "ENCODER_CLAPPER_MISMATCH"} <= one for one in bad)
        if both == stuck == n:
            clues.append(Clue("slips", STRONG, f"in {of} pegs moved against the count, the index did not"))
            clues.append(Clue("clapper_stuck", FAIR, f"the clapper was bent at the end of {count(stuck, 'spin')}"))
        else:
            clues.append(Clue("clapper_stuck", STRONG + 1, f"the clapper stayed bent in {count(stuck, 'spin')}"))
    elif mismatch and not index and not stuck:
        words = f"in {of} pegs were missing, the index came in its place"
        clues += [Clue("clapper_worn", STRONG, words), Clue("clapper_dead", STRONG - 1, words)]
        clues.append(Clue("slips", FAIR, words))
    return clues


def _losses(spins: Sequence[Payload]) -> list[Clue]:
    """How much speed spins lose: top speed squared over twice the turns is what they lost on the way, turns/s2."""
    losses = [
        (spin["top_mturns_s"] / 1000) ** 2 / (2 * spin["turns_milli"] / 1000) for spin in spins
        if spin["outcome"] in ("SECTION", "SHORT_SPIN", "BETWEEN_SECTIONS") and not spin["faults"]
        and spin["turns_milli"] > 1000
    ]  # fmt: skip
    if len(losses) < FEW:
        return []
    now = median(losses[len(losses) // 2 :])
    before = median(losses[: len(losses) // 2])
    if now > USUAL[1]:
        return [Clue("bearing", STRONG, f"spins lose {now:.2f} turns/s2, more than {USUAL[1]}")]
    if len(losses) >= 2 * FEW and now > MOST_RISE * before:
        return [Clue("bearing", STRONG, f"spins lose {now:.2f} turns/s2, earlier ones {before:.2f}")]
    return []


def of_boots(boots: Sequence[Boot]) -> list[Clue]:
    """Starts that nobody wanted."""
    short = [boot for boot in boots if boot.lived_ms < SHORT_LIFE_MS]
    cut = [boot for boot in short if boot.reason in ("POWER_ON", "RUN_PIN")]
    clues = []
    if len(cut) >= FEW:
        words = f"{len(cut)} of the last {count(len(boots), 'start')} ended within ten minutes, as far as records tell"
        clues.append(Clue("brown_out", STRONG + 2 if len(cut) > FEW else STRONG, words))
    dog = sum(boot.reason in ("WATCHDOG", "FAULT") for boot in boots)
    if dog:
        clues.append(Clue("restarts", STRONG + 1, f"{count(dog, 'start')} by the watchdog"))
    return clues


def of_link(counters: Mapping[str, int], processes: Collection[str]) -> list[Clue]:
    """Damaged pieces on the line since the table started, and who on this computer may have sent them."""
    bad = sum(counters.get(name, 0) for name in DAMAGED)
    if not bad:
        return []
    words = f"{count(bad, 'piece')} on the line since the table's start were no frames"
    clues = [Clue("link_noise", FAIR + (2 if counters.get("bad_crc") else 0), words)]
    if "ModemManager" in processes:
        clues.append(Clue("modem_manager", STRONG + 3, words + ", and ModemManager runs on this computer"))
    return clues


def of_inputs(bits: int) -> list[Clue]:
    """Contacts that are closed though nobody touches them."""
    closed = [name for bit, name in BUTTONS if bits & bit]
    return [Clue("button_stuck", SURE, f"{name} is closed and nobody touches it") for name in closed]


def of_look(findings: Mapping[str, Found]) -> list[Clue]:
    """What the wheel's own tests found in a live look: test name -> finding."""
    return [
        Clue(found.fault, SURE if found.verdict == "FAIL" else STRONG + 1, f"{name.replace('_', ' ')}: {found.detail}")
        for name, found in findings.items() if found.fault
    ]  # fmt: skip
