"""Suspects: causes in the order of what speaks for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wheelwright.bench.finding import CAUSES
from wheelwright.diagnosis.clues import SURE, Clue
from wheelwright.errors import Text

# What a fault makes look wrong besides itself: with the one, the others explain nothing more.
EXPLAINS = {
    "a_dead": ("encoder_dead", "index_dead", "clapper_worn", "clapper_dead", "slips", "bearing"),
    "b_dead": ("encoder_dead", "index_dead", "clapper_worn", "clapper_dead", "slips", "bearing"),
    "wrong_encoder": ("index_noise", "index_wanders", "counts_lost", "slips", "peg_off"),
    "a_loose": ("counts_lost", "index_wanders", "slips", "peg_off"),
    "b_loose": ("counts_lost", "index_wanders", "slips", "peg_off"),
    "index_width": ("index_dead",), "index_ungated": ("index_dead", "index_width"),
    "index_inverted": ("index_dead", "index_width"),
    "clapper_dead": ("clapper_worn", "slips"),
}


class Suspect(NamedTuple):
    """A likely cause: `share` of 100 in what speaks for all of them, the evidence, and the next thing to check."""

    fault: str
    score: int
    share: int
    what: str
    evidence: tuple[str, ...]
    next_step: str

    @property
    def certainty(self) -> str:
        """In a word: how much one may build on it."""
        return "nearly certain" if self.score >= SURE else "likely" if self.score >= SURE // 2 else "possible"


def ranked(clues: Iterable[Clue]) -> list[Suspect]:
    """The causes for which something speaks, the likeliest first; equal ones in the order of their clues."""
    scores: dict[str, int] = {}
    evidence: dict[str, list[str]] = {}
    for clue in clues:
        scores[clue.fault] = scores.get(clue.fault, 0) + clue.weight
        if clue.words not in evidence.setdefault(clue.fault, []):
            evidence[clue.fault].append(clue.words)
    for fault, others in EXPLAINS.items():
        if scores.get(fault, 0) >= SURE:
            for other in others:
                if scores.get(other, 0) <= scores[fault]:
                    scores.pop(other, None)
    whole = sum(scores.values())
    order = sorted(scores, key=lambda fault: -scores[fault])
    return [
        Suspect(fault, scores[fault], round(100 * scores[fault] / whole), CAUSES[fault].what, tuple(evidence[fault]),
                CAUSES[fault].next_step)
        for fault in order
    ]  # fmt: skip


def as_json(suspects: Sequence[Suspect]) -> list[dict[str, Any]]:
    """As `wheelwright diagnose --json` prints them."""
    return [
        {"cause": one.fault, "what": one.what, "certainty": one.certainty, "share": one.share,
         "evidence": list(one.evidence), "next_step": one.next_step}
        for one in suspects
    ]  # fmt: skip


def tilts_as_json(tilts: Sequence[Text]) -> list[dict[str, str]]:
    """The open tilts, as `wheelwright diagnose --json` prints them."""
    return [{"tilt": one.label, "what": one.what, "next_step": one.advice} for one in tilts]


def lines(suspects: Sequence[Suspect], tilts: Sequence[Text] = ()) -> list[str]:
    """In words: the tilts that are open, then one suspect after another."""
    if not suspects and not tilts:
        return ["nothing speaks for a fault"]
    words = []
    for tilt in tilts:
        words += [f"tilt {tilt.label} is open: {tilt.what}", f"     next: {tilt.advice}"]
    for place, one in enumerate(suspects, 1):
        words.append(f"{place}. {one.what} ({one.certainty}, {one.share} %)")
        words += [f"     {evidence}" for evidence in one.evidence]
        words.append(f"     next: {one.next_step}")
    return words
