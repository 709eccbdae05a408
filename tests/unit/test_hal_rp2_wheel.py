"""The rings in which edges wait, on made-up hardware: what was overwritten before it was read is told, not taken."""

from __future__ import annotations

from typing import Any
from unittest.mock import MagicMock

import pytest
from tabletop.ticks import MASK

US = 100  # between two edges


class Chain:
    """What PIO and DMA do for one line: the edge's number, its time, its count, and then the address goes on."""

    def __init__(self, line: Any) -> None:
        self.line = line
        line.done = [0, 0]
        self.edges = 0

    def begin(self) -> None:
        """The number of another edge is stored, the rest of it not yet."""
        self.line.numbers[self.edges % 64] = ~self.edges

    def edge(self) -> None:
        self.begin()
        at = self.edges % 64
        self.line.times[at] = self.edges * US
        self.line.counts[at] = self.edges
        self.edges += 1
        self.line.done[1] = 4 * (self.edges % 64)


class Told:
    def __init__(self) -> None:
        self.pegs: list[tuple[int, int, bool]] = []
        self.illegals: list[int] = []
        self.on_peg = lambda: None

    def peg(self, t_us: int, count: int, level: bool) -> None:
        self.pegs.append((t_us, count, level))
        self.on_peg()

    def index(self, *_edge: int) -> None:
        raise AssertionError("no index came")

    def illegal(self, _t_us: int, n: int) -> None:
        self.illegals.append(n)

    def encoder(self, _t_us: int, _count: int) -> None:
        assert not self.illegals, "lost edges are told after the count, which says that the wheel moved"


@pytest.fixture
def wheel(load: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    module = load("wheel")
    monkeypatch.setattr(module, "aligned", lambda blocks: [None] + [[0] * 64 for _ in range(blocks)])
    monkeypatch.setattr(module, "illegal_seen", lambda _pio: 0)
    found = module.Wheel.__new__(module.Wheel)
    found.clock = MagicMock()
    found.clock.us.return_value = 0
    found.read = lambda: 0
    found.index, found.clapper = (module.Line(number, number, 1_000_000) for number in (1, 2))
    found.index.done = [0, 0]
    found.chain = Chain(found.clapper)
    found.clapper.drop()
    return found


def come(wheel: Any, edges: int) -> Told:
    for _ in range(edges):
        wheel.chain.edge()
    told = Told()
    wheel.poll(told)
    return told


def row(edge: int, inverted: bool) -> tuple[int, int, bool]:
    return edge * US, edge, (edge % 2 == 0) != inverted


@pytest.mark.parametrize("before", [0, 1, 63, 64, 100])
@pytest.mark.parametrize("edges", [0, 1, 2, 63, 64])
def test_as_many_edges_as_the_ring_holds_all_come_in_their_order(wheel: Any, before: int, edges: int) -> None:
    for _ in range(before):
        come(wheel, 1)
    told = come(wheel, edges)
    assert told.pegs == [row(before + n, wheel.clapper.inverted) for n in range(edges)]
    assert not told.illegals
    assert come(wheel, 0).pegs == []


@pytest.mark.parametrize("before", [0, 5, 64])
@pytest.mark.parametrize("edges", [65, 66, 127, 128, 129, 192, 640, 6400])
def test_edges_that_were_overwritten_are_a_fault_however_many_they_are(wheel: Any, before: int, edges: int) -> None:
    """A multiple of the ring looked like none at all, and a few more like a few."""
    for _ in range(before):
        come(wheel, 1)
    told = come(wheel, edges)
    assert told.pegs == []
    assert len(told.illegals) == 1 and told.illegals[0] > 3
    told = come(wheel, 3)
    assert told.pegs == [row(before + edges + n, wheel.clapper.inverted) for n in range(3)], "and then as before"
    assert not told.illegals


def test_an_edge_of_which_only_the_number_is_stored_waits_for_the_rest(wheel: Any) -> None:
    come(wheel, 1)
    wheel.chain.begin()
    assert come(wheel, 0).pegs == []
    assert come(wheel, 1).pegs == [row(1, wheel.clapper.inverted)]


def test_edges_that_are_overwritten_while_they_are_read_are_a_fault(wheel: Any) -> None:
    for _ in range(64):
        wheel.chain.edge()
    told = Told()
    told.on_peg = lambda: [wheel.chain.edge() for _ in range(70)] and None  # a blocked CPU in mid-poll
    wheel.poll(told)
    assert told.pegs == [row(0, wheel.clapper.inverted)]
    assert len(told.illegals) == 1


def test_numbers_go_on_over_the_wrap_of_thirty_bits(wheel: Any) -> None:
    wheel.chain.edges = MASK - 1
    wheel.clapper.numbers[:] = [MASK] * 64
    wheel.chain.edge()
    wheel.clapper.drop()
    told = come(wheel, 4)
    assert [count for _, count, _ in told.pegs] == [MASK, MASK + 1, MASK + 2, MASK + 3]
    assert not told.illegals
