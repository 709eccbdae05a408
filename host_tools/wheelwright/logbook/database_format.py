"""Which tables a database is to have, in which format, and how an older one is brought up to it: whole or not at all.

Each set of tables has its own revisions, numbered from 1, in `migrations/NAME/`, and its own table
`wheelwright_NAME` that holds the number. Several sets can share one database. Alembic runs the revisions, all of them
in one transaction; a newer, foreign or damaged database is left as it was.
"""

from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from wheelwright.errors import WheelwrightError

MIGRATIONS = Path(__file__).parent.parent / "migrations"
APPLICATION = 0x57484C57  # "WHLW", the application id in the header of an SQLite file
FIRST = "wheelwright"  # the table in which logs of format 1 have their number


class Tables(NamedTuple):
    """A set of tables: its name, what it looks like now, and the number of its last revision."""

    name: str
    metadata: sql.MetaData
    format: int
    in_header: bool = False  # the number also stands in the header of an SQLite file (`user_version`)

    @property
    def revision(self) -> sql.Table:
        """The table that holds the number, as Alembic makes it."""
        column = sql.Column("version_num", sql.String(32), primary_key=True)
        return sql.Table(f"{FIRST}_{self.name}", sql.MetaData(), column)


def found(connection: Connection, url: str, tables: Tables, *, create: bool) -> int:
    """The format of the tables that are there, 0 when they are not and may be made.

    Raises WheelwrightError 8002 (foreign), 8003 (newer), 8004 (damaged).
    """
    inspector = sql.inspect(connection)
    present = set(inspector.get_table_names())
    if tables.revision.name in present:
        name, column = tables.revision.name, "version_num"
    elif tables.in_header and FIRST in present:
        name, column = FIRST, "format"
    else:
        if create and (not present or any(name.startswith(f"{FIRST}_") for name in present)):
            return 0  # empty, or a database that holds another set of ours
        raise WheelwrightError(8002, url=url, reason="its tables are missing")
    number = None
    if column in {one["name"] for one in inspector.get_columns(name)}:
        number = connection.execute(sql.select(sql.column(column)).select_from(sql.table(name))).scalar()
    if not str(number).isdecimal() or int(str(number)) < 1:
        raise WheelwrightError(8004, url=url, reason="it does not say which format it has")
    if int(str(number)) > tables.format:
        raise WheelwrightError(8003, url=url, found=number, known=tables.format)
    if int(str(number)) == tables.format:
        compare(connection, url, tables)
    return int(str(number))


def compare(connection: Connection, url: str, tables: Tables) -> None:
    """E-8002 or E-8004 unless every table and column of this format is there."""
    inspector = sql.inspect(connection)
    present = inspector.get_table_names()
    for name, table in tables.metadata.tables.items():
        if name not in present:
            raise WheelwrightError(8002, url=url, reason="its tables are missing")
        missing = set(table.columns.keys()) - {column["name"] for column in inspector.get_columns(name)}
        if missing:
            raise WheelwrightError(8004, url=url, reason=f"table {name} has no column {' '.join(sorted(missing))}")


def make(connection: Connection, tables: Tables) -> None:
    """The tables of this format in a database that has none of them."""
    tables.metadata.create_all(connection)
    tables.revision.create(connection)
    connection.execute(tables.revision.insert().values(version_num=str(tables.format)))
    mark(connection, tables)


def upgrade(connection: Connection, tables: Tables, revision: str = "head") -> None:
    """Run the revisions of a set of tables up to `revision` on the open transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("version_locations", str(MIGRATIONS / tables.name))
    config.set_main_option("path_separator", "newline")
    config.attributes.update(connection=connection, version_table=tables.revision.name)
    present = sql.inspect(connection).get_table_names()
    if tables.in_header and FIRST in present and tables.revision.name not in present:
        command.stamp(config, "1")
    command.upgrade(config, revision)


def mark(connection: Connection, tables: Tables) -> None:
    """Say in the header of an SQLite file whose it is."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
        if tables.in_header:
            connection.exec_driver_sql(f"PRAGMA user_version = {tables.format}")
