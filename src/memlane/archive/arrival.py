"""Frames of another machine into this archive: the same bytes at the same place, or an answer that says what is held.

`metadata.json` commits, as for everything captured here. A piece that was here before is had; one that leaves a gap, or
follows other bytes than ours, changes nothing. Applying frames twice, late or in another order gives the same archive.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memlane.archive.append import DivergedError, write_behind, write_whole
from memlane.archive.frame import Answer, FrameAnswer, Part, ShipFrame, is_as_sent
from memlane.archive.journal_copies import entries_in, last_line, lines_held, same_lines
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, patch_name, raw_name
from memlane.archive.metadata import Digest, Metadata, SideCopy, decode, encode
from memlane.archive.patch import HEAD, LARGEST_OF_OTHERS, must_unpack_to
from memlane.archive.presence import generation_names
from memlane.archive.register import Register
from memlane.archive.shelf import RunHolding, held, put_aside_unreadable
from memlane.archive.side_files import UNFINISHED
from memlane.domain import Run
from memlane.domain.delta import Delta, Generation
from memlane.domain.times import sound_time
from memlane.errors import DamagedError
from memlane.system.disk import Disk

RUN = re.compile(r"r_[a-z2-7]{13}")
SIDE = re.compile(r"(?!\.)[A-Za-z0-9._@%-]{1,220}(?:~[0-9]{1,9})?")
JOURNAL = re.compile(r"[0-9]{4}-[0-9]{2}/[A-Za-z0-9._@%-]{1,200}\.jsonl")
MOST_GENERATIONS = 1 << 31
LARGEST_RUN = 1 << 50
# In a value of its own: a time that not every zone can show.
NO_TIME = re.compile(rb'(?<!\\)"(?:0001|9999)-[0-9]{2}-[0-9]{2}T[0-9:.]{5,}(?:Z|[+-][0-9:]+)?"')
NOTHING = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose frames these are, and what keeps the register of what came."""

    owner: str
    keeper: str  # this machine


@dataclass(frozen=True, slots=True)
class Arrival:
    """An answer, and the run as it is here now."""

    answer: FrameAnswer
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True)
class _RunPlace:
    """A run here, and as its machine tells it."""

    folder: Path
    kept: RunHolding
    told: Metadata


