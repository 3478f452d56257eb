"""Where a Turn begins and ends: with what somebody typed, also what they typed ahead while the agent was busy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from memlane.domain import Author, Kind, Turn
from memlane.sources.claude_code.about import About
from memlane.sources.claude_code.queue import Queue, Queued
from memlane.sources.claude_code.turn import Draft, OpenTurn, Place
from memlane.sources.claude_code.who import Words, queued_words


@dataclass(slots=True)
class Telling:
    """The Turn being told, and those told to the end, waiting in `done`."""

    about: About
    subagent: bool
    queue: Queue = field(default_factory=Queue)
    turn: OpenTurn = field(default_factory=OpenTurn)
    done: list[Turn] = field(default_factory=list[Turn])
    _n: int = 0

    def say(self, words: Words, place: Place) -> None:
        if words.starts or words.kind in (Kind.INTERRUPT, Kind.SUMMARY):
            self.let_queue_out(None)
        self.about.command(words.command)
        self.about.typed |= words.author is Author.PERSON and words.kind is not Kind.INTERRUPT
        self.about.driven |= words.author is Author.PROGRAM and words.starts
        draft = Draft(words.author, words.kind, place, [words.text], ours=words.ours)
        if not words.starts:
            last = self.turn.last
            draft.ours = bool(words.author is Author.TOOL and last and last.ours)  # what our command printed
            self.turn.add(draft)
        elif self.turn.started_by(place.native_id):
            self.turn.drafts[0] = draft
        else:
            self.begin(OpenTurn(words.author, drafts=[draft]))

    def begin(self, turn: OpenTurn) -> None:
        self._close()
        self.turn = turn
        if turn.shown:
            self._n = max(1, self._n)  # Turn 0 is for what stands before the first prompt

    def let_queue_out(self, now: datetime | None) -> None:
        """The agent is answering: what it was told by now stands before the answer."""
        if self.queue:
            for queued in self.queue.leave(now):
                self._place(queued, starts=True)

    def finish(self) -> None:
        """What nobody answered yet stays in the last Turn: the file may go on, and no Turn but the last may change."""
        for queued in self.queue.leave(None):
            self._place(queued, starts=False)
        self._close()

    def _place(self, queued: Queued, *, starts: bool) -> None:
        known = {"entrypoint": self.about.entrypoint}
        for words in queued_words(known, queued.text, subagent=self.subagent):
            self.say(replace(words, starts=words.starts and starts), Place(queued.line, queued.at, ""))

    def _close(self) -> None:
        if self.turn.shown and self.turn.drafts:
            self.done.append(self.turn.close(self._n))
            self._n += 1
