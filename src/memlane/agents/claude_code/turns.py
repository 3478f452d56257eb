"""Where a Turn begins and ends, its Steps in file order, and calls that get their results later."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from memlane.agents.claude_code.authors import Utterance, queued_words
from memlane.agents.claude_code.calls import WRITERS
from memlane.agents.claude_code.facts import ClaudeCodeFacts
from memlane.agents.claude_code.queue import PromptQueue, QueuedPrompt
from memlane.agents.claude_code.typist import came_as_typed, follows_as_typed
from memlane.domain import Author, Kind, Step, ToolCall, Turn
from memlane.domain.fence import holds_a_brief

RECENT = 200  # two versions of a record stand close together


@dataclass(frozen=True, slots=True)
class TranscriptPlace:
    """Where a record stands."""

    line: int
    at: datetime | None
    native_id: str


@dataclass(slots=True)
class OpenStep:
    """A Step that may still grow."""

    author: Author
    kind: Kind
    place: TranscriptPlace
    parts: list[str] = field(default_factory=list[str])
    call: ToolCall | None = None
    call_id: str = ""  # what its result will name
    answer: str = ""  # a person's, in a result that came before its call: theirs if the call turns out to be a question
    model: str = ""
    message: str = ""  # the API message it is a block of
    ours: bool = False

    def step(self, n: int) -> Step:
        said = "\n".join(self.parts)
        ours = self.ours or holds_a_brief(said) or (self.call is not None and holds_a_brief(self.call.result))
        return Step(
            n=n,
            author=self.author,
            kind=self.kind,
            line=self.place.line,
            text=said,
            call=self.call,
            at=self.place.at,
            native_id=self.place.native_id,
            model=self.model,
            ours=ours,
        )


@dataclass(slots=True)
class OpenTurn:
    """`shown` is false for a cache warm-up: read past, and never a Turn."""

    author: Author = Author.SYSTEM
    shown: bool = True
    relayed: bool = False  # another program passed its prompt on
    drafts: list[OpenStep] = field(default_factory=list[OpenStep])
    calls: dict[str, int] = field(default_factory=dict[str, int])  # where in `drafts` each call is, by its id

    @property
    def last(self) -> OpenStep | None:
        return self.drafts[-1] if self.drafts else None

    def add(self, draft: OpenStep) -> None:
        last = self.last
        if last and draft.message and draft.call is None and _same_message(last, draft):
            last.parts += draft.parts
        else:
            self.drafts.append(draft)

    def call(self, draft: OpenStep) -> str:
        """A call. Its result may have come before it: then the two are one step, and a person's answer is returned."""
        at = self.calls.get(draft.call_id)
        early = self.drafts[at] if at is not None and draft.call_id else None
        if at is not None and early and draft.call and early.call and not early.call.name:
            place = replace(draft.place, line=early.place.line)
            changes = draft.call.name in WRITERS and not early.call.error
            call = replace(draft.call, result=early.call.result, error=early.call.error, changes=changes)
            self.drafts[at] = replace(draft, place=place, call=call)
            return early.answer
        self.calls[draft.call_id] = len(self.drafts)
        self.drafts.append(draft)
        return ""

    def answered(self, call_id: str, place: TranscriptPlace) -> OpenStep:
        """The call a result belongs to. It may come later, be in another file, or before a prompt that came between."""
        at = self.calls.get(call_id)
        if at is not None:
            return self.drafts[at]
        draft = OpenStep(Author.TOOL, Kind.TOOL_CALL, place, call=ToolCall("", {}), call_id=call_id)
        if call_id:
            self.calls[call_id] = len(self.drafts)
        self.drafts.append(draft)
        return draft

    def forget(self, native_id: str) -> None:
        """Another version of a record came: the newest one wins, and what started the Turn stays where it is."""
        start = max(1, len(self.drafts) - RECENT)
        recent = self.drafts[start:]
        calls = [draft for at, draft in enumerate(recent, start) if self.calls.get(draft.call_id) == at]
        for draft in calls:
            del self.calls[draft.call_id]
        self.drafts[start:] = [draft for draft in recent if draft.place.native_id != native_id]
        ids = {draft.call_id for draft in calls}
        self.calls |= {draft.call_id: at for at, draft in enumerate(self.drafts[start:], start) if draft.call_id in ids}

    def started_by(self, native_id: str) -> bool:
        return bool(native_id and self.drafts and self.drafts[0].place.native_id == native_id)

    def is_typed_before(self, said: str, now: datetime | None) -> bool:
        """Whether this prompt, passed on by another program, and the next one were typed by a person."""
        if not self.relayed or not self.drafts:
            return False
        first, last = self.drafts[0], self.drafts[-1]
        return follows_as_typed("\n".join(first.parts), said) and came_as_typed(first.place.at, last.place.at, now)

    def give_to_person(self) -> None:
        """What was taken for the other program's is the person's, who typed it there."""
        self.author = Author.PERSON
        for draft in self.drafts:
            draft.author = Author.PERSON if draft.author is Author.PROGRAM else draft.author

    def close(self, n: int) -> Turn:
        steps = tuple(draft.step(position) for position, draft in enumerate(self.drafts, 1))
        return Turn(n=n, author=self.author, steps=steps, at=next((step.at for step in steps if step.at), None))


