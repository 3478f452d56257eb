"""Vectors of one owner and one model, in files that only grow and outlive every index: hashes, bits, whole rows.

A row is believed only if its checksum fits: what a power loss or a dying disk leaves is never served.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memlane.errors import VectorsDamagedError
from memlane.system.disk import Disk, private_folder, signature_of

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Words = NDArray[np.uint64]

FEW = 64  # texts that are looked for without sorting

ABOUT, HASHES, BITS, ROWS = "about.json", "hashes", "bits", "rows"
DAMAGED = ".damaged-"  # and a number, behind the name of a folder that was set aside
COMPUTE = "lane tick   (computes them again; words answer meanwhile)"
LONG_TAIL = 50_000  # rows added since the hashes were last sorted
RECORD = np.dtype([("first", "<u8"), ("rest", "<u8"), ("crc", "<u4")])  # of `hashes`: a text's hash, a row's checksum


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of one row in each file."""

    dimension: int

    @property
    def words(self) -> int:
        return -(-self.dimension // 64)

    @property
    def bits(self) -> int:
        return 8 * self.words

    @property
    def row(self) -> int:
        return 2 * self.dimension


class VectorFiles:
    def __init__(self, folder: Path, dimension: int) -> None:
        self.folder = folder
        self.sizes = Sizes(dimension)
        self._disk = Disk()
        self._maps: dict[str, NDArray[np.void]] = {}
        self._sound: set[int] = set()
        self._columns: Words = np.empty((self.sizes.words, 0), np.uint64)  # with room for more
        self._turned = 0  # rows that are in it
        self._order: tuple[Words, NDArray[np.intp]] | None = None
        self._tail: dict[bytes, int] = {}

    def count(self) -> int:
        return _size(self.folder / HASHES) // RECORD.itemsize

    def gaps(self, wanted: int) -> list[str]:
        """Files that have fewer rows than are wanted or counted: the hashes are written last, so none may."""
        count = max(wanted, self.count())
        return [name for name, size in self._files() if _size(self.folder / name) < count * size]

    # -- reading ------------------------------------------------------------------------------------------------------

    def bits(self) -> Words:
        """In columns, in memory: the first 64 bits of every row, then the next 64 of every row. Three times as quick
        to look through as they lie in the file."""
        rows = self._map(BITS, self.sizes.bits).view(np.uint64).reshape(-1, self.sizes.words)
        known = self._turned if self._turned <= len(rows) else 0
        if self._columns.shape[1] < len(rows):
            roomy = np.empty((self.sizes.words, len(rows) + len(rows) // 8), np.uint64)
            roomy[:, :known] = self._columns[:, :known]
            self._columns = roomy
        self._columns[:, known : len(rows)] = rows[known:].T
        self._turned = len(rows)
        return self._columns[:, : len(rows)]

    def rows(self, numbers: NDArray[np.signedinteger]) -> Floats:
        halves = self._map(ROWS, self.sizes.row).view(np.float16).reshape(-1, self.sizes.dimension)
        return halves[numbers].astype(np.float32)

    def are_sound(self, numbers: Iterable[int]) -> dict[int, bool]:
        """Each is checked once by whoever reads: it never changes, unless it is erased."""
        wanted = list(numbers)
        unknown = [number for number in wanted if number not in self._sound]
        self._sound.update(number for number, sound in self._checked(unknown) if sound)
        return {number: number in self._sound for number in wanted}

    def _checked(self, numbers: Iterable[int]) -> Iterator[tuple[int, bool]]:
        pieces = [(self._map(*one).view(np.uint8).data, one[1]) for one in self._files()]
        count = min(len(data) // size for data, size in pieces)
        for number in numbers:
            if number >= count:
                yield number, False
            else:
                record, bits, row = (data[number * size : (number + 1) * size] for data, size in pieces)
                yield number, _sum_of(record[:16], bits, row) == int.from_bytes(record[16:], "little")

    def damaged(self) -> list[int]:
        """Rows that were written and are not what was written; erased ones are as they should be."""
        written = list(self.hashes())  # once: another process may be adding to them
        sound = dict(self._checked(number for number, _hash in written))
        return [number for number, hash in written if not sound[number] and any(hash)]

    def find(self, hashes: Sequence[bytes]) -> list[int | None]:
        """The sound row of each text, if it has one."""
        if not hashes or not self.count():
            return [None] * len(hashes)
        records = self._map(HASHES, RECORD.itemsize).view(RECORD)
        wanted = np.frombuffer(b"".join(hashes), dtype="<u8").reshape(-1, 2)
        few = self._order is None and len(hashes) <= FEW
        firsts, order = _sorted_few(records, wanted[:, 0]) if few else self._sorted(records)
        starts = np.searchsorted(firsts, wanted[:, 0]).tolist()
        return [
            next((n for n in self._with(hash, start, records, firsts, order) if dict(self._checked([n]))[n]), None)
            for hash, start in zip(hashes, starts, strict=True)
        ]

    def _with(
        self, hash: bytes, start: int, records: NDArray[np.void], firsts: Words, order: NDArray[np.intp]
    ) -> Iterator[int]:
        """Rows that say they are of this text."""
        if hash in self._tail:
            yield self._tail[hash]
        first, rest = (int.from_bytes(half, "little") for half in (hash[:8], hash[8:]))
        while start < len(firsts) and int(firsts[start]) == first:
            number = int(order[start])
            if int(records[number]["rest"]) == rest:
                yield number
            start += 1

    def _sorted(self, records: NDArray[np.void]) -> tuple[Words, NDArray[np.intp]]:
        """All there were when it was last sorted; what this process has added since is in the tail."""
        if self._order is None or len(self._order[0]) + len(self._tail) != len(records) or len(self._tail) > LONG_TAIL:
            firsts = np.ascontiguousarray(records["first"])
            order = np.argsort(firsts, kind="stable")
            self._order = (firsts[order], order)
            self._tail.clear()
        return self._order

    def _map(self, name: str, size: int) -> NDArray[np.void]:
        """The whole rows of a file, mapped again when it has grown."""
        count = _size(self.folder / name) // size
        known = self._maps.get(name)
        if known is None or len(known) != count:
            kind = np.dtype((np.void, size))
            path = self.folder / name
            known = np.memmap(path, dtype=kind, mode="r", shape=(count,)) if count else np.empty(0, kind)
            self._maps[name] = known
        return known

    def _files(self) -> tuple[tuple[str, int], tuple[str, int], tuple[str, int]]:
        return (HASHES, RECORD.itemsize), (BITS, self.sizes.bits), (ROWS, self.sizes.row)

    # -- writing ------------------------------------------------------------------------------------------------------

    def append(self, hashes: Sequence[bytes], vectors: Floats) -> int:
        """The number of the first; durable on return. What a killed writer left behind the last whole row goes."""
        first, halves = self.count(), vectors.astype("<f2")
        signs = _signs(halves, self.sizes.words)
        sums = [_sum_of(hash, signs[n].data, halves[n].data) for n, hash in enumerate(hashes)]
        records = b"".join(hash + int.to_bytes(crc, 4, "little") for hash, crc in zip(hashes, sums, strict=True))
        pieces = {ROWS: halves.tobytes(), BITS: signs.tobytes(), HASHES: records}
        for name, size in reversed(self._files()):  # the hashes last: they say what there is
            self._write(name, first * size, pieces[name])
        self._tail.update((hash, first + n) for n, hash in enumerate(hashes))
        return first

    def _write(self, name: str, offset: int, data: bytes) -> None:
        descriptor = self._disk.open_to_write(self.folder / name)
        try:
            self._disk.truncate(descriptor, offset)
            self._disk.write(descriptor, data, offset)
            self._disk.sync(descriptor)
        finally:
            self._disk.close(descriptor)

    def erase(self, numbers: Iterable[int]) -> None:
        """Nothing of them is left: zeros, whose checksum does not fit."""
        listed = list(numbers)
        self._sound.difference_update(listed)
        self._order = None
        self._tail.clear()
        for name, size in self._files():
            descriptor = self._disk.open_to_write(self.folder / name)
            try:
                for number in listed:
                    self._disk.write(descriptor, bytes(size), number * size)
                self._disk.sync(descriptor)
            finally:
                self._disk.close(descriptor)

    def hashes(self) -> Iterator[tuple[int, bytes]]:
        for number, record in enumerate(self._map(HASHES, RECORD.itemsize)):
            yield number, record.tobytes()[:16]


def _sorted_few(records: NDArray[np.void], wanted: Words) -> tuple[Words, NDArray[np.intp]]:
    """Only those that begin like one of these: looking at all of a million is quicker than sorting them once."""
    places = np.flatnonzero(np.isin(records["first"], wanted))
    firsts = records["first"][places]
    order = np.argsort(firsts, kind="stable")
    return firsts[order], places[order]


def _signs(halves: Halves, words: int) -> Words:
    packed = np.packbits(halves > 0, axis=1, bitorder="little")
    padded = np.zeros((len(halves), 8 * words), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)


def signs_of(vector: Floats, words: int) -> Words:
    """What `nearest` compares the bits with."""
    return _signs(vector.reshape(1, -1).astype(np.float16), words)[0]


def _sum_of(hash: bytes | memoryview, bits: memoryview, row: memoryview) -> int:
    return crc32(row, crc32(bits, crc32(hash)))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


# -- where they are ----------------------------------------------------------------------------------------------------


def folder_of(base: Path, owner: str, model: str) -> Path:
    """Safe as a file name, and never the same for two."""
    return base / owner_folder(owner) / f"{re.sub(r'[^A-Za-z0-9.@+-]', '_', model)[:80]}-{_digest(model)}"


def owner_folder(owner: str) -> str:
    return _digest(owner)


def _digest(name: str) -> str:
    return blake2b(name.encode(), digest_size=8).hexdigest()


def stands(folder: Path) -> str:
    """Something that changes when the files are made anew; "" where there are none."""
    try:
        return signature_of((folder / ABOUT).stat())
    except (FileNotFoundError, NotADirectoryError):
        return ""


def opened(folder: Path) -> VectorFiles:
    try:
        dimension = json.loads((folder / ABOUT).read_bytes())["dimension"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        dimension = None
    if not isinstance(dimension, int) or dimension <= 0:
        raise VectorsDamagedError(f"{ABOUT} of the vectors in {folder} is damaged", hint=COMPUTE)
    return VectorFiles(folder, dimension)


def set_aside(folder: Path) -> Path:
    """Never deleted: who paid for these vectors may want to look. Only `forget --now` takes it away."""
    number = 1
    while (aside := folder.with_name(f"{folder.name}{DAMAGED}{number}")).exists():
        number += 1
    folder.rename(aside)
    return aside


def remove_asides(base: Path, owner: str) -> None:
    for path in (base / owner_folder(owner)).glob(f"*{DAMAGED}*"):
        shutil.rmtree(path, ignore_errors=True)


def created(folder: Path, model: str, dimension: int) -> VectorFiles:
    if not (folder / ABOUT).exists():
        private_folder(folder)
    Disk().replace(folder / ABOUT, json.dumps({"model": model, "dimension": dimension}).encode())
    return VectorFiles(folder, dimension)


def remove_model(base: Path, model: str) -> None:
    for owner in base.iterdir() if base.is_dir() else ():
        shutil.rmtree(base / owner.name / folder_of(base, "", model).name, ignore_errors=True)


def all_of(base: Path, owner: str) -> Iterator[VectorFiles]:
    """Every model's, of one owner."""
    folder = base / owner_folder(owner)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if stands(path) and DAMAGED not in path.name:
            yield opened(path)
