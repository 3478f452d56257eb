"""Tool calls of Pi: what was passed, which files, and whether the tool is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memlane.domain import ToolCall
from memlane.domain.ours import is_our_command, is_our_tool
from memlane.sources.paths import whole
from memlane.sources.records import Record, mapping, plain, sequence, text

WRITERS = frozenset({"edit", "write"})
FILE_TOOLS = WRITERS | {"read"}
SHELLS = frozenset({"bash", "powershell"})
CODE_MODE = "codemode"  # a script that calls other tools
_SCRIPTED = re.compile(r"\b(mcp__\w{1,100})")


def opened(block: Record, cwd: str) -> ToolCall:
    name = text(block.get("name"))
    given = mapping(plain(mapping(block.get("arguments"))))
    files = tuple(whole(path, cwd) for path in _paths(name, given))
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
