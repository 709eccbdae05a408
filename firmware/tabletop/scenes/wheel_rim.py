"""The rim ring: 54 sections of three LEDs in the colours of the layout, GRB, three bytes an LED."""

from tabletop.const import const

_SECTION_BYTES = const(9)  # three LEDs of three

COLOURS = {  # symbol: green, red, blue
    "1": (96, 112, 0), "2": (24, 24, 160), "5": (16, 128, 96), "10": (128, 16, 16), "20": (40, 160, 0),
    "40": (0, 176, 24), "2x": (120, 120, 120), "7x": (120, 120, 120),
}  # fmt: skip
BLINK_MS = const(512)  # half a period, a power of two
_TEST_EVERY = const(9)  # sections: six marks around the wheel


class Rim:
    """Draws into a buffer of 54 * 9 bytes without allocating. One LED at most has 3 * 255."""

    def __init__(self, layout, colours=COLOURS) -> None:
        self.sections = len(layout)
        self.size = self.sections * _SECTION_BYTES
        self.bright = bytearray(self.size)
        self.dim = bytearray(self.size)
        for section in range(self.sections):
            for i in range(_SECTION_BYTES):
                level = colours[layout[section]][i % 3]
                at = section * _SECTION_BYTES + i
                self.bright[at] = level
                self.dim[at] = level >> 3

    def draw(self, view, now_ms: int, buf: bytearray) -> None:
        """The frame of `view` at `now_ms` (ticks) into `buf`."""
        phase = view.phase
        if phase == "TILT" or phase == "BOOT" or phase == "SELF_TEST":
            self._fill(buf, 0, 0, 0)
            if phase == "TILT" and not now_ms & BLINK_MS:
                for section in range(0, self.sections, 3):
                    self._set(buf, section, 0, 160, 0)
            return
        if phase == "SERVICE":
            self._fill(buf, 0, 0, 24)
        else:
            buf[:] = self.bright if phase == "BETS_OPEN" else self.dim
        if view.test and not now_ms & BLINK_MS:
            for section in range(0, self.sections, _TEST_EVERY):
                self._set(buf, section, 0, 0, 200)
        if phase == "SPINNING" or phase == "SERVICE":
            if view.pointer >= 0:
                self._set(buf, view.pointer, 255, 255, 255)
        elif view.section >= 0 and (phase == "RESULT" or phase == "SETTLED" or phase == "BONUS"):
            # a triangle between a quarter and full, about once a second
            level = now_ms & 1023
            if level > 511:
                level = 1023 - level
            level = 64 + level * 191 // 511
            self._set(buf, view.section, level, level, level)

    def _fill(self, buf: bytearray, green: int, red: int, blue: int) -> None:
        for section in range(self.sections):
            self._set(buf, section, green, red, blue)

    def _set(self, buf: bytearray, section: int, green: int, red: int, blue: int) -> None:
        at = section * _SECTION_BYTES
        end = at + _SECTION_BYTES
        while at < end:
            buf[at] = green
            buf[at + 1] = red
            buf[at + 2] = blue
            at += 3


def moves(view) -> bool:
    """Whether the frame changes with time alone, and not only as often as the blinking does."""
    return view.phase in ("RESULT", "SETTLED", "BONUS")
