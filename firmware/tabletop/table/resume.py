"""What the journal tells a table that starts: its open round, open tilts, meters and mode. Reads, never writes."""

from tabletop import cbor
from tabletop.journal import kinds
from tabletop.journal.record import decode
from tabletop.rules.rounds import Round, follow, no_meters
from tabletop.table.holding import of_round
from tabletop.table.records import KEPT


class Found:
    """`round` the open Round or None, `number` of the last one, `opened` the record that opened the open one.

    `meters_from` is the record that the meters are from, `draws` the number of the last draw, `kept` the numbers of the
    records that hold until they are replaced; of these, `configuration` is the payload of CONFIGURED, `calibration`
    that of CALIBRATED and `approved` the program hash of APPROVED. `test` is None when nothing tells; `lease`: test
    mode was for a session only. `contradiction` is the sentence when the records do not agree with the rules.
    """

    def __init__(self) -> None:
        self.round: "Round | None" = None
        self.number = 0
        self.opened = self.meters_from = 0
        self.draws = -1
        self.kept: list = []
        self.configuration: dict = {}
        self.calibration: dict = {}
        self.approved = b""
        self.tilts: dict = {}
        self.meters = no_meters()
        self.test: "bool | None" = None
        self.lease: "bool | None" = None
        self.contradiction = ""


def read_back(journal) -> Found:
    """From the newest record back to where everything is known, then forward through the open round.

    A journal that cannot be read to the end has `damaged` set; then this is what was found until there.
    """
    found = Found()
    cleared: list = []
    replaced: list = []
    need_round = need_tilts = need_meters = True
    for record in journal.backward():
        kind = record.kind
        payload = cbor.loads(record.payload)
        if found.test is None and "test" in payload:
            found.test = payload["test"]
        if found.lease is None and kind in (kinds.MODE, kinds.SETTLED, kinds.BOOT):
            found.lease = payload.get("lease", False)
        if kind == kinds.TILT or kind == kinds.TILT_CLEARED:
            if need_tilts:
                _tilt(found, cleared, kind, payload)
        elif kind == kinds.DRAW:
            if found.draws < 0:
                found.draws = payload["number"]
        elif kind in KEPT or kind == kinds.OPENED:
            if need_meters:
                if kind in KEPT and record.number not in replaced:
                    found.kept.insert(0, record.number)
                if "of" in payload:
                    replaced.append(payload["of"])
        elif kind == kinds.SETTLED:
            if need_meters:
                found.meters = payload["meters"]
                _standing(found, record.number, payload, replaced)
                need_meters = False
        elif kind == kinds.BOOT:
            if need_tilts:
                for tilt in payload.get("tilts", ()):
                    detail = payload.get("detail", {}).get(str(tilt), {})
                    _tilt(found, cleared, kinds.TILT, {"tilt": tilt, "detail": detail})
            if need_meters:
                found.meters = payload.get("meters", found.meters)
                _standing(found, record.number, payload, replaced)
            if need_round and (not payload.get("resumes") or "opened" in payload):
                found.number = payload.get("round", 0)
                found.opened = payload.get("opened", 0)
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
    found.draws = max(found.draws, 0)
    if not journal.damaged:
        for number in found.kept:
            record = decode(journal.read(number))
            if record.kind == kinds.CONFIGURED:
                found.configuration = cbor.loads(record.payload)
            elif record.kind == kinds.CALIBRATED:
                found.calibration = cbor.loads(record.payload)["calibration"]
            elif record.kind == kinds.APPROVED:
                found.approved = cbor.loads(record.payload)["program"]
    if found.opened and not journal.damaged:
        try:
            for name, payload in of_round(journal, found.opened, journal.last):
                if name:
                    found.round = follow(found.round, name, payload)
        except ValueError as error:
            found.round = None
            found.contradiction = str(error)[:100]
    return found


def _standing(found: Found, number: int, payload: dict, replaced: list) -> None:
    found.meters_from = number
    found.kept = [kept for kept in payload.get("kept", ()) if kept not in replaced] + found.kept
    if found.draws < 0:
        found.draws = payload.get("draws", 0)


def _tilt(found: Found, cleared: list, kind: int, payload: dict) -> None:
    tilt = payload["tilt"]
    if tilt not in cleared and tilt not in found.tilts:
        if kind == kinds.TILT:
            found.tilts[tilt] = payload["detail"]
        else:
            cleared.append(tilt)
