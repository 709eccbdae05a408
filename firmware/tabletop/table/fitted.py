"""LED strips that are wired otherwise than the scenes draw them: colours, first LED, direction, brightness.

A strip is `[colours, first, direction]`: `colours` the order in which an LED takes green, red and blue ("GRB" is the
scenes'), `first` the place of the scenes' ring at which the strip begins, `direction` 1 or -1. In memory only on a
table whose calibration says so, and with few names of its own: a virtual table has room for so many and no more.
"""


class Fitted:
    """Stands in the place of what sends the frames of a strip of so many LEDs; `bright` in per cent."""

    def __init__(self, send, leds: int, order, first: int, direction: int, bright: int):
        self.send = send
        self.order = order  # byte of an LED on the wire -> byte of it in the scene's frame
        self.first = first
        self.direction = direction
        self.bright = bright
        self.frame = bytearray(3 * leds)

    def __call__(self, frame) -> None:
        n, part = len(frame), self.bright
        if len(self.frame) != n:
            self.frame = bytearray(n)
        out = self.frame
        a, b, c = self.order
        at, step = 3 * self.first, 3 * self.direction
        for i in range(0, n, 3):
            out[i] = frame[at + a] * part // 100
            out[i + 1] = frame[at + b] * part // 100
            out[i + 2] = frame[at + c] * part // 100
            at += step
            if not 0 <= at < n:
                at %= n
        self.send(out)


def take(lights, board: dict, given: dict) -> None:
    """The lamps are as `given` says, {}: as the scenes draw them; ValueError, and nothing has changed: none are so."""
    bright, level = given.get("leds", 100), given.get("digits", 8)
    if type(bright) is not int or not 10 <= bright <= 100:
        raise ValueError("leds is %s, but must be 10 to 100" % bright)
    if type(level) is not int or not 0 <= level <= 15:
        raise ValueError("digits is %s, but must be 0 to 15" % level)
    strips = []
    for name in ("rim", "inner", "tiles"):
        send = getattr(lights, name)
        send = getattr(send, "send", send)
        if name in given:
            strip = given[name]
            if type(strip) not in (list, tuple) or len(strip) != 3 or type(strip[0]) is not str:
                raise ValueError("%s %s is no strip" % (name, strip))
            order = ["GRB".find(colour) for colour in strip[0]]
            if sorted(order) != [0, 1, 2]:
                raise ValueError("%s has colours %s, not G, R and B in their order" % (name, strip[0]))
            leds = board.get(name + "_leds", 1)  # tiles are a picture, and begin at the first
            if type(strip[1]) is not int or not 0 <= strip[1] < leds or strip[2] not in (1, -1):
                raise ValueError("%s %s is no strip of %d LEDs" % (name, strip, leds))
            send = Fitted(send, leds, order, strip[1], strip[2], bright)
        elif bright < 100:
            send = Fitted(send, 0, (0, 1, 2), 0, 1, bright)
        strips.append((name, send))
    for name, send in strips:
        setattr(lights, name, send)
    lights.bright(level)
