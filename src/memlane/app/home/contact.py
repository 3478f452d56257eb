"""When this machine was last in contact with its Central. Two looks at the disk: it is asked after every command."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from memlane.system.disk import private_folder

MEMBERSHIP = "central.json"
EVERY = 30.0  # seconds between two exchanges in the background


def has_joined(home: Path) -> bool:
    return (home / MEMBERSHIP).exists()


def is_due(home: Path) -> bool:
    """It has joined a Central, and the last try is a while ago."""
    if not has_joined(home):
        return False
    try:
        return time.time() - _place(home).stat().st_mtime >= EVERY
    except OSError:
        return True


def note(home: Path) -> None:
    """Tried, whatever came of it."""
    with suppress(OSError):
        private_folder(home / "run")
        _place(home).touch(mode=0o600)


def _place(home: Path) -> Path:
    return home / "run" / "contact"
