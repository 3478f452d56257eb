"""What a list says about a Run, gathered while its Turns go by once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from memlane.domain import NO_PROJECT, NOTHING_SAID, Author, Facts, Kind, Project, Said, Turn

MOST_FILES = 500
LONGEST_TITLE = 80
LONGEST_SAID = 400


@dataclass(slots=True)
class Tally:
    """Counts and ends. What was said is masked; all else is masked when it is handed on."""

    turns: int = 0
    person_turns: int = 0
    steps: int = 0
    tool_calls: int = 0
    errors: int = 0
    changes: int = 0
    started: datetime | None = None
    ended: datetime | None = None
    first: Said = NOTHING_SAID
    last: Said = NOTHING_SAID
    files: dict[str, None] = field(default_factory=dict[str, None])

    def add(self, turn: Turn, mask: Callable[[str], str]) -> None:
        if turn.author in (Author.PERSON, Author.PROGRAM) and turn.n > 0:
            self.turns += 1
            self._said(turn, mask)
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
            words = next((s.text for s in turn.steps if s.kind is Kind.PROMPT), "")
        if words.strip():
            shown = mask(" ".join(words.split())[: 4 * LONGEST_SAID])  # a secret across the cut is seen whole
            said = Said(shown[:LONGEST_SAID], turn.at)
            if not self.first.text:
                self.first = said
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


def title_of(facts: Facts, first: Said) -> str:
    """The agent's own title, else the first words a person typed."""
    if facts.title.strip():
        return " ".join(facts.title.split())[: 2 * LONGEST_TITLE]
    line = " ".join(first.text.split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1].rstrip() + "…"


def project_or(found: Project, filed: Project) -> Project:
    return filed if filed != NO_PROJECT else found
