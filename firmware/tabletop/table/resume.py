"""What the journal tells a table that starts: its open round, open tilts, meters and mode. Reads, never writes."""

from tabletop import cbor
from tabletop.journal import kinds
from tabletop.rules.rounds import Round, follow, no_meters

OF_ROUND = {  # the records that a round follows from, with the names that `tabletop.rules.rounds` knows
    kinds.ROUND_OPENED: "ROUND_OPENED", kinds.WAGERS: "WAGERS", kinds.BETS_CLOSED: "BETS_CLOSED",
    kinds.SPIN_STARTED: "SPIN_STARTED", kinds.SPIN: "SPIN", kinds.SETTLED: "SETTLED",
    kinds.ROUND_CLOSED: "ROUND_CLOSED", kinds.ROUND_VOIDED: "ROUND_VOIDED",
}  # fmt: skip


class Found:
    """`round` the open Round or None, `number` of the last one, `opened` the record that opened the open one.

    `meters_from` is the record that the meters are from. `test` is None when nothing tells; `contradiction` is the
    sentence when the records do not agree with the rules.
    """

    def __init__(self) -> None:
        self.round: "Round | None" = None
        self.number = 0
        self.opened = self.meters_from = 0
        self.tilts: dict = {}
        self.meters = no_meters()
        self.test: "bool | None" = None
        self.contradiction = ""


def read_back(journal) -> Found:
    """From the newest record back to where everything is known, then forward through the open round.

    A journal that cannot be read to the end has `damaged` set; then this is what was found until there.
    """
    found = Found()
    cleared: list = []
    need_round = need_tilts = need_meters = True
    for record in journal.backward():
        kind = record.kind
        payload = cbor.loads(record.payload)
        if found.test is None and "test" in payload:
            found.test = payload["test"]
        if kind == kinds.TILT or kind == kinds.TILT_CLEARED:
            if need_tilts:
                _tilt(found, cleared, kind, payload)
        elif kind == kinds.SETTLED:
            if need_meters:
                found.meters = payload["meters"]
                found.meters_from = record.number
                need_meters = False
        elif kind == kinds.BOOT:
            if need_tilts:
                for tilt in payload.get("tilts", ()):
                    _tilt(found, cleared, kinds.TILT, {"tilt": tilt, "detail": {}})
            if need_meters:
                found.meters = payload.get("meters", found.meters)
                found.meters_from = record.number
            if need_round and not payload.get("resumes"):
                found.number = payload.get("round", 0)
                need_round = False
            need_tilts = need_meters = False
        elif kind == kinds.ROUND_OPENED or kind == kinds.ROUND_CLOSED or kind == kinds.ROUND_VOIDED:
            if need_round:
                found.number = payload["round"]
                found.opened = record.number if kind == kinds.ROUND_OPENED else 0
                need_round = False
            if kind == kinds.ROUND_OPENED:
                need_tilts = False  # no round is opened with a tilt open
        if not (need_round or need_tilts or need_meters or found.test is None):
            break
    if found.opened and not journal.damaged:
        try:
            for record in journal.records(found.opened):
                if record.kind in OF_ROUND:
                    found.round = follow(found.round, OF_ROUND[record.kind], cbor.loads(record.payload))
        except ValueError as error:
            found.round = None
            found.contradiction = str(error)[:100]
    return found


def _tilt(found: Found, cleared: list, kind: int, payload: dict) -> None:
    tilt = payload["tilt"]
    if tilt not in cleared and tilt not in found.tilts:
        if kind == kinds.TILT:
            found.tilts[tilt] = payload["detail"]
        else:
            cleared.append(tilt)
