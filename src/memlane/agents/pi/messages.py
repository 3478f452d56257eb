"""Messages of a session by role: what was said, which tools were called. Knows all three versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from memlane.agents.builders import FactsBuilder, RecordPlace, StepBuilder, TurnBuilder, count
from memlane.agents.pi.origin import Origin
from memlane.agents.records import Record, mapping, plain, sequence, text, whole_path
from memlane.domain import Author, Kind, Tokens, ToolCall
from memlane.domain.fence import is_our_command, is_our_tool

OURS = frozenset({"lane", "memlane", "memory-lane"})  # `customType` of what our extension injects
ABORTED = "This operation was aborted"  # what 1.x writes instead of the stop reason `aborted`
IGNORED = frozenset({"system"})  # the prompt and the tools, written out
CUT_OFF = "the answer was cut off: it was too long"


class Messages:
    """Who says what, one entry at a time."""

    def __init__(self, writing: TurnBuilder, notes: FactsBuilder, origin: Origin) -> None:
        self._writing = writing
        self._notes = notes
        self._origin = origin
        self._roles: dict[str, Callable[[Record, RecordPlace], None]] = {
            "user": self._user,
            "assistant": self._assistant,
            "toolResult": self._result,
            "bashExecution": self._shell_line,
            "custom": self.custom,
            "hookMessage": self.custom,
            "branchSummary": self.summary,
            "compactionSummary": self.summary,
        }

    def take(self, record: Record, spot: RecordPlace) -> None:
        message = mapping(record.get("message"))
        role = text(message.get("role"))
        taker = self._roles.get(role)
        if taker is not None:
            taker(message, spot)
        elif role not in IGNORED:
            self._notes.unknown(f"message/{role}")

    # -- people ----------------------------------------------------------------------------------------------------

    def _user(self, message: Record, spot: RecordPlace) -> None:
        asked = typed(said(message.get("content")))
        if asked.skill:
            self._notes.skill(asked.skill)
            self._notes.command(f"/skill:{asked.skill}")
        author = self._origin.prompted(spot.at)
        self._writing.begin(StepBuilder(author, Kind.PROMPT, spot, asked.words))

    def _shell_line(self, message: Record, spot: RecordPlace) -> None:
        """A person's own `!` line, and what it printed. No Turn begins: the agent only watches."""
        command = text(message.get("command"))
        mark = "!!" if message.get("excludeFromContext") is True else "!"
        self._writing.add(StepBuilder(self._origin.author, Kind.COMMAND, spot, f"{mark} {command}"))
        if printed := text(message.get("output")).strip():
            failed = message.get("exitCode") not in (0, None) or message.get("cancelled") is True
            kind = Kind.ERROR if failed else Kind.META
            self._writing.add(StepBuilder(Author.TOOL, kind, spot, printed, ours=is_our_command(command)))

    # -- the agent -------------------------------------------------------------------------------------------------

    def _assistant(self, message: Record, spot: RecordPlace) -> None:
        model = text(message.get("model"))
        self._notes.model(model)
        self.spent(message, spot)
        content = message.get("content")
        for place, block in enumerate(sequence(content) or [{"type": "text", "text": content}]):
            here = replace(spot, native_id=f"{spot.native_id}.{place}") if place and spot.native_id else spot
            self._block(mapping(block), model, here)
        self._stopped(message, spot)

    def _block(self, block: Record, model: str, spot: RecordPlace) -> None:
        match text(block.get("type")):
            case "text":
                self._agent_said(Kind.TEXT, text(block.get("text")), model, spot)
            case "thinking":
                self._agent_said(Kind.THINKING, text(block.get("thinking")), model, spot)
            case "toolCall":
                call, call_id = opened(block, self._origin.cwd), text(block.get("id"))
                here = replace(spot, native_id=call_id or spot.native_id)
                part = StepBuilder(Author.TOOL, Kind.TOOL_CALL, here, call=call, model=model, ours=is_ours(call))
                self._writing.call(call_id, part)
            case kind:
                self._notes.unknown(f"assistant/{kind}")

    def _agent_said(self, kind: Kind, words: str, model: str, spot: RecordPlace) -> None:
        if words := words.strip():
            self._writing.add(StepBuilder(Author.AGENT, kind, spot, words, model=model))

    def _stopped(self, message: Record, spot: RecordPlace) -> None:
        reason, error = text(message.get("stopReason")), text(message.get("errorMessage"))
        if reason == "aborted" or (reason == "error" and error == ABORTED):
            self._writing.add(StepBuilder(self._origin.author, Kind.INTERRUPT, spot, "interrupted"))
        elif reason == "error":
            self._writing.add(StepBuilder(Author.SYSTEM, Kind.ERROR, spot, error or "the request failed"))
        elif reason == "length":
            self._writing.add(StepBuilder(Author.SYSTEM, Kind.META, spot, CUT_OFF))

    def _result(self, message: Record, spot: RecordPlace) -> None:
        part = self._writing.answered(text(message.get("toolCallId")), spot, text(message.get("toolName")))
        part.ended(said(message.get("content")), failed=message.get("isError") is True)
        part.ours = part.ours or called_ours(message)
        self.spent(message, spot)

    # -- around them -----------------------------------------------------------------------------------------------

    def custom(self, message: Record, spot: RecordPlace) -> None:
        """What an extension put into the context: never a person's, and ours if our extension did."""
        if words := said(message.get("content")).strip():
            ours = text(message.get("customType")) in OURS
            self._writing.add(StepBuilder(Author.SYSTEM, Kind.META, spot, words, ours=ours))

    def summary(self, record: Record, spot: RecordPlace) -> None:
        """Of a compaction, or of a branch that was left: the agent's words about what was said."""
        if words := text(record.get("summary")).strip():
            self._writing.add(StepBuilder(Author.AGENT, Kind.SUMMARY, spot, words))
        self.spent(record, spot)

    def spent(self, record: Record, spot: RecordPlace) -> None:
        """What Pi counted; what came with a fork was counted in its parent."""
        usage = mapping(record.get("usage"))
        if not usage or self._origin.is_copied(spot.at):
            return
        read = count(usage.get("input")) + count(usage.get("cacheWrite"))
        tokens = Tokens(read, count(usage.get("output")), count(usage.get("cacheRead")))
        self._notes.spend(tokens, mapping(usage.get("cost")).get("total"))


