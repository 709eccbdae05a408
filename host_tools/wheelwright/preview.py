"""Draws what a player would see of one round: rim, inner ring, tiles and digits, LEDs as LEDs, as PNG or GIF.

The round is a simulated one (a seed gives the same round again); the frames are those of the table's own scenes.
"""

from __future__ import annotations

import importlib
import io
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont
from tabletop.scenes import View, bonus, panel
from tabletop.scenes.progressive import PAGE_MS
from tabletop.scenes.tiles import HEIGHT, WIDTH, Tiles
from tabletop.scenes.wheel_rim import COLOURS, Rim

from wheelwright import seated_preview, whole
from wheelwright.games import Game
from wheelwright.odds.simulation import Seeded

FRAME_MS = 80
SIZE = (640, 400)
SECTIONS = 54
SPIN_MS = 4000
STEP_MS = 700  # the table's setting `step_ms`: how long a step stays at least
_BACKGROUND, _DARK = (16, 16, 20), (36, 36, 42)


class Step(NamedTuple):
    """A step of the round: the state after it, its effects and how long it is shown; `spin` is a section of a wheel."""

    state: dict[str, Any]
    effects: list[Any]
    stay_ms: int
    spin: int = -1


def steps(game: Game, seed: int) -> Iterator[Step]:
    """One round with one wager on the game's first spot; what waits for a player runs into the time out."""
    rules, draws = game.rules, Seeded(random.Random(f"preview {game.name} {seed}"))
    spot = sorted(getattr(rules, "SPOTS", None) or rules.ODDS)[0]
    state = rules.new(1, dict(rules.DEFAULTS))
    for given in (("wager", 1, spot, rules.DEFAULTS["min_mills"]), ("no_more_bets",)):
        state, _ = rules.step(state, given)
    while state["phase"] != "DONE":
        phase, spin = state["phase"], -1
        given_next: tuple[Any, ...] = ("next",)
        if phase == "BEGIN":
            given_next = ("begin", spot)
        elif phase == "SPIN":
            spin = draws.uniform("wheel", SECTIONS)
            given_next = ("spin", "SECTION", spin)
        elif phase == "PRESS":
            given_next = ("press", 1)
        elif phase == "CHOICE":
            given_next = ("timeout",)
        state, effects = rules.step(state, given_next, draws)
        stay = max(STEP_MS, bonus.stay_ms(effects))
        if state["phase"] == "CHOICE":
            stay = state["settings"]["choice_ms"]
        yield Step(state, effects, stay + (SPIN_MS if spin >= 0 else 0), spin)


