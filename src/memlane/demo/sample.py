"""What a sample run is made of, before any agent's format: who said what, and which tools were called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from memlane.demo.people import Workplace

CLAUDE_CODE = "claude-code"
CODEX = "codex"


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `refused`: the person said no, in these words; then it has no result."""

    tool: str
    input: Mapping[str, str]
    result: str = ""
    failed: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person typed, and what the agent did about it: its words and its calls, in order."""

    words: str
    then: tuple[str | Call, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One run. `under`: the key of the run whose subagent it is."""

    key: str
    agent: str
    at: Workplace
    days_ago: int
    hour: int
    asked: tuple[Asked, ...]
    title: str = ""
    under: str = ""


def made_id(*parts: object) -> str:
    """The same for the same parts, in the form the agents use."""
    return str(uuid5(NAMESPACE_URL, "/".join(("memlane-demo", *map(str, parts)))))


def bash(command: str, result: str = "", *, failed: bool = False) -> Call:
    return Call("Bash", {"command": command}, result, failed)


def edit(path: str, old: str, new: str, *, refused: str = "") -> Call:
    return Call("Edit", {"file_path": path, "old_string": old, "new_string": new}, _EDITED, refused=refused)


def read(path: str, content: str) -> Call:
    return Call("Read", {"file_path": path}, content)


_EDITED = "The file has been updated successfully."
