"""Carries what the table may show to its lamps: frames when they are due, digits and lamps when they change."""

from tabletop import ticks
from tabletop.scenes import View, panel
from tabletop.scenes.wheel_rim import BLINK_MS, COLOURS, Rim, moves


class Show:
    """`view` is what scenes see; `changed` after a change of it."""

    def __init__(self, lights, layout, board: dict, colours=COLOURS) -> None:
        self.lights = lights
        self.view = View()
        self.rim = Rim(layout, colours)
        self.frame = bytearray(self.rim.size)
        self.inner = bytearray(3 * board.get("inner_leds", 0))
        self.texts = [""] * board.get("digits", 2)
        self.tower = ""
        self.lamps = -1
        self.changed = True
        self._drawn_ms = self._refused_ms = -1  # never
        self._blink = 0

    def point(self, section: int) -> None:
        """Where the clapper is while the wheel turns."""
        if section != self.view.pointer:
            self.view.pointer = section
            self.changed = True

    def refused(self, code: int, now_ms: int) -> None:
        """A button was pressed in vain."""
        self.view.refused = code
        self._refused_ms = now_ms
        self.changed = True

    def draw(self, now_ms: int) -> None:
        """Draws when a frame is due and something moves or has changed."""
        if ticks.since(now_ms, self._drawn_ms) < 40:  # 25 frames a second
            return
        self._drawn_ms = now_ms
        view = self.view
        if view.refused and ticks.since(now_ms, self._refused_ms) > 1500:
            view.refused = 0
            self.changed = True
        if now_ms & BLINK_MS != self._blink:
            self._blink = now_ms & BLINK_MS
            self.changed = self.changed or view.test or view.phase in ("TILT", "SERVICE") or moves(view)
        if not self.changed and not moves(view):
            return
        self.show(now_ms)
        if self.changed:
            self.changed = False
            self._panel(now_ms)

    def again(self) -> None:
        """Somebody else has had the lamps: all of them are drawn anew."""
        self.lights.inner(self.inner)
        for i in range(len(self.texts)):
            self.texts[i] = "?"
        self.tower = "?"
        self.lamps = -1
        self.changed = True

    def show(self, now_ms: int) -> None:
        """One frame of the LEDs."""
        self.rim.draw(self.view, now_ms, self.frame)
        self.lights.rim(self.frame)

    def text(self, index: int, now_ms: int) -> str:
        """What a display says."""
        return panel.digits(self.view, index, now_ms)

    def picture(self, shown) -> None:
        """Another round, or another state of it, may be shown."""

    def lit(self) -> int:
        """Bits of the lamps that are lit."""
        return panel.lamps(self.view)

    def _panel(self, now_ms: int) -> None:
        view, lights = self.view, self.lights
        for i in range(len(self.texts)):
            text = self.text(i, now_ms)
            if text != self.texts[i]:
                self.texts[i] = text
                lights.digits(i, text)
        tower = panel.tower(view)
        if tower != self.tower:
            self.tower = tower
            lights.tower(tower)
        lamps = self.lit()
        if lamps != self.lamps:
            self.lamps = lamps
            lights.lamps(lamps)
