"""A person's work, held by one worker at a time, whatever computer it runs on: a row with a time at which it ends.

The time is the database's, because computers disagree about it. The row is prolonged while the work goes on, and no
transaction is open meanwhile. A worker that dies stops prolonging it.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from memlane.errors import BusyError, LaneError
from memlane.storage.postgres.connection import Connection

_NOW = "extract(epoch FROM clock_timestamp())"
_HOLD = (
    f"INSERT INTO work_leases AS l (owner, by, until) VALUES (%s, %s, {_NOW} + %s) ON CONFLICT (owner) DO UPDATE"
    f" SET by = excluded.by, until = excluded.until WHERE l.until <= {_NOW} OR l.by = excluded.by"
)
_LET_GO = "DELETE FROM work_leases WHERE owner = %s AND by = %s"


@contextmanager
def leased(db: Connection, owner: int) -> Generator[None]:
    (unique,) = db.rows("SELECT gen_random_uuid()::text")[0]
    by = f"{socket.gethostname()} {os.getpid()} {unique}"
    if not _hold(db, owner, by):
        raise BusyError("another worker does this person's work", hint="nothing: it is being done")
    done = threading.Event()
    prolonging = threading.Thread(target=_prolong, args=(db, owner, by, done), daemon=True)
    prolonging.start()
    try:
        yield
    finally:
        done.set()
        prolonging.join()
        with suppress(LaneError):  # away: the lease ends by itself
            db.run(_LET_GO, (owner, by))


def _hold(db: Connection, owner: int, by: str) -> bool:
    return bool(db.run(_HOLD, (owner, by, db.limits.lease)))


def _prolong(db: Connection, owner: int, by: str, done: threading.Event) -> None:
    while not done.wait(db.limits.lease / 3):
        with suppress(LaneError):  # away for a moment: it is tried again before the lease ends
            _hold(db, owner, by)
