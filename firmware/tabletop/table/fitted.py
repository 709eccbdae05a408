"""LED strips that are wired otherwise than the scenes draw them: colours, first LED, direction, brightness.

A strip is `[colours, first, direction]`: `colours` the order in which an LED takes green, red and blue ("GRB" is the
scenes'), `first` the place of the scenes' ring at which the strip begins, `direction` 1 or -1. In memory only on a
table whose calibration says so.
"""

from array import array

STRIPS = ("rim", "inner", "tiles")


def places(n: int, strip):
    """For each byte on the wire of `n` LEDs, the byte of the scene's frame that belongs there."""
    colours, first, direction = strip
    found = array("H", bytearray(6 * n))  # a list of them would want four kilobytes at once
    for at in range(3 * n):
        found[at] = 3 * ((first + direction * (at // 3)) % n) + "GRB".index(colours[at % 3])
    return found


class Fitted:
    """Stands in the place of what sends the frames of a strip of `n` LEDs."""

    def __init__(self, send, n: int, strip, percent: int):
        self.send = send
        self.percent = percent
        self.at = places(n, strip)
        self.frame = bytearray(3 * n)

    def __call__(self, frame) -> None:
        out, at, part = self.frame, self.at, self.percent
        for i in range(len(out)):
            out[i] = frame[at[i]] * part // 100
        self.send(out)


def size(board: dict, name: str) -> int:
    """LEDs of a strip."""
    return board.get(name + "_leds", 0) or board.get(name, 0) or board.get(name[:-1] + "_leds", 0)


def check(board: dict, given: dict) -> None:
    """ValueError: no strip is so."""
    for name in STRIPS:
        strip = given.get(name, ("GRB", 0, 1))
        leds = 1 if name == "tiles" else size(board, name)  # a picture begins at its first
        if type(strip) not in (list, tuple) or len(strip) != 3 or type(strip[1]) is not int:
            raise ValueError("%s %s is no strip" % (name, strip))
        if name in given and not 0 <= strip[1] < leds or strip[2] not in (1, -1):
            raise ValueError("%s %s is no strip of %d LEDs" % (name, strip, leds))
        if type(strip[0]) is not str or sorted(strip[0]) != ["B", "G", "R"]:
            raise ValueError("%s has colours %s, not G, R and B in their order" % (name, strip[0]))
    for name, least, most, usual in (("leds", 10, 100, 100), ("digits", 0, 15, 8)):
        value = given.get(name, usual)
        if type(value) is not int or not least <= value <= most:
            raise ValueError("%s is %s, but must be %d to %d" % (name, value, least, most))


def take(lights, board: dict, given: dict) -> None:
    """The lamps are as `given`, which `check` has passed, says; {}: as the scenes draw them."""
    for name in STRIPS:
        send = getattr(lights, name)
        send = getattr(send, "send", send)
        percent = given.get("leds", 100)
        if size(board, name) and (name in given or percent < 100):
            send = Fitted(send, size(board, name), given.get(name, ("GRB", 0, 1)), percent)
        setattr(lights, name, send)
    lights.bright(given.get("digits", 8))
