"""Large tables are cut into 16 parts by their owner: each owner's rows are in one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlane.storage.postgres.connection import Connection

PARTS = 16
_CUT = re.compile(r"CREATE TABLE (?P<name>\w+) \(.*\) PARTITION BY HASH \(owner\)", re.DOTALL)


def create_all(db: Connection, schema: str, script: str) -> None:
    """Every statement of the script in a schema; the parts of a table before what is said about it afterwards."""
    plain = "\n".join(line for line in script.splitlines() if not line.startswith("--"))
    for statement in filter(str.strip, plain.split(";\n")):
        db.run(statement)
        if (cut := _CUT.search(statement)) is not None:
            _cut(db, f"{schema}.{cut['name']}")


def partitioned(db: Connection, table: str, columns: str, plain: Sequence[str] = ()) -> None:
    """Made if it is not there; `plain` columns are kept as they are given, also where they are long."""
    with db.transaction():
        db.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (table,))
        db.run(f"CREATE TABLE IF NOT EXISTS {table} ({columns}) PARTITION BY HASH (owner)")
        _cut(db, table)
        for column in plain:
            db.run(f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE EXTERNAL")


def _cut(db: Connection, table: str) -> None:
    parts = (
        f"CREATE TABLE IF NOT EXISTS {table}_{n} PARTITION OF {table} FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {n})"
        for n in range(PARTS)
    )
    db.run("; ".join(parts))


def parts_of(db: Connection, schema: str, owner: int) -> Sequence[str]:
    """The tables of a schema that may have rows of this owner, by their whole names."""
    found = db.rows(
        "SELECT format('%%I.%%I', n.nspname, c.relname) FROM pg_class AS c"
        " JOIN pg_namespace AS n ON n.oid = c.relnamespace"
        " LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid"
        " WHERE n.nspname = %s AND c.relkind = 'r' AND (i.inhrelid IS NULL OR satisfies_hash_partition("
        "  i.inhparent, %s, substring(c.relname FROM '\\d+$')::int, %s::int)) ORDER BY 1",
        (schema, PARTS, owner),
    )
    return [str(row[0]) for row in found]
