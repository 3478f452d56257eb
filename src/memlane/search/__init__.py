"""Where was it said? Words and meaning in, Turns out, best first."""

from memlane.search.query import Asked, FoundTurn, How, Mode, Search, find

__all__ = ["Asked", "FoundTurn", "How", "Mode", "Search", "find"]
