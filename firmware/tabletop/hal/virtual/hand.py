"""The hand: what people and physics do to a table, as JSON lines on a TCP port, one reply line each.

    {"do": "spin", "speed_mturns_s": 900, "direction": 1, "noise": 7}   launch the wheel; noise chooses this spin's pegs
    {"do": "push", "speed_mturns_s": 1200, "direction": 1, "after_ms": 2500}   take the rim again
    {"do": "stop", "ms": 40, "after_ms": 2500}      hold it fast within `ms`
    {"do": "rock", "speed_mturns_s": 300, "swings": 4, "ms": 700}
    {"do": "place", "section_milli": 17500}         turn it slowly to there: the middle of section 17
    {"do": "press", "button": "START", "ms": 100}   START NO_MORE_BETS VOID
    {"do": "key", "key": "SERVICE", "on": true}     SERVICE RESET LID DOOR
    {"do": "chip", "seat": 3, "on": true}           a chip lies on the wager sensor of a seat, or does no more
    {"do": "shake", "seat": 3, "ms": 100}           the shaker button of a seat; 0 is the one that is handed round
    {"do": "shaker", "fault": "lid opens"}          `shaker.Shaker.FAULTS`, "" mends it; or "lid": true, "lock": true
    {"do": "fault", "fault": "freeze", "value": 1, "after_ms": 1500}   see `sensors.Sensors.fault`, and at once:
                                                    button_stuck, button_dead (bits), led_dead, digits_dead (number + 1)
    {"do": "pace", "pace": 0} {"do": "hurry", "ms": 3000}   see `clock`
    {"do": "pass", "ms": 3000}                      answered with the state when that much table time has passed
    {"do": "rest"}                                  answered with the state as soon as the wheel rests
    {"do": "state"} {"do": "lights"}
    {"do": "noise", "stuck": true}                  the noise source says the same for ever, or is sound again
    {"do": "hang", "task": 5}                       the 5th task of a tick never comes back
    {"do": "die", "task": 5}                        the 5th task of a tick fails
    {"do": "reset", "reason": "RUN_PIN"} {"do": "power_cut"} {"do": "quit"}

`after_ms` counts in the wheel's own time, from now or from the launch, so that a spin can be repeated at any pace.
A reply has `ok`; a refused order has `error` and changes nothing.
"""

import gc
import json

from tabletop.hal.virtual import wheel as model
from tabletop.hal.virtual.clock import Reset
from tabletop.hal.virtual.panel import BITS
from tabletop.hal.virtual.store import power_cut


