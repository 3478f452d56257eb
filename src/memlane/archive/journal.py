"""The Journal: checksummed lines of what transcripts cannot give back. Append-only, written first, storage second.

Knows lines, not what they mean: `docs/formats/journal.md` has the schema of every kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import cast

import msgspec

from memlane.archive.layout import Layout
from memlane.disk import Disk
from memlane.domain import Machine
from memlane.domain.journal import Entry

VERSION = 1
_SUM = b',"sum":"'
_LONGEST_SUM = len(_SUM) + 16 + len(b'"}')


@dataclass(frozen=True, slots=True)
class Placed:
    """An Entry and where the next one begins: what a projection remembers."""

    entry: Entry
    file: str  # relative to the journal folder
    next_offset: int


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line whose checksum does not fit: torn by a crash before it was acknowledged, or damaged since."""

    file: Path
    line: int
    reason: str


def encode(entry: Entry) -> bytes:
    body = msgspec.json.encode(
        {
            "v": VERSION,
            "kind": entry.kind,
            "id": entry.id,
            "at": entry.at,
            "owner": entry.owner,
            "machine": entry.machine,
            "actor": entry.actor,
            "data": entry.data,
        }
    )
    return body[:-1] + _SUM + _checksum(body[:-1]) + b'"}'


def decode(line: bytes) -> Entry:
    """Raises ValueError, with the reason, for a line that is not exactly what was written."""
    body, mark, rest = line.rpartition(_SUM)
    if not mark or len(mark + rest) != _LONGEST_SUM:
        raise ValueError("it has no checksum: torn or not ours")
    if _checksum(body) != rest[:16]:
        raise ValueError("its checksum does not fit")
    return msgspec.json.decode(body + b"}", type=_Line).entry()


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:16].encode()


class _Line(msgspec.Struct, frozen=True):
    v: int
    kind: str
    id: str
    at: datetime
    owner: str
    machine: str
    actor: str
    data: dict[str, object]

    def entry(self) -> Entry:
        if self.v > VERSION:
            raise ValueError(f"it is of version {self.v}; this memlane knows {VERSION}")
        return Entry(self.kind, self.id, self.at, self.owner, self.machine, self.actor, self.data)


def write(disk: Disk, layout: Layout, machine: Machine, entries: Sequence[Entry]) -> None:
    """Durable on return. Entries of one call stand together in one file, so they are there all or up to a point."""
    if not entries:
        return
    path = layout.journal_file(entries[0].at, machine.name)
    disk.make_folders(path.parent)
    descriptor = disk.open_to_write(path)
    try:
        end = disk.stat(descriptor).size
        torn = end > 0 and disk.read(descriptor, 1, end - 1) != b"\n"
        data = (b"\n" if torn else b"") + b"".join(encode(entry) + b"\n" for entry in entries)
        disk.write(descriptor, data, end)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    if end == 0:
        disk.sync_folder(path.parent)


def read(disk: Disk, layout: Layout, positions: Mapping[str, int]) -> Iterator[Placed | BadLine]:
    """Every whole line behind `positions` (file → offset), file by file, oldest month first."""
    for path in layout.journal_files():
        name = f"{path.parent.name}/{path.name}"
        data = disk.read_whole(path)
        offset = positions.get(name, 0)
        if offset > len(data):
            offset = 0  # rewritten by a forget: everything in it counts again
        number = data.count(b"\n", 0, offset)
        while (end := data.find(b"\n", offset)) >= 0:
            number += 1
            line, offset = data[offset:end], end + 1
            if not line:
                continue
            try:
                yield Placed(decode(line), name, offset)
            except (ValueError, msgspec.DecodeError) as error:
                yield BadLine(path, number, str(error))


def rewrite(disk: Disk, path: Path, keep: Sequence[bytes]) -> None:
    """Replace a journal file by these lines: only a person's `forget --now` does this."""
    disk.replace(path, b"".join(line + b"\n" for line in keep))


def without_words(entry: Entry) -> Entry:
    """A recall whose run is forgotten for good: what was asked is gone, that it was asked stays."""
    recall = cast(dict[str, object], entry.data["recall"])
    query: dict[str, object] = {**cast(dict[str, object], recall["query"]), "words": "", "files": ()}
    return replace(entry, data={"recall": {**recall, "query": query}})
