"""Where was it said? A query in, the best Turns out, by words and meaning; also similar Runs."""

from memlane.search.find import FoundTurn, Search, find
from memlane.search.gather import Mode, QuestionVector, SearchOptions
from memlane.search.similar_runs import gist, similar

__all__ = ["FoundTurn", "Mode", "QuestionVector", "Search", "SearchOptions", "find", "gist", "similar"]
