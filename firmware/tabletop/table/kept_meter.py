"""The meter of a game between its rounds: a METER record of its game and mode, written before a round ends.

It is set with its own key beside that of service. That of linked tables is what their host says, and proves: it
signs with the device key, the meter's value over a nonce of this table, an award over that of its claim and the meter.
"""

from binascii import hexlify

from tabletop import ticks
from tabletop.const import const
from tabletop.digest import equal, hmac_sha256
from tabletop.journal import kinds
from tabletop.link import schema
from tabletop.link.endpoint import Refused
from tabletop.person import person
from tabletop.rules.progressive import meter as meters
from tabletop.table.records import ROUND_ROOM
from tabletop.table.service import text_of

IDLE_ROOM = 120  # pages that must be left when somebody does what can be done again and again in one round
LINK_MS = 10000  # a host that has not named the linked meter for so long is away
_KEY_RESET = const(16)
_CODE = const(4)  # bytes of a person's code
_WRONG_MS = const(2000)  # after a wrong code none is looked at: who tries them all needs a century
_MOST_VAIN = const(60)  # refusals that are written in one round, or after it; whatever it is that goes on so


class KeptMeter:
    """`meter` is what the kept record says, None for a game or a mode that never had one."""

    def __init__(self, table) -> None:
        self.table = table
        self.meter: "dict | None" = None
        self._of = -1  # the mode whose meter that is; -1: not looked up yet
        self._linked_mills = self._linked_ms = -1  # what the host said of the linked meter, and when
        self._linked: "dict | None" = None  # of which meter it said that
        self._nonce = b""  # for what it says next
        self._wrong_ms = -1  # when a wrong code was given last
        self._vain = 0  # refusals that were written since round _vain_of began
        self._vain_of = -1

    def _check(self, given: list, refused: "tuple | None") -> None:
        """What a person gave in vain is written down, while there is room and it is not too often, and refused."""
        if refused is None:
            return
        table = self.table
        if self._vain_of != table.play.number:
            self._vain_of, self._vain = table.play.number, 0
        if table.records.started and table.journal.free() >= IDLE_ROOM and self._vain < _MOST_VAIN:
            self._vain += 1
            payload = {"given": given, "code": refused[0], "detail": refused[1]}
            if table.play.round is not None:
                payload["round"] = table.play.number
            table.records.write(kinds.REFUSED, payload)
        raise Refused(refused[0], **refused[1])

    def _look_up(self) -> None:
        self._of = self.table.play.test
        self.meter = None
        for _number, kind, payload in self.table.records.kept_records():
            if kind == kinds.METER and self._mine(payload):
                self.meter = payload["meter"]
        self.table.changed()

    def _mine(self, payload: dict) -> bool:
        return payload["game"] == self.table.settings.game.NAME and payload["test"] == self.table.play.test

    def _keep(self, on: dict, **more) -> int:
        """The meter from now on, in place of the record that held so far: the number of the new one."""
        table = self.table
        payload = {"game": table.settings.game.NAME, "test": table.play.test, "meter": on}
        payload.update(more)
        for number, kind, held in table.records.kept_records():
            if kind == kinds.METER and self._mine(held):
                payload["of"] = number
        number = table.records.write(kinds.METER, payload)
        self.meter = on
        table.changed()
        return number

    def _keep_of_round(self) -> None:
        """Before the round that is open ends: its meter, with the hits of before."""
        round_ = self.table.play.round
        if "meter" not in round_.state or round_.meter_kept == round_.state["meter"]:
            return
        on = dict(round_.state["meter"])
        on["recent"] = meters.latest((self.meter["recent"] if self.meter else []) + on["recent"])
        self._keep(on, round=round_.number)
        round_.meter_kept = round_.state["meter"]

    def _away(self) -> bool:
        """The table is linked, and its host is not to be heard."""
        table = self.table
        if not table.settings.rules.get("linked"):
            return False
        since_ms = ticks.since(table.hal.clock.line_ms(), self._linked_ms)
        return since_ms > LINK_MS or self._linked != self._joined()

    def _joined(self) -> dict:
        """The meter that this table adds to, as its settings and its mode are now."""
        table = self.table
        rules = table.settings.rules
        return {"meter": rules["linked"], "test": table.play.test, "parameters": table.settings.game.parameters(rules)}

    def _proven(self, nonce: bytes, command: str, args: dict) -> bool:
        """Whether `args["mac"]` signs nonce and command with the device key."""
        data = schema.to_sign(nonce, schema.number_of(command), args)
        return equal(hmac_sha256(self.table.hal.key, data), args.get("mac", b""))

    def on_linked(self, args: dict, _origin) -> dict:
        """The host tells what the linked meter is, and gets the nonce for the next time; unsigned it only asks for one.

        Refused unless that is the meter which this table is configured to add to, with the same parameters and mode.
        """
        table, nonce = self.table, self._nonce
        if not table.settings.rules.get("linked"):
            raise Refused(4013, command="LINKED", game=table.settings.game.NAME)
        self._nonce = bytes(table.hal.entropy(16))
        if "mac" not in args:
            return {"nonce": self._nonce}
        if not nonce or not self._proven(nonce, "LINKED", args):
            raise Refused(1008)
        joined = self._joined()
        for field in joined:
            if args[field] != joined[field]:
                raise Refused(4009, field=field, value=str(args[field])[:200], choice=str(joined[field])[:200])
        if args["mills"] < 0:
            raise Refused(4009, field="mills", value=args["mills"], choice="what the linked meter shows, 0 or more")
        self._linked, self._linked_ms = joined, table.hal.clock.line_ms()
        if self._linked_mills != args["mills"]:
            self._linked_mills = args["mills"]
            table.changed()
        return {"nonce": self._nonce}

    def _check_code(self, args: dict) -> None:
        """A floorperson is known by the code to the name, in live play: four bytes of what the device key signs."""
        given, now_ms = args["given"], self.table.hal.clock.line_ms()
        if self._wrong_ms >= 0 and ticks.since(now_ms, self._wrong_ms) < _WRONG_MS:
            raise Refused(3043, seconds=_WRONG_MS // 1000)
        data = schema.to_sign(b"", schema.number_of("GIVE"), {"operator": person(given[2])})
        if not equal(hexlify(hmac_sha256(self.table.hal.key, data)[:_CODE]), args.get("mac", b"")):
            self._wrong_ms = now_ms
            self._check(given, (3037, {"operator": given[2]}))
        self._wrong_ms = -1

    def _check_award(self, args: dict) -> None:
        """An award is the host's alone to name, and never more than the meter that it named last.

        Its signature holds for one claim of one meter: that of another claim, meter or journal is none (E-1008).
        """
        given, round_ = args["given"], self.table.play.round
        meter = round_.state["settings"].get("linked") or ""
        if not self._proven(round_.nonces.get(given[1], b"") + meter.encode(), "GIVE", args):
            self._check(given, (1008, {}))
        if given[2] > self._linked_mills:
            choice = "at most %d mills, as the host named the linked meter last" % max(0, self._linked_mills)
            self._check(given, (4009, {"field": "mills", "value": given[2], "choice": choice}))

    def mills(self) -> int:
        """What the meter shows; -1 for a game without one, and for a linked one that its host has not named."""
        if self.table.settings.rules.get("linked"):
            return self._linked_mills
        round_ = self.table.play.round
        if round_ is not None and "meter" in round_.state:
            return round_.state["meter"]["current"]
        game = self.table.settings.game
        if not hasattr(game, "parameters"):
            return -1
        return self.meter["current"] if self.meter else game.parameters(self.table.settings.rules)["seed"]

    def _span(self, on: dict) -> tuple:
        """What the meter may be set to, (0, 0) for any: in it lies the value that is hidden, whatever came after."""
        table = self.table
        game = table.settings.game
        if not hasattr(game, "span"):
            return 0, 0
        name = ("test " if table.play.test else "") + on.get("hidden", "")
        low = on["parameters"]["reseed"]
        for _number, kind, payload in table.records.kept_records():
            if kind == kinds.COMMITTED and payload["name"] == name:
                return low, low + payload["range"]
        return game.span(table.settings.rules)

    def on_reset_meter(self, args: dict, _origin) -> dict:
        """The meter is set to its seed, or to what somebody says, with its own key beside that of service."""
        table, reason, operator = self.table, text_of(args, "reason"), text_of(args, "operator")
        game = table.settings.game
        given = ["reset", args.get("mills", 0), operator]
        try:
            table.commands.service.demand("RESET_METER", args)
        except Refused as refused:
            self._check(given, (refused.code, refused.detail))
        if not table.bits & _KEY_RESET:
            self._check(given, (1013, {}))
        if table.play.round is not None or table.phase != "SERVICE":
            advice = "end the round that is open, then reset the meter"
            self._check(given, (4001, {"command": "RESET_METER", "phase": table.phase, "advice": advice}))
        if not hasattr(game, "parameters"):
            raise Refused(4013, command="RESET_METER", game=game.NAME)
        if table.settings.rules.get("linked"):
            advice = "correct the shared meter at its host: wheelwright link correct"
            self._check(given, (4001, {"command": "RESET_METER", "phase": table.phase, "advice": advice}))
        for field, value in (("reason", reason), ("operator", operator)):
            if not person(value):
                raise Refused(4009, field=field, value="empty", choice="a text")
        parameters = game.parameters(table.settings.rules)
        self._look_up()
        before = self.meter or meters.opened(parameters)
        mills = args.get("mills", before["parameters"]["seed"])
        try:
            on = meters.correct(before, mills, *self._span(before))
        except ValueError as error:
            self._check(given, (4009, {"field": "mills", "value": mills, "choice": str(error)}))
        table.commands.make_room(ROUND_ROOM)
        return {"record": self._keep(on, reason=reason, operator=operator)}
