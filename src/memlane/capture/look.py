"""Which files are there, and which does a person want left out? Names and sizes, no bytes, no links."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from types import MappingProxyType

from memlane.agents import BrokenSourceError, Container, SideFile, Source, Transcript, guarded
from memlane.system.disk import Disk, Stat, signature_of, stat_of


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A folder one Source's transcripts are in, or only a part of it."""

    source: Source
    root: Path
    only: Path | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
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
class UnreadableFile:
    """Something that could not be read, by name, with its reason. It is tried again next time; nothing is deleted."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """Something among the transcripts that is not taken, by name, with its reason: a person may have expected it."""

    path: str
    reason: str


Found = SourceFile | UnreadableFile | SkippedFile | None
A_LINK = "a link; links are not followed"
NOT_REGULAR = "not a regular file"
NO_SUCH_NAME = "not a name this agent gives its transcripts"
TRANSCRIPT_ENDINGS = (".jsonl", ".jsonl.zst")


def look(
    disk: Disk, places: Sequence[SourceFolder], known: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Found]:
    """Everything recognised in these places; None for a file that has the signature it is `known` by.

    A place that is not there (unmounted, never used) is simply not seen.
    """
    for place in places:
        begin = place.only or place.root
        try:
            is_file = begin.is_file()
        except OSError as error:
            yield UnreadableFile(shown(begin), f"cannot be looked at: {error.strerror}")
            continue
        if is_file:
            yield from _walk(disk, place, begin.parent, known, only=begin.name)
        else:
            yield from _walk(disk, place, begin, known)


def _walk(disk: Disk, place: SourceFolder, begin: Path, known: Mapping[str, str], only: str = "") -> Iterator[Found]:
    """Folder by folder, in a loop: names can be nested deeper than calls. What is known costs no path of its own."""
    waiting = [begin]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(disk.list(folder))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            yield UnreadableFile(shown(folder), f"cannot be listed: {error.strerror}")
            continue
        for entry in entries:
            if only and entry.name != only:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(folder / entry.name)
            elif entry.is_symlink():
                if _expected(place, Path(entry.path)):
                    yield SkippedFile(shown(entry.path), A_LINK)
            else:
                yield from _file(place, entry, known)


def _file(place: SourceFolder, entry: os.DirEntry[str], known: Mapping[str, str]) -> Iterator[Found]:
    try:
        result = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    before = known.get(shown(entry.path))
    if before is not None and before == signature_of(result):
        yield None
    elif (seen := _recognised(place, Path(entry.path), stat_of(result))) is not None:
        yield seen


def _expected(place: SourceFolder, path: Path) -> bool:
    """Whether somebody may believe that this is captured: it is called like a transcript, or leads to a folder."""
    return path.name.endswith(TRANSCRIPT_ENDINGS) or isinstance(_named(place, path), Transcript) or path.is_dir()


def _recognised(place: SourceFolder, path: Path, stat: Stat) -> Found:
    try:
        what = _named(place, path)
    except BrokenSourceError as error:
        return UnreadableFile(shown(path), error.message)
    if what is None:
        return SkippedFile(shown(path), NO_SUCH_NAME) if path.name.endswith(TRANSCRIPT_ENDINGS) else None
    if not stat.regular:
        return SkippedFile(shown(path), NOT_REGULAR)
    return SourceFile(place.source, path, what, stat, _log_beside(path) if isinstance(what, Container) else "")


def _named(place: SourceFolder, path: Path) -> Transcript | SideFile | Container | None:
    with guarded(place.source.name):
        return place.source.recognise(PurePath(path).relative_to(place.root))


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


def excluded(patterns: Sequence[str], *, path: str, agent: str, cwd: str) -> str:
    """The pattern that keeps this out, or "".

    `agent:codex` names an agent; anything else is a path: of the transcript, or of the folder the agent worked in, or
    one above it. `*` matches anything, also slashes; `~` is the home folder.
    """
    for pattern in patterns:
        if pattern.startswith("agent:"):
            if fnmatchcase(agent, pattern.removeprefix("agent:")):
                return pattern
        elif any(_covers(pattern, candidate) for candidate in (path, cwd) if candidate):
            return pattern
    return ""


def _covers(pattern: str, candidate: str) -> bool:
    full = str(Path(pattern).expanduser()) if pattern.startswith("~") else pattern.rstrip("/")
    return fnmatchcase(candidate, full) or fnmatchcase(candidate, full + "/*")
