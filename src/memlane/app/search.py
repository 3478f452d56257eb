"""Where was it said? One search over everything this home has, by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memlane import search
from memlane.app.home import Home, damage
from memlane.app.runs import Runs
from memlane.app.vectors import VectorProgress, VectorUpkeep
from memlane.domain import RunFilter, RunSummary
from memlane.errors import IndexDamagedError, VectorsDamagedError
from memlane.search import FoundTurn, Mode, QuestionVector, Search

__all__ = ["FoundTurn", "Mode", "RunSearch", "Search", "SearchAnswer", "together"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was found, and by what: words alone, meaning alone, or both."""

    search: Search
    by: str  # words, meaning, hybrid
    why: str = ""  # why not by meaning too, or not by all of it
    damage: str = ""  # of files, that was met on the way


class RunSearch:
    def __init__(self, home: Home, runs: Runs, vectors: VectorUpkeep) -> None:
        self._home, self._runs, self._vectors = home, runs, vectors

    def find(
        self, words: str, which: RunFilter | None = None, limit: int = 10, mode: Mode | None = None
    ) -> SearchAnswer:
        """Words always answer; meaning joins where there is a model that answers in time."""
        home, asked, why, mode = self._home, None, "", mode or Mode.AUTO
        if mode is not Mode.WORDS:
            asked, why = self._vectors.ask(words)
        how = search.SearchOptions(mode, home.clock().astimezone())

        def look(asked: QuestionVector | None) -> Search:
            return search.find(words, which or RunFilter(), limit, home.reader, home.storage(), asked, how)

        found, damaged = self._without_damage(look, asked)
        by = "words" if asked is None or found is None else "meaning" if mode is Mode.MEANING else "hybrid"
        return SearchAnswer(found or look(None), by, why or damaged, damaged)

    def _without_damage(
        self, look: Callable[[QuestionVector | None], T], asked: QuestionVector | None
    ) -> tuple[T | None, str]:
        """What was found, and what is damaged; None: the vectors are, so words must answer alone."""
        try:
            found = look(asked)
        except VectorsDamagedError as error:
            damage.note(self._home, error.message)
            return None, error.message
        except IndexDamagedError as error:
            damage.note(self._home, error.message)
            raise
        gaps = self._home.storage().gaps() if asked is not None else ()
        if gaps:
            damage.note(self._home, gaps[0])
        return found, f"damaged: {'; '.join(gaps)}" if gaps else ""

    def progress(self) -> VectorProgress:
        """How much of everything can be found by what it means."""
        return self._vectors.standing()

    def similar(self, given: str, which: RunFilter, limit: int) -> Sequence[tuple[RunSummary, float]]:
        """Runs like this one, best first; not itself, nor those that came out of it or it came from."""
        run, home = self._runs.get(given), self._home
        asked, _why = self._vectors.ask(search.gist(run, home.reader, home.storage()))

        def look(asked: QuestionVector | None) -> Sequence[tuple[RunSummary, float]]:
            return search.similar(run, which, limit, home.reader, home.storage(), asked)

        found, _damage = self._without_damage(look, asked)
        return look(None) if found is None else found

    def indexed_share(self) -> tuple[int, int]:
        """Runs that can be searched, of all that are archived."""
        storage = self._home.storage()
        indexed, waiting = storage.runs.count(self._home.reader), len(storage.work.pending())
        return indexed, indexed + waiting


def together(here: SearchAnswer, there: SearchAnswer, limit: int) -> SearchAnswer:
    """Turns of both, best first. What is in both is shown once, as it is here."""
    mine = {(hit.chunk.run, hit.chunk.turn) for hit in here.search.best}
    other = [hit for hit in there.search.best if (hit.chunk.run, hit.chunk.turn) not in mine]
    best = sorted((*here.search.best, *other), key=_score, reverse=True)[:limit]
    turns = max(there.search.turns, here.search.turns, len(best))
    runs = max(there.search.runs, here.search.runs, len({hit.run.id for hit in best}))
    found = Search(best, turns, runs, {} if there.search.best else here.search.meant)
    return replace(here, search=found)


def _score(hit: FoundTurn) -> float:
    return hit.score
