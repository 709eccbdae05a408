"""The table's random number generator: noise source and DRBG together, failing closed."""

from tabletop import cbor
from tabletop.chance.drbg import HmacDrbg, ReseedNeeded, known_answer
from tabletop.chance.noise import RngFailed
from tabletop.const import const

_INTERVAL = const(1024)  # requests between reseeds; the table reseeds each round anyway


class Generator:
    """Instantiated at each start: known-answer test, start-up test of the noise, then fresh entropy and nonce.

    `identity` is anything CBOR holds that no other start of any table has: [serial number, boot number, program hash].
    Every method raises RngFailed once the noise has failed; there is no fall-back. `failed` names the test then.
    """

    def __init__(self, noise, identity: list):
        self._noise = noise
        self.failed = ""
        if not known_answer():
            self.failed = "known answer"
            raise RngFailed(self.failed)
        self._drbg = HmacDrbg(self._entropy(), self._entropy(), cbor.dumps(identity), _INTERVAL)

    def _entropy(self) -> bytes:
        if not self.failed:
            try:
                return self._noise.entropy()
            except RngFailed as failure:
                self.failed = failure.args[0]
        raise RngFailed(self.failed)

    def bytes(self, n: int) -> bytes:
        """`n` bytes for draws; this is the `source` of `Draws`."""
        if self.failed:
            raise RngFailed(self.failed)
        try:
            return self._drbg.generate(n)
        except ReseedNeeded:
            self.reseed()
            return self._drbg.generate(n)

    def reseed(self) -> None:
        """Fresh entropy into the state: before each round, so that no earlier state tells later draws."""
        self._drbg.reseed(self._entropy())

    def cycle(self) -> None:
        """Background cycling: moves the state on while nobody draws, at moments that no player can time."""
        self.bytes(1)

    def end(self) -> None:
        """Forgets the state for good."""
        self._drbg = self._noise = None  # type: ignore[assignment]
