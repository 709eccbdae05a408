"""What Alembic runs for each command: the revisions of one set of tables, on the transaction that is open already."""

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], version_table=given["version_table"])
with context.begin_transaction():
    context.run_migrations()
