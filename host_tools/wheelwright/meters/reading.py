"""What a journal record means for a linked meter: contributions, claims and awards of rounds that play on it.

Only what the table has recorded counts: the GIVEN of `chips` names the mills that were wagered, that of `validate` the
share that a floorperson claims, that of `award` the amount that was paid. Each round is opened with the settings of its
table, and they name its meter (`linked`) by an identity that no other meter ever has: so nothing that a table did
before it joined, or after it left, is this meter's.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import cbor2
from tabletop.journal import kinds
from tabletop.journal.record import Record
from tabletop.rules import game_named

from wheelwright.errors import WheelwrightError
from wheelwright.meters.books import Linked, Reading
from wheelwright.meters.ledger import Awarded, Claimed, Contributed, Disputed, Event, Moved


def linkable(game: str) -> ModuleType:
    """The rules of a game whose meter can be linked; E-8210 for another one."""
    reason = "it has no meter that several tables could share"
    if game == "must_hit_by":
        reason = "its hidden value lives in one table only (docs/decisions/0072)"
    else:
        try:
            rules = game_named(game)
            if "linked" in rules.DEFAULTS:
                return rules  # type: ignore[no-any-return]
        except ValueError as error:
            reason = str(error)
    raise WheelwrightError(8210, game=game, reason=reason)


def joins(record: Record, identity: str, before: bool) -> bool:
    """Whether its table adds to the meter of this identity behind a record: the settings in it say so, or nothing."""
    if record.kind not in (kinds.CONFIGURED, kinds.ROUND_OPENED):
        return before
    return bool(cbor2.loads(record.payload)["settings"].get("linked") == identity)


def reader(linked: Linked) -> Reading:
    """How records are read for this meter. A round of its own with other parameters is disputed."""
    rules = linkable(linked.game)

    def other(payload: dict[str, Any]) -> str:
        if (payload["game"], payload["test"]) != (linked.game, linked.test):
            return f"{payload['game']}, {'test' if payload['test'] else 'live'}"
        found = rules.parameters(payload["settings"])
        return f"{found}, not {linked.parameters}" if found != linked.parameters else ""

    def read(_serial: str, record: Record, known: dict[str, Any]) -> tuple[Sequence[Event], dict[str, Any]]:
        joined = known.get("joined", False)
        if record.kind == kinds.CONFIGURED:
            now = joins(record, linked.identity, joined)
            return [Moved(now)] if now != joined else [], {**known, "joined": now}
        if record.kind == kinds.ROUND_OPENED:
            payload = cbor2.loads(record.payload)
            if payload["settings"].get("linked") != linked.identity:
                return [], {"joined": joined}
            reason = other(payload)
            if reason:
                return [Disputed(f"round {payload['round']} plays with {reason}")], {"joined": joined}
            return [], {"joined": joined, "round": payload["round"], "claims": {}}
        if record.kind == kinds.GIVEN and "round" in known:
            return _given(record.number, cbor2.loads(record.payload), known)
        return [], known

    return read


def _given(number: int, payload: dict[str, Any], known: dict[str, Any]) -> tuple[Sequence[Event], dict[str, Any]]:
    what, *words = payload["given"]
    if what == "chips":
        return [Contributed(words[0], payload["mills"])], known
    if what == "validate" and "share" in payload:
        claims = {**known["claims"], words[0]: number}
        after = {**known, "claims": claims}
        if "nonce" in payload:  # a claim of before there were any has none, and its ledger's line neither
            after["nonces"] = {**known.get("nonces", {}), words[0]: payload["nonce"]}
        return [Claimed(known["round"], words[0], payload["share"])], after
    if what == "award":
        seat, mills, _identity = words
        return [Awarded(known["claims"].get(seat, 0), mills)], known
    return [], known
