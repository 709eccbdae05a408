"""Watches the outcomes of each named draw while the table runs: chi-square, outcomes that never come, repeated runs.

An alert is an event and a lamp, never a change of a draw. A draw name raises a false alert with a chance below 0.1 %
in all its life, however often it is looked at: looks come at 14, 28, 56 ... expected outcomes a cell, and look j spends
0.1 % / 2^(j+1), half on each of the first two tests.
"""

import math
from array import array

from tabletop.const import const

FIRST_LOOK = const(14)  # expected outcomes of a cell at the first look
_LEAST_EXPECTED = const(5)  # cells that expect fewer are taken together for chi-square
MEMORY = const(64)  # draws that a repeated run is looked for in
RUN_BITS = const(40)  # what a run must say before its repetition is an alarm: by chance less than once in 10^10 draws
START_BITS = const(34)  # the same for the first draws of a start: six draws from 54

# Upper quantiles of the normal distribution for 0.025 % / 2^j, in thousandths (j = 0, 1, 2 ...).
QUANTILES = (3481, 3662, 3836, 4003, 4164, 4320, 4470, 4616, 4758, 4896, 5031, 5162, 5290, 5416, 5538, 5659)


def critical_milli(cells: int, look: int) -> int:
    """Chi-square's limit with cells - 1 degrees of freedom, in thousandths (Wilson and Hilferty, 1931)."""
    df = cells - 1
    spread = 2 / (9 * df)
    root = 1 - spread + QUANTILES[look] / 1000 * math.sqrt(spread)
    return int(1000 * df * root * root * root)


def chi_square_milli(counts: list | array, weights: list) -> tuple:
    """(chi-square in thousandths, cells used) of counts against integer weights; small cells are taken together."""
    n, total = sum(counts), sum(weights)
    cells = []
    rest_count = rest_weight = 0
    for i in range(len(counts)):
        if n * weights[i] < _LEAST_EXPECTED * total:
            rest_count += counts[i]
            rest_weight += weights[i]
        else:
            cells.append([counts[i], weights[i]])
    if n * rest_weight >= _LEAST_EXPECTED * total:
        cells.append([rest_count, rest_weight])
    elif cells:
        cells[0][0] += rest_count
        cells[0][1] += rest_weight
    found = 0
    for count, weight in cells:
        off = count * total - n * weight
        found += 1000 * off * off // (n * total * weight)
    return found, len(cells)


class Tally:
    """The outcomes of one draw name, whose outcome i has weight `weights[i]`."""

    def __init__(self, weights: list):
        self.weights = weights
        self.counts = array("I", [0] * len(weights))
        self.draws = 0
        self._look = 0
        self._next = FIRST_LOOK * len(weights)
        self._recent = bytearray(MEMORY)  # nobody watches a draw of more than 256 outcomes
        total = sum(weights)
        same = sum([weight * weight for weight in weights]) / (total * total)  # chance of two equal outcomes
        self.bits = -math.log(same) / math.log(2)
        self._run = math.ceil(RUN_BITS / self.bits) if self.bits > RUN_BITS / MEMORY else MEMORY

    def add(self, outcome: int) -> str:
        """Counts one outcome; "" or what is wrong. Allocates nothing but at a look."""
        self.counts[outcome] += 1
        self._recent[self.draws % MEMORY] = outcome
        self.draws += 1
        alert = self._repeated()
        if self.draws == self._next:
            alert = self._missing() or self._skewed() or alert
            self._look = min(self._look + 1, len(QUANTILES) - 1)
            self._next *= 2
        return alert

    def _missing(self) -> str:
        total = sum(self.weights)
        limit = 0.00025 / (1 << self._look)
        for i in range(len(self.weights)):
            weight = self.weights[i]
            if weight and not self.counts[i] and weight < total:
                if len(self.weights) * math.exp(self.draws * math.log(1 - weight / total)) < limit:
                    return "outcome %d never came in %d draws" % (i, self.draws)
        return ""

    def _skewed(self) -> str:
        found, cells = chi_square_milli(self.counts, self.weights)
        if cells > 1 and found > critical_milli(cells, self._look):
            return "chi-square %d.%03d over %d cells in %d draws" % (found // 1000, found % 1000, cells, self.draws)
        return ""

    def _repeated(self) -> str:
        """The newest run stands a second time among the last draws, not overlapping."""
        recent, run, draws = self._recent, self._run, self.draws
        for back in range(run, min(draws, MEMORY) - run + 1):
            i = 0
            while i < run and recent[(draws - 1 - i) % MEMORY] == recent[(draws - 1 - i - back) % MEMORY]:
                i += 1
            if i == run:
                return "the last %d draws repeat those of %d draws before" % (run, back)
        return ""


class Monitor:
    """All draw names of a table. `alert` keeps the first alarm until service clears it."""

    def __init__(self):
        self.tallies = {}
        self.alert = ""
        self.start = []  # the first outcomes of this start, enough of them to say START_BITS
        self._start_bits = 0.0
        self._starts = []

    def remember(self, start: list) -> None:
        """The first outcomes of an earlier start, from the journal."""
        self._starts.append(start)

    def add(self, name: str, weights: list, outcome: int) -> str:
        """One outcome of the draw `name` (weights all 1 for a uniform one); "" or the alert it raises."""
        if name not in self.tallies:
            self.tallies[name] = Tally(weights)
        tally = self.tallies[name]
        alert = tally.add(outcome)
        if self._start_bits < START_BITS:
            self.start.append(outcome)
            self._start_bits += tally.bits
            if self._start_bits >= START_BITS and self.start in self._starts:
                alert = "the first %d draws are those of an earlier start" % len(self.start)
        if alert:
            alert = "%s: %s" % (name, alert)
            self.alert = self.alert or alert
        return alert
