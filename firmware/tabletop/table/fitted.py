"""LED strips that are wired otherwise than the scenes draw them: colours, first LED, direction, brightness.

A strip is `[colours, first, direction]`: `colours` the order in which an LED takes green, red and blue ("GRB" is the
scenes'), `first` the place of the scenes' ring at which the strip begins, `direction` 1 or -1. In memory only on a
table whose calibration says so, and with few names of its own: a virtual table has room for so many and no more.
"""


def sort(into, frame, at, how: int) -> None:
    """`how >> 9` bytes of a frame in another order, by 16 bits of `at` for each, and `how & 511` of 256 as bright.

    For a board whose lights have no `sort` of their own.
    """
    part = how & 511
    for i in range(how >> 9):
        into[i] = frame[at[2 * i] | at[2 * i + 1] << 8] * part >> 8


class Fitted:
    """Stands in the place of what sends the frames of a strip of `n` LEDs.

    `order`: byte of an LED on the wire -> byte of it in the scene's frame; `part`: the brightness, of 256.
    """

    def __init__(self, lights, send, order, first: int, direction: int, part: int):
        self.send = send
        self.sort = getattr(lights, "sort", sort)
        self.order = order
        self.first = first
        self.direction = direction
        self.part = part
        self.frame = bytearray()

    def start(self, n: int) -> None:
        """Takes the memory that it needs: 9 bytes an LED."""
        self.how = 3 * n << 9 | self.part
        self.frame = bytearray(3 * n)
        self.at = bytearray(6 * n)
        for i in range(3 * n):
            place = 3 * ((self.first + self.direction * (i // 3)) % n) + self.order[i % 3]
            self.at[2 * i] = place & 255
            self.at[2 * i + 1] = place >> 8

    def __call__(self, frame) -> None:
        if not self.frame:  # tiles, which most tables never draw
            self.start(len(frame) // 3)
        self.sort(self.frame, frame, self.at, self.how)
        self.send(self.frame)


def take(lights, board: dict, given: dict) -> None:
    """The lamps are as `given` says, {}: as the scenes draw them; ValueError, and nothing has changed: none are so."""
    bright, level = given.get("leds", 100), given.get("digits", 8)
    if type(bright) is not int or not 10 <= bright <= 100:
        raise ValueError("leds is %s, but must be 10 to 100" % bright)
    if type(level) is not int or not 0 <= level <= 15:
        raise ValueError("digits is %s, but must be 0 to 15" % level)
    strips = []
    part = bright * 256 // 100
    for name in ("rim", "inner", "tiles"):
        send = getattr(lights, name)
        send = getattr(send, "send", send)
        leds = board.get(name + "_leds", 0)
        if name in given:
            strip = given[name]
            if type(strip) not in (list, tuple) or len(strip) != 3 or type(strip[0]) is not str:
                raise ValueError("%s %s is no strip" % (name, strip))
            order = ["GRB".find(colour) for colour in strip[0]]
            if sorted(order) != [0, 1, 2]:
                raise ValueError("%s has colours %s, not G, R and B in their order" % (name, strip[0]))
            most = leds if name != "tiles" else 1  # they are a picture, and begin at the first
            if type(strip[1]) is not int or not 0 <= strip[1] < most or strip[2] not in (1, -1):
                raise ValueError("%s %s is no strip of %d LEDs" % (name, strip, leds))
            send = Fitted(lights, send, order, strip[1], strip[2], part)
        elif bright < 100:
            send = Fitted(lights, send, (0, 1, 2), 0, 1, part)
        if leds and hasattr(send, "order"):
            send.start(leds)
        strips.append((name, send))
    for name, send in strips:
        setattr(lights, name, send)
    lights.bright(level)
