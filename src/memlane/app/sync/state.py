"""What is known to be at a target of `lane sync`, and how long ago the last sync came to its end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from memlane import store
from memlane.app.home import Home
from memlane.domain import Finding, Level
from memlane.errors import LaneError, UsageError
from memlane.store import ObjectStore
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

HOUR = 3600.0
LATE = 24.0  # hours; a target that is asked more seldom is late after three times that


class SyncState(msgspec.Struct):
    """What is known to be at one target: names with what they were made from, or with the version that was taken."""

    sent: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    taken: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    digests: dict[str, str] = msgspec.field(default_factory=dict[str, str])  # SHA-256 of what was sent
    at: float = 0.0  # when a sync last came to its end


def opened(home: Home, target: str) -> ObjectStore:
    at = store.opened(target, home.config.variables)
    own = home.config.home
    if Path(at.place).is_absolute() and own in (Path(at.place), *Path(at.place).parents):
        raise UsageError(f"{at.place} is inside this home", hint="name a folder outside of it")
    return at


def state_of(home: Home, at: ObjectStore) -> JsonFile[SyncState]:
    name = hashlib.sha256(at.place.encode()).hexdigest()[:16]
    lock = partial(WriteLock.held, WriteLock(home.run_folder / "sync-state.lock"))
    return JsonFile(home.config.home / "sync" / f"{name}.json", SyncState, home.disk, lock, derived=True)


def hours_since(home: Home) -> float | None:
    """Since the target of the settings was last synced; None: it never was, or none is set."""
    target = home.config.text("sync.target")
    last = state_of(home, opened(home, target)).read().at if target else 0.0
    return (home.clock().timestamp() - last) / HOUR if last else None


def sync_findings(home: Home) -> Iterator[Finding]:
    """A target that nothing has reached for a day is no second copy."""
    target = home.config.text("sync.target")
    if not target:
        return
    try:
        hours = hours_since(home)
    except LaneError as error:
        yield Finding("sync", Level.WARN, error.message, error.hint)
        return
    if hours is None:
        yield Finding("sync", Level.NOTE, f"nothing was synced to {target} yet", "lane sync")
        return
    late = hours >= max(LATE, 3 * home.config.number("sync.every"))
    ago = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.0f} hours"
    what = f"last synced {ago} ago, to {target}" if late else f"synced to {target}"
    yield Finding("sync", Level.WARN if late else Level.OK, what, "lane sync" if late else "")
