"""Which part of the table plays a game that is not of a wheel alone: a bonus game's, or that of cards and dice."""

from tabletop.rules import GAMES


def start(table) -> None:
    """Gives the table its part."""
    if table.settings.game.NAME in GAMES:
        from tabletop.table import bonus

        bonus.start(table)
    else:
        from tabletop.table import progressive

        progressive.start(table)
