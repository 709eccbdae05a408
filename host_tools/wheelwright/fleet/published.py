"""Up to which record a broker has acknowledged the log of each table, kept in the logbook itself."""

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from wheelwright.logbook.store import Store
from wheelwright.logbook.tables import published, records, tables


class Published:
    """The cursors of one broker. A record that closes a gap later puts its table's cursor back (`Store.add`)."""

    def __init__(self, store: Store, broker: str) -> None:
        self._store, self._broker = store, broker

    def number(self, serial: str) -> int:
        """The last record of a table that the broker has acknowledged, 0 when it has none."""
        with self._store.transaction() as connection:
            return self._number(connection, serial) or 0

    def advance(self, serial: str, before: int, number: int, count: int) -> bool:
        """It has acknowledged `count` records behind `before`, the last of them `number`.

        False, and nothing changes, when `before` does not hold, or when other records have come in between meanwhile.
        """
        with self._store.transaction(write=True) as connection:
            known = self._number(connection, serial)
            table_id = self._store.table_id(connection, serial)
            between = (records.c.table_id == table_id, records.c.number > before, records.c.number <= number)
            held = connection.execute(sql.select(sql.func.count()).select_from(records).where(*between)).scalar()
            if (known or 0) != before or held != count:
                return False
            key = {"broker": self._broker, "table_id": table_id}
            if known is None:
                connection.execute(published.insert().values(**key, number=number))
            else:
                this = (published.c[name] == value for name, value in key.items())
                connection.execute(published.update().where(*this).values(number=number))
        return True

    def _number(self, connection: Connection, serial: str) -> int | None:
        mine = (tables.c.serial == serial, published.c.broker == self._broker)
        found = connection.execute(sql.select(published.c.number).join_from(published, tables).where(*mine)).scalar()
        return None if found is None else int(found)
