"""`wheelwright link ...`: tables of one house share a progressive meter, which the host keeps."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_NUMBER, Json, Timeout, example

if TYPE_CHECKING:
    from wheelwright.meters.house import Filled

app = typer.Typer(
    no_args_is_help=True, help="Linked meters: tables of one house share a meter, which the host keeps.",
    epilog=example(
        "wheelwright link new house-1 match.json",
        "wheelwright link run house-1 --port /dev/ttyACM0 --port /dev/ttyACM1",
    ),
)  # fmt: skip

Name = Annotated[str, typer.Argument(metavar="NAME", help="The linked meter.")]
Ledger = Annotated[
    str,
    typer.Option(
        "--ledger", envvar="WHEELWRIGHT_LEDGER", metavar="FILE",
        help="The ledger of the linked meters: a file, or a database address.",
    ),
]  # fmt: skip
Log = Annotated[
    str | None, typer.Option("--db", envvar="WHEELWRIGHT_DB", metavar="FILE", help="The log of the tables' records.")
]
DEFAULT_LEDGER = "linked.db"


@app.command(epilog=example("wheelwright link new house-1 match.json --ledger linked.db"))
def new(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The configuration that all its tables have, as JSON.")],
    test: Annotated[bool, typer.Option("--test", help="For tables in test mode; else for live play.")] = False,
    ledger: Ledger = DEFAULT_LEDGER,
    json: Json = False,
) -> None:
    """Make a linked meter; it starts at the seed of the configuration."""
    from wheelwright.configuration import load
    from wheelwright.errors import WheelwrightError
    from wheelwright.meters.books import Books
    from wheelwright.meters.reading import linkable

    game, settings, _ = load(file)
    rules = linkable(game.name)
    if not settings["linked"]:
        raise WheelwrightError(9011, place=file, reason="linked is not true")
    books = Books(ledger, create=True)
    books.open(name, game.name, rules.parameters(settings), test=test)
    _show(books, name, json)


@app.command(epilog=example(
    "wheelwright link run house-1 --port /dev/ttyACM0 --port socket://127.0.0.1:7700 --db wheelwright.db"))
def run(
    name: Name,
    port: Annotated[list[str], typer.Option("--port", "-p", metavar="ADDRESS", help="A table; may be repeated.")],
    ledger: Ledger = DEFAULT_LEDGER,
    db: Log = None,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Keep tables linked until Ctrl-C: take their contributions, fix their wins, show them the meter.

    Takes each port for itself: beside `play`, use the table's other link. With --db, records that a table has erased
    are taken from the log.
    """
    import threading
    from functools import partial

    from wheelwright import interrupt
    from wheelwright.link import Client
    from wheelwright.meters.books import Books
    from wheelwright.meters.house import House
    from wheelwright.meters.reading import reader

    def tell(address: str, text: str) -> None:
        if json:
            terminal.print_json({"port": address, "text": text})
        else:
            print(f"{address}: {text}", flush=True)

    ended = threading.Event()
    books = Books(ledger)
    house = House(books, name, reader(books.linked(name)), tell, _filled(db))
    with interrupt.heard(lambda _wish: ended.set()):
        for address in dict.fromkeys(port):
            house.follow(address, partial(Client.open, address, timeout))
        shown = -1
        while not ended.wait(0.2):
            if house.value != shown:
                shown = house.value
                if json:
                    terminal.print_json({"meter": name, "mills": shown})
                else:
                    print(f"{name} stands at {dollars(shown)}", flush=True)
        house.stop()
    if not json:
        print("linked until now; what the tables add meanwhile is taken at the next start")


@app.command(epilog=example("wheelwright link show house-1"))
def show(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The linked meter; all without.")] = None,
    ledger: Ledger = DEFAULT_LEDGER,
    json: Json = False,
) -> None:
    """How linked meters and their tables stand."""
    from wheelwright.meters.books import Books

    books = Books(ledger)
    for one in [name] if name is not None else books.names():
        _show(books, one, json)


@app.command(epilog=example("wheelwright link check house-1 --db wheelwright.db"))
def check(name: Name, ledger: Ledger = DEFAULT_LEDGER, db: Log = None, json: Json = False) -> None:
    """Replay a ledger from its first line; with --db, hold every line against the log of its table."""
    from wheelwright.meters.audit import audit
    from wheelwright.meters.books import Books
    from wheelwright.store import Store

    books = Books(ledger)
    lines = books.check(name)
    confirmed = {}
    if db is not None:
        with Store.open(db) as store:
            confirmed = audit(books, name, store)
    if json:
        terminal.print_json({"meter": name, "lines": lines, "confirmed": confirmed})
        return
    print(f"{name}: {lines} lines give the meter that it shows")
    for serial, number in confirmed.items():
        print(f"table {serial}: {number} lines are as its log says")


@app.command(epilog=example(
    'wheelwright link correct house-1 1000450 --reason "display failed" --operator ann --second bob'))
def correct(
    name: Name,
    mills: Annotated[int, typer.Argument(min=0, max=MOST_NUMBER, metavar="MILLS", help="What the meter must show.")],
    operator: Annotated[str, typer.Option("--operator", metavar="NAME", help="Who does this.")],
    second: Annotated[str, typer.Option("--second", metavar="NAME", help="Who else has looked: another person.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")],
    ledger: Ledger = DEFAULT_LEDGER,
    json: Json = False,
) -> None:
    """Correct a linked meter: a line of its ledger says who did it and why; nothing else lowers it but a win."""
    from wheelwright.meters.books import Books
    from wheelwright.supervising import check_two

    check_two(operator, second)
    books = Books(ledger)
    books.correct(name, mills, f"{operator} and {second}: {reason}")
    _show(books, name, json)


def dollars(mills: int) -> str:
    """An amount for people, down to the mill."""
    whole = f"${mills // 1000:,}.{mills % 1000:03}"
    return whole[:-1] if whole.endswith("0") else whole


def _filled(db: str | None) -> "Filled":
    from wheelwright.errors import WheelwrightError
    from wheelwright.meters.house import no_log
    from wheelwright.store import Store

    if db is None:
        return no_log

    def filled(serial: str, first: int, last: int) -> list[bytes]:
        with Store.open(db) as store:
            raws = [row.raw for row in store.records(serial, first=first, last=last)]
        if len(raws) != last - first + 1:
            raise WheelwrightError(8201, serial=serial, first=first, last=last)
        return raws

    return filled


def _show(books: Any, name: str, json: bool) -> None:
    linked, accounts = books.linked(name), books.accounts(name)
    meter = linked.meter
    if json:
        terminal.print_json({
            "meter": name, "game": linked.game, "test": linked.test, "mills": meter["current"],
            "reserve": meter["reserve"], "wagered": meter["wagered"], "won": meter["won"], "hits": meter["hits"],
            "recent": [{"serial": mark[0], "record": mark[1], "mills": mills} for mark, mills in meter["recent"]],
            "tables": [
                {"serial": one.serial, "record": one.number, "owed": [owed._asdict() for owed in one.claims.values()]}
                for one in accounts
            ],
        })  # fmt: skip
        return
    mode = "test" if linked.test else "live"
    print(f"{name} ({linked.game}, {mode}) stands at {dollars(meter['current'])}")
    print(f"  wagered {dollars(meter['wagered'])}, won {dollars(meter['won'])}, hits {meter['hits']}")
    for one in accounts:
        owed = "".join(f"; owes seat {o.seat} {dollars(o.mills)}" for o in one.claims.values())
        print(f"  table {one.serial}: taken up to record {one.number}{owed}")
