"""The live view of a table: the wheel as a ring with phase, turns and payouts in it; plain lines where it has no room.

Telemetry and records may come from another thread than the one that leaves the view.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text
from tabletop.rules import dreamcatcher as game

from wheelwright import wording
from wheelwright.game_words import Follower
from wheelwright.ring import MIN_HEIGHT, MIN_WIDTH, ring

LINES = 6  # of the story under the ring, where there is room for them
FRAMES_A_SECOND = 12


class Scene:
    """What is known of a table right now; pure, so that it can be tested without a terminal."""

    def __init__(self, layout: Sequence[str]) -> None:
        self.layout = tuple(layout)
        self.follower = Follower()
        self.timer_ms = 0
        self.phase = ""
        self.round = 0
        self.section = -1
        self.turns_milli = 0
        self.speed_mturns_s = 0
        self.result = ""
        self.multiplier = 1
        self.test = False

    def telemetry(self, values: Mapping[str, Any]) -> None:
        """Take one LIVE message or STATUS in; fields that it leaves out keep their value."""
        for name in ("phase", "test", "round", "section", "turns_milli", "speed_mturns_s", "multiplier"):
            if name in values:
                setattr(self, name, values[name])
        self.timer_ms = values.get("timer_ms", 0)

    def record(self, kind: str, payload: Mapping[str, Any]) -> str:
        """Take one journal record in; what a step of a bonus game did, in words."""
        if kind == "ROUND_OPENED":
            self.round, self.test, self.result, self.multiplier = payload["round"], payload["test"], "", 1
        elif kind == "SPIN_STARTED":
            self.result = ""
        elif kind == "SPIN" and payload["counted"]:
            self.section = payload.get("section", self.section)
            self.result = wording.outcome(payload, self.layout).split(",")[0]
            symbol = self.layout[payload["section"]] if payload["outcome"] == "SECTION" else ""
            self.multiplier = min(self.multiplier * game.MULTIPLIERS.get(symbol, 1), game.TOP_MULTIPLIER)
        elif kind == "SETTLED":
            self.result = f"{wording.result(payload)}: {wording.pays(payload)}"
        elif kind in ("ROUND_CLOSED", "ROUND_VOIDED"):
            self.multiplier = 1
        return self.follower.record(kind, payload)

    def game(self) -> list[str]:
        """The lamps of a bonus game as text."""
        timer = [f"choose within {-(-self.timer_ms // 1000)} s"] if self.timer_ms else []
        return self.follower.picture() + timer

    def middle(self) -> list[str]:
        """The lines in the middle of the ring."""
        speed = f"{abs(self.speed_mturns_s) / 1000:.2f} turns/s" if self.speed_mturns_s else "at rest"
        return [
            f"round {self.round}{' TEST' if self.test else ''}",
            self.phase.replace("_", " ").lower(),
            f"x{self.multiplier}" if self.multiplier > 1 else "",
            f"{wording.turns(self.turns_milli)}  {speed}",
            "",
            self.result,
        ]


class LiveView:
    """Shows a table until it is left; what happened is also printed as lines when no ring can be drawn."""

    def __init__(self, layout: Sequence[str], console: Console, *, live: bool = True) -> None:
        self.scene = Scene(layout)
        self._console = console
        self._story: deque[str] = deque(maxlen=LINES)
        room = console.is_terminal and console.width >= MIN_WIDTH and console.height > MIN_HEIGHT
        self._live: Live | None = None
        if live and room:
            self._live = Live(
                console=console, get_renderable=self._picture, refresh_per_second=FRAMES_A_SECOND, transient=True
            )

    def __enter__(self) -> "LiveView":
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def telemetry(self, values: Mapping[str, Any]) -> None:
        """Show where the wheel is."""
        self.scene.telemetry(values)

    def record(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Show one journal record."""
        done = self.scene.record(kind, payload)
        if not (self.scene.follower.round and (kind == "DRAW" or payload.get("given") == ["next"])):  # told by `done`
            self.say(wording.record(kind, payload))
        if done:
            for line in (done, *(self.scene.game() if not self._live else ())):
                self.say(f"    {line}")

    def say(self, line: str) -> None:
        """Show one line of the story."""
        if self._live:
            self._story.append(line)
        else:
            self._console.print(line, soft_wrap=True, markup=False)

    def _picture(self) -> RenderableType:
        scene = self.scene
        middle = scene.middle()
        lines: list[Text] = ring(scene.layout, scene.section, middle) if scene.layout else [*map(Text, middle)]
        lines += [Text(line) for line in scene.game()]
        width, room = self._console.width - 1, self._console.height - len(lines) - 1
        story = [Text(line[:width], style="dim") for line in list(self._story)[-room:]] if room > 0 else []
        return Group(*lines, *story)
