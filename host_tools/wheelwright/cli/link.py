"""`wheelwright link ...`: tables of one house share a progressive meter, which the host keeps."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_NUMBER, Json, Port, Timeout, example

if TYPE_CHECKING:
    from wheelwright.meters.house import Filled

app = typer.Typer(
    no_args_is_help=True, help="Linked meters: tables of one house share a meter, which the host keeps.",
    epilog=example(
        "wheelwright link new house-1 match.json",
        "wheelwright link run house-1 --port /dev/ttyACM0 --device-key key.hex",
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
Key = Annotated[
    list[Path],
    typer.Option(
        "--device-key", envvar="WHEELWRIGHT_DEVICE_KEY", metavar="FILE",
        help="The key of a table, 64 hex digits; may be repeated, in any order.",
    ),
]  # fmt: skip
Operator = Annotated[str, typer.Option("--operator", metavar="NAME", help="Who does this.")]
Second = Annotated[str, typer.Option("--second", metavar="NAME", help="Who else has looked: another person.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")]
DEFAULT_LEDGER = "linked.db"


@app.command(epilog=example("wheelwright link new house-1 match.json --ledger linked.db"))
def new(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The configuration that all its tables have, as JSON.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The same with the meter's name, for tables (else NAME-ID.json)."),
    ] = None,
    test: Annotated[bool, typer.Option("--test", help="For tables in test mode; else for live play.")] = False,
    ledger: Ledger = DEFAULT_LEDGER,
    json: Json = False,
) -> None:
    """Make a linked meter; it starts at the seed of the configuration.

    Writes the configuration with which a table joins: `linked` in it is the meter's name, as no other ever has it. A
    table leaves with any other configuration.
    """
    from json import dumps

    from wheelwright import whole
    from wheelwright.configuration import load, read_json
    from wheelwright.meters.books import Books
    from wheelwright.meters.reading import linkable

    game, settings, _ = load(file)
    rules = linkable(game.name)
    books = Books(ledger, create=True)
    content = read_json(file)

    def place(identity: str) -> Path:
        return out or Path(f"{identity}.json")

    def write(identity: str) -> None:
        content["settings"]["linked"] = identity
        whole.write(place(identity), dumps(content, indent=1) + "\n", new=True)

    books.open(name, game.name, rules.parameters(settings), test=test, written=write)
    _show(books, name, json)
    if not json:
        print(f"configure its tables with {place(books.linked(name).identity)}")


@app.command(epilog=example(
    "wheelwright link run house-1 -p /dev/ttyACM0 -p /dev/ttyACM1 --device-key a.hex --device-key b.hex --db table.db"))
def run(
    name: Name,
    port: Annotated[list[str], typer.Option("--port", "-p", metavar="ADDRESS", help="A table; may be repeated.")],
    device_key: Key,
    ledger: Ledger = DEFAULT_LEDGER,
    db: Log = None,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Keep tables linked until Ctrl-C: take their contributions, fix their wins, show them the meter.

    Takes each port for itself: beside `play`, use the table's other link. With --db, records that a table has erased
    are taken from the log. Ends with an error's code when a table was not linked at the end.
    """
    import threading
    from functools import partial

    from wheelwright import interrupt
    from wheelwright.errors import exit_code
    from wheelwright.link import Client
    from wheelwright.meters.books import Books
    from wheelwright.meters.house import House
    from wheelwright.meters.reading import reader
    from wheelwright.supervising import read_key

    def tell(address: str, text: str) -> None:
        if json:
            terminal.print_json({"port": address, "text": text})
        else:
            print(f"{address}: {text}", flush=True)

    ended = threading.Event()
    books = Books(ledger)
    house = House(books, name, reader(books.linked(name)), [read_key(path) for path in device_key], tell, _filled(db))
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
    for address, error in house.faults.items():
        tell(address, f"was not linked at the end: {error}")
    if not json and len(house.faults) < len(set(port)):
        print("linked until now; what the tables add meanwhile is taken at the next start")
    if house.faults:
        raise typer.Exit(exit_code(next(iter(house.faults.values())).code))


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
def check(
    name: Name,
    ledger: Ledger = DEFAULT_LEDGER,
    db: Log = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="LINE:HASH", help="The head that an earlier check printed and somebody kept."),
    ] = None,
    json: Json = False,
) -> None:
    """Prove a ledger from its first line; with --db, hold every line against the log of its table.

    The head that it prints names all lines so far. Kept elsewhere and given with --head, it shows whether the ledger
    still is the one that it was then.
    """
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook.store import Store
    from wheelwright.meters.audit import audit
    from wheelwright.meters.books import Books

    books = Books(ledger)
    lines = books.check(name, _anchor(head) if head is not None else None)
    hashed = books.linked(name).head.hex()
    confirmed, absent = {}, []
    if db is not None:
        with Store.open(db) as store:
            confirmed = audit(books, name, store)
        absent = [one.serial for one in books.accounts(name) if one.serial not in confirmed]
    if json:
        terminal.print_json({"meter": name, "lines": lines, "head": f"{lines}:{hashed}", "confirmed": confirmed})
    else:
        print(f"{name}: {lines} lines give the meter that it shows, head {lines}:{hashed}")
        for serial, number in confirmed.items():
            print(f"table {serial}: {number} lines are as its log says")
    if absent:
        raise WheelwrightError(8215, tables=", ".join(absent))


