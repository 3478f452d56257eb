"""Where Copilot CLI keeps its sessions, and what a file there is by its name alone. Opens nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path, PurePath

from memlane.sources.source import SideFile, Surroundings, Transcript

EVENTS = "events.jsonl"
OLDER = ".jsonl"  # one flat file per session
BESIDE = frozenset({"workspace.yaml", "plan.md"})
FOLDERS = frozenset({"checkpoints", "files", "research"})  # summaries of compactions; what the agent put aside
LONGEST_NAME = 120
_SESSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*")
_UNSAFE = re.compile(r"[^0-9A-Za-z._-]|^\.")


def folders(around: Surroundings) -> tuple[Path, ...]:
    own = around.variables.get("COPILOT_HOME", "")
    return ((Path(own) if own else around.home / ".copilot") / "session-state",)


def what_it_is(path: PurePath) -> Transcript | SideFile | None:
    match path.parts:
        case (name,) if name.endswith(OLDER) and _is_session(name.removesuffix(OLDER)):
            return Transcript(name.removesuffix(OLDER))
        case (session, name) if name == EVENTS and _is_session(session):
            return Transcript(session)
        case (session, name) if name in BESIDE and _is_session(session):
            return SideFile(session, name)
        case (session, folder, *rest) if rest and folder in FOLDERS and _is_session(session):
            return SideFile(session, _flat((folder, *rest)))
        case _:
            return None


def _is_session(name: str) -> bool:
    return _SESSION.fullmatch(name) is not None


def _flat(parts: Sequence[str]) -> str:
    """One file name for a path, safe on any disk; a name that had to change carries a digest, so that none collide."""
    whole = "--".join(parts)
    name = _UNSAFE.sub("_", whole)
    if name == whole and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{digest}-{name[-LONGEST_NAME:]}"
