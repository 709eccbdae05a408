"""`wheelwright ports`, `info`, `play`, `watch`: one table at the end of a port."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_NUMBER, MOST_SEED, Hand, Json, Port, Timeout, example, seconds

if TYPE_CHECKING:
    from wheelwright.dealer import Dealer, Payload

app = typer.Typer()

NoLive = Annotated[bool, typer.Option("--no-live", help="Lines instead of the moving ring.")]
OptionalPort = Annotated[
    str | None,
    typer.Option("--port", "-p", envvar="WHEELWRIGHT_PORT", metavar="ADDRESS", help="The table's port."),
]
OptionalDb = Annotated[
    str | None, typer.Option("--db", envvar="WHEELWRIGHT_DB", metavar="FILE", help="Store the records in this log.")
]


@app.command(epilog=example("wheelwright ports"))
def ports(json: Json = False) -> None:
    """List the serial ports of this computer; none is opened."""
    from wheelwright.ports import candidates

    found = candidates()
    if json:
        terminal.print_json([
            {"port": one.address, "serial": one.serial_number, "description": one.description,
             "usb": f"{one.vendor:04x}:{one.product:04x}" if one.vendor else ""} for one in found
        ])  # fmt: skip
        return
    for one in found:
        usb = f"  USB {one.vendor:04x}:{one.product:04x} {one.serial_number}" if one.vendor else ""
        print(f"{one.address}  {one.description}{usb}".rstrip())
    if not found:
        print("no serial port is plugged in; a virtual table starts with: wheelwright sim")


@app.command(epilog=example("wheelwright info --port /dev/ttyACM0"))
def info(
    port: Port,
    games: Annotated[bool, typer.Option("--games", help="Also how the last ten games ended.")] = False,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Who the table is, how it is, and how the link does."""
    from dataclasses import asdict

    from wheelwright import wording
    from wheelwright.link import Client

    with Client.open(port, timeout) as client:
        hello = asdict(client.hello)
        status = client.call("STATUS")
        last = client.call("GAMES")["games"] if games else {}
        statistics = {"table": client.call("STATISTICS"), "host": client.statistics()}
    if json:
        shown = {"hello": hello, "status": status, "statistics": statistics}
        terminal.print_json({**shown, "games": last} if games else shown)
        return
    for line in wording.state(hello, status):
        print(line)
    for side, counts in statistics.items():
        print(f"counters of the {side}: " + ", ".join(_counts(counts)))
    for number in sorted(last, key=int, reverse=True):
        print(wording.game(number, last[number]))
    if games and not last:
        print("no game has ended in the records that the table holds")


def _counts(values: dict[str, Any], before: str = "") -> list[str]:
    """`name value` of nested counts."""
    words: list[str] = []
    for name, value in sorted(values.items()):
        words += _counts(value, f"{name}.") if isinstance(value, dict) else [f"{before}{name} {value}"]
    return words


@app.command(epilog=example(
    "wheelwright play --port /dev/ttyACM0 --rounds 3 --bet 1:10:5000 --db table.db", "wheelwright play --game luxor"))
