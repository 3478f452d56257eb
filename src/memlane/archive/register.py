"""The Register: what should be in the archive. One file per machine, one line for each step that made something exist.

What a line speaks of is durable before the line is, so a kill leaves things that are not registered yet, never names of
things that are not there. Whether all of it is still there is the question of `comparison`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from memlane.archive.layout import Layout
from memlane.archive.lines import untorn
from memlane.archive.metadata import VERSION as ARCHIVE_VERSION
from memlane.archive.presence import FileLines, GenerationName, LineName, lines_in, lines_there, name_of, runs_there
from memlane.archive.register_line import (
    BEGINNING,
    BEGUN,
    NEW,
    OLDER,
    Card,
    Head,
    Loss,
    Registered,
    RegisterLine,
    encoded,
    fits,
    head_name,
    heads,
    is_whole,
    line_at,
    linked,
    registered,
    whole,
)
from memlane.domain.journal import Entry
from memlane.system.disk import Disk

UNREADABLE = ".damaged"
MOVED = ".moved"
TAILS = (4 << 10, 64 << 10)  # bytes at its end that are looked at first; then all of it


@dataclass(frozen=True, slots=True)
class _End:
    """Where the next line goes, behind which one, and what must stand before it."""

    offset: int = 0
    n: int = 0
    chain: str = ""
    missing: bytes = b""


@dataclass(frozen=True, slots=True)
class Register:
    """Of one machine. While it is lost nothing is written to it: `lane archive repair` begins it anew, aloud."""

    disk: Disk
    layout: Layout
    machine: str

    @property
    def path(self) -> Path:
        return self.layout.register(self.machine)

    # -- how it begins -------------------------------------------------------------------------------------------------

    def begin(self, now: datetime) -> str:
        """Before anything is written. How it began, if it did so now."""
        if self.disk.is_file(self.path) or self.is_lost:
            return ""
        known = registered(self.disk, self.layout)
        runs = [name for name in runs_there(self.disk, self.layout) if not known.has(name)]
        files = lines_there(self.disk, self.layout, self.machine)
        began = OLDER if runs or files else NEW
        self.write_anew(now, began, runs, files)
        return began

    def began(self) -> str:
        """How: the first line says it. "": it has not, or that cannot be read."""
        first = whole(self._tail(None).partition(b"\n")[0])
        return first.line.began if first else ""

    @property
    def is_lost(self) -> bool:
        return not self.disk.is_file(self.path) and (self.says_card() == BEGUN or self.head() is not None)

    def write_anew(self, now: datetime, began: str, runs: Sequence[GenerationName], files: Sequence[FileLines]) -> None:
        """All of it in one step, between two of its card: a kill in between is no loss."""
        found = [line_at(now, began=began)]
        found += [line_at(now, runs=tuple(runs))] if runs else []
        found += [line_at(now, journal=file.journal, size=file.size, lines=file.names) for file in files]
        self.disk.make_folders(self.path.parent, self.layout.base)
        self.write_card(now, BEGINNING)
        if self.disk.is_file(self.path):  # a damaged one stays for a person to look at
            self.disk.rename(self.path, self.path.with_name(f"{self.path.name}{UNREADABLE}"))
        self.disk.replace(self.path, encoded(found, 0, ""))
        self.write_card(now, BEGUN)

    def write_card(self, now: datetime, says: str) -> None:
        path = self.layout.card(self.machine)
        self.disk.make_folders(path.parent, self.layout.base)
        self.disk.replace(path, msgspec.json.encode(Card(ARCHIVE_VERSION, self.machine, says, now)) + b"\n")

    def says_card(self) -> str:
        """ "": there is none, or it cannot be read."""
        try:
            return msgspec.json.decode(self.disk.read_whole(self.layout.card(self.machine)), type=Card).register
        except (OSError, msgspec.DecodeError):
            return ""

    # -- what is made --------------------------------------------------------------------------------------------------

    def add_lines(self, path: Path, start: int, size: int, entries: Sequence[Entry]) -> None:
        """Lines of the Journal from `start` to `size`; with those before them that a kill left unregistered."""
        names, known = tuple(map(name_of, entries)), self._size_of(path)
        if known < start:
            names = (*self._new_names(path, known, start), *names)
        self.add(line_at(entries[0].at, journal=self.layout.journal_name(path), size=size, lines=names))

    def add_runs(self, names: Iterable[GenerationName], now: datetime) -> None:
        """Those that are not registered yet."""
        names = list(names)
        known = self._about({name.run for name in names})
        if new := tuple(name for name in names if not known.has(name)):
            self.add(line_at(now, runs=new))

    def add_gone(self, run: str, now: datetime) -> None:
        """After it was forgotten for good."""
        if run in self._about({run}).runs:
            self.add(line_at(now, gone=(run,)))

    def add_losses(self, losses: Sequence[Loss], by: str, now: datetime) -> None:
        """What nobody expects any more: a person accepts that it is lost, or a repair wrote others in its place."""
        lost = tuple(name for loss in losses for name in loss.generations)
        found = [line_at(now, lost=lost, by=by)] if lost else []
        found += [line_at(now, journal=one.journal, lost_lines=one.lines, by=by) for one in losses if one.lines]
        if found:
            self.add(*found)

    def write_moved(self, path: Path, before: Sequence[bytes], after: Sequence[bytes]) -> None:
        """A file of the Journal anew, from a line on: lines of another copy came between its own.

        A mark beside it says from where on, until the register knows it: a kill in between is no damage.
        """
        start, rest = (b"".join(line + b"\n" for line in lines) for lines in (before, after))
        self.settle_moved()
        self.disk.make_folders(path.parent, self.layout.base)
        self.disk.replace(_moved_mark(path), str(len(start)).encode())
        self.disk.replace(path, start + rest)
        self._settle_moved(path)

    def settle_moved(self) -> None:
        for month in reversed(self.layout.months(self.layout.journal)):
            for name in self.disk.names(month):
                if name.endswith(MOVED):
                    self._settle_moved(month / name.removesuffix(MOVED))

    def _settle_moved(self, path: Path) -> None:
        """All that stands behind the mark is registered in the order it has now, and no longer in the one it had."""
        mark = _moved_mark(path)
        start = int(self.disk.read_whole(mark))
        name, size = self.layout.journal_name(path), self.disk.size(path)
        before = lines_in(self.disk, self.layout, path, 0, start).names if start else ()
        after = lines_in(self.disk, self.layout, path, start, size)
        known = registered(self.disk, self.layout, lambda line: name.encode() in line)
        expected = Counter(known.lines.get(name, [])) - known.given_up.get(name, Counter()) - Counter(before)
        moved = tuple(line for line in expected.elements() if line in set(after.names))
        if after.names:
            found = line_at(after.names[0].at, journal=name, size=after.size, lines=after.names)
            self.add(msgspec.structs.replace(found, lost_lines=moved, by="repair" if moved else ""))
        self.disk.unlink(mark)

    def add(self, *lines: RegisterLine) -> None:
        """Durable on return. What fails leaves the register as it was."""
        if not self.disk.is_file(self.path):
            return  # lost: `lane archive verify` says so
        disk, descriptor = self.disk, self.disk.open_to_write(self.path)
        try:
            end = self._end(descriptor)
            disk.truncate(descriptor, end.offset)
            try:
                disk.write(descriptor, end.missing + encoded(lines, end.n, end.chain), end.offset)
                disk.sync(descriptor)
            except OSError:
                with suppress(OSError):
                    disk.truncate(descriptor, end.offset)
                raise
        finally:
            disk.close(descriptor)
        disk.settle(self.path, new=False)

    def _end(self, descriptor: int) -> _End:
        """Behind the last line that can be read; those behind it that cannot are counted, and stay."""
        size = self.disk.stat(descriptor).size
        for start in dict.fromkeys((*(max(0, size - most) for most in TAILS), 0)):
            tail = self.disk.read(descriptor, size - start, start)
            tail = tail[: untorn(tail, is_whole)]
            missing = b"\n" if tail and not tail.endswith(b"\n") else b""
            for wrong, data in enumerate(reversed(tail.removesuffix(b"\n").split(b"\n"))):
                if found := whole(data):
                    return _End(start + len(tail), found.line.n + wrong, found.chain, missing)
            if start == 0:
                return _End(len(tail), tail.count(b"\n"), missing=missing)
        return _End()

    # -- what a kill left unregistered ---------------------------------------------------------------------------------

    def settle(self, now: datetime) -> None:
        """A beginning that was cut off, and the newest lines of the Journal."""
        if not self.disk.is_file(self.path):
            return
        if self.says_card() == BEGINNING:
            self.write_card(now, BEGUN)
        self.settle_moved()
        for path in self._journal_files()[-1:]:
            self._settle_lines(path, now)

    def settle_all(self, now: datetime) -> None:
        """All of them, and Runs whose agent has nothing more to say."""
        if not self.disk.is_file(self.path):
            return
        self.settle_moved()
        for path in self._journal_files():
            self._settle_lines(path, now)
        known = registered(self.disk, self.layout)
        if new := tuple(name for name in runs_there(self.disk, self.layout) if not known.has(name)):
            self.add(line_at(now, runs=new))

    def _journal_files(self) -> list[Path]:
        return [path for path in self.layout.journal_files() if path.name == self.path.name]

    def _settle_lines(self, path: Path, now: datetime) -> None:
        known = self._size_of(path)
        if known < self.disk.size(path):
            there = lines_in(self.disk, self.layout, path, known)
            if names := self._new_names(path, known, there.size):
                self.add(line_at(now, journal=there.journal, size=there.size, lines=names))

    def _new_names(self, path: Path, start: int, end: int) -> tuple[LineName, ...]:
        """Of lines between the two; without those that are registered and were only moved there by damage."""
        name = self.layout.journal_name(path)
        known = registered(self.disk, self.layout, lambda line: name.encode() in line).lines.get(name, [])
        there = lines_in(self.disk, self.layout, path, start, end).names
        return tuple(line for line in there if line not in set(known))

    # -- what is known -------------------------------------------------------------------------------------------------

    def _size_of(self, path: Path) -> int:
        """Of this file of the Journal, with the last line of it that is registered."""
        wanted = b'"journal":"%s","size":' % self.layout.journal_name(path).encode()
        for most in (*TAILS, None):
            for line in reversed(self._tail(most).split(b"\n")):
                if wanted in line and (found := whole(line)):
                    return found.line.size
        return 0

    def _tail(self, most: int | None) -> bytes:
        try:
            descriptor = self.disk.open_to_read(self.path)
        except FileNotFoundError:
            return b""
        try:
            size = self.disk.stat(descriptor).size
            start = max(0, size - most) if most else 0
            return self.disk.read(descriptor, size - start, start)
        finally:
            self.disk.close(descriptor)

    def _about(self, runs: Collection[str]) -> Registered:
        """Of these Runs alone, in all registers: only lines that name one are read."""
        quoted = [f'"{run}"'.encode() for run in runs]
        return registered(self.disk, self.layout, lambda line: any(name in line for name in quoted))

    # -- its head ------------------------------------------------------------------------------------------------------

    def head(self) -> Head | None:
        return heads(self.disk, self.layout).get(head_name(self.layout, self.machine))

    def keep_head(self, *, whatever: bool = False) -> None:
        """Outside of the archive: how far it is. A head that does not fit stays, until a repair says `whatever`."""
        if self.layout.heads is None or not self.disk.is_file(self.path):
            return
        kept, name = heads(self.disk, self.layout), head_name(self.layout, self.machine)
        before, lines = kept.get(name), list(linked(self.disk, self.path))
        if not lines or (before is not None and (before.n, before.chain) == (lines[-1].line.n, lines[-1].chain)):
            return
        if whatever or before is None or fits(before, lines):
            found = registered(self.disk, self.layout)
            kept[name] = Head(lines[-1].line.n, lines[-1].chain, len(found.runs), found.line_count)
            self.disk.replace(self.layout.heads, msgspec.json.encode(kept) + b"\n")


def _moved_mark(path: Path) -> Path:
    return path.with_name(f"{path.name}{MOVED}")
