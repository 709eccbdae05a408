"""Journalled rounds as scripts for `adjudicate`, and scripts as the records that a table would have written.

Both ways are exact: the records of a script give the script again, but for what the rules refused in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tabletop import drawn
from tabletop.chance import commitment
from tabletop.rules import rounds

from wheelwright.adjudicate import ScriptedRound
from wheelwright.errors import WheelwrightError
from wheelwright.games import game_named

Records = list[tuple[str, dict[str, Any]]]
MIN_TURNS = 3
TEST = "test "  # before the name of a hidden value of a test round
SALT = bytes(32)  # of hidden values that no table has chosen
TURNS_MILLI = {"SECTION": MIN_TURNS * 1000}  # of a spin that a script does not describe any further


def script_of_records(records: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The script of one journalled round: its records (kind, payload) in order, from ROUND_OPENED on; E-9013.

    Records of other rounds are passed over.
    """
    script: dict[str, Any] = {}
    for kind, payload in records:
        if kind == "ROUND_OPENED":
            if script:
                break
            script = {"game": payload["game"], "round": payload["round"], "settings": payload["settings"],
                      "inputs": [], "draws": []}  # fmt: skip
            if "meter" in payload:
                script["meter"] = payload["meter"]
            if game_named(payload["game"]).seated:
                script["opened"] = {}
        elif not script:
            raise WheelwrightError(
                9013, place="records", reason=f"the first one is {kind}, but must be ROUND_OPENED"
            )
        elif payload.get("round", script["round"]) != script["round"]:
            continue
        elif kind == "WAGERS":
            script["inputs"] += [["wager", *bet] for bet in payload["bets"]]
        elif kind == "BETS_CLOSED":
            script["inputs"].append(["no_more_bets"])
        elif kind == "GIVEN":
            if payload["given"] != ["next"]:  # what the table does by itself, a script does too
                script["inputs"].append(list(payload["given"]))
        elif kind == "DRAW":
            script["draws"].append(_scripted(payload))
        elif kind == "OPENED" and "opened" in script:
            script["opened"][payload["name"].removeprefix(TEST)] = payload["value"]
        elif kind == "SPIN" and payload["counted"]:
            script["inputs"].append(["spin", payload["outcome"], payload.get("section", -1)])
        elif kind == "ROUND_VOIDED":
            script["inputs"].append(["void", payload["reason"]])
    return script


def _scripted(draw: Mapping[str, Any]) -> list[Any]:
    """A DRAW record as [NAME, RANGE, VALUE]: what the draw gave, not what the generator gave for it."""
    ranges, values, weights = draw["ranges"], draw["values"], draw.get("weights")
    if weights:
        return [draw["name"], len(weights), drawn.weighted_index(weights, values[0])]
    if len(ranges) == 1:
        return [draw["name"], ranges[0], values[0]]
    return [draw["name"], ranges[0], drawn.chosen(ranges[0], [*values, 0])]


