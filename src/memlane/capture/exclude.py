"""What is never captured: patterns a person wrote down. Only names are looked at, never content."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path


def excluded(patterns: Sequence[str], *, path: str, agent: str, cwd: str) -> str:
    """The pattern that keeps this out, or "".

    `agent:codex` names an agent; anything else is a path: of the transcript, or of the folder the agent worked in, or
    one above it. `*` matches anything, also slashes; `~` is the home folder.
    """
    for pattern in patterns:
        if pattern.startswith("agent:"):
            if fnmatchcase(agent, pattern.removeprefix("agent:")):
                return pattern
        elif any(_covers(pattern, candidate) for candidate in (path, cwd) if candidate):
            return pattern
    return ""


def _covers(pattern: str, candidate: str) -> bool:
    full = str(Path(pattern).expanduser()) if pattern.startswith("~") else pattern.rstrip("/")
    return fnmatchcase(candidate, full) or fnmatchcase(candidate, full + "/*")
