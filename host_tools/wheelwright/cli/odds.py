"""`wheelwright odds`: what a game is worth, exactly."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_SEED, Json, Serial, example

if TYPE_CHECKING:
    from wheelwright.configuration import Configuration
    from wheelwright.odds.price import Price
    from wheelwright.odds.simulation import Tally

app = typer.Typer()
MOST_ROUNDS = 1_000_000_000  # simulated
LISTED = 12  # pays shown to people; --json has all


@app.command(epilog=example(
    "wheelwright odds dreamcatcher", "wheelwright odds luxor --config luxor.json --simulate 100000 --plot luxor.svg",
    "wheelwright odds dreamcatcher --db table.db", "wheelwright odds match_the_dealer",
))  # fmt: skip
def odds(
    game: Annotated[str, typer.Argument(metavar="GAME", help="dreamcatcher, luxor, match_the_dealer ...")],
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings of the game; examples without.")] = None,
    trigger: Annotated[
        str | None, typer.Option(metavar="N/M", help="Chance that the main wheel begins the bonus game, such as 3/54.")
    ] = None,
    db: Annotated[
        str | None, typer.Option(metavar="FILE", help="The wheel as measured in this log; else equal sections.")
    ] = None,
    serial: Serial = None,
    simulate: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_ROUNDS, help="Play N rounds as well and compare.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=MOST_SEED, help="Seed of the simulation.")] = 1,
    levers: Annotated[bool, typer.Option("--levers", help="Show what doubling each weight changes.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the distribution of pays.")] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", envvar="WHEELWRIGHT_KEY",
            help="Sign the settings of --config, with their price, with this Ed25519 key, made on first use.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compute return, hit rate and distribution of a game exactly; exit code 1 when a simulation disagrees."""
    from wheelwright import odds as pricing
    from wheelwright.configuration import check_for_table, complete, for_table, load
    from wheelwright.errors import WheelwrightError
    from wheelwright.games import game_named
    from wheelwright.odds import simulation
    from wheelwright.wagers import WAGERS

    if game in WAGERS:
        from wheelwright.cli import wager_odds

        for option, value in (("--trigger", trigger), ("--db", db), ("--levers", levers), ("--plot", plot)):
            if value:
                raise WheelwrightError(9001, option=option, value=value, advice=f"{game} is no bonus game")
        if key and not config:
            raise WheelwrightError(9001, option="--key", value=key, advice="name the file to sign with --config")
        if config and key:
            check_for_table(config, for_table(config), game)
        wager = load(config, game) if config else complete(game_named(game), {}, "the rules")

        def sign(worth: dict[str, str]) -> Path | None:
            return _sealed(config, key, wager, {"worth": worth}) if config and key else None

        wager_odds.show(wager, not config, simulate, seed, json, sign)
        return
    if trigger and game == "dreamcatcher":
        raise WheelwrightError(9001, option="--trigger", value=trigger, advice="its own wheel decides")
    if key and not config:
        raise WheelwrightError(9001, option="--key", value=key, advice="name the file to sign with --config")
    if plot and plot.suffix.lower() != ".svg":
        raise WheelwrightError(9001, option="--plot", value=plot, advice="end it with .svg")
    chance = _chance(trigger)
    found = load(config, game) if config else complete(game_named(game), {}, "the rules")
    if config and key:
        check_for_table(config, for_table(config), game)  # what no table takes is not signed
    counts = _measured(db, serial, game) if db else None
    sections = pricing.measured(counts) if counts else pricing.EQUAL
    prices = pricing.price(found, sections)
    if plot and not simulate and all(one.pays is None for one in prices):
        advice = f"too many pays of {game} to list them; add --simulate N"
        raise WheelwrightError(9001, option="--plot", value=plot, advice=advice)
    tallies: list[Tally | None] = [None] * len(prices)
    for n, one in enumerate(prices if simulate else []):
        choice = int(one.choice.split()[-1]) if one.choice else None
        with terminal.progress(f"simulate {one.spot}", simulate) as advance:
            tallies[n] = simulation.simulate(found, one.spot, simulate, seed, sections, choice, advance=advance)
    moved = _levers(found, sections) if levers else []
    signature = _signed(config, key, found, prices) if config and key else None
    if plot:
        from wheelwright.odds import picture

        picture.draw(plot, found.game.title, prices, tallies)
    if json:
        terminal.print_json({
            "game": game, "settings": found.fingerprint(), "examples": list(found.examples),
            "sections": list(counts) if counts else "equal",
            "prices": [_as_json(one, tally, chance) for one, tally in zip(prices, tallies, strict=True)],
            "levers": [
                {"place": lever.place, "changes": [float(c) for c in lever.changes], "choices": list(lever.choices)}
                for lever in moved
            ],
            "signature": None if signature is None else str(signature),
        })  # fmt: skip
    else:
        _print(found, prices, tallies, chance, counts)
        _print_levers(moved)
        if signature:
            print(f"signed: {signature}")
    wrong = [one.spot for one, tally in zip(prices, tallies, strict=True) if tally and not _agrees(one, tally)]
    if wrong:
        raise WheelwrightError(8104, failed=len(wrong), total=len(prices), names=", ".join(wrong))


