"""One file of the archive as the store has it: its plain object and the pieces that count, read as one.

Every change is one `create` of the next number, so of two writers that saw the same file one fails and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memlane.errors import DamagedError, OvertakenError
from memlane.store.blocks import KnownBlocks
from memlane.store.bucket import Bucket, ChangedError, ObjectSeen
from memlane.store.pieces import (
    FOLDER,
    MANY,
    PieceHead,
    StoredPiece,
    counting,
    decode,
    encode,
    number_in,
    piece_name,
    worth_joining,
)

BLOCK = 4 << 20
TRIES = 8  # looks at a file that changes while it is read
OLD_VERSIONS = 16  # of a file that is replaced as a whole; then they go


@dataclass(frozen=True, slots=True)
class FileState:
    """What a look at the store found: the plain object, and all pieces, by their numbers.

    A file begins with its plain object and ends with it: pieces alone are what a late writer left.
    """

    plain: ObjectSeen | None
    numbers: Mapping[int, str]  # → the version of its object

    @property
    def is_there(self) -> bool:
        return self.plain is not None

    @property
    def last(self) -> int:
        return max(self.numbers, default=0)

    @property
    def signature(self) -> str:
        return f"{self.plain.version if self.plain else ''}:{self.last}"


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file as it was at one look."""

    name: str
    state: FileState
    pieces: Sequence[StoredPiece]
    size: int