@app.command(epilog=example(
    'wheelwright link correct house-1 1000450 --reason "display failed" --operator ann --second bob'))
def correct(
    name: Name,
    mills: Annotated[int, typer.Argument(min=0, max=MOST_NUMBER, metavar="MILLS", help="What the meter must show.")],
    operator: Operator,
    second: Second,
    reason: Reason,
    ledger: Ledger = DEFAULT_LEDGER,
    json: Json = False,
) -> None:
    """Correct a linked meter: a line of its ledger says who did it and why; nothing else lowers it but a win.

    Tables that were stopped, since they had recorded what the ledger cannot say, are linked again.
    """
    from wheelwright.meters.books import Books
    from wheelwright.supervising import check_two

    check_two(operator, second)
    books = Books(ledger)
    books.correct(name, mills, f"{operator} and {second}: {reason}")
    _show(books, name, json)


@app.command(epilog=example(
    "wheelwright link rejoin house-1 --port /dev/ttyACM0 "
    '--reason "new memory chip" --operator ann --second bob'))
def rejoin(
    name: Name,
    port: Port,
    operator: Operator,
    second: Second,
    reason: Reason,
    ledger: Ledger = DEFAULT_LEDGER,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Begin anew with a table whose journal does not follow from what was taken, from where that journal ends now.

    What it played and was not taken stays on no meter: say with `link correct` what the meter must show.
    """
    from wheelwright.link import Client
    from wheelwright.meters import house
    from wheelwright.meters.books import Books
    from wheelwright.supervising import check_two

    check_two(operator, second)
    books = Books(ledger)
    with Client.open(port, timeout) as client:
        last = house.rejoin(client, books, name, f"{operator} and {second}: {reason}")
        serial = client.hello.serial
    if json:
        terminal.print_json({"meter": name, "serial": serial, "record": last})
    else:
        print(f"table {serial} is taken from record {last + 1} on")


def _anchor(head: str) -> tuple[int, bytes]:
    from wheelwright.errors import WheelwrightError

    line, _, hashed = head.partition(":")
    try:
        return int(line), bytes.fromhex(hashed)
    except ValueError:
        raise WheelwrightError(9001, option="--head", value=repr(head[:80]), advice="give LINE:HASH") from None


def dollars(mills: int) -> str:
    """An amount for people, down to the mill."""
    whole = f"${mills // 1000:,}.{mills % 1000:03}"
    return whole[:-1] if whole.endswith("0") else whole


def _filled(db: str | None) -> "Filled":
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook.store import Store
    from wheelwright.meters.house import no_log

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
            "meter": name, "identity": linked.identity, "game": linked.game, "test": linked.test,
            "mills": meter["current"], "reserve": meter["reserve"], "wagered": meter["wagered"], "won": meter["won"],
            "hits": meter["hits"],
            "recent": [{"serial": mark[0], "record": mark[1], "mills": mills} for mark, mills in meter["recent"]],
            "tables": [
                {
                    "serial": one.serial, "record": one.number, "stopped": one.stopped,
                    "owed": [owed._asdict() for owed in one.claims.values()],
                }
                for one in accounts
            ],
        })  # fmt: skip
        return
    mode = "test" if linked.test else "live"
    print(f"{name} ({linked.game}, {mode}) stands at {dollars(meter['current'])}")
    print(f"  wagered {dollars(meter['wagered'])}, won {dollars(meter['won'])}, hits {meter['hits']}")
    for one in accounts:
        owed = "".join(f"; owes seat {o.seat} {dollars(o.mills)}" for o in one.claims.values())
        joined = "" if one.known.get("joined") else "; it is not joined"
        stopped = f"; stopped: {one.stopped}" if one.stopped else ""
        print(f"  table {one.serial}: taken up to record {one.number}{joined}{owed}{stopped}")
