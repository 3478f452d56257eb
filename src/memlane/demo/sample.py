"""What a sample run is made of, before any agent's format, and who is in it. All invented."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

CLAUDE_CODE = "claude-code"
CODEX = "codex"


@dataclass(frozen=True, slots=True)
class SampleCall:
    """One tool call. `refused`: the person said no, in these words; then it has no result."""

    tool: str
    input: Mapping[str, str]
    result: str = ""
    failed: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SamplePrompt:
    """What a person typed, and what the agent did about it: its words and its calls, in order."""

    words: str
    then: tuple[str | SampleCall, ...]


@dataclass(frozen=True, slots=True)
class SampleRun:
    """One run. `under`: the key of the run whose subagent it is."""

    key: str
    agent: str
    at: AgentFolder
    days_ago: int
    hour: int
    asked: tuple[SamplePrompt, ...]
    title: str = ""
    under: str = ""


def made_id(*parts: object) -> str:
    """The same for the same parts, in the form the agents use."""
    return str(uuid5(NAMESPACE_URL, "/".join(("memlane-demo", *map(str, parts)))))


def bash(command: str, result: str = "", *, failed: bool = False) -> SampleCall:
    return SampleCall("Bash", {"command": command}, result, failed)


def edit(path: str, old: str, new: str, *, refused: str = "") -> SampleCall:
    return SampleCall("Edit", {"file_path": path, "old_string": old, "new_string": new}, _EDITED, refused=refused)


def read(path: str, content: str) -> SampleCall:
    return SampleCall("Read", {"file_path": path}, content)


_EDITED = "The file has been updated successfully."


@dataclass(frozen=True, slots=True)
class Person:
    """Whose home it is, and what their computer is called."""

    user: str
    machine: str


@dataclass(frozen=True, slots=True)
class AgentFolder:
    """A folder under `~/code`; with a remote, if it has one."""

    name: str
    branch: str = "main"
    remote: str = ""


PERSON = Person("noor", "laptop")

FERRY = AgentFolder("ferry-api", remote="git@git.example.org:quillmoor/ferry-api.git")
TIDES = AgentFolder("tide-tables", branch="import", remote="git@git.example.org:quillmoor/tide-tables.git")
POSTCARDS = AgentFolder("postcards")

PROJECTS = (FERRY, TIDES, POSTCARDS)
