"""The signs of an owner's vectors, thousands in a row of PostgreSQL: read whole and compared with numpy.

A row for each vector would have to be looked at one by one, which takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from memlane.storage.postgres.connection import Connection
from memlane.storage.vectors import Floats, Words, hamming, signs_of, smallest

FULL = 4_096  # vectors of a page that is left alone
SMALL = 16  # pages that are not full, which become one
HASH = 16  # bytes
COLUMNS = (
    "owner integer NOT NULL, page integer NOT NULL, count integer NOT NULL, hashes bytea NOT NULL,"
    " signs bytea NOT NULL, PRIMARY KEY (owner, page)"
)
PLAIN = ("hashes", "signs")  # not worth compressing


@dataclass(frozen=True, slots=True)
class SignPages:
    """All of one owner and model."""

    hashes: bytes
    signs: Words  # a column for each vector

    def nearest(self, wanted: Floats, count: int) -> str:
        """Hashes of at least so many, and of all that are as near as the last of them, as PostgreSQL reads a list."""
        signs = np.ascontiguousarray(self.signs)
        chosen = smallest(hamming(signs, signs_of(wanted.reshape(1, -1))[:, 0]), count)
        hex_ = self.hashes.hex()
        return listed(hex_[n : n + 2 * HASH] for n in (chosen * 2 * HASH).tolist())


def listed(values: Iterable[str]) -> str:
    return "{" + ",".join(values) + "}"


def append(db: Connection, table: str, owner: int, hashes: bytes, rows: NDArray[np.floating]) -> None:
    """In the transaction of who puts them, of whom there is one at a time for an owner."""
    insert = (
        f"INSERT INTO {table} (owner, page, count, hashes, signs)"
        f" SELECT %s, coalesce(max(page), 0) + 1, %s, %s, %s FROM {table} WHERE owner = %s"
    )
    words = signs_of(rows.astype(np.float32))
    db.run(insert, (owner, len(rows), hashes, np.ascontiguousarray(words.T).tobytes(), owner))
    small = f"SELECT count(*) FROM {table} WHERE owner = %s AND count < %s"
    if db.number(small, (owner, FULL)) >= SMALL:
        gone = f"DELETE FROM {table} WHERE owner = %s AND count < %s RETURNING page, count, hashes, signs"
        old = sorted(cast("list[tuple[int, int, bytes, bytes]]", db.rows(gone, (owner, FULL))))
        together = (b"".join(page[3] for page in old), b"".join(page[2] for page in old))
        db.run(insert, (owner, sum(page[1] for page in old), together[1], together[0], owner))


def count(db: Connection, table: str, owner: int) -> int:
    return db.number(f"SELECT sum(count) FROM {table} WHERE owner = %s", (owner,))


def read(db: Connection, table: str, owner: int) -> SignPages:
    found = db.rows(f"SELECT count, hashes, signs FROM {table} WHERE owner = %s ORDER BY page", (owner,))
    pages = cast("Sequence[tuple[int, bytes, bytes]]", found)
    hashes, signs = b"".join(page[1] for page in pages), b"".join(page[2] for page in pages)
    count = len(hashes) // HASH
    words = np.frombuffer(signs, np.uint64).reshape(count, -1) if count else np.empty((0, 1), np.uint64)
    return SignPages(hashes, words.T)


def write_anew(db: Connection, table: str, wholes: str, owner: int) -> None:
    """From the vectors that are left."""
    db.run(f"DELETE FROM {table} WHERE owner = %s", (owner,))
    last = "00000000-0000-0000-0000-000000000000"
    some = (
        f"SELECT hash::text, uuid_send(hash), halfvec_send(halves) FROM {wholes} WHERE owner = %s AND hash > %s::uuid"
        f" ORDER BY hash LIMIT {FULL}"
    )
    while found := cast("list[tuple[str, bytes, bytes]]", db.rows(some, (owner, last))):
        sent = np.frombuffer(b"".join(halves[4:] for _, _, halves in found), ">u2").astype(np.uint16)
        rows = sent.view(np.float16).reshape(len(found), -1)
        append(db, table, owner, b"".join(hash for _, hash, _ in found), rows)
        last = found[-1][0]
