"""Which files are there? One walk over the places agents write to: names and sizes, no bytes, no links followed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from memlane.disk import Disk, Stat, stat_of
from memlane.sources import BrokenSourceError, Container, SideFile, Source, Transcript, guarded


@dataclass(frozen=True, slots=True)
class Place:
    """A folder one Source's transcripts are in, or only a part of it."""

    source: Source
    root: Path
    only: Path | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A file that is a transcript, or belongs to one."""

    source: Source
    path: Path
    what: Transcript | SideFile | Container
    stat: Stat
    beside: str = ""  # of a database's write-ahead log, which changes long before the database does

    @property
    def signature(self) -> str:
        return self.stat.signature + self.beside


@dataclass(frozen=True, slots=True)
class SetAside:
    """Something that could not be read, by name, with its reason. It is tried again next time; nothing is deleted."""

    path: str
    reason: str


def look(disk: Disk, places: Sequence[Place]) -> Iterator[Seen | SetAside]:
    """Everything recognised in these places. A place that is not there (unmounted, never used) is simply not seen."""
    for place in places:
        begin = place.only or place.root
        try:
            is_file = begin.is_file()
        except OSError as error:
            yield SetAside(shown(begin), f"cannot be looked at: {error.strerror}")
            continue
        if is_file:
            yield from _walk(disk, place, begin.parent, only=begin.name)
        else:
            yield from _walk(disk, place, begin)


def _walk(disk: Disk, place: Place, begin: Path, only: str = "") -> Iterator[Seen | SetAside]:
    """Folder by folder, in a loop: names can be nested deeper than calls."""
    waiting = [begin]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(disk.list(folder), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            yield SetAside(shown(folder), f"cannot be listed: {error.strerror}")
            continue
        for entry in entries:
            if entry.is_symlink() or (only and entry.name != only):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(folder / entry.name)
            else:
                seen = _recognised(place, folder / entry.name, entry)
                if seen is not None:
                    yield seen


def _recognised(place: Place, path: Path, entry: os.DirEntry[str]) -> Seen | SetAside | None:
    try:
        with guarded(place.source.name):
            what = place.source.recognise(PurePath(path).relative_to(place.root))
    except BrokenSourceError as error:
        return SetAside(shown(path), error.message)
    if what is None:
        return None
    try:
        stat = stat_of(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return None
    beside = _log_beside(path) if isinstance(what, Container) else ""
    return Seen(place.source, path, what, stat, beside) if stat.regular else None


def _log_beside(path: Path) -> str:
    """Its size and time; SQLite touches the rest of it whenever somebody only looks."""
    try:
        log = os.lstat(f"{path}-wal")
    except OSError:
        return ""
    return f" {log.st_size}:{log.st_mtime_ns}"


def shown(path: Path) -> str:
    """A path as text that can be stored and printed, whatever bytes its name is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
