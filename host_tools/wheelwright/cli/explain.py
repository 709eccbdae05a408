"""`wheelwright errors` and `wheelwright schema`: what codes mean, what the table says and hears."""

from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, example

app = typer.Typer()


@app.command(epilog=example("wheelwright errors E-7002"))
def errors(
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="E-7002 or T-21; all when left out.")] = None,
    json: Json = False,
) -> None:
    """Explain an error or tilt: what it means and what to do."""
    from wheelwright.errors import every_text

    texts = every_text(code)
    if json:
        names = ("code", "name", "what", "advice", "exit_code")
        terminal.print_json([dict(zip(names, (*text, status), strict=True)) for text, status in texts])
        return
    for text, _ in texts:
        print(text)


@app.command(epilog=example("wheelwright schema > messages.json"))
def schema(_json: Json = False) -> None:
    """Print every message of the link and every kind of journal record as JSON."""
    from tabletop.journal import fields as journal
    from tabletop.link import schema as link

    def declared(number: int) -> list[dict[str, object]]:
        return [{"name": name, "kind": kind, "optional": optional} for name, kind, optional in link.fields_of(number)]

    messages = []
    for number in (number for number in link.numbers() if not link.is_reply(number)):
        answered = (number | link.REPLY) in link.numbers()
        messages.append({
            "number": number, "name": link.name_of(number), "to": "table" if number < link.REPLY else "host",
            "since": link.since(number), "core": link.is_core(number), "fields": declared(number),
            "reply": declared(number | link.REPLY) if answered else None,
        })  # fmt: skip
    records = []
    for kind, (name, fields) in journal.KINDS.items():
        pairs = [field.split(":", 1) for field in fields.split()]
        declared_fields = [{"name": n.rstrip("?"), "kind": k, "optional": n.endswith("?")} for n, k in pairs]
        records.append({"kind": kind, "name": name, "fields": declared_fields})
    terminal.print_json({
        "protocol": link.PROTOCOL, "hash": link.schema_hash(), "window": link.WINDOW, "frame": link.FRAME,
        "messages": messages, "records": records,
    })  # fmt: skip
