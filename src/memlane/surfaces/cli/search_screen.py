"""One look of `lane search`, and what a person should know about it; the list and the picker show the same."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlane.domain.tokenizer import terms
from memlane.surfaces.cli import search_report
from memlane.surfaces.cli.filters import chosen
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.search import FoundTurn, SearchAnswer
    from memlane.app.vectors import VectorProgress

NOTHING_HERE = "nothing has been captured on this machine yet (lane capture)"
NEWEST_OF = 100  # so many of the best are put in order of time


@dataclass(frozen=True, slots=True)
class SearchScreen:
    """What was found, and how."""

    found: SearchAnswer
    best: Sequence[FoundTurn]
    meant: VectorProgress
    indexed: int
    archived: int
    ms: float
    central: str = ""  # why Central did not answer
    empty: bool = False  # this machine has captured nothing

    @property
    def turns(self) -> int:
        return self.found.search.turns

    @property
    def runs(self) -> int:
        return self.found.search.runs

    @property
    def mode(self) -> str:
        return search_report.mode_of(self.found, self.meant)

    @property
    def wordless(self) -> bool:
        """The words stand nowhere: what is shown is only near them."""
        return self.mode == "hybrid" and bool(self.best) and not any(hit.lexical for hit in self.best)

    def about_meaning(self, asked: str) -> str:
        return search_report.meaning_line(asked, self.found, self.meant)


def look(screen: Screen, lane: Lane, words: str, given: Mapping[str, Any], *, quiet: bool = False) -> SearchScreen:
    from memlane.app.search import Mode

    began = time.perf_counter()
    limit, newest = given["limit"], given["sort"] == "new"
    which = chosen(screen, lane, given, quiet=quiet)
    most, mode, central = max(limit, NEWEST_OF) if newest else limit, Mode(given["mode"]), ""
    found = lane.search.find(words, which, most, Mode.WORDS if lane.home.thin else mode)
    if not given.get("here", True):
        from memlane.app.search import together

        wider, central = lane.everywhere.search(words, which, most, mode)
        found = together(found, wider, most) if wider is not None else found
    best = found.search.best
    best = sorted(best, key=lambda hit: str(hit.chunk.at or ""), reverse=True) if newest else best
    meant, (indexed, archived) = lane.search.progress(), (0, 0) if lane.home.thin else lane.search.indexed_share()
    took = (time.perf_counter() - began) * 1000
    empty = not (archived or lane.home.thin)
    return SearchScreen(found, best[:limit], meant, indexed, archived, took, central, empty)


def notes(words: str, looked: SearchScreen, asked: str) -> list[str]:
    """What a person should know about the looking, a line each."""
    meant = looked.found.search.meant
    share = f"{looked.indexed:,} of {looked.archived:,} runs indexed so far"
    lines = [share] * (looked.indexed < looked.archived) + [NOTHING_HERE] * looked.empty
    lines += ["no text has these words; these are similar"] * looked.wordless
    lines += filter(None, [looked.about_meaning(asked), looked.central])
    return lines + [f"did you mean: {corrected(words, meant)}?"] * bool(meant)


def corrected(words: str, meant: Mapping[str, str]) -> str:
    """The question again, with the words that were meant."""
    return " ".join(_meant(word, meant) for word in one_line(words).split()[:50])


def _meant(word: str, meant: Mapping[str, str]) -> str:
    return next((meant[term] for term in terms(word) if term in meant), word)
