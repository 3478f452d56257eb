"""What was said and done in a session: prompts, answers, calls, and those of the subagents between them.

A subagent's words are steps of the Turn they stand in, by a program: they are neither the person's nor the agent's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from memlane.agents.builders import FactsBuilder, RecordPlace, StepBuilder, TurnBuilder
from memlane.agents.copilot_cli import calls
from memlane.agents.copilot_cli.facts import Origin
from memlane.agents.records import Record, mapping, sequence, text
from memlane.domain import Author, Kind
from memlane.domain.fence import is_our_command

STEERING = "steering"
MOST_RUNNING = 1000


@dataclass(slots=True)
class Pending:
    """What was said and done so far that later events refer to."""

    running: dict[str, str] = field(default_factory=dict[str, str])  # calls without a result, and whose they are
    lines: dict[str, str] = field(default_factory=dict[str, str])  # shell lines of the person's own
    answered: dict[str, None] = field(default_factory=dict[str, None])  # calls whose answer was recorded
    reasoned: str = ""
    typed: bool = False  # a person prompted
    driven: bool = False  # a program did

    @property
    def nobody_typed(self) -> bool:
        return self.driven and not self.typed


class CopilotTurns:
    """Who says what, one event at a time. `agent` is the subagent's id, "" for the session's own agent."""

    def __init__(self, writing: TurnBuilder, notes: FactsBuilder, origin: Origin, pending: Pending) -> None:
        self._writing = writing
        self._notes = notes
        self._origin = origin
        self._pending = pending

    # -- prompts -----------------------------------------------------------------------------------------------------

    def prompted(self, data: Record, spot: RecordPlace, agent: str) -> None:
        words, source = self._asked(data), text(data.get("source"))
        if agent:
            self._note(Author.PROGRAM, Kind.TEXT, words, spot)
        elif source.startswith("skill-"):
            self._notes.skill(source.removeprefix("skill-"))
            self._note(Author.SYSTEM, Kind.META, f"skill: {source.removeprefix('skill-')}", spot)
        elif source == "system":
            self._note(Author.SYSTEM, Kind.META, words, spot)
        else:
            typed = source in ("", "user") and data.get("isAutopilotContinuation") is not True
            author = self._origin.author if typed else Author.PROGRAM
            self._begin(StepBuilder(author, Kind.PROMPT, spot, words), steering=data.get("delivery") == STEERING)

    def _asked(self, data: Record) -> str:
        """`content` as it was typed; `transformedContent` is what the client made of it."""
        words = text(data.get("content")).strip()
        attached = (mapping(each) for each in sequence(data.get("attachments")))
        names = (text(each.get("displayName")) or text(each.get("type")) for each in attached)
        return words or " ".join(f"[{name or 'attachment'}]" for name in names)

    def _begin(self, prompt: StepBuilder, *, steering: bool) -> None:
        """A subagent goes on whatever is typed; what the agent itself does goes on when it is only steered."""
        pending = self._pending
        pending.running = {call: agent for call, agent in pending.running.items() if agent or steering}
        pending.answered.clear()
        pending.typed |= prompt.author is Author.PERSON
        pending.driven |= prompt.author is not Author.PERSON
        self._writing.begin(prompt, pending.running.keys())

    # -- agents --------------------------------------------------------------------------------------------------------

    def said(self, data: Record, spot: RecordPlace, agent: str) -> None:
        author, model = Author.PROGRAM if agent else Author.AGENT, text(data.get("model"))
        self._notes.model(model)
        thought, words = text(data.get("reasoningText")).strip(), text(data.get("content")).strip()
        if thought and thought != self._pending.reasoned:
            apart = replace(spot, native_id=f"{spot.native_id}.0") if words and spot.native_id else spot
            self._writing.add(StepBuilder(author, Kind.THINKING, apart, thought, model=model))
        self._pending.reasoned = ""
        if words:
            self._writing.add(StepBuilder(author, Kind.TEXT, spot, words, model=model))
        for request in sequence(data.get("toolRequests")):
            self._open(mapping(request), "name", RecordPlace(spot.line, spot.at), agent, model)

    def reasoned(self, data: Record, spot: RecordPlace, agent: str) -> None:
        """Written apart, the same thought usually stands in the message that follows too."""
        self._pending.reasoned = text(data.get("content")).strip()
        self._note(Author.PROGRAM if agent else Author.AGENT, Kind.THINKING, self._pending.reasoned, spot)

    # -- calls -------------------------------------------------------------------------------------------------------

    def started(self, data: Record, spot: RecordPlace, agent: str) -> None:
        self._open(data, "toolName", spot, agent, text(data.get("model")))

    def _open(self, data: Record, key: str, spot: RecordPlace, agent: str, model: str) -> None:
        """A call is told twice: by the message that asks for it, and when it starts."""
        call_id, name = text(data.get("toolCallId")), text(data.get(key))
        if self._writing.has_call(call_id):
            return
        call = calls.opened(name, data.get("arguments"), self._origin.cwd)
        if name == "skill":
            self._notes.skill(text(call.input.get("skill")))
        here = replace(spot, native_id=call_id or spot.native_id)
        part = StepBuilder(Author.TOOL, Kind.TOOL_CALL, here, call=call, model=model, ours=calls.is_ours(call))
        self._writing.call(call_id, part)
        if not self._writing.waiting(call_id):
            self._answered(part, call_id, spot, agent)  # its result came first
        elif len(self._pending.running) < MOST_RUNNING:
            self._pending.running[call_id] = agent

    def completed(self, data: Record, spot: RecordPlace, agent: str) -> None:
        call_id = text(data.get("toolCallId"))
        self._pending.running.pop(call_id, None)
        if call_id in self._pending.lines:
            self._printed(self._pending.lines.pop(call_id), data, spot)
            return
        part = self._writing.answered(call_id, spot)
        calls.end(part, data, self._origin.cwd)
        self._answered(part, call_id, spot, agent)

    def _answered(self, part: StepBuilder, call_id: str, spot: RecordPlace, agent: str) -> None:
        if part.call is not None and not agent and call_id not in self._pending.answered:
            self._answer(calls.told(part.call.name, part.call.result), spot)

    # -- a person, between prompts -------------------------------------------------------------------------------------

    def ran(self, data: Record, spot: RecordPlace, _: str) -> None:
        """A shell line of the person's own. No Turn begins: the agent only watches."""
        command = text(mapping(data.get("arguments")).get("command")) or text(data.get("toolName"))
        self._note(self._origin.author, Kind.COMMAND, f"! {command}", spot)
        if len(self._pending.lines) < MOST_RUNNING:
            self._pending.lines[text(data.get("toolCallId"))] = command

    def _printed(self, command: str, data: Record, spot: RecordPlace) -> None:
        printed = calls.outcome(data).strip()
        kind = Kind.ERROR if calls.failed("local_shell", data, printed) else Kind.META
        if printed:
            self._writing.add(StepBuilder(Author.TOOL, kind, spot, printed, ours=is_our_command(command)))

    def responded(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._pending.answered[text(data.get("toolCallId"))] = None
        self._answer(calls.recorded(data), spot)

    def permitted(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._answer(calls.refusal(data), spot)

    def _answer(self, words: str, spot: RecordPlace) -> None:
        self._note(self._origin.author, Kind.ANSWER, words, spot)

    def aborted(self, data: Record, spot: RecordPlace, agent: str) -> None:
        """Calls of the agent's own that were under way end here without a result."""
        if not agent:
            self._pending.running = {call: owner for call, owner in self._pending.running.items() if owner}
            by_hand = text(data.get("reason")) != "autopilot_credit_limit"
            author = self._origin.author if by_hand else Author.SYSTEM
            self._note(author, Kind.INTERRUPT, "interrupted", spot)

    def over(self) -> None:
        """The client ended: nothing is under way any more."""
        self._pending.running.clear()

    def _note(self, author: Author, kind: Kind, words: str, spot: RecordPlace) -> None:
        if words := words.strip():
            self._writing.add(StepBuilder(author, kind, spot, words))
