"""`wheelwright replay`: adjudicate every round of a log again and compare."""

import typer

from wheelwright import terminal
from wheelwright.cli.options import Db, Json, Serial, example

app = typer.Typer()


@app.command(epilog=example("wheelwright replay --db table.db"))
def replay(db: Db = "wheelwright.db", serial: Serial = None, json: Json = False) -> None:
    """Work out every round of the log again from wagers and spins; exit code 1 when a result differs or records are
    missing in the middle."""
    from wheelwright import wording
    from wheelwright.cli.options import kind_numbers
    from wheelwright.logbook import entries
    from wheelwright.logbook.corrections import by_record
    from wheelwright.logbook.store import Store
    from wheelwright.replay import Summary
    from wheelwright.replay import replay as replay_rounds

    summary = Summary()
    different, corrections = [], []
    with Store.open(db) as store:
        serial = store.serial(serial)
        with terminal.progress("replay", store.count(serial)) as advance:
            rows = terminal.counted(store.records(serial), advance)
            corrected = by_record(store.records(serial, kinds=kind_numbers(["CORRECTION"])))
            for played in replay_rounds(entries.payloads(serial, rows), summary, corrected):
                corrections += [(played.number, one) for one in played.corrections]
                if played.problem is not None:
                    different.append((played.number, played.first, played.last, played.problem))
    if json:
        names = ("round", "first", "last", "problem")
        terminal.print_json({
            "serial": serial, "same": not different, "rounds": summary.rounds, "settled": summary.settled,
            "voided": summary.voided, "open": summary.open, "skipped": summary.skipped,
            "gaps": [list(gap) for gap in summary.gaps],
            "different": [dict(zip(names, row, strict=True)) for row in different],
            "corrections": [{"round": number, "record": one.number, "of": one.payload["of"], "words": one.words()}
                            for number, one in corrections],
        })  # fmt: skip
    else:
        print(f"table {serial}: {wording.count(summary.rounds, 'round')}, {summary.settled} settled, "
              f"{summary.voided} void, {summary.open} open: {len(different) or 'none'} different")  # fmt: skip
        for first, last in summary.gaps:
            print(f"  missing: {first} to {last}, with what was played in them")
        if summary.skipped:
            print(f"  not replayed: {wording.count(summary.skipped, 'record')} of rounds whose start is not in the log")
        for number, first, last, problem in different:
            print(f"  round {number} ({wording.records(first, last)}): {problem}")
        for number, one in corrections:
            print(f"  round {number} CORRECTED in record {one.number}: {one.words()}")
    failure = summary.failure(serial)
    if failure:
        raise failure
