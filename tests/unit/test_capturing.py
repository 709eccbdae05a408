"""A spin recorded from a table: what the sensors said becomes a trace that says the same when it is run again."""

import gzip
import re
from array import array
from contextlib import nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.sensing.quadrature import Quadrature
from tabletop.ticks import MASK
from wheelwright.errors import WheelwrightError
from wheelwright.traces import capturing
from wheelwright.traces import plot as trace_plot
from wheelwright.traces.capturing import ENCODER, ILLEGAL, INDEX, PEG, TICK_US, Recording
from wheelwright.traces.trace import play, read_trace, run_trace

from tests.conftest import ROOT
from tests.unit.test_cli import tool  # noqa: F401

TRACES = ROOT / "tests" / "data" / "traces"
WHEEL = {"counts_per_turn": 2400, "sections": 54, "min_turns": 3, "index_width_counts": 3}


def probed(path, tick_us=10_000, first_tick=MASK - 3_000_000):
    """What a table on whose wheel this trace is played would tell: its index and clapper edges, and a count a tick."""
    spin = read_trace(path)
    lines = trace_plot.seen(spin)
    edges = [(round(at * 1e6), INDEX, 4) for at in lines.pulses]
    edges += [(round(one * 1e6), PEG, level) for both in lines.bent for one, level in zip(both, (8, 0), strict=True)]
    way = [(round(at * 1e6), round(turns * spin.counts_per_turn)) for at, turns in lines.way]
    words, now_us, at, count, told = array("i"), 0, 0, 0, 0
    pulses = _falls(spin)
    events = sorted([*edges, *pulses, *((t_us, ENCODER, 0) for t_us in range(tick_us, spin.ends_us, tick_us))])
    for now_us, kind, level in events:
        while at < len(way) and way[at][0] <= now_us:
            count = way[at][1]
            at += 1
        if kind != ENCODER or count != told:
            words.extend([(first_tick + now_us) & MASK, _signed((count & 0xFFFFFF) << 6 | kind << 4 | level)])
            told = count
    started = {"count": 0, "levels": spin.levels & 1 and 8, "at": spin.start_count}
    made = Recording("VT-000001", started, {**WHEEL, "counts_per_turn": spin.counts_per_turn})
    for start in range(0, len(words), 128):
        made.take(words[start : start + 128].tobytes())
    made.rest_ms = 2500
    return made


def _falls(spin):
    levels, now_us, found = spin.levels, 0, []
    for word in spin.words:
        now_us += word >> 4
        if levels & 2 and not word & 2:
            found.append((now_us, INDEX, 0))
        levels = word & 15
    return found


def _signed(word):
    return word - (1 << 32) if word >= 1 << 31 else word


def told(events):
    return [(one["outcome"], one["section"], round(one["turns"], 2), sorted(one["faults"])) for one in events]


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.csv.gz")), ids=lambda path: path.name.removesuffix(".csv.gz"))
def test_a_captured_spin_is_run_again_to_the_same_outcome(path, tmp_path):
    recording = probed(path)
    capturing.write(recording, tmp_path / "spin.csv.gz")
    assert told(run_trace(tmp_path / "spin.csv.gz")) == told(run_trace(path))
    assert recording.leaps == 0


readings = st.sampled_from((ENCODER, INDEX, PEG, ILLEGAL))
steps = st.lists(st.tuples(st.integers(1, 300_000), st.integers(-40, 40), readings, st.booleans()), max_size=60)


