"""What we wrote into a memory folder: how a person's change is told from our own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field


@dataclass(slots=True)
class PageRecord:
    """One topic file: whose it is, and what may stand in it from us: by digest, the digests of its parts."""

    memory: str
    wrote: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    there: bool = False  # it was written for certain: missing, somebody took it away
    leaving: bool = False  # we are about to take it away


@dataclass(slots=True)
class FolderRecord:
    """Of one folder."""

    pages: dict[str, PageRecord] = field(default_factory=dict[str, PageRecord])  # by file
    index: list[str] = field(default_factory=list[str])  # digests of our block that may stand there
    listed: dict[str, str] = field(default_factory=dict[str, str])  # file → digest of its line, as last written
    theirs: dict[str, str] = field(default_factory=dict[str, str])  # file → its line in a person's own words
    unlisted: list[str] = field(default_factory=list[str])  # files whose line a person took out
    left_out: list[str] = field(default_factory=list[str])  # memories whose file was taken away where anybody may
    made_index: bool = False  # there was no MEMORY.md before

    @property
    def names(self) -> dict[str, str]:
        """Memory → the name of its file."""
        return {known.memory: file.removesuffix(".md") for file, known in self.pages.items()}


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
