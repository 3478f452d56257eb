"""One line of the Journal as bytes, with its checksum; and what of a file's end a crash has torn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime

import msgspec

from memlane.domain.journal import Entry

VERSION = 1
BLOCK_OF_ZEROS = bytes(512)  # the smallest piece a disk writes or does not
_FIRST = b'{"v":%d,' % VERSION
_SUM = b',"sum":"'
_SUM_LENGTH = len(_SUM) + 16 + len(b'"}')


def encode(entry: Entry, length: int = 0) -> bytes:
    """At least so long: spaces before the sum fill it up."""
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
    body = body[:-1].ljust(length - _SUM_LENGTH)
    return body + _SUM + _checksum(body) + b'"}'


def decode(line: bytes) -> Entry:
    """Raises ValueError, with the reason, for a line that is not exactly what was written."""
    body, mark, rest = line.rpartition(_SUM)
    if not mark or len(mark + rest) != _SUM_LENGTH:
        raise ValueError("it has no checksum: cut off, or not written by Lane")
    if _checksum(body) + b'"}' != rest:
        raise ValueError("its checksum does not match")
    try:
        return msgspec.json.decode(body + b"}", type=_EntryLine).entry()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:16].encode()


class _EntryLine(msgspec.Struct, frozen=True):
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


def untorn(data: bytes, is_whole: Callable[[bytes], bool]) -> int:
    """How many of these bytes a crash did not tear. It leaves a line without an end, or zeros where a block is missing.

    A line that is merely wrong is damage: it stays where it is and is named.
    """
    end = len(data)
    while end:
        start = data.rfind(b"\n", 0, end - 1) + 1
        line = data[start:end]
        hole = line.startswith(b"\0") or BLOCK_OF_ZEROS in line
        if not hole and (line.endswith(b"\n") or is_whole(line) or is_whole(line[:-1])):
            return end
        end = start
    return 0


def written_at(line: bytes) -> datetime | None:
    """When, without reading what; None where the line is not what was written."""
    body, _mark, rest = line.rpartition(_SUM)
    if not body.startswith(_FIRST) or _checksum(body) + b'"}' != rest:
        return None
    return datetime.fromisoformat(body.partition(b',"at":"')[2].partition(b'"')[0].decode())


def is_whole(line: bytes) -> bool:
    try:
        decode(line)
    except (ValueError, msgspec.DecodeError):
        return False
    return True
