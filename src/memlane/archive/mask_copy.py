"""A masked copy of runs, in the format of the archive, to send from. Nothing in it that the archive does not have.

Its runs and generations have the same names, and what an agent writes in lines has as many lines: where to go on is
read from the copy itself. Made again from nothing, it has the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from memlane.archive.append import DivergedError, write_behind, write_whole
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, patch_name, raw_name
from memlane.archive.metadata import Digest, Metadata, SideCopy, decode, encode
from memlane.archive.patch import pack
from memlane.archive.read import pieces
from memlane.archive.shelf import held
from memlane.domain import Project, Run
from memlane.domain.delta import Delta, Generation
from memlane.errors import DamagedError
from memlane.system.disk import Disk

SOURCES = "sources.json"


@dataclass(frozen=True, slots=True)
class Masking:
    """How bytes are masked: in `lines`, each by itself; or `whole`. `is_record`: a line that an agent finished."""

    lines: Callable[[bytes], bytes]
    whole: Callable[[bytes], bytes]
    is_record: Callable[[bytes], bool]


def copy_masked(disk: Disk, folder: Path, target: Layout, masking: Masking) -> None:
    """The run as the archive has it, masked. If masking raises, what was copied of it stays as it was."""
    try:
        _MaskedRun(disk, folder, target, masking).bring_up()
    except DamagedError:  # the copy: it is damaged, or other bytes are in the archive now
        drop_masked(disk, target, folder.name)
        _MaskedRun(disk, folder, target, masking).bring_up()


def copied_from(disk: Disk, target: Layout) -> Mapping[str, str]:
    """Run → what its `metadata.json` in the archive was when it was copied."""
    return {folder.name: _sources(disk, folder).get(METADATA, "") for folder in target.run_folders()}


def _sources(disk: Disk, folder: Path) -> dict[str, str]:
    """What was copied from what. A hint: without it, it is masked again."""
    try:
        return msgspec.json.decode(disk.read_whole(folder / SOURCES), type=dict[str, str])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}


def drop_masked(disk: Disk, target: Layout, run: str) -> None:
    folder = target.find(run)
    if folder is not None:
        for path in [*disk.files_below(folder)]:
            disk.unlink(path)
        if disk.is_folder(folder / SIDE_FOLDER):
            disk.remove_folder(folder / SIDE_FOLDER)
        disk.remove_folder(folder)


class _MaskedRun:
    def __init__(self, disk: Disk, folder: Path, target: Layout, masking: Masking) -> None:
        self._disk, self._folder, self._masking = disk, folder, masking
        self._seen = disk.signature(folder / METADATA)
        self._told = decode(disk.read_whole(folder / METADATA), folder / METADATA)
        found = target.find(self._told.run)
        self._to = found or target.run_folder(datetime.fromisoformat(self._told.started), self._told.run)
        self._base, self._kept = target.base, held(disk, found)
        self._before, self._now = _sources(disk, self._to), {METADATA: self._seen}

    def bring_up(self) -> None:
        self._disk.make_folders(self._to, self._base)
        project = Project(self._name(self._told.project.name), self._name(self._told.project.key))
        made = replace(self._told, cwd=self._name(self._told.cwd), project=project, generations=(), files=())
        for one in self._told.generations:
            made = made.with_generation(self._patch(one, made) if one.stored == "patch" else self._raw(one))
        for file in self._told.files:
            made = made.with_file(self._side(file))
        if made != self._kept.metadata:
            self._disk.replace(self._to / METADATA, encode(made))
        self._disk.replace(self._to / SOURCES, msgspec.json.encode(self._now))

    def _is_copied(self, name: str, sha256: str) -> bool:
        self._now[name] = sha256
        return self._before.get(name) == sha256

    def _name(self, name: str) -> str:
        return self._masking.whole(name.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    # -- generations -------------------------------------------------------------------------------------------------

    def _raw(self, one: Generation) -> Generation:
        known = next((g for g in self._kept.generations if g.n == one.n and g.stored == "raw"), None)
        closed = one.n != self._told.newest.n
        same = self._is_copied(raw_name(one.n), f"{one.sha256} {closed}")
        fresh = _Fresh(b"", iter(())) if same and known is not None else self._behind(one, known, closed=closed)
        if known is not None and not fresh.some:
            return self._as_copied(one, known.size, known.sha256, known.mib, known.anchor)
        run = Run(self._told.run, self._told.user, self._told.machine, self._told.agent, self._told.native_id)
        delta = Delta(run, one.n, "", fresh, datetime.fromisoformat(self._told.started))
        if known is None:
            digest = write_whole(self._disk, self._to, delta, None)
        else:
            digest = write_behind(self._disk, self._to, delta, known)
        return self._as_copied(one, digest.size, digest.sha256, digest.all_mib, digest.anchor)

    def _as_copied(self, one: Generation, size: int, sha256: str, mib: tuple[str, ...], anchor: str) -> Generation:
        path = self._name(one.source_path)
        return replace(one, size=size, sha256=sha256, mib=mib, anchor=anchor, source_path=path)

    def _behind(self, one: Generation, known: Generation | None, *, closed: bool) -> _Fresh:
        """What is to be written behind what is copied already; its last line is masked again, and must be the same."""
        found = pieces(self._disk, self._folder, self._told, one)
        if not self._in_lines(one):
            last, masked = self._copied(known, 0), iter([self._masking.whole(self._document(found, closed=closed))])
        else:
            start, before = self._last_line(known)
            last = self._copied(known, start)
            masked = map(self._masking.lines, _whole_lines(found, before, self._masking.is_record, closed=closed))
        first = next(masked, b"")
        if not first.startswith(last):
            raise DivergedError(f"{raw_name(one.n)}: what was copied is masked otherwise now")
        return _Fresh(first[len(last) :], masked)

    def _document(self, found: Iterator[bytes], *, closed: bool) -> bytes:
        """All of it, or of a text that goes on its whole lines."""
        data = b"".join(found)
        return data if closed or self._masking.is_record(data) else data[: data.rfind(b"\n") + 1]

    def _in_lines(self, one: Generation) -> bool:
        """By its first line, as far as one is there."""
        left = b""
        for piece in pieces(self._disk, self._folder, self._told, one):
            line, newline, _rest = piece.partition(b"\n")
            left += line
            if newline:
                return self._masking.is_record(left)
        return self._masking.is_record(left)

    def _last_line(self, known: Generation | None) -> tuple[int, int]:
        """Where the last line of the copy begins, and how many are before it."""
        start = before = offset = 0
        ends: list[int] = []
        for piece in pieces(self._disk, self._to, None, known) if known is not None else ():
            body = piece[:-1] if known is not None and offset + len(piece) == known.size else piece
            before += body.count(b"\n")
            if (at := body.rfind(b"\n")) >= 0:
                ends = [offset + at + 1]
            offset += len(piece)
        if ends:
            start = ends[0]
        return start, before

    def _copied(self, known: Generation | None, start: int) -> bytes:
        if known is None:
            return b""
        return b"".join(pieces(self._disk, self._to, None, known))[start:]

    def _patch(self, one: Generation, made: Metadata) -> Generation:
        """Kept as changes against the same generation as in the archive."""
        known = next((g for g in self._kept.generations if g.n == one.n and g.stored == "patch"), None)
        if self._is_copied(patch_name(one.n), one.sha256) and known is not None:
            return known
        content = self._masking.whole(b"".join(pieces(self._disk, self._folder, self._told, one)))
        digest = Digest()
        digest.add(content)
        base = next((g for g in made.generations if g.n == one.base), None)
        before = b"".join(pieces(self._disk, self._to, made, base)) if base is not None else None
        packed = pack(content, before, one.base, alone=base is None)
        self._disk.replace(self._to / patch_name(one.n), packed.data)
        made_so = self._as_copied(one, digest.size, digest.sha256, digest.all_mib, digest.anchor)
        return replace(made_so, base=packed.base, stored_sha256=hashlib.sha256(packed.data).hexdigest())

    # -- side files --------------------------------------------------------------------------------------------------

    def _side(self, file: SideCopy) -> SideCopy:
        known = next((f for f in self._kept.files if f.name == file.name), None)
        if self._is_copied(f"{SIDE_FOLDER}/{file.name}", file.sha256) and known is not None:
            return known
        data = self._masking.whole(self._disk.read_whole(self._folder / SIDE_FOLDER / file.name)[: file.size])
        copy = replace(
            file,
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            source_path=self._name(file.source_path),
        )
        self._disk.make_folders(self._to / SIDE_FOLDER, self._base)
        self._disk.replace(self._to / SIDE_FOLDER / file.name, data)
        return copy


@dataclass(slots=True)
class _Fresh:
    """New bytes of a generation, masked as they are asked for."""

    first: bytes
    rest: Iterator[bytes]

    @property
    def some(self) -> bool:
        while not self.first:
            try:
                self.first = next(self.rest)
            except StopIteration:
                return False
        return True

    def __iter__(self) -> Iterator[bytes]:
        if self.first:
            yield self.first
        yield from self.rest


def _whole_lines(
    found: Iterator[bytes], skip: int, is_record: Callable[[bytes], bool], *, closed: bool
) -> Iterator[bytes]:
    """Blocks of whole lines, without the first ones. A half line waits, unless nothing comes behind it."""
    left = b""
    for piece in found:
        left += piece
        lines, newline, rest = left.rpartition(b"\n")
        if not newline:
            continue
        block, left = lines + newline, rest
        there = block.count(b"\n")
        if there <= skip:
            skip -= there
            continue
        for _line in range(skip):
            block = block[block.index(b"\n") + 1 :]
        skip = 0
        yield block
    if left and not skip and (closed or is_record(left)):
        yield left
