"""What the spins of a wheel show: the evidence of each look at them, the textbook tests, and what could be shown."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wheelwright.balance import power, tests
from wheelwright.balance.evidence import ALPHA, KINDS, SECTIONS
from wheelwright.balance.spins import Spin

RESULTS, DISTANCE = "results", "distance from the start"
# Of the alpha: half for the results, a quarter for where a spin starts and turns, a quarter for the dealers: the k-th
# who dealt has 1/(k(k+1)) of that, whoever comes later, so that all who may ever deal share the quarter.
RESULTS_SHARE, STARTS_SHARE, DEALERS_SHARE = 0.5, 0.25, 0.25


@dataclass(frozen=True)
class Look:
    """Counts by section of some spins, and how much evidence their kinds must give to be an alert."""

    name: str
    counts: tuple[int, ...]
    share: float  # of the alpha

    @property
    def spins(self) -> int:
        """How many were counted."""
        return sum(self.counts)

    def needed(self, kind: str) -> float:
        """The log e-value of this kind of lean that is an alert."""
        return -math.log(ALPHA * self.share * KINDS[kind][1])

    @cached_property
    def evidence(self) -> dict[str, float]:
        """The log e-value of each kind of lean."""
        return {kind: test(self.counts) for kind, (test, _) in KINDS.items()}

    @property
    def alerts(self) -> list[str]:
        """The kinds of lean for which there is enough evidence, the clearest first."""
        over = {kind: value - self.needed(kind) for kind, value in self.evidence.items()}
        return sorted((kind for kind in over if over[kind] >= 0), key=lambda kind: -over[kind])

    @property
    def chance(self) -> float:
        """At most so likely is a level wheel ever to show as much in any look, all looks and kinds together."""
        over = max(value - self.needed(kind) for kind, value in self.evidence.items())
        return min(1.0, ALPHA * math.exp(-over))

    @property
    def of_results(self) -> bool:
        """True for sections, False for distances from the start."""
        return self.name.startswith(RESULTS)

    @property
    def lean(self) -> tests.Harmonic:
        """The heavy spot that fits best, be there one or not."""
        return tests.harmonic(self.counts)


@dataclass(frozen=True)
class Verdict:
    """Every look, the results first."""

    looks: tuple[Look, ...]
    spins: int
    forward: int
    test: int  # of the spins, those in test mode
    dealers: dict[str, int]  # spins of each, in the order in which they first dealt; "" for those of nobody named

    @property
    def results(self) -> Look:
        """The look at where the spins ended."""
        return self.looks[0]

    @property
    def alerts(self) -> list[Look]:
        """The looks that are an alert."""
        return [look for look in self.looks if look.alerts]

    @cached_property
    def smallest_lean(self) -> float | None:
        """The smallest heavy spot that so many spins find, nine times out of ten."""
        return power.smallest_lean(self.spins, self.results.needed("heavy spot"))

    @cached_property
    def smallest_excess(self) -> float | None:
        """The smallest excess of one section that so many spins find, nine times out of ten."""
        return power.smallest_excess(self.spins, self.results.needed("one section"))

    @property
    def p(self) -> dict[str, float | None]:
        """The p-values of the textbooks for the results, for one look."""
        counts = self.results.counts
        return {
            "chi-square": tests.chi_square(counts), "highest section": tests.highest_section(counts),
            "first harmonic": tests.first_harmonic(counts),
        }  # fmt: skip


def judge(found: Sequence[Spin]) -> Verdict:
    """Look at the spins in every way."""
    forward = [spin for spin in found if spin.direction > 0]
    backward = [spin for spin in found if spin.direction <= 0]
    starts = [
        Look(DISTANCE, _distances(found), STARTS_SHARE / 2),
        Look("results of forward spins", _sections(forward), STARTS_SHARE / 4),
        Look("results of backward spins", _sections(backward), STARTS_SHARE / 4),
    ]
    dealers = Counter(spin.dealer for spin in found)
    by_dealer = []
    for k, dealer in enumerate(filter(None, dealers), 1):
        own = [spin for spin in found if spin.dealer == dealer]
        share = DEALERS_SHARE / (k * (k + 1)) / 2
        by_dealer.append(Look(f"results of dealer {dealer}", _sections(own), share))
        by_dealer.append(Look(f"{DISTANCE}, dealer {dealer}", _distances(own), share))
    results = Look(RESULTS, _sections(found), RESULTS_SHARE)
    test = sum(spin.test for spin in found)
    return Verdict((results, *starts, *by_dealer), len(found), len(forward), test, dict(dealers))


def _sections(found: Sequence[Spin]) -> tuple[int, ...]:
    counts = [0] * SECTIONS
    for spin in found:
        counts[spin.section] += 1
    return tuple(counts)


def _distances(found: Sequence[Spin]) -> tuple[int, ...]:
    """How many sections on from its start, in the direction of the spin, each ended; whole turns left out."""
    counts = [0] * SECTIONS
    for spin in found:
        if spin.start is not None:
            counts[(spin.section - spin.start) * (1 if spin.direction > 0 else -1) % SECTIONS] += 1
    return tuple(counts)
