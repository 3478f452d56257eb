"""Where was it said? Words and meaning in, Turns out, best first; and which Runs were about the same."""

from memlane.search.gather import Asked, How, Mode
from memlane.search.query import FoundTurn, Search, find
from memlane.search.similar import gist, similar

__all__ = ["Asked", "FoundTurn", "How", "Mode", "Search", "find", "gist", "similar"]
