"""A process that is going to be killed: forked, so that importing costs nothing, telling what it has done by a pipe."""

from __future__ import annotations

import gc
import json
import os
import re
import select
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import apsw

from campaigns.disks import WatchedDisk

TABLE = re.compile(r"^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(\w+)", re.IGNORECASE)
FAILED = 70

Breaking = Callable[[], AbstractContextManager[object]]  # what a mutant does to the product while it works
as_it_is: Breaking = nullcontext


def watch_commits(disk: WatchedDisk) -> None:
    """SQLite's commits become steps of the disk too, each named by the last table that was written."""

    def watch(connection: apsw.Connection) -> None:
        table = ["schema"]

        def remember(_cursor: object, sql: str, _bindings: object) -> bool:
            found = TABLE.match(sql)
            table[0] = found[1] if found else table[0]
            return True

        def committing() -> bool:
            disk.before(f"commit {table[0]}")
            return False

        def committed(_connection: apsw.Connection, _name: str, pages: int) -> int:
            disk.after(f"commit {table[0]}")
            if pages >= 1000:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            return apsw.SQLITE_OK

        connection.exec_trace = remember
        connection.set_commit_hook(committing)
        connection.set_wal_hook(committed)

    apsw.connection_hooks.append(watch)


def start(work: Callable[[Callable[..., None]], None], disk: WatchedDisk, breaking: Breaking) -> tuple[int, int]:
    """Its process id, and the end of the pipe that its acknowledgements come out of."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: a victim has none of its parent's
        child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    gc.freeze()  # what its parent had is shared, as long as nobody counts it
    status = FAILED
    try:
        watch_commits(disk)
        with breaking():
            work(lambda *what: os.write(writing, json.dumps(what).encode() + b"\n"))
        status = 0
    finally:
        os._exit(status)


def wait(child: int, reading: int, kill_after: float = 0.0) -> tuple[int, list[list[object]]]:
    """Its exit status (negative: the signal) and every acknowledgement that came whole."""
    data, until = b"", time.monotonic() + kill_after if kill_after else None
    while True:
        left = None if until is None else max(0.0, until - time.monotonic())
        if not select.select([reading], [], [], left)[0]:
            os.kill(child, signal.SIGKILL)
            until = None
        elif piece := os.read(reading, 1 << 16):
            data += piece
        else:
            break
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, [json.loads(one) for one in data.split(b"\n")[:-1]]
