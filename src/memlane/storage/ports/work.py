"""What is kept of the work itself: how far it is, what was done, what must not be done again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from memlane.domain import Reader
from memlane.storage.values import Bookmark, IndexMark


class WorkStore(Protocol):
    """What is left to do: found by comparing marks, never queued."""

    def archived(self, run: str, generation: int, size: int) -> None:
        """This much is durable: what lies between it and the indexed mark is to do."""
        ...

    def pending(self) -> Sequence[str]:
        """Runs archived ahead of indexed, in the order they were archived: capture takes the newest first."""
        ...

    def indexed(self, run: str) -> IndexMark | None: ...

    def index_done(self, run: str, mark: IndexMark) -> None: ...

    def index_again(self, run: str) -> None: ...

    def masked_otherwise(self, rules: str, limit: int) -> Sequence[str]:
        """Runs indexed when the Gate had other rules."""
        ...

    def bookmark(self, run: str) -> Bookmark | None: ...

    def keep_bookmark(self, run: str, bookmark: Bookmark | None) -> None:
        """In the same transaction as what was read up to it. None: the next reading is a whole one."""
        ...

    def journal_read(self) -> Mapping[str, int]: ...

    def journal_done(self, positions: Mapping[str, int]) -> None: ...


class CheckpointStore(Protocol):
    """Source files as they were when every byte of them was archived. A missing one costs a look, never a byte."""

    def all(self) -> Mapping[str, str]: ...

    def get(self, path: str) -> str: ...

    def save(self, path: str, signature: str) -> None: ...

    def forget(self, paths: Iterable[str]) -> None: ...


class BarStore(Protocol):
    """Runs that capture and index leave alone: forgotten ones, and those that grew during a pause."""

    def put(self, run: str, owner: str, reason: str) -> None: ...

    def lift(self, run: str, owner: str) -> None: ...

    def barred(self, reader: Reader) -> Mapping[str, str]:
        """Run → reason."""
        ...


class NoteStore(Protocol):
    """Small facts about this home that are nice to know and cheap to lose: when a sweep ended, what was set aside."""

    def get(self, name: str) -> str: ...

    def put(self, name: str, value: str) -> None: ...
