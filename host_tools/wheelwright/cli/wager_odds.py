"""`wheelwright odds` for a wager of the progressive seeds: one line a paytable, or one paytable result by result."""

from collections import Counter
from typing import TYPE_CHECKING

from wheelwright import terminal

if TYPE_CHECKING:
    from wheelwright.configuration import Configuration
    from wheelwright.odds.wagers import Priced


def show(found: "Configuration", every: bool, simulate: int, seed: int, json: bool) -> None:
    """Every printed paytable, or the configured one; E-8104 when `simulate` rounds disagree with its chances."""
    from wheelwright.errors import WheelwrightError
    from wheelwright.odds import wagers

    configured = wagers.prices(found, False)
    prices = wagers.prices(found, True) if every else configured
    counted: Counter[str | None] = Counter()
    if simulate:
        with terminal.progress(f"simulate {found.game.name}", None):
            counted = wagers.results(found, simulate, seed)
    wrong = list(wagers.strays(configured[0], counted)) if simulate else []
    if json:
        terminal.print_json({
            "game": found.game.name, "settings": found.fingerprint(), "examples": list(found.examples),
            "prices": [one.as_json() for one in prices],
            "simulation": {"rounds": simulate, "results": {str(k): n for k, n in counted.items()}, "strays": wrong},
        })  # fmt: skip
    else:
        _print(found, prices, every)
        if simulate:
            print(f"\nsimulated {simulate} rounds of {configured[0].which}: {'DISAGREES' if wrong else 'agrees'}")
    if wrong:
        raise WheelwrightError(8104, failed=len(wrong), total=len(configured[0].chances), names=", ".join(wrong))


def _print(found: "Configuration", prices: "list[Priced]", every: bool) -> None:
    print(f"{found.game.title}, settings {found.fingerprint()[:16]}")
    if found.examples:
        print(f"left open by the text, set by a file: {', '.join(found.examples)}")
    for one in prices:
        print(f"\n{one.which}: {', '.join(f'{head} {cell}' for head, cell in one.cells().items())}")
        for line in () if every else one.details():
            print(f"  {line}")
