"""Wagers on cards and dice in plain words while they are played: where the round stands, and what a step did."""

from collections.abc import Mapping, Sequence
from typing import Any

from wheelwright.wording import bet, money

State = Mapping[str, Any]


def picture(state: State) -> list[str]:
    """Where a round stands, as lines of text."""
    lines = []
    if "meter" in state:
        on = state["meter"]
        reserve = f", reserve {money(on['reserve'])}" if on["reserve"] else ""
        lines.append(f"meter {money(on['current'])}{reserve}")
    if state["bets"]:
        lines.append(", ".join(bet(*row) for row in state["bets"]))
    if state.get("dynamic"):
        lines.append("Dynamic Pays: " + ", ".join(f"{result} {odds} for 1" for result, odds in state["dynamic"]))
    for seat, cards, *_ in state.get("hands", ()):
        lines.append(f"seat {seat}: {' '.join(cards)}")
    if state.get("dealt"):
        lines.append(f"dealer: {' '.join(state['dealt'])}")
    return lines


_EFFECTS = {
    "accept": "the lamp of seat {} is lit", "lose": "seat {0} loses its wager on {1}", "win": "seat {} has {}: {}",
    "cards stay": "the cards of seat {} stay until the slip is documented", "cards go": "the cards of seat {} may go",
    "dice": "the dice show red {}, blue {} and {}", "points": "seat {} has {} points",
    "open": "the wager of seat {0} on {1} is settled by chapter 645a",
}  # fmt: skip
_MONEY = {  # effect: words, which argument is money
    "return": ("seat {0} gets {2} back", 2), "push": ("seat {0} pushes, {2} goes back", 2),
    "meter": ("the meter shows {0}", 0), "hit": ("seat {0} hits the meter: {1}", 1),
    "award": ("the host names {1} for seat {0}", 1), "super bonus": ("seat {0} gets a super bonus of {1}", 1),
    "opened": ("{0} was {1}", 1),
}  # fmt: skip
_BY = {"INVENTORY": "from the table inventory", "SLIP": "by jackpot slip"}


def said(effects: Sequence[Sequence[Any]]) -> str:
    """What a step did, in words."""
    words = []
    for name, *about in effects:
        if name == "paid":
            seat, result, _stake, mills, by = about
            words.append(f"seat {seat} is handed {money(mills)} {_BY[by]} for {result}")
        elif name == "dynamic":
            words.append("Dynamic Pays: " + ", ".join(f"{result} {odds} for 1" for result, odds in about[0]))
        elif name == "tiger":
            words.append("the dealer has a Tiger 9" if about[0] else "the dealer has no Tiger 9")
        elif name == "start":
            words.append(f"the deal starts at {f'seat {about[0]}' if about[0] else 'the dealer'}")
        elif name == "claim":
            words.append(f"{about[1]} % of the linked meter is claimed for seat {about[0]}; the host names the amount")
        elif name == "hidden":
            words.append("a value was hidden under which the meter must hit")
        elif name in _MONEY:
            pattern, at = _MONEY[name]
            words.append(pattern.format(*(money(value) if n == at else value for n, value in enumerate(about))))
        elif name in _EFFECTS:
            words.append(_EFFECTS[name].format(*about))
    return "; ".join(words)
