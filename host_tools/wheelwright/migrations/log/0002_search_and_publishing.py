"""Format 2: records are found by time, round, tilt and kind; what each broker has taken is remembered."""

import sqlalchemy as sql
from alembic import op
from wheelwright.logbook.tables import found_by, payload_of

revision = "2"
down_revision = "1"
PAGE = 5000  # records read in one go

records = sql.table(
    "records", *map(sql.column, ("table_id", "number", "kind", "raw", "round", "tilt"))
)  # as they are in this format, whatever becomes of them later


def upgrade() -> None:
    """Read round and tilt of every record, and make the indexes."""
    op.add_column("records", sql.Column("at_ms", sql.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE records SET at_ms = received_ms")  # all that is known of when they happened
    op.add_column("records", sql.Column("round", sql.BigInteger))
    op.add_column("records", sql.Column("tilt", sql.BigInteger))
    _fill(op.get_bind())
    op.create_index("records_at", "records", ["table_id", "at_ms", "number"])
    op.create_index("records_kind", "records", ["table_id", "kind", "number"])
    op.create_index("records_round", "records", ["table_id", "round", "number"])
    there = sql.text("tilt IS NOT NULL")
    op.create_index(
        "records_tilt", "records", ["table_id", "tilt", "number"], sqlite_where=there, postgresql_where=there
    )
    op.create_table(
        "published",
        sql.Column("broker", sql.Text, nullable=False),
        sql.Column("table_id", sql.Integer, sql.ForeignKey("tables.id"), nullable=False),
        sql.Column("number", sql.BigInteger, nullable=False),
        sql.PrimaryKeyConstraint("broker", "table_id"),
    )
    op.drop_table("wheelwright")  # the number stands in the table of this revision from here on


def _fill(connection: sql.Connection) -> None:
    key = sql.tuple_(records.c.table_id, records.c.number)
    page = sql.select(records.c.table_id, records.c.number, records.c.kind, records.c.raw).order_by(
        records.c.table_id, records.c.number
    )
    change = records.update().where(
        records.c.table_id == sql.bindparam("of"), records.c.number == sql.bindparam("at")
    ).values(round=sql.bindparam("in_round"), tilt=sql.bindparam("of_tilt"))  # fmt: skip
    after = None
    while rows := connection.execute((page if after is None else page.where(key > after)).limit(PAGE)).all():
        changes = [
            {"of": of, "at": at, "in_round": found[0], "of_tilt": found[1]}
            for of, at, kind, raw in rows
            if (found := found_by(kind, payload_of(raw))) != (None, None)
        ]
        if changes:
            connection.execute(change, changes)
        after = (rows[-1].table_id, rows[-1].number)
