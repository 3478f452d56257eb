"""What a session cost in tokens: the client's own total when it ended, and single requests where it did not.

A total runs over all legs of a session, and in a fork over its parent's too, whose requests were copied into it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from memlane.domain import Tokens
from memlane.sources.notes import count, less, together
from memlane.sources.records import Record, mapping, text


@dataclass(slots=True)
class Spending:
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
