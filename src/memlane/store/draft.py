"""A file that is being written: what of it stands, and the bytes behind that, which only its writer sees."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO

from memlane.store.files import Content

IN_MEMORY = 16 << 20  # bytes; more are in a file without a name
ReadsContent = Callable[[Content, int, int], bytes]


def _nameless() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(IN_MEMORY)


@dataclass(slots=True)
class FileDraft:
    """`kept`: so many bytes of `base` stand."""

    base: Content | None = None
    kept: int = 0
    behind: IO[bytes] = field(default_factory=_nameless)
    added: int = 0
    changed: bool = False

    @property
    def size(self) -> int:
        return self.kept + self.added

    def data(self) -> bytes:
        """What is behind."""
        self.behind.seek(0)
        return self.behind.read()

    def read(self, start: int, end: int, standing: ReadsContent) -> bytes:
        found = b""
        if start < self.kept and self.base is not None:
            found = standing(self.base, start, min(end, self.kept))
        if end > self.kept:
            self.behind.seek(max(0, start - self.kept))
            found += self.behind.read(end - max(start, self.kept))
        return found

    def write(self, data: bytes, offset: int, standing: ReadsContent) -> None:
        if offset < self.kept:  # what stands behind that place is written again
            rest = self.read(offset, self.size, standing)
            self.truncate(offset)
            self.write(rest, offset, standing)
        self.behind.seek(offset - self.kept)
        self.behind.write(data)
        self.added, self.changed = max(self.added, offset - self.kept + len(data)), True

    def truncate(self, size: int) -> None:
        self.changed = self.changed or size != self.size
        if size < self.kept:
            self.kept = size
            self.empty()
        self.behind.truncate(size - self.kept)
        self.added = size - self.kept

    def empty(self) -> None:
        self.behind.seek(0)
        self.behind.truncate()
        self.added = 0