@given(steps=steps, first_tick=st.integers(0, MASK), first=st.integers(-(1 << 30), 1 << 30), at=st.integers(0, 2399))
@settings(max_examples=60)
def test_the_trace_has_each_edge_at_its_time_and_the_counts_of_the_table_at_each(steps, first_tick, first, at):
    words, now_us, count, wanted = array("i"), 0, first, []
    for gone, way, kind, level in steps:
        now_us, count = now_us + gone, count + way
        bit = {INDEX: 4, PEG: 8}.get(kind, 0) * level
        words.extend([(first_tick + now_us) & MASK, _signed((count & 0xFFFFFF) << 6 | kind << 4 | bit)])
        wanted.append((now_us, count - first, kind, level and kind in (INDEX, PEG)))
    recording = Recording("VT-1", {"count": first, "levels": 0, "at": at}, WHEEL)
    recording.take(words.tobytes())
    shift = capturing.BEFORE_US - (steps[0][0] if steps else 0)
    assert [tuple(event) for event in recording.events] == [(t + shift, n, k, v) for t, n, k, v in wanted]

    found = list(capturing.rows(recording))
    times = [t_us for t_us, _ in found]
    assert times == sorted(times)
    quadrature = Quadrature(found[0][1] >> 3, found[0][1] >> 2 & 1)
    count_at: dict[int, int] = {}
    for t_us, levels in found:
        count_at[t_us] = quadrature.step(levels >> 3, levels >> 2 & 1)
    for event in recording.events:
        latest = max(t_us for t_us in count_at if t_us <= event.t_us)
        assert count_at[latest] == event.at
    assert quadrature.illegal == sum(kind == ILLEGAL for _, _, kind, _ in wanted)


def test_counts_that_come_after_a_rest_have_come_in_the_last_tick():
    recording = Recording("VT-1", {"count": 0, "levels": 0}, WHEEL)
    recording.take(array("i", [1000, 0, 5_001_000, 4 << 6]).tobytes())
    edges = [t_us for t_us, _ in capturing.rows(recording)][1:]
    assert len(edges) == 4 and edges[0] > capturing.BEFORE_US + 5_000_000 - TICK_US


def test_a_count_that_leaps_is_said_in_the_header(tmp_path):
    recording = Recording("VT-1", {"count": 0, "levels": 8}, WHEEL, rest_ms=100)
    recording.take(array("i", [1000, 0, 11_000, 2000 << 6]).tobytes())
    assert recording.leaps == 1
    capturing.write(recording, tmp_path / "leap.csv")
    text = (tmp_path / "leap.csv").read_text()
    assert "# leaps: 1: there the count went further" in text and "spread evenly" in text
    assert read_trace(tmp_path / "leap.csv").levels == 1, "the clapper was bent at the start"


class Host:
    """A client whose table says what a test wants: replies of PROBE, then STATUS and PING."""

    failure = None
    hello = type("Hello", (), {"serial": "VT-1"})

    def __init__(self, replies, moving=False):
        self.replies, self.moving, self.calls = list(replies), moving, []

    def call(self, name, **args):
        self.calls.append((name, args.get("on")))
        if name != "PROBE":
            return {"STATUS": {"last": 3}, "PING": {"uptime_ms": 0}, "STATISTICS": {"sensing": WHEEL}}[name]
        reply = self.replies.pop(0) if args["on"] and self.replies else {}
        return {"data": b"", "more": 0, "lost": 0, "levels": 0, "count": 0, "inputs": 0, "moving": self.moving, **reply}

    def subscribe(self, cursor, on_record):
        self.calls.append(("SUBSCRIBE", cursor))


@pytest.mark.parametrize(("replies", "code"), [
    ([], 7111), ([{}, {"lost": 3}], 7112), ([{"moving": True}], 7113),
])  # fmt: skip
def test_what_ends_a_recording_early_is_said_and_the_table_is_let_go(replies, code):
    host = Host(replies)
    with pytest.raises(WheelwrightError) as caught:
        capturing.record(host, 0.01)
    assert caught.value.code == code
    assert host.calls[-2:] == [("SUBSCRIBE", 0), ("PROBE", False)]


def test_a_plug_that_is_pulled_while_recording_is_the_error_that_is_told():
    class Pulled(Host):
        def call(self, name, **args):
            if name == "PROBE" and self.calls and self.calls[-1][0] == "SUBSCRIBE":
                self.failure = WheelwrightError(7006, port="COM5", reason="unplugged or ended")
                raise self.failure
            return super().call(name, **args)

    host = Pulled([])
    with pytest.raises(WheelwrightError, match="E-7006"):
        capturing.record(host, 1)
    assert host.calls[-1] == ("SUBSCRIBE", 4), "a link that is gone is asked for nothing more"