@dataclass(frozen=True, slots=True)
class Reception:
    """Takes the frames of one sender. Whoever calls holds the write lock.

    `keeps_project`: whether this run stays in its project, whatever its machine says now: something is decided by it.
    """

    disk: Disk
    layout: Layout
    sender: Sender
    now: datetime
    keeps_project: Callable[[str], bool] = lambda _run: False

    def take(self, one: ShipFrame) -> Arrival:
        """Durable when it says `taken`."""
        if not is_as_sent(one):
            return _said(one, Answer.DAMAGED, why="the bytes are not those that were sent")
        try:
            return self._take_lines(one) if one.head.part is Part.JOURNAL else self._take_of_run(one)
        except DamagedError as error:
            return _said(one, Answer.DAMAGED, why=error.message)

    # -- runs ----------------------------------------------------------------------------------------------------------

    def _take_of_run(self, one: ShipFrame) -> Arrival:
        told = decode(one.head.metadata.encode(), Path(METADATA))
        if not RUN.fullmatch(one.head.run) or told.run != one.head.run or told.user != self.sender.owner:
            return _said(one, Answer.REFUSED, why="this run belongs to somebody else")
        if not _can_be_counted(told):
            return _said(one, Answer.DAMAGED, why="its metadata counts what no archive holds")
        if not all(sound_time(one) for one in _times(told)):
            return _said(one, Answer.DAMAGED, why="it does not say when it started, or was captured")
        found = self.layout.find(told.run)
        folder = found or self.layout.run_folder(datetime.fromisoformat(told.started), told.run)
        place = _RunPlace(folder, held(self.disk, found), told)
        self._register.begin(self.now)
        if place.kept.metadata is None:
            self.disk.make_folders(folder, self.layout.base)
        return self._take_raw(one, place) if one.head.part is Part.RAW else self._take_file(one, place)

    def _take_raw(self, one: ShipFrame, place: _RunPlace) -> Arrival:
        head, data = one.head, one.data
        want = next((g for g in place.told.generations if g.n == head.n and g.stored == "raw"), None)
        known = next((g for g in place.kept.generations if g.n == head.n), None)
        size, last = (known.size, known.sha256) if known else (0, NOTHING)
        if want is None or head.start + len(data) > want.size:
            return _said(one, Answer.DAMAGED, why="its metadata does not count these bytes")
        if head.start > size:
            return _said(one, Answer.CONFLICT, size, last, "there is a gap")
        overlap = min(len(data), size - head.start)
        if overlap and self._read(place.folder / raw_name(head.n), head.start, overlap) != data[:overlap]:
            return _said(one, Answer.CONFLICT, size, last, "other bytes are held there")
        if known is not None and head.start == size and head.before != last:
            return _said(one, Answer.CONFLICT, size, last, "it follows other bytes than those held")
        if known is not None and head.start + len(data) == size and head.after != last:
            return _said(one, Answer.CONFLICT, size, last, "as many other bytes are held")
        if known is not None and overlap == len(data):
            return self._commit(one, place, known, taken=False)
        delta = _delta(place.told, want, data[overlap:], head.after)
        try:
            digest = (
                write_behind(self.disk, place.folder, delta, known)
                if known
                else write_whole(self.disk, place.folder, delta, None)
            )
        except DivergedError as error:
            if known is None:
                raise
            return _said(one, Answer.CONFLICT, size, last, error.message)
        grown = replace(want, size=digest.size, sha256=digest.sha256, mib=digest.all_mib, anchor=digest.anchor)
        return self._commit(one, place, grown, taken=True)

    def _take_file(self, one: ShipFrame, place: _RunPlace) -> Arrival:
        """A patch or a side file: gathered beside its place, and there at once when it is whole."""
        head, known, want, path = one.head, *self._file(one, place)
        if want is None:
            return _said(one, Answer.DAMAGED, why="its metadata does not count this file")
        if isinstance(want, Generation) and want.size > LARGEST_OF_OTHERS:
            return _said(one, Answer.DAMAGED, why="a document of this size is not taken from another machine")
        if not place.kept.generations:
            return _said(one, Answer.CONFLICT, why="its run is not here yet")
        if known == want and self.disk.is_file(path):
            return self._commit(one, place, want, taken=False)
        if known is not None and (isinstance(known, Generation) or known.size > want.size):
            return _said(one, Answer.CONFLICT, known.size, why="another file is held there")
        self.disk.make_folders(path.parent, self.layout.base)
        gathered = path.with_name(f"{path.name}{UNFINISHED}")
        size, whole = self._gather(gathered, one)
        if size < head.total:
            fits = size == head.start + len(one.data)
            return _said(one, Answer.TAKEN if fits else Answer.CONFLICT, size, why="" if fits else "there is a gap")
        if whole != (want.stored_sha256 if isinstance(want, Generation) else want.sha256):
            self.disk.unlink(gathered)
            return _said(one, Answer.CONFLICT, 0, why="what was gathered is another file; send it from its beginning")
        if isinstance(want, Generation):
            self._must_unpack(gathered, want.size)
        if isinstance(known, SideCopy) and self.disk.is_file(path) and not self._begins_with(gathered, known):
            self.disk.unlink(gathered)
            return _said(one, Answer.CONFLICT, known.size, why="another file is held there")
        self.disk.rename(gathered, path)
        self.disk.sync_folder(path.parent)
        return self._commit(one, place, want, taken=True)

    def _begins_with(self, path: Path, known: SideCopy) -> bool:
        """A side file only grows under its name."""
        return hashlib.sha256(self._read(path, 0, known.size)).hexdigest() == known.sha256

    def _file(
        self, one: ShipFrame, place: _RunPlace
    ) -> tuple[Generation | SideCopy | None, Generation | SideCopy | None, Path]:
        """The one that is held, the one that comes, and its place."""
        kept, told, n, name = place.kept, place.told, one.head.n, one.head.name
        if one.head.part is Part.PATCH:
            known = next((g for g in kept.generations if g.n == n), None)
            want = next((g for g in told.generations if g.n == n and g.stored == "patch"), None)
            return known, want, place.folder / patch_name(n)
        safe = SIDE.fullmatch(name) is not None
        held_file = next((f for f in kept.files if f.name == name), None)
        sent = next((f for f in told.files if f.name == name and safe), None)
        return held_file, sent, place.folder / SIDE_FOLDER / name

    def _gather(self, path: Path, one: ShipFrame) -> tuple[int, str]:
        """How much is there now; and the digest of all of it, once it is whole."""
        disk, descriptor, start = self.disk, self.disk.open_to_write(path), one.head.start
        try:
            size = disk.stat(descriptor).size
            if start > size:
                return size, ""
            disk.truncate(descriptor, start)
            disk.write(descriptor, one.data, start)
            disk.sync(descriptor)
            size, digest = start + len(one.data), Digest()
            while size == one.head.total and (piece := disk.read(descriptor, 1 << 20, digest.size)):
                digest.add(piece)
        finally:
            disk.close(descriptor)
        return size, digest.sha256

    def _must_unpack(self, gathered: Path, size: int) -> None:
        try:
            must_unpack_to(self._read(gathered, 0, HEAD), size)
        except DamagedError:
            self.disk.unlink(gathered)
            raise

    def _commit(self, one: ShipFrame, place: _RunPlace, new: Generation | SideCopy, *, taken: bool) -> Arrival:
        """What is here now, as its machine tells it; the very bytes of its `metadata.json` once all of it is here."""
        kept, told = place.kept, place.told
        generations, files = {g.n: g for g in kept.generations}, {f.name: f for f in kept.files}
        if isinstance(new, Generation):
            generations[new.n] = new
        else:
            files[new.name] = new
        late = kept.metadata is not None and _is_older(told, kept.metadata)
        here = replace(
            kept.metadata if late and kept.metadata is not None else told,
            generations=tuple(g for _n, g in sorted(generations.items())),
            files=tuple(f for _name, f in sorted(files.items())),
        )
        if kept.metadata is not None and here.project != kept.metadata.project and self.keeps_project(here.run):
            here = replace(here, project=kept.metadata.project)
        answer = FrameAnswer(
            Answer.TAKEN if taken else Answer.HAVE, one.head.run, one.head.n, one.head.name, new.size, new.sha256
        )
        if here == kept.metadata and kept.settled:
            return Arrival(answer, here)
        put_aside_unreadable(self.disk, place.folder)
        self.disk.replace(place.folder / METADATA, one.head.metadata.encode() if here == told else encode(here))
        self._register.add_runs(generation_names(here), self.now)
        return Arrival(answer, here)

    @property
    def _register(self) -> Register:
        return Register(self.disk, self.layout, self.sender.keeper)

    def _read(self, path: Path, start: int, length: int) -> bytes:
        descriptor = self.disk.open_to_read(path)
        try:
            return self.disk.read(descriptor, length, start)
        finally:
            self.disk.close(descriptor)

    # -- lines of the journal ------------------------------------------------------------------------------------------

    def _take_lines(self, one: ShipFrame) -> Arrival:
        head, data, sender = one.head, one.data, self.sender
        if not JOURNAL.fullmatch(head.name):
            return _said(one, Answer.REFUSED, why="this is no file of a journal")
        if data and not data.endswith(b"\n"):
            return _said(one, Answer.DAMAGED, why="a line of the journal is cut off")
        if any(entry.owner != sender.owner for entry in entries_in(data)):
            return _said(one, Answer.REFUSED, why="a line belongs to somebody else")
        if NO_TIME.search(data):
            return _said(one, Answer.DAMAGED, why="a line names a time that cannot be")
        content = lines_held(self.disk, self.layout, head.name)
        size, last = len(content), last_line(content)
        if head.start > size:
            return _said(one, Answer.CONFLICT, size, last, "there is a gap")
        overlap = min(len(data), size - head.start)
        ours = content[head.start : head.start + overlap]
        if head.before != last_line(content[: head.start]) or not same_lines(ours, data[:overlap]):
            return _said(one, Answer.CONFLICT, size, last, "other lines are held there")
        if overlap == len(data):
            return _said(one, Answer.HAVE, size, last)
        self._append_lines(self.layout.journal / head.name, size, data[overlap:])
        return _said(one, Answer.TAKEN, head.start + len(data), last_line(content[: head.start] + data))

    def _append_lines(self, path: Path, size: int, data: bytes) -> None:
        disk = self.disk
        self._register.begin(self.now)
        disk.make_folders(path.parent, self.layout.base)
        descriptor = disk.open_to_write(path)
        try:
            disk.truncate(descriptor, size)
            try:
                disk.write(descriptor, data, size)
                disk.sync(descriptor)
            except OSError:
                with suppress(OSError):
                    disk.truncate(descriptor, size)
                raise
        finally:
            disk.close(descriptor)
        disk.settle(path, new=size == 0)
        if entries := entries_in(data):
            self._register.add_lines(path, size, size + len(data), entries)


def _said(one: ShipFrame, answer: Answer, size: int = 0, last: str = "", why: str = "") -> Arrival:
    return Arrival(FrameAnswer(answer, one.head.run, one.head.n, one.head.name, size, last, why))


def _can_be_counted(told: Metadata) -> bool:
    return all(0 < g.n < MOST_GENERATIONS and 0 <= g.size < LARGEST_RUN for g in told.generations)


def _times(told: Metadata) -> Iterator[str]:
    yield told.started
    for one in told.generations:
        yield from (one.first_captured, one.last_captured)


def _delta(told: Metadata, want: Generation, rest: bytes, after: str) -> Delta:
    run = Run(told.run, told.user, told.machine, told.agent, told.native_id)
    started = datetime.fromisoformat(told.started)
    return Delta(run, want.n, want.source_path, [rest] if rest else [], started, ends_as=after)


def _is_older(told: Metadata, here: Metadata) -> bool:
    """It comes late: what is held was told by a later one."""
    sizes = {g.n: g.size for g in told.generations}
    names = {f.name for f in told.files}
    if any(sizes.get(g.n, 0) < g.size for g in here.generations) or any(f.name not in names for f in here.files):
        return True
    return told.newest.last_captured < here.newest.last_captured
