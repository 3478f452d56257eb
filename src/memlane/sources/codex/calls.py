"""A tool call of Codex while it is being read: opened by one record, answered by another, enriched by events.

Knows what each sort of call looks like when it opens; `outcomes` knows how it ends.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memlane.domain import Author, Kind, Step, ToolCall
from memlane.domain.ours import holds_a_brief, is_our_command, is_our_tool
from memlane.sources.records import Record, inner, mapping, plain, sequence, text

CODE_MODE = ("exec", "wait")  # JavaScript that calls several tools; their events carry ids of their own
_PATCHED = re.compile(r"\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)(?=\\n|[\r\n\"`]|$)")
_SCRIPTED_TOOL = re.compile(r"\btools\.(\w{1,100})")
_SCRIPTED_COMMAND = re.compile(r"\bcmd\"?\s{0,9}:\s{0,9}[\"'`]([^\"'`\n]{1,2000})")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|~")


@dataclass(slots=True)
class Call:
    """One call, growing until its Turn is finished."""

    n: int
    name: str
    input: Mapping[str, object]
    line: int
    at: datetime | None
    native_id: str
    model: str
    ours: bool
    result: str = ""
    spare: str = ""  # what an event saw of the output, for calls whose own answer never came
    error: bool = False
    changes: bool = False
    files: dict[str, None] = field(default_factory=dict[str, None])

    def touch(self, paths: Iterable[str], cwd: str) -> None:
        for path in paths:
            whole = path if _ABSOLUTE.match(path) or not cwd else posixpath.normpath(posixpath.join(cwd, path))
            self.files[whole] = None

    def step(self) -> Step:
        result = self.result or self.spare
        call = ToolCall(
            name=self.name,
            input=self.input,
            result=result,
            error=self.error,
            files=tuple(self.files),
            changes=self.changes and not self.error,
        )
        return Step(
            n=self.n,
            author=Author.TOOL,
            kind=Kind.TOOL_CALL,
            line=self.line,
            call=call,
            at=self.at,
            native_id=self.native_id,
            model=self.model,
            ours=self.ours or holds_a_brief(result),
        )


def named(payload: Record) -> str:
    """The tool as the agent called it; a tool of an MCP server with its server, as Codex shows it."""
    name, space = text(payload.get("name")), text(payload.get("namespace"))
    if not name:
        return text(payload.get("type")).removesuffix("_call")
    return f"{space}.{name}" if space.startswith("mcp__") else name


def passed(payload: Record) -> Mapping[str, object]:
    """What the agent passed: arguments kept as a JSON string, a raw text, or an action."""
    if "input" in payload:
        return {"input": plain(payload["input"])}
    if "arguments" not in payload:
        return mapping(plain(payload.get("action")))
    arguments = payload["arguments"]
    decoded = mapping(arguments) or mapping(inner(arguments))
    return mapping(plain(decoded)) if decoded else {"arguments": plain(arguments)}


def files_of(arguments: Mapping[str, object]) -> list[str]:
    """The files a patch writes, wherever in the call it stands."""
    found = (each for value in _texts(arguments) if "*** " in value for each in _PATCHED.findall(value))
    return [path.strip() for path in found]


def is_ours(name: str, arguments: Mapping[str, object]) -> bool:
    """A call of our tools, or of a shell that runs `lane`, also from inside a script."""
    if is_our_tool(name):
        return True
    script = text(arguments.get("input"))
    if name in CODE_MODE and any(is_our_tool(each) for each in _SCRIPTED_TOOL.findall(script)):
        return True
    return any(is_our_command(command) for command in _commands(name, arguments))


def _commands(name: str, arguments: Mapping[str, object]) -> Iterator[str]:
    if name in CODE_MODE:
        yield from _SCRIPTED_COMMAND.findall(text(arguments.get("input")))
    for key in ("cmd", "command"):
        value = arguments.get(key)
        yield text(value)
        words = [text(word) for word in sequence(value)]  # ["bash", "-lc", "…"]
        yield words[-1] if len(words) > 1 and words[-2].startswith("-") else " ".join(words)


def _texts(arguments: Mapping[str, object]) -> Iterator[str]:
    for value in arguments.values():
        if isinstance(value, str):
            yield value
        else:
            yield from (each for each in sequence(value) if isinstance(each, str))
