"""From bytes to lines: split at newlines only, unpacked if they are compressed, never more than memory can hold.

Knows newlines and zstd frames, nothing about what the lines say.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, cast

import zstandard

from memlane.agents.agent import Line
from memlane.domain import BrokenLine
from memlane.errors import DamagedError

MIB = 1 << 20
LONGEST_LINE = 32 * MIB  # real ones reach 2 MB; a longer one stays in the archive, unread
LARGEST_TEXT = 4 << 30  # what one compressed transcript may unpack to
_ZSTD = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class LinePosition:
    """Behind a newline: how many bytes and lines stand before it."""

    offset: int = 0
    line: int = 0


BEGINNING = LinePosition()


class LineStream:
    """The lines of a generation, once through. Afterwards: what was too long, and how much waits for its newline.

    `source` may begin at any `place`. Behind the last newline, before what waits there is looked at, `pause` is called
    with that place, unless the bytes are packed: then there is no such place in them.
    """

    def __init__(self, source: Iterator[bytes], place: LinePosition = BEGINNING) -> None:
        self.place = place
        self._source = source
        self.pause: Callable[[LinePosition], None] | None = None
        self.broken: list[BrokenLine] = []
        self.withheld = 0

    def __iter__(self) -> Iterator[Line]:
        number, skipped, offset = self.place.line, 0, self.place.offset
        held: list[bytes] = []  # of a line that is not at its end yet
        first = next(self._source, b"")
        packed = self.place == BEGINNING and first.startswith(_ZSTD)
        for piece in _unpacked(first, self._source) if packed else chain((first,), self._source):
            *whole, tail = piece.split(b"\n")
            offset += len(piece)
            for part in whole:
                number += 1
                size = skipped + sum(map(len, held)) + len(part)
                if size > LONGEST_LINE:
                    self._too_long(number, size)
                else:
                    yield Line(number, b"".join((*held, part)) if held else part)
                held, skipped = [], 0
            if tail:
                held.append(tail)
            if skipped or sum(map(len, held)) > LONGEST_LINE:
                skipped, held = skipped + sum(map(len, held)), []
        rest = b"".join(held)
        if self.pause is not None and not packed:
            self.pause(LinePosition(offset - skipped - len(rest), number))
        yield from self._last(number + 1, rest, skipped)

    def _last(self, number: int, rest: bytes, skipped: int) -> Iterator[Line]:
        """Without a newline it may still be growing: read it only if it is a whole object already."""
        if skipped:
            self._too_long(number, skipped + len(rest))
        elif rest.rstrip().endswith(b"}"):
            yield Line(number, rest)
        else:
            self.withheld = len(rest)

    def _too_long(self, number: int, size: int) -> None:
        self.broken.append(BrokenLine(number, f"a line of {size:,} bytes; the longest we read is {LONGEST_LINE:,}"))


def _unpacked(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    unpacked = 0
    reader = zstandard.ZstdDecompressor().stream_reader(
        cast(IO[bytes], _Feed(first, rest)),  # it asks for read() alone
        read_across_frames=True,
    )
    while text := _a_piece_of(reader):
        unpacked += len(text)
        if unpacked > LARGEST_TEXT:
            raise DamagedError(f"a compressed transcript unpacks to more than {LARGEST_TEXT:,} bytes")
        yield text


def _a_piece_of(reader: zstandard.ZstdDecompressionReader) -> bytes:
    try:
        return reader.read(MIB)  # bounded by what comes out, so that a bomb cannot fill the memory
    except zstandard.ZstdError as error:
        raise DamagedError(f"a compressed transcript cannot be unpacked: {error}") from error


class _Feed(io.RawIOBase):
    """What zstandard wants to read from: the pieces, as a file."""

    def __init__(self, first: bytes, rest: Iterator[bytes]) -> None:
        super().__init__()
        self._waiting = first
        self._rest = rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        if not self._waiting:
            self._waiting = next(self._rest, b"")
        taken, self._waiting = self._waiting[:size], self._waiting[size:]
        return taken
