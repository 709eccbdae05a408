"""Finds out how the LED strips of a table are wired, by lighting them and asking what is seen.

All of it goes through the calibration that the table has, so what is found is put on top of that one.
"""

from __future__ import annotations

from typing import Any

from wheelwright.bench.session import Bench
from wheelwright.bench.technician import LEDS
from wheelwright.errors import WheelwrightError

Strip = list[Any]  # [order of the colours on the wire, place of the first LED, 1 or -1]
AS_DRAWN: Strip = ["GRB", 0, 1]
RINGS = ("rim", "inner")  # the tiles are a picture: of them only the colours are asked
COLOURS = {"G": "green", "R": "red", "B": "blue"}
LEVEL = 64


def propose(bench: Bench, before: dict[str, Any]) -> dict[str, Any]:
    """`before` with the strips as they are seen; those that nobody could look at stay. E-7415, E-7416: nobody looked
    at any."""
    bench.enter_test()
    after, looked = dict(before), False
    pictures = bench.client.hello.capabilities[:1] != ("dreamcatcher",)  # which has no tiles
    for name in (*RINGS, *(("tiles",) if pictures else ())):
        try:
            leds = int(_show(bench, name, 0, 0)["leds"])
        except WheelwrightError as error:
            if error.code != 4009:  # the board has no such strip
                raise
            continue
        strip = _strip(bench, name, leds, before.get(name, AS_DRAWN))
        looked |= strip is not None
        if strip is not None and strip != before.get(name, AS_DRAWN):
            after[name] = strip
    bench.release()
    if not looked:
        raise WheelwrightError(7416)
    return after


def came_true(bench: Bench) -> bool | None:
    """Whether the first LED of section 0 alone is lit, red, when that is asked for; None: nobody could tell."""
    bench.enter_test()
    red = bytes((0, LEVEL, 0))
    _show(bench, "rim", 0, 1, red)
    seen = bench.technician.sees(_part(_asked("rim", 0, 1, red)), "the first LED of section 0 of the rim alone, red")
    bench.release()
    return None if seen is None else not seen


def _strip(bench: Bench, name: str, leds: int, told: Strip) -> Strip | None:
    order, first, direction = told
    seen = _colours(bench, name, leds)
    if seen is None:
        return None
    colours = "".join(seen["GRB".index(sent)] for sent in order)
    if name not in RINGS:
        return [colours, first, direction]
    places = []
    for at in (0, 1):
        _show(bench, name, at, 1)
        places.append(bench.technician.lit(name, leds))
    one, other = places
    if one is None or other is None:
        return None
    step = (other - one) % leds
    if step not in (1, leds - 1):
        raise WheelwrightError(7415, strip=name, reason=f"after LED {one + 1} comes LED {other + 1}")
    way = (1 if step == 1 else -1) * direction
    return [colours, (one - way * (-first * direction)) % leds, way]


def _colours(bench: Bench, name: str, leds: int) -> str | None:
    """What is seen for green, red and blue; None: nobody looked."""
    found = ""
    for channel in range(3):
        sent = bytes(LEVEL if at == channel else 0 for at in range(3))
        _show(bench, name, 0, leds, sent)
        for letter in (one for one in "GRB"[channel] + "GRB".replace("GRB"[channel], "") if one not in found):
            wanted = bytes(LEVEL if one == letter else 0 for one in "GRB")
            asked = _part(_asked(name, 0, leds, wanted))
            told = bench.technician.sees(asked, f"all LEDs of the {name} {COLOURS[letter]}")
            if told is None:
                return None
            if not told:
                found += letter
                break
        else:
            raise WheelwrightError(7415, strip=name, reason="it shows none of green, red and blue alone")
    return found


def _asked(name: str, first: int, count: int, grb: bytes) -> dict[str, Any]:
    return {"strip": name, "first": first, "count": count, "grb": grb, "digits": ["TEST"], "tower": "tilt", "lamps": 0}


def _part(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: asked[name] for name in LEDS}


def _show(bench: Bench, name: str, first: int, count: int, grb: bytes = bytes([LEVEL] * 3)) -> dict[str, Any]:
    return bench.call("LAMPS", **_asked(name, first, count, grb))