@dataclass(frozen=True, slots=True)
class StoredFiles:
    bucket: Bucket
    memory: KnownBlocks

    # -- reading -------------------------------------------------------------------------------------------------------

    def state(self, name: str) -> FileState:
        listed = self.bucket.below(f"{name}{FOLDER}")
        numbers = {n: one.version for one in listed if (n := number_in(one.name))}
        return FileState(self.bucket.head(name), numbers)

    def content(self, name: str, state: FileState | None = None) -> Content:
        """FileNotFoundError: there is no such file."""
        for _look in range(TRIES):
            found = state or self.state(name)
            if not found.is_there:
                raise FileNotFoundError(2, "No such file or directory", name)
            try:
                return self._put_together(name, found)
            except ChangedError:
                state = None
        raise OvertakenError(f"{name} changes all the time", hint="try again")

    def _put_together(self, name: str, state: FileState) -> Content:
        pieces = counting(list(state.numbers), lambda number: self._piece(name, number, state.numbers[number]))
        plain = state.plain.size if state.plain else 0
        if pieces and pieces[0].head.start > plain:
            raise DamagedError(f"{name}: its beginning is missing in the store", hint="lane archive verify")
        return Content(name, state, pieces, pieces[-1].end if pieces else plain)

    def _piece(self, name: str, number: int, version: str) -> StoredPiece:
        key = (name, number, version)
        if found := self.memory.find(key):
            return found
        raw = self.bucket.get(piece_name(name, number))
        try:
            piece = decode(number, raw)
        except ValueError as error:
            raise DamagedError(f"{piece_name(name, number)} is damaged: {error}", hint="lane archive verify") from None
        self.memory.keep(key, piece, len(piece.data) + 200)
        return piece

    def read(self, content: Content, start: int, end: int) -> bytes:
        """ChangedError: the plain object was written again meanwhile, with the same bytes or with others."""
        end, found = min(end, content.size), bytearray()
        while start < end:
            source, upto = self._source(content, start)
            stop = min(end, upto)
            if source is None:
                found += self._of_plain(content, start, stop)
            else:
                found += source.data[start - source.head.start : stop - source.head.start]
            start = stop
        return bytes(found)

    def _source(self, content: Content, at: int) -> tuple[StoredPiece | None, int]:
        """What holds this byte, and up to where; None: the plain object."""
        upto = content.size
        for piece in reversed(content.pieces):
            if piece.head.start <= at:
                return (None if piece.head.plain else piece), upto
            upto = min(upto, piece.head.start)
        return None, upto

    def _of_plain(self, content: Content, start: int, end: int) -> bytes:
        plain, found = content.state.plain, bytearray()
        if plain is None:
            raise ChangedError
        for block in range(start // BLOCK, -(-end // BLOCK)):
            found += self._block(plain, block)
        first = start - start // BLOCK * BLOCK
        return bytes(found[first : first + end - start])

    def _block(self, plain: ObjectSeen, block: int) -> bytes:
        key = (plain.name, plain.version, block)
        data = self.memory.find(key)
        if data is None:
            data = self.bucket.get_range(plain, block * BLOCK, min(plain.size, (block + 1) * BLOCK))
            self.memory.keep(key, data, len(data) + 200)
        return data

    # -- writing -------------------------------------------------------------------------------------------------------

    def write(self, name: str, before: Content | None, start: int, data: Any) -> Content:
        """Its first `start` bytes, and these behind them; durable on return. OvertakenError: another was first."""
        if before is None:
            return self._begin(name, data)
        number = before.state.last + 1
        piece = StoredPiece(number, PieceHead(1 if start == 0 else number, start, len(data)), bytes(data))
        after = self._added(before, piece)
        if start == 0 and len(after.state.numbers) > OLD_VERSIONS:
            return self._without(after, before.state.numbers)
        return self._joined(after) if len(after.pieces) >= MANY else after

    def _begin(self, name: str, data: Any) -> Content:
        before = self.state(name)
        if not before.is_there:
            self._delete_pieces(name, before)
        made = self.bucket.create(name, data)
        if made is None:  # taken; or a first write of ours that nobody answered, sent again
            found = self.content(name)
            if found.state.numbers or self.read(found, 0, found.size) != bytes(data):
                raise _overtaken(name)
            return found
        return Content(name, FileState(made, {}), (), len(data))

    def _added(self, before: Content, piece: StoredPiece) -> Content:
        version = self._create(before.name, piece)
        numbers = {**before.state.numbers, piece.number: version}
        standing = [one for one in before.pieces if one.number < piece.head.covers]
        return Content(before.name, FileState(before.state.plain, numbers), (*standing, piece), piece.end)

    def _create(self, name: str, piece: StoredPiece) -> str:
        """A number that was deleted is free again: a writer that late finds later ones, and its piece never counts."""
        path, raw = piece_name(name, piece.number), encode(piece.head, piece.data)
        made = self.bucket.create(path, raw)
        if made is None and not self._is_ours(path, raw):
            raise _overtaken(name)
        if next(self.bucket.below(f"{name}{FOLDER}", path), None) is not None:
            raise _overtaken(name)
        version = made.version if made is not None else self.state(name).numbers.get(piece.number, "")
        self.memory.keep((name, piece.number, version), piece, len(piece.data) + 200)
        return version

    def _is_ours(self, path: str, raw: bytes) -> bool:
        """It was sent before, and the answer was lost on its way."""
        try:
            return self.bucket.get(path) == raw
        except ChangedError:
            return False

    # -- fewer pieces --------------------------------------------------------------------------------------------------

    def _joined(self, content: Content) -> Content:
        """Several pieces as one, or all of it as the plain object."""
        first = worth_joining(content.pieces)
        if first == 0 and (plain := self.make_plain(content)) is not None:
            return plain
        oldest = content.pieces[first]
        start, number = oldest.head.start, content.state.last + 1
        head = PieceHead(oldest.head.covers, start, content.size - start)
        return self._covered(content, StoredPiece(number, head, self.read(content, start, content.size)))

    def make_plain(self, content: Content) -> Content | None:
        """All of it as one object under its own name. None: this store cannot replace one safely, or it has changed."""
        made = self.bucket.swap(content.state.plain, content.name, self.read(content, 0, content.size))
        if made is None:
            return None
        now = Content(content.name, FileState(made, content.state.numbers), content.pieces, content.size)
        return self._covered(now, StoredPiece(content.state.last + 1, PieceHead(1, 0, content.size, plain=True), b""))

    def _covered(self, content: Content, piece: StoredPiece) -> Content:
        """With this piece, and then without those that it covers: no byte is ever in no object."""
        after = self._added(content, piece)
        return self._without(after, [n for n in content.state.numbers if n >= piece.head.covers])

    def _without(self, content: Content, numbers: Iterable[int]) -> Content:
        gone = set(numbers)
        self.bucket.delete([piece_name(content.name, n) for n in sorted(gone)])
        left = {n: version for n, version in content.state.numbers.items() if n not in gone}
        return Content(content.name, FileState(content.state.plain, left), content.pieces, content.size)

    def delete(self, name: str) -> None:
        state = self.state(name)
        if not state.is_there:
            raise FileNotFoundError(2, "No such file or directory", name)
        self._delete_pieces(name, state)
        self.bucket.delete([name])

    def _delete_pieces(self, name: str, state: FileState) -> None:
        if state.numbers:
            self.bucket.delete([piece_name(name, n) for n in sorted(state.numbers, reverse=True)])
            self.bucket.delete([f"{name}{FOLDER}"])  # some stores keep an empty folder


def _overtaken(name: str) -> OvertakenError:
    return OvertakenError(f"another process wrote {name} at the same time", hint="try again")
