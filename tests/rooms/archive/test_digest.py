"""The digests of a generation do not depend on the pieces it came in."""

from __future__ import annotations

import hashlib

import pytest

from memlane.archive.metadata import MIB, Digest
from memlane.domain.delta import ANCHOR, anchor_of


@pytest.mark.parametrize("size", [0, 1, ANCHOR - 1, ANCHOR, MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + ANCHOR])
@pytest.mark.parametrize("piece", [1000, ANCHOR, MIB, MIB + 17, 4 * MIB])
def test_however_it_is_cut(size: int, piece: int) -> None:
    data = bytes(n * 31 % 251 for n in range(1024)) * (size // 1024 + 1)
    data, digest = data[:size], Digest()
    for start in range(0, size, piece):
        digest.add(data[start : start + piece])
    assert digest.size == size
    assert digest.sha256 == hashlib.sha256(data).hexdigest()
    assert digest.all_mib == tuple(
        hashlib.sha256(data[start : start + MIB]).hexdigest() for start in range(0, size, MIB)
    )
    assert digest.anchor == anchor_of(data)
