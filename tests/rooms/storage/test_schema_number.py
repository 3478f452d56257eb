"""An index made by another schema is rebuilt, so the number must be raised with the schema, in the same commit."""

from __future__ import annotations

import hashlib
from pathlib import Path

from memlane.storage.embedded import connection

NUMBER, DIGEST = 13, "01cc1ce7687f39d1"  # after a change of schema.sql: raise SCHEMA, and write both down here


def test_the_number_is_raised_with_the_schema() -> None:
    schema = Path(connection.__file__).with_name("schema.sql").read_bytes()
    assert (connection.SCHEMA, hashlib.sha256(schema).hexdigest()[:16]) == (NUMBER, DIGEST)
