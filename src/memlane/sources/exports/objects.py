"""From a stream of bytes to the JSON objects in it, each exactly as it stands: nothing is decoded, nothing rewritten.

Knows strings and brackets, not what an object says. Whatever the file's size, one object is in memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LARGEST = 64 << 20  # bytes of one object; real conversations reach a few MB
# Nothing here is possessive (`*+`): before Python 3.11.5 that lost bytes. What follows a part can never be part of it,
# so there is nothing to go back for.
_REST = rb'[^"\\]*(?:\\.[^"\\]*)*"'  # of a string, behind its first quote
_REST_OF_STRING = re.compile(_REST, re.DOTALL)
# Each match begins where the last one ended and passes over whole strings, so it never begins inside one.
_BRACKET = re.compile(rb'[^"{}\[\]]*(?:"' + _REST + rb'[^"{}\[\]]*)*(["{}\[\]]|\Z)', re.DOTALL)
_OPENING, _OBJECT, _QUOTE = b"{[", b"{", b'"'


@dataclass(frozen=True, slots=True)
class Cut:
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

    def __iter__(self) -> Iterator[Cut]:
        for piece in self._pieces:
            yield from self._cut(piece)
        if self._depth:
            yield Cut(self._n, b"", self._size, "the file ends in the middle of it")

    def _cut(self, piece: bytes) -> Iterator[Cut]:
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

    def _whole(self, last: bytes) -> Cut:
        self._keep(last)
        data, size = b"".join(self._parts), self._size
        self._parts, self._size = [], 0
        if size > self._largest:
            return Cut(self._n, b"", size, f"{size:,} bytes; the largest we take is {self._largest:,}")
        return Cut(self._n, data, size)


def _ends_escaped(piece: bytes, begin: int) -> bool:
    """Whether the last backslash of the piece escapes the byte that comes next."""
    end = len(piece)
    while end > begin and piece[end - 1] == 0x5C:
        end -= 1
    return (len(piece) - end) % 2 == 1
