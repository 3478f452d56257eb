"""What stands around the conversation: subagents, skills, what became of the context, the client's own words."""

from __future__ import annotations

from memlane.agents.builders import FactsBuilder, RecordPlace, StepBuilder, TurnBuilder
from memlane.agents.copilot_cli.facts import Origin
from memlane.agents.records import Record, mapping, number, text
from memlane.domain import Author, Kind

MOST_AGENTS = 500


class Harness:
    """One event at a time. `agent` is the subagent's id, "" for the session's own agent."""

    def __init__(
        self, writing: TurnBuilder, notes: FactsBuilder, origin: Origin, agents: dict[str, str], own_id: str
    ) -> None:
        self._writing = writing
        self._notes = notes
        self._origin = origin
        self._agents = agents  # the names of subagents by their ids
        self._own_id = own_id

    # -- subagents and skills ------------------------------------------------------------------------------------------

    def subagent_started(self, data: Record, spot: RecordPlace, agent: str) -> None:
        name = text(data.get("agentDisplayName")) or text(data.get("agentName")) or "a subagent"
        if len(self._agents) < MOST_AGENTS:
            self._agents[agent or text(data.get("toolCallId"))] = name
        about = text(data.get("agentDescription")).partition("\n")[0]
        self._note(f"subagent {name} started: {about}".removesuffix(": "), spot)

    def subagent_ended(self, data: Record, spot: RecordPlace, agent: str) -> None:
        known = self._agents.get(agent or text(data.get("toolCallId")), "")
        name = known or text(data.get("agentDisplayName")) or text(data.get("agentName"))
        trouble = text(data.get("error")).strip()
        ending = f"failed: {trouble}" if trouble else f"ended, {number(data.get('totalToolCalls'))} tool calls"
        self._note(f"subagent {name} {ending}", spot, Kind.ERROR if trouble else Kind.META)

    def skill(self, data: Record, spot: RecordPlace, _: str) -> None:
        """Its text is in the file too; that it was used is enough."""
        name = text(data.get("name"))
        self._notes.skill(name)
        if data.get("trigger") == "user-invoked":
            self._notes.command(f"/{name}")
        self._note(f"skill: {name}", spot)

    # -- what became of the context ------------------------------------------------------------------------------------

    def compacted(self, data: Record, spot: RecordPlace, agent: str) -> None:
        if data.get("trigger") == "manual" and not agent:
            self._notes.command("/compact")
            command = f"/compact {text(data.get('customInstructions'))}".strip()
            self._writing.add(StepBuilder(self._origin.author, Kind.COMMAND, spot, command))
        if summary := text(data.get("summaryContent")).strip():
            self._writing.add(StepBuilder(Author.AGENT, Kind.SUMMARY, spot, summary))
        elif data.get("success") is False:
            self._note(f"compaction failed: {text(data.get('error'))}", spot, Kind.ERROR)

    def handed_over(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._note("handed over from another session", spot)
        if summary := text(data.get("summary")).strip():
            self._writing.add(StepBuilder(Author.AGENT, Kind.SUMMARY, spot, summary))

    def task_done(self, data: Record, spot: RecordPlace, agent: str) -> None:
        """The agent's last words of a task it did alone."""
        if summary := text(data.get("summary")).strip():
            self._writing.add(StepBuilder(Author.PROGRAM if agent else Author.AGENT, Kind.TEXT, spot, summary))

    def rewound(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._note(f"rewound, events withdrawn: {number(data.get('eventsRemoved'))}", spot)

    def truncated(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._note(f"context cut, messages gone: {number(data.get('messagesRemovedDuringTruncation'))}", spot)

    def cleared(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._note(f"context cleared, messages gone: {number(data.get('messagesCleared'))}", spot)

    def moved(self, data: Record, _spot: RecordPlace, agent: str) -> None:
        if not agent:
            self._origin.context(mapping(data.get("context")) or data)

    def titled(self, data: Record, _spot: RecordPlace, agent: str) -> None:
        if not agent:
            self._notes.title = text(data.get("title")).strip() or self._notes.title

    # -- the client's own words ----------------------------------------------------------------------------------------

    def error(self, data: Record, spot: RecordPlace, _: str) -> None:
        self._note(text(data.get("message")) or text(data.get("errorMessage")), spot, Kind.ERROR)

    def info(self, data: Record, spot: RecordPlace, agent: str) -> None:
        """Most of it is about settings; a fork and a rewind are about the Run."""
        message, kind = text(data.get("message")), text(data.get("infoType"))
        if kind == "fork" and not agent:
            self._origin.forked(message, self._own_id)
        if kind in ("fork", "rewind"):
            self._note(message, spot)

    def notified(self, data: Record, spot: RecordPlace, _: str) -> None:
        words = text(data.get("content")).strip()
        self._note(words.removeprefix("<system_notification>").removesuffix("</system_notification>"), spot)

    def _note(self, words: str, spot: RecordPlace, kind: Kind = Kind.META) -> None:
        if words := words.strip():
            self._writing.add(StepBuilder(Author.SYSTEM, kind, spot, words))
