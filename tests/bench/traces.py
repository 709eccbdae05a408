"""Sensing: edges a second on CPython and on the MicroPython VM, beside the time that the recordings took."""

from __future__ import annotations

from collections.abc import Iterator

from wheelwright.traces import trace

from tests.bench.figures import Figure, computed, timed
from tests.conftest import ROOT


def figures() -> Iterator[Figure]:
    """All public traces, each as often as it is there."""
    traces = [trace.read_trace(path) for path in trace.find_traces([ROOT / "tests" / "data" / "traces"])]
    edges = sum(len(one.words) for one in traces)
    recorded_s = sum(one.ends_us for one in traces) / 1e6
    here, _ = computed(lambda: [trace.play(one) for one in traces])
    start, _ = timed(lambda: trace.play_on_vm([]))
    vm, _ = timed(lambda: trace.play_on_vm(traces))
    yield Figure("edges on CPython", edges / here, "edges/s")
    yield Figure("recorded time on CPython", recorded_s / here, "x real", "real time", 1.0)
    yield Figure("edges on the VM", edges / (vm - start), "edges/s", "CPython", edges / here)
    yield Figure("recorded time on the VM", recorded_s / (vm - start), "x real", "real time", 1.0)
