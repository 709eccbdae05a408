"""A game's settings from a JSON file: its own defaults where the file is silent, checked by the rules of the table.

The file holds {"game": NAME, "settings": {...}}. The check is the very `validate` that the table runs at its start,
so that no file passes here and fails there.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from tabletop import cbor
from tabletop.rules import stakes
from tabletop.table.amending import _MOST_SETTINGS
from tabletop.table.settings import TABLE, Settings

from wheelwright import json_text, signatures
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
    left_open = getattr(game.rules, "EXAMPLES", game.settings)
    examples = tuple(key for key in left_open if key not in given and key not in stakes.LIMITS)
    return Configuration(game, settings, examples)


def read_json(path: Path) -> Any:
    """What a JSON file holds; E-9012 when it cannot be read."""
    try:
        return json_text.parse(path.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or error) from None
    except ValueError as error:
        raise WheelwrightError(9012, path=path, reason=error) from None


def load(path: Path, name: str | None = None) -> Configuration:
    """The configuration in a file, which must be for the game `name` when one is given; E-9010 to E-9012."""
    game, settings, _ = _parts(path, read_json(path))
    if name is not None and game != name:
        raise WheelwrightError(9011, place=path, reason=f"it is for {game}, not for {name}")
    return complete(game_named(game), settings, str(path))


def for_table(path: Path) -> dict[str, Any]:
    """What a table is configured with, flat as CONFIGURE takes it: from a game's configuration, or flat already.

    E-9010 to E-9012. What is flat already is for `check_for_table` to judge.
    """
    content = read_json(path)
    if isinstance(content, dict) and "settings" not in content:
        if not content:
            raise WheelwrightError(9011, place=path, reason="it holds no setting")
        return content
    game, settings, table = _parts(path, content)
    complete(game_named(game), settings, str(path))
    for key in table:
        if key not in TABLE:
            reason = f"{key} is not a setting of the table; those are {', '.join(TABLE)}"
            raise WheelwrightError(9011, place=path, reason=reason)
    return {"game": game, **settings, **table}


def _parts(path: Path, content: object) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Game, settings and the table's own settings of a configuration: {"game", "settings"} and maybe "table"."""
    if not isinstance(content, dict) or not {"game", "settings"} <= set(content) <= {"game", "settings", "table"}:
        reason = 'it must hold {"game": NAME, "settings": {...}} alone, or "table": {...} besides'
        raise WheelwrightError(9012, path=path, reason=reason)
    game, settings, table = content["game"], content["settings"], content.get("table", {})
    if not isinstance(game, str) or not isinstance(settings, dict) or not isinstance(table, dict):
        raise WheelwrightError(9012, path=path, reason="game must be a text, settings an object, and table too")
    return game, settings, table


def check_for_table(path: Path, settings: dict[str, Any], game: str) -> None:
    """E-9011 unless the table would take these settings; `game` is what it plays where they name none."""
    try:
        Settings(settings, {"game": game})
        size = len(cbor.dumps(settings))
        if size > _MOST_SETTINGS:
            raise ValueError(f"it has {size} bytes, more than {_MOST_SETTINGS}")
    except (ValueError, TypeError) as error:
        raise WheelwrightError(9011, place=path, reason=error) from None


def approval(path: Path, public_key: str | None, unsigned: bool) -> dict[str, bytes]:
    """`signer` and `hash` of a configuration that was signed with its price; E-8106 when it was not, or was changed.

    Nothing when it is `unsigned` and there is no signature.
    """
    if unsigned and not signatures.signature_of(path).exists():
        return {}
    if public_key is None and not signatures.signature_of(path).exists():
        reason = f"there is no signature {signatures.signature_of(path).name} (--unsigned sends it all the same)"
        raise WheelwrightError(8106, path=path, reason=reason)
    statement = signatures.check(path, public_key)
    if statement.get("settings") != load(path).fingerprint():
        raise WheelwrightError(8106, path=path, reason="what was signed and priced are other settings")
    return {"signer": bytes.fromhex(statement["public_key"]), "hash": bytes.fromhex(statement["sha256"])}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {key} stands there twice")
        found[key] = value
    return found
