"""What was said and done: the messages of a session by role, told to a Writing.

Knows every role of all three versions; `reading` knows the entries around them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memlane.domain import Author, Kind, Tokens, ToolCall
from memlane.domain.ours import is_our_command
from memlane.sources.notes import Notes, count
from memlane.sources.pi import calls
from memlane.sources.pi.origin import Origin
from memlane.sources.pi.words import said, typed
from memlane.sources.records import Record, mapping, sequence, text
from memlane.sources.writing import Part, Spot, Writing

OURS = frozenset({"lane", "memlane", "memory-lane"})  # `customType` of what our extension injects
ABORTED = "This operation was aborted"  # what 1.x writes instead of the stop reason `aborted`
IGNORED = frozenset({"system"})  # the prompt and the tools, written out
CUT_OFF = "the answer was cut off: it was too long"


class Messages:
    """Who says what, one entry at a time."""

    def __init__(self, writing: Writing, notes: Notes, origin: Origin) -> None:
        self._writing = writing
        self._notes = notes
        self._origin = origin
        self._roles: dict[str, Callable[[Record, Spot], None]] = {
            "user": self._user,
            "assistant": self._assistant,
            "toolResult": self._result,
            "bashExecution": self._shell_line,
            "custom": self.custom,
            "hookMessage": self.custom,
            "branchSummary": self.summary,
            "compactionSummary": self.summary,
        }

    def take(self, record: Record, spot: Spot) -> None:
        message = mapping(record.get("message"))
        role = text(message.get("role"))
        taker = self._roles.get(role)
        if taker is not None:
            taker(message, spot)
        elif role not in IGNORED:
            self._notes.unknown(f"message/{role}")

    # -- people ----------------------------------------------------------------------------------------------------

    def _user(self, message: Record, spot: Spot) -> None:
        asked = typed(said(message.get("content")))
        if asked.skill:
            self._notes.skill(asked.skill)
            self._notes.command(f"/skill:{asked.skill}")
        author = self._origin.prompted(spot.at)
        self._writing.begin(Part(author, Kind.PROMPT, spot, asked.words))

    def _shell_line(self, message: Record, spot: Spot) -> None:
        """A person's own `!` line, and what it printed. No Turn begins: the agent only watches."""
        command = text(message.get("command"))
        mark = "!!" if message.get("excludeFromContext") is True else "!"
        self._writing.add(Part(self._origin.author, Kind.COMMAND, spot, f"{mark} {command}"))
        if printed := text(message.get("output")).strip():
            failed = message.get("exitCode") not in (0, None) or message.get("cancelled") is True
            kind = Kind.ERROR if failed else Kind.META
            self._writing.add(Part(Author.TOOL, kind, spot, printed, ours=is_our_command(command)))

    # -- the agent -------------------------------------------------------------------------------------------------

    def _assistant(self, message: Record, spot: Spot) -> None:
        model = text(message.get("model"))
        self._notes.model(model)
        self.spent(message, spot)
        content = message.get("content")
        for place, block in enumerate(sequence(content) or [{"type": "text", "text": content}]):
            here = replace(spot, native_id=f"{spot.native_id}.{place}") if place and spot.native_id else spot
            self._block(mapping(block), model, here)
        self._stopped(message, spot)

    def _block(self, block: Record, model: str, spot: Spot) -> None:
        match text(block.get("type")):
            case "text":
                self._agent_said(Kind.TEXT, text(block.get("text")), model, spot)
            case "thinking":
                self._agent_said(Kind.THINKING, text(block.get("thinking")), model, spot)
            case "toolCall":
                call, call_id = calls.opened(block, self._origin.cwd), text(block.get("id"))
                here = replace(spot, native_id=call_id or spot.native_id)
                part = Part(Author.TOOL, Kind.TOOL_CALL, here, call=call, model=model, ours=calls.is_ours(call))
                self._writing.call(call_id, part)
            case kind:
                self._notes.unknown(f"assistant/{kind}")

    def _agent_said(self, kind: Kind, words: str, model: str, spot: Spot) -> None:
        if words := words.strip():
            self._writing.add(Part(Author.AGENT, kind, spot, words, model=model))

    def _stopped(self, message: Record, spot: Spot) -> None:
        reason, error = text(message.get("stopReason")), text(message.get("errorMessage"))
        if reason == "aborted" or (reason == "error" and error == ABORTED):
            self._writing.add(Part(self._origin.author, Kind.INTERRUPT, spot, "interrupted"))
        elif reason == "error":
            self._writing.add(Part(Author.SYSTEM, Kind.ERROR, spot, error or "the request failed"))
        elif reason == "length":
            self._writing.add(Part(Author.SYSTEM, Kind.META, spot, CUT_OFF))

    def _result(self, message: Record, spot: Spot) -> None:
        """The result of a call. One whose opening is not in this Turn still gets its step."""
        call_id = text(message.get("toolCallId"))
        part = self._writing.answered(call_id)
        if part is None:
            here = replace(spot, native_id=call_id or spot.native_id)
            part = Part(Author.TOOL, Kind.TOOL_CALL, here, call=ToolCall(text(message.get("toolName")), {}))
            self._writing.add(part)
        part.ended(said(message.get("content")), failed=message.get("isError") is True)
        part.ours = part.ours or calls.called_ours(message)
        self.spent(message, spot)

    # -- around them -----------------------------------------------------------------------------------------------

    def custom(self, message: Record, spot: Spot) -> None:
        """What an extension put into the context: never a person's, and ours if our extension did."""
        if words := said(message.get("content")).strip():
            ours = text(message.get("customType")) in OURS
            self._writing.add(Part(Author.SYSTEM, Kind.META, spot, words, ours=ours))

    def summary(self, record: Record, spot: Spot) -> None:
        """Of a compaction, or of a branch that was left: the agent's words about what was said."""
        if words := text(record.get("summary")).strip():
            self._writing.add(Part(Author.AGENT, Kind.SUMMARY, spot, words))
        self.spent(record, spot)

    def spent(self, record: Record, spot: Spot) -> None:
        """What Pi counted; what came with a fork was counted in its parent."""
        usage = mapping(record.get("usage"))
        if not usage or self._origin.is_copied(spot.at):
            return
        read = count(usage.get("input")) + count(usage.get("cacheWrite"))
        tokens = Tokens(read, count(usage.get("output")), count(usage.get("cacheRead")))
        self._notes.spend(tokens, mapping(usage.get("cost")).get("total"))
