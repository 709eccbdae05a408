"""`make emulate`: boots the image in the emulator and plays two Dreamcatcher rounds on it through the host tool.

Shows the LEDs as decoded from the pins. Exit code 0 only when every result is the section at which the wheel stopped.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text
from wheelwright.hand import Hand
from wheelwright.link import Client

from tests.emulated.process import Process

READY = "TE5T"  # seven segments
AIMS = (["section 17"], ["multiplier", "number"])
BETS = [[1, "1", 5000], [2, "10", 1000], [3, "2", 2500]]
WAITS_FOR_SPIN = ("NO_MORE_BETS", "BONUS")
PATIENCE_S = 1800.0
ASK_S = 5.0  # a question takes the chip 15 ms: asked each real second, it would be busy with nothing else
SETTLED_MS = 2500  # whatever the wheel did, the table knows
GOAL = 0.3  # of real time


def rim_line(rim: str) -> Text:
    """The rim's 54 sections as one line, each in the colour of its middle LED (GRB)."""
    data = bytes.fromhex(rim)
    line = Text()
    for section in range(len(data) // 9):
        green, red, blue = (min(255, 4 * value) for value in data[9 * section + 3:9 * section + 6])
        line.append("#" if max(green, red, blue) > 200 else ":", f"rgb({red},{green},{blue})")
    return line


def main() -> int:
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="wheel"))
    wrong = 0
    with Process(folder / "emulator.log") as chip:
        console.print("booting the image in the emulator")
        chip.until(READY)
        chip.run_for(1100)  # a wheel that turns sooner was turning before the start: no result
        begin, started = chip.hand("state"), time.monotonic()
        console.print(f"the table runs {begin['ms']} ms of emulated time after power-on")
        done = threading.Event()
        shower = threading.Thread(target=show, args=(console, chip.hand_address, done), daemon=True)
        shower.start()
        with Client.open(chip.address, 60.0, keepalive_s=None) as table:
            for number, aims in enumerate(AIMS):
                result = play(table, chip.hand, aims, 11 + number)
                at = chip.hand("state")["section_milli"] // 1000
                wrong += result.get("section") != at
                console.print(f"round {number + 1}: the wheel stands in section {at}, the table says {result}")
        done.set()
        end = chip.hand("state")
        emulated_s = (end["ms"] - begin["ms"]) / 1000
        pace = emulated_s / (time.monotonic() - started)
        cpu = emulated_s / (end["cpu_s"] - begin["cpu_s"])
        busy = (end["busy_ms"] - begin["busy_ms"]) / (end["ms"] - begin["ms"])
        console.print(f"{emulated_s:.1f} emulated s at {pace:.2f} of real time ({cpu:.2f} of the process's CPU time); "
                      f"goal {GOAL}; the emulated CPU was busy for {busy:.0%} of it")
    return 1 if wrong else 0


def play(table: Client, hand: Hand, aims: list[str], seed: int) -> dict[str, Any]:
    """One round, spun as often as the table asks for; the result as STATUS gives it."""
    table.call("OPEN_BETS")
    table.call("WAGER", bets=BETS)
    table.call("NO_MORE_BETS")
    deadline = time.monotonic() + PATIENCE_S
    spins = iter([*aims, *["number"] * 5])
    while time.monotonic() < deadline:
        status = table.call("STATUS")
        if status["phase"] == "RESULT":
            table.call("SETTLE")
            return dict(status["result"])
        if status["tilts"]:
            raise RuntimeError(f"the table tilted: {status['tilts']}")
        if status["phase"] in WAITS_FOR_SPIN and not status["moving"] and not hand("state")["moving"]:
            hand.spin(next(spins), seed)
            seed += 1
            hand.rest(PATIENCE_S)
            hand("pass", PATIENCE_S, ms=SETTLED_MS)  # a spin before the table has judged this one would go on with it
        time.sleep(ASK_S)
    raise TimeoutError(f"no result within {PATIENCE_S} s")


def show(console: Console, hand_address: str, done: threading.Event) -> None:
    """Prints LEDs and displays whenever they have changed, at most once a second."""
    hand = Hand(hand_address)
    before = ""
    while not done.wait(1.0):
        lights = hand("lights", timeout=60)
        if lights["rim"] and lights["rim"] != before:
            before = lights["rim"]
            console.print(rim_line(before), Text(" ".join(text or "-" for text in lights["digits"])))
    hand.close()


if __name__ == "__main__":
    sys.exit(main())
