"""What the header of a session says, and who therefore writes its prompts: a person, or the agent that opened it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from memlane.domain import Author, Relation
from memlane.sources.pi.places import of_parent
from memlane.sources.records import Record, moment, text
from memlane.sources.source import Transcript

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
