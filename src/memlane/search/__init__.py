"""Where was it said? Words in, Turns out, best first."""

from memlane.search.query import Hit, Hits, find

__all__ = ["Hit", "Hits", "find"]
