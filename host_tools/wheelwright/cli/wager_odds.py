"""`wheelwright odds` for a wager of the progressive seeds: one line a paytable, or one paytable result by result."""

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from wheelwright import terminal

if TYPE_CHECKING:
    from wheelwright.configuration import Configuration
    from wheelwright.odds.wagers import WagerPrice


def show(found: "Configuration", every: bool, simulate: int, seed: int, json: bool) -> None:
    """Every printed paytable, or the configured one; E-8104 when `simulate` hands disagree with its chances."""
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
            "prices": [_as_json(one) for one in prices],
            "simulation": {"hands": simulate, "results": {str(k): n for k, n in counted.items()}, "strays": wrong},
        })  # fmt: skip
    else:
        _print(found, prices, every)
        if simulate:
            print(f"\nsimulated {simulate} hands of {configured[0].which}: {'DISAGREES' if wrong else 'agrees'}")
    if wrong:
        raise WheelwrightError(8104, failed=len(wrong), total=len(configured[0].chances), names=", ".join(wrong))


def _as_json(one: "WagerPrice") -> dict[str, Any]:
    from tabletop.rules.progressive import pays

    even = one.break_even()
    told: dict[str, Any] = {
        "paytable": one.which, "wager_mills": one.wager_mills, "hit": float(one.hit()),
        "return_at_odds": float(one.fixed()), "return_at_odds_exact": str(one.fixed()),
        "results": [
            {"result": name, "chance": float(chance), "chance_exact": str(chance), "pays": pays.words(one.pays[name])}
            for name, chance in one.chances.items()
        ],
    }  # fmt: skip
    if even is not None:
        told["meter"] = {
            "seed_mills": one.seed, "return_at_seed": float(one.at(one.seed)), "return_in_the_long_run":
            float(one.long_run()), "break_even_mills": float(even), "wagers_per_hit": float(1 / one.jackpot()),
        }  # fmt: skip
    return told


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.3f} %"


def _print(found: "Configuration", prices: "list[WagerPrice]", every: bool) -> None:
    from tabletop.rules.progressive import pays

    print(f"{found.game.title}, settings {found.fingerprint()[:16]}")
    if found.examples:
        print(f"left open by the text, set by a file: {', '.join(found.examples)}")
    for one in prices:
        even = one.break_even()
        print(f"\n{one.which}: returns {_percent(one.fixed())} at odds (exact), wins {_percent(one.hit())}")
        if even is not None:
            print(f"  with its meter: {_percent(one.at(one.seed))} at the seed of ${one.seed / 1000:,.2f}, "
                  f"100 % at ${float(even) / 1000:,.2f}, {_percent(one.long_run())} in the long run; "
                  f"a hit in {float(1 / one.jackpot()):,.0f} wagers")  # fmt: skip
        for result, chance in one.chances.items() if not every else ():
            print(f"  {result:<40} {float(100 * chance):>10.5f} %  {pays.words(one.pays[result])}")
