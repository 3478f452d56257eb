"""Which session is it? Where Pi keeps sessions, what a name and a header tell, and who writes the prompts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePath

from memlane.agents.agent import Surroundings, Transcript
from memlane.agents.records import Record, moment, text
from memlane.domain import Author, Relation

TOO_FAST = timedelta(seconds=2)  # between the opening of a session and its first prompt: nobody types that
_CHILD_MARK = re.compile(r"(?:^|[^a-z])(?:sub-?agents?|child|parent)(?:[^a-z]|$)", re.IGNORECASE)


@dataclass(slots=True)
class Origin:
    """A session's beginnings, told bit by bit: the header, what an extension left, copied history, the first prompt."""

    started: datetime | None = None
    cwd: str = ""
    parent: str = ""
    relation: Relation | None = None
    author: Author = Author.PERSON
    _copied: bool = False
    _marked: bool = False
    _settled: bool = False

    def header(self, record: Record, transcript: Transcript) -> None:
        self.started, self.cwd = moment(record.get("timestamp")), text(record.get("cwd"))
        told = text(record.get("parentSession")) or text(record.get("branchedFrom"))
        self.parent = of_parent(told) or transcript.parent_native_id
        self.relation = transcript.relation or (Relation.FORK if told else None)

    def mark(self, custom_type: str) -> None:
        """State an extension keeps. Those that open child sessions say so in its name."""
        self._marked = self._marked or _CHILD_MARK.search(custom_type[:200]) is not None

    def is_copied(self, at: datetime | None) -> bool:
        """An entry older than its session came with the fork: it is in the parent's Run too."""
        copied = self.parent != "" and at is not None and self.started is not None and at < self.started
        self._copied = self._copied or copied
        return copied

    def prompted(self, at: datetime | None) -> Author:
        """Whoever writes the first prompt writes them all, but not what was copied: that is a person's run, forked."""
        if self.is_copied(at):
            return Author.PERSON
        if not self._settled:
            self._settled = True
            if self._by_an_agent(at):
                self.relation, self.author = Relation.SUBAGENT, Author.PROGRAM
        return self.author

    def _by_an_agent(self, at: datetime | None) -> bool:
        if self.relation is None or self.relation is Relation.SUBAGENT:
            return self.relation is Relation.SUBAGENT
        if self._copied:
            return False
        at_once = at is not None and self.started is not None and at - self.started < TOO_FAST
        return self._marked or at_once


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
