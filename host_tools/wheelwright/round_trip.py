"""How long a reply may take, learnt from those that came (RFC 6298, section 2: smoothed round trip and variation)."""

FIRST_S, LEAST_S, MOST_S = 0.5, 0.2, 2.0


class RoundTrip:
    """Seconds throughout. `smoothed_s` and `least_s` are 0 until the first reply was measured."""

    def __init__(self) -> None:
        self.smoothed_s = self.least_s = 0.0
        self._variation_s = 0.0
        self._time_out_s = FIRST_S

    def measure(self, took_s: float) -> None:
        """A command that was sent once was answered after this time."""
        if self.smoothed_s:
            self._variation_s += (abs(took_s - self.smoothed_s) - self._variation_s) / 4
            self.smoothed_s += (took_s - self.smoothed_s) / 8
            self.least_s = min(self.least_s, took_s)
        else:
            self.smoothed_s, self._variation_s, self.least_s = took_s, took_s / 2, took_s
        self._time_out_s = min(MOST_S, max(LEAST_S, self.smoothed_s + 4 * self._variation_s))

    def time_out_s(self, tries: int) -> float:
        """How long to wait for the reply to what was sent `tries` times: twice as long each time, up to MOST_S."""
        return min(MOST_S, self._time_out_s * 2.0 ** (tries - 1))
