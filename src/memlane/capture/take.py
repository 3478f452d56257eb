"""What is new in this file? Decided on the opened file alone: size, anchor, then bytes. Never by its name or inode.

Knows which generations the archive holds, not how it holds them.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path, PurePath
from typing import Protocol

from memlane.agents import LineStream, Peek, Source, Transcript, guarded
from memlane.capture.look import SourceFile, shown
from memlane.domain import Machine, Project, Relation, Run, run_id
from memlane.domain.delta import ANCHOR, Delta, Generation, Inventory, anchor_of
from memlane.errors import DamagedError, LaneError
from memlane.system.disk import Disk, Stat

PIECE = 1 << 20
HEAD = 256 << 10  # enough of a file to say when it began and where
HEAD_LINES = 200
NO_ANCHOR = anchor_of(b"")


class ArchiveView(Protocol):
    """The archive, as far as capture may look into it."""

    def holding(self, run: str) -> Inventory: ...

    def pieces(self, run: str, generation: Generation) -> Iterable[bytes]: ...

    def tail(self, run: str, generation: Generation, end: int) -> bytes: ...

    def intact(self, run: str, generation: Generation) -> bool: ...


class ChangedUnderneathError(LaneError):
    """The file was rewritten while it was being read. Nothing was kept; Lane will retry."""

    kind = "changed-underneath"
    retryable = True


@dataclass(frozen=True, slots=True)
class ReadStart:
    """Where reading begins: behind what is held, or at the beginning of a new generation."""

    generation: int
    offset: int
    anchor: str = NO_ANCHOR  # what must stand before the offset, also once everything is read
    again: bool = False  # the archive's own copy is damaged: all of it once more


@dataclass(frozen=True, slots=True)
class CaptureTools:
    """How to look at a file: what is held, how to name its project, and whether to trust anchors alone."""

    disk: Disk
    shelf: ArchiveView
    project_of: Callable[[Peek], Project]
    audit: bool = False


@contextmanager
def new_bytes(
    look: CaptureTools, seen: SourceFile, transcript: Transcript, run: Run
) -> Generator[Delta | None, None, None]:
    """What this file holds that the archive does not, or None. Open while its bytes are read."""
    with opened(look.disk, seen.path) as (descriptor, stat):
        path, holding = shown(seen.path), look.shelf.holding(run.id)
        start = _next(look, descriptor, stat.size, path, transcript, run, holding)
        if start is None:
            yield None
            return
        first = Peek(holding.started, holding.cwd) if holding.cwd else _peek(look.disk, descriptor, seen.source)
        yield Delta(
            run=run,
            generation=start.generation,
            source_path=path,
            pieces=pieces(look.disk, descriptor, start.offset, stat.size, start.anchor),
            started=first.started or _modified(stat),
            cwd=first.cwd,
            project=holding.project if holding.cwd else look.project_of(first),
            parent_native_id=transcript.parent_native_id,
            relation=transcript.relation.value if transcript.relation else "",
            rewritten=transcript.rewritten,
            again=start.again,
        )


def told_apart(look: CaptureTools, seen: SourceFile, transcript: Transcript, machine: Machine) -> Transcript:
    """This file, or a Run of its own where the Run of its native id is of another file.

    It is the same Run if it has the name of that file, goes on with what is held of it, or is a copy of its beginning.
    """
    run = run_of(machine, seen.source, transcript.native_id)
    holding, path = look.shelf.holding(run.id), shown(seen.path)
    names = {PurePath(held.source_path).name for held in holding.generations}
    if not transcript.apart or not names or PurePath(path).name in names:
        return transcript
    with opened(look.disk, seen.path) as (descriptor, stat):
        start = _next(look, descriptor, stat.size, path, transcript, run, holding)
    if start is None or start.generation <= holding.generations[-1].n:
        return transcript
    return Transcript(transcript.apart, transcript.native_id, Relation.RESUME, transcript.rewritten)


def _modified(stat: Stat) -> datetime:
    """A file can claim any time; one that no calendar has becomes the oldest."""
    try:
        return datetime.fromtimestamp(stat.modified_ns / 1e9, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


@contextmanager
def opened(disk: Disk, path: Path) -> Generator[tuple[int, Stat], None, None]:
    """The file and what it is, decided on the opened file: a name may be swapped between two looks."""
    descriptor = disk.open_to_read(path)
    try:
        stat = disk.stat(descriptor)
        if not stat.regular:
            raise OSError(errno.EINVAL, "not a regular file")
        if os.getuid() not in (stat.owner, 0):
            raise PermissionError(errno.EPERM, "it belongs to another user")
        yield descriptor, stat
    finally:
        disk.close(descriptor)


def _next(
    look: CaptureTools, descriptor: int, size: int, path: str, transcript: Transcript, run: Run, holding: Inventory
) -> ReadStart | None:
    if transcript.rewritten:
        return _next_document(look, descriptor, size, holding)
    return _start(look, descriptor, size, path, run.id, holding)


def _start(look: CaptureTools, descriptor: int, size: int, path: str, run: str, holding: Inventory) -> ReadStart | None:
    """None when every byte is already held.

    A file goes on with the newest generation that was read from its path. One that is new here (moved, copied) adds
    nothing if it is the beginning of a generation, else it goes on with the longest one it begins with.
    """
    held = holding.generations
    own = next((g for g in reversed(held) if g.source_path == path), None)
    for known in _candidates(held, own):
        if size >= known.size and _same_until(look.disk, descriptor, known, audit=look.audit):
            if look.audit and not look.shelf.intact(run, known):
                return ReadStart(known.n, 0, again=True)
            nothing_new = size == known.size and holding.settled
            return None if nothing_new else ReadStart(known.n, known.size, known.anchor)
        if own is None and size < known.size and _begins_like(look, descriptor, size, known, run):
            return None
    return ReadStart(held[-1].n + 1 if held else 1, 0) if size else None


def _candidates(held: Sequence[Generation], own: Generation | None) -> Sequence[Generation]:
    if own is None:
        return sorted(held, key=lambda g: (g.size, g.n), reverse=True)
    found = [
        g for g in reversed(held) if g.n > own.n and not g.source_path
    ]  # uncounted so far: from where, nobody knows
    return [*found, own]


def _begins_like(look: CaptureTools, descriptor: int, size: int, known: Generation, run: str) -> bool:
    """Whether this file is a copy of the beginning of what we have."""
    try:
        if not look.audit:
            return _tail(look.disk, descriptor, size) == look.shelf.tail(run, known, size)
        offset = 0
        for piece in look.shelf.pieces(run, known):
            wanted = piece[: max(0, size - offset)]
            if look.disk.read(descriptor, len(wanted), offset) != wanted:
                return False
            offset += len(piece)
    except DamagedError:
        return False
    return True


def _next_document(look: CaptureTools, descriptor: int, size: int, holding: Inventory) -> ReadStart | None:
    """A document that is rewritten whole is new whenever it is not, to the byte, what we have."""
    held = holding.generations
    if not held:
        return ReadStart(1, 0) if size else None
    same = size == held[-1].size and _same_until(look.disk, descriptor, held[-1], audit=True)
    return None if same or not size else ReadStart(held[-1].n + 1, 0)


def _same_until(disk: Disk, descriptor: int, known: Generation, *, audit: bool) -> bool:
    if not audit:
        return anchor_of(_tail(disk, descriptor, known.size)) == known.anchor
    whole, offset = hashlib.sha256(), 0
    while offset < known.size and (piece := disk.read(descriptor, min(PIECE, known.size - offset), offset)):
        whole.update(piece)
        offset += len(piece)
    return whole.hexdigest() == known.sha256


def _tail(disk: Disk, descriptor: int, end: int) -> bytes:
    start = max(0, end - ANCHOR)
    return disk.read(descriptor, end - start, start)


def pieces(disk: Disk, descriptor: int, start: int, end: int, anchor: str = NO_ANCHOR) -> Iterator[bytes]:
    """The bytes between, then one more look: if the file shrank or was written over meanwhile, none of them count."""
    offset, first, last = start, b"", b""
    while offset < end:
        piece = disk.read(descriptor, min(PIECE, end - offset), offset)
        if not piece:
            raise ChangedUnderneathError("it shrank while it was read")
        first, last = first or piece[:ANCHOR], piece[-ANCHOR:]
        yield piece
        offset += len(piece)
    still = disk.read(descriptor, len(first), start) == first and _tail(disk, descriptor, end).endswith(last)
    if not still or anchor_of(_tail(disk, descriptor, start)) != anchor:
        raise ChangedUnderneathError("it was rewritten while it was read")


def _peek(disk: Disk, descriptor: int, source: Source) -> Peek:
    head = disk.read(descriptor, HEAD, 0)
    try:
        with guarded(source.name):
            return source.peek(list(islice(LineStream(iter([head])), HEAD_LINES)))
    except DamagedError:  # the head of a compressed file need not be a whole frame; a broken reader costs no byte
        return Peek()


def run_of(machine: Machine, source: Source, native_id: str) -> Run:
    # It may be the name of a file, and those can be any bytes: what is no text is written as \\xNN.
    native_id = native_id.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
    return Run(run_id(machine, source.name, native_id), machine.user, machine.name, source.name, native_id)


def whole(disk: Disk, descriptor: int) -> Iterator[bytes]:
    return pieces(disk, descriptor, 0, disk.stat(descriptor).size)
