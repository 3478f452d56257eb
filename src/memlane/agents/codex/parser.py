"""One pass over one rollout: every record goes to who understands it, Turns come out as they are finished."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memlane.agents.agent import Line, Transcript
from memlane.agents.codex.envelopes import Envelope, FileStart, envelopes
from memlane.agents.codex.events import take_event
from memlane.agents.codex.facts import CodexFacts, is_older, origin_of
from memlane.agents.codex.items import take_item, take_mail
from memlane.agents.codex.turns import CodexTurns
from memlane.agents.codex.words import summary
from memlane.agents.records import text
from memlane.domain import BrokenLine, Facts, Relation, Turn

COMPACTED = "context compacted"
IGNORED = frozenset(
    {
        "inter_agent_communication_metadata",
        "retained_context",
        "security_risk_score",
        "token_usage_record",
        "world_state",
    }
)


@dataclass(slots=True)
class CodexState:
    """All a reading knows where it stands."""

    talk: CodexTurns = field(default_factory=CodexTurns)
    copying: bool = False  # inside the parent's history, copied to the start of a spawned agent's file
    copied: int = 0
    begun: bool = False
    opening: FileStart = field(default_factory=FileStart)


class CodexParser:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = CodexState()

    @property
    def resumable(self) -> bool:
        return not self.state.opening.document

    @property
    def _talk(self) -> CodexTurns:
        return self.state.talk

    @property
    def _book(self) -> CodexFacts:
        return self.state.talk.book

    def turns(self) -> Iterator[Turn]:
        finished = self._talk.finished
        for found in envelopes(self._lines, self.state.opening):
            if isinstance(found, BrokenLine):
                self._book.broken(found)
                continue
            self._take(found)
            if finished:
                yield from finished
                finished.clear()
        self._talk.settle(at_end=True)
        self._talk.finish()
        yield from finished
        finished.clear()

    def facts(self) -> Facts:
        return self._book.facts(self._talk.origin, self._transcript)

    def _take(self, envelope: Envelope) -> None:
        if envelope.kind == "session_meta":
            self._begin(envelope)
        elif self._is_copied(envelope):
            self.state.copied += 1
        else:
            self._say_what_was_copied(envelope)
            self._own(envelope)

    def _own(self, envelope: Envelope) -> None:
        kind, talk, book = envelope.kind, self._talk, self._book
        if kind == "response_item":
            if not take_item(talk, envelope):
                book.unknown(f"response_item/{text(envelope.payload.get('type'))}")
        elif kind == "event_msg":
            stranger = take_event(talk, envelope)
            if stranger:
                book.unknown(f"event_msg/{stranger}")
        elif kind == "turn_context":
            self._context(envelope)
        elif kind == "compacted":
            self._compacted(envelope)
        elif kind == "inter_agent_communication":
            take_mail(talk, envelope)
        elif kind not in IGNORED:
            book.unknown(kind or "a record without a type")

    def _begin(self, envelope: Envelope) -> None:
        """Only the first header describes this file; a later one of another thread opens a copy of that thread."""
        talk, origin = self._talk, origin_of(envelope)
        if not self.state.begun:
            self.state.begun = True
            talk.origin, talk.cwd = origin, origin.cwd
        elif talk.origin.relation is Relation.SUBAGENT and origin.thread != talk.origin.thread:
            self.state.copying = True

    def _is_copied(self, envelope: Envelope) -> bool:
        """A spawned agent's file may begin with its parent's history. It is in the parent's Run; here it is context.

        Newest clients say where the child's own records begin. Before, its first task is the first whose id is not
        older than the thread itself.
        """
        own_from = self._talk.origin.own_from
        if own_from:
            return 0 <= envelope.ordinal < own_from
        if self.state.copying:
            turn_id = text(envelope.payload.get("turn_id"))
            self.state.copying = not turn_id or is_older(turn_id, self._talk.origin.thread)
        return self.state.copying

    def _say_what_was_copied(self, envelope: Envelope) -> None:
        if self.state.copied:
            self._talk.noted(f"{self.state.copied} records of the parent's history, copied by Codex", envelope)
            self.state.copied = 0

    def _context(self, envelope: Envelope) -> None:
        payload, talk = envelope.payload, self._talk
        talk.goes_on(text(payload.get("turn_id")))
        talk.reviewing = False
        talk.cwd = text(payload.get("cwd")) or talk.cwd
        talk.model = text(payload.get("model")) or talk.model
        self._book.model(talk.model)

    def _compacted(self, envelope: Envelope) -> None:
        """The new context it carries is made of old messages: none of them is said again."""
        self._talk.settle()
        told = summary(text(envelope.payload.get("message")))
        if told:
            self._talk.summarised(told, envelope)
        else:
            self._talk.noted(COMPACTED, envelope)
