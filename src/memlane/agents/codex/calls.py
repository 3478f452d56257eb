"""A tool call of Codex: opened by one record, answered by another, enriched by events. No record has an error flag."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents.codex.words import blocks
from memlane.agents.records import Record, inner, mapping, number, plain, sequence, text
from memlane.domain import Author, Kind, Step, ToolCall
from memlane.domain.fence import holds_a_brief, is_our_command, is_our_tool

CODE_MODE = ("exec", "wait")  # JavaScript that calls several tools; their events carry ids of their own
_PATCHED = re.compile(r"\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)(?=\\n|[\r\n\"`]|$)")
_SCRIPTED_TOOL = re.compile(r"\btools\.(\w{1,100})")
_SCRIPTED_COMMAND = re.compile(r"\bcmd\"?\s{0,9}:\s{0,9}[\"'`]([^\"'`\n]{1,2000})")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|~")


@dataclass(slots=True)
class OpenCall:
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


_LONGEST_HEAD = 400
_HEADS = ("Chunk ID:", "Wall time", "Exit code:", "Process ", "Script ")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
_FAILED = re.compile(
    r"[\w.]{1,80} (?:verification failed|failed for\b|failed:|is unavailable in )"
    r"|Script failed|unsupported call|execution error|failed to parse"
)
_BAD = ("failed", "declined", "error")
_NOTE = "user_note: "


def answer(call: OpenCall, output: object) -> None:
    """The output record of a call: what the model was told."""
    older = mapping(output)  # content and success
    output = older.get("content", output)
    parts = [text(output)] if isinstance(output, str) else list(_parts(output))
    body, failed = _read("\n".join(parts))
    call.result = body
    scripted = bool(parts) and parts[0].startswith("Script ")
    call.error = call.error or failed or older.get("success") is False or (scripted and _any_exit(parts))


def _parts(output: object) -> Iterator[str]:
    for block in sequence(output):
        kind = text(mapping(block).get("type"))
        yield "[image]" if kind == "input_image" else text(mapping(block).get("text"))


def _read(output: str, *, inside: bool = False) -> tuple[str, bool]:
    """The output itself, without the lines the client writes above it, and whether they tell of a failure."""
    if output.startswith('{"output"'):
        whole = mapping(inner(output))
        return text(whole.get("output")), number(mapping(whole.get("metadata")).get("exit_code")) != 0
    head, mark, body = output.partition("Output:\n")
    if not mark or len(head) > _LONGEST_HEAD or not head.startswith(_HEADS):
        return output, _FAILED.match(output) is not None
    code = _EXIT.search(head)
    if code is None and not inside and body.startswith("Exit code:"):  # a patch that ran as a command
        return _read(body, inside=True)
    failed = (code is not None and int(code[1]) != 0) or head.startswith("Script failed")
    return (f"Exit code: {code[1]}\n{body}" if code and failed else body.lstrip("\n")), failed


def _any_exit(parts: list[str]) -> bool:
    """A script prints what its commands gave back, one JSON object each."""
    printed = (mapping(inner(part)) for part in parts[1:] if part.startswith("{") and '"exit_code"' in part)
    return any(number(each.get("exit_code")) != 0 for each in printed)


def answers(output: object) -> str:
    """The person's answers to the agent's questions, and the notes they added."""
    given = mapping(mapping(inner(output)).get("answers"))
    lines = (text(line) for each in given.values() for line in sequence(mapping(each).get("answers")))
    return "\n".join(line.removeprefix(_NOTE) for line in lines if line)


def ended(call: OpenCall, event: Record, cwd: str) -> None:
    """An end event, or the finished item of a paginated history: enriches its call, never a step of its own."""
    failed = number(event.get("exit_code")) != 0 or event.get("success") is False
    call.error = call.error or failed or text(event.get("status")) in _BAD or _refused(event.get("result"))
    call.spare = call.spare or _seen(event)
    changed = mapping(event.get("changes"))
    if changed:
        call.changes = True
        moved = (text(mapping(change).get("move_path")) for change in changed.values())
        call.touch([*map(text, changed), *(path for path in moved if path)], cwd)
    call.touch(_looked_at(event), cwd)


def _refused(result: object) -> bool:
    """An MCP tool's result: `{"Err": …}`, or a result that calls itself an error."""
    whole = mapping(result)
    return "Err" in whole or mapping(whole.get("Ok", whole)).get("isError") is True


def _seen(event: Record) -> str:
    whole = mapping(event.get("result"))
    told = "\n".join(blocks(mapping(whole.get("Ok", whole)).get("content"))) or text(whole.get("Err"))
    return told or text(event.get("aggregated_output")) or text(event.get("stdout")) + text(event.get("stderr"))


def _looked_at(event: Record) -> Iterator[str]:
    """The files a shell command only read, as the client understood it, and an image it viewed."""
    for part in sequence(event.get("parsed_cmd")):
        if mapping(part).get("type") == "read":
            yield from filter(None, (text(mapping(part).get("path")),))
    if text(event.get("type")) in ("ImageView", "view_image_tool_call"):
        yield from filter(None, (text(event.get("path")).removeprefix("file://"),))
