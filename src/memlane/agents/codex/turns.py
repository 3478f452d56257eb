"""The Turn of a rollout that grows, its calls by id, and prompts that are not certain yet."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents.codex.calls import CODE_MODE, OpenCall, files_of, is_ours, named, passed
from memlane.agents.codex.envelopes import Envelope
from memlane.agents.codex.facts import UNKNOWN_ORIGIN, CodexFacts, Origin
from memlane.agents.codex.words import ShellLine, typed
from memlane.agents.records import text
from memlane.domain import Author, Kind, Step, Turn
from memlane.domain.fence import holds_a_brief, is_our_command

IMAGE = "[image]"
MOST_WAITING = 100  # prompts in a row without an answer; real files have two
UNKNOWN = "unknown"  # the tool of a result whose call was not seen
NO_IDS = "review_rollout_"  # the same in every review of every file


@dataclass(frozen=True, slots=True)
class PendingPrompt:
    """A user item that is a prompt if the event that says so follows."""

    words: str
    envelope: Envelope
    certain: bool  # the client itself marks it as the user's


@dataclass(slots=True)
class CodexTurns:
    """Everything since the last finished Turn. Memory is bounded by one Turn."""

    book: CodexFacts = field(default_factory=CodexFacts)
    origin: Origin = UNKNOWN_ORIGIN
    turn_id: str = ""
    model: str = ""
    cwd: str = ""
    reviewing: bool = False
    finished: list[Turn] = field(default_factory=list[Turn])
    _n: int = 0
    _author: Author = Author.SYSTEM
    _at: datetime | None = None
    _steps: list[Step | None] = field(default_factory=list[Step | None])  # None: a call, under its number in `_calls`
    _calls: dict[int, OpenCall] = field(default_factory=dict[int, OpenCall])
    _numbers: dict[str, int] = field(default_factory=dict[str, int])  # of the calls, by their ids
    _script: int = 0  # the number of the last call that is a script
    _waiting: list[PendingPrompt] = field(default_factory=list[PendingPrompt])
    _events_tell: bool = False  # this file has events for what a person typed: user items alone are not enough
    _just_prompted: str = ""
    _interrupted: bool = False
    _repeated: dict[str, int] = field(default_factory=dict[str, int])

    # -- turns ---------------------------------------------------------------------------------------------------

    def begins_task(self, turn_id: str) -> None:
        """A task of Codex: one prompt or several, under one `turn_id`."""
        self._interrupted = False
        self.goes_on(turn_id)

    def goes_on(self, turn_id: str) -> None:
        if turn_id and turn_id != self.turn_id:
            self.turn_id = turn_id
            self._repeated.clear()

    def prompted(self, message: str, envelope: Envelope, *, by: Author | None = None) -> None:
        """A Turn begins: somebody typed, or a program did in their place."""
        words, plan = typed(message)
        author = by or self.origin.author
        self._start(author, envelope)
        self.add(author, Kind.PROMPT, words, envelope, native_id=self._told_apart(words))
        if plan:
            self.add(Author.AGENT, Kind.META, plan, envelope)
        self._just_prompted = message

    def commanded(self, command: str, envelope: Envelope) -> None:
        """A slash command that starts the agent: a Turn without a prompt."""
        self._start(self.origin.author, envelope)
        self.add(self.origin.author, Kind.COMMAND, command, envelope, native_id=self._told_apart(command))

    def _start(self, author: Author, envelope: Envelope) -> None:
        self.finish()
        self._n += 1
        self._author, self._at = author, envelope.at
        self._interrupted = False

    def finish(self) -> None:
        """What was read so far becomes a Turn; Turn 0 only if anything stands before the first prompt."""
        if self._steps:
            steps = tuple(step or self._calls[n].step() for n, step in enumerate(self._steps, 1))
            self.finished.append(Turn(self._n, self._author, steps, self._at or steps[0].at))
        self._steps, self._calls, self._numbers, self._script = [], {}, {}, 0

    # -- prompts that stand in two records -------------------------------------------------------------------------

    def heard(self, words: str, envelope: Envelope, *, certain: bool) -> None:
        """A user item: the event with the same prompt usually follows, in rare files it came before."""
        if words and words == self._just_prompted:
            self._just_prompted = ""
            return
        if len(self._waiting) == MOST_WAITING:
            self.settle()
        known = Envelope(envelope.kind, {"id": text(envelope.payload.get("id"))}, envelope.at, envelope.line)
        self._waiting.append(PendingPrompt(words, known, certain))

    def typed(self, message: str, envelope: Envelope) -> None:
        """The event: this is what the person typed. The item before it is the same prompt."""
        self._events_tell = True
        for earlier in self._waiting[:-1]:
            self.noted(earlier.words, earlier.envelope)
        self._waiting.clear()
        self.prompted(message, envelope)

    def settle(self, *, at_end: bool = False) -> None:
        """The agent goes on, so no event will come for what is waiting."""
        waiting, self._waiting = self._waiting, []
        self._just_prompted = ""
        for each in waiting:
            if each.certain or at_end or not self._events_tell:
                self.prompted(each.words or IMAGE, each.envelope)
            else:
                self.noted(each.words, each.envelope)

    # -- steps -----------------------------------------------------------------------------------------------------

    def add(
        self, author: Author, kind: Kind, words: str, envelope: Envelope, *, native_id: str = "", ours: bool = False
    ) -> None:
        self._steps.append(
            Step(
                n=len(self._steps) + 1,
                author=author,
                kind=kind,
                line=envelope.line,
                text=words,
                at=envelope.at,
                native_id=native_id or self._id_of(envelope) or self._told_apart(words),
                model=self.model if author is Author.AGENT else "",
                ours=ours or (author is Author.SYSTEM and holds_a_brief(words)),
            )
        )

    def ran(self, line: ShellLine, envelope: Envelope) -> None:
        """A shell line of the person's own, and what it printed. No Turn begins: the agent only watches."""
        self.add(self.origin.author, Kind.COMMAND, f"! {line.command}", envelope)
        if line.output:
            printed = Kind.ERROR if line.failed else Kind.META
            self.add(Author.TOOL, printed, line.output, envelope, ours=is_our_command(line.command))

    def noted(self, words: str, envelope: Envelope) -> None:
        if words.strip():
            self.add(Author.SYSTEM, Kind.META, words.strip(), envelope)

    def interrupted(self, envelope: Envelope) -> None:
        """Written as an item and as an event: one interruption."""
        if not self._interrupted:
            self._interrupted = True
            self.add(self.origin.author, Kind.INTERRUPT, "interrupted", envelope)

    def summarised(self, summary: str, envelope: Envelope) -> None:
        """A compaction. The model's message with the same summary, just before, was not said to anyone."""
        last = self._steps[-1] if self._steps else None
        if last and last.kind is Kind.TEXT and last.author is Author.AGENT and last.text == summary:
            self._steps.pop()
        self.add(Author.AGENT, Kind.SUMMARY, summary, envelope)

    # -- calls -----------------------------------------------------------------------------------------------------

    def called(self, envelope: Envelope) -> OpenCall:
        payload = envelope.payload
        name, arguments = named(payload), passed(payload)
        call_id = text(payload.get("call_id")) or text(payload.get("id")) or self._told_apart(f"{name} {arguments}")
        early = self._call(call_id)  # its result may have come before it
        call = early if early and early.name == UNKNOWN else self._append(name, call_id, envelope)
        call.name, call.input, call.ours = name, arguments, is_ours(name, arguments)
        written = files_of(arguments)
        call.changes = bool(written)
        call.touch(written, text(arguments.get("workdir")) or self.cwd)
        if name in CODE_MODE:
            self._script = call.n
        return call

    def call(self, call_id: str, envelope: Envelope) -> OpenCall:
        """The call an output answers. One whose opening is not in this Turn, or not yet, still gets its step."""
        return self._call(call_id) or self._append(UNKNOWN, call_id, envelope)

    def _call(self, call_id: str) -> OpenCall | None:
        return self._calls.get(self._numbers.get(call_id, 0))

    def call_of_event(self, call_id: str) -> OpenCall | None:
        """The call an event speaks of; what a script calls belongs to the script."""
        return self._call(call_id) or (self._calls.get(self._script) if call_id.startswith("exec-") else None)

    def _append(self, name: str, call_id: str, envelope: Envelope) -> OpenCall:
        n = len(self._steps) + 1
        call = self._calls[n] = OpenCall(n, name, {}, envelope.line, envelope.at, call_id, self.model, ours=False)
        self._steps.append(None)
        if call_id:
            self._numbers[call_id] = n
        return call

    def _id_of(self, envelope: Envelope) -> str:
        native_id = text(envelope.payload.get("id"))
        return "" if native_id.startswith(NO_IDS) else native_id

    def _told_apart(self, words: str) -> str:
        """An id a fork's copy repeats: the turn and the words, counted when the same words come again."""
        if not self.turn_id:
            return ""
        digest = hashlib.blake2b(words.encode(), digest_size=6).hexdigest()
        key = f"{self.turn_id}:{digest}"
        times = self._repeated[key] = self._repeated.get(key, 0) + 1
        return key if times == 1 else f"{key}#{times}"
