"""The noise source and the generator of a table, while they are in memory, and what a laboratory takes from them."""

from tabletop.chance.generator import Generator
from tabletop.chance.noise import NoiseSource, RngFailed
from tabletop.chance.uniform import uniform
from tabletop.const import const
from tabletop.link.endpoint import Refused
from tabletop.table.records import Stop
from tabletop.table.rng import RNG_FAILED

_RAW_MOST = const(1024)  # bits of one answer; the link keeps the last eight, so they are small
_OUTCOMES_MOST = const(32)  # of one answer, likewise


class Source:
    """Made by `rng.Rng`: known answer, start-up test, fresh instance. Stop, now or later, when the noise fails."""

    def __init__(self, rng) -> None:
        table = rng.table
        self.rng = rng
        self.table = table
        hal = table.hal
        of = hal.board.get("noise", {})
        self._noise = self._try(NoiseSource, hal.noise, of.get("bits", 1), of.get("h_milli", 1000))
        self._generator = self._try(Generator, self._noise, [hal.serial, table.journal.boot, table.program])

    def _try(self, work, *arguments):
        """What `work` gives; Stop when the source has failed, now or before."""
        rng = self.rng
        if not rng.failed:
            try:
                return work(*arguments)
            except (RngFailed, ValueError) as failure:
                rng.failed = str(failure)[:100]
        raise Stop(RNG_FAILED, test=rng.failed)

    def bytes(self, n: int) -> bytes:
        """`n` bytes of the generator."""
        return self._try(self._generator.bytes, n)

    def reseed(self) -> None:
        """Fresh entropy."""
        self._try(self._generator.reseed)

    def cycle(self) -> None:
        """Moves the state on."""
        self._try(self._generator.cycle)

    def end(self) -> None:
        """Forgets the generator and its state; nothing is asked of this source again.

        Each object is taken from each: whatever of them a stray pointer may still hold, it holds one.
        """
        for part in (self._generator, self._noise):
            part.end()
        self._noise = self._generator = None

    def _marks(self) -> dict:
        return {"emulated": self.table.hal.emulated, "test": self.table.play.test}

    def raw(self, args: dict) -> dict:
        """Raw noise, tested like any other and used for nothing else; samples of one bit are packed, first bit high."""
        wanted = _in_range("bits", args["bits"], _RAW_MOST)
        reply = self._marks()
        out = bytearray((wanted + 7) // 8)
        size = self.table.hal.board.get("noise", {}).get("bits", 1)
        byte = count = 0
        while count < 8 * len(out):
            for sample in self._try(self._noise.raw):
                byte = byte << size & 0xFF | sample
                count += size
                if not count & 7 and count <= 8 * len(out):
                    out[count // 8 - 1] = byte
        reply["data"] = bytes(out)
        reply["bits"] = size
        return reply

    def outcomes(self, args: dict) -> dict:
        """Final outcomes through the very `uniform` that draws use; they are no draws, and take no number."""
        wanted = _in_range("n", args["n"], _OUTCOMES_MOST)
        n = _in_range("range", args["range"], 1 << 32)
        reply = self._marks()
        reply["values"] = [uniform(self.bytes, n) for _ in range(wanted)]
        return reply


def _in_range(field: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise Refused(4009, field=field, value=value, choice="a whole number from 1 to %d" % most)
    return value