def play(
    port: OptionalPort = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="Without --port: play this game on a virtual table, and prove it."),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=1_000_000, metavar="N", help="How many rounds.")] = 1,
    bet: Annotated[
        list[str], typer.Option("--bet", metavar="SEAT:SPOT:MILLS", help="A wager in every round; may be repeated.")
    ] = [],  # noqa: B006  (Typer wants a list, and nothing changes it)
    hand: Hand = None,
    aim: Annotated[
        list[str], typer.Option("--aim", metavar="WORDS", help="With --hand: how spins end ('symbol 7x', 'short').")
    ] = [],  # noqa: B006
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=MOST_SEED, metavar="N", help="With --hand or --game: an evening that can be repeated."
        ),
    ] = None,
    choose: Annotated[
        list[str], typer.Option("--choose", metavar="SEAT:N", help="What a seat chooses in a bonus game.")
    ] = [],  # noqa: B006
    spot: Annotated[
        str, typer.Option("--spot", metavar="SPOT", help="Where the main wheel stops, to begin a bonus game.")
    ] = "",
    db: OptionalDb = None,
    patience: Annotated[
        float, typer.Option("--patience", parser=seconds, metavar="SECONDS", help="How long a spin may take.")
    ] = 600.0,
    no_live: NoLive = False,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Play rounds: bets, no more bets, the wheel, settlement. An open round is finished first.

    In a bonus game wagers and choices that nobody names are made up from the seed.
    """
    from contextlib import ExitStack
    from secrets import randbelow

    from wheelwright.errors import WheelwrightError
    from wheelwright.playing import Playing, Pusher, bets_of, choices_of
    from wheelwright.proving import ProvingGround

    if seed is None:
        seed = randbelow(MOST_SEED)
    bets, live = bets_of(bet), not (no_live or json)
    choices = choices_of(choose, bets)
    if (port is None) is (game is None):
        raise WheelwrightError(9000, reason="name --port, or --game for a virtual table", command="wheelwright play")
    with ExitStack() as opened:
        ground = opened.enter_context(ProvingGround(game, db)) if game is not None else None
        if ground is not None:
            port, hand, db = ground.port, ground.hand, ground.db
        pusher = opened.enter_context(Pusher(hand, aim, seed))
        with Playing(
            str(port), timeout, pusher.spin, db, patience, live=live, quiet=json, hand=pusher.hand, choices=choices,
            spot=spot, seed=seed,
        ) as playing:
            if hand is None and not json and playing.game.layout:
                print("spin the wheel by hand when bets are closed")
            _play(playing.dealer, rounds, bets, json)
        if not json and hand is not None:
            print(f"--seed {seed} repeats it")
        if ground is not None:
            proof = ground.prove()
            if json:
                terminal.print_json(proof)
            else:
                print(proof["text"])


def _play(dealer: "Dealer", rounds: int, bets: list[list[Any]], json: bool) -> None:
    taken_up = dealer.resume()
    if taken_up is not None and json:
        _print_round(taken_up)
    for _ in range(rounds):
        settled = dealer.play(bets)
        if json:
            _print_round(settled)


def _print_round(settled: "Payload | None") -> None:
    if settled is None:
        nothing = dict.fromkeys(("round", "symbol", "multiplier"))
        terminal.print_json({**nothing, "wagered": 0, "paid": 0, "voided": True})
        return
    result = {"symbol": settled.get("symbol"), "multiplier": settled.get("multiplier")}
    if "odds" in settled:
        result |= {"odds": settled["odds"]}
    wagered = settled["collected"] + sum(stake for _, _, stake, _, _, _ in settled["pays"])
    terminal.print_json({
        "round": settled["round"], **result,
        "wagered": wagered, "paid": sum(win for _, _, _, _, win, _ in settled["pays"]), "voided": False,
    })  # fmt: skip


@app.command(epilog=example("wheelwright watch --port socket://127.0.0.1:7700"))
def watch(
    port: Port,
    first: Annotated[
        int | None,
        typer.Option(
            "--from", min=1, max=MOST_NUMBER, metavar="NUMBER",
            help="Begin with this record; else with what comes now.",
        ),
    ] = None,
    rate: Annotated[int, typer.Option("--rate", min=0, max=50, metavar="HZ", help="Live values a second.")] = 10,
    no_live: NoLive = False,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Look on at a table until Ctrl-C; changes nothing.

    Takes the port for itself: beside `play`, use the table's other link.
    """
    from wheelwright.watching import watch as look_on

    try:
        look_on(port, timeout, first, rate, live=not no_live, json=json)
    except KeyboardInterrupt:  # as documented: no failure
        if not json:
            print("looked on until now; table and logs are as they were")
