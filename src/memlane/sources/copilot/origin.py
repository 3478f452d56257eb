"""What a session says of its own beginnings: when, where, by which client, and out of which other session."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from memlane.domain import Author, Relation
from memlane.sources.records import Record, mapping, moment, text

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_FORKED = re.compile(rf"\((?P<parent>{_UUID})\) as \".{{0,1000}}\" \((?P<own>{_UUID})\)\.?\Z", re.DOTALL)


@dataclass(slots=True)
class Origin:
    """Filled by the first `session.start`, and by what later events add."""

    started: datetime | None = None
    first_event: datetime | None = None
    cwd: str = ""
    branch: str = ""
    remote: str = ""
    version: str = ""
    parent: str = ""
    relation: Relation | None = None
    author: Author = Author.PERSON  # of its prompts

    def start(self, record: Record) -> None:
        data = mapping(record.get("data"))
        self.first_event = moment(record.get("timestamp"))
        self.started = moment(data.get("startTime")) or self.first_event
        self.version = text(data.get("copilotVersion"))
        self.context(mapping(data.get("context")))
        spawner = text(data.get("detachedFromSpawningParentSessionId"))
        if spawner:
            self.parent, self.relation, self.author = spawner, Relation.SUBAGENT, Author.PROGRAM

    def context(self, context: Record) -> None:
        """Where it runs: the folder it began in, the branch it is on now."""
        self.cwd = self.cwd or text(context.get("cwd"))
        self.branch = text(context.get("branch")) or self.branch
        host, repository = text(context.get("repositoryHost")), text(context.get("repository"))
        if not self.remote and repository and text(context.get("hostType")) == "github":
            self.remote = f"https://{host or 'github.com'}/{repository}"

    def forked(self, message: str, own_id: str) -> None:
        """`Forked from "…" (parent) as "…" (fork).` stands in both files; only one of them is the fork."""
        found = _FORKED.search(message[-2500:])
        if found is not None and found["own"] == own_id:
            self.parent, self.relation = found["parent"], Relation.FORK

    def is_copied(self, at: datetime | None) -> bool:
        """An event older than its session came with the fork: it is in the parent's Run too."""
        return at is not None and self.first_event is not None and at < self.first_event