class _Journalled(drawn.Named):
    """Gives the draws [name, range, value] of one step, and keeps what the generator must have given for them."""

    def __init__(self, draws: list[list[Any]], number: int, hidden: dict[str, int]) -> None:
        self._left = list(draws)
        self.hidden = hidden
        self.number = number
        self.payloads: list[tuple[str, dict[str, Any]]] = []

    def uniform(self, name: str, n: int) -> int:
        value: int = self._left.pop(0)[2]
        self._keep(name, [n], [value])
        return value

    def weighted(self, name: str, weights: list[int]) -> int:
        index: int = self._left.pop(0)[2]
        self._keep(name, [sum(weights)], [sum(weights[:index])], weights=list(weights))
        return index

    def shuffle(self, name: str, n: int) -> list[int]:
        order: list[int] = self._left.pop(0)[2]
        left, values = list(range(n)), []
        for place, item in enumerate(order[:-1]):  # the way of `drawn.chosen`, back
            at = left.index(item, place)
            values.append(at - place)
            left[place], left[at] = left[at], left[place]
        self._keep(name, [n - place for place in range(n - 1)], values)
        return order

    def _keep(self, name: str, ranges: list[int], values: list[int], **more: Any) -> None:
        self.number += 1
        payload = {"number": self.number, "name": name, "ranges": ranges, "values": values, **more}
        self.payloads.append(("DRAW", payload))

    def commit(self, name: str, n: int) -> None:
        """A hidden value: in a script it is a draw, on a table a hash."""
        self.hidden[name] = self._left.pop(0)[2]
        self.payloads.append(("COMMITTED", {
            "name": TEST + name, "hash": commitment.seal(self.hidden[name], SALT), "range": n, "salt": SALT,
        }))  # fmt: skip

    def look(self, name: str) -> int:
        return self.hidden[name]

    def disclose(self, name: str) -> int:
        value = self.hidden.pop(name)
        self.payloads.append(("OPENED", {"name": TEST + name, "value": value, "nonce": SALT, "of": 0}))
        return value


def records_of_script(script: object) -> Records:
    """The records (kind, payload) that a table in test mode would have written of a script; errors as `adjudicate`.

    Where several values of the generator give one result of a weighted draw, it is the smallest.
    """
    scripted = ScriptedRound(script)
    rules, number, settings = scripted.game.rules, scripted.number, scripted.configuration.settings
    layout = rules.layout_hash()
    opened = {
        "round": number, "game": scripted.game.name, "test": True, "layout": layout,
        "paytable": rules.paytable_hash(), "settings": settings, "min_turns": MIN_TURNS,
    }  # fmt: skip
    records: Records = []
    current: rounds.Round | None = None

    def write(kind: str, **payload: Any) -> None:
        nonlocal current
        records.append((kind, {"round": number, **payload}))
        current = rounds.follow(current, *records[-1])

    if scripted.meter is not None:
        opened["meter"] = {key: value for key, value in scripted.meter.items() if key != "recent"}
    write("ROUND_OPENED", **opened)
    before, drawn_so_far, spins = scripted.new(), 0, 0
    hidden: dict[str, int] = {}
    for given, draws, effects, state in scripted.steps():
        what = given[0]
        if effects and effects[0][0] == "refuse":
            continue
        if what == "wager":
            write("WAGERS", bets=[list(given[1:])])
        elif what == "no_more_bets":
            write("BETS_CLOSED", count=effects[0][1], mills=effects[0][2])
        elif what == "void":
            write("ROUND_VOIDED", reason=given[1], returned=sum(bet[2] for bet in before["bets"]))
        elif what == "spin":
            spins += 1
            write("SPIN_STARTED", spin=spins)
            found = {"section": given[2]} if given[1] == "SECTION" else {}
            write("SPIN", spin=spins, counted=True, outcome=given[1], turns_milli=TURNS_MILLI.get(given[1], 0),
                  direction=1, faults=[], notes=[], top_mturns_s=0, source="PHYSICAL", layout=layout, test=True,
                  **found)  # fmt: skip
        else:
            contributes = {"mills": sum(bet[2] for bet in before["bets"])} if what == "chips" else {}
            write("GIVEN", given=list(given), **contributes)
            journalled = _Journalled(draws, drawn_so_far, hidden)
            rules.step(before, given, journalled)
            for kind, payload in journalled.payloads:
                write(kind, **payload)
            drawn_so_far = journalled.number
            if current is not None:
                current.go_on()
        before = state
        if current is not None and current.owed is not None:
            owed = dict(current.owed)
            owed["meters"] = rounds.metered(rounds.no_meters(), owed, current.wagered_mills())
            write("SETTLED", **owed)
            if hasattr(rules, "parameters"):
                write("METER", game=scripted.game.name, test=True, meter=state["meter"])
            write("ROUND_CLOSED")
    return records
