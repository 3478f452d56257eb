"""A file or zip that a person hands over, as a stream of JSON objects, each exactly as it stands."""

from __future__ import annotations

import codecs
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from memlane.errors import DamagedError

PIECE = 1 << 20
LARGEST_TOTAL = 64 << 30  # what one zip may unpack to
LARGEST_RATIO = 100  # exports pack 3 to 20 times smaller; a bomb a thousand times
ALWAYS = 16 << 20  # a small zip may be as repetitive as it likes
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_ENDINGS = (".json", ".jsonl")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others may ask for gigabytes of memory to unpack
_ENCRYPTED = 0x1
_WRONG_WITH_ZIPS = (  # all that reading a damaged one may raise
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, OSError, OverflowError, RuntimeError,
    ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExportPart:
    """One stream of JSON. `name` is what a zip calls it: for people to read, never to open."""

    name: str
    pieces: Callable[[], Iterator[bytes]]


def parts(path: Path) -> Iterator[ExportPart]:
    """The file itself, or every JSON file in it if it is a zip, one open at a time."""
    with path.open("rb") as file:
        packed = file.read(4) in _MAGIC
    if not packed:
        yield ExportPart("", lambda: _in_utf8(_plain(path)))
        return
    with _translated_zip(path) as archive:
        left = _Allowance(path.stat().st_size)
        for member in archive.infolist():
            if member.filename.lower().endswith(_ENDINGS):
                yield ExportPart(member.filename, lambda member=member: _in_utf8(_unpacked(archive, member, left)))


def _plain(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}  # by the mark at its beginning


def _in_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Windows programs save JSON as UTF-16; what is wrong in it becomes the sign for that."""
    first = next(pieces, b"")
    wide = _WIDE.get(first[:2])
    if wide is None:
        yield first
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder(wide)("replace")
    for piece in chain((first[2:],), pieces):
        yield decoder.decode(piece).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _translated_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _WRONG_WITH_ZIPS as error:
        raise DamagedError(f"this zip cannot be opened: {error}", hint="download the export again") from error


class _Allowance:
    """How many bytes a zip may still unpack to, all its files together: two of them may share their packed bytes."""

    def __init__(self, packed: int) -> None:
        self._left = min(LARGEST_TOTAL, max(ALWAYS, packed * LARGEST_RATIO))

    def spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise DamagedError("this zip unpacks to far more than an export would: it is not read further")


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, left: _Allowance) -> Iterator[bytes]:
    if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
        raise DamagedError(f"{member.filename!r} in this zip is packed in a way we do not read")
    try:
        with archive.open(member) as file:
            while piece := file.read(PIECE):
                left.spend(len(piece))
                yield piece
    except _WRONG_WITH_ZIPS as error:
        raise DamagedError(f"{member.filename!r} in this zip is damaged: {error}") from error


LARGEST = 64 << 20  # bytes of one object; real conversations reach a few MB
# Nothing here is possessive (`*+`): before Python 3.11.5 that lost bytes. What follows a part can never be part of it,
# so there is nothing to go back for.
_REST = rb'[^"\\]*(?:\\.[^"\\]*)*"'  # of a string, behind its first quote
_REST_OF_STRING = re.compile(_REST, re.DOTALL)
# Each match begins where the last one ended and passes over whole strings, so it never begins inside one.
_BRACKET = re.compile(rb'[^"{}\[\]]*(?:"' + _REST + rb'[^"{}\[\]]*)*(["{}\[\]]|\Z)', re.DOTALL)
_OPENING, _OBJECT, _QUOTE = b"{[", b"{", b'"'


@dataclass(frozen=True, slots=True)
class ExportCut:
    """One object, `n` counted from 1. `data` is empty when there is a `reason` not to take it."""

    n: int
    data: bytes
    size: int
    reason: str = ""


class Objects:
    """The objects of an array, or of one object behind another. What stands between them is passed over."""

    def __init__(self, pieces: Iterable[bytes], largest: int = LARGEST) -> None:
        self._pieces = pieces
        self._largest = largest
        self._n = 0
        self._depth = 0  # inside an object; 0 between two
        self._parts: list[bytes] = []
        self._size = 0
        self._in_string = False
        self._escaped = False  # a backslash was the last byte of the piece before

    def __iter__(self) -> Iterator[ExportCut]:
        for piece in self._pieces:
            yield from self._cut(piece)
        if self._depth:
            yield ExportCut(self._n, b"", self._size, "the file ends in the middle of it")

    def _cut(self, piece: bytes) -> Iterator[ExportCut]:
        start = 0
        for found in _BRACKET.finditer(piece, self._behind_string(piece)):
            token = found[1]
            if token == _QUOTE:  # of a string that goes on in the next piece: nothing behind it is a bracket
                self._in_string, self._escaped = True, _ends_escaped(piece, found.end())
                break
            if not token:
                break  # the end of the piece
            if self._depth == 0:
                if token != _OBJECT:
                    continue
                self._n, start = self._n + 1, found.end() - 1
            self._depth += 1 if token in _OPENING else -1
            if self._depth == 0:
                yield self._whole(piece[start : found.end()])
        if self._depth:
            self._keep(piece[start:])

    def _behind_string(self, piece: bytes) -> int:
        """Where to go on: behind the string the piece before ended in, if it ends here."""
        if not self._in_string or not piece:
            return 0
        begin = 1 if self._escaped else 0
        end = _REST_OF_STRING.match(piece, begin)
        if end is None:
            self._escaped = _ends_escaped(piece, begin)
            return len(piece)
        self._in_string = self._escaped = False
        return end.end()

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._largest:
            self._parts.append(part)
        else:
            self._parts.clear()

    def _whole(self, last: bytes) -> ExportCut:
        self._keep(last)
        data, size = b"".join(self._parts), self._size
        self._parts, self._size = [], 0
        if size > self._largest:
            return ExportCut(self._n, b"", size, f"{size:,} bytes; the largest we take is {self._largest:,}")
        return ExportCut(self._n, data, size)


def _ends_escaped(piece: bytes, begin: int) -> bool:
    """Whether the last backslash of the piece escapes the byte that comes next."""
    end = len(piece)
    while end > begin and piece[end - 1] == 0x5C:
        end -= 1
    return (len(piece) - end) % 2 == 1
