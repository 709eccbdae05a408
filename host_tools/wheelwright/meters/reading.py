"""What a journal record means for a linked meter: contributions, claims and awards of rounds that play on it.

Only what the table has recorded counts: the GIVEN of `chips` names the mills that were wagered, that of `validate` the
share that a floorperson claims, that of `award` the amount that was paid. Rounds in the other mode (test or live), and
of tables that are not set to `linked`, are none of this meter's.
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
from wheelwright.meters.ledger import Awarded, Claimed, Contributed, Event


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


def reader(linked: Linked) -> Reading:
    """How records are read for this meter. E-8204 when a table plays it with other parameters."""
    rules = linkable(linked.game)

    def read(serial: str, record: Record, known: dict[str, Any]) -> tuple[Sequence[Event], dict[str, Any]]:
        if record.kind == kinds.ROUND_OPENED:
            payload = cbor2.loads(record.payload)
            settings = payload["settings"]
            ours = payload["game"] == linked.game and payload["test"] == linked.test and settings.get("linked", False)
            if ours and rules.parameters(settings) != linked.parameters:
                reason = f"{rules.parameters(settings)}, not {linked.parameters}"
                raise WheelwrightError(8204, round=payload["round"], serial=serial, name=linked.name, reason=reason)
            return [], {"round": payload["round"], "claims": {}} if ours else {}
        if record.kind == kinds.GIVEN and known:
            return _given(record.number, cbor2.loads(record.payload), known)
        return [], known

    return read


def _given(number: int, payload: dict[str, Any], known: dict[str, Any]) -> tuple[Sequence[Event], dict[str, Any]]:
    what, *words = payload["given"]
    if what == "chips":
        return [Contributed(words[0], payload["mills"])], known
    if what == "validate" and "share" in payload:
        claims = {**known["claims"], words[0]: number}
        return [Claimed(known["round"], words[0], payload["share"])], {**known, "claims": claims}
    if what == "award":
        seat, mills, _identity = words
        return [Awarded(known["claims"].get(seat, 0), mills)], known
    return [], known
