"""What a game is worth, computed exactly: settings and wheel in, prices out; nothing here is sampled but `simulation`.

Rational numbers throughout, except Wonderspins, whose counter has no end: there floating point with a stated bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from wheelwright.configuration import Configuration
from wheelwright.errors import WheelwrightError
from wheelwright.odds.price import Price

SECTIONS = 54
EQUAL = (Fraction(1, SECTIONS),) * SECTIONS
PHYSICAL = ("dreamcatcher", "wonderspins")


def measured(counts: Sequence[int]) -> tuple[Fraction, ...]:
    """Chances of the 54 sections from how often each came; E-9014 unless there are 54 counts of 0 or more."""
    if len(counts) != SECTIONS or any(type(count) is not int or count < 0 for count in counts) or not any(counts):
        raise WheelwrightError(9014, reason=f"{SECTIONS} counts of 0 or more are needed, and one above 0")
    return tuple(Fraction(count, sum(counts)) for count in counts)


def price(configuration: Configuration, sections: Sequence[Fraction] = EQUAL) -> list[Price]:
    """The prices of every wager of a game; `sections` are the chances of a physical wheel's sections. E-9014."""
    name, settings = configuration.game.name, configuration.settings
    if name == "dreamcatcher":
        from wheelwright.odds.dreamcatcher import dreamcatcher

        return dreamcatcher(settings, sections)
    if name == "wonderspins":
        from wheelwright.odds.wonderspins import wonderspins

        return wonderspins(settings, sections)
    if name == "money_mountain":
        from wheelwright.odds.money_mountain import money_mountain

        return money_mountain(settings)
    from wheelwright.odds import bonus_city

    return {
        "new_york": bonus_city.new_york, "luxor": bonus_city.luxor,
        "mgm_grand": bonus_city.mgm_grand, "bellagio": bonus_city.bellagio,
    }[name](settings)  # fmt: skip
