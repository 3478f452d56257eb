"""What a pass over a Run adds up to, and its state, kept so that the next pass can go on from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents import (
    BEGINNING,
    LinePosition,
    LineStream,
    Parser,
    ParserState,
    ResumableParser,
    Source,
    Transcript,
    put_down,
    taken_up,
)
from memlane.domain import BESIDE, NO_PROJECT, NOTHING_SAID, Author, BrokenLine, Facts, Kind, Project, TimedText, Turn
from memlane.domain.titles import is_small, short_title, tells
from memlane.gate import Gate
from memlane.storage import Bookmark

MOST_FILES = 500
LONGEST_GIVEN = 160  # characters of an agent's own title
LONGEST_SAID = 400
WORK = (Kind.TEXT, Kind.THINKING)


@dataclass(slots=True)
class RunTally:
    """Counts and ends. What was said is masked; all else is masked when it is handed on."""

    turns: int = 0
    person_turns: int = 0
    steps: int = 0
    tool_calls: int = 0
    errors: int = 0
    changes: int = 0
    started: datetime | None = None
    ended: datetime | None = None
    first: TimedText = NOTHING_SAID
    last: TimedText = NOTHING_SAID
    telling: str = ""  # the first words that say what the Run is about
    files: dict[str, None] = field(default_factory=dict[str, None])

    def add(self, turn: Turn, mask: Callable[[str], str]) -> None:
        if turn.n == BESIDE:
            return
        if turn.author in (Author.PERSON, Author.PROGRAM) and turn.n > 0:
            self.turns += 1
            self._said(turn, mask)
        elif turn.n == 0:
            self._keep(command_of(turn), turn.at, mask)
        for step in turn.steps:
            self.steps += 1
            self._when(step.at)
            if step.call is not None:
                self.tool_calls += 1
                self.errors += step.call.error
                self.changes += step.call.changes
                for file in step.call.files:
                    if len(self.files) < MOST_FILES:
                        self.files[file] = None

    def _said(self, turn: Turn, mask: Callable[[str], str]) -> None:
        words = turn.person
        if words:
            self.person_turns += 1
        else:
            words = next((s.text for s in turn.steps if s.kind is Kind.PROMPT), "") or command_of(turn)
        self._keep(words, turn.at, mask)

    def _keep(self, words: str, at: datetime | None, mask: Callable[[str], str]) -> None:
        if words.strip():
            shown = mask(" ".join(words.split())[: 4 * LONGEST_SAID])  # a secret across the cut is seen whole
            said = TimedText(shown[:LONGEST_SAID], at)
            if not self.first.text:
                self.first = said
            if not self.telling and tells(said.text):
                self.telling = said.text
            self.last = said

    def _when(self, at: datetime | None) -> None:
        if at is not None:
            self.started = at if self.started is None or at < self.started else self.started
            self.ended = at if self.ended is None or at > self.ended else self.ended

    @property
    def kind(self) -> str:
        """The kind of work, as plainly as it can be told: files were changed, tools were used, or it was talk."""
        if self.changes:
            return "change"
        return "look" if self.tool_calls else "talk"


def command_of(turn: Turn) -> str:
    """A task typed as a slash command, such as `/goal simplify this repo`, and the agent set to work on it.

    A command without words, or one that the client answers itself (`/model opus`), is no task.
    """
    typed = ""
    for step in turn.steps:
        if step.kind is Kind.COMMAND and step.author in (Author.PERSON, Author.PROGRAM):
            typed = step.text if step.text.startswith("/") and " " in step.text else ""
        elif typed and (step.call is not None or (step.author is Author.AGENT and step.kind in WORK)):
            return typed
    return ""


def title_of(facts: Facts, tally: RunTally) -> str:
    """The agent's own title, else a short one made of the first prompt that tells something, else of the first."""
    if not is_small(facts.title):
        return " ".join(facts.title.split())[:LONGEST_GIVEN]
    return short_title(tally.telling or tally.first.text)


def project_or(found: Project, filed: Project) -> Project:
    return filed if filed != NO_PROJECT else found


LARGEST = 8 << 20  # bytes of a state; nearly all are a hundredth of it


@dataclass(slots=True)
class SoFar:
    """What the Turns that are told have added up to."""

    transcript: Transcript
    tally: RunTally = field(default_factory=RunTally)
    told: int = -1  # the last Turn that is told to its end
    place: LinePosition = BEGINNING
    too_long: tuple[BrokenLine, ...] = ()  # lines nobody read


@dataclass(frozen=True, slots=True)
class PassState:
    """The Reading, and what it has told so far."""

    reading: Parser
    so_far: SoFar

    def pause(self, place: LinePosition, lines: LineStream, source: Source) -> ParserState | None:
        """None where it cannot be taken up again."""
        if not isinstance(self.reading, ResumableParser) or not self.reading.resumable:
            return None
        self.so_far.place, self.so_far.too_long = place, tuple(lines.broken)
        return put_down(source, self.so_far, self.reading.state)


def may_be_kept(paused: ParserState, gate: Gate) -> bool:
    return len(paused.state) <= LARGEST and gate.mask_values(paused.words) is paused.words


def resume(bookmark: Bookmark, lines: LineStream, source: Source, transcript: Transcript) -> PassState | None:
    """None when it was another program that stopped there, or it was told something else about the file."""
    (so_far,) = taken_up(bookmark.state, source, SoFar) or (None,)
    if not isinstance(so_far, SoFar) or so_far.transcript != transcript or so_far.place.offset != bookmark.offset:
        return None
    lines.place, lines.broken = so_far.place, list(so_far.too_long)
    reading = source.read(lines, transcript)  # it may look at the first line already, so `lines` knows its place
    if not isinstance(reading, ResumableParser):
        return None
    found = taken_up(bookmark.state, source, SoFar, type(reading.state))
    if found is None:
        return None
    _so_far, reading.state = found
    return PassState(reading, so_far)
