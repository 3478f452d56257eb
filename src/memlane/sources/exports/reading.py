"""One pass over one conversation: its lines put together again, decoded once, told as Turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from memlane.domain import BrokenLine, Facts, Turn
from memlane.sources.exports.talk import Talk, turns_of
from memlane.sources.lines import LONGEST_LINE
from memlane.sources.records import BrokenRecordError, Record, records
from memlane.sources.source import Line

NOTHING = Talk((), "", Facts())


class ChatReading:
    """What cannot be read is said in the facts, and is never a Turn."""

    append_only = False  # a branch may grow anywhere

    def __init__(self, lines: Iterable[Line], talk_of: Callable[[Record], Talk]) -> None:
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
