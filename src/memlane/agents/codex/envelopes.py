"""Three generations of rollout files, opened into one shape: a kind, a payload, a time, a line.

2025's first client wrote one JSON document, the next bare items, today's wraps every line. Knows no meaning of any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from memlane.agents.agent import Line
from memlane.agents.records import BrokenRecordError, Record, mapping, moment, number, records, sequence, text
from memlane.domain import BrokenLine

LARGEST_DOCUMENT = 64 << 20  # a pretty-printed document is held whole while it is read
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Envelope:
    """One record: `ordinal` is -1 where the file has none."""

    kind: str
    payload: Record
    at: datetime | None
    line: int
    ordinal: int = -1


@dataclass(slots=True)
class FileStart:
    """Whether the first words of a file were read, and whether they began a document printed over many lines."""

    read: bool = False
    document: bool = False


def envelopes(lines: Iterable[Line], opening: FileStart) -> Iterator[Envelope | BrokenLine]:
    for line in _whole(lines, opening):
        if isinstance(line, BrokenLine):
            yield line
            continue
        try:
            found = records(line)
        except BrokenRecordError as error:
            yield BrokenLine(line.n, str(error))
            continue
        for record in found:
            yield from _opened(record, line.n)


def _whole(lines: Iterable[Line], opening: FileStart) -> Iterator[Line | BrokenLine]:
    """The lines as they are; a document printed over many lines as one."""
    rest = iter(lines)
    for line in rest:
        start = b"" if opening.read else line.data.removeprefix(_BOM).strip()
        opening.read = opening.read or bool(start)
        opening.document = start == b"{"
        yield _document(line, rest) if opening.document else line


def _document(first: Line, rest: Iterator[Line]) -> Line | BrokenLine:
    pieces, size = [first.data], len(first.data)
    for line in rest:
        size += len(line.data)
        if size > LARGEST_DOCUMENT:
            return BrokenLine(first.n, f"a document of more than {LARGEST_DOCUMENT >> 20} MB")
        pieces.append(line.data)
    return Line(first.n, b"\n".join(pieces))


def _opened(record: Record, line: int) -> Iterator[Envelope]:
    if "payload" in record:
        ordinal = record.get("ordinal")
        place = number(ordinal) if isinstance(ordinal, int) else -1
        at = moment(record.get("timestamp"))
        yield Envelope(text(record.get("type")), mapping(record["payload"]), at, line, place)
    elif isinstance(record.get("session"), dict) and isinstance(record.get("items"), list):
        header = mapping(record["session"])
        yield Envelope("session_meta", header, moment(header.get("timestamp")), line)
        for item in sequence(record["items"]):
            yield from _item(mapping(item), line)
    elif "record_type" not in record:
        yield from _item(record, line)


def _item(item: Record, line: int) -> Iterator[Envelope]:
    """A bare item of the Responses kind, or a message of the chat kind with its calls inside."""
    at = moment(item.get("timestamp"))
    if "type" in item:
        yield Envelope("response_item", item, at, line)
    elif "role" in item:
        yield from (Envelope("response_item", payload, at, line) for payload in _from_chat(item))
    elif "id" in item:
        yield Envelope("session_meta", item, at, line)
    else:
        yield Envelope("", item, at, line)


def _from_chat(message: Record) -> Iterator[Record]:
    role, content = text(message.get("role")), message.get("content")
    if role == "tool":
        yield {"type": "function_call_output", "call_id": message.get("tool_call_id"), "output": content}
        return
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if blocks:
        yield {"type": "message", "role": role, "content": blocks}
    for call in sequence(message.get("tool_calls")):
        function = mapping(mapping(call).get("function"))
        yield {"type": "function_call", "call_id": mapping(call).get("id"), **function}
