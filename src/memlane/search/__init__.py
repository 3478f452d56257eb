"""Where was it said? Words and meaning in, Turns out, best first; and which Runs were about the same."""

from memlane.search.find import FoundTurn, Search, find
from memlane.search.gather import Mode, QuestionVector, SearchOptions
from memlane.search.similar_runs import gist, similar

__all__ = ["FoundTurn", "Mode", "QuestionVector", "Search", "SearchOptions", "find", "gist", "similar"]