def test_into_a_folder_every_spin_is_recorded_until_ctrl_c(tool, tmp_path, monkeypatch):  # noqa: F811
    made = probed(TRACES / "short_spin.csv.gz")
    spin = {"counted": False, "outcome": "SHORT_SPIN", "turns_milli": 1500, "direction": 1, "why": "TEST"}
    numbers = iter((7, 12))

    def record(client, seconds, say):
        try:
            made.spins[:] = [(next(numbers), spin)]
        except StopIteration:
            raise KeyboardInterrupt from None
        return made

    monkeypatch.setattr(capturing, "record", record)
    monkeypatch.setattr("wheelwright.link.Client.open", lambda *_: nullcontext())
    ended = tool("trace", "capture", "--port", "COM5", "--out", tmp_path)
    assert ended.status == 130 and "record 7: short spin" in ended.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["VT-000001-12.csv.gz", "VT-000001-7.csv.gz"]


# trace plot


def test_a_plot_shows_speed_position_pegs_and_what_was_made_of_them(tool, tmp_path):  # noqa: F811
    out = tmp_path / "spin.svg"
    ended = tool("trace", "plot", TRACES / "clean_forward_2400.csv.gz", "--out", out, "--json")
    (event,) = ended.json["events"]
    text = out.read_text()
    for words in ("turns/s", "turns", "clapper bent", "index", "seconds", f"section {event['section']}"):
        assert words in text, words
    lines = trace_plot.seen(read_trace(TRACES / "clean_forward_2400.csv.gz"))
    assert lines.way[-1][1] == pytest.approx(event["turns"], abs=0.1)
    assert len(lines.pulses) in (int(event["turns"]), int(event["turns"]) + 1)
    assert abs(len(lines.bent) - event["turns"] * 54) < 2
    top = max(speed for _, speed in trace_plot.speeds(lines.way))
    assert 0.5 < top < 2 and trace_plot.speeds(lines.way)[-1][1] == 0


def test_a_plot_says_which_spin_it_is(tool, tmp_path):  # noqa: F811
    recording = Recording("VT-000009", {"count": 0, "levels": 0}, WHEEL)
    recording.spins.append((812, {"outcome": "SHORT_SPIN", "turns_milli": 900, "direction": 1}))
    capturing.write(recording, tmp_path / "spin.csv")
    trace = read_trace(tmp_path / "spin.csv")
    title = trace_plot.title(trace)
    assert re.fullmatch(r"table VT-000009, record 812, \d{4}-\d\d-\d\dT\S+Z: 2400 counts a turn", title)
    assert tool("trace", "plot", tmp_path / "spin.csv", "--out", tmp_path / "spin.svg").status == 0
    assert "table VT-000009, record 812, " in (tmp_path / "spin.svg").read_text()
    bare = read_trace(TRACES / "clean_forward_2400.csv.gz")
    assert trace_plot.title(bare) == "clean_forward_2400: 2400 counts a turn"


@pytest.mark.parametrize(("words", "code"), [
    (("plot", "absent.csv", "--out", "x.svg"), "E-7101"), (("plot", "absent.csv", "--out", "x.gif"), "E-9001"),
    (("capture", "--port", "/nowhere", "--out", "x.txt"), "E-9001"),
    (("capture", "--port", "/nowhere", "--out", "x.csv"), "E-7001"),
])  # fmt: skip
def test_what_cannot_be_drawn_or_captured_is_one_sentence(tool, words, code):  # noqa: F811
    assert tool("trace", *words).err.startswith(code)


def test_a_trace_may_say_how_many_turns_its_wheel_must_make(tmp_path):
    path = TRACES / "clean_forward_2400.csv.gz"
    text = gzip.decompress(path.read_bytes()).decode().replace("# sections", "# min_turns: 9\n# sections", 1)
    (tmp_path / "more.csv").write_text(text)
    assert play(read_trace(tmp_path / "more.csv"))[0]["outcome"] == "SHORT_SPIN"
    (tmp_path / "more.csv").write_text(text.replace("min_turns: 9", "min_turns: three"))
    with pytest.raises(WheelwrightError, match="E-7109"):
        read_trace(tmp_path / "more.csv")
