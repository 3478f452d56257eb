"""What a session says about itself: when, where and from which session it began, and its tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents.builders import count, less, together
from memlane.agents.records import Record, mapping, moment, text
from memlane.domain import Author, Relation, Tokens

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


@dataclass(slots=True)
class TokenUsage:
    """Added up while events go by."""

    _total: Tokens = field(default_factory=Tokens)
    _since: Tokens = field(default_factory=Tokens)
    _copied: Tokens = field(default_factory=Tokens)
    _written: int = 0  # of messages, for clients that record no requests
    _requests: bool = False

    def request(self, usage: Record, *, copied: bool) -> None:
        self._requests = True
        if copied:
            self._copied = together(self._copied, _tokens(usage))
        else:
            self._since = together(self._since, _tokens(usage))

    def message(self, data: Record, *, copied: bool) -> None:
        if not copied:
            self._written += count(data.get("outputTokens"))

    def ended(self, data: Record) -> list[str]:
        """A `session.shutdown`: its total, and the names of the models in it."""
        metrics = mapping(data.get("modelMetrics")) or mapping(
            mapping(data.get("accountingSnapshot")).get("modelMetrics")
        )
        total = Tokens()
        for metric in metrics.values():
            total = together(total, _tokens(mapping(mapping(metric).get("usage"))))
        if total != Tokens():
            self._total, self._since, self._written = total, Tokens(), 0
        return [text(name) for name in metrics]

    def tokens(self) -> Tokens:
        since = self._since if self._requests else Tokens(output=self._written)
        return less(together(self._total, since), self._copied if self._total != Tokens() else Tokens())


def _tokens(usage: Record) -> Tokens:
    read, wrote = count(usage.get("inputTokens")), count(usage.get("outputTokens"))
    return Tokens(read, wrote, count(usage.get("cacheReadTokens")))