class Hand:
    """Carries out orders on a board: `serve` when bytes have come, `look` whether a reply that had to wait is due."""

    def __init__(self, board, port):
        self.board = board
        self.port = port
        self.line = bytearray(512)
        self.filled = 0
        self.calls = 0
        self.waits_for_rest = False
        self.until_us = 0

    def serve(self) -> None:
        if self.calls != self.port.calls:
            self.calls = self.port.calls
            self.filled = self.until_us = 0
            self.waits_for_rest = False
        self.filled += self.port.readinto(memoryview(self.line)[self.filled :])
        while True:
            end = self.line.find(b"\n", 0, self.filled)
            if end < 0:
                break
            text = bytes(self.line[:end])
            left = self.filled - end - 1
            self.line[:left] = self.line[end + 1 : self.filled]
            self.filled = left
            self._answer(self._order(text))
        if self.filled == len(self.line):
            self.filled = 0
            self._answer({"error": "a line has at most %d bytes" % len(self.line)})

    def look(self) -> None:
        if self.waits_for_rest and not self.board.mechanics.moving:
            self.waits_for_rest = False
            self._answer(self._state())
        if self.until_us and self.board.clock.now_us() >= self.until_us:
            self.until_us = 0
            self._answer(self._state())

    def _order(self, text: bytes):
        try:
            order = json.loads(text)
            name = "do_" + order["do"]
            do = getattr(self, name, None) or getattr(self.board.cup, name, None)
            if do:
                return do(order)
            from tabletop.hal.virtual import orders

            reply = orders.do(self, order, order["do"])
            return reply if reply is not None else {"error": "there is no order %s" % order["do"]}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return {"error": "%s: %s" % (type(error).__name__, error)}

    def _answer(self, reply) -> None:
        if reply is None:
            return
        reply["ok"] = "error" not in reply
        left = memoryview(json.dumps(reply).encode() + b"\n")
        while left:
            n = self.port.write(left)
            if n == 0:  # nobody reads the replies
                self.port.hang_up()
                return
            left = left[n:]

    def push(self, order, end_speed: int, ms: int, after_us: int = 0) -> None:
        board = self.board
        if ms < 1:
            raise ValueError("a hand needs at least 1 ms")
        board.mechanics.push(board.clock.now_us(), end_speed, ms * 1000, after_us + order.get("after_ms", 0) * 1000)

    def speed(self, order) -> int:
        mturns_s = order["speed_mturns_s"]
        if not 0 < mturns_s <= 4000:
            raise ValueError("speed_mturns_s is 1 to 4000")
        return model.speed(mturns_s) * (1 if order.get("direction", 1) > 0 else -1)

    def do_spin(self, order):
        wheel = self.board.mechanics
        if wheel.moving:
            raise ValueError("the wheel turns already")
        speed = self.speed(order)
        start = {"at": wheel.at, "side": wheel.side}
        start["noise"] = wheel.noise = order.get("noise", wheel.noise)
        self.push(order, speed, order.get("ramp_ms", 300))
        return start

    def do_push(self, order):
        self.push(order, self.speed(order), order.get("ramp_ms", 300))
        return {}

    def do_stop(self, order):
        ms = order.get("ms", 40)
        self.push(order, 0, ms)
        self.push(order, 0, 300, ms * 1000)  # and holds it
        return {}

    def do_press(self, order):
        if BITS[order["button"]] > 4:
            raise ValueError("there is no button %s" % order["button"])
        self.board.inputs.press(order["button"], order.get("ms", 100))
        return {}

    def do_key(self, order):
        if BITS[order["key"]] <= 4:
            raise ValueError("there is no key %s" % order["key"])
        self.board.inputs.hold(order["key"], order["on"])
        return {}

    def do_chip(self, order):
        self.board.inputs.put(128 << order["seat"], order["on"])
        return {}

    def do_fault(self, order):
        sensors = self.board.sensors
        name, value, after_ms = order["fault"], int(order.get("value", 1)), order.get("after_ms", 0)
        now_us = max(self.board.clock.now_us(), self.board.mechanics.t_us)
        sensors.fault_at(now_us + after_ms * 1000, name, value, self.board)
        return {}

    def do_pace(self, order):
        self.board.clock.now_us()
        self.board.clock.pace = max(0, int(order["pace"]))
        return {}

    def do_hurry(self, order):
        self.board.clock.hurry(order["ms"])
        return {}

    def do_pass(self, order):
        clock = self.board.clock
        clock.hurry(order["ms"])
        self.until_us = clock.now_us() + order["ms"] * 1000

    def do_state(self, _order):
        return self._state()

    def do_rest(self, _order):
        self.waits_for_rest = True

    def do_lights(self, _order):
        lights = self.board.lights
        return {
            "rim": lights.shown["rim"].hex(),
            "inner": lights.shown["inner"].hex(),
            "tiles": lights.shown["tiles"].hex() if "tiles" in lights.shown else "",
            "frames": lights.frames,
            "digits": lights.texts,
            "bright": lights.shown.get("bright", 8),
            "tower": lights.shown["tower"],
            "lamps": lights.shown["lamps"],
        }

    def do_reset(self, order):
        self._answer({})
        raise Reset(order.get("reason", "RUN_PIN"))

    def do_power_cut(self, _order):
        power_cut()

    def do_quit(self, _order):
        self._answer({})
        raise SystemExit(0)

    def _state(self):
        board = self.board
        wheel = board.mechanics
        now_us = board.clock.now_us()
        at = board.sensors.at(now_us)
        gc.collect()
        return {
            "ms": now_us // 1000,
            "pace": board.clock.pace,
            "moving": wheel.moving,
            "at": at,
            "side": wheel.side,
            "bent": wheel.bent(),
            "section_milli": at % model.TURN * 1000 // model.SECTION,
            "speed_mturns_s": model.mturns_s(wheel.pace) * wheel.direction,
            "noise": wheel.noise,
            "inputs": board.inputs.held | board.inputs.pressed,
            "store_operations": board.store.calls,
            "mem_free": gc.mem_free(),
        }
