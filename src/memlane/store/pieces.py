"""A file of the archive in an object store: one plain object, and pieces with numbers that were added since.

Pure: what a piece says about itself, which pieces still count, and which are worth putting together.
A piece is a zstd file that begins with a frame every decoder skips, so `zstd -d` of it gives its bytes alone.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import zstandard

FOLDER = ".d"  # behind a file's name: where its pieces are
MANY = 64  # pieces that count; then some are put together
_SKIPPED = 0x184D2A5D
_HEAD = struct.Struct("<II")
_LEVEL = 3


class PieceHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """`covers`: pieces from this number on to its own no longer count. `plain`: its bytes are the plain object."""

    covers: int
    start: int
    size: int
    plain: bool = False


@dataclass(frozen=True, slots=True)
class StoredPiece:
    """Behind the first `start` bytes of the file come these, and nothing else."""

    number: int
    head: PieceHead
    data: bytes

    @property
    def end(self) -> int:
        return self.head.start + self.head.size


def piece_name(file: str, number: int) -> str:
    return f"{file}{FOLDER}/{number:08}.zst"


def number_in(name: str) -> int:
    """0: no piece has this name."""
    stem = name.rpartition("/")[2].removesuffix(".zst")
    return int(stem) if len(stem) == 8 and stem.isdecimal() else 0


def encode(head: PieceHead, data: bytes) -> bytes:
    said = msgspec.json.encode(head)
    return _HEAD.pack(_SKIPPED, len(said)) + said + zstandard.ZstdCompressor(_LEVEL).compress(data)


def decode(number: int, raw: bytes) -> StoredPiece:
    """ValueError: no piece of ours, or a damaged one."""
    magic, length = _HEAD.unpack_from(raw) if len(raw) >= _HEAD.size else (0, 0)
    if magic != _SKIPPED:
        raise ValueError("it does not begin as a piece does")
    begin = _HEAD.size + length
    try:
        head = msgspec.json.decode(raw[_HEAD.size : begin], type=PieceHead)
        data = zstandard.ZstdDecompressor().decompress(raw[begin:], max_output_size=head.size or 1)
    except (msgspec.DecodeError, zstandard.ZstdError) as error:
        raise ValueError(str(error)) from error
    if len(data) != (0 if head.plain else head.size):
        raise ValueError("it is shorter than it says")
    return StoredPiece(number, head, data)


def counting(numbers: Sequence[int], read: Callable[[int], StoredPiece]) -> Sequence[StoredPiece]:
    """Those that count, oldest first: the newest, then each that no later one covers."""
    found, bound = list[StoredPiece](), max(numbers, default=0) + 1
    for number in sorted(numbers, reverse=True):
        if number < bound:
            piece = read(number)
            found.append(piece)
            bound = piece.head.covers
    return found[::-1]


def worth_joining(pieces: Sequence[StoredPiece]) -> int:
    """From which one on: a piece is written again only when what comes behind it has grown to half its size."""
    first, size = len(pieces) - 1, pieces[-1].head.size
    while first and pieces[first - 1].head.size <= 2 * size and not pieces[first - 1].head.plain:
        first -= 1
        size += pieces[first].head.size
    return first
