"""Which closed stretches of a Run are to be read, and what happened in them that makes them worth it."""

from memlane.catch.windows.closing import IDLE, About, Closed, closed

__all__ = ["IDLE", "About", "Closed", "closed"]
