"""What a person hands over, as streams of bytes: a file as it is, or the JSON files in a zip. Nothing is unpacked
to the disk, no name in a zip is ever a path here, and a zip in a zip stays shut."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
class Part:
    """One stream of JSON. `name` is what a zip calls it: for people to read, never to open."""

    name: str
    pieces: Callable[[], Iterator[bytes]]


def parts(path: Path) -> Iterator[Part]:
    """The file itself, or every JSON file in it if it is a zip, one open at a time."""
    with path.open("rb") as file:
        packed = file.read(4) in _MAGIC
    if not packed:
        yield Part("", lambda: _plain(path))
        return
    with _translated_zip(path) as archive:
        left = _Allowance(path.stat().st_size)
        for member in archive.infolist():
            if member.filename.lower().endswith(_ENDINGS):
                yield Part(member.filename, lambda member=member: _unpacked(archive, member, left))


def _plain(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


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
