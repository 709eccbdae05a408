"""Runs on the MicroPython VM: recordings in, one line of JSON for each. Started by `wheelwright.traces.trace` only.

Arguments, eight for each recording: file of words (32 bits, native), counts a turn, sections, least turns, width of the
index, levels, start count, end.
"""

import json
import sys
from array import array

from tabletop.sensing.config import WheelConfig
from tabletop.sensing.replay import Replay
from tabletop.sensing.spin import Spin

WORDS = 1024


def run(path: str, counts_per_turn: int, sections: int, *numbers: int) -> None:
    min_turns, index_width, levels, start_count, ends_us = numbers
    events: list[dict[str, object]] = []

    def on_spin(spin: Spin, t_us: int) -> None:
        fields = dict(spin.__dict__)
        fields["t_us"] = t_us
        events.append(fields)

    config = WheelConfig(counts_per_turn, sections, min_turns, index_width_counts=index_width)
    replay = Replay(config, levels, start_count, on_spin)
    words = array("I", bytes(4 * WORDS))
    with open(path, "rb") as file:
        while True:
            n = file.readinto(words)
            if not n:
                break
            replay.feed(words, n // 4)
    replay.end(ends_us)
    print(json.dumps(events))


for i in range(1, len(sys.argv), 8):
    run(sys.argv[i], *[int(text) for text in sys.argv[i + 1 : i + 8]])
