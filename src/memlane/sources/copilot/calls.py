"""Tool calls of Copilot CLI: what was passed, which files, how it ended, and whether the tool is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from memlane.domain import ToolCall
from memlane.domain.ours import is_our_command, is_our_tool
from memlane.sources.paths import whole
from memlane.sources.records import Record, inner, mapping, number, plain, sequence, text
from memlane.sources.writing import Part

WRITERS = frozenset({"apply_patch", "create", "edit", "str_replace", "write"})
READERS = frozenset({"view"})
SHELLS = frozenset({"bash", "local_shell", "powershell", "read_bash", "read_powershell"})
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,4096}?)\s*$", re.MULTILINE)
_EXIT = re.compile(
    r"<(?:shellId: \S{1,100} |command with shellId: \S{1,100} )?(?:completed|exited) with exit code (-?\d{1,9})>\Z"
)
_LONGEST_ENDING = 300


def opened(name: str, arguments: object, cwd: str) -> ToolCall:
    """Arguments are an object; those of a tool with a grammar of its own, such as a patch, are one text."""
    decoded = mapping(arguments) or mapping(inner(arguments))
    given = mapping(plain(decoded)) if decoded else ({"input": plain(arguments)} if arguments else {})
    files = tuple(dict.fromkeys(whole(path, cwd) for path in _paths(name, given)))
    return ToolCall(name, given, files=files, changes=bool(files) and name in WRITERS)


def _paths(name: str, given: Mapping[str, object]) -> Iterator[str]:
    if name not in WRITERS | READERS:
        return
    yield from filter(None, (text(given.get(key)) for key in ("path", "file_path")))
    for value in given.values() if name == "apply_patch" else ():
        yield from _PATCHED.findall(text(value))


def is_ours(call: ToolCall) -> bool:
    return is_our_tool(call.name) or (call.name in SHELLS and is_our_command(text(call.input.get("command"))))


def outcome(data: Record) -> str:
    """What the model was told: the result, or why there is none."""
    result = mapping(data.get("result"))
    return text(result.get("content")) or text(mapping(data.get("error")).get("message"))


def failed(name: str, data: Record, told: str) -> bool:
    """A command that ran and failed says `success`; how it ended stands beside it, before 1.0.100 in its last line."""
    if data.get("success") is False:
        return True
    if name not in SHELLS:
        return False
    shell = mapping(data.get("shellExecution"))
    if "exitCode" in shell:
        return number(shell["exitCode"]) != 0
    ending = _EXIT.search(told.rstrip()[-_LONGEST_ENDING:])
    return ending is not None and int(ending[1]) != 0


def end(part: Part, data: Record, cwd: str) -> None:
    """A call's end: its result, its error, and the files the client says it wrote."""
    call = part.call
    if call is None:
        return
    edited = [text(mapping(edit).get("path")) for edit in sequence(data.get("fileEdits"))]
    if any(edited):
        files = dict.fromkeys((*call.files, *(whole(path, cwd) for path in edited if path)))
        part.call = replace(call, files=tuple(files), changes=True)
    told = outcome(data)
    part.ended(told, failed=failed(call.name, data, told))
