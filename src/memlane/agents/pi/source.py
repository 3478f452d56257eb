"""Pi as a Source: its header, and one pass over a session's entries, which form a tree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import Line, Peek, Surroundings, Transcript
from memlane.agents.builders import FactsBuilder, RecordPlace, StepBuilder, TurnBuilder, one_pass
from memlane.agents.pi.messages import Messages, said
from memlane.agents.pi.origin import Origin, folders, own_id, what_it_is
from memlane.agents.records import BrokenRecordError, Record, mapping, moment, records, text
from memlane.domain import Author, Facts, Kind, Turn

_FIRST_LINES = 20  # the header is the first line; a few broken ones may stand before it


@dataclass(frozen=True, slots=True)
class Pi:
    """Only the folders of sessions: never `auth.json`, which lies beside them."""

    name: str = "pi"
    title: str = "Pi"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        return folders(around)

    def recognise(self, path: PurePath) -> Transcript | None:
        return what_it_is(path)

    def peek(self, lines: Iterable[Line]) -> Peek:
        for line in islice(lines, _FIRST_LINES):
            try:
                found = records(line)
            except BrokenRecordError:
                continue
            for record in found:
                if record.get("type") == "session":
                    own = own_id(record)
                    may_be = (Transcript(own),) if own else ()
                    return Peek(moment(record.get("timestamp")), text(record.get("cwd")), may_be=may_be)
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> PiParser:
        return PiParser(lines, transcript)


IGNORED = frozenset({"model_change", "thinking_level_change", "context_edit"})
Taker = Callable[[Record, RecordPlace], None]


@dataclass(slots=True)
class PiState:
    """All a reading knows where it stands."""

    origin: Origin
    writing: TurnBuilder = field(default_factory=TurnBuilder)
    notes: FactsBuilder = field(default_factory=FactsBuilder)
    begun: bool = False
    leaf: str = ""  # the entry before: the next one goes on from it, unless a branch begins


class PiParser:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = PiState(Origin(parent=transcript.parent_native_id, relation=transcript.relation))
        self._takers: dict[str, Taker] = {}

    def turns(self) -> Iterator[Turn]:
        state = self.state
        messages = Messages(state.writing, state.notes, state.origin)
        self._takers = {
            "message": messages.take,
            "custom_message": messages.custom,
            "compaction": messages.summary,
            "branch_summary": messages.summary,
            "usage": messages.spent,
            "custom": self._custom,
            "session_info": self._info,
            "label": self._label,
        }
        return one_pass(self._lines, self._read, state.writing, state.notes)

    def facts(self) -> Facts:
        notes, origin = self.state.notes, self.state.origin
        notes.cwd, notes.parent, notes.relation = origin.cwd, origin.parent, origin.relation
        notes.headless = origin.author is Author.PROGRAM
        return notes.facts()

    def _read(self, record: Record, line: int) -> None:
        kind = text(record.get("type"))
        if kind == "session":
            if not self.state.begun:
                self.state.begun = True
                self.state.origin.header(record, self._transcript)
            return
        spot = _spot(record, line)
        self._follow(record, spot)
        taker = self._takers.get(kind)
        if taker is not None:
            taker(record, spot)
        elif kind not in IGNORED:
            self.state.notes.unknown(kind or "an entry without a type")

    def _follow(self, record: Record, spot: RecordPlace) -> None:
        """Entries form a chain; one that goes on from another place than the last begins a branch."""
        own, parent = text(record.get("id")), text(record.get("parentId"))
        if own and self.state.leaf and parent != self.state.leaf:
            there = f"entry {parent}" if parent else "the beginning"
            words = f"left this branch, went on from {there}"
            self.state.writing.add(StepBuilder(Author.SYSTEM, Kind.META, RecordPlace(spot.line, spot.at), words))
        self.state.leaf = own or self.state.leaf

    def _custom(self, record: Record, _: RecordPlace) -> None:
        """State of an extension, not of the conversation."""
        self.state.origin.mark(text(record.get("customType")))

    def _info(self, record: Record, _: RecordPlace) -> None:
        """The name somebody gave the session; an empty one takes it away again."""
        self.state.notes.title = text(record.get("name")).strip()

    def _label(self, record: Record, spot: RecordPlace) -> None:
        if label := text(record.get("label")).strip():
            self.state.writing.add(StepBuilder(Author.SYSTEM, Kind.META, spot, f"label: {label}"))


def _spot(record: Record, line: int) -> RecordPlace:
    """Ids are 8 digits, unique in their file alone; with its time an entry is known wherever a fork copied it."""
    stamp, own = record.get("timestamp"), text(record.get("id"))
    at = moment(stamp) or moment(mapping(record.get("message")).get("timestamp"))
    return RecordPlace(line, at, f"{own}@{text(stamp)}" if own else _digest(record))


def _digest(record: Record) -> str:
    """Version 1 had no ids: a prompt is known by its time and its words."""
    message, stamp = mapping(record.get("message")), text(record.get("timestamp"))
    if message.get("role") != "user" or not stamp:
        return ""
    words = said(message.get("content")).encode("utf-8", "replace")
    return f"{hashlib.blake2b(words, digest_size=6).hexdigest()}@{stamp}"
