"""One pass over one session: entries in file order, Turns out as they are finished.

The entries are a tree; a branch that was left stays where it stands in the file, and the place it was left is marked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator

from memlane.domain import Author, Facts, Kind, Turn
from memlane.sources.notes import Notes
from memlane.sources.pi.messages import Messages
from memlane.sources.pi.origin import Origin
from memlane.sources.pi.words import said
from memlane.sources.records import Record, mapping, moment, text
from memlane.sources.source import Line, Transcript
from memlane.sources.writing import Part, Spot, Writing, one_pass

IGNORED = frozenset({"model_change", "thinking_level_change", "context_edit"})
Taker = Callable[[Record, Spot], None]


class PiReading:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self._writing = Writing()
        self._notes = Notes()
        self._origin = Origin(parent=transcript.parent_native_id, relation=transcript.relation)
        self._messages = Messages(self._writing, self._notes, self._origin)
        self._begun = False
        self._leaf = ""  # the entry before: the next one goes on from it, unless a branch begins
        self._takers: dict[str, Taker] = {
            "message": self._messages.take,
            "custom_message": self._messages.custom,
            "compaction": self._messages.summary,
            "branch_summary": self._messages.summary,
            "usage": self._messages.spent,
            "custom": self._custom,
            "session_info": self._info,
            "label": self._label,
        }

    def turns(self) -> Iterator[Turn]:
        return one_pass(self._lines, self._read, self._writing, self._notes)

    def facts(self) -> Facts:
        notes, origin = self._notes, self._origin
        notes.cwd, notes.parent, notes.relation = origin.cwd, origin.parent, origin.relation
        notes.headless = origin.author is Author.PROGRAM
        return notes.facts()

    def _read(self, record: Record, line: int) -> None:
        kind = text(record.get("type"))
        if kind == "session":
            if not self._begun:
                self._begun = True
                self._origin.header(record, self._transcript)
            return
        spot = _spot(record, line)
        self._follow(record, spot)
        taker = self._takers.get(kind)
        if taker is not None:
            taker(record, spot)
        elif kind not in IGNORED:
            self._notes.unknown(kind or "an entry without a type")

    def _follow(self, record: Record, spot: Spot) -> None:
        """Entries form a chain; one that goes on from another place than the last begins a branch."""
        own, parent = text(record.get("id")), text(record.get("parentId"))
        if own and self._leaf and parent != self._leaf:
            there = f"entry {parent}" if parent else "the beginning"
            words = f"left this branch, went on from {there}"
            self._writing.add(Part(Author.SYSTEM, Kind.META, Spot(spot.line, spot.at), words))
        self._leaf = own or self._leaf

    def _custom(self, record: Record, _: Spot) -> None:
        """State of an extension, not of the conversation."""
        self._origin.mark(text(record.get("customType")))

    def _info(self, record: Record, _: Spot) -> None:
        """The name somebody gave the session; an empty one takes it away again."""
        self._notes.title = text(record.get("name")).strip()

    def _label(self, record: Record, spot: Spot) -> None:
        if label := text(record.get("label")).strip():
            self._writing.add(Part(Author.SYSTEM, Kind.META, spot, f"label: {label}"))


def _spot(record: Record, line: int) -> Spot:
    """Ids are 8 digits, unique in their file alone; with its time an entry is known wherever a fork copied it."""
    stamp, own = record.get("timestamp"), text(record.get("id"))
    at = moment(stamp) or moment(mapping(record.get("message")).get("timestamp"))
    return Spot(line, at, f"{own}@{text(stamp)}" if own else _digest(record))


def _digest(record: Record) -> str:
    """Version 1 had no ids: a prompt is known by its time and its words."""
    message, stamp = mapping(record.get("message")), text(record.get("timestamp"))
    if message.get("role") != "user" or not stamp:
        return ""
    words = said(message.get("content")).encode("utf-8", "replace")
    return f"{hashlib.blake2b(words, digest_size=6).hexdigest()}@{stamp}"
