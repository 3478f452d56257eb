"""An agent that writes to its database a hundred times while we read it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import apsw

ROUNDS = 100


def refused_while(
    read: Callable[[], None], path: Path, write: Callable[[apsw.Connection, int], None]
) -> list[Exception]:
    """Runs both at once; what the writer was refused. It waits for nobody: a lock held by us would fail it at once."""
    done, refused = threading.Event(), list[Exception]()

    def writing() -> None:
        db = apsw.Connection(str(path))
        db.set_busy_timeout(0)
        for n in range(ROUNDS):
            try:
                with db:
                    write(db, n)
            except apsw.BusyError as error:
                refused.append(error)
        done.set()

    thread = threading.Thread(target=writing)
    thread.start()
    looks = 0
    while not done.is_set() or looks < 3:
        read()
        looks += 1
    thread.join()
    read()
    return refused