def _chance(trigger: str | None) -> Fraction | None:
    from wheelwright.errors import WheelwrightError

    if trigger is None:
        return None
    try:
        chance = Fraction(trigger if len(trigger) <= 40 and "e" not in trigger.lower() else "")
    except (ValueError, ZeroDivisionError):
        chance = Fraction(-1)
    if not 0 < chance <= 1:
        raise WheelwrightError(9001, option="--trigger", value=trigger, advice="write a chance such as 3/54")
    return chance


def _signed(config: Path, key: Path, found: "Configuration", prices: "list[Price]") -> Path:
    """The signature of a configuration: over its bytes, its settings' hash and what they are worth."""
    worth = {f"{one.spot} {one.choice}".strip(): str(one.mean) for one in prices}
    return _sealed(config, key, found, {"mean_odds": worth})


def _sealed(config: Path, key: Path, found: "Configuration", worth: dict[str, dict[str, str]]) -> Path:
    from wheelwright import signatures

    statement = {"game": found.game.name, "settings": found.fingerprint(), **worth}
    return signatures.sign(config, statement, signatures.key(key))


def _measured(db: str, serial: str | None, game: str) -> list[int]:
    """How often each section of the game's wheel came in the log."""
    from wheelwright import odds
    from wheelwright.errors import WheelwrightError
    from wheelwright.games import game_named
    from wheelwright.logbook import entries
    from wheelwright.logbook.store import Store

    if game not in odds.PHYSICAL:
        raise WheelwrightError(9001, option="--db", value=db, advice=f"{game} has no physical wheel")
    layout = game_named(game).rules.layout_hash()
    counts = [0] * odds.SECTIONS
    with Store.open(db) as store:
        serial = store.serial(serial)
        for _, kind, payload in entries.payloads(serial, store.records(serial)):
            if kind == "SPIN" and payload["outcome"] == "SECTION" and payload["layout"] == layout:
                counts[payload["section"]] += 1
    if not any(counts):
        raise WheelwrightError(9014, reason=f"the log {db} holds no result of {game}")
    return counts


def _levers(found: "Configuration", sections: Any) -> list[Any]:
    from wheelwright.odds import levers

    with terminal.progress("levers", None) as advance:
        return levers.levers(found, sections, advance)


def _agrees(one: "Price", tally: "Tally") -> bool:
    return abs(tally.mean() - float(one.mean)) <= tally.margin(one.variance()) + float(one.bound)


