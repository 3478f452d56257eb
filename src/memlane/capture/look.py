"""Which files are there? One walk over the places agents write to: names and sizes, no bytes, no links followed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType

from memlane.disk import Disk, Stat, signature_of, stat_of
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


def look(
    disk: Disk, places: Sequence[Place], known: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Seen | SetAside | None]:
    """Everything recognised in these places; None for a file that has the signature it is `known` by.

    A place that is not there (unmounted, never used) is simply not seen.
    """
    for place in places:
        begin = place.only or place.root
        try:
            is_file = begin.is_file()
        except OSError as error:
            yield SetAside(shown(begin), f"cannot be looked at: {error.strerror}")
            continue
        if is_file:
            yield from _walk(disk, place, begin.parent, known, only=begin.name)
        else:
            yield from _walk(disk, place, begin, known)


def _walk(
    disk: Disk, place: Place, begin: Path, known: Mapping[str, str], only: str = ""
) -> Iterator[Seen | SetAside | None]:
    """Folder by folder, in a loop: names can be nested deeper than calls. What is known costs no path of its own."""
    waiting = [begin]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(disk.list(folder))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            yield SetAside(shown(folder), f"cannot be listed: {error.strerror}")
            continue
        for entry in entries:
            if only and entry.name != only:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(folder / entry.name)
            elif not entry.is_symlink():
                yield from _file(place, entry, known)


def _file(place: Place, entry: os.DirEntry[str], known: Mapping[str, str]) -> Iterator[Seen | SetAside | None]:
    try:
        result = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    before = known.get(shown(entry.path))
    if before is not None and before == signature_of(result):
        yield None
    elif (seen := _recognised(place, Path(entry.path), stat_of(result))) is not None:
        yield seen


def _recognised(place: Place, path: Path, stat: Stat) -> Seen | SetAside | None:
    try:
        with guarded(place.source.name):
            what = place.source.recognise(PurePath(path).relative_to(place.root))
    except BrokenSourceError as error:
        return SetAside(shown(path), error.message)
    if what is None or not stat.regular:
        return None
    return Seen(place.source, path, what, stat, _log_beside(path) if isinstance(what, Container) else "")


def _log_beside(path: Path) -> str:
    """Its size and time; SQLite touches the rest of it whenever somebody only looks."""
    try:
        log = os.lstat(f"{path}-wal")
    except OSError:
        return " no log"  # so that no database is ever taken for an unchanged file without a look beside it
    return f" {log.st_size}:{log.st_mtime_ns}"


def shown(path: Path | str) -> str:
    """A path as text that can be stored and printed, whatever bytes its name is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
