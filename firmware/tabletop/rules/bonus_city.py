"""MGM Bonus City: which bonus games it has, and the multiplier under which one of them begins.

The multiplier of section 696.3 is drawn here with the weights of the settings, since the main game that
selects it is not part of these rules.
"""

from tabletop.rules import stakes, weights

# (a): Inspired Wheelspin's Bonus Games A to D: letter -> (module, spot on the layout).
BONUS_GAMES = {
    "A": ("new_york", "New York, New York"),
    "B": ("luxor", "Luxor"),
    "C": ("mgm_grand", "MGM Grand"),
    "D": ("bellagio", "Bellagio"),
}
# 696.3. An example, not approved mathematics: no multiplier in 17 of 20 games.
MULTIPLIERS = [[1, 170], [2, 20], [3, 7], [5, 2], [10, 1]]
TOP_MULTIPLIER = 100


def check(settings: dict) -> None:
    """ValueError unless the setting `multipliers` is a table of 1 to TOP_MULTIPLIER."""
    weights.check("multipliers", settings["multipliers"], 1, TOP_MULTIPLIER)


def begin(state: dict, spot: str, own_spot: str, phase: str, draws) -> "tuple[dict, list]":
    """The main game selected this bonus game; the draw `multiplier` says with which multiplier under 696.3."""
    after, effects = stakes.begin(state, spot, (own_spot,), phase)
    if after["phase"] == phase:
        after["multiplier"] = weights.draw(draws, "multiplier", state["settings"]["multipliers"])
        effects.append(("multiplier", after["multiplier"]))
    return after, effects