def _as_json(one: "Price", tally: "Tally | None", chance: Fraction | None) -> dict[str, Any]:
    def exactly(value: Fraction) -> str | None:
        return str(value) if not one.bound else None

    wager = one.wager_return(chance)
    result: dict[str, Any] = {
        "spot": one.spot, "choice": one.choice, "mean_odds": float(one.mean), "mean_odds_exact": exactly(one.mean),
        "bound": float(one.bound), "return": None if wager is None else float(wager),
        "return_exact": None if wager is None else exactly(wager), "hit": float(one.hit),
        "minimum_share": float(one.minimum), "maximum_share": float(one.maximum), "jackpot": float(one.jackpot),
        "pays": None if one.pays is None else {str(odds): float(chance) for odds, chance in one.pays.items()},
        "listed": float(one.listed), "note": one.why, "means": {key: float(value) for key, value in one.means.items()},
    }  # fmt: skip
    if tally:
        result["simulation"] = {
            "rounds": tally.rounds, "mean_odds": tally.mean(), "margin": tally.margin(one.variance()),
            "confidence": 0.999, "agrees": _agrees(one, tally), "band": tally.band(),
            "odds": {str(odds): tally.odds[odds] for odds in sorted(tally.odds)}, "notes": dict(tally.notes),
        }  # fmt: skip
    return result


def _print_levers(moved: list[Any]) -> None:
    for lever in moved:
        if any(lever.changes):
            names = [f"{choice} " for choice in lever.choices] or [""] * len(lever.changes)
            changes = "  ".join(
                f"{name}{float(change):+.4f}" for name, change in zip(names, lever.changes, strict=True)
            )
            print(f"  doubling {lever.place:<32} moves the mean odds by {changes}")
    still = [lever.place for lever in moved if lever.changes and not any(lever.changes)]
    fixed = [lever.place for lever in moved if not lever.changes]
    if fixed:
        print(f"  the rules let none of these alone be doubled: {', '.join(fixed)}")
    if still:
        print(f"  doubling any of these changes nothing: {', '.join(still)}")


def _print(
    found: "Configuration", prices: "list[Price]", tallies: "list[Tally | None]", chance: Fraction | None,
    counts: list[int] | None,
) -> None:  # fmt: skip
    from wheelwright import wording

    print(f"{found.game.title}, settings {found.fingerprint()[:16]}")
    if found.examples:
        print(f"examples, not approved mathematics: {', '.join(found.examples)}")
    if counts:
        print(f"wheel as measured in {wording.count(sum(counts), 'spin')}")
    for one, tally in zip(prices, tallies, strict=True):
        wager = one.wager_return(chance)
        print(f"\n{one.spot} {one.choice}".rstrip())
        if wager is not None:
            print(f"  return of a wager  {float(100 * wager):.3f} %")
        within = f" (within {float(one.bound):.1e})" if one.bound else " (exact)"
        print(f"  mean odds          {float(one.mean):.6f} to 1{within}")
        print(f"  hit rate           {float(100 * one.hit):.4f} %")
        if one.jackpot:
            print(f"  jackpot            {float(100 * one.jackpot):.4f} %")
        print(f"  changed by minimum {float(100 * one.minimum):.4f} %, by maximum {float(100 * one.maximum):.4f} %")
        for name, value in one.means.items():
            print(f"  mean: {name:<36} {float(value):.6f}")
        _print_pays(one)
        if tally:
            print(f"  simulated {wording.count(tally.rounds, 'round')}: mean {tally.mean():.4f} "
                  f"+- {tally.margin(one.variance()):.4f} (99.9 %): "
                  f"{'agrees' if _agrees(one, tally) else 'DISAGREES'}; no cumulative share is off by more "
                  f"than {tally.band():.4f}")  # fmt: skip


def _print_pays(one: "Price") -> None:
    if one.why:
        print(f"  note: {one.why}")
    if one.pays is None:
        return
    often = sorted(((odds, share) for odds, share in one.pays.items() if odds), key=lambda item: -item[1])[:LISTED]
    texts = [f"{odds} to 1 {float(100 * share):.3f} %" for odds, share in sorted(often)]
    print(f"  most frequent pays: {', '.join(texts)}")
