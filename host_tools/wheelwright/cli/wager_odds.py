"""`wheelwright odds` for a wager of the progressive seeds: one line a paytable, or one paytable result by result."""

from typing import TYPE_CHECKING

from wheelwright import terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wheelwright.configuration import Configuration
    from wheelwright.odds.wagers import Priced


def show(
    found: "Configuration", every: bool, simulate: int, seed: int, json: bool,
    sign: "Callable[[dict[str, str]], Path | None]",
) -> None:  # fmt: skip
    """Every printed paytable, or the configured one; E-8104 when `simulate` rounds disagree with its chances.

    `sign` signs what the wagers are worth, by paytable, and says where; None when nothing is to be signed.
    """
    from wheelwright import wording
    from wheelwright.errors import WheelwrightError
    from wheelwright.odds import wagers

    configured = wagers.prices(found, False)
    prices = wagers.prices(found, True) if every else configured
    simulated: dict[str, dict[str, int]] = {}
    wrong: list[str] = []
    if simulate and not any(one.chances for one in configured):
        raise WheelwrightError(9001, option="--simulate", value=simulate, advice="its chances are not in the text")
    if simulate:
        with terminal.progress(f"simulate {found.game.name}", None):
            counted = wagers.results(found, simulate, seed)
        for one, results in zip(configured, counted, strict=True):
            simulated[one.which] = {str(result): n for result, n in results.items()}
            wrong += [f"{one.which}: {result}" for result in wagers.strays(one, results)]
    worth = {one.which: ", ".join(f"{what} {value}" for what, value in one.cells().items()) for one in configured}
    signature = None if wrong else sign(worth)
    if json:
        terminal.print_json({
            "game": found.game.name, "settings": found.fingerprint(), "examples": list(found.examples),
            "prices": [one.as_json() for one in prices],
            "simulation": {"rounds": simulate, "results": simulated, "strays": wrong},
            "signature": None if signature is None else str(signature),
        })  # fmt: skip
    else:
        _print(found, prices, every)
        if simulate:
            told = ", ".join(one.which for one in configured)
            print(f"\nsimulated {wording.count(simulate, 'round')} of {told}: {'DISAGREES' if wrong else 'agrees'}")
        if signature:
            print(f"signed: {signature}")
    if wrong:
        total = sum(len(one.chances) for one in configured)
        raise WheelwrightError(8104, failed=len(wrong), total=total, names=", ".join(wrong))


def _print(found: "Configuration", prices: "list[Priced]", every: bool) -> None:
    print(f"{found.game.title}, settings {found.fingerprint()[:16]}")
    if found.examples:
        print(f"left open by the text, set by a file: {', '.join(found.examples)}")
    for one in prices:
        print(f"\n{one.which}: {', '.join(f'{head} {cell}' for head, cell in one.cells().items())}")
        for line in () if every else one.details():
            print(f"  {line}")
