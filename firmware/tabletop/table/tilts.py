"""Open tilts: numbered, recorded, and still open after a restart until somebody clears them."""

from tabletop.journal import kinds


class Tilts:
    """`open`: tilt number -> detail."""

    def __init__(self, records) -> None:
        self.records = records
        self.open: dict = {}
        self._due: list = []  # open, but the journal could not take their record yet

    def take_up(self, tilts: dict) -> None:
        """Tilts that the journal shows open."""
        for tilt in tilts:
            if tilt not in self.open:
                self.open[tilt] = tilts[tilt]

    def details(self) -> dict:
        """What is known of open tilts, by number as text; of three at most, so that it fits record and frame."""
        return {str(tilt): self.open[tilt] for tilt in sorted(self.open)[:3]}

    def raise_(self, tilt: int, detail: dict) -> bool:
        """Opens a tilt, even when the journal cannot record it (it may be what failed); False when it was open."""
        if tilt in self.open:
            return False
        self.open[tilt] = detail
        self._due.append(tilt)
        self.record_due()
        return True

    def record_due(self) -> None:
        """Records what could not be recorded before."""
        while self._due:
            tilt = self._due[0]
            try:
                self.records.write(kinds.TILT, {"tilt": tilt, "detail": self.open[tilt]})
            except Exception:  # whatever it is: the tilt is open all the same
                return
            del self._due[0]

    def clear(self, tilt: int, operator: str) -> None:
        """Closes an open tilt; Stop, and it stays open, when that cannot be recorded."""
        self.record_due()
        self.records.write(kinds.TILT_CLEARED, {"tilt": tilt, "operator": operator})
        del self.open[tilt]
        if tilt in self._due:
            self._due.remove(tilt)
