"""One kind of exported chats as a Source: its conversations, one Document each, and one pass over one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import Document, ImportSource, Line, Peek, Surroundings, Transcript, UnreadPart
from memlane.agents.exports.chat import Chat, turns_of
from memlane.agents.exports.objects import ExportCut, ExportPart, Objects, parts
from memlane.agents.lines import LONGEST_LINE
from memlane.agents.records import BrokenRecordError, Record, records
from memlane.domain import BrokenLine, Facts, Turn
from memlane.errors import DamagedError


@dataclass(frozen=True, slots=True)
class Export:
    """Three questions tell one kind from another: is it one of yours, what is it, and what was said in it?"""

    name: str
    title: str
    accepts: Callable[[Record], bool]
    about: Callable[[Record], ExportHead]
    talk: Callable[[Record], Chat]

    def places(self, around: Surroundings) -> tuple[Path, ...]:  # noqa: ARG002 - a Source's signature
        return ()

    def recognise(self, path: PurePath) -> None:  # noqa: ARG002 - a Source's signature
        return None

    def documents(self, path: Path) -> Iterator[Document | UnreadPart]:
        return documents(path, self.accepts, self.about)

    def peek(self, lines: Iterable[Line]) -> Peek:
        record = whole_record(lines)
        if isinstance(record, BrokenLine) or not self.accepts(record):
            return Peek()
        known = self.about(record)
        return replace(known.peek, may_be=(Transcript(known.native_id, rewritten=True),))

    def read(self, lines: Iterable[Line], transcript: Transcript) -> ChatParser:  # noqa: ARG002
        return ChatParser(lines, self._dated)

    def _dated(self, record: Record) -> Chat:
        return replace(self.talk(record), started=self.about(record).peek.started)


LOOKED_AT = 20  # objects at the head of a file that may say what it is
LONGEST_ID = 200
Accepts = Callable[[Record], bool]


@dataclass(frozen=True, slots=True)
class ExportHead:
    """What an export says of one conversation before anything of it is read."""

    native_id: str
    peek: Peek


def documents(path: Path, accepts: Accepts, about: Callable[[Record], ExportHead]) -> Iterator[Document | UnreadPart]:
    for part in parts(path):
        if holds(part, accepts):
            for cut in Objects(part.pieces()):
                yield _document(cut, part, accepts, about)


def holds(part: ExportPart, accepts: Accepts) -> bool:
    """Told by what is in it. Settings, feedback and who the person is stand in files of their own: not taken."""
    heads = islice(Objects(part.pieces()), LOOKED_AT)
    return any(accepts(record) for cut in heads if isinstance(record := record_of(cut), dict))


def kinds_in(path: Path, kinds: Sequence[ImportSource]) -> list[ImportSource]:
    """Which of these kinds of conversations a file holds; raises if it may be one of them, and damaged."""
    found, wrong = list[ImportSource](), ""
    for part in parts(path):
        for cut in islice(Objects(part.pieces()), LOOKED_AT):
            record = record_of(cut)
            if isinstance(record, str):
                wrong = wrong or f"{part.name} object {cut.n}: {record}".strip()
            elif (kind := next((kind for kind in kinds if kind.accepts(record)), None)) is not None:
                found += [] if kind in found else [kind]
                break
    if wrong and not found:
        raise DamagedError(wrong, hint="download the export again")
    return found


def record_of(cut: ExportCut) -> Record | str:
    """The object, or why there is none."""
    if cut.reason:
        return cut.reason
    try:
        (record,) = records(Line(1, cut.data))
    except BrokenRecordError as error:
        return str(error)
    return record


def _document(
    cut: ExportCut, part: ExportPart, accepts: Accepts, about: Callable[[Record], ExportHead]
) -> Document | UnreadPart:
    where = f"{part.name} conversation {cut.n}".strip()
    record = record_of(cut)
    if isinstance(record, str):
        return UnreadPart(where, record)
    if not accepts(record):
        return UnreadPart(where, "not a conversation of the kind the others are")
    known = about(record)
    if not known.native_id:
        return UnreadPart(where, "it has no id to know it again by")
    lines = tuple(cut.data.split(b"\n"))  # one, unless the export is indented
    return Document(Transcript(known.native_id[:LONGEST_ID], rewritten=True), lines, known.peek)


NOTHING = Chat((), "", Facts())


class ChatParser:
    """What cannot be read is said in the facts, and is never a Turn."""

    append_only = False  # a branch may grow anywhere

    def __init__(self, lines: Iterable[Line], talk_of: Callable[[Record], Chat]) -> None:
        self._lines = lines
        self._talk_of = talk_of
        self._facts = Facts()

    def turns(self) -> Iterator[Turn]:
        record = whole_record(self._lines)
        if isinstance(record, BrokenLine):
            self._facts = replace(self._facts, broken=(record,))
            return
        talk = self._talk_of(record) if record else NOTHING
        self._facts = talk.facts
        yield from turns_of(talk)

    def facts(self) -> Facts:
        return self._facts


def whole_record(lines: Iterable[Line]) -> Record | BrokenLine:
    """The one object these lines are; an empty one if there are none."""
    kept, size = list[bytes](), 0
    for line in lines:
        size += len(line.data) + 1
        if size > LONGEST_LINE:
            return BrokenLine(1, f"a conversation of more than {LONGEST_LINE:,} bytes")
        kept.append(line.data)
    try:
        found = records(Line(1, b"\n".join(kept)))
    except BrokenRecordError as error:
        return BrokenLine(1, str(error))
    return found[0] if found else {}
