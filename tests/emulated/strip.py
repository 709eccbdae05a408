"""A WS2812 strip on a pin: every frame decoded from the waveform, with the gaps kept before each."""

from __future__ import annotations

from typing import Any

HIGH_NANOS = 600.0  # a 0 is high for 375 ns, a 1 for 875 ns
LATCH_NANOS = 250_000.0  # shorter gaps belong to one frame


class Strip:
    """`frames` holds (bytes as they came, ns of silence before the first bit); attached before the chip runs."""

    def __init__(self, mcu: Any, pin: int) -> None:
        self.clock = mcu.clock
        self.frames: list[tuple[bytes, float]] = []
        self._bits = 0
        self._count = 0
        self._data = bytearray()
        self._rise = 0.0
        self._fall = 0.0
        self._gap = float("inf")
        mcu.gpio[pin].add_listener(self._changed)

    def _changed(self, new: int, old: int) -> None:
        now = self.clock.nanos
        if new == 1:
            if now - self._fall > LATCH_NANOS:
                self.flush()
                self._gap = now - self._fall
            self._rise = now
        elif new == 0 and old == 1:
            self._fall = now
            self._bits = self._bits << 1 | (now - self._rise > HIGH_NANOS)
            self._count += 1
            if self._count == 8:
                self._data.append(self._bits)
                self._bits = self._count = 0

    def flush(self) -> None:
        """Ends the frame under way, as the silence after it would."""
        if self._data:
            self.frames.append((bytes(self._data), self._gap))
        self._data = bytearray()
        self._bits = self._count = 0

    @property
    def last(self) -> bytes:
        """The newest frame; empty before the first."""
        if self._data and self.clock.nanos - self._fall > LATCH_NANOS:
            self.flush()
        return self.frames[-1][0] if self.frames else b""
