"""Documents an agent rewrites whole, kept as changes: each generation is a zstd patch against the one before.

Restored byte for byte, and checked to be so before it is written. Every few generations one stands on its own, so that
no restore is long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import zstandard

from memlane.errors import DamagedError

ON_ITS_OWN_EVERY = 32
WINDOW = 27  # 128 MiB: a patch may point anywhere into the generation before
LARGEST = 128 << 20
LARGEST_OF_OTHERS = 256 << 20  # bytes of a document that another machine sends; no agent writes one nearly as large
HEAD = 18  # bytes: a zstd frame says in them how large it is
_LEVEL = 9


@dataclass(frozen=True, slots=True)
class StoredGeneration:
    """How a generation is stored: `base` is the generation it is a patch against, 0 if it stands on its own."""

    data: bytes
    base: int


def pack(content: bytes, before: bytes | None, base: int, *, alone: bool) -> StoredGeneration:
    """The smaller of a patch and the content on its own; always one that gives the content back."""
    whole = _compressed(content, b"")
    if before is None or alone:
        return StoredGeneration(whole, 0)
    patch = _compressed(content, before)
    if len(patch) < len(whole) and unpack(patch, before, len(content)) == content:
        return StoredGeneration(patch, base)
    return StoredGeneration(whole, 0)


def unpack(data: bytes, before: bytes, size: int) -> bytes:
    """Nothing is made room for but what is said to be there, by the patch itself and by who keeps it."""
    must_unpack_to(data, size)
    decompressor = zstandard.ZstdDecompressor(dict_data=_dictionary(before), max_window_size=1 << WINDOW)
    try:
        return decompressor.decompress(data, max_output_size=size)
    except (zstandard.ZstdError, MemoryError) as error:
        raise DamagedError(f"a generation stored as changes cannot be restored: {error}") from error


def must_unpack_to(beginning: bytes, size: int) -> None:
    """`beginning`: at least as much of a stored generation as HEAD."""
    try:
        said = zstandard.frame_content_size(beginning)
    except zstandard.ZstdError as error:
        raise DamagedError(f"a generation stored as changes cannot be restored: {error}") from error
    if said != size:
        raise DamagedError("a generation stored as changes has another size than its metadata says")


def _compressed(content: bytes, before: bytes) -> bytes:
    parameters = zstandard.ZstdCompressionParameters.from_level(
        _LEVEL, window_log=WINDOW, enable_ldm=bool(before), write_content_size=True
    )
    return zstandard.ZstdCompressor(dict_data=_dictionary(before), compression_params=parameters).compress(content)


def _dictionary(before: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(before, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if before else None


def chain(n: int, base_of: Callable[[int], int]) -> list[int]:
    """The generations to restore, in order, from one that stands on its own up to `n`."""
    found = [n]
    while base := base_of(found[-1]):
        if not 0 < base < found[-1]:
            raise DamagedError(f"generation {found[-1]} is said to be made of generation {base}")
        found.append(base)
    return found[::-1]
