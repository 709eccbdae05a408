"""Who turns, presses, looks and pulls the plug while the bench measures: a person, a virtual hand, or a rig.

An answer of None means that nobody could do it: the test is skipped then, and never passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from wheelwright.errors import WheelwrightError
from wheelwright.hand import Hand

FORWARD = 1
SPIN_MTURNS_S = 900
BUTTONS = ("START", "NO_MORE_BETS", "VOID")
LEDS = ("strip", "first", "count", "grb")  # what LAMPS shows: of the LEDs, and of all else
DIGITS = ("digits", "tower", "lamps")


class Technician(Protocol):
    """Every method returns whether it could be done; those that ask give the answer, or None."""

    patience_s: float

    def spin(self, direction: int) -> bool:
        """Spin the wheel at about a turn a second: three turns and more, forward (1) or backward (-1)."""
        ...

    def short(self, seed: int) -> bool:
        """Push it by less than three turns."""
        ...

    def between(self, seed: int) -> bool:
        """Spin it three turns and more, so that it comes to rest on a peg."""
        ...

    def rested(self) -> bool | None:
        """Whether the wheel rests, when that is known better than by its sensors."""
        ...

    def settle(self) -> None:
        """Wait until the table must have seen that the wheel rests."""
        ...

    def pointer(self, section: int, symbol: str) -> bool | None:
        """Whether the pointer stands in this section."""
        ...

    def place(self, section: int, symbol: str) -> bool:
        """Turn the wheel slowly until the pointer stands in the middle of this section."""
        ...

    def sees(self, show: Mapping[str, Any], words: str) -> str | None:
        """What is seen instead of `show`, that part of what LAMPS was asked for which counts; "" when it is that."""
        ...

    def lit(self, strip: str, leds: int) -> int | None:
        """Which place of a strip is lit, 0 to leds - 1: counted as sections are, from the first LED of section 0."""
        ...

    def touch(self, name: str, on: bool) -> bool:
        """Close or open a contact: a button, a key, the lid, a seat's sensor."""
        ...

    def cut_power(self) -> bool:
        """Cut the table's supply and give it back."""
        ...

    def slower(self) -> bool:
        """The host could not keep up: slow the wheel's world down, when that can be done."""
        ...


