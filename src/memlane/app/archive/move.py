"""The archive somewhere else: copied, every byte read back and compared, then used. The old one is never touched."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane import archive
from memlane.app.home import Home, save_settings
from memlane.errors import DamagedError, LaneError, UsageError
from memlane.system.disk import Disk, stat_of

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


def move(home: Home, target: Path, on: OnStep) -> None:
    """Most of it while everybody goes on; what changed meanwhile, and the switch, under the lock."""
    old = home.config.archive_base
    must_be_free(old, target)
    disk, done = home.disk, dict[Path, str]()
    disk.make_folders(target)
    files = _files(old)
    _must_fit(target, sum(file.stat().st_size for file in files))
    for number, file in enumerate(files):
        on(number, len(files))
        done[file] = _copied(disk, file, target / file.relative_to(old))
    with home.lock.held():
        for file in _files(old):
            if done.get(file) != _signature(file):
                _copied(disk, file, target / file.relative_to(old))
        for gone in set(done) - set(_files(old)):
            disk.unlink(target / gone.relative_to(old))
        save_settings(home.config, {"archive.base": str(target)})
    on(len(files), len(files))


def _files(base: Path) -> list[Path]:
    return sorted(path for path in base.rglob("*") if path.is_file() and not path.is_symlink())


def must_be_free(old: Path, target: Path) -> None:
    if not old.is_dir():
        raise UsageError(f"there is no archive at {old}", hint="lane capture makes one")
    if target == old or old in target.parents or target in old.parents:
        raise UsageError(f"{target} and {old} contain each other", hint="name a folder elsewhere")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is not an empty folder", hint="name a new one")


def _must_fit(target: Path, needed: int) -> None:
    free = shutil.disk_usage(target).free
    if free < needed:
        raise LaneError(
            f"{free / 1e9:.1f} GB free, {needed / 1e9:.1f} GB needed in {target}", hint="name a folder on a bigger disk"
        )


def _signature(path: Path) -> str:
    return stat_of(path.lstat()).signature


def _copied(disk: Disk, source: Path, target: Path) -> str:
    """The signature it had when it was read; raises if what was written is not what was read."""
    disk.make_folders(target.parent)
    signature, reading = _signature(source), disk.open_to_read(source)
    writing = disk.open_to_write(target)
    try:
        disk.truncate(writing, 0)
        wanted, offset = hashlib.sha256(), 0
        while piece := disk.read(reading, PIECE, offset):
            disk.write(writing, piece, offset)
            wanted.update(piece)
            offset += len(piece)
        disk.sync(writing)
        modified = disk.stat(reading).modified_ns
    finally:
        disk.close(reading)
        disk.close(writing)
    if _digest(disk, target) != wanted.hexdigest():
        raise DamagedError(
            f"{target} does not match what was written to it", hint="check that disk; the old archive is still in use"
        )
    os.utime(target, ns=(modified, modified))
    disk.sync_folder(target.parent)
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
