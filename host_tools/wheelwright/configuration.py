"""A game's settings from a JSON file: its own defaults where the file is silent, checked by the rules of the table.

The file holds {"game": NAME, "settings": {...}}. The check is the very `validate` that the table runs at its start,
so that no file passes here and fails there.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from tabletop import cbor
from tabletop.rules import stakes

from wheelwright.errors import WheelwrightError
from wheelwright.games import Game, game_named


class Configuration(NamedTuple):
    """Complete settings of a game. `examples` names the keys that still have the example values of the rules."""

    game: Game
    settings: dict[str, Any]
    examples: tuple[str, ...]

    def fingerprint(self) -> str:
        """SHA-256 over the game's name and the settings in deterministic CBOR, as hex: names exactly these settings."""
        return hashlib.sha256(cbor.dumps({"game": self.game.name, "settings": self.settings})).hexdigest()


def complete(game: Game, given: dict[str, Any], place: str) -> Configuration:
    """Defaults with `given` on top; E-9011 names `place` (a file), key, value and limit of what cannot be used."""
    settings = dict(game.rules.DEFAULTS)
    settings.update(given)
    try:
        game.rules.validate(settings)
    except ValueError as error:
        raise WheelwrightError(9011, place=place, reason=error) from None
    examples = tuple(key for key in game.settings if key not in given and key not in stakes.LIMITS)
    return Configuration(game, settings, examples)


def read_json(path: Path) -> Any:
    """What a JSON file holds; E-9012 when it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or error) from None
    except ValueError as error:
        raise WheelwrightError(9012, path=path, reason=error) from None


def load(path: Path, name: str | None = None) -> Configuration:
    """The configuration in a file, which must be for the game `name` when one is given; E-9010 to E-9012."""
    content = read_json(path)
    if not isinstance(content, dict) or set(content) != {"game", "settings"}:
        raise WheelwrightError(9012, path=path, reason='it must hold {"game": NAME, "settings": {...}} alone')
    if name is not None and content["game"] != name:
        raise WheelwrightError(9011, place=path, reason=f"it is for {content['game']}, not for {name}")
    if not isinstance(content["settings"], dict):
        raise WheelwrightError(9012, path=path, reason="settings must be an object")
    return complete(game_named(content["game"]), content["settings"], str(path))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {key} stands there twice")
        found[key] = value
    return found
