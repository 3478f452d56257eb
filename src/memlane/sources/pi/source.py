"""Pi as a Source: its places, its file names, its header, and a pass over the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath

from memlane.sources.pi.places import folders, own_id, what_it_is
from memlane.sources.pi.reading import PiReading
from memlane.sources.records import BrokenRecordError, moment, records, text
from memlane.sources.source import Line, Peek, Surroundings, Transcript

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

    def read(self, lines: Iterable[Line], transcript: Transcript) -> PiReading:
        return PiReading(lines, transcript)
