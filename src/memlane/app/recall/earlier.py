"""A Turn of an earlier Run, of any agent, for a prompt that asks about the past and that no Memory fits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from memlane import recall
from memlane.app.home import Home, damage
from memlane.domain import ANY_PROJECT, Author, EarlierTurn, Query
from memlane.errors import IndexDamagedError

if TYPE_CHECKING:
    from memlane.app.vectors import VectorUpkeep
    from memlane.search import FoundTurn
    from memlane.storage import Statistics

LOOKED_AT = 8  # Turns
MOST_CHUNKS = 300_000  # of a home: in a larger one a search takes longer than a prompt should wait
WITHIN = 0.25  # seconds after a prompt came in: the hook behind it stops at 0.4, and loses nothing by our silence
SPOKEN = (Author.PERSON, Author.AGENT)


class EarlierTurns:
    def __init__(self, home: Home, vectors: VectorUpkeep, clock: Callable[[], float] = time.monotonic) -> None:
        self._home = home
        self._vectors = vectors
        self._clock = clock
        self._takes = 0.0  # seconds: the last look

    def soon(self) -> float:
        """Until when somebody waits who asks now."""
        return self._clock() + WITHIN

    def offered(self, query: Query, told: Collection[str], until: float = math.inf) -> EarlierTurn | None:
        """The one that is surely meant. `told`: Runs this context was pointed at already. No look that would end after
        `until` is begun."""
        if not self._home.config.switch("recall.earlier_runs") or not query.project.key:
            return None
        if not recall.about_the_past(query.words):
            return None
        began = self._clock()
        if began + self._takes >= until:
            self._takes /= 2  # a crowded moment passes: it is tried again before long
            return None
        try:
            return self._looked(query, told, until)
        finally:
            self._takes = self._clock() - began

    def _looked(self, query: Query, told: Collection[str], until: float) -> EarlierTurn | None:
        terms = recall.needed(query.words).terms
        known = self._home.storage().chunks.statistics(sorted(terms), self._home.reader)
        if known.chunks > MOST_CHUNKS:
            return None
        theirs = {query.run, *told, *self._kin(query.run)} - {""}
        others = (hit for hit in self._found(query, until) if hit.run.id not in theirs and hit.run.parent not in theirs)
        found = [hit for hit in others if hit.chunk.author in SPOKEN and not hit.chunk.tool]
        if not found:
            return None
        rival = next((hit.score for hit in found if hit.run.id != found[0].run.id), 0.0)
        return _sure(found[0], found[0].score - rival, terms, known)

    def _kin(self, run: str) -> tuple[str, ...]:
        """What a Run came out of is in its context."""
        known = self._home.storage().runs.get(run, self._home.reader) if run else None
        return (known.parent,) if known and known.parent else ()

    def _found(self, query: Query, until: float) -> list[FoundTurn]:
        from memlane import search
        from memlane.domain import RunFilter

        home = self._home
        asked, _why = self._vectors.ask(query.words, until - self._clock())
        if self._clock() >= until:
            return []
        project = "" if query.project == ANY_PROJECT else query.project.key
        which, how = RunFilter(project=project), search.SearchOptions(now=home.clock().astimezone())
        try:
            return [*search.find(query.words, which, LOOKED_AT, home.reader, home.storage(), asked, how).best]
        except IndexDamagedError as error:  # notes are found without it
            damage.note(home, error.message)
            return []


def _sure(hit: FoundTurn, lead: float, terms: frozenset[str], known: Statistics) -> EarlierTurn | None:
    share, words = recall.covered(terms, hit.chunk.text, known.having, known.chunks)
    run, chunk = hit.run, hit.chunk
    said = chunk.text if chunk.author == Author.PERSON else run.first.text
    if not said.strip() or not recall.SURENESS.holds(share, words, hit.semantic, lead):
        return None
    at = chunk.at or run.started
    return EarlierTurn(run.id, chunk.turn, run.agent, run.machine, at, round(share, 3), hit.semantic, said)
