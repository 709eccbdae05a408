"""Keeps PIO exact while the emulated CPU sleeps.

rp2040py gives each state machine at most one step for each CPU instruction, and one for a whole jump over idle time.
A sleeping CPU would so eat waveforms and edges. The keeper puts an alarm at the moment a state machine is next due,
so that idle jumps are never longer than a PIO step: all the time while an LED frame is on its way (PIO 1), and for
SETTLE_STEPS steps after each edge on the wheel's pins (PIO 0, whose programs only loop between edges).
"""

from __future__ import annotations

from typing import Any

SETTLE_STEPS = 30   # two steps of the counter (20 cycles), five pushes and the DMA chain behind them
PIO1_TX = range(8, 12)  # DMA requests of the strips
NEVER = 1 << 60     # rp2040py's NEVER_DUE is 1 << 62


class Keeper:
    """Attached before the chip runs; `edge()` is called by whoever moves the wheel's pins."""

    def __init__(self, mcu: Any) -> None:
        self.mcu = mcu
        self.left = 0
        self.wheel_alarm = mcu.clock.create_alarm(self._wheel_step)
        self.lamp_alarm = mcu.clock.create_alarm(self._lamp_step)
        self.lamp_on = False
        for channel in mcu.dma.channels:
            channel.start = self._watched(channel, channel.start)

    def _watched(self, channel: Any, start: Any) -> Any:
        def started() -> None:
            start()
            if not self.lamp_on:
                self.lamp_on = True
                self.lamp_alarm.schedule(self._step_nanos(1))
        return started

    def _step_nanos(self, number: int) -> float:
        """Until the block's next step is due, at least one system clock."""
        pio = self.mcu.pio[number]
        due = pio.next_due_fp
        if due > NEVER:
            return 0.0
        return max(8.0, (due - pio.cycle_fp) / 256 * 8.0)

    def _lamp_step(self) -> None:
        nanos = self._step_nanos(1)
        if nanos:
            self.lamp_alarm.schedule(nanos)
        elif any(channel.active and channel.treq in PIO1_TX for channel in self.mcu.dma.channels):
            self.lamp_alarm.schedule(1000.0)
        else:
            self.lamp_on = False

    def edge(self) -> None:
        """A pin of the wheel has changed."""
        if not self.left:
            self.wheel_alarm.schedule(max(8.0, self._step_nanos(0)))
        self.left = SETTLE_STEPS

    def _wheel_step(self) -> None:
        self.left -= 1
        if self.left > 0:
            self.wheel_alarm.schedule(max(8.0, self._step_nanos(0)))