class Lamps:
    """The buffers of one table's lamps, drawn by the scenes of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.scene: Any = None if game.name == "dreamcatcher" else importlib.import_module(
            f"tabletop.scenes.{game.name}"
        )
        layout = getattr(game.rules, "LAYOUT", None)
        self.wheel = Rim(layout, getattr(self.scene, "RIM_COLOURS", COLOURS)) if layout else None
        self.rim = bytearray(SECTIONS * 9)
        self.inner = bytearray(36)
        self.tiles = Tiles()
        self.digits = ["", "", ""]
        self._at = 0

    def draw(self, step: Step, ms: int) -> None:
        """The lamps `ms` after the step began; a physical wheel first turns, and only then the result is shown."""
        view = View()
        view.test = False
        view.phase = "RESULT" if step.state["phase"] == "DONE" else "BONUS"
        if self.wheel:
            turning = step.spin >= 0 and ms < SPIN_MS
            view.phase = "SPINNING" if turning else "RESULT" if step.spin >= 0 else "NO_MORE_BETS"
            view.pointer = bonus.eased(3 * SECTIONS + step.spin, ms, SPIN_MS) % SECTIONS if turning else -1
            view.section = -1 if turning else step.spin
            self.wheel.draw(view, ms, self.rim)
            view.phase = "RESULT" if step.state["phase"] == "DONE" else "BONUS"
            if turning:
                return
            if step.spin >= 0:
                ms -= SPIN_MS
        if self.scene is None:
            self.digits = [self.game.rules.LAYOUT[step.spin], str(step.state["multiplier"]), ""]
            return
        self.scene.tiles(step.state, step.effects, ms, self.tiles)
        if hasattr(self.scene, "inner"):
            self.scene.inner(step.state, step.effects, ms, self.inner)
        if hasattr(self.scene, "rim"):
            self.scene.rim(step.state, step.effects, ms, self.rim)
        asked = step.state["phase"] == "CHOICE"
        timer_s = (step.state["settings"]["choice_ms"] - ms + 999) // 1000 if asked else 0
        self.digits = [
            bonus.text(view, panel.digits(view, index, ms), step.state, step.effects, index, ms, timer_s)
            for index in range(3)
        ]

    def picture(self) -> Image.Image:
        """The lamps as LEDs on a dark table: rim and inner ring, the tile matrix, three digit displays."""
        image = Image.new("RGB", SIZE, _BACKGROUND)
        pen = ImageDraw.Draw(image)
        for section in range(SECTIONS):
            for led in range(3):
                _led(pen, _round(section + (led + 0.5) / 3, SECTIONS, 180), 3.2, self.rim, section * 3 + led)
        if hasattr(self.scene, "inner"):
            for section in range(12):
                _led(pen, _round(section + 0.5, 12, 120), 9, self.inner, section)
        if self.scene is not None:
            for n in range(WIDTH * HEIGHT):
                _led(pen, (396 + n % WIDTH * 7.4, 90 + n // WIDTH * 7.4), 3, self.tiles.buf, n)
        font = ImageFont.load_default(28)
        for text, left in zip(self.digits, (396, 480, 564), strict=True):
            pen.rectangle((left - 4, 250, left + 68, 290), fill=(28, 4, 4))
            pen.text((left, 252), text, font=font, fill=(255, 70, 50))
        pen.text((396, 30), self.game.title, font=ImageFont.load_default(20), fill=(200, 200, 200))
        return image


def _round(place: float, places: int, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * place / places
    return 195 + radius * math.sin(angle), 200 - radius * math.cos(angle)


def _led(pen: Any, centre: tuple[float, float], radius: float, buf: bytearray, n: int) -> None:
    green, red, blue = buf[n * 3 : n * 3 + 3]
    # lamps look brighter than their numbers: a gamma of 1/2.2, over the dark of the LED itself
    colour = tuple(
        max(int(255 * (level / 255) ** (1 / 2.2)), dark)
        for level, dark in zip((red, green, blue), _DARK, strict=True)
    )
    x, y = centre
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _seated(game: Game, seed: int, moving: bool) -> Iterator[Image.Image]:
    """The frames of a round of cards or dice; one that does not move is told by its last."""
    for state in seated_preview.states(game, seed):
        for frame in range(seated_preview.FRAMES if moving else 1):
            yield seated_preview.picture(game, state, frame * PAGE_MS, SIZE)


def _wheeled(game: Game, seed: int, moving: bool) -> Iterator[Image.Image]:
    """The frames of a round with lamps; of one that does not move the last alone."""
    lamps = Lamps(game)
    for step in steps(game, seed):
        if moving:
            for ms in range(0, step.stay_ms, FRAME_MS):
                lamps.draw(step, ms)
                yield lamps.picture().quantize(64)
        else:
            lamps.draw(step, step.stay_ms)
    if not moving:
        yield lamps.picture()


def preview(game: Game, seed: int, path: Path) -> int:
    """Write the whole round as a GIF, or its last moment as a PNG; the number of frames in it."""
    moving = path.suffix.lower() == ".gif"
    images = list((_seated if game.seated else _wheeled)(game, seed, moving))
    drawn = io.BytesIO()
    if not moving:
        images[-1].save(drawn, format="PNG")
    else:
        images[0].save(
            drawn, format="GIF", save_all=True, append_images=images[1:], optimize=False, loop=0,
            duration=PAGE_MS if game.seated else FRAME_MS,
        )
    whole.write(path, drawn.getvalue())
    with Image.open(drawn) as written:  # moments that look alike are one frame
        return int(getattr(written, "n_frames", 1))
