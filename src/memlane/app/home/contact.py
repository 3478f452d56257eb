"""When this machine was last in contact with its Central, or will be. A look at the disk or two, after every command.

The time of one file says it. Where it lies ahead, a process waits until then: what changes meanwhile goes with it.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from memlane.system.disk import private_folder

MEMBERSHIP = "central.json"
EVERY = 30.0  # seconds between two exchanges in the background


def has_joined(home: Path) -> bool:
    return (home / MEMBERSHIP).exists()


def is_due(home: Path) -> bool:
    """It has joined a Central, the last try is a while ago, and nobody has booked the next."""
    return has_joined(home) and abs(_age(home)) >= EVERY


def book(home: Path) -> float | None:
    """Seconds until the next exchange, which is now the caller's. None: there is no Central, or it is booked."""
    age = _age(home)
    if not has_joined(home) or -EVERY < age < 0:
        return None
    wait = max(0.0, EVERY - abs(age))
    _set(home, time.time() + wait)
    return wait


def note(home: Path) -> None:
    """Tried, whatever came of it."""
    _set(home, time.time())


def _age(home: Path) -> float:
    try:
        return time.time() - _place(home).stat().st_mtime
    except OSError:
        return EVERY


def _set(home: Path, at: float) -> None:
    with suppress(OSError):
        private_folder(home / "run")
        _place(home).touch(mode=0o600)
        os.utime(_place(home), (at, at))


def _place(home: Path) -> Path:
    return home / "run" / "contact"
