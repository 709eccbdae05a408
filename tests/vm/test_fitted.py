"""Strips that are wired otherwise: whatever the wiring, a player sees what the scene has drawn."""

from tabletop.table import fitted

ORDERS = ("GRB", "GBR", "RGB", "RBG", "BRG", "BGR")
LEDS = 12
BOARD = {"rim_leds": LEDS, "inner_leds": LEDS, "tile_leds": LEDS}


def seen(wire, strip):
    """What a strip with that wiring shows for the bytes on its wire, as a frame of the scenes."""
    order, first, direction = strip
    frame = bytearray(len(wire))
    for led in range(len(wire) // 3):
        place = (first + direction * led) % (len(wire) // 3)
        for i in range(3):
            frame[3 * place + "GRB".index(order[i])] = wire[3 * led + i]
    return bytes(frame)


class Lights:
    """What the frames become on the wire."""

    def __init__(self):
        self.level = -1
        self.wires = {}

    def rim(self, frame):
        self.wires["rim"] = bytes(frame)

    def inner(self, frame):
        self.wires["inner"] = bytes(frame)

    def tiles(self, frame):
        self.wires["tiles"] = bytes(frame)

    def bright(self, level):
        self.level = level


FRAME = bytes(range(1, 3 * LEDS + 1))


def test_every_wiring_shows_what_was_drawn():
    for order in ORDERS:
        for first in (0, 1, 5, LEDS - 1):
            for direction in (1, -1):
                lights = Lights()
                fitted.take(lights, BOARD, {"rim": [order, first, direction]})
                for _ in range(2):  # the second frame goes through the same map
                    lights.rim(FRAME)
                    assert seen(lights.wires["rim"], (order, first, direction)) == FRAME, (order, first, direction)
                lights.inner(FRAME)
                assert lights.wires["inner"] == FRAME, "another strip stays as it is"


def test_a_wiring_takes_the_place_of_the_one_before_and_none_gives_the_strip_back():
    lights = Lights()
    fitted.take(lights, BOARD, {"rim": ["RGB", 3, -1], "digits": 15})
    assert lights.level == 15
    fitted.take(lights, BOARD, {"rim": ["BGR", 0, 1]})
    lights.rim(FRAME)
    assert seen(lights.wires["rim"], ("BGR", 0, 1)) == FRAME
    fitted.take(lights, BOARD, {})
    lights.rim(FRAME)
    assert lights.wires["rim"] == FRAME
    assert lights.level == 8


def test_all_strips_are_as_bright_as_they_shall_be():
    lights = Lights()
    fitted.take(lights, BOARD, {"leds": 50, "rim": ["RGB", 0, 1]})
    for name in ("rim", "inner", "tiles"):
        getattr(lights, name)(bytes([200] * 3 * LEDS))
        assert lights.wires[name] == bytes([100] * 3 * LEDS), name


def test_what_no_strip_can_be_is_refused_and_nothing_has_changed():
    board = {"rim_leds": 162, "inner_leds": 12, "tiles": 512}
    lights = Lights()
    fitted.take(lights, board, {"rim": ["BGR", 161, -1], "inner": ("GRB", 11, 1), "tiles": ["RGB", 0, 1], "leds": 10})
    before = lights.rim, lights.level
    for given in (
        {"rim": ["GRB", 162, 1]}, {"rim": ["GRB", -1, 1]}, {"rim": ["GGB", 0, 1]}, {"rim": ["GR", 0, 1]},
        {"rim": ["GRB", 0, 0]}, {"rim": ["GRB", 0]}, {"rim": "GRB"}, {"rim": 7}, {"rim": [7, 0, 1]},
        {"rim": ["GRB", "0", 1]}, {"inner": ["GRB", 12, 1]}, {"tiles": ["GRB", 1, 1]},
        {"leds": 9}, {"leds": 101}, {"leds": "100"}, {"digits": 16}, {"digits": -1}, {"digits": 1.5},
        {"rim": ["RGB", 0, 1], "tiles": []},
    ):  # fmt: skip
        try:
            fitted.take(lights, board, given)
        except ValueError:
            assert (lights.rim, lights.level) == before, given
            continue
        raise AssertionError(given)
