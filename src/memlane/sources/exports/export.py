"""One kind of exported chats as a Source: handed over with `lane import`, so it has no place on this computer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from memlane.domain import BrokenLine
from memlane.sources.exports.collection import About, documents
from memlane.sources.exports.reading import ChatReading, whole_record
from memlane.sources.exports.talk import Talk
from memlane.sources.records import Record
from memlane.sources.source import Document, Line, Peek, Surroundings, Transcript, Unread


@dataclass(frozen=True, slots=True)
class Export:
    """Three questions tell one kind from another: is it one of yours, what is it, and what was said in it?"""

    name: str
    title: str
    accepts: Callable[[Record], bool]
    about: Callable[[Record], About]
    talk: Callable[[Record], Talk]

    def places(self, around: Surroundings) -> tuple[Path, ...]:  # noqa: ARG002 - a Source's signature
        return ()

    def recognise(self, path: PurePath) -> None:  # noqa: ARG002 - a Source's signature
        return None

    def documents(self, path: Path) -> Iterator[Document | Unread]:
        return documents(path, self.accepts, self.about)

    def peek(self, lines: Iterable[Line]) -> Peek:
        record = whole_record(lines)
        if isinstance(record, BrokenLine) or not self.accepts(record):
            return Peek()
        known = self.about(record)
        return replace(known.peek, may_be=(Transcript(known.native_id, rewritten=True),))

    def read(self, lines: Iterable[Line], transcript: Transcript) -> ChatReading:  # noqa: ARG002
        return ChatReading(lines, self._dated)

    def _dated(self, record: Record) -> Talk:
        return replace(self.talk(record), started=self.about(record).peek.started)
