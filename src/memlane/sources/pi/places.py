"""Where Pi keeps its sessions, and what a file there is by its name alone. Opens nothing."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from memlane.domain import Relation
from memlane.sources.records import Record, text
from memlane.sources.source import Surroundings, Transcript

ENDING = ".jsonl"
OF_A_CHILD = "session.jsonl"  # as subagent extensions name it, deep in the folder of its parent
_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_(?P<id>[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?)")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BETWEEN_DIGITS = re.compile(r"[:.]")
_BETWEEN = re.compile(r"[/\\]")


def folders(around: Surroundings) -> tuple[Path, ...]:
    """Pi has a variable for all it keeps and one for sessions alone; what was there before either was set stays."""
    own = around.variables.get("PI_CODING_AGENT_DIR", "")
    sessions = around.variables.get("PI_CODING_AGENT_SESSION_DIR", "")
    base = _told(own, around) if own else around.home / ".pi" / "agent"
    chosen = (_told(sessions, around),) if sessions else ()
    return tuple(dict.fromkeys((*chosen, base / "sessions")))


def _told(path: str, around: Surroundings) -> Path:
    if path == "~" or path.startswith("~/"):
        return around.home / path[2:]
    return Path(path)


def what_it_is(path: PurePath) -> Transcript | None:
    if path.suffix != ENDING:
        return None
    own, parent = native_id(path.stem), _parent(path.parts[:-1])[0]
    if parent:
        child = own or _of_child(path.parts)
        return Transcript(child, parent, Relation.SUBAGENT) if child else None
    return Transcript(own) if own and len(path.parts) <= 2 else None


def _of_child(parts: tuple[str, ...]) -> str:
    """An id for a file that has none in its name: its parent's, and the way from there."""
    parent, inside = _parent(parts[:-1])
    return "/".join((parent, *inside, OF_A_CHILD.removesuffix(ENDING))) if parent and parts[-1] == OF_A_CHILD else ""


def _parent(folders: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """A folder named as a session is holds the sessions of its child agents."""
    for place in range(len(folders) - 1, -1, -1):
        if found := native_id(folders[place]):
            return found, folders[place + 1 :]
    return "", ()


def native_id(stem: str) -> str:
    """The uuid in a session's name. An id somebody chose may be chosen again in another folder: then the whole name."""
    found = _NAME.fullmatch(stem)
    if found is None:
        return ""
    return found["id"] if _UUID.fullmatch(found["id"]) else stem


def own_id(header: Record) -> str:
    """The same, told by a session's header: its name is made of its time and its id."""
    stamp = _BETWEEN_DIGITS.sub("-", text(header.get("timestamp")))
    return native_id(f"{stamp}_{text(header.get('id'))}")


def of_parent(told: str) -> str:
    """Which Run a header's `parentSession` means: the path of its file, in rare extensions its id."""
    parts = tuple(_BETWEEN.split(told))
    name = parts[-1].removesuffix(ENDING)
    return native_id(name) or _of_child(parts) or (name if _UUID.fullmatch(name) else "")
