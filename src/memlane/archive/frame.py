"""What machines send each other: pieces of archived files, many in one request, each with what it must fit to.

A body is one zstd frame of pieces: four bytes of length, a JSON head, the bytes themselves. It knows no network.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

import msgspec
import zstandard

from memlane.errors import DamagedError

MOST_FRAMES = 400  # of one body: each is written for good before the next is looked at
LARGEST_PIECE = 4 << 20  # bytes of one frame
LARGEST_BODY = 96 << 20  # bytes that one request may unpack to
LARGEST_HEAD = 4 << 20  # `metadata.json` has 64 characters for each MiB of a run
_LENGTH = 4
CUT = "the frames were cut off or altered on the way"


class Part(StrEnum):
    """Which file of the archive a piece belongs to."""

    RAW = "raw"  # g1.raw, which only grows
    PATCH = "patch"  # g2.patch, whole or not at all
    SIDE = "side"  # files/NAME, whole or not at all
    JOURNAL = "journal"  # 2026-11/laptop.jsonl, which only grows


class FrameHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """`before` is the fence: what must be held already. `after`: what is held with this piece."""

    part: Part
    run: str = ""
    n: int = 0  # generation
    name: str = ""  # of a side file or a file of the journal
    start: int = 0
    size: int = 0
    sha256: str = ""  # of these bytes
    before: str = ""  # raw: SHA-256 of the bytes before `start`; journal: the name of the last line before it
    after: str = ""  # raw: SHA-256 of the generation up to the end of this piece
    total: int = 0  # patch, side: of the whole file
    metadata: str = ""  # of the run, as it is with all of it


class ShipFrame(NamedTuple):
    head: FrameHead
    data: bytes


class Answer(StrEnum):
    TAKEN = "taken"  # durable
    HAVE = "have"  # it was here before, the same bytes
    CONFLICT = "conflict"  # it does not fit to what is held
    DAMAGED = "damaged"  # it is not what its digest says
    REFUSED = "refused"  # not this machine's to send


class FrameAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`size` and `last` say what is held: bytes of this file, and their digest or the name of the last line."""

    answer: Answer
    run: str = ""
    n: int = 0
    name: str = ""
    size: int = 0
    last: str = ""
    why: str = ""


def frame(head: FrameHead, data: bytes) -> ShipFrame:
    return ShipFrame(msgspec.structs.replace(head, size=len(data), sha256=hashlib.sha256(data).hexdigest()), data)


def packed(frames: Iterable[ShipFrame]) -> bytes:
    pieces = list[bytes]()
    for one in frames:
        head = msgspec.json.encode(one.head)
        pieces += [len(head).to_bytes(_LENGTH, "big"), head, one.data]
    return zstandard.ZstdCompressor(level=3, write_checksum=True).compress(b"".join(pieces))


def size_unpacked(body: bytes) -> int:
    """As the body says, before anything of it is unpacked."""
    try:
        said = zstandard.frame_content_size(body)
    except zstandard.ZstdError:
        raise DamagedError(CUT) from None
    if not 0 <= said <= LARGEST_BODY:
        raise DamagedError("the frames are larger than they may be")
    return said


def unpacked(body: bytes) -> Iterator[ShipFrame]:
    """Raises DamagedError for a body that is cut off, altered, or larger than anybody may send."""
    size_unpacked(body)
    try:
        data = zstandard.ZstdDecompressor().decompress(body, max_output_size=LARGEST_BODY)
    except zstandard.ZstdError:
        raise DamagedError(CUT) from None
    offset, count = 0, 0
    while offset < len(data):
        if (count := count + 1) > MOST_FRAMES:
            raise DamagedError(f"a body has at most {MOST_FRAMES} frames")
        length = int.from_bytes(data[offset : offset + _LENGTH], "big")
        offset += _LENGTH
        try:
            head = msgspec.json.decode(data[offset : offset + length], type=FrameHead)
        except (msgspec.DecodeError, RecursionError):
            raise DamagedError("a frame's head is not understood") from None
        offset += length
        if length > LARGEST_HEAD or not 0 <= head.size <= LARGEST_PIECE or offset + head.size > len(data):
            raise DamagedError("a frame is larger than it says")
        yield ShipFrame(head, data[offset : offset + head.size])
        offset += head.size


def is_as_sent(one: ShipFrame) -> bool:
    return hashlib.sha256(one.data).hexdigest() == one.head.sha256
