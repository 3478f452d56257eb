"""The archive somewhere else: copied, every byte read back and compared, then used. The old one is never touched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from memlane import archive
from memlane.app.home import Home, disk_of, save_settings
from memlane.config import STORE, Config
from memlane.errors import DamagedError, LaneError, UsageError
from memlane.system.disk import Disk

PIECE = 1 << 20
OnStep = Callable[[int, int], None]


def quietly(_done: int, _total: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class CountedLayout(archive.Layout):
    """A Layout that says how far a walk over its runs has come."""

    on: OnStep = quietly

    def run_folders(self) -> Iterator[Path]:
        folders = list(archive.Layout.run_folders(self))
        for number, folder in enumerate(folders):
            self.on(number, len(folders))
            yield folder
        self.on(len(folders), len(folders))


def move(home: Home, place: str, on: OnStep) -> None:
    """Most of it while everybody goes on; what changed meanwhile, and the switch, under the lock."""
    there = _place(home.config, place)
    must_be_free(home, there, place)
    old, copying = home.config.archive_base, _Copying(home.disk, disk_of(there), home.config.archive_base, there)
    files = list(home.disk.files_below(old))
    _must_fit(copying, sum(map(home.disk.size, files)))
    done = dict[Path, str]()
    for number, file in enumerate(files):
        on(number, len(files))
        done[file] = copying.copied(file)
    with home.lock.held():
        now = list(home.disk.files_below(old))
        for file in now:
            if done.get(file) != home.disk.signature(file):
                copying.copied(file)
        for gone in set(done) - set(now):
            copying.writes.unlink(copying.target(gone))
        save_settings(home.config, {"archive.base": there.archive_place})
    on(len(files), len(files))


def _place(config: Config, place: str) -> Config:
    named = place if STORE in place else str(Path(place).expanduser().absolute())
    return replace(config, values={**config.values, "archive.base": named})


def must_be_free(home: Home, there: Config, named: str) -> None:
    old, target = home.config.archive_base, there.archive_base
    if not home.disk.is_folder(old):
        raise UsageError(f"there is no archive at {home.config.archive_place}", hint="lane capture makes one")
    must_be_apart(old, target)
    disk = disk_of(there)
    if there.in_a_store:
        disk.takes_files(target)
    if disk.is_file(target) or (disk.is_folder(target) and disk.names(target)):
        raise UsageError(f"{named} is not an empty {'prefix' if there.in_a_store else 'folder'}", hint="name a new one")


def must_be_apart(old: Path, target: Path) -> None:
    if target == old or old in target.parents or target in old.parents:
        raise UsageError(f"{target} and {old} contain each other", hint="name a place elsewhere")


def _must_fit(copying: _Copying, needed: int) -> None:
    target = copying.there.archive_base
    copying.writes.make_folders(target)
    free = copying.writes.room(target)
    if free is not None and free < needed:
        raise LaneError(
            f"{free / 1e9:.1f} GB free, {needed / 1e9:.1f} GB needed in {target}", hint="name a folder on a bigger disk"
        )


@dataclass(frozen=True, slots=True)
class _Copying:
    """From one place to the other."""

    reads: Disk
    writes: Disk
    old: Path
    there: Config

    def target(self, file: Path) -> Path:
        return self.there.archive_base / file.relative_to(self.old)

    def copied(self, source: Path) -> str:
        """The signature it had when it was read; raises if what was written is not what was read."""
        target = self.target(source)
        self.writes.make_folders(target.parent)
        signature, reading = self.reads.signature(source), self.reads.open_to_read(source)
        writing = self.writes.open_to_write(target)
        try:
            self.writes.truncate(writing, 0)
            wanted, offset = hashlib.sha256(), 0
            while piece := self.reads.read(reading, PIECE, offset):
                self.writes.write(writing, piece, offset)
                wanted.update(piece)
                offset += len(piece)
            self.writes.sync(writing)
            modified = self.reads.stat(reading).modified_ns
        finally:
            self.reads.close(reading)
            self.writes.close(writing)
        if _digest(self.writes, target) != wanted.hexdigest():
            raise DamagedError(
                f"{target} does not match what was written to it", hint="check that place; the old archive is in use"
            )
        self.writes.set_modified(target, modified)
        self.writes.sync_folder(target.parent)
        return signature


def _digest(disk: Disk, path: Path) -> str:
    found, offset, descriptor = hashlib.sha256(), 0, disk.open_to_read(path)
    try:
        while piece := disk.read(descriptor, PIECE, offset):
            found.update(piece)
            offset += len(piece)
    finally:
        disk.close(descriptor)
    return found.hexdigest()
