"""Format 1, of the tools up to 0.1: records and anchors of several tables."""

import sqlalchemy as sql
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table("wheelwright", sql.Column("format", sql.Integer, nullable=False))
    op.create_table(
        "tables",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("serial", sql.Text, nullable=False, unique=True),
        sql.Column("anchor_number", sql.BigInteger),
        sql.Column("anchor_hash", sql.LargeBinary(32)),
    )
    op.create_table(
        "records",
        sql.Column("table_id", sql.Integer, sql.ForeignKey("tables.id"), nullable=False),
        sql.Column("number", sql.BigInteger, nullable=False),
        sql.Column("boot", sql.BigInteger, nullable=False),
        sql.Column("kind", sql.Integer, nullable=False),
        sql.Column("t_ms", sql.BigInteger, nullable=False),
        sql.Column("hash", sql.LargeBinary(32), nullable=False),
        sql.Column("received_ms", sql.BigInteger, nullable=False),
        sql.Column("raw", sql.LargeBinary, nullable=False),
        sql.PrimaryKeyConstraint("table_id", "number"),
    )
    op.execute("INSERT INTO wheelwright (format) VALUES (1)")
