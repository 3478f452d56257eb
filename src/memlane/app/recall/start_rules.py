"""The standing rules of a project and its person, as an agent is given them when a context begins."""

from __future__ import annotations

from collections.abc import Sequence

from memlane import recall
from memlane.app.home import Home
from memlane.app.recall.place import FolderView
from memlane.domain import Match, Memory, Outcome, Query, Recall, RecallMoment, State
from memlane.domain.door import FencedText
from memlane.domain.recall import RULE

LOOKED_AT = 100  # rules, those seen most often; and recalls of a run, the newest
COMPACTED = "its context was compacted; its rules come with the next prompt"
HAS_OUR_LINES = "its own MEMORY.md already has Lane's lines"
NONE = "no standing rules here"
BEGUN = "its context had begun already, with its first prompt"


class StandingRules:
    def __init__(self, home: Home, place: FolderView) -> None:
        self._home, self._place = home, place

    def block(self, query: Query, nonce: str) -> tuple[FencedText, tuple[Match, ...]]:
        """Empty where there is none."""
        tools = self._home.tools(self._home.recalled())
        memories, reader = tools.storage.memories, tools.reader
        found = memories.standing(query.project.key, query.agent, reader, LOOKED_AT)
        rules = [memory for memory in found if self._holds(memory, query)]
        judged = tools.storage.recalls.judged([memory.id for memory in rules], reader) if rules else ()
        ranked = recall.most_used_first(rules, judged, query.project.key, reader.user, tools.weights)
        every = memories.count([State.ACTIVE], reader) if ranked else 0
        text, kept = recall.opening(ranked, every, nonce, reader.user, tools.budget)
        return text, tuple(Match(memory, 0.0, 0.0, {}, RULE) for memory in kept)

    def loaded_already(self, query: Query) -> str:
        """Why they need not be told: the agent's own MEMORY.md has these lines."""
        return HAS_OUR_LINES if self._place.has_our_lines(query) else ""

    def are_due(self, run: str, remind_after: int) -> bool:
        """Whether a context began in this run without its rules: its start was never answered or comes beside the
        prompt, it was compacted, or the agent says nothing when it compacts and may have by now."""
        since = self.since_start(run)
        began = len(since) - (bool(since) and since[-1].query.moment is RecallMoment.START)
        compacted = began < len(since) and since[-1].why == COMPACTED
        unanswered = all(one.outcome is Outcome.TOO_SLOW for one in since)
        return compacted or unanswered or 0 < remind_after <= began

    def knows(self, run: str) -> bool:
        return bool(self._home.storage().recalls.newest(1, self._home.reader, run=run))

    def has_begun(self, run: str) -> bool:
        """An agent may call at the start and at the first prompt at the same moment, in any order."""
        since = self.since_start(run)
        return bool(since) and since[0].query.moment is not RecallMoment.START

    def since_start(self, run: str) -> Sequence[Recall]:
        """What this run asked, newest first, back to its newest start, which is the last of them."""
        newest = self._home.storage().recalls.newest(LOOKED_AT, self._home.reader, run=run)
        began = next((n for n, one in enumerate(newest, 1) if one.query.moment is RecallMoment.START), len(newest))
        return newest[:began]

    def _holds(self, memory: Memory, query: Query) -> bool:
        """Sure, still true of this checkout, and not in a file that the agent reads itself."""
        sure = memory.confidence >= self._home.config.count("recall.least_confidence")
        return sure and not self._place.gone(memory, query) and not self._place.loaded(memory, query)