class Virtual:
    """The hand of a virtual table; `restart` cuts its power, where the table is ours."""

    patience_s = 10.0

    def __init__(self, hand: Callable[[], Hand], restart: Callable[[], object] | None = None, pace: int = 30) -> None:
        self._hand = hand
        self._restart = restart
        self._pace = pace
        hand()("pace", pace=pace)

    def spin(self, direction: int) -> bool:
        self._hand().rest()
        self._hand()("spin", speed_mturns_s=SPIN_MTURNS_S, direction=direction)
        return True

    def short(self, seed: int) -> bool:
        self._hand().spin("short", seed)
        return True

    def between(self, seed: int) -> bool:
        self._hand().spin("between", seed)
        return True

    def rested(self) -> bool | None:
        return not self._hand()("state")["moving"]

    def settle(self) -> None:
        self._hand().rest()
        self._hand()("pass", ms=2500)

    def pointer(self, section: int, symbol: str) -> bool | None:
        return bool(self._hand()("state")["section_milli"] // 1000 == section)

    def place(self, section: int, symbol: str) -> bool:
        self._hand().rest()
        self._hand()("place", section_milli=1000 * section + 550)  # nobody turns it to the very middle
        return True

    def sees(self, show: Mapping[str, Any], words: str) -> str | None:
        lights = self._hand()("lights")
        if "strip" in show:
            strip, first, count = show["strip"], show["first"], show["count"]
            leds = bytes.fromhex(lights[strip])
            wrong = [
                at for at in range(len(leds) // 3)
                if _lit(leds[3 * at : 3 * at + 3]) != _lit(show["grb"] if first <= at < first + count else b"\0\0\0")
            ]  # fmt: skip
            if wrong:
                return f"LED {wrong[0] + 1} of {strip}"
        for index, text in enumerate(show.get("digits", ())):
            if lights["digits"].get(str(index)) != text:
                return f"display {index + 1}"
        right = all(lights[name] == show[name] for name in ("tower", "lamps") if name in show)
        return "" if right else "tower light or lamps"

    def lit(self, strip: str, leds: int) -> int | None:
        seen = bytes.fromhex(self._hand()("lights")[strip])
        lit = [at for at in range(leds) if any(seen[3 * at : 3 * at + 3])]
        return lit[0] if len(lit) == 1 else None

    def touch(self, name: str, on: bool) -> bool:
        try:
            if name not in BUTTONS:
                self._hand()("key", key=name, on=on)
            else:
                self._hand()("pace", pace=1 if on else self._pace)  # a button is pressed in real time
                if on:
                    self._hand()("press", button=name, ms=100)
        except WheelwrightError as error:
            if error.code == 7205:  # it has no such contact
                return False
            raise
        return True

    def cut_power(self) -> bool:
        if self._restart is None:
            return False
        self._restart()
        self._hand()("pace", pace=self._pace)
        return True

    def slower(self) -> bool:
        self._pace = max(1, self._pace // 3)
        self._hand()("pace", pace=self._pace)
        return True


def _lit(grb: bytes) -> list[bool]:
    """Which of an LED's three lamps are lit, however bright: an eye sees no more."""
    return [value > 0 for value in grb]


class Person:
    """Somebody at the table. `say(words)` shows an instruction; `ask(words)` gives a line, "" for yes."""

    patience_s = 120.0

    def __init__(self, say: Callable[[str], object], ask: Callable[[str], str]) -> None:
        self._say = say
        self._ask = ask

    def spin(self, direction: int) -> bool:
        way = "forward (2, 1, 5 come after the 7x)" if direction == FORWARD else "backward"
        self._say(f"Spin the wheel {way}, about a turn a second, and let it run out.")
        return True

    def short(self, seed: int) -> bool:
        self._say("Push the wheel gently: less than three turns, more than one.")
        return True

    def between(self, seed: int) -> bool:
        self._say("Spin the wheel; at its end guide it so that it hangs with the clapper on a peg.")
        return True

    def rested(self) -> bool | None:
        return None

    def settle(self) -> None:
        return None

    def pointer(self, section: int, symbol: str) -> bool | None:
        return self._yes(f"Does the pointer stand in section {section}, which shows {symbol}?")

    def place(self, section: int, symbol: str) -> bool:
        words = f"Turn the wheel slowly until the pointer stands in the middle of section {section}, {symbol}."
        return bool(self._yes(f"{words} Does it?"))

    def sees(self, show: Mapping[str, Any], words: str) -> str | None:
        answer = self._yes(f"Do you see {words}?")
        if answer is None:
            return None
        return "" if answer else "not as asked"

    def lit(self, strip: str, leds: int) -> int | None:
        words = f"Which LED of the {strip} is lit? 1 is the first of section 0, {leds} the last of the last section."
        while True:
            answer = self._ask(f"{words} [1-{leds}, s(kip)] ").strip().lower()
            if answer.isdecimal() and 1 <= int(answer) <= leds:
                return int(answer) - 1
            if answer.startswith("s"):
                return None

    def touch(self, name: str, on: bool) -> bool:
        plain = name.replace("_", " ").lower()
        if name in ("LID", "DOOR"):
            self._say(f"{'Open' if on else 'Close'} the {plain}.")
        else:
            self._say(f"{'Press or turn' if on else 'Let go of'} {plain}.")
        return True

    def cut_power(self) -> bool:
        self._say("Cut the table's own supply, wait five seconds, and give it back.")
        return True

    def slower(self) -> bool:
        return False

    def _yes(self, question: str) -> bool | None:
        answer = self._ask(f"{question} [Y/n/s(kip)] ").strip().lower()
        return None if answer.startswith("s") else not answer.startswith("n")


class Rig(Person):
    """A rig without a person: it moves by itself when told, and every question has been answered with yes."""

    patience_s = 60.0

    def __init__(self, say: Callable[[str], object]) -> None:
        super().__init__(say, lambda _question: "")

    def pointer(self, section: int, symbol: str) -> bool | None:
        return None  # a rig has no eyes

    def place(self, section: int, symbol: str) -> bool:
        return False

    def sees(self, show: Mapping[str, Any], words: str) -> str | None:
        return None

    def lit(self, strip: str, leds: int) -> int | None:
        return None
