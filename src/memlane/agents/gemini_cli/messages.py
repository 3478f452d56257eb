"""From lines to the messages that hold: later ones replace earlier ones of the same id, `$rewindTo` takes some back.

A whole document (`.json`) and a file of records (`.jsonl`) come out the same. Knows no meaning of a message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memlane.agents.agent import Line
from memlane.agents.records import BrokenRecordError, Record, mapping, records, sequence, text
from memlane.domain import BrokenLine

LARGEST_DOCUMENT = 256 << 20
_ID = re.compile(rb'^\s*"id"\s*:\s*"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was last written. `abandoned`: a person went back behind it."""

    record: Record
    line: int
    abandoned: bool = False

    def texts(self) -> Iterator[str]:
        """What it says: a string, or the text parts of a list."""
        shown = self.record.get("displayContent")
        content = shown if shown else self.record.get("content")
        if isinstance(content, str):
            yield text(content)
        for part in sequence(content):
            said = text(part) if isinstance(part, str) else text(mapping(part).get("text"))
            if said:
                yield said


@dataclass(slots=True)
class Chat:
    """The header of a chat and its messages, in order."""

    head: dict[str, object] = field(default_factory=dict[str, object])
    messages: list[Message] = field(default_factory=list[Message])
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    unknown: Counter[str] = field(default_factory=Counter[str])
    places: dict[str, int] = field(default_factory=dict[str, int])  # where in `messages` each id stands

    def put(self, record: Record, line: int) -> None:
        """A message written again keeps its place."""
        name = text(record.get("id"))
        at = self.places.get(name) if name else None
        if at is not None:
            self.messages[at] = Message(record, line)
            return
        self.places[name] = len(self.messages)
        self.messages.append(Message(record, line))

    def rewind(self, name: str) -> None:
        """That message and all behind it are taken back; an id nobody knows takes back everything."""
        begin = self.places.get(name, 0)
        self.messages[begin:] = [Message(m.record, m.line, abandoned=True) for m in self.messages[begin:]]

    def stand_for_all(self, records: list[Record], line: int) -> None:
        """These are the messages now; what is not among them was taken back.

        A resume writes such a list from the model's history, without times, thoughts and results: a message that is
        known already stays as it was written when it happened.
        """
        known = {text(m.record.get("id")): m for m in self.messages}
        names = {text(record.get("id")) for record in records}
        gone = [Message(m.record, m.line, abandoned=True) for name, m in known.items() if name not in names]
        back = [known.get(text(record.get("id"))) or Message(record, line) for record in records]
        self.messages = gone + [Message(m.record, m.line) for m in back]
        self.places = {text(m.record.get("id")): at for at, m in enumerate(self.messages)}


def folded(lines: Iterable[Line]) -> Chat:
    waiting = iter(lines)
    first = next((line for line in waiting if line.data.strip()), None)
    chat = Chat()
    if first is None:
        return chat
    if first.data.strip() == b"{" or not first.data.rstrip().endswith(b"}"):
        _document(chat, first, waiting)
        return chat
    for line in _all(first, waiting):
        try:
            for record in records(line):
                _take(chat, record, line.n)
        except BrokenRecordError as broken:
            chat.broken.append(BrokenLine(line.n, str(broken)))
    return chat


def _all(first: Line, rest: Iterator[Line]) -> Iterator[Line]:
    yield first
    yield from rest


def _take(chat: Chat, record: Record, line: int) -> None:
    if "$rewindTo" in record:
        chat.rewind(text(record.get("$rewindTo")))
    elif "$set" in record:
        _set(chat, mapping(record.get("$set")), line)
    elif "messages" in record or ("sessionId" in record and "type" not in record):
        _set(chat, record, line)
    elif "type" in record:
        chat.put(record, line)
    else:
        chat.unknown[" ".join(sorted(record))[:80]] += 1


def _set(chat: Chat, given: Record, line: int) -> None:
    """Metadata is merged; a list of messages stands for all that was live before."""
    chat.head |= {key: value for key, value in given.items() if key != "messages"}
    if "messages" in given:
        chat.stand_for_all([record for record in map(mapping, sequence(given.get("messages"))) if record], line)


def _document(chat: Chat, first: Line, rest: Iterator[Line]) -> None:
    """A whole document over many lines. A message stands where its id does."""
    pieces, places, size = [first.data], dict[str, int](), len(first.data)
    for line in rest:
        size += len(line.data)
        if size > LARGEST_DOCUMENT:
            chat.broken.append(BrokenLine(line.n, f"a document of more than {LARGEST_DOCUMENT:,} bytes"))
            return
        pieces.append(line.data)
        if found := _ID.match(line.data):
            places.setdefault(found[1].decode("utf-8", "replace"), line.n)
    try:
        (whole,) = records(Line(first.n, b"\n".join(pieces))) or ({},)
    except (BrokenRecordError, ValueError) as broken:
        chat.broken.append(BrokenLine(first.n, str(broken) or "not one document"))
        return
    chat.head |= {key: value for key, value in whole.items() if key != "messages"}
    for record in map(mapping, sequence(whole.get("messages"))):
        if record:
            chat.put(record, places.get(text(record.get("id")), first.n))
