"""Files of lines that only grow, each line with the digest of the one before it. What a line says is not known here.

The head (number and digest of the last line) is also kept outside of the archive, so a file that was edited, cut or put
back from an older copy does not fit to it: the next line says so, and `faults` names the place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from memlane.archive import safe_name
from memlane.archive.layout import MONTH
from memlane.system.disk import Disk
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

VERSION = 1
BROKEN = "broken"  # the act of a line that says: those before it are not what was written
TAIL = 64 << 10  # bytes at the end of a file that are looked at first


class ChainHead(msgspec.Struct, frozen=True):
    """The last line of one file series."""

    n: int = 0
    digest: str = ""


class ChainHeads(msgspec.Struct):
    """Of every machine that writes: each has a series of its own."""

    of: dict[str, ChainHead] = {}


class ChainedLine(msgspec.Struct, frozen=True):
    """One line as it is read: `body` is what was written, `digest` what the next line must name."""

    n: int
    before: str
    body: dict[str, object]
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ChainFault:
    """A place where the lines are not what was written; `gap`: the chain itself says so, aloud."""

    file: str
    n: int
    why: str
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """`folder` has a folder for each month. Whoever appends holds the lock."""

    disk: Disk
    folder: Path
    name: str  # of the machine that writes
    heads: JsonFile[ChainHeads]
    lock: WriteLock

    def append(self, bodies: Sequence[Mapping[str, object]], at: datetime) -> None:
        """Durable on return, together."""
        with self.lock.held():
            path = self._path(at)
            self.disk.make_folders(path.parent, self.folder.parent)
            newest, end, last = self._end()
            bodies = [*self._break(last, at), *bodies]
            data, head = _encoded(bodies, last)
            self._write(path, end if path == newest else 0, data)
            with self.heads.changed() as heads:
                heads.of[self.name] = head

    def _write(self, path: Path, end: int, data: bytes) -> None:
        descriptor = self.disk.open_to_write(path)
        try:
            self.disk.truncate(descriptor, end)
            try:
                self.disk.write(descriptor, data, end)
                self.disk.sync(descriptor)
            except OSError:
                with suppress(OSError):
                    self.disk.truncate(descriptor, end)
                raise
        finally:
            self.disk.close(descriptor)
        self.disk.settle(path, new=end == 0)

    def _path(self, at: datetime) -> Path:
        """Of this month, but never before a month that is there: clocks jump back."""
        month, name = f"{at.year:04}-{at.month:02}", f"{safe_name(self.name)}.jsonl"
        return self.folder / max([month, *(path.parent.name for path in self.files(self.name))]) / name

    def _end(self) -> tuple[Path | None, int, ChainHead]:
        """The newest file with a line, where the next one goes in it, and the last line. A torn end is written over."""
        for path in reversed(self.files(self.name)):
            size = self.disk.size(path)
            for start in (max(0, size - TAIL), 0):
                tail = self._read(path, start, size - start)
                whole = tail[: tail.rfind(b"\n") + 1]
                line = whole[:-1].rpartition(b"\n")[2]
                if line and (start == 0 or b"\n" in whole[:-1]):
                    return path, start + len(whole), _head_of(line)
        return None, 0, ChainHead()

    def _break(self, last: ChainHead, at: datetime) -> list[Mapping[str, object]]:
        """What the next lines must say first, where the last one is not what the head remembers."""
        head = self.heads.read().of.get(self.name, ChainHead())
        if head == last or (last.n > head.n and self._has(head)):
            return []
        found = f"line {last.n} {last.digest[:16]}".strip()
        what = f"line {head.n} {head.digest[:16]} was written, {found or 'nothing'} is here"
        return [{"at": at, "who": "", "act": BROKEN, "what": what}]

    def _has(self, head: ChainHead) -> bool:
        """A kill came between a line and its head."""
        return head.n == 0 or any(one.n == head.n and one.digest == head.digest for one in self.lines(self.name))

    # -- reading -----------------------------------------------------------------------------------------------------

    def files(self, name: str = "") -> list[Path]:
        """Of one machine or all, oldest month first."""
        if not self.disk.is_folder(self.folder):
            return []
        months = [self.folder / month for month in self.disk.folders(self.folder) if MONTH.match(month)]
        files = (month / file for month in months for file in self.disk.names(month) if file.endswith(".jsonl"))
        return [file for file in files if not name or file.name == f"{safe_name(name)}.jsonl"]

    def lines(self, name: str = "") -> Iterator[ChainedLine]:
        for path in self.files(name):
            yield from filter(None, map(_decoded, self.disk.read_whole(path).split(b"\n")[:-1]))

    def backwards(self, path: Path) -> Iterator[ChainedLine]:
        """Of one file, newest first."""
        yield from filter(None, map(_decoded, reversed(self.disk.read_whole(path).split(b"\n")[:-1])))

    def faults(self) -> Iterator[ChainFault]:
        """Everything that is not as it was written."""
        heads = self.heads.read().of
        series = dict[str, list[Path]]()
        for path in self.files():
            series.setdefault(path.name, []).append(path)
        for name in {*series, *(f"{safe_name(one)}.jsonl" for one in heads)}:
            head = next((one for key, one in heads.items() if f"{safe_name(key)}.jsonl" == name), ChainHead())
            yield from self._faults_of(name, series.get(name, []), head)

    def _faults_of(self, name: str, files: Sequence[Path], head: ChainHead) -> Iterator[ChainFault]:
        before, seen = ChainHead(), head.n == 0
        for path in files:
            file = f"{path.parent.name}/{path.name}"
            for data in self.disk.read_whole(path).split(b"\n")[:-1]:
                line = _decoded(data)
                if line is None:
                    yield ChainFault(file, before.n + 1, "it cannot be read")
                elif line.n != before.n + 1 or line.before != before.digest:
                    yield ChainFault(file, line.n, f"it does not follow line {before.n}")
                elif line.body.get("act") == BROKEN:
                    yield ChainFault(file, line.n, str(line.body.get("what", "")), gap=True)
                before = _head_of(data) if line is not None else ChainHead(before.n + 1, _digest(data))
                seen = seen or before == head
        if not seen:
            yield ChainFault(name, head.n, f"line {head.n} {head.digest[:16]} was written and is not here")

    def _read(self, path: Path, start: int, length: int) -> bytes:
        descriptor = self.disk.open_to_read(path)
        try:
            return self.disk.read(descriptor, length, start)
        finally:
            self.disk.close(descriptor)


def _encoded(bodies: Sequence[Mapping[str, object]], last: ChainHead) -> tuple[bytes, ChainHead]:
    """Numbered and linked behind the last line."""
    found = list[bytes]()
    for body in bodies:
        line = msgspec.json.encode({"v": VERSION, "n": last.n + 1, "before": last.digest, **body})
        last = ChainHead(last.n + 1, _digest(line))
        found.append(line + b"\n")
    return b"".join(found), last


def _decoded(data: bytes) -> ChainedLine | None:
    """None: this is no line of ours."""
    with suppress(msgspec.DecodeError, KeyError, TypeError, ValueError):
        body = msgspec.json.decode(data, type=dict[str, object])
        if int(str(body.pop("v"))) <= VERSION:
            return ChainedLine(int(str(body.pop("n"))), str(body.pop("before")), body, _digest(data))
    return None


def _head_of(data: bytes) -> ChainHead:
    line = _decoded(data)
    return ChainHead(line.n if line is not None else 0, _digest(data))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
