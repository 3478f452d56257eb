"""What was found damaged while somebody asked: noted for the next tick, which makes it again. Never the archive."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from memlane.app.home import Home
from memlane.errors import LaneError

NOTE = "damage"


def note(home: Home, what: str) -> None:
    """Whoever may not write (a page, a full disk) only answers; the next one who may notes it."""
    with suppress(LaneError, OSError):
        notes = home.storage().notes
        if notes.get(NOTE) != what:
            notes.put(NOTE, what)


def mended(home: Home) -> Sequence[str]:
    """What was damaged and is made again. One look at the names of a few files where nothing was noted."""
    if home.engine.serving() is None:
        return []
    storage = home.storage()
    if not storage.notes.get(NOTE) and not storage.gaps():
        return []
    with home.lock.held():
        found = storage.mend()
        storage.notes.put(NOTE, "")
    return found
