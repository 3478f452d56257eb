"""How a call of Codex ended: there is no error flag, so exit codes are read from outputs and from events.

Knows outputs (what the model saw) and end events (what the client saw); both speak about the same call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.sources.codex.calls import Call
from memlane.sources.codex.words import blocks
from memlane.sources.records import Record, inner, mapping, number, sequence, text

_LONGEST_HEAD = 400
_HEADS = ("Chunk ID:", "Wall time", "Exit code:", "Process ", "Script ")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
_FAILED = re.compile(
    r"[\w.]{1,80} (?:verification failed|failed for\b|failed:|is unavailable in )"
    r"|Script failed|unsupported call|execution error|failed to parse"
)
_BAD = ("failed", "declined", "error")
_NOTE = "user_note: "


def answer(call: Call, output: object) -> None:
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


def ended(call: Call, event: Record, cwd: str) -> None:
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