IMAGE = "[image]"
_SKILL = '<skill name="'
_SKILL_END = "\n</skill>"


@dataclass(frozen=True, slots=True)
class TypedPrompt:
    """What a person typed, and the skill it called."""

    words: str
    skill: str = ""


def said(content: object) -> str:
    """A message's words: a string, or blocks of text and images."""
    if isinstance(content, str):
        return text(content)
    blocks = [mapping(block) for block in sequence(content)]
    words = "\n".join(filter(None, (text(block.get("text")) for block in blocks)))
    images = " ".join(IMAGE for block in blocks if block.get("type") == "image")
    return words or images


def typed(words: str) -> TypedPrompt:
    """`/skill:name words` stands in the file as the whole skill, then the words."""
    if not words.startswith(_SKILL):
        return TypedPrompt(words.strip())
    name = words[len(_SKILL) :].partition('"')[0]
    _, end, rest = words.partition(_SKILL_END + "\n\n")
    if not name or "\n" in name or not (end or words.endswith(_SKILL_END)):
        return TypedPrompt(words.strip())
    return TypedPrompt(f"/skill:{name} {rest.strip()}".strip(), name)


WRITERS = frozenset({"edit", "write"})
FILE_TOOLS = WRITERS | {"read"}
SHELLS = frozenset({"bash", "powershell"})
CODE_MODE = "codemode"  # a script that calls other tools
_SCRIPTED = re.compile(r"\b(mcp__\w{1,100})")


def opened(block: Record, cwd: str) -> ToolCall:
    name = text(block.get("name"))
    given = mapping(plain(mapping(block.get("arguments"))))
    files = tuple(whole_path(path, cwd) for path in _paths(name, given))
    return ToolCall(name, given, files=files, changes=name in WRITERS)


def _paths(name: str, given: Mapping[str, object]) -> Iterator[str]:
    if name in FILE_TOOLS:
        yield from filter(None, (text(given.get(key)) for key in ("path", "file_path")))


def is_ours(call: ToolCall) -> bool:
    if is_our_tool(call.name):
        return True
    if call.name == CODE_MODE:
        scripts = (text(value) for value in call.input.values())
        return any(is_our_tool(name) for script in scripts for name in _SCRIPTED.findall(script))
    return call.name in SHELLS and is_our_command(text(call.input.get("command")))


def called_ours(message: Record) -> bool:
    """Whether a tool's result says that it called one of ours."""
    nested = sequence(mapping(message.get("nestedCalls")).get("calls"))
    return any(is_our_tool(text(mapping(call).get("name"))) for call in nested)
