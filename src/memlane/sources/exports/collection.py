"""The conversations of an export, one Document each: its bytes exactly as the export has them.

Knows how exports are packed, and asks a Source only what a conversation's id and times are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from memlane.errors import DamagedError
from memlane.sources.exports.objects import Cut, Objects
from memlane.sources.exports.parts import Part, parts
from memlane.sources.records import BrokenRecordError, Record, records
from memlane.sources.source import Document, Importable, Line, Peek, Transcript, Unread

LOOKED_AT = 20  # objects at the head of a file that may say what it is
LONGEST_ID = 200
Accepts = Callable[[Record], bool]


@dataclass(frozen=True, slots=True)
class About:
    """What an export says of one conversation before anything of it is read."""

    native_id: str
    peek: Peek


def documents(path: Path, accepts: Accepts, about: Callable[[Record], About]) -> Iterator[Document | Unread]:
    for part in parts(path):
        if holds(part, accepts):
            for cut in Objects(part.pieces()):
                yield _document(cut, part, accepts, about)


def holds(part: Part, accepts: Accepts) -> bool:
    """Told by what is in it. Settings, feedback and who the person is stand in files of their own: not taken."""
    heads = islice(Objects(part.pieces()), LOOKED_AT)
    return any(accepts(record) for cut in heads if isinstance(record := record_of(cut), dict))


def kinds_in(path: Path, kinds: Sequence[Importable]) -> list[Importable]:
    """Which of these kinds of conversations a file holds; raises if it may be one of them, and damaged."""
    found, wrong = list[Importable](), ""
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


def record_of(cut: Cut) -> Record | str:
    """The object, or why there is none."""
    if cut.reason:
        return cut.reason
    try:
        (record,) = records(Line(1, cut.data))
    except BrokenRecordError as error:
        return str(error)
    return record


def _document(cut: Cut, part: Part, accepts: Accepts, about: Callable[[Record], About]) -> Document | Unread:
    where = f"{part.name} conversation {cut.n}".strip()
    record = record_of(cut)
    if isinstance(record, str):
        return Unread(where, record)
    if not accepts(record):
        return Unread(where, "not a conversation of the kind the others are")
    known = about(record)
    if not known.native_id:
        return Unread(where, "it has no id to know it again by")
    lines = tuple(cut.data.split(b"\n"))  # one, unless the export is indented
    return Document(Transcript(known.native_id[:LONGEST_ID], rewritten=True), lines, known.peek)
