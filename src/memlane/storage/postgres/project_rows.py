"""Where a row was filed, and which Project it belongs to by now, in PostgreSQL."""

from __future__ import annotations

from memlane.domain import Project
from memlane.storage.postgres.builds import Whose
from memlane.storage.postgres.connection import Connection, clean, digest
from memlane.storage.project_place import FiledPlace, filing

_JOINS = "SELECT digest, project, project_key FROM project_joins WHERE owner = %s AND build = %s AND digest = ANY(%s)"


def filed_place(db: Connection, table: str, whose: Whose, id: str, given: Project) -> FiledPlace:
    """What stands in the row by now, if it is there, and what is about to be written: each with what it belongs to."""
    row = db.row(f"SELECT filed, filed_key FROM {table} WHERE owner = %s AND build = %s AND id = %s", (*whose, id))
    filed = [*([(str(row[0]), str(row[1]))] if row else []), (clean(given.name), clean(given.key))]
    found = db.rows(_JOINS, (*whose, [digest(key) for _name, key in filed]))
    joins = {key: (name, root) for key, name, root in found if root is not None}
    return filing((name, key, *joins.get(digest(key), (name, key))) for name, key in filed)
