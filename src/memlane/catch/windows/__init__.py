"""Which closed stretches of a Run are to be read, and what happened in them that makes them worth it."""

from memlane.catch.windows.borders import IDLE, ClosedWindows, WindowOrigin, closed

__all__ = ["IDLE", "ClosedWindows", "WindowOrigin", "closed"]
