"""A bonus game in plain words while it is played: what its lamps show, as text, and what the last step did.

`Follower` takes records as they come and does each step as soon as its draws are there, by the rules of the table.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.drawn import Missing
from tabletop.rules.progressive.rounds import ProgressiveRound
from tabletop.rules.rounds import Round, follow

from wheelwright import card_words

State = Mapping[str, Any]
CHARACTERS = ("Rabbit", "Cat", "Crown", "Bird", "Mouse", "Hat")


def picture(state: State) -> list[str]:
    """The lamps of a bonus game as lines of text; [] before it has begun."""
    lines = []
    if state.get("multiplier", 1) > 1:
        lines.append(f"multiplier {state['multiplier']}x")
    if "multipliers" in state:
        lines.append("  ".join(f"{name} {n}" for name, n in zip(CHARACTERS, state["multipliers"], strict=True)))
    if "locked" in state:
        reels = [str(value) if value else "-" for value in state["locked"]]
        lines += ["  ".join(f"{text:>5}" for text in reels[row : row + 3]) for row in (0, 3, 6)]
        lines.append(f"jackpot {state['jackpot']}" + (f", Mystery {state['mystery']}x" if state["mystery"] > 1 else ""))
    if "buildings" in state:
        lit = state.get("building", -1)
        lines.append(" ".join(f"[{n}]" if at == lit else str(n) for at, n in enumerate(state["buildings"])))
    if "grid" in state:
        hidden = state["phase"] in ("CHOICE", "REVEAL")
        grid = [f"#{at + 1}" if hidden else str(value) for at, value in enumerate(state["grid"])]
        lines += ["  ".join(f"{text:>5}" for text in grid[row : row + 7]) for row in (0, 7, 14)]
    if "spots" in state:
        lines.append("  ".join(f"spot {at + 1}: {total}" for at, total in enumerate(state["spots"])))
    if "meters" in state:
        lines.append("  ".join(f"machine {at + 1}: {total}" for at, total in enumerate(state["meters"])))
        lines.append(f"icons {state['icons']}, spins done {state['spun']}")
    if "rounds" in state:
        lines.append(f"meter {state['meter']}, spins left {state['rounds']}")
    if state.get("choices"):
        lines.append(", ".join(f"seat {seat} chose {choice}" for seat, choice in sorted(state["choices"].items())))
    return lines


_EFFECTS = {
    "multiplier": "the multiplier is {}x", "characters": "the characters show {}", "rounds": "spins left: {}",
    "inner": "the inner wheel stops on {1}", "add": "{0} grows by {1} to {2}", "respin": "void ({}): spin again",
    "meter": "the meter shows {}", "mystery": "the Mystery multiplier is {}x", "jackpot": "the jackpot is {} to 1",
    "lock": "reel {} locks {}", "buildings": "the buildings show {}", "light": "the light stops on building {}: {}",
    "grid": "the grid shows {}", "strikes": "lightning strikes: {}", "strike": "strike {} multiplies all by {}",
    "hidden": "the awards are shuffled and hidden", "timer": "choose within {} ms",
    "chosen": "seat {} takes {} ({})", "revealed": "the symbols show {}", "awards": "the combinations pay {}",
    "reels": "machine {}: {} pays {}", "meters": "the meters show {}", "tracker": "Bellagio icons: {}",
    "segments": "the multipliers are on the wheel",
    "bonus": "all meters times {}", "spots": "the spots hold {}",
}  # fmt: skip


def said(effects: Sequence[Sequence[Any]]) -> str:
    """What a step did, in words; wagers, odds and pays are told by the SETTLED record."""
    words = []
    for name, *about in effects:
        shown = [" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value) for value in about]
        if name == "outer":
            words.append(f"the wheel stops on {shown[1]}" + (f", award {shown[2]}" if len(shown) > 2 else ""))
        elif name == "torch":
            words.append("the torch lights up: 2x" if about[0] else "the torch stays dark")
        elif name == "ball":
            colour, number, end, value = about
            where = f"spot {end + 1} ({value})" if end < 4 else f"void hole {end - 3}"
            words.append(f"{colour} ball {number}: {where}")
        elif name in _EFFECTS:
            words.append(_EFFECTS[name].format(*shown))
    return "; ".join(words)


class Follower:
    """The open round of a table, from its records. One whose beginning was not seen is not followed."""

    def __init__(self) -> None:
        self.round: Round | None = None
        self._effects: object = None

    def record(self, kind: str, payload: Mapping[str, Any]) -> str:
        """Take one record; what the step that it completes did, "" when it completes none."""
        try:
            current = self.round = follow(self.round, kind, payload)  # type: ignore[arg-type]
            if current is not None and current.given is not None:
                current.go_on()
        except Missing:
            return ""
        except (ValueError, KeyError, TypeError, AttributeError):  # replay says what is wrong with it; a view goes on
            self.round = None
            return ""
        effects = getattr(current, "effects", None)
        if effects is self._effects:
            return ""
        self._effects = effects
        return (card_words.said if isinstance(current, ProgressiveRound) else said)(effects or ())

    def state(self) -> State | None:
        """The state of the open round, None while it is not known."""
        return None if self.round is None or self.round.given is not None else self.round.state

    def picture(self) -> list[str]:
        """The lamps of the game that is being played, as text."""
        if isinstance(self.round, ProgressiveRound):
            return card_words.picture(self.round.state)
        return picture(self.round.state) if hasattr(self.round, "effects") and self.round is not None else []