def _same_message(one: OpenStep, other: OpenStep) -> bool:
    return one.message == other.message and one.kind is other.kind and one.author is other.author


@dataclass(slots=True)
class ClaudeCodeTurns:
    """The Turn being told, and those told to the end, waiting in `done`."""

    about: ClaudeCodeFacts
    subagent: bool
    queue: PromptQueue = field(default_factory=PromptQueue)
    turn: OpenTurn = field(default_factory=OpenTurn)
    done: list[Turn] = field(default_factory=list[Turn])
    _typed_elsewhere: bool = False  # a person types here, in the window of another program
    _n: int = 0

    def say(self, words: Utterance, place: TranscriptPlace) -> None:
        words = self._whose(words, place) if words.relayed else words
        if words.starts or words.kind in (Kind.INTERRUPT, Kind.SUMMARY):
            self.let_queue_out(None)
        self.about.command(words.command)
        self.about.typed |= words.author is Author.PERSON and words.kind is not Kind.INTERRUPT
        self.about.driven |= words.author is Author.PROGRAM and words.starts
        draft = OpenStep(words.author, words.kind, place, [words.text], ours=words.ours)
        if not words.starts:
            last = self.turn.last
            draft.ours |= bool(words.author is Author.TOOL and last and last.ours)  # what our command printed
            self.turn.add(draft)
        elif self.turn.started_by(place.native_id):
            self.turn.drafts[0] = draft
        else:
            self.begin(OpenTurn(words.author, relayed=words.relayed, drafts=[draft]))

    def _whose(self, words: Utterance, place: TranscriptPlace) -> Utterance:
        """A person's from the second prompt on that comes like one, and then the first was theirs too."""
        if not self._typed_elsewhere and words.starts and self.turn.is_typed_before(words.text, place.at):
            self.turn.give_to_person()
            self._typed_elsewhere = True
        self._typed_elsewhere = self._typed_elsewhere or words.author is Author.PERSON  # the window's name is in it
        return replace(words, author=Author.PERSON) if self._typed_elsewhere else words

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

    def _place(self, queued: QueuedPrompt, *, starts: bool) -> None:
        known = {"entrypoint": self.about.entrypoint}
        for words in queued_words(known, queued.text, subagent=self.subagent):
            self.say(replace(words, starts=words.starts and starts), TranscriptPlace(queued.line, queued.at, ""))

    def _close(self) -> None:
        if self.turn.shown and self.turn.drafts:
            self.done.append(self.turn.close(self._n))
            self._n += 1
