"""An open round in few records: what of its records it still follows from, packed into the bytes of ROUND_HELD records.

In: (kind name, payload) of the round's records, from its opening on. Out: chunks for the journal, and from these
records from which `rounds.follow` gives the same round. Nothing is decided here: what is packed was there before.
"""

from tabletop import cbor
from tabletop.const import const

_CHUNK = const(936)  # bytes; with the round's number they fit one record
_BETS = const(32)  # in one WAGERS
_TAKE_BACK = "take_back"  # the input by which a wager goes before the bets are closed


def essence(records):
    """Those of the records that the round follows from. One named "" is none of the round: it passes through.

    Wagers that stand when the bets are closed become one each; before, those that no command named are kept apart. Left
    out are turns of the wheel that were no spin, and spins that gave nothing, but the newest: SPINS says how many
    spins, and short ones, came before the one behind it.
    """
    number = 0
    bets: list = []  # of the round, until they are closed: those of a command,
    chips: list = []  # and those of the seats' sensors
    command: dict = {}
    spin: list = []  # the newest one: its start, and its end
    short, skipped = 0, False  # of the spins before it: short ones, and whether the last were left out
    for name, payload in records:
        if not name or (name == "SPIN" and not payload["spin"]):
            yield "", payload
            continue
        if name == "ROUND_OPENED":
            number = payload["round"]
        elif name == "WAGERS":
            if "cmd" in payload:
                command["cmd"] = payload["cmd"]
            _wager(bets if "cmd" in payload else chips, payload["bets"])
            continue
        elif name == "GIVEN" and payload["given"][0] == _TAKE_BACK:
            which = payload["given"][1:]
            bets = [bet for bet in bets if bet[: len(which)] != which]
            chips = [bet for bet in chips if bet[: len(which)] != which]
            continue
        elif name == "BETS_CLOSED":
            yield from _wagers(number, bets + chips, {})
            bets, chips = [], []
        if name == "SPIN":
            spin.append((name, payload))
            continue
        again = name == "SPIN_STARTED" or name == "SPINS"
        if again and _gave_nothing(spin):
            skipped = True
        else:
            yield from _spin(spin, short, skipped)
            skipped = skipped and not spin
        short += _is_short(spin)
        spin = []
        if name == "SPINS":
            short, skipped = payload["short"], True
        elif name == "SPIN_STARTED":
            spin.append((name, payload))
        else:
            yield name, payload
    yield from _wagers(number, bets, command)
    yield from _wagers(number, chips, {})
    yield from _spin(spin, short, skipped)


def _wager(bets: list, more: list) -> None:
    for bet in more:
        for n in range(len(bets)):
            if bets[n][0] == bet[0] and bets[n][1] == bet[1]:
                bets[n] = [bet[0], bet[1], bets[n][2] + bet[2]]
                break
        else:
            bets.append(bet)


def _wagers(number: int, bets: list, command: dict):
    for first in range(0, len(bets), _BETS):
        payload = {"round": number, "bets": bets[first:first + _BETS]}
        payload.update(command)
        yield "WAGERS", payload


def _spin(spin: list, short: int, skipped: bool):
    if spin and skipped:
        started = spin[0][1]
        yield "SPINS", {"round": started["round"], "spin": started["spin"] - 1, "short": short}
    yield from spin


def _gave_nothing(spin: list) -> bool:
    return len(spin) > 1 and not (spin[1][1]["counted"] and spin[1][1]["outcome"] == "SECTION")


def _is_short(spin: list) -> bool:
    return len(spin) > 1 and spin[1][1]["counted"] and spin[1][1]["outcome"] == "SHORT_SPIN"


def packed(records):
    """The bytes of each ROUND_HELD record, and b"" at each of `records`, so that nobody has to wait for them all."""
    data = b""
    for name, payload in records:
        if name:
            item = cbor.dumps([name, payload])
            data += bytes((len(item) >> 8, len(item) & 255)) + item
        yield b""
        while len(data) > _CHUNK:
            yield data[:_CHUNK]
            data = data[_CHUNK:]
    if data:
        yield data


class Unpacked:
    """What ROUND_HELD records hold: their bytes in, [name, payload] out. ValueError when they are none."""

    def __init__(self) -> None:
        self.left = b""  # of what goes on in the next record

    def take(self, data: bytes) -> list:
        """The bytes of one more record: what ends in it."""
        taken = []
        data = self.left + data
        while len(data) > 1:
            end = 2 + (data[0] << 8 | data[1])
            if len(data) < end:
                break
            taken.append(cbor.loads(data[2:end]))
            data = data[end:]
        self.left = data
        return taken
