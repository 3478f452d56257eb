"""Files that changed lately, kept open while we watch.

A file that is replaced by a rename is gone by name, but its writer may go on with the old one for a moment: what it
writes there is read to the end through the descriptor we still have.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from memlane.capture import SourceFile
from memlane.system.disk import Disk

MOST = 64  # files kept open
GRACE = 60.0  # seconds without a byte until nobody writes to a replaced file any more


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file and our own hold on it."""

    seen: SourceFile
    descriptor: int
    inode: int


@dataclass(frozen=True, slots=True)
class Leftover:
    """A file whose name now belongs to another; `named`: that other has not been read yet."""

    opened: OpenFile
    named: bool
    size: int
    quiet_since: float

    @property
    def seen(self) -> SourceFile:
        """As it is now: under its name, or beside it once the name has a generation of its own."""
        path = self.opened.seen.path
        stat = replace(self.opened.seen.stat, size=self.size)
        return replace(
            self.opened.seen, path=path if self.named else path.with_name(f"{path.name} (replaced)"), stat=stat
        )


class HoldDisk(Disk):
    """The disk, except that one path opens what we hold."""

    def __init__(self, path: Path, descriptor: int) -> None:
        super().__init__()
        self._path = path
        self._descriptor = descriptor

    def open_to_read(self, path: Path) -> int:
        return os.dup(self._descriptor) if path == self._path else super().open_to_read(path)


class Holds:
    def __init__(self, disk: Disk, clock: Callable[[], float]) -> None:
        self._disk = disk
        self._clock = clock
        self._open: OrderedDict[Path, OpenFile] = OrderedDict()
        self._late: list[Leftover] = []

    def hold(self, seen: SourceFile) -> None:
        """Before it is read: the file that has this name now."""
        with suppress(OSError):
            descriptor = self._disk.open_to_read(seen.path)
            opened = OpenFile(seen, descriptor, self._disk.stat(descriptor).inode)
            before = self._open.pop(seen.path, None)
            if before is not None and before.inode == opened.inode:
                self._disk.close(descriptor)
                opened = before
            elif before is not None:
                self._late.append(Leftover(before, named=True, size=-1, quiet_since=self._clock()))
            self._open[seen.path] = opened
            if len(self._open) > MOST:
                self._disk.close(self._open.popitem(last=False)[1].descriptor)

    def grown(self) -> Sequence[Leftover]:
        """Replaced files with bytes not yet looked at. Those that stayed quiet for long enough are let go."""
        now, kept = self._clock(), list[Leftover]()
        grown: list[Leftover] = []
        for late in self._late:
            size = self._disk.stat(late.opened.descriptor).size
            if size != late.size:
                grown.append(replace(late, size=size, quiet_since=now))
                kept.append(replace(late, named=False, size=size, quiet_since=now))
            elif now - late.quiet_since < GRACE:
                kept.append(late)
            else:
                self._disk.close(late.opened.descriptor)
        self._late = kept
        return grown

    def close(self) -> None:
        for opened in (*self._open.values(), *(late.opened for late in self._late)):
            self._disk.close(opened.descriptor)
        self._open.clear()
        self._late.clear()
