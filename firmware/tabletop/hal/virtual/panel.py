"""The dealer's buttons and keys, and every lamp: what the table shows is kept for the hand to look at."""

BITS = {"START": 1, "NO_MORE_BETS": 2, "VOID": 4, "SERVICE": 8, "RESET": 16, "LID": 32, "DOOR": 64}


class Inputs:
    """Debounced levels; a press lasts until its time is over and the table has read it at least once."""

    def __init__(self, clock):
        self.clock = clock
        self.held = 0
        self.pressed = 0
        self.until_us = 0
        self.stuck = 0  # contacts that are always closed
        self.dead = 0  # contacts that never are

    def read(self) -> int:
        bits = (self.held | self.pressed) & ~self.dead | self.stuck
        if self.pressed and self.clock.now_us() >= self.until_us:
            self.pressed = 0
        return bits

    def press(self, name: str, ms: int) -> None:
        self.pressed |= BITS[name]
        self.until_us = self.clock.now_us() + ms * 1000

    def hold(self, name: str, on: bool) -> None:
        """A key, lid or door stays as it is put."""
        self.put(BITS[name], on)

    def put(self, bit: int, on: bool) -> None:
        """A level stays: that of a key, or of a wager sensor with a chip on it."""
        self.held = self.held | bit if on else self.held & ~bit


class Lights:
    """`shown` is the last frame of every lamp, `frames` how many were drawn on the rim."""

    def __init__(self, rim: int, inner: int):
        self.shown: dict = {"rim": bytearray(3 * rim), "inner": bytearray(3 * inner), "tower": "", "lamps": 0}
        self.frames = 0
        self.texts: dict[int, str] = {}
        self.dark_led = self.dark_digits = -1  # a LED of the rim and a display that stay dark

    def rim(self, buf) -> None:
        rim = self.shown["rim"]
        rim[:] = buf
        if self.dark_led >= 0:
            rim[3 * self.dark_led : 3 * self.dark_led + 3] = b"\0\0\0"
        self.frames += 1

    def inner(self, buf) -> None:
        self.shown["inner"][:] = buf

    def tiles(self, buf) -> None:
        if "tiles" not in self.shown:
            self.shown["tiles"] = bytearray(len(buf))
        self.shown["tiles"][:] = buf

    def digits(self, index: int, text: str) -> None:
        self.texts[index] = "" if index == self.dark_digits else text

    def bright(self, level: int) -> None:
        """How bright the displays are, 0 to 15."""
        self.shown["bright"] = level

    def tower(self, state) -> None:
        self.shown["tower"] = state

    def lamps(self, bits: int) -> None:
        self.shown["lamps"] = bits
