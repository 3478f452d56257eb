"""Where was it said? Words in, Turns out, best first."""

from memlane.search.query import FoundTurn, Search, find

__all__ = ["FoundTurn", "Search", "find"]
