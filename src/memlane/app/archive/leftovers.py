"""What killed commands left behind: temporary files, half-built indexes. Removed once their makers are gone.

Whoever writes into the archive or the index holds the write lock, so with the lock in our hands none of them lives. The
rest is known by its age. Only names that we give are looked at, and only plain files.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memlane.app.home import Home

OLD = 600.0  # seconds since it was last written
IN_ARCHIVE = ("contents/*.jsonl.tmp", "machines/*.json.tmp", "journal/*/*.tmp", "forgetting/*.tmp")
IN_RUNS = ("metadata.json.tmp", "g*.raw.tmp", "g*.patch.tmp", "files/*~")
IN_HOME = (
    "config.toml.tmp",
    "map.json.tmp",
    "pause.json.tmp",
    "recall-models.json.tmp",
    "register.json.tmp",
    "setup.json.tmp",
    "run/*.tmp",
    "run/*/*.tmp",
    "index/CURRENT.tmp",
    "vectors/*/*/*.tmp",
    "memory/stamp.tmp",
    "memory/.written/*.tmp",
    "memory/*/*.md.tmp",
)


def cleared(home: Home) -> list[str]:
    """The paths that are gone now."""
    with home.lock.held():
        gone = [str(path) for path in _temporary_files(home) if _removed(home, path)]
        return [*gone, *(home.engine.clear() if home.engine.serving() else ())]


def _temporary_files(home: Home) -> Iterator[Path]:
    for pattern in IN_HOME:
        yield from home.config.home.glob(pattern)
    if home.config.in_a_store:
        return  # what is unfinished there was never sent
    for pattern in IN_ARCHIVE:
        yield from home.layout.root.glob(pattern)
    for folder in home.layout.run_folders():
        for pattern in IN_RUNS:
            yield from folder.glob(pattern)


def _removed(home: Home, path: Path) -> bool:
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and home.clock().timestamp() - found.st_mtime >= OLD:
            home.disk.unlink(path)
            return True
    return False
