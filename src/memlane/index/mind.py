"""What a pass over a Run has in mind when it stops behind a newline, kept so that the next one goes on from there.

Only what the Gate finds nothing in is kept: the Turn that is still open stands in it word for word.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from memlane.domain import BrokenLine
from memlane.gate import Gate
from memlane.index.summary import Tally
from memlane.sources import BEGINNING, Lines, Paused, Place, Reading, Resumable, Source, Transcript, put_down, taken_up
from memlane.storage import Bookmark

LARGEST = 8 << 20  # bytes of a state; nearly all are a hundredth of it


@dataclass(slots=True)
class SoFar:
    """What the Turns that are told have added up to."""

    transcript: Transcript
    tally: Tally = field(default_factory=Tally)
    told: int = -1  # the last Turn that is told to its end
    place: Place = BEGINNING
    too_long: tuple[BrokenLine, ...] = ()  # lines nobody read


@dataclass(frozen=True, slots=True)
class Mind:
    """The Reading, and what it has told so far."""

    reading: Reading
    so_far: SoFar

    def pause(self, place: Place, lines: Lines, source: Source) -> Paused | None:
        """None where it cannot be taken up again."""
        if not isinstance(self.reading, Resumable) or not self.reading.resumable:
            return None
        self.so_far.place, self.so_far.too_long = place, tuple(lines.broken)
        return put_down(source, self.so_far, self.reading.state)


def may_be_kept(paused: Paused, gate: Gate) -> bool:
    return len(paused.state) <= LARGEST and gate.mask_values(paused.words) is paused.words


def recalled(bookmark: Bookmark, lines: Lines, source: Source, transcript: Transcript) -> Mind | None:
    """None when it was another program that stopped there, or it was told something else about the file."""
    (so_far,) = taken_up(bookmark.state, source, SoFar) or (None,)
    if not isinstance(so_far, SoFar) or so_far.transcript != transcript or so_far.place.offset != bookmark.offset:
        return None
    lines.place, lines.broken = so_far.place, list(so_far.too_long)
    reading = source.read(lines, transcript)  # it may look at the first line already, so `lines` knows its place
    if not isinstance(reading, Resumable):
        return None
    found = taken_up(bookmark.state, source, SoFar, type(reading.state))
    if found is None:
        return None
    _so_far, reading.state = found
    return Mind(reading, so_far)
